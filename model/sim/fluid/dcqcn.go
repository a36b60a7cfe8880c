package fluid

import (
	"cmp"
	"math"

	"github.com/roceplan/roceplan/model/sim"
)

// sender is the part of a transfer that reacts to congestion. Times are in ps, rates in bit/s.
type sender struct {
	trip   int64   // until it can know of a mark
	looks  int64   // when it is looked whether a packet of it is marked; 0: it is not
	luck   float64 // so many marks are to be expected until there is one
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

// looksInTrip is how often within a round trip it is looked whether packets are marked.
const looksInTrip = 4

// watch lets a transfer look whether its packets are marked, after a time, while a queue on its way is so long that some are.
func (s *sharing) watch(e *engine, at int32, after int64) {
	t := &s.transfers[at]
	if _, waits := s.marked(e, t); t.group || t.looks != 0 || waits == 0 {
		return
	}
	t.looks = e.now + after + t.trip/looksInTrip
	e.events.push(event{t.looks, at, looks})
}

// marked is the share of packets that are marked on a transfer's way, and how long packets wait where some are, in seconds.
func (s *sharing) marked(e *engine, t *transfer) (share, waits float64) {
	for _, u := range t.uses {
		l := &s.links[u.link]
		if u.acks || l.none() {
			continue
		}
		if l.advance(e.now); l.bits >= l.kmin*(1-1e-9) {
			share, waits = max(share, l.marks()), max(waits, l.bits/l.capacity)
		}
	}
	return share, waits
}

// look lets a transfer hear of a mark that it has had a round trip ago, and adds up how many it has had since. Which packet is marked is
// drawn: as many marks are to be expected until the first one as an exponential distribution says.
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

// notifies reports whether a receiver sends a notification of a marked packet: it does so once in an interval.
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

// hear takes a notification: the rate is cut when the last cut is long enough ago.
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
	s.set(e, at, s.goes(t))
}

// risesLater lets a rate increase after a while.
func (s *sharing) risesLater(e *engine, at int32) {
	r := s.transfers[at].reaction
	r.risesAt = e.now + int64(s.law.DCQCN.IncreaseInterval)
	e.events.push(event{r.risesAt, at, rises})
}

// nearly is the share of its line at which a rate has risen to it.
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
	s.set(e, at, s.goes(t))
}

// Waits reports whether messages wait in queues: where DCQCN controls their class, which is that of the first. Under other controls all
// are fair at once.
func Waits(sc *sim.Scenario) bool {
	return len(sc.Flows) > 0 && lawOf(sc, sc.Flows[0].Class).Algorithm == sim.UseDCQCN
}

// lawOf is the congestion control of a class.
func lawOf(sc *sim.Scenario, class uint8) *sim.Congestion {
	if c := sc.Classes[class]; c != nil {
		return &c.Congestion
	}
	return &sc.Congestion
}
