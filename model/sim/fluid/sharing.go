package fluid

import (
	"math"
	"sort"
)

// A use is the part of a link that a flow takes: a multiple of its rate. Acknowledgements have no fair part: they are few, and go
// first.
type use struct {
	link   int32
	acks   bool
	fair   bool // whether the link gives it its fair part: see [sharing.divides]
	queues bool // whether its data may wait at the link
	weight float64
	part   float64 // of its packets that pass the link, or one of those that it represents
}

// transfer is a message that is being sent, or the steps of a group.
type transfer struct {
	of     int32 // a message or, of a group, its number
	group  bool
	uses   []use
	places []int32 // in the lists of its links

	left  float64 // bits, at time at
	at    int64   // ps
	until int64   // when it ends at its rate, ps
	due   int64   // of the event that looks whether it has ended, ps; 0: there is none
	limit float64 // bit/s
	rate  float64

	sender
}

// link is a resource that transfers share.
type link struct {
	capacity float64 // bit/s
	level    float64 // the rate that no transfer over it goes above
	users    []user
	divided  int // users that it divides its rate among: only they have a level
	dirty    bool
	visits   int // since something began or ended
	queue
}

// user is one of a link's transfers: by the number of its use there.
type user struct{ transfer, use int32 }

// sharing keeps rates max-min fair.
type sharing struct {
	links     []link
	transfers []transfer
	free      []int32
	dirty     []int32
	limits    byLimit
	routing
}

type limited struct{ limit, weight float64 }

// byLimit sorts them.
type byLimit []limited

func (l *byLimit) Len() int           { return len(*l) }
func (l *byLimit) Less(i, j int) bool { return (*l)[i].limit < (*l)[j].limit }
func (l *byLimit) Swap(i, j int)      { (*l)[i], (*l)[j] = (*l)[j], (*l)[i] }

// resolution is the least share by which a rate changes: rates are fair to this share.
const resolution = 1. / 128

// leastAcks is the least share of a link by which acknowledgements change before other rates there follow.
const leastAcks = resolution / 4

// mostVisits is the largest number of visits of a link after one change.
const mostVisits = 16

// begin adds a transfer.
func (s *sharing) begin(e *engine, t transfer) {
	at := int32(len(s.transfers))
	if n := len(s.free); n > 0 {
		at, s.free = s.free[n-1], s.free[:n-1]
		s.transfers[at] = t
	} else {
		s.transfers = append(s.transfers, t)
	}
	own := &s.transfers[at]
	own.at, own.until, own.places = e.now, math.MaxInt64, make([]int32, len(own.uses))
	for k := range own.uses {
		u := &own.uses[k]
		l := &s.links[u.link]
		own.places[k] = int32(len(l.users))
		l.users = append(l.users, user{at, int32(k)})
		if u.fair, u.queues = l.divides(own, u), !u.acks && !l.none(); u.fair {
			l.divided++
		}
	}
	s.set(e, at, s.goes(own))
	own.luck = s.random.ExpFloat64()
	_, waits := s.marked(e, own)
	s.watch(e, at, int64(waits*1e12)) // its packets come out behind what waits
}

// finish takes a transfer away.
func (s *sharing) finish(e *engine, at int32) {
	t := &s.transfers[at]
	for k, u := range t.uses {
		l := &s.links[u.link]
		l.changes(e, u.link, -u.weight*t.rate)
		last := l.users[len(l.users)-1]
		l.users[t.places[k]] = last
		s.transfers[last.transfer].places[last.use] = t.places[k]
		l.users = l.users[:len(l.users)-1]
		if u.fair {
			l.divided--
		}
		s.touch(u.link)
	}
	*t = transfer{until: math.MaxInt64}
	s.free = append(s.free, at)
}

// touch notes that what a link carries has changed.
func (s *sharing) touch(at int32) {
	switch l := &s.links[at]; {
	case l.divided == 0:
		l.level = math.Inf(1)
	case !l.dirty && l.visits < mostVisits:
		l.dirty = true
		s.dirty = append(s.dirty, at)
	}
}

// goes returns the rate that a transfer may send at.
func (s *sharing) goes(t *transfer) float64 { return s.allowed(t, none) }

// allowed returns the rate that all links of a transfer but one allow: its fair part where nothing waits, as at its
// host's port, and DCQCN's rate; of a group its fair part everywhere.
func (s *sharing) allowed(t *transfer, but int32) float64 {
	rate := t.limit
	if t.reaction != nil {
		rate = min(rate, t.reaction.now)
	}
	for i := range t.uses {
		if u := &t.uses[i]; u.fair && u.link != but {
			rate = min(rate, s.links[u.link].level)
		}
	}
	return rate
}

// divides reports whether a link gives a transfer its fair part: it does not for acknowledgements, nor where messages wait in a queue.
func (l *link) divides(t *transfer, u *use) bool { return !u.acks && (t.group || l.none()) }

// set gives a transfer a rate from now on.
func (s *sharing) set(e *engine, at int32, rate float64) {
	t := &s.transfers[at]
	t.left = max(0, t.left-t.rate*float64(e.now-t.at)/1e12)
	change := rate - t.rate
	t.rate = rate
	s.goesOn(e, at)
	for i := range t.uses {
		u := &t.uses[i]
		l := &s.links[u.link]
		l.changes(e, u.link, u.weight*change)
		if !u.acks || u.weight*math.Abs(change) > leastAcks*l.capacity {
			s.touch(u.link)
		}
	}
}

// goesOn schedules the end of a transfer at its rate.
func (s *sharing) goesOn(e *engine, at int32) {
	t := &s.transfers[at]
	t.at, t.until = e.now, e.now+int64(math.Ceil(t.left/t.rate*1e12))
	s.await(e, at)
}

// await lets an event look at the time at which a transfer ends. One that is due before stays, and looks again.
func (s *sharing) await(e *engine, at int32) {
	if t := &s.transfers[at]; t.due == 0 || t.until < t.due {
		t.due = t.until
		e.events.push(event{t.due, at, ends})
	}
}

// relax lets rates follow a change, link by link, until none changes by more than the resolution (A. Charny, D. Clark and R. Jain,
// "Congestion Control with Explicit Rate Indication", ICC 1995, show that this ends).
func (s *sharing) relax(e *engine) {
	for n := 0; n < len(s.dirty); n++ {
		at := s.dirty[n]
		l := &s.links[at]
		l.dirty = false
		l.visits++
		level := s.level(at)
		if level == l.level {
			continue
		}
		l.level = level
		for _, u := range l.users {
			t := &s.transfers[u.transfer]
			if !t.uses[u.use].fair {
				continue
			}
			if rate := s.goes(t); math.Abs(rate-t.rate) > resolution*t.rate {
				s.set(e, u.transfer, rate)
			}
		}
	}
	for _, at := range s.dirty {
		s.links[at].visits = 0
	}
	s.dirty = s.dirty[:0]
}

// level returns the fair rate at a link: the highest of the transfers that it divides its rate among; infinite if it
// has room for the rates that their other links allow. It carries all other traffic first.
func (s *sharing) level(at int32) float64 {
	l := &s.links[at]
	room, wanted := l.capacity, 0.0
	s.limits = s.limits[:0]
	for _, u := range l.users {
		t := &s.transfers[u.transfer]
		own := &t.uses[u.use]
		if !own.fair {
			room -= own.weight * t.rate
			continue
		}
		limit := s.allowed(t, at)
		wanted += own.weight * limit
		s.limits = append(s.limits, limited{limit, own.weight})
	}
	if wanted <= room*(1+1e-9) {
		return math.Inf(1)
	}
	room = max(room, l.capacity/16) // other traffic does not fill a link for ever
	sort.Sort(&s.limits)
	weight := 0.0
	for _, u := range s.limits {
		weight += u.weight
	}
	for _, u := range s.limits {
		if u.limit*weight >= room {
			break
		}
		room -= u.limit * u.weight
		weight -= u.weight
	}
	return room / weight
}
