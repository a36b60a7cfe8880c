package sim

import "slices"

// memberDown takes a link out of those that the trunk of its leaf stands for.
func (c *cellFabric) memberDown(s *engine, link int32) {
	m := &c.members[link]
	if m.trunk == none {
		return
	}
	for _, pi := range [2]int32{2 * m.trunk, 2*m.trunk + 1} {
		for id := s.ports[pi].flight.head; id != 0; id = s.packets[id].next {
			s.packets[id].label |= torn
		}
	}
	m.down = true
	if rate := c.rateOf(m.trunk); rate > 0 {
		c.setTrunkRate(s, m.trunk, rate)
	} else {
		s.portsDown(m.trunk)
	}
}

// memberUp adds it again.
func (c *cellFabric) memberUp(s *engine, link int32) {
	m := &c.members[link]
	if m.trunk == none {
		return
	}
	m.down = false
	c.setTrunkRate(s, m.trunk, c.rateOf(m.trunk))
	if s.ports[2*m.trunk].trouble&down != 0 {
		s.portsUp(m.trunk)
	}
}

// rateOf is that of the links that a trunk stands for and that are up, in bit/s.
func (c *cellFabric) rateOf(trunk int32) (rate int64) {
	for i := range c.members {
		if m := &c.members[i]; m.trunk == trunk && !m.down {
			rate += m.rate
		}
	}
	return rate
}

// setTrunkRate changes how fast a leaf sends into the fabric and how fast it is sent to: from the next
// packet on.
func (c *cellFabric) setTrunkRate(s *engine, link int32, rate int64) {
	for _, pi := range [2]int32{2 * link, 2*link + 1} {
		p := &s.ports[pi]
		s.configs[pi].rate, p.rateIndex = rate, s.rateIndexOf(rate)
		if leaf := c.leaf[p.node]; leaf != none {
			c.trunks[leaf].rate = float64(rate) / 8e12
		}
	}
}

// rateIndexOf finds or makes the table of transmission times of a rate.
func (s *engine) rateIndexOf(rate int64) uint8 {
	known := map[int64]uint8{}
	if i := slices.Index(s.rates, float64(rate)); i >= 0 {
		known[rate] = uint8(i)
	}
	return s.rateIndex(known, rate)
}

// cutOff ends a packet whose way out of a switch of the fabric has no link.
func (c *cellFabric) cutOff(s *engine, out int32, to *port, class uint8, id packetID) {
	s.room(packetsPerEvent) // a packet's leaving may resume its sender
	pk := &s.packets[id]
	s.release(out, to.node, class, pk)
	c.neverComes(s, out, class, pk)
	s.discard(id, &s.packets[id], &s.unrouted)
}

// neverComes takes a packet that ends inside the fabric off what is on its way out of it; who leaves by a
// port out of the fabric is taken off by [engine.release].
func (c *cellFabric) neverComes(s *engine, out int32, class uint8, pk *packet) {
	if class != 0 && c.out[out] == none {
		c.noLongerComing(s, c.exit(s, pk), class, pk)
	}
}
