package plan

import "github.com/roceplan/roceplan/units"

// Assumed is the declared facts on a port's peer and on its traffic, on which a verifier may rely
// beyond the files. Nothing in it is computed.
type Assumed struct {
	// Response is the time from the last bit of a pause frame at the peer to the last
	// frame that it starts. Declared is set where it was stated; the standard's worst case
	// counts otherwise.
	Response Derived[units.Time]
	Declared bool
	// LosslessFrame is the largest frame of a lossless class. Zero: that of the port.
	LosslessFrame Derived[units.Bytes]
	// SmallPackets is the share of packets, by count, that are of the smallest size while
	// all others are of the largest. Zero: any mix of sizes.
	SmallPackets Derived[units.Ratio]
}
