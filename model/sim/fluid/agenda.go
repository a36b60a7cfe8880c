package fluid

// event is something that happens at a time.
type event struct {
	at   int64 // ps
	of   int32 // a message, a group, a transfer or a link
	kind kind
}

type kind uint8

const (
	comes  kind = iota // the next span of a stream begins
	posted             // a message of a number is posted
	begins             // all that a group waits for is done
	ends               // a transfer has sent its last packet, unless its end has moved since
	fills              // the queue of a link has grown to the length from which on packets are marked
	looks              // a transfer looks for a marked packet
	cuts               // DCQCN cuts a transfer's rate
	rises              // DCQCN increases a transfer's rate
)

// before orders events: equal runs give equal results.
func (a *event) before(b *event) bool {
	switch {
	case a.at != b.at:
		return a.at < b.at
	case a.kind != b.kind:
		return a.kind < b.kind
	}
	return a.of < b.of
}

// heap is a list of events. The first one is the next.
type heap []event

func (a *heap) push(e event) {
	h := append(*a, e)
	*a = h
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 4
		if !h[i].before(&h[up]) {
			break
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
}

func (a *heap) pop() event {
	h := *a
	first, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	*a = h
	for i := 0; ; {
		least := i
		for k := 4*i + 1; k <= 4*i+4 && k < last; k++ {
			if h[k].before(&h[least]) {
				least = k
			}
		}
		if least == i {
			return first
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}

// agenda has the events to come. Those of the present slot of time are in a heap, which fits a core's cache, those of the
// coming slots in a list for each slot, and all later ones in another heap.
type agenda struct {
	now   heap
	slots [slotCount][]event // a ring: that of a time is slots[at>>slotBits%slotCount]
	later heap
	slot  int64 // the present one
	held  int   // events in slots
}

// A slot lasts 65.5 ns, and the ring 268 us, beyond which DCQCN schedules few events.
const (
	slotBits  = 16
	slotCount = 4096
)

func (a *agenda) push(e event) {
	switch slot := e.at >> slotBits; {
	case slot <= a.slot:
		a.now.push(e)
	case slot < a.slot+slotCount:
		a.slots[slot%slotCount] = append(a.slots[slot%slotCount], e)
		a.held++
	default:
		a.later.push(e)
	}
}

// peek returns the time of the next event; false if there is none.
func (a *agenda) peek() (at int64, ok bool) {
	for len(a.now) == 0 {
		switch {
		case a.held > 0:
			a.slot++
		case len(a.later) > 0:
			a.slot = a.later[0].at >> slotBits
		default:
			return 0, false
		}
		list := &a.slots[a.slot%slotCount]
		for _, e := range *list {
			a.now.push(e)
		}
		a.held -= len(*list)
		*list = (*list)[:0]
		for len(a.later) > 0 && a.later[0].at>>slotBits <= a.slot {
			a.now.push(a.later.pop())
		}
	}
	return a.now[0].at, true
}

// pop takes the next event; there is one.
func (a *agenda) pop() event { return a.now.pop() }
