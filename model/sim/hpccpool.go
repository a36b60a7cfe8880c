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
	size         uint32 // what headroom and reserves leave of the buffer
	shared       uint32 // in use
	reserve      uint32
	resumeOffset uint32
}

func newHPCCPool(c *HPCCBuffer) hpccPool {
	return hpccPool{
		size: uint32(c.Size), reserve: uint32(c.Reserve), resumeOffset: uint32(c.ResumeOffset),
	}
}

// addPort takes a port's headroom and reserve off the buffer and sets its threshold.
func (b *hpccPool) addPort(p *port, c *HPCCBuffer, hostRate int64) {
	p.headroomLimit = uint32(int64(c.HeadroomDelays) * bytesIn(p.delay, p.rate))
	b.size -= p.headroomLimit + b.reserve
	p.shift = c.AlphaShift
	for rate := p.rate; rate > hostRate && p.shift > 0; rate /= 2 {
		p.shift--
	}
}

func (b *hpccPool) threshold(p *port) uint32 { return (b.size - b.shared) >> p.shift }

// over is what a class uses of the shared pool.
func (b *hpccPool) over(c *portClass) uint32 { return c.ingress - min(c.ingress, b.reserve) }

func (b *hpccPool) admit(p *port, c *portClass, size uint32) bool {
	limit := b.threshold(p)
	if c.headroom+size > p.headroomLimit && b.over(c)+size > limit {
		return false
	}
	bytes := c.ingress + size
	if bytes <= b.reserve {
		c.ingress = bytes
	} else if beyond := bytes - b.reserve; beyond > limit {
		c.headroom += size
	} else {
		c.ingress = bytes
		b.shared += min(size, beyond)
	}
	return true
}

// release gives back headroom first, then shared pool, then reserve.
func (b *hpccPool) release(c *portClass, size uint32) {
	headroom := min(c.headroom, size)
	rest := size - headroom
	c.headroom -= headroom
	b.shared -= min(rest, b.over(c))
	c.ingress -= rest
}

func (b *hpccPool) shouldPause(p *port, c *portClass) bool {
	return c.headroom > 0 || b.over(c) >= b.threshold(p)
}

func (b *hpccPool) shouldResume(p *port, c *portClass) bool {
	over := b.over(c)
	return c.headroom == 0 && (over == 0 || over+b.resumeOffset <= b.threshold(p))
}
