package sim

import (
	"slices"

	"github.com/roceplan/roceplan/model/sim/balance"
)

// Package balance chooses among next hops. Its inputs are here: the next hops of a topology, the
// waits at ports, and when signals are due.

// nextHops finds those of a run: one row of [balance.Hops] by destination.
type nextHops struct {
	*balance.Balancer
	rows  []int32 // by node: of those that are destinations; or none
	share bool    // no link fails, so that what hangs on one switch is reached alike
}

// newNextHops is nil where packets go along the routes of their flows.
func newNextHops(sc *Scenario) *nextHops {
	if m := sc.Balancing.Mode; m > balance.Global || m == balance.ECMP && len(sc.Outages) == 0 {
		return nil
	}
	rows := slices.Repeat([]int32{none}, len(sc.Nodes))
	return &nextHops{balance.New(&sc.Balancing, len(sc.Nodes), 2*len(sc.Links)), rows, len(sc.Outages) == 0}
}

// row adds the next hops towards the root of a tree and returns the number of their row; -1 if
// routes are taken. Twin is that the tree was known from the root before.
func (h *nextHops) row(t *topology, r *tree, twin bool) int32 {
	if h == nil {
		return -1
	}
	row := h.rows[r.root]
	if row != none {
		return row
	}
	if twin && h.share {
		port := t.ports[r.root][0] ^ 1 // its only link
		row = h.Twin(int32(t.node(port)), port)
	} else {
		row = h.Row(len(t.nodes), r.next(t))
	}
	h.rows[r.root] = row
	return row
}

// next returns the function that gives each switch its hops to the root; a host has none.
func (r *tree) next(t *topology) func(node int) []int32 {
	return func(node int) []int32 {
		if t.nodes[node] != Switch || r.steps[node].rank < 0 {
			return nil
		}
		return r.nextHops(t, node, nil)
	}
}

// address returns a node's IPv4 address in the HPCC simulator: 11.x.y.1.
func address(node int) uint32 { return 0x0b000001 + uint32(node/256)<<16 + uint32(node%256)<<8 }

func (f *Flow) key() balance.Key {
	return balance.Key{Src: address(f.Src), Dst: address(f.Dst), SrcPort: f.SrcPort, DstPort: f.DstPort}
}

// nextPort returns the port by which a packet leaves a switch; -1 if no way leads on.
func (s *engine) nextPort(node int32, id packetID, pk *packet) int32 {
	switch {
	case s.balancer != nil:
		return s.choose(node, pk)
	case s.weaver != nil:
		return s.wovenPort(node, id, pk)
	}
	out := s.routes[pk.route]
	pk.route++
	return out
}

// choose asks for one of a packet's next hops.
func (s *engine) choose(node int32, pk *packet) int32 {
	b := s.balancer
	hops := b.At(pk.route, node)
	switch {
	case len(hops) == 0:
		return none
	case len(hops) == 1:
		return hops[0]
	case b.Mode == balance.ECMP:
		return s.outages.key(pk).Of(hops, node)
	case b.Mode == balance.Spray:
		return balance.Any(hops, &s.randoms[node])
	case b.Flowlets == nil:
		return s.shortest(node, pk, hops)
	}
	flow := uint64(pk.flow)<<1 | uint64(min(pk.kind, 1)) // acknowledgements are a flow of their own
	port, over := b.Flowlets.Goes(node, flow, s.now, hops)
	if over || s.ports[port].trouble&down != 0 {
		port = s.wayOfFlowlet(node, pk, hops)
		b.Flowlets.Takes(node, flow, port)
		s.flowletsBegun++
	}
	return port
}

// wayOfFlowlet chooses the way of a new flowlet.
func (s *engine) wayOfFlowlet(node int32, pk *packet, hops []int32) int32 {
	if s.balancer.Mode == balance.LetFlow {
		if port := balance.Any(hops, &s.randoms[node]); s.ports[port].trouble&down == 0 {
			return port
		}
	}
	return s.shortest(node, pk, hops)
}

// shortest collects the wait at each next hop, with that of the ways behind it if switches signal
// it, and chooses.
func (s *engine) shortest(node int32, pk *packet, hops []int32) int32 {
	if len(s.loads) < len(hops) {
		s.loads = make([]int64, len(hops))
	}
	loads := s.loads[:len(hops)]
	for i, port := range hops {
		loads[i] = s.load(port)
	}
	if g := s.balancer.Signals; g != nil {
		for i, port := range hops {
			loads[i] += s.beyond(port, pk)
		}
		if at, ok := g.Wanted(s.now); ok {
			s.plan(taskSignal, 0, at)
		}
	}
	return balance.Least(hops, loads, &s.randoms[node])
}

// beyond returns the least wait that the switch behind a port has signalled for where a packet goes, in ps.
func (s *engine) beyond(port int32, pk *packet) int64 {
	next := &s.ports[port^1]
	if next.nic >= 0 {
		return 0
	}
	return s.balancer.Signals.Least(s.balancer.At(pk.route, next.node))
}

// load returns the time in ps until a packet that comes now would be sent.
func (s *engine) load(port int32) int64 {
	p := &s.ports[port]
	if p.trouble&down != 0 {
		return balance.Dead
	}
	queued := float64(p.backlog) * 8e12 / s.rates[p.rateIndex]
	return int64(queued) + max(0, p.busyUntil-s.now)
}

// signal gives all switches the waits of their neighbours.
func (s *engine) signal() {
	g := s.balancer.Signals
	for i := range s.ports {
		if s.ports[i].nic < 0 {
			g.Tell(int32(i), s.load(int32(i)))
		}
	}
	if at, ok := g.Told(s.now); ok {
		s.plan(taskSignal, 0, at)
	}
}
