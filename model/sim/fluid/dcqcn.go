package fluid

import (
	"cmp"
	"math"
	"slices"

	"github.com/roceplan/roceplan/model/sim"
)

// sender is the part of a transfer that reacts to congestion. Times are in ps, rates in bit/s.
type sender struct {
	trip   int64   // from a mark until it can know of it
	looks  int64   // time of the next look for a marked packet; 0: none is due
	luck   float64 // expected marks that are left until a packet is marked
	silent int64   // until when its receiver sends no notification

	*reaction // nil: it has heard of no congestion
}

// reaction is a queue pair's DCQCN that has heard of congestion: see [sim.DCQCN].
type reaction struct {
	now, target, alpha float64 // rates, and how bad congestion is
	stage              int     // increases since the last cut
	heard              bool    // since the last cut
	agedAt, cutAt      int64
	risesAt            int64
}

// looksInTrip is the number of looks for a marked packet in a round trip.
const looksInTrip = 4

// watch lets a transfer look for a marked packet, after a time, if a queue on its way is so long that some are marked.
func (s *sharing) watch(e *engine, at int32, after int64) {
	t := &s.transfers[at]
	if _, waits := s.marked(e, t); t.group || t.looks != 0 || waits == 0 {
		return
	}
	t.looks = e.now + after + t.trip/looksInTrip
	e.events.push(event{t.looks, at, looks})
}

// marked returns the largest share of packets that a queue on a transfer's way marks, and the longest wait in such a
// queue, in seconds.
func (s *sharing) marked(e *engine, t *transfer) (share, waits float64) {
	for i := range t.uses {
		u := &t.uses[i]
		if !u.queues {
			continue
		}
		l := &s.links[u.link]
		if l.advance(e.now); l.bits >= l.kmin*(1-1e-9) {
			share, waits = max(share, l.marks()), max(waits, l.bits/l.capacity)
		}
	}
	return share, waits
}

// look lets a transfer react to a mark of a round trip ago, and adds up the marks that are expected
// since. The marked packet is drawn: the number of expected marks until the first one has an
// exponential distribution of mean 1.
func (s *sharing) look(e *engine, at int32, when int64) {
	t := &s.transfers[at]
	if t.looks != when {
		return
	}
	t.looks = 0
	if t.luck <= 0 {
		t.luck = s.random.ExpFloat64()
		s.hear(e, at)
	}
	share, waits := s.marked(e, t)
	if waits == 0 {
		return
	}
	after := t.trip / looksInTrip
	if t.luck -= share * t.rate * float64(after) / 1e12 / s.packet; t.luck <= 0 {
		if s.notifies(e, t) {
			after = t.trip
		} else {
			t.luck = s.random.ExpFloat64()
		}
	}
	t.looks = e.now + after
	e.events.push(event{t.looks, at, looks})
}

// notifies reports whether a receiver sends a notification of a marked packet: at most once in an interval.
func (s *sharing) notifies(e *engine, t *transfer) bool {
	after := &t.silent
	if e.sc.Transport.CNPPerPort {
		for _, u := range t.uses {
			if !u.acks {
				after = &s.links[u.link].silent // at last that of the link to the receiver
			}
		}
	}
	if e.now < *after {
		return false
	}
	*after = e.now + int64(e.sc.Transport.CNPInterval)
	return true
}

// hear takes a notification: the rate is cut once the last cut is a decrease interval ago.
func (s *sharing) hear(e *engine, at int32) {
	t, c := &s.transfers[at], &s.law.DCQCN
	if t.reaction == nil {
		first := t.limit
		if c.FirstRate > 0 {
			first = min(first, float64(max(c.FirstRate, s.law.MinRate)))
		}
		t.reaction = &reaction{now: first, target: first, alpha: cmp.Or(c.InitialAlpha, 1), agedAt: e.now, cutAt: e.now}
	}
	if r := t.reaction; !r.heard {
		r.heard, r.cutAt = true, max(e.now, r.cutAt+int64(c.DecreaseInterval))
		e.events.push(event{r.cutAt, at, cuts})
	}
}

// cut decreases a rate.
func (s *sharing) cut(e *engine, at int32, when int64) {
	t, c := &s.transfers[at], &s.law.DCQCN
	r := t.reaction
	if r == nil || !r.heard || r.cutAt != when {
		return
	}
	if n := (when - r.agedAt) / int64(c.AlphaInterval); n > 0 {
		r.agedAt += n * int64(c.AlphaInterval)
		r.alpha = (r.alpha*(1-c.Gain) + c.Gain) * math.Pow(1-c.Gain, float64(n-1))
	}
	if c.ClampTarget || r.stage > 0 && !c.KeepAfterTimer {
		r.target = r.now
	}
	r.now = max(float64(s.law.MinRate), r.now*c.Keeps(r.alpha))
	r.stage, r.heard = 0, false
	s.risesLater(e, at)
	s.follow(e, at)
}

// follow gives a transfer the rate that it may send at now.
func (s *sharing) follow(e *engine, at int32) {
	t := &s.transfers[at]
	if rate := s.goes(t); rate != t.rate {
		s.set(e, at, rate)
	}
}

// risesLater schedules the next increase of a rate.
func (s *sharing) risesLater(e *engine, at int32) {
	r := s.transfers[at].reaction
	r.risesAt = e.now + int64(s.law.DCQCN.IncreaseInterval)
	e.events.push(event{r.risesAt, at, rises})
}

// nearly is the share of the line rate from which on a rate counts as the line rate.
const nearly = 0.999

// rise increases a rate.
func (s *sharing) rise(e *engine, at int32, when int64) {
	t, c := &s.transfers[at], &s.law.DCQCN
	r := t.reaction
	if r == nil || r.risesAt != when {
		return
	}
	switch {
	case r.stage < c.FastRecovery:
	case r.stage > c.FastRecovery && c.ByteCounter == 0:
		r.target = min(r.target+float64(c.Hyper), t.limit)
	default:
		r.target = min(r.target+float64(c.Additive), t.limit)
	}
	r.now = (r.now + r.target) / 2
	if r.stage++; r.now < nearly*t.limit {
		s.risesLater(e, at)
	}
	s.follow(e, at)
}

// Unmodelled returns the name of the congestion control of messages' first class if a run does not model it: flows
// are then fair at once, and none waits in queues. Empty: it is DCQCN. A run takes the first class for all; others
// are the controls of more classes, by name.
func Unmodelled(sc *sim.Scenario, classes ...uint8) (first string, others []string) {
	taken := lawOf(sc, classes[0]).Algorithm
	if taken != sim.UseDCQCN {
		first = taken.String()
	}
	for _, class := range classes {
		if a := lawOf(sc, class).Algorithm; a != taken && !slices.Contains(others, a.String()) {
			others = append(others, a.String())
		}
	}
	slices.Sort(others)
	return first, others
}

// lawOf returns the congestion control of a class.
func lawOf(sc *sim.Scenario, class uint8) *sim.Congestion {
	if c := sc.Classes[class]; c != nil {
		return &c.Congestion
	}
	return &sc.Congestion
}
