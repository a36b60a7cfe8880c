package eos

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Of three kinds of groups the one that needs most gets nothing more, each of the others the rest on all of its ports.
func TestCostsOfTheLargest(t *testing.T) {
	needs := []need{{"a", 3, 100}, {"a", 3, 100}, {"b", 3, 250}, {"a", 4, 300}, {"b", 3, 250}, {"b", 3, 250}}
	says, all := costsOf(needs, 300)
	const want = "group 3 of each of 2 ports of a needs 100B and gets 200B more, group 3 of each of 3 ports of b needs 250B and gets 50B more"
	if says != want || all != 2*200+3*50 {
		t.Errorf("%s, %v", says, all)
	}
}

// What the one buffer profile of EOS says of a switch with one change. The leaf has cells of 254 B: headroom of 400 and
// 600 of them, 20 in reserve, a pool of headroom of 9,600, and two ports of each kind.
func TestBuffersWanted(t *testing.T) {
	form := emit.Form{Name: "running-config", Emit: Emit}
	both := func(change func(*plan.PortQoS)) func(*plan.Switch) {
		return func(s *plan.Switch) { change(s.Ports[0].QoS); change(s.Ports[2].QoS) }
	}
	one := func(change func(*plan.PortQoS)) func(*plan.Switch) {
		return func(s *plan.Switch) { change(s.Ports[2].QoS) }
	}
	alpha := func(a units.Alpha) func(*plan.PortQoS) { return func(q *plan.PortQoS) { q.PGs[1].Limit = dynamic(a) } }
	const pg, queue, refused = "ingress priority-group ", "egress unicast queue ", "error eos-threshold"
	for name, c := range map[string]struct {
		change   func(*plan.Switch)
		has, not []string
	}{
		"as it is": {func(*plan.Switch) {}, []string{"ingress headroom 152400", "ingress resume 2540", pg + "3 reserved 5080", pg + "3 threshold 1/4", pg + "0 threshold 8", queue + "6 reserved 2032", queue + "1 threshold 1", "headroom-pool limit 2438400",
			"group 3 of each of 2 ports of servers needs 101600B and gets 50800B more. A group fills only what its link still sends after the pause, so the headroom pool of 2438400B is not used more",
			"the limit of the lossless queue 3 is left to EOS", "once priority group 0 is full on all of 4 ports. Only its pool should limit it, but EOS has no line for that pool, and the largest threshold, 8, leaves 1/33 of the shared buffer"},
			[]string{"queue 3 threshold", "the reserve of", "the XON offset of", "error"}},
		"no pool of headroom": {func(s *plan.Switch) { s.Pools[0].Headroom.Value = 0 }, []string{"Without a headroom pool this takes 101600B more from the shared pool"}, []string{"headroom-pool limit", "is not loaded more"}},
		"of a byte":           {func(s *plan.Switch) { s.Pools[0].Headroom.Value = 1 }, []string{"headroom-pool limit 1", "so the headroom pool of 1B is not used more"}, nil},
		"two pools of headroom": {func(s *plan.Switch) {
			s.Pools = append(s.Pools, plan.Pool{Name: "more", Headroom: given(units.Bytes(600))}, plan.Pool{Name: "out", Direction: plan.Egress, Headroom: given(units.Bytes(7))})
		}, []string{"headroom-pool limit 2439000"}, nil},
		"the same headroom":          {one(func(q *plan.PortQoS) { q.PGs[1].Headroom = given(units.Bytes(400 * 254)) }), []string{"ingress headroom 101600"}, []string{"the headroom of lossless"}},
		"a byte more":                {one(func(q *plan.PortQoS) { q.PGs[1].Headroom = given(units.Bytes(400*254 + 1)) }), []string{"ingress headroom 101601", "needs 101600B and gets 1B more"}, nil},
		"another offset":             {one(func(q *plan.PortQoS) { q.PGs[1].XOnOffset = given(units.Bytes(3000)) }), []string{"ingress resume 3000", "the XON offset of lossless priority groups is 2540B on some ports and 3000B on others"}, []string{"loaded more; without"}},
		"another reserve of a queue": {one(func(q *plan.PortQoS) { q.Queues[2].Reserved = given(units.Bytes(4000)) }), []string{queue + "6 reserved 4000", "the reserve of queue 6 is 2032B on some ports and 4000B on others"}, nil},
		"a smaller one":              {one(func(q *plan.PortQoS) { q.Queues[2].Reserved = given(units.Bytes(1000)) }), []string{queue + "6 reserved 2032", "the reserve of queue 6 is 2032B on some ports and 1000B on others"}, nil},
		"another reserve of a group": {one(func(q *plan.PortQoS) { q.PGs[1].Reserved = given(units.Bytes(6000)) }), []string{pg + "3 reserved 6000", "the reserve of priority group 3 is"}, []string{"error"}},
		"two alphas of a queue":      {one(func(q *plan.PortQoS) { q.Queues[0].Limit = dynamic(1) }), []string{queue + "1 threshold 2", "alpha of queue 1 is 1 on some ports and 2 on others"}, nil},
		"two alphas of a group":      {one(alpha(-1)), []string{"error eos-conflict: priority group 3 of Ethernet3/1 has the limit alpha 1/2, and on Ethernet1/1 it has alpha 1/4"}, nil},
		"the least alpha":            {both(alpha(-7)), []string{pg + "3 threshold 1/128"}, []string{refused}},
		"a smaller alpha":            {both(alpha(-8)), []string{refused + ": a dynamic threshold of 1/256 is not supported: EOS takes 1/128 to 8", "fix: choose a dynamic threshold from 1/128 to 8"}, nil},
		"the largest alpha":          {both(alpha(3)), []string{pg + "3 threshold 8"}, []string{refused}},
		"a larger alpha":             {both(alpha(4)), []string{refused + ": a dynamic threshold of 16 is not supported: EOS takes 1/128 to 8", "fix: choose a dynamic threshold from 1/128 to 8"}, nil},
		"a limit of all of the pool": {both(func(q *plan.PortQoS) {
			q.Queues[0].Pool, q.Queues[0].Limit = "ingress", given(plan.Limit{Static: 400_000 * 254})
		}), []string{queue + "1 threshold 8", "once queue 1 is full"}, []string{refused}},
		"of a byte less": {both(func(q *plan.PortQoS) {
			q.Queues[0].Pool, q.Queues[0].Limit = "ingress", given(plan.Limit{Static: 400_000*254 - 1})
		}), []string{refused + ": queue 1 of Ethernet1/1 may hold 101599999B at most, but EOS has no static thresholds"}, nil},
		"of a pool that is not there": {both(func(q *plan.PortQoS) {
			q.Queues[0].Pool, q.Queues[0].Limit = "nowhere", given(plan.Limit{Static: 1 << 60})
		}), []string{refused + ": queue 1 of Ethernet1/1 may hold"}, nil},
		"a queue that one port bounds": {one(func(q *plan.PortQoS) { q.Queues[1].Limit = dynamic(0) }), []string{"the limit of the lossless queue 3 is left to EOS"}, []string{queue + "3 threshold"}},
		"a port that is told nothing":  {func(s *plan.Switch) { s.Ports[1].QoS = nil }, []string{"full on all of 3 ports. Only its pool should limit it, but EOS has no line for that pool, and the largest threshold, 8, leaves 1/25 of", "group 3 of each of 1 ports of servers"}, nil},
		"a lossless group without PFC": {func(s *plan.Switch) { s.Ports[2].QoS.PFC = 0 }, []string{"error eos-priority: priority group 3 of Ethernet3/1 is lossless and PFC of priority 3 is off", "fix: give the class the PFC priority 3, or another pg"}, nil},
		"PFC of a lossy group":         {func(s *plan.Switch) { s.Ports[2].QoS.PFC |= 1 }, []string{"priority group 0 of Ethernet3/1 is lossy and PFC of priority 0 is on"}, nil},
		"bounds of whole ports":        {one(func(q *plan.PortQoS) { q.Pools = []plan.PortPool{{Pool: "ingress"}} }), []string{"error eos-no-mmu: EOS does not limit how much of a pool a whole port takes: the limit of Ethernet3/1 in ingress would be lost"}, nil},
		"neither groups nor queues":    {both(func(q *plan.PortQoS) { q.PGs, q.Queues, q.PFC, q.Watchdog = nil, nil, 0, false }), []string{"headroom-pool limit 2438400"}, []string{"queue profile", "eos-widened"}},
	} {
		plantest.Wants(t, form, leaf(), name, c.change, c.has, c.not)
	}
}

// Where EOS has no lines for the buffer, each amount of a lossless group is named, alone too; of lossy ones which.
func TestAmountsWithoutLines(t *testing.T) {
	form := emit.Form{Name: "running-config", Emit: Emit}
	spine := func() *plan.Switch {
		s := leaf()
		s.Chip = "jericho2"
		noBuffer(s)
		return s
	}
	for i, set := range []func(*plan.PG){
		func(g *plan.PG) { g.Headroom = given(units.Bytes(1)) }, func(g *plan.PG) { g.Reserved = given(units.Bytes(1)) }, func(g *plan.PG) { g.XOnOffset = given(units.Bytes(1)) }, func(g *plan.PG) { g.Limit = dynamic(0) },
	} {
		const lossless, lossy = "of the lossless priority group 3 of Ethernet1/1 would be lost", "limit and reserve of priority group 0 are left out"
		plantest.Wants(t, form, spine(), fmt.Sprint(i), func(s *plan.Switch) { set(&s.Ports[0].QoS.PGs[1]) }, []string{lossless, "warning eos-no-mmu"}, []string{lossy})
		has, not := []string{lossy}, []string{lossless}
		if i == 0 || i == 2 { // a lossy group has neither headroom nor XON
			has, not = nil, []string{lossy, lossless}
		}
		plantest.Wants(t, form, spine(), fmt.Sprint(i, " of a lossy group"), func(s *plan.Switch) { set(&s.Ports[0].QoS.PGs[0]) }, has, not)
	}
	for name, set := range map[string]func(*plan.Queue){"reserve": func(q *plan.Queue) { q.Reserved = given(units.Bytes(1)) }, "limit": func(q *plan.Queue) { q.Limit = dynamic(0) }} {
		plantest.Wants(t, form, spine(), name, func(s *plan.Switch) {
			set(&s.Ports[0].QoS.Queues[0])
			set(&s.Ports[2].QoS.Queues[0])
			set(&s.Ports[2].QoS.Queues[2])
		},
			[]string{"limit and reserve of queue 1, queue 6 are left out"}, []string{"lossless priority group"})
	}
	if lines := strings.Join(plantest.Written(form, spine()), "\n"); strings.Contains(lines, "eos-no-mmu") || strings.Contains(lines, "mmu") {
		t.Error(lines)
	}
}
