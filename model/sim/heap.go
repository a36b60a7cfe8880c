package sim

// pending is an event that is in no slot of the timing wheel.
type pending struct {
	at    int64
	order uint64
	id    eventID
	about packetID // see [entry]
}

func (a *pending) before(b *pending) bool {
	return a.at < b.at || a.at == b.at && a.order < b.order
}

// eventHeap is a heap with four children per node: half the depth of a binary one, and the children
// of a node are in two cache lines.
type eventHeap []pending

func (h *eventHeap) push(e pending) {
	*h = append(*h, e)
	h.up(len(*h) - 1)
}

func (h *eventHeap) pop() pending {
	top := (*h)[0]
	h.cut(0)
	return top
}

// remove takes out an event; it does nothing if the event is not there.
func (h *eventHeap) remove(id eventID) {
	for i := range *h {
		if (*h)[i].id == id {
			h.cut(i)
			return
		}
	}
}

// cut removes the event at index i and puts the last one in its place.
func (h *eventHeap) cut(i int) {
	last := len(*h) - 1
	(*h)[i] = (*h)[last]
	*h = (*h)[:last]
	if i < last {
		h.down(i)
		h.up(i)
	}
}

func (h eventHeap) up(i int) {
	e := h[i]
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(&h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
}

func (h eventHeap) down(i int) {
	e := h[i]
	for {
		least := -1
		for c := 4*i + 1; c <= 4*i+4 && c < len(h); c++ {
			if least < 0 || h[c].before(&h[least]) {
				least = c
			}
		}
		if least < 0 || !h[least].before(&e) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = e
}
