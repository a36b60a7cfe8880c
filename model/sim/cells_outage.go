package sim

import (
	"slices"

	"github.com/roceplan/roceplan/model/sim/cells"
)

// memberDown takes a link out of its leaf's trunk.
func (s *engine) memberDown(link int32) {
	trunk := s.cells.Trunk(link)
	if trunk == cells.None {
		return
	}
	for _, pi := range [2]int32{2 * trunk, 2*trunk + 1} {
		for id := s.ports[pi].flight.head; id != 0; id = s.packets[id].next {
			s.packets[id].label |= torn
		}
	}
	if rate := s.cells.SetLink(link, false); rate > 0 {
		s.setTrunkRate(trunk, rate)
	} else {
		s.portsDown(trunk)
	}
}

// memberUp adds it again.
func (s *engine) memberUp(link int32) {
	trunk := s.cells.Trunk(link)
	if trunk == cells.None {
		return
	}
	s.setTrunkRate(trunk, s.cells.SetLink(link, true))
	if s.ports[2*trunk].trouble&down != 0 {
		s.portsUp(trunk)
	}
}

// setTrunkRate changes how fast a leaf sends into the fabric and how fast it is sent to: from the next
// packet on.
func (s *engine) setTrunkRate(link int32, rate int64) {
	for _, pi := range [2]int32{2 * link, 2*link + 1} {
		p := &s.ports[pi]
		s.configs[pi].rate, p.rateIndex = rate, s.rateIndexOf(rate)
		if leaf := s.cells.leaf[p.node]; leaf != none {
			s.cells.SetRate(leaf, rate)
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
func (s *engine) cutOff(out int32, to *port, class uint8, id packetID) {
	s.room(packetsPerEvent) // a packet's leaving may resume its sender
	pk := &s.packets[id]
	s.release(out, to.node, class, pk)
	s.neverComes(out, class, pk)
	s.discard(id, &s.packets[id], &s.unrouted)
}

// neverComes takes a packet that ends inside the fabric off what is on its way out of it; who leaves by a
// port out of the fabric is taken off by [engine.release].
func (s *engine) neverComes(out int32, class uint8, pk *packet) {
	if class != 0 && s.cells.out[out] == none {
		s.noLongerComing(s.exit(pk), class, pk)
	}
}
