package model

import (
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Ethernet figures, in bytes.
const (
	// InterFrame is preamble, start delimiter and the smallest gap: IEEE 802.3 4.4.2.
	InterFrame units.Bytes = 20
	// SmallestFrame has its FCS: IEEE 802.3 4A.4.2. A pause frame has this size too: 31B.2.
	SmallestFrame units.Bytes = 64
	// PauseWire is a pause frame on the wire.
	PauseWire = SmallestFrame + InterFrame
)

// LightDelay is the delay of one metre of cable: 5 ns, light at two thirds of its speed
// in vacuum, as IEEE 802.3 44.3 and 802.1Q Annex N reckon.
const LightDelay = 5 * units.Nanosecond

// A Link is the cable behind a port, and how long its peer goes on sending after the
// port has decided to pause it.
//
// The decision falls when the first byte of a packet comes in that leaves no room below
// the threshold, or the last byte on a chip of mmu.AtEnd. From then on,
//
//  1. the pause frame waits behind the frame that the port has just begun,
//  2. is sent, and travels down the cable;
//  3. the peer takes its response to begin no further frame,
//  4. and what it has begun travels up the cable.
//
// Every frame whose first byte comes in until the end of these is on its way already,
// the deciding one included, and the last of them may begin in the last instant and be
// the largest. Where the last byte decides, the deciding one may be the largest too and
// comes on top. This is the delay value of IEEE 802.1Q Annex N, with the peer's side
// counted as its response.
type Link struct {
	Rate          units.BitRate `json:"rate"`           // of both directions, in bit/s, above 0
	Cable         units.Length  `json:"cable"`          // in mm
	PortFrame     units.Bytes   `json:"port_frame"`     // largest frame that the port sends
	LosslessFrame units.Bytes   `json:"lossless_frame"` // largest frame of a class that is paused
	Response      units.Time    `json:"response"`       // of the peer, in ps: see plan.Assumed
	// SmallPackets, in ppb, and WirePerCell bound the traffic: see plan.Assumed. Zero: any.
	SmallPackets units.Ratio `json:"small_packets,omitempty"`
	WirePerCell  units.Bytes `json:"wire_per_cell,omitempty"`
}

// NewLink takes the figures of a port, and what is assumed of its peer.
func NewLink(port *plan.Port, mtu units.Bytes, a *plan.Assumed) Link {
	l := Link{Rate: port.Speed, Cable: port.Cable, PortFrame: port.MTU}
	if l.PortFrame == 0 {
		l.PortFrame = mtu
	}
	l.LosslessFrame = l.PortFrame
	if a == nil {
		return l
	}
	l.Response, l.SmallPackets, l.WirePerCell = a.Response.Value, a.SmallPackets.Value, a.WirePerCell.Value
	if l.SmallPackets == units.One {
		l.SmallPackets = 0
	}
	if a.LosslessFrame.Value > 0 {
		l.LosslessFrame = min(l.PortFrame, a.LosslessFrame.Value)
	}
	return l
}

// Window is how long after the decision further frames may begin to come in.
func (l Link) Window() units.Time {
	return l.Rate.FloorTime(l.PortFrame+InterFrame+PauseWire) + l.Travel()
}

// Travel is the part of the window that is no frame: cable both ways, and response.
func (l Link) Travel() units.Time {
	return 2*units.Time(int64(l.Cable)*int64(LightDelay)/int64(units.Metre)) + l.Response
}

// Bytes is the window in bytes on the wire, rounded down: the last frame begins at this
// offset at the latest.
func (l Link) Bytes() units.Bytes {
	return l.PortFrame + InterFrame + PauseWire + l.Rate.FloorBytes(l.Travel())
}
