package sim

import "math/bits"

// Scheduler divides the rate of a switch's port among classes. Class 0 goes before all others:
// control frames travel in it. The zero value takes 1 to 7 in turn, packet by packet.
type Scheduler struct {
	Strict  uint8          // a bit per class that goes before those with a weight, the highest first
	Weights [classes]uint8 // DWRR: shares of what is left, in bytes; 0 is the least of them
}

// dwrr is deficit weighted round robin (Shreedhar and Varghese, "Efficient Fair Queueing
// using Deficit Round Robin", SIGCOMM 1995): on its turn a class may send as many bytes as
// its quantum and what it saved; an empty class saves nothing.
type dwrr struct {
	shares  []shares
	kind    []uint8 // by port: index in shares
	deficit []int32 // by port and class, bytes
	turn    []uint8 // by port: class that is served
}

// shares is a [Scheduler] in a run.
type shares struct {
	strict  uint8
	quantum [classes]int32
}

// newShares lets the class with the least weight send a full packet per turn, so that each
// turn sends something.
func newShares(c *Scheduler, packet int32) (s shares) {
	least := int32(0)
	for _, weight := range c.Weights {
		if w := int32(weight); w > 0 && (least == 0 || w < least) {
			least = w
		}
	}
	s.strict, least = c.Strict, max(least, 1)
	for class, weight := range c.Weights {
		s.quantum[class] = max(least, int32(weight)) * packet / least
	}
	return s
}

// nextClass chooses the queue of a switch's port to serve.
func (s *engine) nextClass(pi int32, p *port) (class uint8, ok bool) {
	if s.dwrr == nil {
		return p.nextClass()
	}
	ready := p.waiting &^ (p.paused &^ 1)
	if s.shapers != nil {
		ready &^= s.shapers.capped(s, pi, ready)
	}
	if ready == 0 {
		return 0, false
	}
	switch strict := ready & s.dwrr.shares[s.dwrr.kind[pi]].strict; {
	case ready&1 != 0:
		return 0, true
	case strict != 0:
		return uint8(bits.Len8(strict)) - 1, true
	}
	return s.shareTurn(pi, p, ready), true
}

// alone is [engine.shareTurn] for a packet that comes to a port with nothing else to send.
func (d *dwrr) alone(pi int32, class uint8, size int32) {
	own := &d.shares[d.kind[pi]]
	if own.strict>>class&1 != 0 {
		return
	}
	deficit, quantum := d.deficit[pi*classes:][:classes], own.quantum[class]
	if turn := d.turn[pi]; turn != class {
		deficit[turn], d.turn[pi] = 0, class
		deficit[class] += quantum
	}
	for deficit[class] < size {
		deficit[class] += quantum
	}
	deficit[class] -= size
}

// shareTurn goes around the ready classes until one's deficit covers its next packet.
func (s *engine) shareTurn(pi int32, p *port, ready uint8) uint8 {
	d := s.dwrr
	quantum := &d.shares[d.kind[pi]].quantum
	for {
		class := d.turn[pi]
		deficit := &d.deficit[pi*classes+int32(class)]
		if ready>>class&1 != 0 {
			if size := int32(s.packets[s.queue(pi, class).head].size); size <= *deficit {
				*deficit -= size
				return class
			}
		} else if p.waiting>>class&1 == 0 {
			*deficit = 0
		}
		next := (class + 1) % classes
		next = (next + uint8(bits.TrailingZeros8(bits.RotateLeft8(ready, -int(next))))) % classes
		d.turn[pi] = next
		d.deficit[pi*classes+int32(next)] += quantum[next]
	}
}
