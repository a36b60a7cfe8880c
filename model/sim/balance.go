package sim

import (
	"fmt"
	"math"
	"slices"

	"github.com/roceplan/roceplan/units"
)

// Balancing is how a switch chooses among the next hops of a shortest path.
type Balancing struct {
	Mode BalancingMode

	// FlowletGap is the silence after which a flow may take another way, in Flowlet and
	// Global. In Global, 0 lets each packet choose.
	FlowletGap units.Time

	// SignalInterval is the time between two signals of the quality of a switch's ports to
	// its neighbours, in Global; above 0.
	SignalInterval units.Time

	ConWeave ConWeave
	Cells    Cells
}

// BalancingMode names a choice of next hops.
type BalancingMode uint8

const (
	// ECMP takes one way per flow, by a hash of addresses and ports.
	ECMP BalancingMode = iota
	// Spray takes a random way for each packet.
	Spray
	// Adaptive takes the way with the shortest queue for each packet, as NVIDIA's adaptive
	// routing and Broadcom's per-packet DLB do by the local queues.
	Adaptive
	// Flowlet takes the way with the shortest queue for each flowlet, that is after each
	// FlowletGap without a packet of the flow (Vanini et al., "Let It Flow", NSDI 2017).
	Flowlet
	// Global takes the best way for each flowlet or packet by the local queue and by what
	// the switch behind it has signalled of its own: see [engine.beyond].
	Global
	// UseConWeave takes another way when replies are late, and puts packets in order again:
	// see [ConWeave].
	UseConWeave
	// UseCells lets packets cross the fabric as cells, when the port that they leave it by
	// has granted a credit: see [Cells].
	UseCells
)

func (b *Balancing) check() error {
	if b.Mode == Global && b.SignalInterval <= 0 {
		return fmt.Errorf("global load balancing with signals every %d ps", b.SignalInterval)
	}
	c := &b.ConWeave
	if min(c.ReplySlack, c.PathPause, c.FlushSlack, c.FirstWait, c.Expiry) < 0 || c.ReorderQueues < 0 {
		return fmt.Errorf("ConWeave's times and queues must not be below 0: %+v", *c)
	}
	return nil
}

// balancer forwards packets one by one instead of along routes that their flows have.
type balancer struct {
	mode BalancingMode
	gap  int64

	ends  []routeEnd // by destination
	sets  []int32    // by row and node: index in first
	first []int32    // where a set of next hops begins in hops; the next one begins at its end
	hops  []int32    // ports

	flowlets []flowlet // flowletSlots of each node; nil: each packet chooses

	signals    []int64 // by port; nil: ways are known by the local queue alone
	interval   int64   // between signals, ps
	signalling bool    // the next signals are planned
}

// routeEnd is where packets to a destination find their next hops. Destinations that hang on one
// switch by links that are alike share a row, which says nothing of the last hop.
type routeEnd struct {
	row  int   // where it begins in sets
	edge int32 // the switch before the destination, or none if the row is its own
	set  int32 // the next hop from there, an index in first
}

// flowlet is an entry of a switch's table. Flows share entries by a hash, as in hardware.
type flowlet struct {
	last int64 // packet
	port int32
}

const flowletSlots = 1 << 10

// builder of a balancer: sets of next hops that many destinations share are kept once.
type balancerBuilder struct {
	balancer
	known map[string]int32
	rows  map[int]int32 // by destination: index in ends
	share bool          // no link fails, so that what hangs on one switch is reached alike
}

func newBalancer(sc *Scenario) *balancerBuilder {
	if m := sc.Balancing.Mode; m >= UseConWeave || m == ECMP && len(sc.Outages) == 0 {
		return nil
	}
	b := &balancerBuilder{known: map[string]int32{}, rows: map[int]int32{}, share: len(sc.Outages) == 0}
	b.mode, b.gap = sc.Balancing.Mode, int64(sc.Balancing.FlowletGap)
	b.first = []int32{0}
	if b.mode == Global {
		b.signals, b.interval = make([]int64, 2*len(sc.Links)), int64(sc.Balancing.SignalInterval)
	}
	if b.mode == Flowlet || b.mode == Global && b.gap > 0 {
		b.flowlets = make([]flowlet, flowletSlots*len(sc.Nodes))
		for i := range b.flowlets {
			b.flowlets[i].last = math.MinInt64 / 2
		}
	}
	return b
}

// done is the finished balancer; nil if there is none to build.
func (b *balancerBuilder) done() *balancer {
	if b == nil {
		return nil
	}
	return &b.balancer
}

// row adds the next hops towards the root of a tree and returns which of ends says where they
// stand; -1 if there is no balancer to build. Twin is that the tree was known from the root before.
func (b *balancerBuilder) row(t *topology, r *tree, twin bool) int32 {
	if b == nil {
		return -1
	}
	row, ok := b.rows[r.root]
	if ok {
		return row
	}
	row = int32(len(b.ends))
	b.rows[r.root] = row
	if twin && b.share {
		port := t.ports[r.root][0] ^ 1 // its only link
		b.ends = append(b.ends, routeEnd{b.ends[row-1].row, int32(t.node(port)), b.set([]int32{port})})
		return row
	}
	b.ends = append(b.ends, routeEnd{len(b.sets), none, none})
	b.sets = append(b.sets, make([]int32, len(t.nodes))...)
	b.fill(row, t, r)
	return row
}

// fill writes the next hops of all nodes towards the root of a tree into its row.
func (b *balancerBuilder) fill(row int32, t *topology, r *tree) {
	for node, kind := range t.nodes {
		var hops []int32
		if kind == Switch && r.steps[node].rank >= 0 {
			hops = r.nextHops(t, node, nil)
		}
		b.sets[b.ends[row].row+node] = b.set(hops)
	}
}

func (b *balancerBuilder) set(hops []int32) int32 {
	key := make([]byte, 0, 4*len(hops))
	for _, h := range hops {
		key = append(key, byte(h), byte(h>>8), byte(h>>16), byte(h>>24))
	}
	i, ok := b.known[string(key)]
	if !ok {
		i = int32(len(b.first) - 1)
		b.known[string(key)] = i
		b.hops = append(b.hops, hops...)
		b.first = append(b.first, int32(len(b.hops)))
	}
	return i
}

// nextPort is the port by which a packet leaves a switch; -1 if no way leads on.
func (s *engine) nextPort(node int32, id packetID, pk *packet) int32 {
	if s.balancer == nil {
		out := s.routes[pk.route]
		pk.route++
		return out
	}
	b := s.balancer
	if b.mode == UseConWeave {
		return s.weaver.wovenPort(s, id, pk)
	}
	hops := b.hopsAt(node, pk)
	switch {
	case len(hops) == 0:
		return -1
	case len(hops) == 1:
		return hops[0]
	case b.mode == ECMP:
		return s.hashed(node, pk, hops)
	case b.mode == Spray:
		return hops[s.randoms[node].Uint64()%uint64(len(hops))]
	case b.flowlets != nil:
		return s.flowlet(node, pk, hops)
	}
	return s.shortest(node, pk, hops)
}

// hopsAt are the next hops from a node towards where a packet goes.
func (b *balancer) hopsAt(node int32, pk *packet) []int32 {
	end := &b.ends[pk.route]
	set := end.set
	if node != end.edge {
		set = b.sets[end.row+int(node)]
	}
	return b.hops[b.first[set]:b.first[set+1]]
}

// shortest is the port behind which a packet waits least; among equal ones, a random one.
func (s *engine) shortest(node int32, pk *packet, hops []int32) int32 {
	start := int(s.randoms[node].Uint64() % uint64(len(hops)))
	best, least := int32(none), int64(never)
	for i := range hops {
		port := hops[(start+i)%len(hops)]
		wait := s.load(port)
		if s.balancer.signals != nil {
			wait += s.beyond(port, pk)
		}
		if wait < least {
			best, least = port, wait
		}
	}
	return best
}

// load is the time in ps until a packet that comes now would be sent: as good as never at a
// port without link.
func (s *engine) load(port int32) int64 {
	p := &s.ports[port]
	if p.trouble&down != 0 {
		return never / 2
	}
	queued := float64(p.backlog) * 8e12 / s.rates[p.rateIndex]
	return int64(queued) + max(0, p.busyUntil-s.now)
}

func (s *engine) flowlet(node int32, pk *packet, hops []int32) int32 {
	key := uint64(pk.flow)<<1 | uint64(min(pk.kind, 1)) // acknowledgements are a flow of their own
	slot := key * 0x9e3779b97f4a7c15 >> (64 - 10)
	f := &s.balancer.flowlets[int(node)*flowletSlots+int(slot)]
	if s.now-f.last > s.balancer.gap || !slices.Contains(hops, f.port) || s.ports[f.port].trouble&down != 0 {
		f.port = s.shortest(node, pk, hops)
		s.flowletsBegun++
	}
	f.last = s.now
	return f.port
}
