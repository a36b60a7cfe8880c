package sim

import "github.com/roceplan/roceplan/units"

// HPCCBuffer is the shared buffer of the HPCC simulator's switch (alibaba-edu/
// High-Precision-Congestion-Control, src/point-to-point/model/switch-mmu.cc).
//
// Each port and class has a reserve; beyond it, it may take from the shared pool up to
// T = (Size - sum of headroom - sum of reserves - shared in use) * alpha. A packet that
// would go beyond T is charged to the headroom as a whole. The class is paused as soon
// as headroom is in use or the shared part has reached T, and resumed when the headroom
// is empty again and the shared part is ResumeOffset below T. There is no egress limit.
type HPCCBuffer struct {
	Size         units.Bytes
	Reserve      units.Bytes // per port and class
	ResumeOffset units.Bytes

	// AlphaShift is -log2(alpha) at ports of the hosts' rate; it falls by one, down to
	// 0, for each doubling of a port's rate above it.
	AlphaShift uint8

	// HeadroomDelays is the headroom per port and class in one-way delays at line rate.
	HeadroomDelays int
}

// hpccPool is one switch's buffer. Its arithmetic is modulo 2^32 as in the original,
// where headroom and reserves beyond Size wrap around to a threshold that is never
// reached.
type hpccPool struct {
	size         uint32 // the buffer without headroom and reserves
	shared       uint32 // in use
	reserve      uint32
	resumeOffset uint32
}

// usage counts the bytes that came in by one port in one class and are still in the switch.
type usage struct {
	ingress  uint32 // in reserve and shared pool
	headroom uint32
}

func (s *engine) usage(pi int32, class uint8) *usage { return &s.usages[s.cell(pi, class)] }

func newHPCCPool(c *HPCCBuffer) hpccPool {
	return hpccPool{
		size: uint32(c.Size), reserve: uint32(c.Reserve), resumeOffset: uint32(c.ResumeOffset),
	}
}

// addPort takes a port's headroom, which it returns, and reserve off the buffer and sets its threshold.
func (b *hpccPool) addPort(p *port, rate int64, c *HPCCBuffer, hostRate int64) (headroom uint32) {
	headroom = uint32(int64(c.HeadroomDelays) * bytesIn(p.delay, rate))
	b.size -= headroom + b.reserve
	p.shift = c.AlphaShift
	for ; rate > hostRate && p.shift > 0; rate /= 2 {
		p.shift--
	}
	return headroom
}

func (b *hpccPool) threshold(shift uint8) uint32 { return (b.size - b.shared) >> (shift & 31) }

// over returns the bytes of the shared pool that a class uses.
func (b *hpccPool) over(u *usage) uint32 { return u.ingress - min(u.ingress, b.reserve) }

func (b *hpccPool) admit(shift uint8, u *usage, headroomLimit, size uint32) bool {
	limit := b.threshold(shift)
	if u.headroom+size > headroomLimit && b.over(u)+size > limit {
		return false
	}
	bytes := u.ingress + size
	if bytes <= b.reserve {
		u.ingress = bytes
	} else if beyond := bytes - b.reserve; beyond > limit {
		u.headroom += size
	} else {
		u.ingress = bytes
		b.shared += min(size, beyond)
	}
	return true
}

// release returns headroom first, then shared pool, then reserve.
func (b *hpccPool) release(u *usage, size uint32) {
	headroom := min(u.headroom, size)
	rest := size - headroom
	u.headroom -= headroom
	b.shared -= min(rest, b.over(u))
	u.ingress -= rest
}

func (b *hpccPool) shouldPause(shift uint8, u *usage) bool {
	return u.headroom > 0 || b.over(u) >= b.threshold(shift)
}

func (b *hpccPool) shouldResume(shift uint8, u *usage) bool {
	over := b.over(u)
	return u.headroom == 0 && (over == 0 || over+b.resumeOffset <= b.threshold(shift))
}

// passes reports whether admit would not refuse, release after it would restore what was
// before, and shouldPause in between would be false. It may say no where that is so.
func (b *hpccPool) passes(shift uint8, u *usage, size uint32) bool {
	if u.headroom != 0 || b.over(u)+size > b.threshold(shift) {
		return false
	}
	bytes := u.ingress + size
	beyond := bytes - min(bytes, b.reserve)
	return beyond < (b.size-b.shared-min(size, beyond))>>(shift&31)
}
