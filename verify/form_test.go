package verify

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/emit/nvue"
	"github.com/roceplan/roceplan/emit/openconfig"
	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/emit/srlinux"
	"github.com/roceplan/roceplan/plan"
)

// A file of Cumulus Linux that gives lengths of cables is compared with what the fabric compiles
// to in that form, and one that gives headroom with the other, whatever they are called.
func TestFormOfHeadroom(t *testing.T) {
	p, catalogue := planOf(t, "cumulus-storage")
	planned := plannedSwitch(t, p, "leaf-1")
	for _, form := range nvue.Target().Forms {
		files, found := form.Emit(planned)
		if found.HasErrors() {
			t.Fatal(found)
		}
		for _, name := range []string{"leaf-1/nvue.yaml", "leaf-1/nvue-cable-length.yaml", "leaf-1/startup.yaml", "leaf-1/nvue.sh"} {
			o := Options{Catalogue: catalogue, Fabric: &Fabric{Plan: p, Targets: []emit.Target{nvue.Target()}}}
			r := judge(t, o, Text(name, files[0].Body.AppendFor(nil, "leaf-1")))
			for _, d := range r.Findings {
				if strings.HasPrefix(string(d.Code), "fabric-") {
					t.Errorf("form %s as %s: %s %s", form.Name, name, d.Code, d.Message)
				}
			}
		}
	}
}

// A file in which no port was read says nothing that could differ from the fabric: that it says nothing is told.
func TestNothingToCompare(t *testing.T) {
	p, catalogue := planOf(t, "mixed-cabling")
	o := Options{Catalogue: catalogue, Fabric: &Fabric{Plan: p, Targets: []emit.Target{sonic.Target()}}}
	for text, want := range map[string]bool{
		`{"DEVICE_METADATA": {"localhost": {"hostname": "tor-1"}}}`:                                             false,
		`{"DEVICE_METADATA": {"localhost": {"hostname": "tor-1"}}, "PORT": {"Ethernet0": {"speed": "100000"}}}`: true,
	} {
		differs := false
		for _, d := range judge(t, o, Text("tor-1/config_db.json", []byte(text))).Findings {
			differs = differs || strings.HasPrefix(string(d.Code), "fabric-")
		}
		if differs != want {
			t.Errorf("%s: differs %v", text, differs)
		}
	}
}

// That ports have queues of their own, or that packets are sent back through a tunnel, cannot be in
// the file of a target that has no words for it, and is told at the line of the fabric, once.
func TestRemappingThatNoFileHas(t *testing.T) {
	const name = "leaf-1"
	p, catalogue := planOf(t, "srlinux-rail")
	own := p.Switches[slices.IndexFunc(p.Switches, func(s *plan.Switch) bool { return slices.Contains(s.Names, name) })]
	own.Targets = []string{"srlinux", "openconfig"}
	at := diag.Range{Filename: "fabric.hcl"}
	at.Start.Line = 7
	for _, target := range []emit.Target{srlinux.Target(), openconfig.Target()} {
		for what, c := range map[string]struct {
			change  func(*plan.Switch)
			message string
		}{
			"one map of queues": {func(*plan.Switch) {}, ""},
			"a queue of its own": {func(s *plan.Switch) {
				qos := *s.Ports[0].QoS
				qos.TCToQueue = &plan.QueueMap{To: s.Maps.TCToQueue}
				qos.TCToQueue.To[0], qos.TCToQueue.At[0] = 6, at
				s.Ports[0].QoS = &qos
			}, "traffic class 0 leaves ethernet-1/1 from queue 0, not 6"},
			"a tunnel": {func(s *plan.Switch) { s.Tunnel = &plan.Tunnel{Name: "pair", Range: at} }, "packets that pair sends back stay in their class"},
		} {
			planned := *own
			planned.Ports = slices.Clone(own.Ports)
			c.change(&planned)
			files, found := target.Forms[0].Emit(&planned)
			if found.HasErrors() {
				t.Fatal(found)
			}
			o := Options{Catalogue: catalogue, Fabric: &Fabric{Plan: &plan.Plan{Switches: []*plan.Switch{&planned}}, Targets: []emit.Target{target}}}
			r := judge(t, o, Text(name+"/"+files[0].Path, files[0].Body.AppendFor(nil, name)))
			var got []diag.Diagnostic
			for _, d := range r.Findings {
				if slices.Contains(target.Of(emit.Remapping).Codes, d.Code) {
					got = append(got, d)
				}
			}
			if c.message == "" && len(got) > 0 || c.message != "" && (len(got) != 1 || !strings.HasPrefix(got[0].Message, c.message) || got[0].Subject != at) {
				t.Errorf("%s, %s: %v, want %q", target.Name, what, got, c.message)
			}
		}
	}
}
