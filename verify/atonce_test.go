package verify

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// fanIn is a QFX5240 with ports of 800 Gb/s, of which the first few pause for a class that all
// carry; of the egress memory, per cent are for lossless queues.
func fanIn(ports, pausing, percent int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `class-of-service {
    classifiers { dscp d { forwarding-class roce { loss-priority low code-points 011010; } } }
    forwarding-classes { class roce queue-num 4 no-loss pfc-priority 3; }
    congestion-notification-profile { cnp { input { cable-length 100; dscp { code-point 011010 { pfc; mru 9216; } } } output { ieee-802.1 { code-point 011 { flow-control-queue 4; } } } } }
    shared-buffer {
        ingress { buffer-partition lossless { percent 66; dynamic-threshold 10; } buffer-partition lossless-headroom { percent 24; } buffer-partition lossy { percent 10; } }
        egress { buffer-partition lossless { percent %d; } buffer-partition lossy { percent 10; } }
    }
    drop-profiles { dp1 { interpolate { fill-level [ 55 90 ]; drop-probability [ 0 100 ]; } } }
    scheduler-maps { sm { forwarding-class roce scheduler s; } }
    schedulers { s { drop-profile-map loss-priority any protocol any drop-profile dp1; explicit-congestion-notification; } }
    interfaces {
`, percent)
	for i := range ports {
		profile := ""
		if i < pausing {
			profile = "congestion-notification-profile cnp; "
		}
		fmt.Fprintf(&b, "        et-0/0/%d { %sscheduler-map sm; unit * { classifiers { dscp d; } } }\n", i, profile)
	}
	b.WriteString("    }\n}\ninterfaces {\n")
	for i := range ports {
		fmt.Fprintf(&b, "    et-0/0/%d { speed 800g; mtu 9212; }\n", i)
	}
	b.WriteString("}\n")
	return b.String()
}

// How many ports may have packets at once, by arithmetic. A part of the memory has 152,764 cells for
// lossless queues, of which 24/90 are headroom at ingress: 112,027 remain to be shared. One group
// after another takes 8/9 of what is left, so that many take all but the last cell, and each has
// its headroom on top. A queue with alpha 8 holds them as long as they are no more than 8 times
// what is left: 8/9 of 152,764. (With one or two ports more than that, the own layers of the switch
// are a condition: they may be faster than IEEE 802.3 allows.)
func TestAtOnceByArithmetic(t *testing.T) {
	const egress, shared = 152_764, 112_027
	one := judge(t, Options{}, Text("junos.conf", []byte(fanIn(32, 1, 66)))).Switches[0]
	at := slices.IndexFunc(one.Obligations, func(o proof.Obligation) bool { return o.ID == proof.HeadroomPool })
	if at < 0 || one.AtOnce != 0 || one.Drops != "" {
		t.Fatalf("one port: %d, %d at once, %q", at, one.AtOnce, one.Drops)
	}
	headroom := one.Obligations[at].Left.Value
	filled := func(ports int64) int64 { return shared - 1 + ports*headroom }
	left := func(ports int64) int64 { return 8 * (egress - filled(ports)) }
	most := int64(1)
	for filled(most+1) <= left(most+1) {
		most++
	}
	for _, ports := range []int64{most - 1, most, 9, 31, 32} {
		s := judge(t, Options{}, Text("junos.conf", []byte(fanIn(32, int(ports), 66)))).Switches[0]
		if s.Verdict != Conditional {
			t.Fatalf("%d ports: %v", ports, s.Verdict)
		}
		var c proof.Condition
		var under *proof.Inequality
		for _, o := range s.Obligations {
			for _, of := range o.Conditions {
				if of.ID == proof.PausedGroups && o.ID == proof.QueueHolds {
					c, under = of, o.Under
					if of.Short != -o.Slack() {
						t.Errorf("%d ports: short by %d, %d is lacking", ports, of.Short, -o.Slack())
					}
				}
			}
		}
		if ports <= most {
			if s.AtOnce != 0 || s.Drops != "" || c.ID != "" {
				t.Errorf("%d ports: %d at once, %q, %+v", ports, s.AtOnce, s.Drops, c)
			}
			continue
		}
		if int64(s.AtOnce) != most || c.Bound != most || c.Worst != ports || !strings.Contains(c.Assumes, fmt.Sprintf("at most %d of the %d lossless ports have", most, ports)) {
			t.Errorf("%d ports: %d at once, %+v, want %d", ports, s.AtOnce, c, most)
		}
		if under == nil || under.Left.Value != filled(most) || under.Right.Value != left(most) || len(under.Terms) == 0 {
			t.Errorf("%d ports: under it, %+v; want %d ≤ %d", ports, under, filled(most), left(most))
		}
		lost := fmt.Sprintf("%d cells, if %d lossless ports have", filled(most+1)-left(most+1), most+1)
		if !strings.Contains(s.Drops, lost) {
			t.Errorf("%d ports: %q, want %q", ports, s.Drops, lost)
		}
	}
	// Where one port alone fills the memory, no number of them is a condition.
	if s := judge(t, Options{}, Text("junos.conf", []byte(fanIn(8, 8, 30)))).Switches[0]; s.Verdict != Refuted || s.AtOnce != 0 || s.Drops != "" {
		t.Errorf("%v, %d at once, %q", s.Verdict, s.AtOnce, s.Drops)
	}
}

// The ports whose links bring most after a pause come first, then those of which it is not known,
// each in their order; ports without a lossless group are not among them.
func TestNeediestFirst(t *testing.T) {
	lossless := &plan.PortQoS{PFC: 1 << 3, PGs: []plan.PG{{ID: 0}, {ID: 3, Lossless: true}}}
	lossy := &plan.PortQoS{PGs: []plan.PG{{ID: 0}}}
	slow := &plan.Assumed{Declared: true, Response: plan.Of(10*units.Microsecond, &plan.Why{})}
	sw := &plan.Switch{MTU: plan.Of(units.Bytes(9216), nil), Ports: []plan.Port{
		{Name: "unknown speed", QoS: lossless, Cable: 1000 * units.Metre},
		{Name: "100G, 5 m", QoS: lossless, Speed: 100 * units.Gbps, Cable: 5 * units.Metre},
		{Name: "100G, 5 m too", QoS: lossless, Speed: 100 * units.Gbps, Cable: 5 * units.Metre},
		{Name: "lossy", QoS: lossy, Speed: 400 * units.Gbps, Cable: 400 * units.Metre},
		{Name: "bare", Speed: 400 * units.Gbps, Cable: 400 * units.Metre},
		{Name: "100G, 40 m", QoS: lossless, Speed: 100 * units.Gbps, Cable: 40 * units.Metre},
		{Name: "400G, 40 m", QoS: lossless, Speed: 400 * units.Gbps, Cable: 40 * units.Metre},
		{Name: "small frames", QoS: lossless, Speed: 100 * units.Gbps, Cable: 5 * units.Metre, MTU: 1500},
		{Name: "slow peer", QoS: lossless, Speed: 100 * units.Gbps, Cable: 5 * units.Metre, Assumed: slow},
	}}
	// 10 µs at 100 Gb/s are 125,000 B. At 400 Gb/s, 40 m both ways are 20,000 B, 905 quanta 57,920 B,
	// 614.4 ns 30,720 B: less. At 100 Gb/s it is a quarter of the way, 394 quanta and 15,360 B.
	if got, want := neediestFirst(sw), []int{8, 6, 5, 1, 2, 7, 0}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A port at which nothing lossless comes in has no pause and no lossless group; all else, and the
// switch that was given, stay.
func TestWithActive(t *testing.T) {
	qos := func() *plan.PortQoS {
		return &plan.PortQoS{PFC: 1 << 3, PGs: []plan.PG{{ID: 0, Pool: "lossy", Reserved: plan.Of(units.Bytes(7), nil)}, {ID: 3, Pool: "p", Lossless: true, Headroom: plan.Of(units.Bytes(9), nil)}}, Queues: []plan.Queue{{ID: 3}}}
	}
	shared, own := qos(), qos()
	sw := &plan.Switch{Ports: []plan.Port{{Name: "a", QoS: shared}, {Name: "b", QoS: shared}, {Name: "c", QoS: shared}, {Name: "d", QoS: own}, {Name: "bare"}}}
	got := withActive(sw, []int{1})
	if got == sw || got.Ports[1].QoS != shared || got.Ports[4].QoS != nil || sw.Ports[0].QoS != shared || shared.PFC != 1<<3 || !shared.PGs[1].Lossless {
		t.Errorf("what stays is %+v of %+v", got, sw)
	}
	if got.Ports[0].QoS != got.Ports[2].QoS || got.Ports[0].QoS == got.Ports[3].QoS {
		t.Error("ports of one kind are of two, or of two of one")
	}
	for _, i := range []int{0, 3} {
		idle := got.Ports[i].QoS
		if groupsOf(idle) != 0 || idle.PFC != 0 || len(idle.Queues) != 1 || len(idle.PGs) != 2 {
			t.Errorf("port %d: %+v", i, idle)
		}
		if a, b := idle.PGs[0], idle.PGs[1]; a.Reserved.Value != 7 || a.Pool != "lossy" || b.ID != 3 || b.Pool != "p" || b.Headroom.Value != 0 {
			t.Errorf("port %d: groups %+v", i, idle.PGs)
		}
	}
}

// What does not hold as it stands, whatever is made a condition of it.
func TestShort(t *testing.T) {
	for _, c := range []struct {
		lossless bool
		left     int64 // ≤ 10
		verdict  proof.Verdict
		want     bool
	}{
		{true, 11, proof.Fails, true}, {true, 11, proof.Conditional, true}, {true, 10, proof.Holds, false}, {true, 11, proof.Unjudged, false}, {false, 11, proof.Fails, false},
	} {
		o := proof.Obligation{Lossless: c.lossless, Left: proof.Side{Value: c.left}, Right: proof.Side{Value: 10}, Verdict: c.verdict}
		if got := short(&proof.Report{Obligations: []proof.Obligation{{Lossless: true, Verdict: proof.Holds}, o}}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// What holds of all of a kind is what the tightest one says, unless one of them is open: then nothing is known of the kind, and what
// a counterexample refuted stays refuted.
func TestTightestOfAKind(t *testing.T) {
	of := func(id string, lossless bool, verdict proof.Verdict, slack int64) proof.Obligation {
		return proof.Obligation{ID: id, Lossless: lossless, Verdict: verdict, Right: proof.Side{Value: slack}}
	}
	wide, narrow := of(proof.QueueHolds, true, proof.Holds, 5), of(proof.QueueHolds, true, proof.Conditional, 3)
	for _, c := range []struct {
		what  string
		other proof.Obligation
		want  int64 // -1: none
	}{
		{"a wider one", of(proof.QueueHolds, true, proof.Holds, 4), 3}, {"a narrower one", of(proof.QueueHolds, true, proof.Holds, 2), 2},
		{"an open one", of(proof.QueueHolds, true, proof.Unjudged, 0), -1}, {"an open one of another kind", of(proof.PortHolds, true, proof.Unjudged, 0), 3},
		{"one of lossy traffic", of(proof.QueueHolds, false, proof.Unjudged, 0), 3},
	} {
		for _, list := range [][]proof.Obligation{{wide, narrow, c.other}, {c.other, wide, narrow}} {
			got := tightest(&proof.Report{Obligations: list}, proof.QueueHolds)
			if (got == nil) != (c.want < 0) || got != nil && got.Slack() != c.want {
				t.Errorf("%s: %+v, want a slack of %d", c.what, got, c.want)
			}
		}
	}
	if got := tightest(&proof.Report{Obligations: []proof.Obligation{wide}}, proof.PortHolds); got != nil {
		t.Errorf("of no such kind: %+v", got)
	}
}
