package balance

// Signals report the quality of a switch's ports to its neighbours, for global load balancing: the
// next hop's links count too, as far as the next-next-hop (Juniper, "Global Load Balancing (GLB)",
// Junos OS; Broadcom calls it cognitive routing). A link's quality comes from its load and its
// queue, in eight bands there; here it is the wait in its queue.
//
// Signals are as old as the last multiple of [Config.SignalInterval], and their own way
// takes no time. In Juniper's Apstra 6.1 the defaults are 10 ms between messages and 20 ms
// until hardware knows (apstra-user-guide, "Configure Global Load Balancing").
//
// As long as nothing changes and no packet asks, there are none.
type Signals struct {
	interval int64
	waits    []int64 // by port, ps
	planned  bool    // the next ones
	changed  bool    // since the last ones
}

func newSignals(interval int64, ports int) *Signals {
	return &Signals{interval: interval, waits: make([]int64, ports)}
}

// Least returns the shortest wait that the switch has signalled that these next hops lead on from, in ps.
func (s *Signals) Least(hops []int32) int64 {
	least := int64(Dead)
	for _, h := range hops {
		least = min(least, s.waits[h])
	}
	return least
}

// Wanted notes that a packet asks, and returns when the next signals are due; ok is false if they
// are planned already.
func (s *Signals) Wanted(now int64) (at int64, ok bool) {
	if s.planned {
		return at, false
	}
	s.planned = true
	return (now/s.interval + 1) * s.interval, true
}

// Tell signals the wait at a switch's port.
func (s *Signals) Tell(port int32, wait int64) {
	s.changed = s.changed || wait != s.waits[port]
	s.waits[port] = wait
}

// Told ends the signals of a time, and returns when the next are due; ok is false if nothing has
// changed.
func (s *Signals) Told(now int64) (at int64, ok bool) {
	changed := s.changed
	s.planned, s.changed = false, false
	if !changed {
		return at, false
	}
	return s.Wanted(now)
}
