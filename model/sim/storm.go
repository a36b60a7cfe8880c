package sim

import (
	"fmt"

	"github.com/roceplan/roceplan/units"
)

// Storm is a NIC that pauses a class without end, because its receiving half is stuck: Guo et al.,
// "RDMA over Commodity Ethernet at Scale", SIGCOMM 2016, section 4.3. Its buffer is full: packets
// of the class that still arrive are lost. At the end it takes the pause back.
type Storm struct {
	Host     int        // node number
	Class    uint8      // 1 to 7
	From, To units.Time // 0 ≤ From; From < To, or To is 0: to the end of the run
}

func (s *builder) buildStorms() {
	s.storms = s.sc.Storms
	for i := range s.storms {
		storm := &s.storms[i]
		s.plan(taskStorm, int32(i), int64(storm.From))
		if storm.To > 0 {
			s.plan(taskCalm, int32(i), int64(storm.To))
		}
	}
}

// portOf returns the port of a host.
func (s *engine) portOf(host int) (pi int32, p *port) {
	for s.ports[pi].node != int32(host) {
		pi++
	}
	return pi, &s.ports[pi]
}

func (s *engine) stormBegins(i int32) {
	storm := &s.storms[i]
	pi, p := s.portOf(storm.Host)
	p.trouble |= stuck
	s.nics[p.nic].stuck |= 1 << storm.Class
	if p.pausing>>storm.Class&1 == 0 {
		s.pause(pi, p, storm.Class)
	}
}

func (s *engine) stormEnds(i int32) {
	storm := &s.storms[i]
	pi, p := s.portOf(storm.Host)
	n := &s.nics[p.nic]
	if n.stuck &^= 1 << storm.Class; n.stuck == 0 {
		p.trouble &^= stuck
	}
	s.resume(pi, p, storm.Class)
}

func (w *Storm) check(sc *Scenario) error {
	if !sc.hasPort(w.Host) || w.Class == 0 || w.Class >= classes || !sc.during(w.From, w.To) {
		return fmt.Errorf("node %d pauses class %d from %d to %d ps: want a host with a link, a class of 1 to 7, and an end after the begin", w.Host, w.Class, w.From, w.To)
	}
	return nil
}

// hasPort reports whether a node is a host with a link.
func (sc *Scenario) hasPort(node int) bool {
	for i := range sc.Links {
		if sc.isHost(node) && (sc.Links[i].A == node || sc.Links[i].B == node) {
			return true
		}
	}
	return false
}

// during reports whether a stretch of time begins before it ends, or never ends but with the
// run.
func (sc *Scenario) during(from, to units.Time) bool {
	return from >= 0 && (to > from || to == 0)
}
