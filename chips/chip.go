// Package chips is the catalogue of switch chips: what the formulas and the buffer
// model have to know of a piece of silicon, each datum with its source and how sure
// it is.
//
// The catalogue is HCL, embedded from catalogue/*.hcl, and a user may add files of
// the same form:
//
//	source "lab" {
//	  document = "measured in our laboratory, 2026-03"
//	}
//	chip "tomahawk5" {
//	  extends = "tomahawk5"
//	  usable_buffer {
//	    value      = "164733224B"
//	    confidence = "measured"
//	    source     = source.lab
//	    note       = "firmware 14.1"
//	  }
//	}
//
// An unknown datum is absent there, and asking for it is an error that names chip and datum; it is
// never a zero.
package chips

import (
	"fmt"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
)

// Confidence says how a datum came to be known. Published beats inferred, measured beats both; an
// assumed one is a guess, and reported as one.
type Confidence uint8

const (
	Assumed   Confidence = iota // a guess, by analogy with a sibling
	Inferred                    // derived from configuration that ships for the chip
	Published                   // stated by the vendor or by a paper
	Measured                    // hardware tests agree with it
)

func (c Confidence) String() string {
	return [...]string{"assumed", "inferred", "published", "measured"}[c]
}

// A Datum is one fact of a chip. The zero Datum is unknown.
type Datum[T any] struct {
	value T
	fact  *Fact
	chip  string
	name  string
}

// A Fact names the source of a datum.
type Fact struct {
	Source     string     // document and locator
	Confidence Confidence // the certainty
	Note       string     // a disagreement between sources, or a limit of validity; may be empty
	Range      diag.Range // the block of the catalogue
	written    string     // the value as the file has it, where that is a text
}

// Unknown is the error of asking for a datum that the catalogue does not have.
type Unknown struct{ Chip, Datum string }

func (u *Unknown) Error() string {
	return fmt.Sprintf("the chip catalogue has no %s for %s", u.Datum, u.Chip)
}

// Get returns the datum, or *Unknown.
func (d *Datum[T]) Get() (T, error) {
	if d.fact == nil {
		var none T
		return none, &Unknown{d.chip, d.name}
	}
	return d.value, nil
}

// Or returns the datum, or the fallback where it is unknown.
//
//go:noinline
func (d *Datum[T]) Or(fallback T) T {
	if d.fact == nil {
		return fallback
	}
	return d.value
}

// Fact returns where the datum comes from, nil when it is unknown.
func (d *Datum[T]) Fact() *Fact { return d.fact }

// Name returns the datum's name in the catalogue: "cell_size".
func (d *Datum[T]) Name() string { return d.name }

// Family groups chips that share an architecture of the shared buffer, and with it
// formulas and emitters' rules.
type Family string

const (
	XGS       Family = "xgs"      // Broadcom Trident and Tomahawk
	DNX       Family = "dnx"      // Broadcom Jericho: virtual output queues
	Spectrum  Family = "spectrum" // NVIDIA Spectrum
	Teralynx  Family = "teralynx" // Marvell (Innovium) Teralynx
	TofinoFam Family = "tofino"   // Intel (Barefoot) Tofino

	SiliconOneFam Family = "silicon-one" // Cisco Silicon One
	Prestera      Family = "prestera"    // Marvell Prestera
	Nephos        Family = "nephos"      // Nephos (MediaTek) Taurus
)

// PoolSize says what the `size` of an ingress pool means on a chip's SONiC port.
type PoolSize string

const (
	// Net: the shared part alone; reserves and the headroom pool are outside it.
	Net PoolSize = "net"
	// Gross: reserves and the headroom pool are taken out of it.
	Gross PoolSize = "gross"
	// GrossOwnHeadroom: gross, and there is no headroom pool: every PG owns its
	// headroom, which is taken out too, and reserves of queues are outside it.
	GrossOwnHeadroom PoolSize = "gross-own-headroom"
	// GrossPool: the headroom pool is taken out of it, reserves are outside it.
	GrossPool PoolSize = "gross-pool"
)

// SizeHasHeadroom reports whether the size of a lossless profile covers the headroom that the group owns, if it
// owns any: on NVIDIA Spectrum (sonic-swss cfgmgr/buffer_headroom_mellanox.lua: size = xon + xoff), and where SONiC
// runs on a chip of [GrossOwnHeadroom] (buildimage#5324: "Size = PG min + PG headroom"; sonic-mgmt
// qos_params.td2.yaml measures the first pause there).
func (c *Chip) SizeHasHeadroom(os string) bool {
	return c.Family == Spectrum || os == "sonic" && c.PoolSize.Or(Gross) == GrossOwnHeadroom
}

// A Chip is one piece of silicon.
type Chip struct {
	Name    string   // canonical: "tomahawk5"
	Title   string   // as a person says it: "Broadcom Tomahawk 5"
	Aliases []string // other names in use: "th5", "bcm78900"
	Vendor  string
	Family  Family
	Range   diag.Range

	CellSize       Datum[units.Bytes]     // memory of one cell
	HeadroomCell   Datum[units.Bytes]     // unit that headroom is counted in, where it is another
	PhysicalBuffer Datum[units.Bytes]     // all cells; the chip keeps some of them back
	PacketBuffer   Datum[units.Bytes]     // the memory of pools, headroom and reserves together
	UsableBuffer   Datum[units.Bytes]     // the most that configuration which ships distributes, where it is less
	Slices         Datum[int]             // parts (ITMs) of the buffer that share nothing
	PacketMetadata Datum[units.Bytes]     // bytes the chip adds to a packet before it counts
	Alphas         Datum[[]units.Alpha]   // settable dynamic thresholds, ascending
	ECNGranularity Datum[units.Bytes]     // step of the ECN thresholds
	CoarseStep     Datum[units.Bytes]     // step of limits by colour and of the resume of queues and pools
	GlobalHeadroom Datum[units.Bytes]     // in addition to that of PGs, for each pipe, out of the shared part
	MaxPacket      Datum[units.Bytes]     // largest frame
	Latency        Datum[units.Time]      // from port to port, unloaded
	Capacity       Datum[units.BitRate]   // switching capacity, one way
	PortSpeeds     Datum[[]units.BitRate] // ascending
	LaneRate       Datum[units.BitRate]   // of the fastest serdes lane, as Ethernet counts it
	MaxPorts       Datum[int]
	Queues         Datum[int] // unicast queues per port
	PriorityGroups Datum[int] // per port
	PoolSize       Datum[PoolSize]
	HeadroomPool   Datum[bool] // whether PGs can share a pool of headroom

	// How the chip compares, to the cell: names that package model/mmu reads.
	Admission Datum[string] // into the shared part: "with_cell", "below_with_cell", "before_cell"
	Pause     Datum[string] // the moment of XOFF: "when_full", "on_excess"
	// StaticLimits is the extent of static thresholds in SONiC: "chip", "part", or "either" where
	// that depends on the release of SAI, which no file holds.
	StaticLimits Datum[string]
	// XOFFDecided is with which byte of a packet that moment comes: "start", "end".
	XOFFDecided Datum[string]
	PauseDelay  Datum[units.Time] // of its own layers, a pause on the way out and data on the way in

	Parts   Parts
	Marking Marking

	// Reserve that the factory configuration gives each PG and queue.
	PGReserve    Datum[units.Bytes]
	QueueReserve Datum[units.Bytes]
	XOnOffset    Datum[units.Bytes] // distance below the pause threshold at which it resumes

	// HeadroomMethod is the formula that suits the chip: see calc/headroom.
	HeadroomMethod Datum[string]
	XGSHeadroom    XGSHeadroom
	SDKHeadroom    SDKHeadroom
	Spectrum       SpectrumModel
	SiliconOne     SiliconOneModel
}

// Marking has the limits of the chip for a curve of ECN.
type Marking struct {
	// Steps are the probabilities that it can have at the upper threshold, ascending; values between
	// are rounded down. Absent: every probability.
	Steps Datum[[]units.Ratio]
	// Max is the largest threshold.
	Max Datum[units.Bytes]
	// Lag is the delay with which a threshold sees the queue: the period in which its length is read.
	Lag Datum[units.Time]
	// State is the quantity that is compared with a threshold: the length of the queue over the
	// whole chip, "queue", or its length in each part of the buffer, "part".
	State Datum[string]
}

// SDKHeadroom are the headrooms, in cells, that the vendor's SDK gives a lossless PG by
// default, for each of the speeds in turn. The SDK states no length of cable.
type SDKHeadroom struct {
	Speeds         Datum[[]units.BitRate]
	LineRate       Datum[[]units.Cells] // where the chip's pipes keep up with its ports
	Oversubscribed Datum[[]units.Cells] // where they do not
}

// XGSHeadroom are the constants of the linear headroom formula
// cells = ⌈(Fixed + rate·(Response + 10 ns/m·L)) / WirePerCell⌉.
type XGSHeadroom struct {
	Fixed       Datum[units.Bytes]     // largest frames, one or two
	Response    Datum[units.Time]      // time that does not depend on the cable
	WirePerCell Datum[units.Bytes]     // wire bytes that fill one cell at the worst packet size
	MinCable    Datum[units.Length]    // cables that are shorter count as this long
	SpeedClass  Datum[[]units.BitRate] // speeds round up to one of these, ascending; absent: no rounding
	Responses   Datum[[]units.Time]    // of each class in turn, where they differ; Response holds elsewhere

	// From this length on, a port counts as if it had at least this speed: both or none.
	LongCable Datum[units.Length]
	LongSpeed Datum[units.BitRate]
}

// SpectrumModel are the constants of NVIDIA's buffer calculators in SONiC.
type SpectrumModel struct {
	PipelineLatency Datum[units.Bytes] // xon of a lossless PG
	TileDelay       Datum[units.Time]  // added to the propagation on chips built of tiles
	XOffExtra       Datum[units.Bytes] // constant on top of xoff
	PortReserved    Datum[units.Bytes] // taken from the pool once
	DescriptorPool  Datum[units.Bytes] // pool of modification descriptors, taken once too
	MirrorHeadroom  Datum[units.Bytes] // per port that is up
	PrivateHeadroom Datum[units.Bytes] // per lossless port, when there is a shared headroom pool
}

// SiliconOneModel are the rules by which Cisco's Silicon One differs from other chips.
type SiliconOneModel struct {
	// ThresholdOf is the quantity that alpha multiplies: "free", the free part of the pool, as on
	// other chips, or "pool", all of it. Absent: free.
	ThresholdOf Datum[string]
	// QueueDepth is the most that a queue holds. The pause threshold of a PG is below PauseDepth of
	// it, less the PG's headroom.
	QueueDepth Datum[units.Bytes]
	PauseDepth Datum[units.Ratio]
	// ThresholdBits and HeadroomBits are the bits of mantissa in which thresholds are
	// held, rounded down, and headrooms, rounded up.
	ThresholdBits Datum[int]
	HeadroomBits  Datum[int]
	// QueueCode is which step the dynamic threshold of a queue takes: "down", the one below it, or
	// "next", the one above that. Absent: down.
	QueueCode Datum[string]
	// HeadroomOverhead is the amount that each packet takes of the headroom besides its own length.
	HeadroomOverhead Datum[units.Bytes]
	// A PG resumes when it holds ResumeAt, or alpha times ResumeOf, whatever its threshold.
	ResumeAt Datum[units.Bytes]
	ResumeOf Datum[units.Bytes]
	// EgressKept is the part of an egress pool that no queue gets.
	EgressKept Datum[units.Bytes]
}
