package junos

import (
	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/units"
)

// Buffers is the source of the sizes: the tables of default pools in KB of 1,024 B. Another Juniper
// text (the sample output of the same article) shows 113,162 KB for the QFX5240: the split moves
// with the release and with dedicated-buffer.
const Buffers = "Juniper TechPost, QFX5K Series Switches Packet Buffer Architecture, default pools"

// Lossy is the lossy partition in Juniper's validated design of an AI cluster, in per cent of the shared buffer.
const Lossy = 10

// LossyBy is the source of Lossy.
const LossyBy = "Juniper, validated designs, AI data center, rdma-rocev2-lossless.conf: buffer-partition lossy percent 10"

// QueueAlpha is the largest threshold that a queue takes: 8.
const QueueAlpha units.Alpha = 3

// Cell is the unit of the buffer in all boxes of the list (TechPost as above).
const Cell units.Bytes = 254

// Boxes lists the switches that run Junos Evolved. Shared is the buffer that the partitions of
// shared-buffer divide while dedicated-buffer is at its default; ingress and egress have the same.
func Boxes() format.Boxes {
	return format.Boxes{
		{Model: "QFX5130-32CD", Chip: "trident4-x11", Cell: Cell, Shared: 111263 * units.KiB},
		{Model: "QFX5220", Chip: "tomahawk3", Cell: Cell, Shared: 44420 * units.KiB},
		{Model: "QFX5230", Chip: "tomahawk4", Cell: Cell, Shared: 74743 * units.KiB},
		{Model: "QFX5240", Chip: "tomahawk5", Cell: Cell, Shared: 84206 * units.KiB},
	}
}

// owned returns the buffer that the ports of a box own while dedicated-buffer is at its default, by
// direction (TechPost as above, default pools).
func owned(model string) (in, out units.Bytes) {
	switch model {
	case "QFX5230":
		return 15488 * units.KiB, 24169 * units.KiB
	case "QFX5240":
		return 30847 * units.KiB, 47208 * units.KiB
	}
	return 7868 * units.KiB, 12739 * units.KiB
}

// The sample output of the same article for a QFX5240. By the table above its ports own 75 % at
// ingress and 55 % at egress of the default, and its shared buffer has grown by just what they gave
// up: 84206 + (30847 - 23135) + (47208 - 25964) = 113162 KB. So this is a box with
// dedicated-buffer, or one of a release with another default; the article does not say which.
const (
	sampleShared = 113162 * units.KiB
	sampleIn     = 23135 * units.KiB
	sampleOut    = 25964 * units.KiB
)

// SharedBuffer bounds what the partitions of a box divide where its ports keep so many per cent of
// what they own by default, by direction; 0 is all of it. The rest of it is shared (the same
// article). The bounds are by its table of defaults, and by its sample output taken for a default;
// they differ for the QFX5240 alone.
func SharedBuffer(box format.Box, keep [2]int64) (least, most units.Bytes) {
	shared := func(base, in, out units.Bytes) units.Bytes {
		for side, own := range [2]units.Bytes{in, out} {
			if keep[side] > 0 {
				base += own - units.Bytes(units.FloorMulDiv(int64(own/units.KiB), keep[side], 100))*units.KiB // the kept part is whole KB, as the sample has it
			}
		}
		return base
	}
	in, out := owned(box.Model)
	least = shared(box.Shared, in, out)
	if box.Model != "QFX5240" {
		return least, least
	}
	return least, shared(sampleShared, sampleIn, sampleOut)
}

// Fastest returns the highest rate of a box's cages: the QFX5240 has cages of 800 Gb/s, the others
// of 400 (datasheets of QFX5130, QFX5220, QFX5230 and QFX5240). Cages is how many the largest model
// of the box has.
func Fastest(model string) (rate units.BitRate, cages int) {
	switch model {
	case "QFX5240":
		return 800 * units.Gbps, 66
	case "QFX5230":
		return 400 * units.Gbps, 66
	case "QFX5220":
		return 400 * units.Gbps, 130 // QFX5220-128C has 128 of 100G
	}
	return 400 * units.Gbps, 50 // QFX5130-48C has 48 of 100G
}

// Alpha returns the alpha of a dynamic threshold n, as an exponent of two.
func Alpha(n int64) units.Alpha { return units.Alpha(thresholds.Means(n)) }

// Classic lists the switches that run Junos, not Junos Evolved, with the cells of the same article. Lossless classes need
// shares that the fabric states: Juniper publishes neither what partitions divide there nor what headroom takes of it.
func Classic() format.Boxes {
	return format.Boxes{
		{Model: "QFX5120", Chip: "trident3", Cell: 256},
		{Model: "QFX5210", Chip: "tomahawk2", Cell: 208},
	}
}

// Pool returns the name of a partition in a plan.
func Pool(side string, lossless bool) string {
	if lossless {
		return side + "-lossless"
	}
	return side + "-lossy"
}

// Shares returns the pools whose shares are written. Those of egress are those of ingress where the fabric has none
// for them.
func Shares() []string {
	return []string{Pool("ingress", true), Pool("ingress", false), Pool("egress", true), Pool("egress", false)}
}

// Default percentages of shared-buffer on a box with Junos (Junos CLI reference, buffer-partition), and the
// partition of multicast in Juniper's validated design of such a box (5-stage EVPN/VXLAN, QFX5120).
const (
	ClassicLossless       = 9
	ClassicHeadroom       = 45
	ClassicLossy          = 46
	ClassicEgressLossless = 50
	ClassicEgressLossy    = 31
	ClassicMulticast      = 10
)

// Percentages of shared-buffer ingress on a box that says nothing: lossless, headroom
// and lossy, computed from the default pools of the four boxes.
const (
	DefaultLossless = 20
	DefaultHeadroom = 10
	DefaultLossy    = 70
)

// DefaultAlpha returns the dynamic threshold of a partition that says none.
func DefaultAlpha(egress, lossless bool) units.Alpha {
	if egress == lossless {
		return Alpha(10) // lossless egress, lossy ingress
	}
	return Alpha(7)
}
