package diff

import (
	"testing"

	"github.com/roceplan/roceplan/plan"
)

// Packets that a switch sends back in another class, with nothing else changed, matter to what is
// at the other end of its cables, and on their way: there they need headroom before.
func TestTunnelMatters(t *testing.T) {
	with := func(dscp uint8) *plan.Switch {
		tunnel := &plan.Tunnel{Name: "MuxTunnel0", Outer: plan.Rewrite{TCs: 1 << 3, DSCP: [8]uint8{3: dscp}}}
		return &plan.Switch{Tunnel: tunnel, Ports: []plan.Port{{Name: "Ethernet0", QoS: &plan.PortQoS{PFC: 1 << 3}}}}
	}
	was, same, is := with(2), with(2), with(6)
	g := &group{states: [4]*plan.Switch{was, same, is, is}}
	want := bits{matters: [3]bool{1: true}, classes: [3]bool{1: true}}
	if got := g.views()["Ethernet0"]; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if remarks(was, same) || !remarks(same, is) {
		t.Error("switches that other code points come to must be ready before")
	}
}
