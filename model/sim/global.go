package sim

// beyond is the least wait that the switch behind a port has signalled for where a packet
// goes, in ps. With the wait at the port itself it is the quality of a way, as in global load
// balancing: the next hop's links count too, as far as the next-next-hop (Juniper, "Global
// Load Balancing (GLB)", Junos OS; Broadcom calls it cognitive routing). A link's quality
// comes from its load and its queue, in eight bands there; here it is the wait in its queue.
//
// Signals are as old as the last multiple of [Balancing.SignalInterval], and their own way
// takes no time. In Juniper's Apstra 6.1 the defaults are 10 ms between messages and 20 ms
// until hardware knows (apstra-user-guide, "Configure Global Load Balancing").
func (s *engine) beyond(port int32, pk *packet) int64 {
	b := s.balancer
	if !b.signalling {
		s.planSignal()
	}
	next := &s.ports[port^1]
	if next.nic >= 0 {
		return 0
	}
	hops := b.hopsAt(next.node, pk)
	if len(hops) == 0 {
		return never / 2
	}
	least := b.signals[hops[0]]
	for _, h := range hops[1:] {
		least = min(least, b.signals[h])
	}
	return least
}

func (s *engine) planSignal() {
	b := s.balancer
	b.signalling = true
	s.plan(taskSignal, 0, (s.now/b.interval+1)*b.interval)
}

// signal tells all switches what waits at their neighbours. As long as nothing changes and no
// packet asks, there are no further signals.
func (s *engine) signal() {
	changed := false
	for i := range s.ports {
		if s.ports[i].nic >= 0 {
			continue
		}
		wait := s.load(int32(i))
		changed = changed || wait != s.balancer.signals[i]
		s.balancer.signals[i] = wait
	}
	if s.balancer.signalling = false; changed {
		s.planSignal()
	}
}
