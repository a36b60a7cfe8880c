package bound

import (
	"math"

	"github.com/roceplan/roceplan/units"
)

// Alone returns the least time that the first packet of a message takes when nothing else is on its way:
// cables, switches, and its payload on each link. It is the least of all messages, so that no
// packet of them has less; 0 where no host sends.
func (t *Traffic) Alone() units.Time {
	if len(t.flows) == 0 {
		return 0
	}
	least := units.Time(math.MaxInt64)
	for _, i := range t.flows {
		w, payload := &t.ways[i], t.sc.Transport.Payload
		last := t.sc.Flows[i].Bytes % payload // the shortest of its packets
		if last == 0 {
			last = payload
		}
		least = min(least, w.Delay+units.Time(units.FloorMulDiv(int64(w.Serial), int64(last), int64(payload))))
	}
	return least
}
