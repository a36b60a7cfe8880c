package sim

import (
	"math"
	"math/bits"
)

const (
	// reachBits is how far ahead the timing wheel reaches: 2^22 ps, 4.2 us, which is a
	// transmission and a microsecond of cable.
	reachBits = 22

	// A slot is 1,024 ps, in which a pod of a hundred hosts has three events, or a quarter of that in
	// larger fabrics.
	maxSlotBits = 10
	minSlotBits = 8

	// orderBits leaves room above an order for the time within a slot.
	orderBits = 64 - maxSlotBits
	orderMask = 1<<orderBits - 1
)

// handful is how many events are sorted by insertion.
const handful = 64

// eventID names an event by what it does; at any time each is pending at most once.
type eventID int32

// eventQueue returns events by time, and those of one time by order.
//
// Near events stand in a timing wheel: unsorted in one bucket per slot ([buckets]), because a
// push should touch one place and no more. A slot is sorted when the clock reaches it; it
// then holds a handful or, where thousands of hosts do the same at one time, as many, which takes
// linear time ([sortEntries]). What is pushed into a slot that is open goes to its place among a
// handful, and else to a heap beside it. Times further ahead than the wheel reaches wait in a
// heap of their own.
//
// Within a slot an event is one number: the time within the slot in the high bits,
// the order in the low ones, so that a comparison is one instruction.
type eventQueue struct {
	slot    int64   // number of the slot being emptied: time >> bits
	bits    uint8   // of the time within a slot
	ready   []entry // that slot's events, the first to happen last
	scratch []entry // of [sortEntries]
	unseen  int     // how many of ready no [engine.glance] has met
	late    entryHeap

	buckets
	used  []uint64 // a bit per slot that is not empty
	words []uint64 // a bit per word of used that is not zero
	far   farHeap
}

type entry struct {
	key   uint64
	id    eventID
	about packetID // the packet that it is likely to be about, or 0: for [engine.glance]
}

// newEventQueue makes slots of 2^bits ps.
func newEventQueue(bits uint8) *eventQueue {
	slots := 1 << (reachBits - bits)
	return &eventQueue{
		bits: bits, ready: make([]entry, 0, 64), far: make(farHeap, 0, 64), buckets: newBuckets(slots),
		used: make([]uint64, slots/64), words: make([]uint64, (slots/64+63)/64),
	}
}

// slotBitsFor gives larger fabrics narrower slots, so that a slot's events stay few.
func slotBitsFor(hosts int) uint8 {
	narrower := bits.Len(uint(hosts / 256))
	return uint8(max(minSlotBits, maxSlotBits-narrower))
}

func (q *eventQueue) slotOf(at int64) int64 { return at >> (q.bits & 63) }

func (q *eventQueue) key(at int64, order uint64) uint64 {
	within := uint64(at) & (1<<(q.bits&63) - 1)
	return within<<orderBits | order
}

// push schedules an event that is not pending. The time must not lie before the last
// popped event; order must be below 1<<orderBits.
func (q *eventQueue) push(id eventID, at int64, order uint64, about packetID) {
	slot, key := q.slotOf(at), q.key(at, order)
	switch ahead := slot - q.slot; {
	case ahead <= 0 && len(q.ready) <= handful:
		q.ready = insert(q.ready, entry{key, id, about})
	case ahead <= 0:
		q.late.push(entry{key, id, about})
	case ahead < int64(len(q.heads)):
		q.place(slot, entry{key, id, about})
	default:
		q.far.push(farEvent{at, order, id, about})
	}
}

// place puts an event into the bucket of a slot within reach.
func (q *eventQueue) place(slot int64, e entry) {
	i := uint64(slot) & uint64(len(q.heads)-1)
	if q.add(i, e) {
		w := i / 64
		q.used[w] |= 1 << (i % 64)
		q.words[w/64] |= 1 << (w % 64)
	}
}

// insert puts an event into the ones that are ready.
func insert(ready []entry, e entry) []entry {
	ready = append(ready, e)
	i := len(ready) - 1
	for ; i > 0 && ready[i-1].key < e.key; i-- {
		ready[i] = ready[i-1]
	}
	ready[i] = e
	return ready
}

// pop returns the next event before a time, when it is and its order; ok is false if there is
// none, and then events for that time or later may still be pushed.
func (q *eventQueue) pop(until int64) (id eventID, at int64, order uint64, ok bool) {
	if !q.filled(until) {
		return 0, 0, 0, false
	}
	n := len(q.ready) - 1
	if len(q.late) > 0 && (n < 0 || q.late[0].key < q.ready[n].key) {
		e := q.late[0]
		if at = q.timeOf(e); at < until {
			q.late.pop()
		}
		return e.id, at, e.key & orderMask, at < until
	}
	e := q.ready[n]
	if at = q.timeOf(e); at < until {
		q.ready = q.ready[:n]
	}
	return e.id, at, e.key & orderMask, at < until
}

// filled reports whether a slot with events is open, and opens the next one before a time if none is.
func (q *eventQueue) filled(until int64) bool {
	return len(q.ready) > 0 || len(q.late) > 0 || q.advance(until)
}

// timeOf is that of an event of the slot being emptied.
func (q *eventQueue) timeOf(e entry) int64 { return q.slot<<(q.bits&63) | int64(e.key>>orderBits) }

// next is the time of the next event, or never. It opens no slot.
func (q *eventQueue) next() int64 {
	if n := len(q.ready); n > 0 || len(q.late) > 0 {
		first := uint64(math.MaxUint64)
		if n > 0 {
			first = q.ready[n-1].key
		}
		if len(q.late) > 0 {
			first = min(first, q.late[0].key)
		}
		return q.timeOf(entry{key: first})
	}
	first := int64(never)
	if len(q.far) > 0 {
		first = q.far[0].at
	}
	if i, ok := q.nextUsed(); ok {
		slot := q.slot + (int64(i)-q.slot)&int64(len(q.heads)-1)
		first = min(first, slot<<(q.bits&63)|int64(q.least(i)>>orderBits))
	}
	return first
}

// advance moves the clock to the next slot with events before a time and sorts them.
func (q *eventQueue) advance(until int64) bool {
	q.fetch()
	i, ok := q.nextUsed()
	if !ok {
		if len(q.far) == 0 || q.far[0].at >= until {
			return false
		}
		q.slot = q.slotOf(q.far[0].at) - 1
		q.fetch()
		i, _ = q.nextUsed()
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
		q.place(q.slotOf(e.at), entry{q.key(e.at, e.order), e.id, e.about})
	}
}

// nextUsed finds the first slot with events after the current one, going around.
func (q *eventQueue) nextUsed() (uint64, bool) {
	from := uint64(q.slot+1) & uint64(len(q.heads)-1)
	w := from / 64
	if m := q.used[w] >> (from % 64); m != 0 {
		return from + uint64(bits.TrailingZeros64(m)), true
	}
	// The words after this one, and then from the first one on; this one comes last again,
	// for its slots before from.
	top := w / 64
	m := q.words[top] &^ (1<<(w%64+1) - 1)
	for left := len(q.words); m == 0; left-- {
		if left == 0 {
			return 0, false
		}
		top = (top + 1) & uint64(len(q.words)-1)
		m = q.words[top]
	}
	w = top*64 + uint64(bits.TrailingZeros64(m))
	return w*64 + uint64(bits.TrailingZeros64(q.used[w])), true
}

// open sorts the events of a slot.
func (q *eventQueue) open(i uint64) {
	if u := &q.bunches[q.heads[i]]; u.next == none {
		q.openBunch(i, u)
		return
	}
	ready := q.take(i, q.ready[:0])
	if len(ready) > handful {
		ready, q.scratch = sortEntries(ready, q.scratch)
	} else {
		for n := range ready {
			insert(ready[:n], ready[n])
		}
	}
	q.ready, q.unseen = ready, len(ready)
	q.clear(i)
}

// openBunch is [eventQueue.open] for a slot with one bunch of events, as most have.
func (q *eventQueue) openBunch(i uint64, u *bunch) {
	n := int(u.count)
	ready := q.ready[:n]
	for k := range ready {
		e := u.entries[k]
		for ; k > 0 && ready[k-1].key < e.key; k-- {
			ready[k] = ready[k-1]
		}
		ready[k] = e
	}
	q.ready, q.unseen = ready, n
	u.next, q.free, q.heads[i] = q.free, q.heads[i], none
	q.clear(i)
}

func (q *eventQueue) clear(i uint64) {
	w := i / 64
	q.used[w] &^= 1 << (i % 64)
	if q.used[w] == 0 {
		q.words[w/64] &^= 1 << (w % 64)
	}
}

// empty reports whether no event is pending.
func (q *eventQueue) empty() bool {
	if len(q.ready) > 0 || len(q.late) > 0 || len(q.far) > 0 {
		return false
	}
	for _, w := range q.words {
		if w != 0 {
			return false
		}
	}
	return true
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
		if e.id == id {
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
	found, empty := q.drop(i, id)
	if empty {
		q.clear(i)
	}
	return found
}
