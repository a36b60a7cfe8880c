package sim

import (
	"slices"

	"github.com/roceplan/roceplan/model/sim/balance"
)

// A run is divided into domains if it may use several cores, or if what it touches again and again is more than a
// processor's own cache holds: each domain has some of the switches with their hosts, and an engine with its own events,
// packets and agenda. All other state belongs to a node, a port, or a half of a queue pair, and is touched by the
// domain of that node alone.
//
// Between domains there are links. A packet that a domain sends now reaches another one after the
// link's delay at the earliest. So each domain can go on alone until the first event of all and the
// least such delay, the lookahead; then they hand over what is under way to each other, and go on
// (conservative synchronization: Chandy and Misra, "Distributed Simulation", IEEE TSE 1979; Nicol,
// "The Cost of Conservative Synchronization in Parallel Discrete Event Simulations", JACM 1993).
// Since the order of events of one instant at a node, and a node's random numbers, depend on that
// node alone (see [engine.place]), each node does exactly what it does in a run that is one.

// domain is an engine's part of a run that is divided.
type domain struct {
	self int
	of   []uint16 // by node: its domain
	out  []box    // by domain: what has been sent there since the last exchange
	next int64    // when the first of it arrives, or never
}

// box holds the items that go to a domain from others, in the order of each link.
type box struct {
	packets []sent
	extras  []extra    // of the same packets, if there is any
	told    []expected // messages that were posted to hosts there
}

// sent is a packet on a link to another domain.
type sent struct {
	at     int64 // when it arrives
	in     int32 // by which port
	packet packet
}

// extra holds the fields of a packet that [packetStore] keeps in parallel lists.
type extra struct {
	sentAt, held, ready int64
	telemetry           telemetry
}

// expected is a message that a queue pair's receiving half has to know of.
type expected struct{ pair, message int32 }

// send hands a packet over to the domain of the port at which it will arrive.
func (d *domain) send(s *engine, to uint16, in int32, id packetID, pk *packet, at int64) {
	b := &d.out[to]
	b.packets = append(b.packets, sent{at: at, in: in, packet: *pk})
	if s.sent != nil || s.ready != nil || s.int != nil {
		b.extras = append(b.extras, s.extra(id))
	}
	d.next = min(d.next, at)
	s.put(id)
}

// extra reads what a packet has of the parallel lists.
func (s *packetStore) extra(id packetID) (e extra) {
	if s.sent != nil {
		e.sentAt = s.sent[id]
	}
	if s.waited != nil {
		e.held = s.waited[id]
	}
	if s.ready != nil {
		e.ready = s.ready[id]
	}
	if s.int != nil {
		e.telemetry = s.int[id]
	}
	return e
}

// setExtra writes it.
func (s *packetStore) setExtra(id packetID, e *extra) {
	if s.sent != nil {
		s.sent[id] = e.sentAt
	}
	if s.waited != nil {
		s.waited[id] = e.held
	}
	if s.ready != nil {
		s.ready[id] = e.ready
	}
	if s.int != nil {
		s.int[id] = e.telemetry
	}
}

// tell lets a message's receiver know of it: before its first packet can be there.
func (d *domain) tell(s *engine, pair, message int32) {
	to := int(d.of[s.ports[s.flows[pair].receiver].node])
	if to == d.self {
		s.expect(pair, message)
		return
	}
	d.out[to].told = append(d.out[to].told, expected{pair, message})
}

// receive takes over what others have for this domain, and empties the box.
func (s *engine) receive(b *box) {
	for _, e := range b.told {
		s.expect(e.pair, e.message)
	}
	s.room(len(b.packets))
	for i := range b.packets {
		r := &b.packets[i]
		id := s.take()
		s.packets[id] = r.packet
		if b.extras != nil {
			s.setExtra(id, &b.extras[i])
		}
		pk := &s.packets[id]
		if p := &s.ports[r.in]; p.intake&ownQuiet != 0 {
			s.comeQuietly(r.in, id, pk, r.at+int64(s.txTimes[p.rateIndex][pk.size]))
		} else {
			s.fly(r.in, id, pk, r.at, s.place(arrival(r.in)))
		}
	}
	b.packets, b.extras, b.told = b.packets[:0], b.extras[:0], b.told[:0]
}

// maxDomains is the largest number of domains of a run: each has a box for each.
const maxDomains = 256

// domains returns the number of domains into which a run is to be divided. Small ones of about rackful hosts fit a
// processor's own cache, in which they stay for the time of a window; from many hosts on that is worth what it costs
// to hand packets over.
func (sc *Scenario) domains() int {
	const rackful, many = 64, 4096
	n := sc.Cores
	if hosts := sc.hostCount(); hosts >= many {
		n = max(n, hosts/rackful)
	}
	return min(n, maxDomains, sc.edgeCount())
}

// divide assigns nodes to n domains: runs of switches with hosts and their hosts, about as many
// ports each; another switch to where most of its links lead, unless that has its share, and else to where there is
// least.
func divide(sc *Scenario, n int) []uint16 {
	of, load := make([]uint16, len(sc.Nodes)), make([]int, n)
	edge, ports := sc.edges(), make([][]int, len(sc.Nodes)) // the nodes at the other ends of a node's links
	var hosts int
	for i := range sc.Links {
		a, b := sc.Links[i].A, sc.Links[i].B
		ports[a], ports[b] = append(ports[a], b), append(ports[b], a)
	}
	isHost := func(node int) bool { return sc.Nodes[node] == Host }
	for node := range sc.Nodes {
		if edge[node] {
			hosts += count(ports[node], isHost)
		}
	}
	placed, before := make([]bool, len(sc.Nodes)), 0
	for node := range sc.Nodes {
		if edge[node] {
			own := min(n-1, before*n/max(1, hosts))
			of[node], placed[node] = uint16(own), true
			load[own] += len(ports[node])
			before += count(ports[node], isHost)
		}
	}
	share := 0
	for node, kind := range sc.Nodes {
		if kind == Switch {
			share += len(ports[node])
		}
	}
	share = share/n + 1
	for node, kind := range sc.Nodes {
		if kind == Host || edge[node] {
			continue
		}
		links := make([]int, n)
		for _, peer := range ports[node] {
			if placed[peer] {
				links[of[peer]]++
			}
		}
		own := slices.Index(links, slices.Max(links))
		if load[own]+len(ports[node]) > share || links[own] < 2*slices.Min(links) {
			own = slices.Index(load, slices.Min(load))
		}
		of[node], placed[node] = uint16(own), true
		load[own] += len(ports[node])
	}
	for node, kind := range sc.Nodes {
		if kind == Host && len(ports[node]) > 0 {
			of[node] = of[ports[node][0]]
		}
	}
	return of
}

// edgeCount returns the number of switches with hosts.
func (sc *Scenario) edgeCount() (n int) {
	for _, edge := range sc.edges() {
		if edge {
			n++
		}
	}
	return n
}

func count(nodes []int, is func(int) bool) (n int) {
	for _, node := range nodes {
		if is(node) {
			n++
		}
	}
	return n
}

// lookahead returns the least delay of the links between domains, in ps.
func (sc *Scenario) lookahead(of []uint16) int64 {
	least := int64(never)
	for i := range sc.Links {
		if l := &sc.Links[i]; of[l.A] != of[l.B] {
			least = min(least, int64(l.Delay))
		}
	}
	return least
}

// ordered reports whether events of one instant happen in the order in which they were scheduled: in
// what ns-3 has run, and where each frame of a schedule has its time, which means what is
// scheduled first.
func (sc *Scenario) ordered() bool {
	return sc.Times == NS3Times || sc.FirstStream > 0 || len(sc.Generators) > 0
}

// divisible reports whether no node's state is touched by what happens at another at the same time. These
// are not, and run on one core: events that are [Scenario.ordered]; ways that are chosen by what far ports have
// signalled, ConWeave, and fabrics of cells; routes that change; DC, whose targets look at
// initiators; hosts that give up, which their receivers know at once; samples of all counters at
// one time; work of hosts, which their neighbours know of at once.
func (sc *Scenario) divisible() bool {
	sampled := sc.Observe != nil && (len(sc.Observe.Series) > 0 || sc.Observe.Counters != nil)
	work := slices.ContainsFunc(sc.Flows, func(f Flow) bool { return f.work() })
	ways := sc.Balancing.Mode >= balance.Global || len(sc.Outages) > 0
	return !work && !sc.ordered() && !sampled && !ways && sc.Transport.Service != DC && sc.Transport.AckTimeout == 0
}

// apart reports whether no message waits for another one between hosts of other domains.
func (sc *Scenario) apart(of []uint16) bool {
	for i := range sc.Flows {
		f := &sc.Flows[i]
		for _, list := range [2][]int32{f.After, f.Each} {
			for _, before := range list {
				if b := &sc.Flows[before]; b.Dst != f.Src && of[b.Src] != of[f.Src] {
					return false
				}
			}
		}
	}
	return true
}
