package verify

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/emit/eos"
	"github.com/roceplan/roceplan/emit/junos"
	"github.com/roceplan/roceplan/emit/nvue"
	"github.com/roceplan/roceplan/emit/openconfig"
	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/emit/srlinux"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A file of Cumulus Linux that gives lengths of cables is compared with what the fabric compiles
// to in that form, and one that gives headroom with the other, whatever they are called.
func TestFormOfHeadroom(t *testing.T) {
	p, catalogue := planOf(t, "cumulus-storage")
	planned := plannedSwitch(t, p, "leaf-1")
	for _, form := range nvue.Target().Forms {
		files := must.Sound(form.Emit(planned))(t)
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

// A file that leaves headroom to the switch is compared with the form that gives it where a target has
// no other, and differs from that.
func TestFormThatATargetLacks(t *testing.T) {
	p, catalogue := planOf(t, "cumulus-storage")
	planned := plannedSwitch(t, p, "leaf-1")
	target := nvue.Target()
	v := New(Options{Catalogue: catalogue, Fabric: &Fabric{Plan: p, Targets: []emit.Target{target}}})
	var leaves *plan.Switch
	rest := target
	rest.Forms = nil
	for _, form := range target.Forms {
		if sw, err := v.inForm(planned, target.Name, form); err != nil {
			t.Fatal(err)
		} else if LeavesHeadroom(sw) {
			leaves = sw
		} else {
			rest.Forms = append(rest.Forms, form)
		}
	}
	v = New(Options{Catalogue: catalogue, Fabric: &Fabric{Plan: p, Targets: []emit.Target{rest}}})
	if want, err := v.compiled(planned, leaves, target.Name, "nvue.yaml"); err != nil || want == nil || LeavesHeadroom(want) {
		t.Errorf("compared with %v, %v", want, err)
	}
}

// A file is compared with the form of its name, or else with the first. Only where a device computes
// headroom by itself does a form that leaves it to the device, or gives it, go before one of the file's name.
func TestFormOfAFile(t *testing.T) {
	p, catalogue := planOf(t, "cumulus-storage")
	planned := plannedSwitch(t, p, "leaf-1")
	target := nvue.Target()
	of := func(leaves bool, name, file string) (out emit.Form) {
		for _, form := range target.Forms {
			if sw, err := New(Options{}).inForm(planned, target.Name, form); err == nil && LeavesHeadroom(sw) == leaves {
				out = form
			}
		}
		out.Name, out.File = name, file
		return out
	}
	broken := emit.Form{Name: "broken", File: "broken", Emit: func(*plan.Switch) ([]emit.File, diag.List) {
		return nil, diag.List{{Severity: diag.Error}}
	}}
	target.Forms = []emit.Form{of(false, "one", "one"), of(false, "other", "other"), of(true, "leaves", "leaves"), broken}
	gives, leaves := compiledIn(t, planned, target.Forms[0]), compiledIn(t, planned, target.Forms[2])
	for _, c := range []struct {
		name, file string
		told       *plan.Switch
		want       string // the form; empty: an error
	}{
		{"nvue", "one", gives, "one"}, {"nvue", "other", gives, "other"}, {"nvue", "of no form", gives, "one"},
		{"nvue", "other", leaves, "leaves"}, {"nvue", "leaves", leaves, "leaves"}, {"nvue", "leaves", gives, "one"},
		{"nvue", "broken", gives, ""}, {"nvue", "broken", leaves, ""},
		{"sonic", "other", gives, "other"}, {"sonic", "other", leaves, "other"}, {"sonic", "broken", leaves, ""},
	} {
		target.Name = c.name
		own := *planned
		own.Targets = []string{c.name}
		v := New(Options{Catalogue: catalogue, Fabric: &Fabric{Plan: p, Targets: []emit.Target{target}}})
		for _, form := range target.Forms[:3] { // each is known by what it holds
			v.expected[expectedKey{&own, c.name, form.Name}] = map[string]*plan.Switch{"leaves": leaves}[form.Name]
			if form.Name != "leaves" {
				v.expected[expectedKey{&own, c.name, form.Name}] = cloneSwitch(gives)
			}
		}
		got, err := v.compiled(&own, c.told, c.name, c.file)
		if (err != nil) != (c.want == "") || err == nil && got != v.expected[expectedKey{&own, c.name, c.want}] {
			t.Errorf("%s as %s, which leaves headroom: %t: not compared with %q; %v", c.file, c.name, LeavesHeadroom(c.told), c.want, err)
		}
	}
}

// compiledIn returns the switch that a form of Cumulus Linux holds.
func compiledIn(t *testing.T, planned *plan.Switch, form emit.Form) *plan.Switch {
	sw := must.Get(New(Options{}).inForm(planned, "nvue", form))(t)
	return sw
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
		must.Equalf(t, differs, want, "%s: differs", text)
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
			files := must.Sound(target.Forms[0].Emit(&planned))(t)
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

// That packets without room are cut, in a fabric whose file cannot say it, is told at the line of the
// fabric, once for all files, and in the words of compile.
func TestTrimmingThatNoFileHas(t *testing.T) {
	for _, c := range []struct {
		example, name string
		target        emit.Target
		chip          string
		size          units.Bytes
		message       string
	}{
		{"srlinux-rail", "leaf-1", srlinux.Target(), "", 256, "packets without room are dropped, not cut to 256B: SR Linux"},
		{"srlinux-rail", "leaf-1", openconfig.Target(), "", 256, "OpenConfig cannot carry the cutting of packets to 256B"},
		{"junos-rail", "leaf-1", junos.Target(), "", 256, "packets without room are dropped, not cut to 256B: no line of Junos for it is published"},
		{"tomahawk-eos-pod", "leaf-1", eos.Target(), "", 256, "packets without room are dropped, not cut to 256B: the lines of EOS"},
		{"cumulus-storage", "leaf-1", nvue.Target(), "", 1024, ""},
		{"cumulus-storage", "leaf-1", nvue.Target(), "", 1028, "packets without room are dropped, not cut to 1028B: Cumulus Linux trims packets to a size from 256B to 1024B"},
		{"cumulus-storage", "leaf-1", nvue.Target(), "spectrum3", 256, "packets without room are dropped, not cut to 256B: Cumulus Linux trims packets from Spectrum-4 on"},
		{"tomahawk5-ai-pod", "leaf-01", sonic.Target(), "", 206, ""},
		{"tomahawk5-ai-pod", "leaf-01", sonic.Target(), "", 207, "packets without room are dropped, not cut to 207B: tomahawk5 trims packets to 206 B only"},
		{"ucloud-pod", "leaf-1", sonic.Target(), "", 256, "it is not published whether trident3 trims packets under SONiC"},
	} {
		p, catalogue := planOf(t, c.example)
		planned := *p.Switches[slices.IndexFunc(p.Switches, func(s *plan.Switch) bool { return slices.Contains(s.Names, c.name) })]
		planned.Names, planned.Targets = []string{c.name, "twin"}, []string{c.target.Name}
		if c.chip != "" {
			planned.Chip = c.chip
		}
		at := diag.Range{Filename: "fabric.hcl"}
		at.Start.Line = 7
		for _, trim := range []*plan.Trim{nil, {Size: plan.Of(c.size, nil), DSCP: 48, TC: 6, Queue: 6, Range: at}} {
			planned.Trim = trim
			files := must.Sound(c.target.Forms[0].Emit(&planned))(t)
			var texts []File
			for i, name := range planned.Names {
				body := files[0].Body.AppendFor(nil, name)
				texts = append(texts, Text(name+"/"+files[0].Path, append(body, strings.Repeat("\n", i)...))) // two shapes
			}
			o := Options{Catalogue: catalogue, Fabric: &Fabric{Plan: &plan.Plan{Switches: []*plan.Switch{&planned}}, Targets: []emit.Target{c.target}}}
			var got []string
			for _, d := range judge(t, o, texts...).Findings {
				if slices.Contains(c.target.Of(emit.Trimming).Codes, d.Code) && d.Subject == at {
					got = append(got, d.Message)
				}
			}
			if trim == nil || c.message == "" {
				if len(got) > 0 {
					t.Errorf("%s, %s, %v: %q", c.example, c.target.Name, trim, got)
				}
			} else if len(got) != 1 || !strings.HasPrefix(got[0], c.message) {
				t.Errorf("%s, %s: %q, want %q once", c.example, c.target.Name, got, c.message)
			}
		}
	}
}

// A file that has packets cut by a chip that does not cut them, or not to this size, is told at its
// line: sonic-mgmt has 206 B for Tomahawk 5, and Cumulus Linux cuts from Spectrum-4 on.
func TestTrimmingThatAChipHasNot(t *testing.T) {
	for _, c := range []struct {
		example, name string
		target        emit.Target
		cuts          units.Bytes
		from, to      string
		chip, message string
	}{
		{"tomahawk5-ai-pod", "leaf-01", sonic.Target(), 206, "", "", "tomahawk5", ""},
		{"tomahawk5-ai-pod", "leaf-01", sonic.Target(), 206, `"size": "206"`, `"size": "256"`, "tomahawk5", "packets without room are dropped, not cut to 256B: tomahawk5 trims packets to 206 B only"},
		{"tomahawk5-ai-pod", "leaf-01", sonic.Target(), 206, "", "", "trident3", "it is not published whether trident3 trims packets under SONiC"},
		{"cumulus-storage", "leaf-1", nvue.Target(), 256, "", "", "spectrum4", ""},
		{"cumulus-storage", "leaf-1", nvue.Target(), 256, "", "", "spectrum3", "packets without room are dropped, not cut to 256B: Cumulus Linux trims packets from Spectrum-4 on"},
	} {
		p, catalogue := planOf(t, c.example)
		planned := *p.Switches[slices.IndexFunc(p.Switches, func(s *plan.Switch) bool { return slices.Contains(s.Names, c.name) })]
		planned.Trim = &plan.Trim{Size: plan.Of(c.cuts, nil), DSCP: 48, TC: 6, Queue: 6}
		files := must.Sound(c.target.Forms[0].Emit(&planned))(t)
		chip, _ := catalogue.Find(c.chip)
		text := string(files[0].Body.AppendFor(nil, c.name))
		if !strings.Contains(text, c.from) {
			t.Fatalf("%s has no %s", files[0].Path, c.from)
		}
		var got []string
		for _, d := range judge(t, Options{Catalogue: catalogue, Chip: chip}, Text(c.name+"/"+files[0].Path, []byte(strings.Replace(text, c.from, c.to, 1)))).Findings {
			if slices.Contains(c.target.Of(emit.Trimming).Codes, d.Code) {
				if got = append(got, d.Message); d.Subject.Start.Line == 0 {
					t.Errorf("%v has no place", d)
				}
			}
		}
		if c.message == "" && got != nil || c.message != "" && (len(got) != 1 || !strings.HasPrefix(got[0], c.message)) {
			t.Errorf("%s on %s: %q, want %q", c.example, c.chip, got, c.message)
		}
	}
}
