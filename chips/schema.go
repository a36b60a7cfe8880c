package chips

import (
	"errors"
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/units"
)

// A datum is a row of the schema: one fact that a chip can have, under the name that
// files use.
type datum struct {
	name    string
	form    string // how its value is written: `an amount of bytes, "9216B"`
	unit    string // base unit of its number; empty where it is not a quantity
	meaning string
	hold    func(*Chip) holder
}

// A holder is a Datum of some type together with how it is read and shown.
type holder interface {
	declare(chip, name string)             // name it, so that asking without result can say for what
	read(r *reader, at attribute, f *Fact) // set it from a file, or report
	known() *Fact                          // nil: unknown
	text() string                          // as files write it
	number() any                           // in base units, for machines
}

// slot joins a Datum with the kind of its value.
type slot[T any] struct {
	*Datum[T]
	kind kind[T]
}

func (s slot[T]) declare(chip, name string) { s.chip, s.name = chip, name }
func (s slot[T]) known() *Fact              { return s.fact }
func (s slot[T]) text() string              { return s.kind.text(s.value) }
func (s slot[T]) number() any               { return s.kind.number(s.value) }

func (s slot[T]) read(r *reader, at attribute, f *Fact) {
	if value, ok := s.kind.read(r, at.Expr); ok {
		s.value, s.fact = value, f
	}
}

// row is not inlined: the schema calls it for each datum.
//
//go:noinline
func row[T any](name string, k kind[T], meaning string, at func(*Chip) *Datum[T]) datum {
	return datum{name, k.form, k.unit, meaning, func(c *Chip) holder { return slot[T]{at(c), k} }}
}

// The schema, in the order in which a chip is shown.
var schema = []datum{
	row("capacity", rate, "switching capacity, one way",
		func(c *Chip) *Datum[units.BitRate] { return &c.Capacity }),
	row("port_speeds", rates, "rates that ports can have",
		func(c *Chip) *Datum[[]units.BitRate] { return &c.PortSpeeds }),
	row("lane_rate", rate, "rate of the fastest serdes lane, as Ethernet counts it",
		func(c *Chip) *Datum[units.BitRate] { return &c.LaneRate }),
	row("max_ports", count, "largest number of ports",
		func(c *Chip) *Datum[int] { return &c.MaxPorts }),
	row("queues", count, "unicast queues per port",
		func(c *Chip) *Datum[int] { return &c.Queues }),
	row("priority_groups", count, "priority groups per port",
		func(c *Chip) *Datum[int] { return &c.PriorityGroups }),

	row("cell_size", cellSize, "memory of one cell",
		func(c *Chip) *Datum[units.Bytes] { return &c.CellSize }),
	row("headroom_cell_size", cellSize, "unit of headroom, if it is not the cell",
		func(c *Chip) *Datum[units.Bytes] { return &c.HeadroomCell }),
	row("physical_buffer", size, "memory of all cells; the chip keeps some of them back",
		func(c *Chip) *Datum[units.Bytes] { return &c.PhysicalBuffer }),
	row("packet_buffer", size, "memory for pools, headroom and reserves together",
		func(c *Chip) *Datum[units.Bytes] { return &c.PacketBuffer }),
	row("usable_buffer", size, "most memory that shipped configurations distribute, if that is less",
		func(c *Chip) *Datum[units.Bytes] { return &c.UsableBuffer }),
	row("slices", count, "separate parts (ITMs) of the buffer",
		func(c *Chip) *Datum[int] { return &c.Slices }),
	row("pipes", count, "ingress pipes of the chip; there are as many egress pipes",
		func(c *Chip) *Datum[int] { return &c.Parts.Pipes }),
	row("pipe_lanes", count, "serdes lanes of each pipe; lane 1 is the first of pipe 0",
		func(c *Chip) *Datum[int] { return &c.Parts.PipeLanes }),
	row("part_ingress_pipes", pipeSets, "ingress pipes that write to each part in turn; absent: not known, or all",
		func(c *Chip) *Datum[[]Pipes] { return &c.Parts.Ingress }),
	row("part_egress_pipes", pipeSets, "egress pipes that read from each part in turn; absent: all",
		func(c *Chip) *Datum[[]Pipes] { return &c.Parts.Egress }),
	row("max_packet", amount, "largest frame",
		func(c *Chip) *Datum[units.Bytes] { return &c.MaxPacket }),
	row("packet_metadata", amount, "bytes that the chip adds to a packet in its buffer",
		func(c *Chip) *Datum[units.Bytes] { return &c.PacketMetadata }),
	row("pool_size", poolSize, "parts in the size of an ingress pool in SONiC. `net`: the shared part; `gross`: also reserves and the headroom pool; `gross-own-headroom`: also reserves and the headroom that every PG owns; `gross-pool`: also the headroom pool, without reserves",
		func(c *Chip) *Datum[PoolSize] { return &c.PoolSize }),
	row("headroom_pool", yesNo, "whether PGs can share a pool of headroom",
		func(c *Chip) *Datum[bool] { return &c.HeadroomPool }),
	row("static_limits", staticLimits, "memory that a static threshold in SONiC limits: in the whole chip, in each part of the buffer, or either, by the release of SAI; absent: in the whole chip",
		func(c *Chip) *Datum[string] { return &c.StaticLimits }),
	row("admission", admission, "comparison that admits a cell to the shared part",
		func(c *Chip) *Datum[string] { return &c.Admission }),
	row("pause", pause, "the moment of XOFF",
		func(c *Chip) *Datum[string] { return &c.Pause }),
	row("xoff_decided", decided, "the byte of a packet at which the chip decides to pause: the first, or the last, which needs one more frame of headroom; absent: headroom counts that frame",
		func(c *Chip) *Datum[string] { return &c.XOFFDecided }),
	row("pause_delay", duration, "longest delay of the chip's layers, for a pause on egress and data on ingress together; absent: the limit of IEEE 802.3",
		func(c *Chip) *Datum[units.Time] { return &c.PauseDelay }),
	row("alphas", alphas, "dynamic thresholds of the chip's menu",
		func(c *Chip) *Datum[[]units.Alpha] { return &c.Alphas }),
	row("coarse_step", cellSize, "step of limits by colour, and of resume levels of queues and pools",
		func(c *Chip) *Datum[units.Bytes] { return &c.CoarseStep }),
	row("ecn_granularity", cellSize, "step of the ECN thresholds",
		func(c *Chip) *Datum[units.Bytes] { return &c.ECNGranularity }),
	row("marking_steps", ratios, "marking probabilities that the chip supports at the upper threshold; others are rounded down; absent: all",
		func(c *Chip) *Datum[[]units.Ratio] { return &c.Marking.Steps }),
	row("marking_max", size, "largest ECN threshold",
		func(c *Chip) *Datum[units.Bytes] { return &c.Marking.Max }),
	row("marking_lag", duration, "period in which the chip polls a queue's length for marking; absent: no delay",
		func(c *Chip) *Datum[units.Time] { return &c.Marking.Lag }),
	row("marking_state", markingState, "quantity that an ECN threshold limits: the length of the queue in the whole chip, or in each part of the buffer. By part, a queue with senders on all sides marks later",
		func(c *Chip) *Datum[string] { return &c.Marking.State }),
	row("pg_reserve", amount, "reserve of each PG in the factory configuration",
		func(c *Chip) *Datum[units.Bytes] { return &c.PGReserve }),
	row("queue_reserve", amount, "reserve of each queue in the factory configuration",
		func(c *Chip) *Datum[units.Bytes] { return &c.QueueReserve }),
	row("xon_offset", amount, "distance below the pause threshold at which a PG resumes",
		func(c *Chip) *Datum[units.Bytes] { return &c.XOnOffset }),

	row("global_headroom", amount, "additional headroom for each pipe, taken from the shared part",
		func(c *Chip) *Datum[units.Bytes] { return &c.GlobalHeadroom }),
	row("latency", duration, "latency from port to port without load, by the vendor",
		func(c *Chip) *Datum[units.Time] { return &c.Latency }),

	row("headroom_method", method, "headroom formula for the chip",
		func(c *Chip) *Datum[string] { return &c.HeadroomMethod }),
	row("headroom_fixed", amount, "method xgs: largest frames, one or two",
		func(c *Chip) *Datum[units.Bytes] { return &c.XGSHeadroom.Fixed }),
	row("headroom_response", duration, "method xgs: time that does not depend on the cable",
		func(c *Chip) *Datum[units.Time] { return &c.XGSHeadroom.Response }),
	row("headroom_wire_per_cell", cellSize, "method xgs: wire bytes that fill one cell at the worst packet size",
		func(c *Chip) *Datum[units.Bytes] { return &c.XGSHeadroom.WirePerCell }),
	row("headroom_speed_classes", rates, "method xgs: speeds round up to one of these; absent: no rounding",
		func(c *Chip) *Datum[[]units.BitRate] { return &c.XGSHeadroom.SpeedClass }),
	row("headroom_responses", durations, "method xgs: response of each class in turn, if they differ",
		func(c *Chip) *Datum[[]units.Time] { return &c.XGSHeadroom.Responses }),
	row("headroom_long_cable", length, "method xgs: from this length on, a port counts with at least headroom_long_speed",
		func(c *Chip) *Datum[units.Length] { return &c.XGSHeadroom.LongCable }),
	row("headroom_long_speed", rate, "method xgs: see headroom_long_cable; both or none",
		func(c *Chip) *Datum[units.BitRate] { return &c.XGSHeadroom.LongSpeed }),
	row("headroom_min_cable", length, "method xgs: shorter cables count as this long",
		func(c *Chip) *Datum[units.Length] { return &c.XGSHeadroom.MinCable }),

	row("sdk_headroom_speeds", rates, "speeds with a default headroom of one lossless PG in the vendor's SDK",
		func(c *Chip) *Datum[[]units.BitRate] { return &c.SDKHeadroom.Speeds }),
	row("sdk_headroom_line_rate", cellCounts, "that default for each speed in turn, if pipes keep up with their ports; the SDK states no cable",
		func(c *Chip) *Datum[[]units.Cells] { return &c.SDKHeadroom.LineRate }),
	row("sdk_headroom_oversubscribed", cellCounts, "that default if pipes do not keep up with their ports: packets may also wait in front of pipes",
		func(c *Chip) *Datum[[]units.Cells] { return &c.SDKHeadroom.Oversubscribed }),

	row("pipeline_latency", amount, "Spectrum: xon of a lossless PG",
		func(c *Chip) *Datum[units.Bytes] { return &c.Spectrum.PipelineLatency }),
	row("tile_delay", duration, "Spectrum: addition to the propagation on chips with tiles",
		func(c *Chip) *Datum[units.Time] { return &c.Spectrum.TileDelay }),
	row("xoff_extra", amount, "Spectrum: constant on top of xoff",
		func(c *Chip) *Datum[units.Bytes] { return &c.Spectrum.XOffExtra }),
	row("port_reserved", amount, "Spectrum: taken from the pool once",
		func(c *Chip) *Datum[units.Bytes] { return &c.Spectrum.PortReserved }),
	row("descriptor_pool", amount, "Spectrum: pool of modification descriptors, taken once too",
		func(c *Chip) *Datum[units.Bytes] { return &c.Spectrum.DescriptorPool }),
	row("mirror_headroom", amount, "Spectrum: per port that is up",
		func(c *Chip) *Datum[units.Bytes] { return &c.Spectrum.MirrorHeadroom }),
	row("private_headroom", amount, "Spectrum: per lossless port, when there is a shared headroom pool",
		func(c *Chip) *Datum[units.Bytes] { return &c.Spectrum.PrivateHeadroom }),

	row("threshold_of", thresholdOf, "Silicon One: alpha times this is the pause threshold: the free part of the pool, or the whole pool; absent: the free part",
		func(c *Chip) *Datum[string] { return &c.SiliconOne.ThresholdOf }),
	row("queue_depth", size, "Silicon One: largest length of a queue",
		func(c *Chip) *Datum[units.Bytes] { return &c.SiliconOne.QueueDepth }),
	row("pause_depth", ratio, "Silicon One: share of queue_depth below which a PG pauses, less its headroom",
		func(c *Chip) *Datum[units.Ratio] { return &c.SiliconOne.PauseDepth }),
	row("threshold_bits", count, "Silicon One: bits of a threshold's mantissa, rounded down; absent: exact",
		func(c *Chip) *Datum[int] { return &c.SiliconOne.ThresholdBits }),
	row("queue_code", queueCode, "Silicon One: step of threshold_bits for the dynamic threshold of a queue: the one below, or the next one above that; absent: below",
		func(c *Chip) *Datum[string] { return &c.SiliconOne.QueueCode }),
	row("headroom_bits", count, "Silicon One: bits of a headroom's mantissa, rounded up; absent: exact",
		func(c *Chip) *Datum[int] { return &c.SiliconOne.HeadroomBits }),
	row("headroom_overhead", amount, "Silicon One: headroom of each packet in addition to its length",
		func(c *Chip) *Datum[units.Bytes] { return &c.SiliconOne.HeadroomOverhead }),
	row("resume_at", size, "Silicon One: fill level at which a PG resumes, for any threshold",
		func(c *Chip) *Datum[units.Bytes] { return &c.SiliconOne.ResumeAt }),
	row("resume_of", size, "Silicon One: a PG resumes at alpha times this fill level, for any threshold",
		func(c *Chip) *Datum[units.Bytes] { return &c.SiliconOne.ResumeOf }),
	row("egress_kept", size, "Silicon One: part of an egress pool that no queue can use",
		func(c *Chip) *Datum[units.Bytes] { return &c.SiliconOne.EgressKept }),
}

// A kind is a type of value with its spelling in files.
type kind[T any] struct {
	form   string // how a value is written, for the reference
	unit   string
	read   func(*reader, expression) (T, bool)
	text   func(T) string
	number func(T) any
}

// quantity is the kind of a units type: a text that its parser reads, within bounds
// that keep what is computed from it finite.
func quantity[T interface {
	~int64
	fmt.Stringer
}](name, unit string, parse func(string) (T, error), least, most T) kind[T] {
	return kind[T]{fmt.Sprintf("%s, `%q`", name, exampleOf(parse)), unit,
		func(r *reader, e expression) (T, bool) {
			v, ok := scalar(r, e, name, parse)
			if ok && (v < least || v > most) {
				r.errorf(BadValue, e.Range(), "%v is not from %v to %v", v, least, most).Fixf("write a value from %v to %v", least, most)
				ok = false
			}
			return v, ok
		},
		T.String,
		func(v T) any { return int64(v) },
	}
}

// exampleOf is a text that the parser of a quantity reads.
func exampleOf[T any](parse func(string) (T, error)) string {
	_, err := parse("")
	var wrong *units.ParseError
	if !errors.As(err, &wrong) {
		panic("chips: the empty text is a quantity")
	}
	return wrong.Example
}

// ascending is the kind of a list, without repetition, in ascending order.
func ascending[T interface {
	~int64 | ~int8
	fmt.Stringer
}](name, unit string, parse func(string) (T, error)) kind[[]T] {
	return listing(name, unit, true, parse)
}

// listing is the kind of a list.
func listing[T interface {
	~int64 | ~int8
	fmt.Stringer
}](name, unit string, inOrder bool, parse func(string) (T, error)) kind[[]T] {
	return kind[[]T]{fmt.Sprintf("%s, `[%q]`", name, exampleOf(parse)), unit,
		func(r *reader, e expression) ([]T, bool) { return list(r, e, name, inOrder, parse) },
		func(all []T) string {
			texts := make([]string, len(all))
			for i, v := range all {
				texts[i] = v.String()
			}
			return strings.Join(texts, ", ")
		},
		func(all []T) any {
			numbers := make([]int64, len(all))
			for i, v := range all {
				numbers[i] = int64(v)
			}
			return numbers
		},
	}
}

// word is the kind of a text that is one of a few.
func word[T ~string](name string, words ...T) kind[T] {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = fmt.Sprintf("`%q`", string(w))
	}
	return kind[T]{strings.Join(quoted, ", "), "",
		func(r *reader, e expression) (T, bool) { return oneOf(r, e, name, words) },
		func(v T) string { return string(v) },
		func(v T) any { return string(v) },
	}
}

var (
	amount       = quantity("an amount of bytes", "B", units.ParseBytes, 0, 1<<40)
	size         = quantity("an amount of bytes", "B", units.ParseBytes, 1, 1<<40)
	cellSize     = quantity("an amount of bytes", "B", units.ParseBytes, 16, 1<<16)
	rate         = quantity("a data rate", "bps", units.ParseBitRate, units.Mbps, 1000*units.Tbps)
	duration     = quantity("a time", "ps", units.ParseTime, 0, units.Second)
	length       = quantity("a length", "mm", units.ParseLength, 0, 1000*units.Kilometre)
	durations    = listing("a list of times", "ps", false, units.ParseTime)
	rates        = ascending("a list of data rates", "bps", units.ParseBitRate)
	ratio        = quantity("a share", "ppb", units.ParseRatio, 0, units.One)
	ratios       = ascending("a list of shares", "ppb", units.ParseRatio)
	alphas       = ascending("a list of alphas", "log2", units.ParseAlpha)
	poolSize     = word("what a pool's size means", Net, Gross, GrossOwnHeadroom, GrossPool)
	admission    = word("a rule of admission", "with_cell", "below_with_cell", "before_cell")
	pause        = word("a moment of pausing", "when_full", "on_excess")
	staticLimits = word("what a static threshold counts", "chip", "part", "either")
	decided      = word("an end of a packet", "start", "end")
	thresholdOf  = word("what a threshold is a multiple of", "free", "pool")
	queueCode    = word("which step a threshold takes", "down", "next")
	markingState = word("what an ECN threshold is compared with", "queue", "part")
	method       = word("a headroom method", "ucloud", "spectrum", "tofino", "xgs", "ieee8021q", "table")
	family       = word("a chip family", XGS, DNX, Spectrum, Teralynx, TofinoFam, SiliconOneFam, Prestera, Nephos)
	count        = kind[int]{"a whole number, `2`", "", wholeNumber,
		func(v int) string { return fmt.Sprint(v) }, func(v int) any { return v }}
	cellCounts = kind[[]units.Cells]{"a list of cells, `[160, 254]`", "cells", wholeNumbers,
		func(v []units.Cells) string { return strings.Trim(fmt.Sprint(plain(v)), "[]") }, func(v []units.Cells) any { return plain(v) }}
	yesNo = kind[bool]{"`true` or `false`", "", truth,
		func(v bool) string { return fmt.Sprint(v) }, func(v bool) any { return v }}
)

// plain are cells as mere numbers.
func plain(cells []units.Cells) []int64 {
	out := make([]int64, len(cells))
	for i, c := range cells {
		out[i] = int64(c)
	}
	return out
}
