package fluid

// event is something that happens at a time.
type event struct {
	at   int64 // ps
	of   int32 // a message, a group, a transfer or a link
	kind kind
}

type kind uint8

const (
	posted kind = iota // a message of a number is posted
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

// agenda is a heap of events.
type agenda []event

func (a *agenda) push(e event) {
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

func (a *agenda) pop() event {
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
