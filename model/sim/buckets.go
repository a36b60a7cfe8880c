package sim

import (
	"math"
	"math/bits"
)

// buckets hold the events of the slots of a timing wheel. A bucket is a chain of bunches, which are
// used again as soon as a slot is emptied: pending events are close together in memory, however
// many events there can be.
type buckets struct {
	heads   []int32 // by slot: the bunch that is not full, index in bunches; or none
	bunches []bunch
	free    int32 // chain of bunches

	used  []uint64 // a bit per slot that is not empty
	words []uint64 // a bit per word of used that is not zero
}

// bunch fills two cache lines.
type bunch struct {
	entries [15]entry
	count   int32
	next    int32
}

func newBuckets(slots int) buckets {
	b := buckets{
		heads: make([]int32, slots), bunches: make([]bunch, 0, 64), free: none,
		used: make([]uint64, slots/64), words: make([]uint64, (slots/64+63)/64),
	}
	for i := range b.heads {
		b.heads[i] = none
	}
	return b
}

// add puts an event into a slot.
func (b *buckets) add(slot uint64, e entry) {
	head := b.heads[slot]
	if head == none || int(b.bunches[head].count) == len(b.bunches[head].entries) {
		if head == none {
			w := slot / 64
			b.used[w] |= 1 << (slot % 64)
			b.words[w/64] |= 1 << (w % 64)
		}
		head = b.another(head)
		b.heads[slot] = head
	}
	u := &b.bunches[head]
	u.entries[u.count] = e
	u.count++
}

// clear marks a slot as empty.
func (b *buckets) clear(slot uint64) {
	w := slot / 64
	b.used[w] &^= 1 << (slot % 64)
	if b.used[w] == 0 {
		b.words[w/64] &^= 1 << (w % 64)
	}
}

// nextUsed finds the first slot with events from one on, going around.
func (b *buckets) nextUsed(slot int64) (uint64, bool) {
	from := uint64(slot) & uint64(len(b.heads)-1)
	w := from / 64
	if m := b.used[w] >> (from % 64); m != 0 {
		return from + uint64(bits.TrailingZeros64(m)), true
	}
	// The words after this one, and then from the first one on; this one comes last again,
	// for its slots before from.
	top := w / 64
	m := b.words[top] &^ (1<<(w%64+1) - 1)
	for left := len(b.words); m == 0; left-- {
		if left == 0 {
			return 0, false
		}
		top = (top + 1) & uint64(len(b.words)-1)
		m = b.words[top]
	}
	w = top*64 + uint64(bits.TrailingZeros64(m))
	return w*64 + uint64(bits.TrailingZeros64(b.used[w])), true
}

// another returns an empty bunch before a chain.
func (b *buckets) another(next int32) int32 {
	i := b.free
	if i == none {
		i = int32(len(b.bunches))
		b.bunches = append(b.bunches, bunch{})
	} else {
		b.free = b.bunches[i].next
	}
	b.bunches[i].count, b.bunches[i].next = 0, next
	return i
}

// take empties a slot and appends its events to a list.
func (b *buckets) take(slot uint64, to []entry) []entry {
	i := b.heads[slot]
	b.heads[slot] = none
	b.clear(slot)
	for i != none {
		u := &b.bunches[i]
		to = append(to, u.entries[:u.count]...)
		i, u.next, b.free = u.next, b.free, i
	}
	return to
}

// least returns the earliest event in a slot that is not empty.
func (b *buckets) least(slot uint64) entry {
	first := entry(math.MaxUint64)
	for i := b.heads[slot]; i != none; i = b.bunches[i].next {
		u := &b.bunches[i]
		for _, e := range u.entries[:u.count] {
			first = min(first, e)
		}
	}
	return first
}

// drop takes an event out of a slot, and reports whether it was there.
func (b *buckets) drop(slot uint64, is func(entry) bool) bool {
	head := b.heads[slot]
	for i := head; i != none; i = b.bunches[i].next {
		u := &b.bunches[i]
		for k := range u.count {
			if !is(u.entries[k]) {
				continue
			}
			foremost := &b.bunches[head]
			foremost.count--
			u.entries[k] = foremost.entries[foremost.count]
			if foremost.count == 0 {
				b.heads[slot], foremost.next, b.free = foremost.next, b.free, head
			}
			if b.heads[slot] == none {
				b.clear(slot)
			}
			return true
		}
	}
	return false
}

// sortFew sorts a handful of entries into a list as long, what happens first last. Of one or two
// there is a single comparison at most.
func sortFew(from, to []entry) {
	if ranks && len(from) > 2 {
		rank(&from[0], len(from), &to[0])
		return
	}
	for n, e := range from {
		putInto(to[:n+1], e)
	}
}

// sortEntries sorts by time and place, what happens first last, in linear time: by one byte after the other,
// leaving out those that all entries share. It returns the sorted list and the spare one.
func sortEntries(list, spare []entry) (sorted, other []entry) {
	if cap(spare) < len(list) {
		spare = make([]entry, 2*len(list))
	}
	spare = spare[:len(list)]
	differ := entry(0)
	for _, e := range list {
		differ |= e ^ list[0]
	}
	for shift := uint(eventBits); shift < 64; shift += 8 {
		if differ>>shift&0xff == 0 {
			continue
		}
		var ends [256]int32
		for _, e := range list {
			ends[255-e>>shift&0xff]++
		}
		sum := int32(0)
		for i := range ends {
			ends[i], sum = sum, sum+ends[i]
		}
		for _, e := range list {
			at := &ends[255-e>>shift&0xff]
			spare[*at] = e
			*at++
		}
		list, spare = spare, list
	}
	return list, spare
}
