package sim

// entry is an event of a slot in one number, so that to compare two is one instruction and eight fit a cache line. From the
// high bits: the time within the slot, the event, and the packet that the event is likely to be about, or 0, for
// [engine.glance]. If events are chained, instead: the time, the order above the base, and the event.
type entry uint64

const (
	placeBits = 64 - maxSlotBits - eventBits
	mostPlace = 1<<placeBits - 1
)

// within returns the time of an event within its slot, from the low bits; the bits that the slot has too are equal.
func (e entry) within() int64 { return int64(e >> (64 - maxSlotBits)) }

// entryOf returns the entry of an event.
func (q *eventQueue) entryOf(id eventID, at int64, order uint64, about packetID) entry {
	if q.chained {
		return q.chainedEntry(id, at, order)
	}
	return entry(at)<<(64-maxSlotBits) | entry(id)<<placeBits | entry(about)
}

// chainedEntry returns the entry of an event where events are chained.
func (q *eventQueue) chainedEntry(id eventID, at int64, order uint64) entry {
	if order >= q.base+mostPlace && order < behindAll {
		q.rebase(order - mostPlace/2)
	}
	above := min(max(order, q.base)-q.base, mostPlace)
	return entry(at)<<(64-maxSlotBits) | entry(above)<<eventBits | entry(id)
}

// event returns the event of an entry.
func (q *eventQueue) event(e entry) eventID {
	if !q.chained {
		e >>= placeBits
	}
	return eventID(e & (1<<eventBits - 1))
}

// order returns the order of an event among those of its time.
func (q *eventQueue) order(e entry) uint64 {
	if q.chained {
		return q.base + uint64(e>>eventBits&mostPlace)
	}
	return uint64(q.event(e))
}

// about returns the packet that an event is likely to be about, or 0, if events are not chained.
func (e entry) about() packetID { return packetID(e & mostPlace) }

// rebase counts the orders of all entries from another base. An order given out a thousand million
// orders before counts as the oldest, and the agenda's stays behind all others.
func (q *eventQueue) rebase(base uint64) {
	moved := func(list []entry) {
		for i, e := range list {
			place := e >> eventBits & mostPlace
			if place < mostPlace {
				list[i] = e - min(place, entry(base-q.base))<<eventBits
			}
		}
	}
	for i := range q.bunches {
		moved(q.bunches[i].entries[:q.bunches[i].count])
	}
	moved(q.ready)
	q.base = base
}
