package emit_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
)

func TestCapabilitiesOfATarget(t *testing.T) {
	for support, want := range map[emit.Support]string{emit.No: `"no"`, emit.Part: `"part"`, emit.Yes: `"yes"`} {
		if text, err := json.Marshal(support); err != nil || string(text) != want {
			t.Errorf("%s, %v; want %s", text, err, want)
		}
	}
	target := emit.Target{Name: "t", Can: []emit.Capability{emit.Cell(emit.Yes, emit.PFC, "note", "evidence"), emit.Cell(emit.No, emit.ECN, "", "source", "code")}}
	if c := target.Of(emit.ECN); c.Support != emit.No || len(c.Codes) != 1 || c.Evidence != "source" || target.Of(emit.PFC).Note != "note" {
		t.Errorf("%+v", c)
	}
	defer func() {
		if r := recover(); r != "target t says nothing of mtu" {
			t.Error(r)
		}
	}()
	target.Of(emit.MTU)
}

// A body has the device's name wherever it was left open.
func TestBody(t *testing.T) {
	for text, want := range map[string]string{"": "", "a": "a", emit.Mark: "leaf", "a" + emit.Mark + "b" + emit.Mark: "aleafbleaf", emit.Mark + emit.Mark: "leafleaf"} {
		must.Equalf(t, string(emit.NewBody([]byte(text)).AppendFor([]byte("> "), "leaf")), "> "+want, "%q becomes", text)
	}
}

// A kind gets no name that another one has: the second of a group is called after it and numbered,
// and so is one whose group is called as that.
func TestKindsOfOneName(t *testing.T) {
	sw := &plan.Switch{}
	for _, group := range []string{"x", "x", "x-2", "x-2", "x"} {
		sw.Ports = append(sw.Ports, plan.Port{Group: group, QoS: &plan.PortQoS{}})
	}
	var names []string
	for _, k := range emit.Kinds(sw, func(a, b *plan.Port) bool { return a == b }, func(string) bool { return true }) {
		names = append(names, k.Name)
	}
	if want := []string{"x", "x-2", "x-2-2", "x-2-3", "x-3"}; !slices.Equal(names, want) {
		t.Errorf("kinds %q, want %q", names, want)
	}
}

// Ports that are told the same are one kind, named after their group; of a name that is not taken they are "ports".
func TestKinds(t *testing.T) {
	a, b := &plan.PortQoS{}, &plan.PortQoS{}
	sw := &plan.Switch{Ports: []plan.Port{
		{Name: "1", Group: "up", QoS: a}, {Name: "2", Group: "up"}, {Name: "3", Group: "up", QoS: b}, {Name: "4", Group: "down", QoS: a}, {Name: "5", Group: "bad name", QoS: &plan.PortQoS{}}, {Name: "6", Group: "up", QoS: &plan.PortQoS{}},
	}}
	var got []string
	for _, k := range emit.Kinds(sw, func(a, b *plan.Port) bool { return a.QoS == b.QoS }, func(name string) bool { return !strings.Contains(name, " ") }) {
		own := k.Name
		for _, p := range k.Ports {
			own += " " + p.Name
		}
		if k.First() != k.Ports[0] || k.QoS() != k.Ports[0].QoS {
			t.Errorf("%s: another port speaks for all", own)
		}
		got = append(got, own)
	}
	if want := "[up 1 4 up-2 3 ports 5 up-3 6]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// What a target cannot do of tunnels and of trimming is told at the plan's lines, of ports once.
func TestLost(t *testing.T) {
	sw := &plan.Switch{Ports: []plan.Port{{Name: "1"}, {Name: "2"}, {Name: "3"}}}
	for i := range sw.Ports {
		sw.Ports[i].QoS = &plan.PortQoS{}
		sw.Ports[i].Range = diag.Range{Filename: "f" + sw.Ports[i].Name}
	}
	told := func() (lines []string) {
		var list diag.List
		emit.RemappingLost(&list, "code", sw, "why")
		emit.TrimmingLost(&list, "trim", sw, "why not")
		for _, d := range list {
			lines = append(lines, fmt.Sprintf("%s %s %s", d.Code, d.Subject.Filename, d.Message))
		}
		return lines
	}
	if got := told(); got != nil {
		t.Errorf("%q", got)
	}
	own := sw.Maps.DSCPToTC
	own[5] = 3
	sw.Ports[1].QoS.DSCPToTC, sw.Ports[2].QoS.DSCPToTC = &own, &own
	sw.Tunnel = &plan.Tunnel{Name: "MuxTunnel0", Range: diag.Range{Filename: "tunnel"}}
	sw.Trim = &plan.Trim{Range: diag.Range{Filename: "cut"}}
	got := told()
	sw.Ports[2].QoS = &plan.PortQoS{TCToQueue: &plan.QueueMap{To: [8]uint8{3: 5}}}
	if more := told(); len(more) != 4 || !strings.HasPrefix(more[2], "code f3 traffic class 3 leaves 3 from queue 0, not 5, since all ports have one map of queues: why") {
		t.Errorf("%q", more)
	}
	if len(got) != 3 || !strings.HasPrefix(got[0], "code tunnel packets that MuxTunnel0 sends back") || !strings.HasPrefix(got[1], "code f2 code points of what is sent back lead to its queues on 2 too") || !strings.HasPrefix(got[2], "trim cut packets without room are dropped, not cut to") || !strings.HasSuffix(got[1], ": why") || !strings.HasSuffix(got[2], ": why not") {
		t.Errorf("%q", got)
	}
}

// Each intent is listed once, with a title.
func TestIntents(t *testing.T) {
	seen := map[emit.Intent]bool{}
	for _, i := range emit.Intents() {
		if i.Title == "" || seen[i.Intent] {
			t.Errorf("%q is called %q", i.Intent, i.Title)
		}
		seen[i.Intent] = true
	}
	for _, intent := range []emit.Intent{emit.DSCPMap, emit.Remapping, emit.EdgeMarking} {
		if !seen[intent] {
			t.Errorf("%q is not listed", intent)
		}
	}
}
