package junos

import (
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/units"
)

// Buffers is where the sizes come from: the tables of default pools in KB of 1,024 B.
// Another Juniper text (the sample output of the same article) shows 113,162 KB for
// the QFX5240: the split moves with the release and with dedicated-buffer.
const Buffers = "Juniper TechPost, QFX5K Series Switches Packet Buffer Architecture, default pools"

// Cell is the unit of the buffer in all boxes of the list (TechPost as above).
const Cell units.Bytes = 254

// Boxes lists the switches that run Junos Evolved. Shared is what the partitions of
// shared-buffer divide while dedicated-buffer stands at its default; ingress and egress
// have the same.
func Boxes() emit.Boxes {
	return emit.Boxes{
		{Model: "QFX5130-32CD", Chip: "trident4-x11", Cell: Cell, Shared: 111263 * units.KiB},
		{Model: "QFX5220", Chip: "tomahawk3", Cell: Cell, Shared: 44420 * units.KiB},
		{Model: "QFX5230", Chip: "tomahawk4", Cell: Cell, Shared: 74743 * units.KiB},
		{Model: "QFX5240", Chip: "tomahawk5", Cell: Cell, Shared: 84206 * units.KiB},
	}
}

// Thresholds are written 0 to 10 and mean 2^(n−7): Juniper TechPost as above.
const (
	alphaShift = 7
	alphaLast  = 10
)

// Alpha is what a dynamic threshold n means, as an exponent of two.
func Alpha(n int64) units.Alpha { return units.Alpha(n - alphaShift) }

// Percentages of shared-buffer ingress on a box that says nothing: lossless, headroom
// and lossy, computed from the default pools of the four boxes.
const (
	DefaultLossless = 20
	DefaultHeadroom = 10
	DefaultLossy    = 70
)

// Defaults of a congestion notification profile: Junos CLI reference, cable-length, xon;
// CoS guide, PFC watchdog.
const (
	DefaultCable    = 100 * units.Metre
	DefaultXOnCells = 20
	DefaultPoll     = 100 * units.Millisecond
	DefaultPeriods  = 2
	DefaultRecovery = 200 * units.Millisecond
)

// DefaultAlpha is the dynamic threshold of a partition that says none.
func DefaultAlpha(egress, lossless bool) units.Alpha {
	if egress == lossless {
		return Alpha(10) // lossless egress, lossy ingress
	}
	return Alpha(7)
}
