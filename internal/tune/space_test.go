package tune

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// Two, five and ten thousandths of 400 Gb/s are 800 Mb/s, 2 and 4 Gb/s; of 700 Mb/s they are 1.4, 3.5 and 7 Mb/s, of
// which NICs take whole ones, and of 100 Mb/s 0.2 and 0.5, which are at least one.
func TestConstantsBySpeed(t *testing.T) {
	for speed, want := range map[units.BitRate][3]units.BitRate{
		400 * units.Gbps: {800 * units.Mbps, 2 * units.Gbps, 4 * units.Gbps}, 700 * units.Mbps: {units.Mbps, 3 * units.Mbps, 7 * units.Mbps}, 100 * units.Mbps: {units.Mbps, units.Mbps, units.Mbps},
	} {
		var got []string
		for _, c := range nicSteps(speed) {
			got = append(got, c.String())
		}
		ai := func(rate units.BitRate) string {
			return fmt.Sprintf("constants derived, rpg_ai_rate %v, rpg_hai_rate %v", rate, want[2])
		}
		if all := []string{
			"as they are", "constants derived", ai(want[0]), ai(want[1]), ai(want[0]) + ", rpg_gd 10, rpg_min_dec_fac 10%",
			"dce_tcp_rtt 4us", "dce_tcp_rtt 4us, rate_reduce_monitor_period 1us", "dce_tcp_rtt 16us, rate_reduce_monitor_period 1us",
		}; !slices.Equal(got, all) {
			t.Errorf("at %v: %q\nwant %q", speed, got, all)
		}
	}
}

// A quarter of the bounds with half of the packets marks early, the bounds with a tenth late; half of the
// threshold is one step of alpha less.
func TestTiers(t *testing.T) {
	s := &space{expected: 8 * units.Microsecond, tolerable: 40 * units.Microsecond, alpha: -2}
	if got := s.tiers(); len(got) != 1 || got[0] != nil {
		t.Errorf("without switches above: %v", got)
	}
	s.above = []*policy.Switch{{}}
	var got []string
	for _, m := range s.tiers() {
		got = append(got, m.String())
	}
	if want := []string{"", "2us to 10us, 50%", "8us to 40us, 10%", "alpha 1/8"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	leads := &policy.Switch{Groups: []*policy.PortGroup{{}, {PeerNIC: &policy.NIC{}}}}
	bare := func() *policy.Switch { return &policy.Switch{Groups: []*policy.PortGroup{{}}} }
	own := bare()
	own.Alpha.Set = true
	curved := bare()
	curved.Groups[0].Curves = make([]policy.PortCurve, 1)
	for name, c := range map[string]struct {
		switches []*policy.Switch
		want     int
	}{
		"none leads to servers": {[]*policy.Switch{bare(), bare()}, 0}, "all do": {[]*policy.Switch{leads}, 0}, "one does": {[]*policy.Switch{leads, bare(), bare()}, 2},
		"an alpha of its own": {[]*policy.Switch{leads, own}, 0}, "a curve of its own": {[]*policy.Switch{leads, curved}, 0},
	} {
		if got := above(&policy.Fabric{Switches: c.switches}); len(got) != c.want {
			t.Errorf("%s: %d are above", name, len(got))
		}
	}
}

// Of 8 us and 40 us in sixteenths, Kmin is 0.5, 1, 2, 4, 6 or 8 us and Kmax 5, 10, 20, 30 or 40: all 30 but 6 and 8
// below 5, with seven shares of marking each, and the compiler's own. With eight constants, and three alphas
// beside the class's own, which the compiler's curve has as it is in the points of one change, that makes
// 8 × (196 × 4 + 3) points, and seven of one change.
func TestGrid(t *testing.T) {
	s := &space{expected: 8 * units.Microsecond, tolerable: 40 * units.Microsecond, alpha: 0, speed: 400 * units.Gbps, nics: []*policy.NIC{{}}}
	if n := len(s.curves()); n != 1+28*7 {
		t.Errorf("%d curves", n)
	}
	if n := len(s.grid()); n != 8*(196*4+3)+7 {
		t.Errorf("%d points", n)
	}
	seen := map[string]bool{}
	for _, p := range s.grid() {
		if key := fmt.Sprintf("%+v", p); seen[key] {
			t.Fatalf("twice: %s", key)
		} else {
			seen[key] = true
		}
		if p.OwnAlpha && (p.Alpha < -alphaSteps || p.Alpha > -1) {
			t.Errorf("alpha %v", p.Alpha)
		}
	}
	// A way to balance load comes also with each of the four constants that are derived, and a control
	// with the class's alpha and three below.
	s.balancing, s.controls = []string{"flowlet"}, []string{"swift"}
	var ways, controls []string
	for _, p := range s.single(nicSteps(s.speed)) {
		switch {
		case p.Balancing != "":
			ways = append(ways, p.NIC.String())
		case p.Control != "":
			controls = append(controls, fmt.Sprint(p.OwnAlpha, p.Alpha))
		}
	}
	if len(ways) != 5 || ways[0] != "as they are" || strings.Join(controls, ", ") != "false 1, true 1/2, true 1/4, true 1/8" {
		t.Errorf("ways with %q, controls with %q", ways, controls)
	}
	s.nics = nil
	if n := len(s.grid()); n != 2*(196*4+3)+1+4 {
		t.Errorf("%d points without NICs", n)
	}
}

// Each constant is written by itself; what a point leaves out stays as the NIC has it.
func TestConstantsAreWritten(t *testing.T) {
	at := diag.Range{Filename: "f"}
	all := Constants{Derived: true, AlphaInterval: 1, DecreaseInterval: 2, AIRate: 3, HAIRate: 4, GD: 5, MinDecFac: 6}
	var r, none policy.Reaction
	all.apply(&r, at)
	Constants{}.apply(&none, at)
	if !r.Derived.Value || r.AlphaInterval.Value != 1 || r.DecreaseInterval.Value != 2 || r.AIRate.Value != 3 || r.HAIRate.Value != 4 || r.GD.Value != 5 || r.MinDecFac.Value != 6 {
		t.Errorf("%+v", r)
	}
	if !(r.Derived.Set && r.AlphaInterval.Set && r.DecreaseInterval.Set && r.AIRate.Set && r.HAIRate.Set && r.GD.Set && r.MinDecFac.Set) {
		t.Errorf("%+v", r)
	}
	if none.Derived.Set || none.AlphaInterval.Set || none.DecreaseInterval.Set || none.AIRate.Set || none.HAIRate.Set || none.GD.Set || none.MinDecFac.Set {
		t.Errorf("%+v", none)
	}
}

// The curve that is read is that of the first port to a NIC, or else of the first with the queue; ports
// without QoS or without PFC have none.
func TestServerPort(t *testing.T) {
	class := &policy.Class{}
	class.Queue.Value, class.PriorityGroup.Value = 3, 3
	port := func(name, peer string, pfc uint8, queue uint8, alpha units.Alpha) plan.Port {
		pg := plan.PG{ID: 3, Lossless: true, Limit: plan.Of(plan.Limit{Dynamic: true, Alpha: alpha}, nil)}
		return plan.Port{Name: name, Peer: peer, QoS: &plan.PortQoS{PFC: pfc, Queues: []plan.Queue{{ID: queue}}, PGs: []plan.PG{{ID: 3}, {ID: 4, Lossless: true, Limit: plan.Of(plan.Limit{Dynamic: true, Alpha: -9}, nil)}, pg}}}
	}
	up, down, lossy, other := port("up", "spine", 8, 3, -1), port("down", "cx", 8, 3, -3), port("lossy", "cx", 0, 3, 0), port("other", "cx", 8, 4, 0)
	for want, ports := range map[string][]plan.Port{"down": {{Name: "bare"}, lossy, other, up, down}, "up": {other, up, lossy}, "": {other, lossy, {Name: "bare"}}} {
		p := &plan.Plan{Switches: []*plan.Switch{{Ports: ports}}, Hosts: []*plan.Host{{Name: "cx"}}}
		got, queue := serverPort(p, class)
		if (got != nil) != (want != "") || got != nil && (got.Name != want || queue.ID != 3) {
			t.Errorf("%v, want %s", got, want)
		}
		least := map[string]units.Alpha{"down": -3, "up": -1, "": 0}[want]
		if got := smallestAlpha(p, class); got != least {
			t.Errorf("%s: alpha %v, want %v", want, got, least)
		}
	}
}
