package sim

import "slices"

// entryHeap returns events of one slot by key: a binary heap of values.
type entryHeap []entry

func (h *entryHeap) push(e entry) {
	*h = append(*h, e)
	h.up(len(*h) - 1)
}

func (h *entryHeap) pop() entry {
	first := (*h)[0]
	h.drop(0)
	return first
}

// remove takes an event out, if it is there.
func (h *entryHeap) remove(id eventID) {
	if i := slices.IndexFunc(*h, func(e entry) bool { return e.id == id }); i >= 0 {
		h.drop(i)
	}
}

// drop takes the entry at an index out.
func (h *entryHeap) drop(i int) {
	last := len(*h) - 1
	(*h)[i] = (*h)[last]
	*h = (*h)[:last]
	if i < last {
		h.down(i)
		h.up(i)
	}
}

func (h entryHeap) up(i int) {
	for i > 0 && h[i].key < h[(i-1)/2].key {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		i = (i - 1) / 2
	}
}

func (h entryHeap) down(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if h[child].key < h[least].key {
				least = child
			}
		}
		if least == i {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}
