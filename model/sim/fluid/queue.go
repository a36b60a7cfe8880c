package fluid

import (
	"math"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// queue is what waits at a port of a switch.
type queue struct {
	bits   float64 // at time at
	at     int64   // ps
	inflow float64 // bit/s
	tells  float64 // bits from which on senders hear of it; infinite where nothing waits
	aims   float64 // bits that they bring it down to

	fillsAt int64 // when senders hear of it, as it grows, ps; 0: they do not
	seen    bool  // it is looked at again while it is longer than its aim
}

// Three numbers describe what a marking curve and its senders do to a queue. They are fitted to runs of packets, and docs/sim-fluid.md
// has how far they are off.
const (
	// hardlyMarked is the share of packets that are marked where senders first hear of a queue: one of thirty-odd, which a few flows have
	// under way in the time that an answer takes.
	hardlyMarked = 0.03
	// keptOfKMin is of Kmin what stays in a queue whose senders are all under control.
	keptOfKMin = 0.5
	// comesDown is the time in which what is above that leaves the queue, to a part of 1/e.
	comesDown = 30 * units.Microsecond
)

// newQueue is that of a port, by the curve of a class. Nothing waits at a host, whose queue pairs take turns, and where senders go by
// something other than marks: they are taken to be fair at once.
func newQueue(sc *sim.Scenario, port int, class uint8) queue {
	q := queue{tells: math.Inf(1), aims: math.Inf(1)}
	own, control := sc.Links[port/2].Egress[port%2], sc.Congestion.Algorithm
	if c := sc.Classes[class]; c != nil {
		control = c.Algorithm
	}
	marks := own != nil && own.ECN[class].KMax > 0 && (control == sim.UseDCQCN || control == sim.UseDCTCP)
	if sc.Nodes[nodeOf(sc, port)] == sim.Host || !marks {
		return q
	}
	c := own.ECN[class]
	q.tells = 8 * min(float64(c.KMax), float64(c.KMin)+hardlyMarked*float64(c.KMax-c.KMin)/c.PMax)
	q.aims = 8 * float64(c.KMin) * keptOfKMin
	return q
}

// none reports whether nothing waits there.
func (q *queue) none() bool { return math.IsInf(q.tells, 1) }

// changes lets what comes in change.
func (l *link) changes(e *engine, number int32, by float64) {
	l.advance(e.now)
	l.inflow += by
	if l.none() {
		return
	}
	l.fillsAt = 0
	if l.inflow > l.capacity*(1+1e-9) && l.bits < l.tells {
		l.fillsAt = e.now + int64(math.Ceil((l.tells-l.bits)/(l.inflow-l.capacity)*1e12))
		e.events.push(event{l.fillsAt, number, fills})
	}
}

// advance lets the queue be as it is now.
func (l *link) advance(now int64) {
	if !l.none() {
		l.bits = max(0, l.bits+(l.inflow-l.capacity)*float64(now-l.at)/1e12)
		l.at = now
	}
}

// drains is by how much senders stay below the link's rate, so that its queue becomes shorter.
func (l *link) drains(now int64) float64 {
	l.advance(now)
	return min(l.capacity/2, max(0, l.bits-l.aims)/(float64(comesDown)/1e12))
}

// fills lets all hear of a queue that has become long.
func (s *sharing) fills(e *engine, at int32, when int64) {
	l := &s.links[at]
	if l.fillsAt != when {
		return
	}
	l.fillsAt = 0
	for _, u := range l.users {
		s.hears(e, u.transfer)
	}
	s.look(e, at)
}

// look lets rates follow a queue while it is too long.
func (s *sharing) look(e *engine, at int32) {
	l := &s.links[at]
	l.advance(e.now)
	s.touch(at)
	if l.bits > l.aims && !l.seen {
		l.seen = true
		e.events.push(event{e.now + int64(comesDown)/8, at, looks})
	}
}

// hears lets a transfer hear of congestion, a round trip later, where there is some on its way.
func (s *sharing) hears(e *engine, at int32) {
	t := &s.transfers[at]
	if !t.blind || t.reacts != 0 {
		return
	}
	longest, told := 0.0, false
	for _, u := range t.uses {
		if l := &s.links[u.link]; !u.acks {
			l.advance(e.now)
			longest = max(longest, l.bits/l.capacity)
			told = told || l.bits >= l.tells*(1-1e-9)
		}
	}
	if told {
		t.reacts = e.now + t.trip + int64(longest*1e12)
		e.events.push(event{t.reacts, at, hears})
	}
}

// heard lets a transfer go at what is fair from now on.
func (s *sharing) heard(e *engine, at int32, when int64) {
	if t := &s.transfers[at]; t.reacts == when {
		t.blind = false
		s.set(e, at, s.goes(t))
	}
}

// queued is how long a transfer's last packet waits at the ports on its way, and its acknowledgement on the way back, ps.
func (s *sharing) queued(e *engine, uses []use) (there, back int64) {
	for _, u := range uses {
		l := &s.links[u.link]
		l.advance(e.now)
		waits := int64(u.part * l.bits / l.capacity * 1e12)
		if u.acks {
			back += waits
		} else {
			there += waits
		}
	}
	return there, back
}
