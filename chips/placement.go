package chips

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/units"
)

// This file says which ports share a part of a buffer that is divided.
//
// A packet is stored where its ingress and its egress pipe meet: see Parts. Where the packets of a
// pipe may be in two parts, each part counts them by itself against the whole of every limit, and
// either pauses. So the worst case of a priority group is that all of its packets leave by one half
// of the chip and are in one part: packets in the other fill nothing up here, and pause sooner. All
// ports whose pipes write to the same parts may do that at once.

// A PortLoad is a port and what it may put into the buffer.
type PortLoad struct {
	Lanes []int         // its serdes lanes, from 1; empty where they are not known
	Rate  units.BitRate // says how many lanes it has at least; 0: one
	Load  units.Bytes   // the bytes that it may put there
	Wire  units.Bytes   // of ports with as much load, those with most go first
}

// Places returns for each port the part of the buffer, from 0, that holds its packets in the worst
// case. It follows the chip's pipes where the catalogue has them and each port has lanes: known.
// Otherwise those with most load are assumed together, as many as have place at the pipes of one
// part: a chip with half of its ports in use may have all of it there.
func (c *Chip) Places(ports []PortLoad) (parts []int, known bool) {
	parts = make([]int, len(ports))
	if c.Slices.Or(1) == 1 {
		return parts, true
	}
	if c.byPipe(ports, parts) {
		return parts, true
	}
	left, sides := c.bundles(ports), c.sides()
	last := len(sides) - 1
	for _, side := range sides[:last] {
		taken := fullest(left, c.lanesOfSide(len(sides)))
		for _, port := range taken {
			parts[port] = side
		}
		left = stable.Delete(left, func(b bundle) bool { return slices.Contains(taken, b.ports[0]) })
	}
	for _, b := range left { // the rest, or more than the chip has: no such switch
		parts[b.ports[0]] = sides[last]
	}
	return parts, false
}

// A bundle is some ports that together have as many lanes as one of the widest.
type bundle struct {
	ports []int
	lanes int64
	load  units.Bytes
	wire  units.Bytes
}

// bundles returns the ports, each by itself. Lanes are counted down to a power of two: so ports fit
// into a part that do not, and never the other way round.
func (c *Chip) bundles(ports []PortLoad) []bundle {
	list := make([]bundle, 0, len(ports))
	for i := range ports {
		lanes := int64(1) << (bits.Len64(uint64(c.lanesOf(&ports[i]))) - 1)
		list = append(list, bundle{[]int{i}, lanes, ports[i].Load, ports[i].Wire})
	}
	return list
}

// fullest returns those ports whose load is the most that goes into so many lanes. Widths are
// powers of two, so the narrowest are taken in pairs, the neediest first, which are as wide as the
// next; the widest then fill the lanes one after the other, and no choice holds more.
func fullest(ports []bundle, lanes int64) (taken []int) {
	widest := int64(1)
	for _, b := range ports {
		widest = max(widest, b.lanes)
	}
	var list []bundle
	for width := int64(1); ; width *= 2 {
		for _, b := range ports {
			if b.lanes == width {
				list = append(list, b)
			}
		}
		stable.Sort(list, func(a, b bundle) int { return cmp.Or(cmp.Compare(b.load, a.load), cmp.Compare(b.wire, a.wire)) })
		if width == widest {
			break
		}
		list = pairs(list)
	}
	for _, b := range list[:min(int64(len(list)), units.CeilMulDiv(lanes, 1, widest))] {
		taken = append(taken, b.ports...)
	}
	return taken
}

// pairs joins each two bundles; a last one remains alone.
func pairs(list []bundle) (wider []bundle) {
	for pair := range slices.Chunk(list, 2) {
		var b bundle
		for _, one := range pair {
			b.ports = append(b.ports, one.ports...)
			b.load, b.wire = b.load+one.load, b.wire+one.wire
		}
		wider = append(wider, b)
	}
	return wider
}

// byPipe places ports by their first lanes. False if that of one is not known.
func (c *Chip) byPipe(ports []PortLoad, parts []int) bool {
	for i := range ports {
		if len(ports[i].Lanes) == 0 {
			return false
		}
		at, ok := c.IngressParts(ports[i].Lanes[0])
		if !ok || len(at) == 0 {
			return false
		}
		parts[i] = at[0]
	}
	return true
}

// lanesOf returns the number of lanes of a port, or a lower bound of it.
func (c *Chip) lanesOf(port *PortLoad) int64 {
	if n := len(port.Lanes); n > 0 {
		return int64(n)
	}
	if rate, err := c.LaneRate.Get(); err == nil && port.Rate > 0 {
		return units.CeilMulDiv(int64(port.Rate), 1, int64(rate))
	}
	return 1
}

// unbounded is more lanes than any ports have.
const unbounded = 1 << 32

// lanesOfSide returns the number of lanes that write to one of so many sides: those of its pipes,
// or its share of the chip's switching capacity.
func (c *Chip) lanesOfSide(sides int) int64 {
	all := int64(c.Parts.Pipes.Or(0) * c.Parts.PipeLanes.Or(0))
	if rate := int64(c.LaneRate.Or(0)); all == 0 && rate > 0 {
		all = int64(c.Capacity.Or(0)) / rate
	}
	if all == 0 {
		return unbounded
	}
	return units.CeilMulDiv(all, 1, int64(sides))
}

// sides returns the parts of the buffer that differ in the pipes that write to them, the first of
// each kind. Where the pipes are not known every part is one.
func (c *Chip) sides() (first []int) {
	parts := c.Slices.Or(1)
	connected, err := c.Parts.Ingress.Get()
	known := err == nil && len(connected) == parts
	for part := range parts {
		if !known || !slices.ContainsFunc(first, func(other int) bool { return slices.Equal(connected[other], connected[part]) }) {
			first = append(first, part)
		}
	}
	return first
}
