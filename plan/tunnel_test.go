package plan_test

import (
	"testing"

	"github.com/roceplan/roceplan/diag"
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
		if got := one.Differs(other); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if one.Says(other) != (want == "") {
			t.Errorf("they say the same: %v, and differ in %q", one.Says(other), want)
		}
	}
	var none *plan.Tunnel
	if !none.Says(nil) || none.Says(&plan.Tunnel{}) || (&plan.Tunnel{}).Says(nil) {
		t.Error("no tunnel says what no tunnel says alone")
	}
}
