package sim

import "slices"

// Ledger counts where the data packets and acknowledgements of a run ended. It balances:
//
//	Created = Delivered + Drops + LostOnWire + Flushed + Unrouted + Overrun + WatchdogDrops + Left
//
// and where nothing is left, no switch counts a byte.
type Ledger struct {
	Created   int64 `json:"created"`
	Delivered int64 `json:"delivered"`
	Left      int64 `json:"left"`         // in queues and on wires when the run ended
	Buffered  int64 `json:"buffer_bytes"` // that switches count in their buffers then
}

func (s *engine) ledger() Ledger {
	l := Ledger{Created: s.created, Delivered: s.delivered, Left: s.left + int64(len(s.packets)-1-len(s.free))}
	for i := range s.usages {
		u, class, pi := &s.usages[i], i/len(s.ports), i%len(s.ports)
		if b := s.silicon[s.ports[pi].node]; b != nil {
			if slices.Index(b.pg[:], b.pg[class]) != class {
				continue // another class has the same group
			}
			l.Buffered += int64(b.PG(s.configs[pi].chipPort, int(b.pg[class])).Total()) * b.cellBytes
		} else {
			l.Buffered += int64(u.ingress + u.headroom)
		}
	}
	return l
}
