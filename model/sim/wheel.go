package sim

import (
	"math/bits"
)

const (
	// reachBits is the binary logarithm of the timing wheel's reach: 2^22 ps, 4.2 us, which is a
	// transmission and a microsecond of cable.
	reachBits = 22

	// A slot is 1,024 ps, in which a pod of a hundred hosts has three events, or a quarter of that in
	// larger fabrics.
	maxSlotBits = 10
	minSlotBits = 8
)

// handful is the number of events that [sortFew] sorts, and that an open slot takes in one by one.
const handful = 64

// eventQueue returns events by time, and those of one time by order.
//
// Near events are in a timing wheel: unsorted in one bucket per slot ([buckets]), because a push
// should touch one place and no more. A slot is sorted when the clock reaches it; it then holds a
// handful or, where thousands of hosts do the same at one time, as many, which takes linear time
// ([sortEntries]). An event for the open slot goes to its place among a handful, and else to a heap
// of the slot. Times further ahead than the wheel reaches wait in a heap of their own.
type eventQueue struct {
	slot    int64   // number of the slot being emptied: time >> bits
	bits    uint8   // of the time within a slot
	ready   []entry // that slot's events, the first to happen last
	scratch []entry // of [eventQueue.open]
	unseen  int     // the number of ready that no [engine.glance] has met
	chained bool    // events of one time have an order that is not their own
	base    uint64  // of the orders in entries, if chained
	late    eventHeap

	buckets
	far eventHeap
}

// newEventQueue makes slots of 2^bits ps.
func newEventQueue(bits uint8, chained bool) *eventQueue {
	slots := 1 << (reachBits - bits)
	return &eventQueue{
		bits: bits, chained: chained, ready: make([]entry, 0, handful), far: make(eventHeap, 0, 64), buckets: newBuckets(slots),
	}
}

// slotBitsFor gives larger fabrics narrower slots, so that a slot's events stay few.
func slotBitsFor(hosts int) uint8 {
	narrower := bits.Len(uint(hosts / 256))
	return uint8(max(minSlotBits, maxSlotBits-narrower))
}

func (q *eventQueue) slotOf(at int64) int64 { return at >> (q.bits & 63) }

// push schedules an event that is not pending. The time must not be before the last popped event.
// order is [fixedPlace]'s, if events are not chained.
func (q *eventQueue) push(id eventID, at int64, order uint64, about packetID) {
	e := q.entryOf(id, at, order, about)
	slot := q.slotOf(at)
	switch ahead := slot - q.slot; {
	case ahead <= 0 && len(q.ready) <= handful:
		q.ready = append(q.ready, 0)
		putInto(q.ready, e)
	case ahead <= 0:
		q.late.push(pending{at, order, id, about})
	case ahead < int64(len(q.heads)):
		q.add(uint64(slot)&uint64(len(q.heads)-1), e)
	default:
		q.far.push(pending{at, order, id, about})
	}
}

// putInto puts an event into a sorted list whose last place is free.
func putInto(list []entry, e entry) {
	i := len(list) - 1
	for ; i > 0 && list[i-1] < e; i-- {
		list[i] = list[i-1]
	}
	list[i] = e
}

// settle makes the next event the last of the open slot's, and opens the next slot before a time if that has none; false if
// there is none either, and then events for that time or later may still be pushed.
func (q *eventQueue) settle(until int64) bool {
	if len(q.late) > 0 {
		if q.lateFirst() {
			e := q.late.pop()
			q.ready = append(q.ready, q.entryOf(e.id, e.at, e.order, e.about))
		}
		return true
	}
	return len(q.ready) > 0 || q.advance(until)
}

// popSettled takes the last event of the open slot, which [eventQueue.settle] has made the next one, if it is before a time.
func (q *eventQueue) popSettled(until int64) (e entry, at int64, ok bool) {
	n := len(q.ready) - 1
	e = q.ready[n]
	if at = q.timeOf(e); at >= until {
		return 0, 0, false
	}
	q.ready = q.ready[:n]
	return e, at, true
}

// pop takes the next event before a time, and returns when it is and its order; ok is false if there is none, and then events
// for that time or later may still be pushed.
func (q *eventQueue) pop(until int64) (id eventID, at int64, order uint64, ok bool) {
	if !q.settle(until) {
		return 0, 0, 0, false
	}
	e, at, ok := q.popSettled(until)
	return q.event(e), at, q.order(e), ok
}

// lateFirst reports whether the next event of the open slot is one of those that came late; there
// must be some.
func (q *eventQueue) lateFirst() bool {
	n := len(q.ready) - 1
	if n < 0 {
		return true
	}
	first := pending{at: q.timeOf(q.ready[n]), order: q.order(q.ready[n])}
	return q.late[0].before(&first)
}

// timeOf returns the time of an event of the slot being emptied.
func (q *eventQueue) timeOf(e entry) int64 { return q.slot<<(q.bits&63) | e.within() }

// next returns the time of the next event, or never. It opens no slot.
func (q *eventQueue) next() int64 {
	if len(q.late) > 0 && q.lateFirst() {
		return q.late[0].at
	}
	if n := len(q.ready); n > 0 {
		return q.timeOf(q.ready[n-1])
	}
	first := int64(never)
	if len(q.far) > 0 {
		first = q.far[0].at
	}
	if i, ok := q.nextUsed(q.slot + 1); ok {
		slot := q.slot + (int64(i)-q.slot)&int64(len(q.heads)-1)
		first = min(first, slot<<(q.bits&63)|q.least(i).within())
	}
	return first
}

// advance moves the clock to the next slot with events before a time and sorts them.
func (q *eventQueue) advance(until int64) bool {
	q.fetch()
	i, ok := q.nextUsed(q.slot + 1)
	if !ok {
		if len(q.far) == 0 || q.far[0].at >= until {
			return false
		}
		q.slot = q.slotOf(q.far[0].at) - 1
		q.fetch()
		i, _ = q.nextUsed(q.slot + 1)
	}
	slot := q.slot + (int64(i)-q.slot)&int64(len(q.heads)-1)
	if slot<<(q.bits&63) >= until {
		return false
	}
	q.slot = slot
	q.open(i)
	return true
}

// fetch takes over from the heap what has come within the wheel's reach.
func (q *eventQueue) fetch() {
	for len(q.far) > 0 && q.slotOf(q.far[0].at)-q.slot < int64(len(q.heads)) {
		e := q.far.pop()
		q.push(e.id, e.at, e.order, e.about)
	}
}

// open sorts the events of a slot.
func (q *eventQueue) open(i uint64) {
	u := &q.bunches[q.heads[i]]
	if u.next == none {
		q.openBunch(i, u)
		return
	}
	taken := q.take(i, q.scratch[:0])
	if len(taken) > handful {
		q.ready, q.scratch = sortEntries(taken, q.ready)
	} else {
		q.ready, q.scratch = q.ready[:len(taken)], taken
		sortFew(taken, q.ready)
	}
	q.unseen = len(q.ready)
}

// openBunch is [eventQueue.open] for a slot with one bunch of events, as most have.
func (q *eventQueue) openBunch(i uint64, u *bunch) {
	q.ready, q.unseen = q.ready[:u.count], int(u.count)
	sortFew(u.entries[:u.count], q.ready)
	u.next, q.free, q.heads[i] = q.free, q.heads[i], none
	q.clear(i)
}

// empty reports whether no event is pending.
func (q *eventQueue) empty() bool {
	if len(q.ready) > 0 || len(q.late) > 0 || len(q.far) > 0 {
		return false
	}
	_, ok := q.nextUsed(0)
	return !ok
}

// remove takes back an event that is pending at the given time.
func (q *eventQueue) remove(id eventID, at int64) {
	slot := q.slotOf(at)
	if slot <= q.slot {
		q.removeReady(id)
	} else if slot-q.slot >= int64(len(q.heads)) || !q.removePlaced(id, slot) {
		q.far.remove(id)
	}
}

func (q *eventQueue) removeReady(id eventID) {
	for i, e := range q.ready {
		if q.event(e) == id {
			q.ready = append(q.ready[:i], q.ready[i+1:]...)
			return
		}
	}
	q.late.remove(id)
}

// removePlaced takes an event out of a slot's bucket; false if it is not there, because
// it was pushed when the slot was out of reach.
func (q *eventQueue) removePlaced(id eventID, slot int64) bool {
	i := uint64(slot) & uint64(len(q.heads)-1)
	return q.drop(i, func(e entry) bool { return q.event(e) == id })
}
