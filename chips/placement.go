package chips

import (
	"cmp"
	"slices"

	"github.com/roceplan/roceplan/units"
)

// This file says which ports share a part of a buffer that is divided.
//
// A packet lies where its ingress and its egress pipe meet: see Parts. Where what comes in
// at a pipe can lie in two parts, each counts it by itself against the whole of every limit,
// and either pauses. So a priority group is worst off when all of its packets leave by one
// half of the chip and lie in one part: what lies in the other fills nothing up here, and
// pauses sooner. All ports whose pipes write to the same parts may do that at once.

// A PortLoad is a port and what it may put into the buffer.
type PortLoad struct {
	Lanes []int         // its serdes lanes, from 1; empty where they are not known
	Rate  units.BitRate // says how many lanes it has at least; 0: one
	Load  units.Bytes   // what it may put there
	Wire  units.Bytes   // of ports with as much load, those with most go first
}

// Places returns for each port the part of the buffer, from 0, that what comes in there lies
// in at worst. By the chip's pipes where the catalogue has them and each port has lanes:
// known. Otherwise as if those with most load on each lane lay together, as many as have
// place at the pipes of one part: a chip of which half is in use may have all of it there.
func (c *Chip) Places(ports []PortLoad) (parts []int, known bool) {
	parts = make([]int, len(ports))
	if c.Slices.Or(1) == 1 {
		return parts, true
	}
	if c.byPipe(ports, parts) {
		return parts, true
	}
	order := make([]int, len(ports))
	for i := range order {
		order[i] = i
	}
	lanes := func(i int) int64 { return c.lanesOf(&ports[i]) }
	slices.SortStableFunc(order, func(a, b int) int {
		more := func(a, b int) int { return cmp.Compare(ports[b].load()*lanes(a), ports[a].load()*lanes(b)) }
		return cmp.Or(more(a, b), cmp.Compare(ports[b].Load, ports[a].Load), cmp.Compare(ports[b].Wire, ports[a].Wire))
	})
	sides := c.sides()
	free := make([]int64, len(sides))
	for side := range free {
		free[side] = c.lanesOfSide(len(sides))
	}
	for _, i := range order {
		side := slices.IndexFunc(free, func(left int64) bool { return left >= lanes(i) })
		if side < 0 {
			side = len(sides) - 1 // more than the chip has: no such switch
		}
		free[side] -= lanes(i)
		parts[i] = sides[side]
	}
	return parts, false
}

// load is what can be multiplied by lanes: no buffer has more.
func (p *PortLoad) load() int64 { return int64(min(p.Load, 1000*units.GB)) }

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

// lanesOf is how many lanes a port has, or has at least.
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

// lanesOfSide is how many lanes write to one of so many sides: those of its pipes, or its
// share of what the chip can switch.
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

// sides are the parts of the buffer that differ in the pipes that write to them, the first of
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
