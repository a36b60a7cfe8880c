package sim

import "math/bits"

const (
	slotBits  = 10 // a slot is 1,024 ps: about the time in which a busy pod has three events
	slotMask  = 1<<slotBits - 1
	wheelBits = 12 // 4,096 slots reach 4.2 us ahead: a transmission and a microsecond of cable
	wheelSize = 1 << wheelBits
	wheelMask = wheelSize - 1

	orderBits = 64 - slotBits
	orderMask = 1<<orderBits - 1
)

// eventID names an event by what it does; at any time each is pending at most once.
type eventID int32

// eventQueue gives back events by time, and those of one time by order.
//
// Near events stand in a timing wheel: one chain per slot, unsorted, because a push
// should touch two words and no more. A slot is sorted when the clock reaches it; it
// then holds a handful. Times further ahead than the wheel reaches wait in a heap.
//
// Within a slot an event is one number: the time within the slot in the high bits,
// the order in the low ones, so that a comparison is one instruction.
type eventQueue struct {
	slot  int64   // number of the slot being emptied: time >> slotBits
	ready []entry // that slot's events, the first to happen last

	chains []chained              // by event
	heads  [wheelSize]eventID     // by slot, -1 where empty
	used   [wheelSize / 64]uint64 // a bit per slot that is not empty
	words  uint64                 // a bit per word of used that is not zero
	far    farHeap
}

type entry struct {
	key uint64
	id  eventID
}

type chained struct {
	key  uint64
	next eventID
}

// newEventQueue makes room for events 0 … n-1.
func newEventQueue(n int) *eventQueue {
	q := &eventQueue{chains: make([]chained, n), ready: make([]entry, 0, 64)}
	for i := range q.heads {
		q.heads[i] = -1
	}
	return q
}

// push schedules an event that is not pending. The time must not lie before the last
// popped event; order must be below 1<<orderBits.
func (q *eventQueue) push(id eventID, at int64, order uint64) {
	slot := at >> slotBits
	key := uint64(at&slotMask)<<orderBits | order
	switch ahead := slot - q.slot; {
	case ahead <= 0:
		q.ready = insert(q.ready, entry{key, id})
	case ahead < wheelSize:
		q.chain(id, slot&wheelMask, key)
	default:
		q.far.push(farEvent{at, order, id})
	}
}

func (q *eventQueue) chain(id eventID, i int64, key uint64) {
	head := q.heads[i]
	q.chains[id] = chained{key, head}
	q.heads[i] = id
	if head < 0 {
		w := uint64(i) / 64
		q.used[w] |= 1 << (uint64(i) % 64)
		q.words |= 1 << w
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

// pop returns the next event, its time and its order; ok is false if none is pending.
func (q *eventQueue) pop() (id eventID, at int64, order uint64, ok bool) {
	n := len(q.ready) - 1
	if n < 0 {
		if !q.advance() {
			return 0, 0, 0, false
		}
		n = len(q.ready) - 1
	}
	e := q.ready[n]
	q.ready = q.ready[:n]
	return e.id, q.slot<<slotBits | int64(e.key>>orderBits), e.key & orderMask, true
}

// advance moves the clock to the next slot with events and sorts them.
func (q *eventQueue) advance() bool {
	q.fetch()
	i, ok := q.nextUsed()
	if !ok {
		if len(q.far) == 0 {
			return false
		}
		q.slot = q.far[0].at>>slotBits - 1
		q.fetch()
		i, _ = q.nextUsed()
	}
	q.slot += (i - q.slot) & wheelMask
	q.open(i)
	return true
}

// fetch takes over from the heap what has come within the wheel's reach.
func (q *eventQueue) fetch() {
	for len(q.far) > 0 && q.far[0].at>>slotBits-q.slot < wheelSize {
		e := q.far.pop()
		q.chain(e.id, e.at>>slotBits&wheelMask, uint64(e.at&slotMask)<<orderBits|e.order)
	}
}

// nextUsed finds the first slot with events after the current one, going around.
func (q *eventQueue) nextUsed() (int64, bool) {
	from := uint64(q.slot+1) & wheelMask
	w := from / 64
	if m := q.used[w] >> (from % 64); m != 0 {
		return int64(from) + int64(bits.TrailingZeros64(m)), true
	}
	m := q.words &^ (1<<(w+1) - 1)
	if m == 0 {
		m = q.words // around the end; the current word may be the answer again
	}
	if m == 0 {
		return 0, false
	}
	w = uint64(bits.TrailingZeros64(m))
	return int64(w*64) + int64(bits.TrailingZeros64(q.used[w])), true
}

func (q *eventQueue) open(i int64) {
	ready := q.ready[:0]
	for id := q.heads[i]; id >= 0; {
		c := q.chains[id]
		ready = insert(ready, entry{c.key, id})
		id = c.next
	}
	q.ready = ready
	q.clear(i)
}

func (q *eventQueue) clear(i int64) {
	q.heads[i] = -1
	w := uint64(i) / 64
	q.used[w] &^= 1 << (uint64(i) % 64)
	if q.used[w] == 0 {
		q.words &^= 1 << w
	}
}

// remove takes back an event that is pending at the given time.
func (q *eventQueue) remove(id eventID, at int64) {
	slot := at >> slotBits
	switch ahead := slot - q.slot; {
	case ahead <= 0:
		q.removeReady(id)
	case ahead < wheelSize && q.removeChained(id, slot&wheelMask):
	default:
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
}

func (q *eventQueue) removeChained(id eventID, i int64) bool {
	at := &q.heads[i]
	for *at >= 0 && *at != id {
		at = &q.chains[*at].next
	}
	if *at < 0 {
		return false // it was pushed when this slot was out of reach
	}
	*at = q.chains[id].next
	if q.heads[i] < 0 {
		q.clear(i)
	}
	return true
}
