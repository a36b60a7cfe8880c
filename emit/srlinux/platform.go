package srlinux

import (
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/units"
)

// Buffers is where the sizes come from: Nokia publishes none of its own.
const Buffers = "assumed: what sonic-buildimage's templates use of the same chip, see the catalogue's usable_buffer"

// Boxes lists the 7220 IXR of which Nokia says that they have PFC: its SR Linux QoS guide
// 25.10, PFC, names D4, D5, H4 and H5. Their chips are those of sonic-buildimage's platforms
// nokia_ixr7220 and of the switching capacity in Nokia's data sheets (D5: 12.8 Tb/s).
func Boxes() emit.Boxes {
	return emit.Boxes{
		{Model: "7220 IXR-D5", Chip: "trident4-x11", Cell: 254, Shared: 134_861_808},
		{Model: "7220 IXR-D4", Chip: "trident4-x9", Cell: 318, Shared: 84_219_120},
		{Model: "7220 IXR-H4", Chip: "tomahawk4", Cell: 254, Shared: 113_620_296},
		{Model: "7220 IXR-H5", Chip: "tomahawk5", Cell: 254, Shared: 166_115_492},
	}
}

// Bounds of srl_nokia-qos 2025-03-31 and srl_nokia-interfaces, tag v25.3.1.
const (
	MostHeadroom = 104_857_600 * units.Byte // maximum-pfc-reserved-share-bytes
	MostBurst    = 1<<32 - 1                // maximum-burst-size, B
	leastMTU     = 1500 * units.Byte
	mostMTU      = 9412 * units.Byte // on 7220 IXR
	LeastDetect  = 10 * units.Millisecond
	LeastRecover = 100 * units.Millisecond
	MostTimer    = 1500 * units.Millisecond
	mostMappings = 7 // pfc-mapping-profile
)

// Defaults of the same model.
const (
	DefaultBurst   = 51_200 * units.Byte // of a pfc-queue
	DefaultReserve = 1                   // pfc-buffer-reservation, per cent
	DefaultShare   = 10                  // maximum-pfc-reserved-share-percentage
	DefaultTimer   = 750 * units.Millisecond
)

// FrameCheck is what an mtu leaves out of a frame: the FCS (leaf mtu).
const FrameCheck units.Bytes = 4
