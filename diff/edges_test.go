package diff

import (
	"reflect"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A range keeps the width of its numbers: zeros in front are all of them, or none; a zero alone is one digit.
func TestFoldKeepsZeros(t *testing.T) {
	for _, c := range []struct {
		want  string
		names []string
	}{
		{"p[0..1]", []string{"p0", "p1"}}, {"p[00..01]", []string{"p00", "p01"}}, {"p[09..10]", []string{"p09", "p10"}}, {"p[9..10]", []string{"p9", "p10"}}, {"p[0..2]", []string{"p0", "p1", "p2"}},
		{"p0 p01", []string{"p0", "p01"}}, {"p00 p1", []string{"p00", "p1"}}, {"p1 p02", []string{"p1", "p02"}}, {"p01 p2", []string{"p01", "p2"}}, {"p00 p001", []string{"p00", "p001"}},
		{"p[0..8/4]", []string{"p0", "p4", "p8"}}, {"p[0,4]", []string{"p0", "p4"}}, {"p[1..2,4]", []string{"p1", "p2", "p4"}}, {"p[1..3,7]", []string{"p1", "p2", "p3", "p7"}}, {"p", []string{"p"}}, {"", nil},
		{"e[1..2]/1", []string{"e1/1", "e2/1"}}, {"e1/[1..2]", []string{"e1/1", "e1/2"}}, {"a1 b1", []string{"a1", "b1"}}, {"p1 p1x", []string{"p1", "p1x"}},
	} {
		must.Equalf(t, Fold(c.names), c.want, "%q:", c.names)
	}
}

// A class that is lossy before and after goes to its new group at once; one that is lossless stays in its old
// group, with its code points, until nobody uses that.
func TestMapsOnTheWay(t *testing.T) {
	sw := func(lossy, group uint8) *plan.Switch {
		s := &plan.Switch{Ports: []plan.Port{{Name: "p", QoS: &plan.PortQoS{PFC: 1 << 3, PGs: []plan.PG{{ID: group, Lossless: true}}}}}}
		for i := range uint8(8) {
			s.Maps.PFCToPG[i], s.Maps.PFCToQueue[i], s.Maps.TCToQueue[i] = i, i, i
		}
		s.Maps.TCToPG[1], s.Maps.TCToPG[3], s.Maps.PFCToPG[3] = lossy, group, group
		s.Maps.DSCPToTC[10], s.Maps.DSCPToTC[26] = 1, 3
		return s
	}
	for _, c := range []struct{ was, is, want uint8 }{{1, 2, 2}, {2, 1, 1}, {0, 0, 0}, {0, 7, 7}} {
		grown := Grown(sw(c.was, 4), sw(c.is, 4))
		if got := grown.Maps.TCToPG; got[1] != c.want || got[3] != 4 {
			t.Errorf("from %d to %d: in %d; the lossless one in %d", c.was, c.is, got[1], got[3])
		}
	}
	if got := Grown(sw(1, 4), sw(1, 5)).Maps; got.TCToPG[3] != 4 || got.PFCToPG[3] != 4 || got.DSCPToTC[26] != 3 {
		t.Errorf("a lossless class moves at once: %+v", got)
	}
}

// A port that has no group of a class that moves takes no headroom for it.
func TestMovedWithoutGroups(t *testing.T) {
	b := blend{old: &plan.Switch{}, new: &plan.Switch{}}
	b.oldLossless[3], b.newLossless[3] = true, true
	b.old.Maps.TCToPG[3], b.new.Maps.TCToPG[3] = 3, 4
	of := func(id uint8, lossless bool, headroom units.Bytes) []plan.PG {
		return []plan.PG{{ID: id, Lossless: lossless, Headroom: plan.Of(headroom, nil)}}
	}
	for _, c := range []struct {
		pgs, is []plan.PG
		want    units.Bytes
	}{
		{nil, nil, 0}, {of(3, true, 7), nil, 7}, {nil, of(4, true, 9), 0}, {of(3, true, 7), of(4, true, 9), 9}, {of(3, true, 9), of(4, true, 7), 9}, {of(3, false, 7), of(4, true, 9), 7}, {of(3, true, 7), of(4, false, 9), 7},
		{of(2, true, 7), of(4, true, 9), 7}, {of(3, true, 7), of(5, true, 9), 7},
	} {
		b.moved(c.pgs, c.is)
		if len(c.pgs) > 0 && c.pgs[0].Headroom.Value != c.want {
			t.Errorf("%+v beside %+v: %v, want %v", c.pgs, c.is, c.pgs[0].Headroom.Value, c.want)
		}
	}
}

// Warnings about an order follow it, in text and in Markdown, each a sentence; the form of the JSON is known.
func TestNotesAreWritten(t *testing.T) {
	r := &Result{Switches: 2, Changed: 1, Changes: []Change{{Quantity: "mtu", Old: "1", New: "2"}}, Rollout: Rollout{
		Steps: []Step{{Action: Whole, Devices: []string{"a"}, Why: []Rule{NoOrder}}}, Quiet: []Quiet{{DSCPs: []uint8{26}, A: "a", B: "b"}},
	}}
	notes := r.Rollout.Notes()
	if len(notes) != 1 {
		t.Fatalf("%q", notes)
	}
	if text := r.Text(); !strings.HasSuffix(text, "\n"+notes[0]+".\n") {
		t.Errorf("%q does not end with %q", text, notes[0])
	}
	if text := r.Markdown(); !strings.Contains(text, "\n> [!WARNING]\n> "+escape(notes[0])+".\n") {
		t.Errorf("no %q in %q", notes[0], text)
	}
	r.Rollout.Quiet = nil
	if text := r.Markdown(); strings.Contains(text, "WARNING") {
		t.Errorf("a warning of nothing in %q", text)
	}
	if JSONType() != reflect.TypeFor[jsonResult]() {
		t.Errorf("%v", JSONType())
	}
}

// Formulas that differ are compared by the leaves of one name, each once, also where several steps use it.
func TestLeavesInCommon(t *testing.T) {
	leaf := func(name string, v units.Bytes) *plan.Why {
		return &plan.Why{Kind: plan.Given, Name: name, Value: v}
	}
	node := func(id string, of ...*plan.Why) *plan.Why {
		w := &plan.Why{Kind: plan.Formula, ID: id, Name: "sum"}
		for _, why := range of {
			w.Terms = append(w.Terms, plan.Term{Symbol: "x", Why: why})
		}
		return w
	}
	shared := leaf("cell", 254)
	a := node("one", leaf("cell", 208), leaf("mtu", 9216), leaf("old", 1), nil)
	b := node("two", node("step", shared, leaf("mtu", 9216)), shared, leaf("new", 2))
	var got []string
	for _, c := range (&reasons{}).unlike(a, b) {
		got = append(got, c.Name+" "+c.Old+" "+c.New)
	}
	if want := "formula of sum one two; cell 208B 254B"; strings.Join(got, "; ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, c := range []struct {
		w    *plan.Why
		want int
	}{{node("sum"), 0}, {node("sum", shared), 0}, {node("sum", shared, shared), 1}, {node("sum", node("sum", shared, shared), shared), 2}, {node("sum", node("other", shared, shared), shared), 1}} {
		if got := links(c.w); len(got) != c.want {
			t.Errorf("%d steps, want %d", len(got), c.want)
		}
	}
}

// What a port classifies otherwise than its switch is listed; a port that is not there has no PFC.
func TestClassifierOfAPort(t *testing.T) {
	sw := &plan.Switch{}
	sw.Maps.DSCPToTC[26] = 3
	own := sw.Maps.DSCPToTC
	own[0], own[26], own[63] = 1, 3, 7
	for want, qos := range map[string]*plan.PortQoS{
		"that of the switch": {}, "DSCP 0 → traffic class 1, DSCP 63 → traffic class 7": {DSCPToTC: &own},
	} {
		must.Equal(t, classifier(qos, sw), want)
	}
	for want, port := range map[uint8]*plan.Port{0: nil, 1: {QoS: &plan.PortQoS{PFC: 1}}} {
		must.Equal(t, (end{sw, port}).pfc(), want)
	}
	if got := (end{sw, &plan.Port{}}).pfc(); got != 0 || pgsOf(nil) != nil || pgsOf(&plan.Port{}) != nil {
		t.Errorf("a port that is told nothing: %d", got)
	}
}

// A device whose rules for ports that trust nobody change with its classes waits for others that have these classes
// too, and not for itself: alone it changes in one step, and two that are alike in several.
func TestRulesWaitForOthers(t *testing.T) {
	sw := func(tc uint8, names ...string) *plan.Plan {
		qos := &plan.PortQoS{Trust: plan.TrustNone}
		s := &plan.Switch{Names: names, Ports: []plan.Port{{Name: "p", QoS: qos}}, Marking: &plan.Marking{Rules: []plan.MarkRule{{UDPPort: 4791, DSCP: 26, TC: tc}}}}
		for i := range uint8(8) {
			s.Maps.PFCToPG[i], s.Maps.TCToPG[i], s.Maps.TCToQueue[i], s.Maps.PFCToQueue[i] = i, i, i, i
		}
		qos.PFC, qos.PGs = 1<<tc, []plan.PG{{ID: tc, Lossless: true, Headroom: of(units.Bytes(1000))}}
		s.Maps.DSCPToTC[26] = tc
		s.Classes = []plan.Class{{Name: "rdma", TrafficClass: tc, Queue: tc, PG: tc, PFC: tc, Lossless: true, DSCPs: []uint8{26}}}
		return &plan.Plan{Switches: []*plan.Switch{s}}
	}
	actions := func(names ...string) (list []Action) {
		for _, step := range Compare(sw(3, names...), sw(4, names...)).Rollout.Steps {
			list = append(list, step.Action)
		}
		return list
	}
	if got := actions("a"); !reflect.DeepEqual(got, []Action{Whole}) {
		t.Errorf("one device: %v", got)
	}
	if got := actions("a", "b"); len(got) < 2 {
		t.Errorf("two devices: %v", got)
	}
}

// Two formulas are one story if they are of one kind and one document; a sum and another formula are told by name,
// however either goes on.
func TestStoriesOfFormulas(t *testing.T) {
	leaf := func(name string, v units.Bytes) *plan.Why { return &plan.Why{Kind: plan.Given, Name: name, Value: v} }
	node := func(kind plan.Kind, id string, v units.Bytes, of ...*plan.Why) *plan.Why {
		w := &plan.Why{Kind: kind, ID: id, Name: "x", Value: v}
		for _, why := range of {
			w.Terms = append(w.Terms, plan.Term{Symbol: why.Name, Why: why})
		}
		return w
	}
	sum := func(kind plan.Kind, id string, more units.Bytes) *plan.Why {
		return node(kind, id, 2*more, node(kind, id, more, leaf("first", 1), leaf("a", 1)), leaf("b", more))
	}
	for name, c := range map[string]struct {
		a, b  *plan.Why
		other bool
	}{
		"one sum":               {sum(plan.Formula, "sum", 1), sum(plan.Formula, "sum", 2), false},
		"of another document":   {sum(plan.Formula, "sum", 1), sum(plan.Formula, "total", 2), true},
		"no sum, one formula":   {node(plan.Formula, "f", 1, leaf("b", 1)), node(plan.Formula, "f", 2, leaf("b", 2)), false},
		"no sum, two documents": {node(plan.Formula, "f", 1, leaf("b", 1)), node(plan.Formula, "g", 2, leaf("b", 2)), true},
		"no sum, two kinds":     {node(plan.Formula, "f", 1, leaf("b", 1)), node(plan.Rounding, "g", 2, leaf("b", 2)), true},
	} {
		got := (&reasons{known: map[[2]*plan.Why][]Cause{}}).walk(c.a, c.b)
		if other := len(got) > 0 && strings.HasPrefix(got[0].Name, "formula of "); other != c.other || len(got) == 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A receiver stops what it has in a lossless group, with a priority that both ends have on.
func TestWhoStops(t *testing.T) {
	of := func(pfc uint8, lossless bool) end {
		sw := &plan.Switch{}
		sw.Maps.DSCPToTC[26], sw.Maps.TCToPG[3], sw.Maps.TCToQueue[3], sw.Maps.PFCToPG[3], sw.Maps.PFCToQueue[3] = 3, 3, 3, 3, 3
		return end{sw, &plan.Port{QoS: &plan.PortQoS{PFC: pfc, PGs: []plan.PG{{ID: 3, Lossless: lossless}}}}}
	}
	for _, c := range []struct {
		sender, receiver end
		want             bool
	}{
		{of(8, true), of(8, true), true}, {of(8, true), of(8, false), false}, {of(0, true), of(8, true), false}, {of(8, true), of(0, true), false}, {of(8, false), of(8, true), true}, {of(8, true), of(16, true), false},
	} {
		must.Equalf(t, stops(c.sender, c.receiver, 26), c.want, "%08b to %08b:", c.sender.pfc(), c.receiver.pfc())
	}
}

// An edge classifies otherwise where its rules, the trust of a port that stays or its tunnel differ.
func TestRemarks(t *testing.T) {
	of := func(trust plan.Trust, names ...string) *plan.Switch {
		sw := &plan.Switch{}
		for _, name := range names {
			sw.Ports = append(sw.Ports, plan.Port{Name: name, QoS: &plan.PortQoS{Trust: trust}})
		}
		return sw
	}
	ruled, tunnelled, bare := of(plan.TrustDSCP, "p"), of(plan.TrustDSCP, "p"), &plan.Switch{Ports: []plan.Port{{Name: "p"}}}
	ruled.Marking, tunnelled.Tunnel = &plan.Marking{DefaultTC: 1}, &plan.Tunnel{Name: "t"}
	tunnelled.Tunnel.DSCPToTC[9] = 3
	for name, c := range map[string]struct {
		a, b *plan.Switch
		want bool
	}{
		"nothing": {of(plan.TrustDSCP, "p"), of(plan.TrustDSCP, "p"), false}, "trust": {of(plan.TrustDSCP, "p"), of(plan.TrustNone, "p"), true}, "trust of a port that comes": {of(plan.TrustDSCP, "p"), of(plan.TrustNone, "q"), false},
		"rules": {of(plan.TrustDSCP, "p"), ruled, true}, "a tunnel": {of(plan.TrustDSCP, "p"), tunnelled, true}, "the same rules": {ruled, ruled, false},
		"QoS comes": {bare, of(plan.TrustNone, "p"), false}, "QoS goes": {of(plan.TrustNone, "p"), bare, false},
	} {
		must.Equalf(t, remarks(c.a, c.b), c.want, "%s:", name)
	}
}

// Of inputs that the other side does not have, the lines of the user are causes: not what follows from them, however
// little that is, and not what nobody gave.
func TestOneSidedInputs(t *testing.T) {
	given := func(terms int) plan.Term {
		w := &plan.Why{Kind: plan.Given, Name: "mtu", Value: units.Bytes(9216)}
		for range terms {
			w.Terms = append(w.Terms, plan.Term{Why: &plan.Why{}})
		}
		return plan.Term{Why: w}
	}
	for _, c := range []struct {
		term plan.Term
		want int
	}{{given(0), 1}, {given(1), 0}, {given(2), 0}, {plan.Term{}, 0}, {plan.Term{Why: &plan.Why{Kind: plan.Standard}}, 0}} {
		for gone, want := range map[bool]string{false: " 9216B", true: "9216B "} {
			got := oneSided([]plan.Term{c.term}, gone)
			if len(got) != c.want || c.want == 1 && got[0].Old+" "+got[0].New != want {
				t.Errorf("%+v, gone %v: %+v", c.term.Why, gone, got)
			}
		}
	}
}
