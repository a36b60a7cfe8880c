package diff

import (
	"regexp"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
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
	must.Equal(t, g.views()["Ethernet0"], want)
	if remarks(was, same) || !remarks(same, is) {
		t.Error("switches that other code points come to must be ready before")
	}
}

// A code point leaves by the queue that it has where it comes in, also where all ports classify by
// themselves and the map of the switch has it elsewhere: here in queue 3 and not in queue 1. A
// port on which it is lossy does not count; one that has it in another queue does.
func TestStopsByTheMapsOfPorts(t *testing.T) {
	classes := func(tc uint8) *[64]uint8 { return &[64]uint8{26: tc} }
	with := func(maps ...*[64]uint8) *plan.Switch {
		sw := &plan.Switch{}
		for i := range 8 {
			sw.Maps.TCToQueue[i], sw.Maps.TCToPG[i], sw.Maps.PFCToPG[i], sw.Maps.PFCToQueue[i] = uint8(i), uint8(i), uint8(i), uint8(i)
		}
		sw.Maps.DSCPToTC[26] = 1
		for _, own := range maps {
			sw.Ports = append(sw.Ports, plan.Port{QoS: &plan.PortQoS{DSCPToTC: own, PFC: 1 << 3, PGs: []plan.PG{{ID: 3, Lossless: true}, {ID: 4, Lossless: true}}}})
		}
		return sw
	}
	for _, c := range []struct {
		sender *plan.Switch
		want   bool
	}{
		{with(classes(3)), true}, {with(classes(3), classes(5)), true}, {with(classes(3), classes(4)), false}, {with(nil, nil), false}, {with(classes(5)), false},
	} {
		receiver := with(classes(3))
		must.Equalf(t, stops(end{c.sender, &c.sender.Ports[0]}, end{receiver, &receiver.Ports[0]}, 26), c.want, "%v:", c.sender.Ports)
	}
}

// notRun are parts of a switch that Running takes from the fabric.
var notRun = regexp.MustCompile(`^Switches.0.\.(Names|Chip|Cell|OS|Targets|Role|Release|Classes.*\.(Name|CongestionControl|Transport|Range|TrafficClass)|Ports.*\.(Name|Medium|Peer|Alias)|Pools.*\.Percent|Ports.*\.P(Gs|ools).*\.(ID|Pool)|Ports.*Queues.*\.ID|Pools.*\.Name)\b`)

// Where a device runs anything else than the fabric has, Running has that, and changes nothing else.
func TestRunning(t *testing.T) {
	tried := 0
	for _, e := range plantest.Edits(populated()) {
		name := e.Path + " " + e.How
		have := e.Edited(populated())
		if !strings.HasPrefix(name, "Switches[0]") || notRun.MatchString(name) || !Compare(populated(), have).Any() {
			continue
		}
		tried++
		of, want := populated().Switches[0], populated().Switches[0]
		for _, sw := range []*plan.Switch{of, want, have.Switches[0]} {
			for i := range sw.Pools { // no fabric has shares
				sw.Pools[i].Percent, sw.Pools[i].HeadroomPercent = 0, 0
			}
		}
		got := Running(of, want, have.Switches[0])
		if r := Compare(&plan.Plan{Switches: []*plan.Switch{got}}, &plan.Plan{Switches: have.Switches[:1]}); r.Any() {
			t.Errorf("%s: what runs is not taken:\n%s", name, r.Text())
		}
		if r := Compare(&plan.Plan{Switches: []*plan.Switch{of}}, &plan.Plan{Switches: []*plan.Switch{want}}); r.Any() {
			t.Errorf("%s: the switch of the fabric was changed:\n%s", name, r.Text())
		}
	}
	if tried < 100 {
		t.Errorf("%d edits tried", tried)
	}
}
