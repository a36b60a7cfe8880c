package target

import (
	"fmt"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// An intentCase makes plans need one intent.
type intentCase struct {
	intent emit.Intent
	given  func(*plan.Switch)   // what both plans have: the intent does not stand alone
	needs  []func(*plan.Switch) // each a way to need it
	held   func(*plan.Switch) any
}

// Names of pools. SONiC knows the first by its name.
const (
	ingressPool = "ingress_lossless_pool"
	egressPool  = "egress_lossless_pool"
)

// bare is a switch with two ports and three classes of which nothing is said. Numbers of
// classes and queues follow their names, so that a target without numbers keeps them.
func bare() *plan.Switch {
	s := &plan.Switch{
		Names: []string{"leaf-1"}, Cell: 254, MTU: set(units.Bytes(1518)),
		Classes: []plan.Class{{Name: "a", TrafficClass: 0, Queue: 0}, {Name: "b", TrafficClass: 1, Queue: 1}, {Name: "c", TrafficClass: 2, Queue: 2}},
		Pools:   []plan.Pool{{Name: egressPool, Direction: plan.Egress, Dynamic: true}, {Name: ingressPool, Dynamic: true}},
	}
	for d := range s.Maps.DSCPToTC {
		s.Maps.DSCPToTC[d] = uint8(d % 3)
	}
	for i := range uint8(8) {
		s.Maps.TCToQueue[i], s.Maps.PFCToQueue[i], s.Maps.PFCToPG[i] = i, i, i
	}
	for i := range 2 {
		s.Ports = append(s.Ports, plan.Port{
			Name: fmt.Sprintf("Ethernet%d", i+1), Index: i + 1, Lanes: []int{i + 1}, Speed: 100 * units.Gbps, Cable: units.Length(10+i) * units.Metre,
			MTU: 1518, Group: fmt.Sprintf("group%d", i), QoS: &plan.PortQoS{},
		})
	}
	return s
}

func set[T any](v T) plan.Derived[T] { return plan.Derived[T]{Value: v} }

func alpha(a units.Alpha) plan.Derived[plan.Limit] { return set(plan.Limit{Dynamic: true, Alpha: a}) }

// noBuffer reports whether EOS has no lines for the buffer of the chip: there, even the
// plan that needs nothing must be silent on it.
func noBuffer(s *plan.Switch) bool { return s.OS == "eos" && s.Chip == "jericho2" }

// each changes the QoS of every port.
func each(change func(q *plan.PortQoS)) func(*plan.Switch) {
	return func(s *plan.Switch) {
		for i := range s.Ports {
			change(s.Ports[i].QoS)
		}
	}
}

// lossless makes class b lossless.
func lossless(s *plan.Switch) {
	c := &s.Classes[1]
	c.Lossless, c.PFC, c.PG = true, 1, 1
	s.Maps.TCToPG[1] = 1
	each(func(q *plan.PortQoS) {
		g := plan.PG{ID: 1, Pool: ingressPool, Lossless: true, Limit: alpha(0)}
		if noBuffer(s) {
			g.Limit = plan.Derived[plan.Limit]{}
		}
		q.PFC, q.PGs = 1<<1, []plan.PG{g}
	})(s)
}

// queued gives every port the three queues.
func queued(s *plan.Switch) {
	each(func(q *plan.PortQoS) {
		q.Queues = nil
		for id := range uint8(3) {
			queue := plan.Queue{ID: id, Pool: egressPool, Limit: alpha(0), Scheduler: plan.Scheduler{Weight: set(int64(1))}}
			if noBuffer(s) {
				queue.Limit = plan.Derived[plan.Limit]{}
			}
			q.Queues = append(q.Queues, queue)
		}
	})(s)
}

// sized gives both pools a size.
func sized(s *plan.Switch) {
	for i := range s.Pools {
		s.Pools[i].Size = set(100_000 * s.Cell)
	}
}

func all(changes ...func(*plan.Switch)) func(*plan.Switch) {
	return func(s *plan.Switch) {
		for _, change := range changes {
			change(s)
		}
	}
}

// pg changes the group of class b on all ports, queue one of the queues.
func pg(change func(*plan.PG)) func(*plan.Switch) {
	return each(func(q *plan.PortQoS) { change(&q.PGs[0]) })
}

func queue(i int, change func(*plan.Queue)) func(*plan.Switch) {
	return each(func(q *plan.PortQoS) { change(&q.Queues[i]) })
}

// unlimited takes the thresholds away again.
func unlimited(s *plan.Switch) {
	each(func(q *plan.PortQoS) {
		for i := range q.PGs {
			q.PGs[i].Limit = plan.Derived[plan.Limit]{}
		}
		for i := range q.Queues {
			q.Queues[i].Limit = plan.Derived[plan.Limit]{}
		}
	})(s)
}

// second changes the group of class b on the second port alone.
func second(change func(*plan.PG)) func(*plan.Switch) {
	return func(s *plan.Switch) { change(&s.Ports[1].QoS.PGs[0]) }
}

// What is held: the quantity of each port, in the order of ports.

func ofPGs[T any](get func(plan.PG) T) func(*plan.Switch) any {
	return ofPorts(func(p plan.Port) any {
		out := map[uint8]T{}
		for _, g := range p.QoS.PGs {
			out[g.ID] = get(g)
		}
		return out
	})
}

func ofQueues[T any](get func(plan.Queue) T) func(*plan.Switch) any {
	return ofPorts(func(p plan.Port) any {
		out := map[uint8]T{}
		for _, q := range p.QoS.Queues {
			out[q.ID] = get(q)
		}
		return out
	})
}

func ofPorts(get func(plan.Port) any) func(*plan.Switch) any {
	return func(s *plan.Switch) any {
		out := map[string]any{}
		for _, p := range s.Ports {
			if p.QoS != nil {
				out[p.Name] = get(p)
			}
		}
		return out
	}
}

func ofPools[T comparable](get func(plan.Pool) T) func(*plan.Switch) any {
	return func(s *plan.Switch) any {
		out := map[string]T{}
		for _, p := range s.Pools {
			var none T
			if v := get(p); v != none {
				out[p.Direction.String()] = v
			}
		}
		return out
	}
}

// partition gives each code point the first that it shares a target with: what a map
// does, whatever the numbers.
func partition(of func(m *plan.Maps, dscp int) uint8) func(*plan.Switch) any {
	return func(s *plan.Switch) any {
		var out [64]int
		first := map[uint8]int{}
		for d := range out {
			to := of(&s.Maps, d)
			if _, ok := first[to]; !ok {
				first[to] = d
			}
			out[d] = first[to]
		}
		return out
	}
}

func loadBalancing(s *plan.Switch) any { return s.LoadBalancing }

func balanced(by string) func(*plan.Switch) {
	return func(s *plan.Switch) { s.LoadBalancing = by }
}

func watched(action plan.WatchdogAction) func(*plan.Switch) {
	return func(s *plan.Switch) {
		s.Watchdog = &plan.Watchdog{Detection: set(400 * units.Millisecond), Restoration: set(800 * units.Millisecond), Poll: set(200 * units.Millisecond), Action: action}
		each(func(q *plan.PortQoS) { q.Watchdog = true })(s)
	}
}

type heldWatchdog struct {
	Detection, Restoration, Poll units.Time
	Action                       plan.WatchdogAction
}

func watchdog(s *plan.Switch) any {
	if s.Watchdog == nil {
		return nil
	}
	w := s.Watchdog
	return heldWatchdog{w.Detection.Value, w.Restoration.Value, w.Poll.Value, w.Action}
}

func marked(port uint16) func(*plan.Switch) {
	return func(s *plan.Switch) {
		s.Marking = &plan.Marking{Rules: []plan.MarkRule{{UDPPort: port, DSCP: 1, TC: 1}}, Default: 0, DefaultTC: 0}
		for d := range s.Maps.DSCPToTC { // one code point for each class that is rewritten
			s.Maps.DSCPToTC[d] = 0
		}
		s.Maps.DSCPToTC[1] = 1
		each(func(q *plan.PortQoS) { q.Trust = plan.TrustNone })(s)
	}
}

type heldRule struct {
	UDPPort  uint16
	DSCP, TC uint8
}

func marking(s *plan.Switch) any {
	out := []heldRule{}
	if s.Marking != nil {
		for _, r := range s.Marking.Rules {
			out = append(out, heldRule{r.UDPPort, r.DSCP, r.TC})
		}
	}
	return out
}

// freeNumbers makes class b lossless with a priority and a group of other numbers.
func freeNumbers(priority, group uint8) func(*plan.Switch) {
	return func(s *plan.Switch) {
		lossless(s)
		c := &s.Classes[1]
		c.PFC, c.PG = priority, group
		s.Maps.TCToPG[1], s.Maps.PFCToPG[priority], s.Maps.PFCToQueue[priority] = group, group, 1
		each(func(q *plan.PortQoS) { q.PFC, q.PGs[0].ID = 1<<priority, group })(s)
	}
}

// tunnelOf sends what comes in class b back in class c, and keeps DSCP 4, which is of class b.
func tunnelOf(s *plan.Switch) *plan.Tunnel {
	t := &plan.Tunnel{Name: "MuxTunnel0", DSCPToTC: s.Maps.DSCPToTC, TCToPG: s.Maps.TCToPG, TCToQueue: s.Maps.TCToQueue, Outer: plan.Rewrite{TCs: 7, DSCP: [8]uint8{0, 2, 2}}, Kept: []uint8{4}}
	t.TCToQueue[1] = 2
	return t
}

func tunnelled(s *plan.Switch) { s.Tunnel = tunnelOf(s) }

func calculated(s *plan.Switch) {
	s.BufferModel = plan.DynamicModel
	s.Calculator = &plan.Calculator{DefaultAlpha: set(units.Alpha(0)), LosslessFrame: set(units.Bytes(1518)), SmallPackets: set(100 * units.Percent)}
}

func calculator(s *plan.Switch) any {
	if s.Calculator == nil {
		return nil
	}
	return []int64{int64(s.Calculator.DefaultAlpha.Value), int64(s.Calculator.LosslessFrame.Value), int64(s.Calculator.SmallPackets.Value)}
}

func frames(s *plan.Switch) {
	s.MTU = set(units.Bytes(9216))
	for i := range s.Ports {
		s.Ports[i].MTU = 9216
	}
}

func shareQueue(s *plan.Switch) { s.Maps.TCToQueue[2], s.Classes[2].Queue = 1, 1 }

func weights(first, middle int64) func(*plan.Switch) {
	return all(queue(0, func(q *plan.Queue) { q.Scheduler.Weight = set(first) }), queue(1, func(q *plan.Queue) { q.Scheduler.Weight = set(middle) }))
}

func strict(q *plan.Queue) { q.Scheduler = plan.Scheduler{Strict: true} }

func curve(pmax units.Ratio) func(*plan.Switch) {
	return queue(1, func(q *plan.Queue) {
		q.ECN = &plan.ECN{KMin: set(units.Bytes(254_000)), KMax: set(units.Bytes(508_000)), PMax: set(pmax)}
	})
}

func heldCurve(q plan.Queue) any {
	if q.ECN == nil {
		return nil
	}
	return []int64{int64(q.ECN.KMin.Value), int64(q.ECN.KMax.Value), int64(q.ECN.PMax.Value)}
}

// resumes returns the fill at which a group resumes. A distance below the reserve says it too
// where the group pauses when the reserve is full.
func resumes(g plan.PG) units.Bytes {
	if g.XOn.Value == 0 && g.XOnOffset.Value > 0 {
		return g.Reserved.Value - g.XOnOffset.Value
	}
	return g.XOn.Value
}

func headroom(cells units.Bytes) func(*plan.PG) {
	return func(g *plan.PG) { g.Headroom = set(254 * cells) }
}

// intentCases has a case for each intent, in their order.
func intentCases() []intentCase {
	return append(append(ingressCases(), egressCases()...), switchCases()...)
}

func ingressCases() []intentCase {
	type needs = []func(*plan.Switch)
	pgHeadroom := ofPGs(func(g plan.PG) units.Bytes { return g.Headroom.Value })
	pgLimit := ofPGs(func(g plan.PG) plan.Limit { return g.Limit.Value })
	static := func(g *plan.PG) { g.Limit = set(plan.Limit{Static: 254_000}) }
	reserve := func(g *plan.PG) { g.Reserved = set(5080 * units.Byte) }
	level := func(b units.Bytes) func(*plan.PG) { return func(g *plan.PG) { g.XOn = set(b) } }
	limit := func(a units.Alpha) func(*plan.PG) { return func(g *plan.PG) { g.Limit = alpha(a) } }
	return []intentCase{
		{emit.DSCPMap, nil, needs{func(s *plan.Switch) { s.Maps.DSCPToTC[9] = 1 }}, partition(func(m *plan.Maps, d int) uint8 { return m.DSCPToTC[d] })},
		{emit.Remapping, nil, needs{tunnelled, func(s *plan.Switch) {
			own := s.Maps.DSCPToTC
			own[9] = 1
			s.Ports[1].QoS.DSCPToTC = &own
		}}, func(s *plan.Switch) any {
			return []any{s.Tunnel != nil && *s.ClassifiedBy(s.Ports[1].QoS) == s.Maps.DSCPToTC, s.ClassifiedBy(s.Ports[1].QoS)[9], s.Tunnel.Says(tunnelOf(s))}
		}},
		{emit.EdgeMarking, nil, needs{marked(4791), marked(0)}, marking},
		{emit.Rewriting, nil, needs{
			each(func(q *plan.PortQoS) { q.Rewrite = &plan.Rewrite{TCs: 7, DSCP: [8]uint8{8, 18, 10}} }),
			func(s *plan.Switch) { s.Ports[1].QoS.Rewrite = &plan.Rewrite{TCs: 2, DSCP: [8]uint8{1: 7}} },
		}, ofPorts(func(p plan.Port) any { v, _ := plan.Rewriting().Get(p.QoS); return v })},
		{emit.FreeNumbers, nil, needs{freeNumbers(4, 3), freeNumbers(4, 4)}, func(s *plan.Switch) any {
			return []uint8{s.Maps.TCToPG[1], s.Maps.PFCToPG[4], s.Maps.PFCToQueue[4]}
		}},
		{emit.PFC, nil, needs{lossless}, ofPorts(func(p plan.Port) any { return p.QoS.PFC })},
		{emit.Headroom, lossless, needs{pg(headroom(100))}, pgHeadroom},
		{emit.PortHeadroom, all(lossless, pg(headroom(100))), needs{second(headroom(200))}, pgHeadroom},
		{emit.HeadroomPool, all(lossless, pg(headroom(100))), needs{func(s *plan.Switch) { s.Pools[1].Headroom = set(254_000 * units.Byte) }},
			ofPools(func(p plan.Pool) units.Bytes { return p.Headroom.Value })},
		{emit.XOnLevel, all(lossless, pg(reserve)), needs{pg(level(2540))}, ofPGs(resumes)},
		{emit.XOnOffset, lossless, needs{
			pg(func(g *plan.PG) { g.XOnOffset = set(2540 * units.Byte) }),
			pg(func(g *plan.PG) {
				g.Reserved, g.XOnOffset = set(g.Headroom.Value+5080*units.Byte), set(2540*units.Byte)
			}),
		}, ofPGs(func(g plan.PG) units.Bytes { return g.XOnOffset.Value })},
		{emit.PGReserve, all(lossless, unlimited), needs{all(lossless, pg(func(g *plan.PG) { g.Reserved = set(2540 * units.Byte) }))}, ofPGs(func(g plan.PG) units.Bytes { return g.Reserved.Value })},
		{emit.PGAlpha, all(lossless, unlimited), needs{pg(limit(-2)), pg(limit(5))}, pgLimit},
		{emit.PGStatic, all(lossless, unlimited, sized), needs{pg(static)}, pgLimit},
		{emit.PortAlpha, all(lossless, unlimited), needs{all(pg(limit(0)), second(limit(-2)))}, pgLimit},
		{emit.PoolSize, nil, needs{sized}, ofPools(func(p plan.Pool) units.Bytes { return p.Size.Value })},
		{emit.PortBound, nil, needs{each(func(q *plan.PortQoS) { q.Pools = []plan.PortPool{{Pool: ingressPool, Limit: alpha(7)}} })},
			ofPorts(func(p plan.Port) any { return len(p.QoS.Pools) })},
		{emit.Calculator, lossless, needs{calculated}, calculator},
	}
}

func egressCases() []intentCase {
	type needs = []func(*plan.Switch)
	queueLimit := ofQueues(func(q plan.Queue) plan.Limit { return q.Limit.Value })
	rate := func(q *plan.Queue) { q.Scheduler.MaxRate = set(10 * units.Gbps) }
	return []intentCase{
		{emit.QueueMap, nil, needs{shareQueue}, partition(func(m *plan.Maps, d int) uint8 { return m.TCToQueue[m.DSCPToTC[d]] })},
		{emit.QueueReserve, all(queued, unlimited), needs{all(queued, queue(1, func(q *plan.Queue) { q.Reserved = set(2540 * units.Byte) }))},
			ofQueues(func(q plan.Queue) units.Bytes { return q.Reserved.Value })},
		{emit.QueueAlpha, all(queued, unlimited), needs{
			each(func(q *plan.PortQoS) {
				for i := range q.Queues {
					q.Queues[i].Limit = alpha(-1)
				}
			}),
			each(func(q *plan.PortQoS) {
				for i := range q.Queues {
					q.Queues[i].Limit = alpha(5)
				}
			}),
		}, queueLimit},
		{emit.QueueStatic, all(queued, unlimited, sized), needs{each(func(q *plan.PortQoS) {
			for i := range q.Queues {
				q.Queues[i].Limit = set(plan.Limit{Static: 254_000})
			}
		})}, queueLimit},
		{emit.Strict, queued, needs{queue(2, strict), queue(0, strict)}, ofQueues(func(q plan.Queue) bool { return q.Scheduler.Strict })},
		{emit.Weights, queued, needs{weights(20, 70), weights(90, 90)}, ofQueues(func(q plan.Queue) int64 { return q.Scheduler.Weight.Value })},
		{emit.Shaper, all(queued, queue(2, strict)), needs{queue(2, rate), queue(1, rate)}, ofQueues(func(q plan.Queue) units.BitRate { return q.Scheduler.MaxRate.Value })},
		{emit.ECN, queued, needs{curve(5 * units.Percent), curve(units.Percent / 2)}, ofQueues(heldCurve)},
	}
}

// trimmed cuts packets of queue 0 to a size, which leave by queue 2 then, as its code point says.
func trimmed(size units.Bytes) func(*plan.Switch) {
	return all(func(s *plan.Switch) { s.Trim = &plan.Trim{Size: set(size), DSCP: 50, TC: 2, Queue: 2} }, queue(0, func(q *plan.Queue) { q.Trims = true }))
}

func switchCases() []intentCase {
	type needs = []func(*plan.Switch)
	return []intentCase{
		{emit.Watchdog, lossless, needs{watched(plan.WatchdogDrop)}, watchdog},
		{emit.WatchdogPass, lossless, needs{watched(plan.WatchdogForward)}, watchdog},
		{emit.WatchdogAlert, lossless, needs{watched(plan.WatchdogAlert)}, watchdog},
		{emit.Trimming, queued, needs{trimmed(256), trimmed(2000)}, func(s *plan.Switch) any {
			t := s.Trim
			if t == nil {
				return nil
			}
			return []any{t.Size.Value, t.DSCP, t.Queue, ofQueues(func(q plan.Queue) bool { return q.Trims })(s)}
		}},
		{emit.MTU, nil, needs{frames}, ofPorts(func(p plan.Port) any { return p.MTU })},
		{emit.Flowlets, nil, needs{balanced("flowlet")}, loadBalancing},
		{emit.Adaptive, nil, needs{balanced("adaptive")}, loadBalancing},
		{emit.Spray, nil, needs{balanced("spray")}, loadBalancing},
	}
}
