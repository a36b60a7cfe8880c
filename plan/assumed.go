package plan

import "github.com/roceplan/roceplan/units"

// Assumed is what a headroom formula takes for granted of a peer and of its traffic.
// It stands in the plan so that a verifier can judge the headroom by what was promised,
// and say beside it what the standards would allow the peer.
type Assumed struct {
	// Method is the headroom formula: "xgs".
	Method string
	// Response is the time from the last bit of a pause frame at the peer to the last
	// frame that it starts: as declared, or what the method leaves for it once the
	// frames, the pause frame and the cable are counted.
	Response Derived[units.Time]
	// Declared is set where the fabric states the response.
	Declared bool
	// LosslessFrame is the largest frame of a lossless class.
	LosslessFrame Derived[units.Bytes]
	// SmallPackets is the share of packets, by count, that are of the smallest size while
	// all others are of the largest. Zero: any mix of sizes.
	SmallPackets Derived[units.Ratio]
	// WirePerCell is how many bytes on the wire come with each cell at the least, over
	// what arrives after a pause. Zero: as few as packets of any size can bring.
	WirePerCell Derived[units.Bytes]
}
