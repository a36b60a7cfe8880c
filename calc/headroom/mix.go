package headroom

import (
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// This file turns bytes on the wire into cells by the mix of packets that is declared.

// mixed reports whether a mix of packets is declared that is neither all large nor all
// small; those two say nothing against the worst size.
func (in *Input) mixed() bool {
	return in.MixDeclared && in.SmallPackets > 0 && in.SmallPackets < units.One
}

// MixedCells returns the most cells of packets with so many bytes on the wire. At most a share of all
// packets, with extra largest ones counted in, is of the smallest size; the others are of the
// largest. It tries every number of large packets.
func MixedCells(wire, cell, metadata, frame units.Bytes, share units.Ratio, extra int64) units.Cells {
	small, large := (smallestFrame + metadata).CeilCells(cell), (frame + metadata).CeilCells(cell)
	var most units.Cells
	for n := int64(0); n*int64(frame+interFrame) <= int64(wire); n++ {
		room := (int64(wire) - n*int64(frame+interFrame)) / int64(slot)
		allowed := units.FloorMulDiv(n+extra, int64(share), int64(units.One-share))
		most = max(most, units.Cells(min(room, allowed))*small+units.Cells(n)*large)
	}
	return most
}

// MixPerCell returns the bytes on the wire for each cell in a mix of smallest and largest packets,
// on average, rounded down: document mix-wire-per-cell.
func MixPerCell(cell, metadata, frame units.Bytes, share units.Ratio) units.Bytes {
	small, large := (smallestFrame + metadata).CeilCells(cell), (frame + metadata).CeilCells(cell)
	parts, rest := int64(share), int64(units.One-share)
	return units.Bytes((parts*int64(slot) + rest*int64(frame+interFrame)) / (parts*int64(small) + rest*int64(large)))
}

// perCell returns the bytes on the wire for each cell: a method's own figure, unless a mix is
// declared and packets take whole units of headroom.
func (c cellular) perCell(in *Input, own units.Bytes) units.Bytes {
	if !in.mixed() || c.finer() {
		return own
	}
	return MixPerCell(c.cell, c.chip.PacketMetadata.Or(0), in.LosslessMTU, in.SmallPackets)
}

func (c cellular) explainPerCell(in *Input, own *plan.Why) *plan.Why {
	if !in.mixed() || c.finer() {
		return own
	}
	return formula("mix-wire-per-cell", "wire bytes per cell", c.perCell(in, 0),
		term("small_packets", given("small_packets", in.SmallPackets)), term("lossless_mtu", given("lossless_mtu", in.LosslessMTU)),
		term("metadata", explainMetadata(c.chip)), term("cell", c.explainCell()))
}

// wireCells returns the cells of so many bytes on the wire: full ones, unless a mix is declared.
func (c cellular) wireCells(in *Input, wire units.Bytes) units.Cells {
	return wire.CeilCells(c.perCell(in, c.cell))
}

func (c cellular) explainWireCells(in *Input, cells units.Cells, wire *plan.Why) *plan.Why {
	if !in.mixed() || c.finer() {
		return rounded("up to cells", "headroom", cells, wire)
	}
	return formula("wire-cells", "headroom", cells, term("bytes", wire), term("per_cell", c.explainPerCell(in, nil)))
}
