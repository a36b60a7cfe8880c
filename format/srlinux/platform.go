package srlinux

import (
	"strconv"

	"github.com/roceplan/roceplan/format"
)

// Buffers is the source of the sizes: Nokia publishes none of its own.
const Buffers = "assumed: what sonic-buildimage's templates use of the same chip, see the catalogue's usable_buffer"

// Boxes lists the 7220 IXR of which Nokia says that they have PFC: its SR Linux QoS guide
// 25.10, PFC, names D4, D5, H4 and H5. Their chips are those of sonic-buildimage's platforms
// nokia_ixr7220 and of the switching capacity in Nokia's data sheets (D5: 12.8 Tb/s).
func Boxes() format.Boxes {
	return format.Boxes{
		{Model: "7220 IXR-D5", Chip: "trident4-x11", Cell: 254, Shared: 134_861_808},
		{Model: "7220 IXR-D4", Chip: "trident4-x9", Cell: 318, Shared: 84_219_120},
		{Model: "7220 IXR-H4", Chip: "tomahawk4", Cell: 254, Shared: 113_620_296},
		{Model: "7220 IXR-H5", Chip: "tomahawk5", Cell: 254, Shared: 166_115_492},
	}
}

// MostMappings is the largest number of PFC mapping profiles (srl_nokia-qos, pfc-mapping-profile).
const MostMappings = 7

// OwnClass and OwnQueues are names that the system has by itself, for a class and a queue that no entry of the document
// has: srl_nokia-qos (2025-03-31) has queue-0 of one family of chips and unicast-0 of another, and Nokia's QoS guide
// 24.10, Named queues and forwarding classes, unicast-0 of all, with queues for many as well (their names are assumed).
func OwnClass(index uint8) string { return "fc" + string('0'+rune(index)) }
func OwnQueues(index uint8) [3]string {
	n := strconv.Itoa(int(index))
	return [3]string{"queue-" + n, "unicast-" + n, "multicast-" + n}
}
