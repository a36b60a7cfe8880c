package headroom

import "github.com/roceplan/roceplan/units"

// Ethernet figures that several methods share, in bytes.
const (
	// interFrame is preamble, start delimiter and the smallest gap: IEEE 802.3 4.4.2.
	interFrame = units.Bytes(8 + 12)
	// smallestFrame is the smallest frame with FCS: IEEE 802.3 4A.4.2. A pause frame
	// has this size too: IEEE 802.3 31B.2.
	smallestFrame = units.Bytes(64)
	// slot is a smallest frame on the wire: 672 bits.
	slot = smallestFrame + interFrame
)

// A packing says how frames of the worst size fill cells: that many cells for that
// many bytes on the wire.
type packing struct {
	frame units.Bytes // the worst frame
	cells units.Cells // that it takes
	wire  units.Bytes // bytes that it occupies the wire for
}

// worstPacking finds the frame, between the smallest and the largest of a class, that
// takes most cells per byte on the wire. `metadata` are the bytes that the chip adds to
// a packet before it counts cells.
//
// A frame is worst when it just spills into one more cell, and the more cells a frame
// has, the less a spill weighs. So it is either the smallest frame or the first one
// that spills: 64 B for cells of 147 B and more, cell + 1 B below.
func worstPacking(cell, metadata, largest units.Bytes) packing {
	cells := (smallestFrame + metadata).CeilCells(cell)
	smallest := packing{smallestFrame, cells, slot}
	spill := cells.Bytes(cell) + 1 - metadata
	first := packing{spill, cells + 1, spill + interFrame}
	if spill <= largest && int64(first.cells)*int64(smallest.wire) > int64(smallest.cells)*int64(first.wire) {
		return first
	}
	return smallest
}

// cellsOf returns how many cells that many bytes on the wire take.
func (p packing) cellsOf(wire units.Bytes) units.Cells {
	return units.Cells(units.CeilMulDiv(int64(wire), int64(p.cells), int64(p.wire)))
}
