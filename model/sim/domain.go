package sim

import "slices"

// A run on several cores is divided into domains: each has some of the switches with their hosts,
// and an engine with its own events, packets and agenda. All other state belongs to a node, a port, or a
// half of a queue pair, and is touched by the domain of that node alone.
//
// Between domains there are links. What a domain sends now reaches another one after the
// link's delay at the earliest. So all domains can go on alone until the first event of all and
// the least such delay, the lookahead; then they hand over what is under way to each other, and
// go on (conservative synchronization: Chandy and Misra, "Distributed Simulation", IEEE TSE 1979; Nicol,
// "The Cost of Conservative Synchronization in Parallel Discrete Event Simulations", JACM
// 1993). Since the order of events of one instant at a node, and a node's random numbers,
// depend on that node alone (see [engine.place]), each node does exactly what it does in a run on one core.

// domain is an engine's part of a run on several cores.
type domain struct {
	self    int
	of      []uint8      // by node: its domain
	packets [][]sent     // by domain: what has been sent there since the last exchange
	told    [][]expected // by domain: messages that were posted to hosts there
}

// sent is a packet on a link to another domain.
type sent struct {
	in     int32 // port at which it will arrive
	at     int64 // when
	packet packet

	sentAt, ready int64 // of [packetStore]
	telemetry     telemetry
}

// expected is a message that a queue pair's receiving half has to know of.
type expected struct{ pair, message int32 }

// send hands a packet over to the domain of the port at which it will arrive.
func (d *domain) send(s *engine, in int32, id packetID, pk *packet, at int64) {
	to := d.of[s.ports[in].node]
	list := append(d.packets[to], sent{in: in, at: at, packet: *pk})
	d.packets[to] = list
	r := &list[len(list)-1]
	if s.sent != nil {
		r.sentAt = s.sent[id]
	}
	if s.ready != nil {
		r.ready = s.ready[id]
	}
	if s.int != nil {
		r.telemetry = s.int[id]
	}
	s.put(id)
}

// tell lets a message's receiver know of it: before its first packet can be there.
func (d *domain) tell(s *engine, pair, message int32) {
	to := int(d.of[s.ports[s.flows[pair].receiver].node])
	if to == d.self {
		s.expect(pair, message)
		return
	}
	d.told[to] = append(d.told[to], expected{pair, message})
}

// receive takes over what another domain has for this one.
func (s *engine) receive(from *domain) {
	self := s.domain.self
	for _, e := range from.told[self] {
		s.expect(e.pair, e.message)
	}
	for i := range from.packets[self] {
		r := &from.packets[self][i]
		s.room(1)
		id := s.take()
		s.packets[id] = r.packet
		if s.sent != nil {
			s.sent[id] = r.sentAt
		}
		if s.ready != nil {
			s.ready[id] = r.ready
		}
		if s.int != nil {
			s.int[id] = r.telemetry
		}
		s.fly(r.in, id, &s.packets[id], r.at, s.place(arrival(r.in)))
	}
}

// forgetSent empties the lists that the others have taken over.
func (d *domain) forgetSent() {
	for i := range d.packets {
		d.packets[i], d.told[i] = d.packets[i][:0], d.told[i][:0]
	}
}

// divide assigns nodes to n domains: runs of switches with hosts and their hosts, about as many
// ports each; another switch to where most of its links lead, unless that has its share, and else to where there is
// least.
func divide(sc *Scenario, n int) []uint8 {
	of, load := make([]uint8, len(sc.Nodes)), make([]int, n)
	edge, ports := sc.edges(), make([][]int, len(sc.Nodes)) // the nodes at the other ends of a node's links
	hosts := 0
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
			of[node], placed[node] = uint8(own), true
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
		of[node], placed[node] = uint8(own), true
		load[own] += len(ports[node])
	}
	for node, kind := range sc.Nodes {
		if kind == Host && len(ports[node]) > 0 {
			of[node] = of[ports[node][0]]
		}
	}
	return of
}

// edgeCount is how many switches have hosts.
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

// lookahead is the least delay of the links between domains, in ps.
func (sc *Scenario) lookahead(of []uint8) int64 {
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
	ways := sc.Balancing.Mode >= Global || len(sc.Outages) > 0
	return !work && !sc.ordered() && !sampled && !ways && sc.Transport.Service != DC && sc.Transport.AckTimeout == 0
}

// apart reports whether no message waits for another one between hosts of other domains.
func (sc *Scenario) apart(of []uint8) bool {
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
