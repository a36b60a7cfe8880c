package fluid

import (
	"math"

	"github.com/roceplan/roceplan/model/sim"
)

// queue has the bits that wait at a port of a switch: those that come in beyond the link's rate.
type queue struct {
	bits   float64 // at time at
	at     int64   // ps
	inflow float64 // bit/s

	open bool // whether anything waits there

	// A packet that leaves is marked with a probability that rises from 0 at kmin bits behind it to most at kmax, and is 1 above.
	kmin, kmax, most float64

	fillsAt int64 // when it reaches kmin at its present growth, ps; 0: it does not
	due     int64 // of the event that looks whether it has, ps; 0: there is none
	silent  int64 // until when the receiver behind the port sends no notification, ps
}

// newQueue returns the queue of a port, with the curve of a class. Nothing waits at a host, where queue pairs take
// turns, nor under a congestion control other than DCQCN, where flows are taken to be fair at once.
func newQueue(sc *sim.Scenario, port int, class uint8) queue {
	own := sc.Links[port/2].Egress[port%2]
	if sc.Nodes[nodeOf(sc, port)] == sim.Host || own == nil || own.ECN[class].KMax == 0 || lawOf(sc, class).Algorithm != sim.UseDCQCN {
		return queue{kmin: math.Inf(1)}
	}
	c := own.ECN[class]
	return queue{open: true, kmin: 8 * float64(c.KMin), kmax: 8 * float64(c.KMax), most: c.PMax}
}

// none reports whether nothing waits there.
func (q *queue) none() bool { return !q.open }

// marks returns the probability that the packet that leaves now is marked.
func (q *queue) marks() float64 {
	switch {
	case q.bits <= q.kmin:
		return 0
	case q.bits > q.kmax:
		return 1
	}
	return q.most * (q.bits - q.kmin) / (q.kmax - q.kmin)
}

// changes adds to the traffic that comes in, in bit/s.
func (l *link) changes(e *engine, number int32, by float64) {
	l.advance(e.now)
	l.inflow += by
	if l.none() {
		return
	}
	l.fillsAt = 0
	if l.inflow > l.capacity*(1+1e-9) && l.bits < l.kmin {
		l.fillsAt = e.now + int64(math.Ceil((l.kmin-l.bits)/(l.inflow-l.capacity)*1e12))
		l.await(e, number)
	}
}

// await lets an event look at the time at which the queue reaches kmin. One that is due before stays, and looks again.
func (l *link) await(e *engine, number int32) {
	if l.fillsAt != 0 && (l.due == 0 || l.fillsAt < l.due) {
		l.due = l.fillsAt
		e.events.push(event{l.due, number, fills})
	}
}

// advance brings the queue to the present time.
func (l *link) advance(now int64) {
	if !l.none() {
		l.bits = max(0, l.bits+(l.inflow-l.capacity)*float64(now-l.at)/1e12)
		l.at = now
	}
}

// fills lets all transfers of a link look at its queue, which has reached kmin.
func (s *sharing) fills(e *engine, at int32, when int64) {
	l := &s.links[at]
	if l.due != when {
		return
	}
	l.due = 0
	if l.fillsAt != when {
		l.await(e, at)
		return
	}
	l.fillsAt = 0
	for _, u := range l.users {
		s.watch(e, u.transfer, 0)
	}
}

// queued returns the time that a transfer's last packet waits at the ports on its way, and its acknowledgement on the
// way back, in ps.
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
