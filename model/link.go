package model

import (
	"fmt"

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
// in vacuum, as IEEE 802.3 44.3 and 802.1Q Annex N assume.
const LightDelay = 5 * units.Nanosecond

// Clocks of Ethernet keep their rate within 100 parts in a million (IEEE 802.3 4.4.2 and
// the PMD clauses), each at either end.
const (
	clockParts = 1_000_000 / 100
	slowClock  = clockParts - 1
	fastClock  = clockParts + 1
)

// A Link is the cable behind a port, and how long its peer goes on sending after the
// port has decided to pause it.
//
// The decision falls when the first byte of a packet comes in that leaves no room below
// the threshold, or the last byte on a chip of mmu.AtEnd. From then on,
//
//  1. the pause frame waits behind the frame that the port has just begun,
//  2. is sent, passes the port's own layers and its gearbox, and travels down the cable
//     and through the gearbox of the peer;
//  3. the peer takes its response to begin no further frame,
//  4. and what it has begun travels back the same way.
//
// Every frame whose first byte comes in until the end of these is on its way already,
// the deciding one included, and the last of them may begin in the last instant and be
// the largest. Where the last byte decides, the deciding one may be the largest too and
// comes on top. This is the delay value of IEEE 802.1Q Annex N, with the peer's side
// counted as its response. The port's clock is as slow as IEEE 802.3 allows, and the
// peer's as fast.
type Link struct {
	Rate  units.BitRate `json:"rate"`  // of both directions, in bit/s, above 0
	Cable units.Length  `json:"cable"` // in mm
	// Gearbox is one passage through the gearboxes or retimers of both ends, in ps.
	Gearbox       units.Time  `json:"gearbox,omitempty"`
	Interface     units.Time  `json:"interface,omitempty"` // the port's own layers, out and in together, in ps
	PortFrame     units.Bytes `json:"port_frame"`          // largest frame that the port sends
	LosslessFrame units.Bytes `json:"lossless_frame"`      // largest frame of a class that is paused
	Response      units.Time  `json:"response"`            // of the peer, in ps
	// SmallPackets, in ppb, is declared of the traffic: see plan.Assumed. Zero: any mix.
	SmallPackets units.Ratio `json:"small_packets,omitempty"`
}

// NewLink takes the figures of a port, what is declared of its peer and its traffic, and
// for the rest what IEEE 802.3 allows. The response is zero where neither says one: see
// StandardResponse.
func NewLink(port *plan.Port, mtu units.Bytes, declared plan.Assumed) Link {
	l := Link{Rate: port.Speed, Cable: port.Cable, Gearbox: port.Gearbox, Interface: InterfaceDelay(port.Speed), PortFrame: port.MTU}
	if l.PortFrame == 0 {
		l.PortFrame = mtu
	}
	l.LosslessFrame = l.PortFrame
	if declared.LosslessFrame.Value > 0 {
		l.LosslessFrame = min(l.PortFrame, declared.LosslessFrame.Value)
	}
	if l.SmallPackets = declared.SmallPackets.Value; l.SmallPackets == units.One {
		l.SmallPackets = 0
	}
	if l.Response = declared.Response.Value; !declared.Declared {
		l.Response, _ = StandardResponse(port.Speed)
	}
	return l
}

// Bounds of links: values beyond them are mistakes, and their sums overflow.
const (
	fastest = 10 * units.Tbps
	slowest = units.Mbps
	longest = 1000 * units.Kilometre
	widest  = units.Bytes(1 << 16)
	slack   = units.Second
)

// Unknown says which figure of the link of a port is missing, or beyond what can be meant;
// empty where all are there. Without a cable alone there is a link, as if of length 0.
func (l Link) Unknown(port string) string {
	switch {
	case l.Rate <= 0:
		return fmt.Sprintf("the speed of %s is not known", port)
	case l.Rate < slowest || l.Rate > fastest:
		return fmt.Sprintf("the speed of %s is %v, but only speeds from %v to %v are judged", port, l.Rate, slowest, fastest)
	case l.PortFrame < SmallestFrame || l.LosslessFrame < SmallestFrame:
		return fmt.Sprintf("the largest frame of %s is not known", port)
	case l.PortFrame > widest:
		return fmt.Sprintf("the largest frame of %s is %v, but only frames of up to %v are judged", port, l.PortFrame, widest)
	case l.Cable < 0 || l.Cable > longest:
		return fmt.Sprintf("the cable of %s is %v long, but only cables of up to %v are judged", port, l.Cable, longest)
	case max(l.Response, l.Gearbox, l.Interface) > slack || min(l.Response, l.Gearbox, l.Interface) < 0:
		return fmt.Sprintf("the response of the peer of %s, a gearbox or its own layers take a negative time or more than %v", port, slack)
	}
	return ""
}

// Window returns the time after the decision during which further frames may begin to come in.
func (l Link) Window() units.Time {
	ahead := int64(l.PortFrame + InterFrame + PauseWire)
	return units.Time(units.CeilMulDiv(ahead*8*clockParts, int64(units.Second), int64(l.Rate)*slowClock)) + l.Travel()
}

// Travel returns the part of the window that is not a frame: cable and gearboxes both ways, the
// port's own layers, and the response.
func (l Link) Travel() units.Time { return l.RoundTrip() + l.Interface + l.Response }

// RoundTrip is cable and gearboxes, both ways.
func (l Link) RoundTrip() units.Time {
	return 2 * (units.Time(int64(l.Cable)*int64(LightDelay)/int64(units.Metre)) + l.Gearbox)
}

// Bytes returns the bytes on the wire that the peer sends during the window, rounded down: the last
// frame begins at this offset at the latest.
func (l Link) Bytes() units.Bytes {
	return units.Bytes(units.FloorMulDiv(int64(l.Window()), int64(l.Rate)*fastClock, 8*int64(units.Second)*clockParts))
}

// PeerTime returns the time in which the peer sends so many bytes on the wire, rounded up.
func (l *Link) PeerTime(wire units.Bytes) units.Time {
	return units.Time(units.CeilMulDiv(int64(wire)*8*clockParts, int64(units.Second), int64(l.Rate)*fastClock))
}
