package headroom

import (
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Allows says what a method's figure allows the peer and its traffic, so that somebody
// who knows nothing of the method can judge a headroom of that many cells. The peer's
// response is what remains of the figure when the frame ahead, the pause frame, the
// cable both ways and the peer's last frame are taken out of it; the traffic is what
// the method reckons with. portFrame is the largest frame that the port really sends, and
// frame the largest that the class has, whatever the method was told.
func Allows(m Method, in Input, cells units.Cells, portFrame, frame units.Bytes) *plan.Assumed {
	a := &plan.Assumed{Method: m.Name()}
	a.LosslessFrame = plan.Of(frame, given("lossless_mtu", frame))
	c, metadata := bound(m)
	last := (frame + metadata).CeilCells(c)
	spare := max(0, int64(cells-last)) // cells for all but the last frame
	budget := allowedBytes(a, m, in, worstPacking(c, metadata, frame), spare)
	if in.PeerResponse > 0 {
		a.Declared = true
		a.Response = plan.Of(in.PeerResponse, given("peer_response", in.PeerResponse))
		return a
	}
	ahead := portFrame + interFrame + slot
	response := max(0, in.Speed.FloorTime(max(0, budget-ahead))-roundTrip(in.Cable))
	a.Response = plan.Of(response, standard("pause response that the method leaves the peer", response, m.Source()))
	return a
}

// bound returns the cell and the metadata of the chip that a method is bound to.
func bound(m Method) (cell, metadata units.Bytes) {
	switch m := m.(type) {
	case spectrum:
		return m.cell, m.chip.PacketMetadata.Or(0)
	case tofino:
		return m.cell, m.chip.PacketMetadata.Or(0)
	case interface{ base() cellular }:
		c := m.base()
		return c.chip.CellSize.Or(c.cell), c.chip.PacketMetadata.Or(0)
	}
	return 1, 0
}

func (c cellular) base() cellular { return c }

// allowedBytes is how many bytes on the wire bring at most that many cells, in the
// traffic that the method reckons with, which it records.
func allowedBytes(a *plan.Assumed, m Method, in Input, worst packing, cells int64) units.Bytes {
	switch m := m.(type) {
	case spectrum, tofino:
		if in.SmallPackets < units.One {
			a.SmallPackets = plan.Of(in.SmallPackets, given("small_packets", in.SmallPackets))
			cell, metadata := bound(m)
			return mixBytes(in.SmallPackets, in.LosslessMTU, cell, metadata, cells)
		}
	case xgs:
		if at := m.class(&in); int64(at.perCell)*int64(worst.cells) > int64(worst.wire) {
			a.WirePerCell = plan.Of(at.perCell, standard("wire bytes per cell", at.perCell, m.Source()))
			return units.Bytes((cells+1)*int64(at.perCell) - 1)
		}
	case cisco, hpcc:
		cell, _ := bound(m)
		a.WirePerCell = plan.Of(cell, standard("wire bytes per cell", cell, m.Source()+": cells full to the brim"))
		return units.Bytes((cells+1)*int64(cell) - 1)
	}
	return units.Bytes(((cells+1)*int64(worst.wire) - 1) / int64(worst.cells))
}

// mixBytes counts in whole mixes of smallest and largest packets, and leaves one small
// and one large packet for the mix that is cut short.
func mixBytes(small units.Ratio, frame, cell, metadata units.Bytes, cells int64) units.Bytes {
	smallest, largest := int64((smallestFrame + metadata).CeilCells(cell)), int64((frame + metadata).CeilCells(cell))
	share, rest := int64(small/shareStep), int64((units.One-small)/shareStep)
	perMix := share*smallest + rest*largest
	wire := share*int64(slot) + rest*int64(frame+interFrame)
	return units.Bytes(units.FloorMulDiv(max(0, cells-smallest), wire, perMix))
}
