package plan_test

import (
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
)

// Two tunnels say the same if they change packets alike, wherever they are written, and else what
// differs first is told.
func TestTunnelsDiffer(t *testing.T) {
	for want, edit := range map[string]func(*plan.Tunnel){
		"": func(t *plan.Tunnel) { t.Range = diag.Range{Filename: "other.json"} },
		"the traffic class of what comes out with DSCP 5 is 1, not 0":         func(t *plan.Tunnel) { t.DSCPToTC[5] = 1 },
		"the priority group of what comes out in traffic class 3 is 2, not 0": func(t *plan.Tunnel) { t.TCToPG[3] = 2 },
		"the queue of what goes in from traffic class 7 is 6, not 0":          func(t *plan.Tunnel) { t.TCToQueue[7] = 6 },
		"traffic class 4 has a code point outside in one of them alone":       func(t *plan.Tunnel) { t.Outer.TCs |= 1 << 4 },
		"the DSCP outside of traffic class 4 is 6, not 0":                     func(t *plan.Tunnel) { t.Outer.DSCP[4] = 6 },
		"the code points that are kept are [33], not []":                      func(t *plan.Tunnel) { t.Kept = []uint8{33} },
		"it is called other, not MuxTunnel0":                                  func(t *plan.Tunnel) { t.Name = "other" },
	} {
		one, other := &plan.Tunnel{Name: "MuxTunnel0"}, &plan.Tunnel{Name: "MuxTunnel0"}
		edit(one)
		must.Equal(t, one.Differs(other), want)
		if one.Says(other) != (want == "") {
			t.Errorf("they say the same: %v, and differ in %q", one.Says(other), want)
		}
	}
	var none *plan.Tunnel
	if !none.Says(nil) || none.Says(&plan.Tunnel{}) || (&plan.Tunnel{}).Says(nil) {
		t.Error("no tunnel says what no tunnel says alone")
	}
}

// A class leaves with the code point of its first marking rule, else with its smallest one; what
// no rule matches has the default in its class, whatever rules say.
func TestRewritingOfRules(t *testing.T) {
	maps := &plan.Maps{}
	for _, dscp := range []int{26, 27, 63} {
		maps.DSCPToTC[dscp] = 3
	}
	maps.DSCPToTC[0], maps.DSCPToTC[1], maps.DSCPToTC[48], maps.DSCPToTC[46] = 1, 2, 6, 5
	m := &plan.Marking{Rules: []plan.MarkRule{{DSCP: 34, TC: 4}, {DSCP: 35, TC: 4}, {DSCP: 48, TC: 6}, {DSCP: 9, TC: 1}}, Default: 8, DefaultTC: 1}
	got := m.Rewriting(maps)
	want := plan.Rewrite{TCs: 1<<0 | 1<<1 | 1<<2 | 1<<3 | 1<<4 | 1<<5 | 1<<6, DSCP: [8]uint8{0: 2, 1: 8, 2: 1, 3: 26, 4: 34, 5: 46, 6: 48}}
	must.Equal(t, got, want)
	must.Equal(t, (&plan.Marking{Default: 7, DefaultTC: 7}).Rewriting(&plan.Maps{}), plan.Rewrite{TCs: 1<<0 | 1<<7, DSCP: [8]uint8{7: 7}})
}
