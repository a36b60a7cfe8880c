package verify

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/internal/testing/plantest"
)

// A network is two leaves and two spines with their files of one target.
type network struct {
	options Options
	files   map[string]string // by path: "spine-1/srlinux.json"
}

// A networkKind is what a fabric of one target is called by.
type networkKind struct {
	target, file          string
	chip, os, more, ports string // of switches and of port groups
	servers, up, down     string // ports of leaves and of spines
	watchdog              string
}

// networkKinds have a row for each target that can say which priorities pause.
func networkKinds() []networkKind {
	return []networkKind{
		{"sonic", "config_db.json", "tomahawk4", "sonic", "", "lanes = 8", `"Ethernet[0..56/8]"`, `"Ethernet[256,264]"`, `"Ethernet[0,8]"`, "drop"},
		{"eos", "eos.cfg", "tomahawk4", "eos", `platform = "7060DX5-64S"`, "routed = true", `"Ethernet[1..8]/1"`, `"Ethernet[33..34]/1"`, `"Ethernet[1..2]/1"`, "drop"},
		{"nvue", "nvue.yaml", "spectrum-4", "cumulus", "", "", `"swp[1..8]"`, `"swp[33..34]"`, `"swp[1..2]"`, "drop"},
		{"junos", "junos.conf", "tomahawk5", "junos", "", "", `"et-0/0/[0..7]"`, `"et-0/0/[32..33]"`, `"et-0/0/[0..1]"`, "drop"},
		{"srlinux", "srlinux.json", "tomahawk5", "srlinux", "", "", `"ethernet-1/[1..8]"`, `"ethernet-1/[33..34]"`, `"ethernet-1/[1..2]"`, "forward"},
	}
}

// networkOf compiles the fabric of a kind.
func networkOf(t *testing.T, k networkKind) *network {
	t.Helper()
	return compiledNetwork(t, k.target, k.text())
}

func compiledNetwork(t *testing.T, name, text string) *network {
	t.Helper()
	catalogue, _ := chips.Load()
	_, p := plantest.Text(t, catalogue, text)
	to, ok := target.Find(name)
	if !ok {
		t.Fatalf("no target %s", name)
	}
	n := &network{Options{Catalogue: catalogue, Fabric: &Fabric{Plan: p, Targets: []emit.Target{to}}}, map[string]string{}}
	for _, sw := range p.Switches {
		files, found := to.Forms[0].Emit(sw)
		if found.HasErrors() {
			t.Fatalf("%s: %v", name, found)
		}
		for _, device := range sw.Names {
			n.files[device+"/"+files[0].Path] = string(files[0].Body.AppendFor(nil, device))
		}
	}
	return n
}

func (k networkKind) text() string {
	group := func(name, ports, cable, medium, peer string) string {
		lanes := ""
		if k.ports == "lanes = 8" {
			lanes = fmt.Sprintf("first_lane = %d", map[string]int{"servers": 1, "spines": 257, "leaves": 1}[name])
		}
		return fmt.Sprintf("  port_group %q {\n    ports = %s\n    speed = \"400Gbps\"\n    cable = %q\n    medium = %s\n    peer = %s\n    %s\n    %s\n  }\n", name, ports, cable, medium, peer, k.ports, lanes)
	}
	sw := func(role, groups string) string {
		return fmt.Sprintf("switch \"%s-[1..2]\" {\n  chip = %q\n  os = %q\n  role = %q\n  %s\n%s}\n", role, k.chip, k.os, role, k.more, groups)
	}
	return fmt.Sprintf(networkHead, k.watchdog) +
		sw("leaf", group("servers", k.servers, "3m", "dac", "nic.cx7")+group("spines", k.up, "40m", "fiber", "switch.spine")) +
		sw("spine", group("leaves", k.down, "40m", "fiber", "switch.leaf")) +
		"clos \"pod\" {\n  lower = switch.leaf\n  upper = switch.spine\n  lower_ports = \"spines\"\n  upper_ports = \"leaves\"\n}\n"
}

const networkHead = `fabric "two-tier" {
  mtu             = "9216B"
  lossless_frame  = "4200B"
  expected_delay  = "10us"
  tolerable_delay = "40us"
}
traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "8Gbps"
}
traffic_class "rdma" {
  dscp               = [26]
  queue              = 3
  pfc                = 3
  weight             = 80
  congestion_control = dcqcn
}
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 20
}
pfc_watchdog {
  detection   = "200ms"
  restoration = "400ms"
  action      = %s
}
nic "cx7" {
  model    = "connectx-7"
  roce_mtu = "4096B"
  dcqcn { constants = derived }
}
`

// edited judges the network with the files of some devices edited: by the beginning of their names.
func (n *network) edited(t *testing.T, devices string, edit func(string) string) *Report {
	t.Helper()
	var files []File
	changed := false
	for _, path := range slices.Sorted(maps.Keys(n.files)) {
		text := n.files[path]
		if devices != "" && strings.HasPrefix(path, devices) {
			text = edit(text)
			changed = changed || text != n.files[path]
		}
		files = append(files, Text(path, []byte(text)))
	}
	if devices != "" && !changed {
		t.Fatalf("the edit of %s changes nothing", devices)
	}
	return judge(t, n.options, files...)
}

// of returns the verdict on a device.
func (r *Report) of(t *testing.T, device string) *Switch {
	t.Helper()
	for _, s := range r.Switches {
		if slices.Contains(s.Names, device) {
			return s
		}
	}
	t.Fatalf("nothing of %s", device)
	return nil
}

// A network as it was compiled passes, and the verdict on each switch names the files of its peers.
func TestPeersBearOut(t *testing.T) {
	for _, k := range networkKinds() {
		r := networkOf(t, k).edited(t, "", nil)
		if !r.Passes(false) {
			t.Errorf("%s: %v %v", k.target, r.Verdict(), r.Findings)
		}
		s := r.of(t, "leaf-1")
		want := []string{"spine-1/" + k.file, "spine-2/" + k.file}
		if s.Peers == nil || !slices.Equal(s.Peers.Files, want) || len(s.Peers.Ports) != 2 || !slices.Contains(s.Peers.Agree, "pauses of priority 3 are obeyed") {
			t.Errorf("%s: %+v", k.target, s.Peers)
		}
	}
}

// deaf are edits of a spine that does not obey the pauses of its leaves.
var deaf = map[string][]redEdit{
	"sonic": {
		{"PFC is off", everywhere(`"pfc_enable": "3"`, `"pfc_enable": "4"`)},
		{"PFC is not said", drop(`"pfc_enable": "3",`)},
		{"pauses stop another queue", put("MAP_PFC_PRIORITY_TO_QUEUE/AZURE/3", `"4"`)},
	},
	"eos": {
		{"PFC is off", everywhere("priority-flow-control on", "no priority-flow-control on")},
		{"no priority pauses", drop(`\n *priority-flow-control priority 3 no-drop`)},
		{"another priority pauses", everywhere("priority-flow-control priority 3 no-drop", "priority-flow-control priority 4 no-drop")},
	},
	"nvue": {
		{"pauses are not obeyed", everywhere("rx: enable", "rx: disable")},
	},
	"junos": {
		{"pauses stop another queue", everywhere("flow-control-queue 3", "flow-control-queue 5")},
	},
	"srlinux": {
		{"pauses are not obeyed", everywhere(`"enable-pfc": true`, `"enable-pfc": false`)},
		{"PFC is off", everywhere(`"pfc-enable": true`, `"pfc-enable": false`)},
	},
}

// A leaf is refuted if the file of its spine says that the spine does not obey its pauses, and the
// reason names that file. Leaves of the other spine alone are not.
func TestPeersThatDoNotObey(t *testing.T) {
	for _, k := range networkKinds() {
		n := networkOf(t, k)
		for _, e := range deaf[k.target] {
			r := n.edited(t, "spine-1/", e.edit)
			if r.Passes(false) {
				t.Errorf("%s: %s: it passes", k.target, e.what)
			}
			leaf := r.of(t, "leaf-1")
			if leaf.Verdict != Refuted || !slices.ContainsFunc(leaf.Because, func(b Reason) bool { return strings.Contains(b.At, "spine-1/"+k.file) }) {
				t.Errorf("%s: %s: the leaf is %v because of %v", k.target, e.what, leaf.Verdict, leaf.Because)
			}
			if leaf.Peers != nil && slices.Contains(leaf.Peers.Files, "spine-1/"+k.file) {
				t.Errorf("%s: %s: %+v", k.target, e.what, leaf.Peers)
			}
			if spine := r.of(t, "spine-2"); spine.Verdict > Conditional {
				t.Errorf("%s: %s: spine-2 is %v because of %v", k.target, e.what, spine.Verdict, spine.Because)
			}
		}
	}
}

// A fabric that falls into parts is a finding of its cables, and not the failure of one link: the two
// leaves are one pair, which a failure does not cut once more.
func TestPartsAreNoFailure(t *testing.T) {
	text, _, _ := strings.Cut(networkKinds()[4].text(), "clos ")
	for leaf := range 2 {
		for port := range 2 {
			text += fmt.Sprintf("link {\n  a = \"leaf-%d:ethernet-1/%d\"\n  b = \"spine-%d:ethernet-1/%d\"\n}\n", leaf+1, 33+port, leaf+1, 1+port)
		}
	}
	r := compiledNetwork(t, "srlinux", text).edited(t, "", nil)
	var told []string
	for _, d := range r.Findings {
		if d.Code == PathCut {
			told = append(told, d.Message)
		}
	}
	if want := "as the fabric is cabled, no path joins 1 pair of switches with hosts"; len(told) != 1 || told[0] != want {
		t.Errorf("%q, want %q", told, want)
	}
}
