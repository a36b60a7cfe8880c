package chips

import (
	"errors"
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/units"
)

// A dataRow is one fact that a chip, its cages, a NIC or a published configuration can have, under
// the name that files use.
type dataRow struct {
	name    string
	form    string // the notation of its value: `an amount of bytes, "9216B"`
	unit    string // base unit of its number; empty where it is not a quantity
	meaning string
	holder  holder
}

// A holder is a Datum of some type together with how it is read and shown.
type holder interface {
	declare(chip, name string)             // name it, so that asking without result can say for what
	read(r *reader, at attribute, f *Fact) // set it from a file, or report
	known() *Fact                          // nil: unknown
	text() string                          // as files write it
	number() any                           // in base units, for machines
}

// slot joins a Datum with the kind of its value. It does not embed the Datum, whose methods would be compiled for each type once more.
type slot[T any] struct {
	datum *Datum[T]
	kind  kind[T]
}

func (s *slot[T]) declare(chip, name string) { s.datum.chip, s.datum.name = chip, name }
func (s *slot[T]) known() *Fact              { return s.datum.fact }
func (s *slot[T]) text() string              { return s.kind.text(s.datum.value) }
func (s *slot[T]) number() any               { return s.kind.number(s.datum.value) }

func (s *slot[T]) read(r *reader, at attribute, f *Fact) {
	if value, ok := s.kind.read(r, at.Expr); ok {
		s.datum.value, s.datum.fact = value, f
	}
}

// rowOf is not inlined: the tables call it for each datum.
//
//go:noinline
func rowOf[T any](name string, k kind[T], meaning string, d *Datum[T]) *dataRow {
	return &dataRow{name, k.form, k.unit, meaning, &slot[T]{d, k}}
}

// chipRows returns the data of a chip in the order in which it is shown.
func chipRows(c *Chip) []*dataRow {
	return []*dataRow{
		rowOf("capacity", rate, "switching capacity, one way", &c.Capacity),
		rowOf("port_speeds", rates, "rates that ports can have", &c.PortSpeeds),
		rowOf("lane_rate", rate, "rate of the fastest serdes lane, as Ethernet counts it", &c.LaneRate),
		rowOf("max_ports", count, "largest number of ports", &c.MaxPorts),
		rowOf("queues", count, "unicast queues per port", &c.Queues),
		rowOf("priority_groups", count, "priority groups per port", &c.PriorityGroups),

		rowOf("cell_size", cellSize, "memory of one cell", &c.CellSize),
		rowOf("headroom_cell_size", cellSize, "unit of headroom, if it is not the cell", &c.HeadroomCell),
		rowOf("physical_buffer", size, "memory of all cells; the chip keeps some of them back", &c.PhysicalBuffer),
		rowOf("packet_buffer", size, "memory for pools, headroom and reserves together", &c.PacketBuffer),
		rowOf("usable_buffer", size, "most memory that shipped configurations distribute, if that is less", &c.UsableBuffer),
		rowOf("slices", count, "separate parts (ITMs) of the buffer", &c.Slices),
		rowOf("pipes", count, "ingress pipes of the chip; there are as many egress pipes", &c.Parts.Pipes),
		rowOf("pipe_lanes", count, "serdes lanes of each pipe; lane 1 is the first of pipe 0", &c.Parts.PipeLanes),
		rowOf("part_ingress_pipes", pipeSets, "ingress pipes that write to each part in turn; absent: not known, or all", &c.Parts.Ingress),
		rowOf("part_egress_pipes", pipeSets, "egress pipes that read from each part in turn; absent: all", &c.Parts.Egress),
		rowOf("max_packet", amount, "largest frame", &c.MaxPacket),
		rowOf("packet_metadata", amount, "bytes that the chip adds to a packet in its buffer", &c.PacketMetadata),
		rowOf("pool_size", poolSize, "parts in the size of an ingress pool in SONiC. `net`: the shared part; `gross`: also reserves and the headroom pool; `gross-own-headroom`: also reserves and the headroom that every PG owns; `gross-pool`: also the headroom pool, without reserves", &c.PoolSize),
		rowOf("headroom_pool", yesNo, "whether PGs can share a pool of headroom", &c.HeadroomPool),
		rowOf("static_limits", staticLimits, "memory that a static threshold in SONiC limits: in the whole chip, in each part of the buffer, or either, by the release of SAI; absent: in the whole chip", &c.StaticLimits),
		rowOf("admission", admission, "comparison that admits a cell to the shared part", &c.Admission),
		rowOf("pause", pause, "the moment of XOFF", &c.Pause),
		rowOf("xoff_decided", decided, "the byte of a packet at which the chip decides to pause: the first, or the last, which needs one more frame of headroom; absent: headroom counts that frame", &c.XOFFDecided),
		rowOf("pause_delay", duration, "longest delay of the chip's layers, for a pause on egress and data on ingress together; absent: the limit of IEEE 802.3", &c.PauseDelay),
		rowOf("alphas", alphas, "dynamic thresholds of the chip's menu", &c.Alphas),
		rowOf("coarse_step", cellSize, "step of limits by colour, and of resume levels of queues and pools", &c.CoarseStep),
		rowOf("ecn_granularity", cellSize, "step of the ECN thresholds", &c.ECNGranularity),
		rowOf("marking_steps", ratios, "marking probabilities that the chip supports at the upper threshold; others are rounded down; absent: all", &c.Marking.Steps),
		rowOf("marking_max", size, "largest ECN threshold", &c.Marking.Max),
		rowOf("marking_lag", duration, "period in which the chip polls a queue's length for marking; absent: no delay", &c.Marking.Lag),
		rowOf("marking_state", markingState, "quantity that an ECN threshold limits: the length of the queue in the whole chip, or in each part of the buffer. By part, a queue with senders on all sides marks later", &c.Marking.State),
		rowOf("pg_reserve", amount, "reserve of each PG in the factory configuration", &c.PGReserve),
		rowOf("queue_reserve", amount, "reserve of each queue in the factory configuration", &c.QueueReserve),
		rowOf("xon_offset", amount, "distance below the pause threshold at which a PG resumes", &c.XOnOffset),

		rowOf("global_headroom", amount, "additional headroom for each pipe, taken from the shared part", &c.GlobalHeadroom),
		rowOf("latency", duration, "latency from port to port without load, by the vendor", &c.Latency),

		rowOf("headroom_method", method, "headroom formula for the chip", &c.HeadroomMethod),
		rowOf("headroom_fixed", amount, "method xgs: largest frames, one or two", &c.XGSHeadroom.Fixed),
		rowOf("headroom_response", duration, "method xgs: time that does not depend on the cable", &c.XGSHeadroom.Response),
		rowOf("headroom_wire_per_cell", cellSize, "method xgs: wire bytes that fill one cell at the worst packet size", &c.XGSHeadroom.WirePerCell),
		rowOf("headroom_speed_classes", rates, "method xgs: speeds round up to one of these; absent: no rounding", &c.XGSHeadroom.SpeedClass),
		rowOf("headroom_responses", durations, "method xgs: response of each class in turn, if they differ", &c.XGSHeadroom.Responses),
		rowOf("headroom_long_cable", length, "method xgs: from this length on, a port counts with at least headroom_long_speed", &c.XGSHeadroom.LongCable),
		rowOf("headroom_long_speed", rate, "method xgs: see headroom_long_cable; both or none", &c.XGSHeadroom.LongSpeed),
		rowOf("headroom_min_cable", length, "method xgs: shorter cables count as this long", &c.XGSHeadroom.MinCable),

		rowOf("sdk_headroom_speeds", rates, "speeds with a default headroom of one lossless PG in the vendor's SDK", &c.SDKHeadroom.Speeds),
		rowOf("sdk_headroom_line_rate", cellCounts, "that default for each speed in turn, if pipes keep up with their ports; the SDK states no cable", &c.SDKHeadroom.LineRate),
		rowOf("sdk_headroom_oversubscribed", cellCounts, "that default if pipes do not keep up with their ports: packets may also wait in front of pipes", &c.SDKHeadroom.Oversubscribed),

		rowOf("pipeline_latency", amount, "Spectrum: xon of a lossless PG", &c.Spectrum.PipelineLatency),
		rowOf("tile_delay", duration, "Spectrum: addition to the propagation on chips with tiles", &c.Spectrum.TileDelay),
		rowOf("xoff_extra", amount, "Spectrum: constant on top of xoff", &c.Spectrum.XOffExtra),
		rowOf("port_reserved", amount, "Spectrum: taken from the pool once", &c.Spectrum.PortReserved),
		rowOf("descriptor_pool", amount, "Spectrum: pool of modification descriptors, taken once too", &c.Spectrum.DescriptorPool),
		rowOf("mirror_headroom", amount, "Spectrum: per port that is up", &c.Spectrum.MirrorHeadroom),
		rowOf("private_headroom", amount, "Spectrum: per lossless port, when there is a shared headroom pool", &c.Spectrum.PrivateHeadroom),

		rowOf("threshold_of", thresholdOf, "Silicon One: alpha times this is the pause threshold: the free part of the pool, or the whole pool; absent: the free part", &c.SiliconOne.ThresholdOf),
		rowOf("queue_depth", size, "Silicon One: largest length of a queue", &c.SiliconOne.QueueDepth),
		rowOf("pause_depth", ratio, "Silicon One: share of queue_depth below which a PG pauses, less its headroom", &c.SiliconOne.PauseDepth),
		rowOf("threshold_bits", count, "Silicon One: bits of a threshold's mantissa, rounded down; absent: exact", &c.SiliconOne.ThresholdBits),
		rowOf("queue_code", queueCode, "Silicon One: step of threshold_bits for the dynamic threshold of a queue: the one below, or the next one above that; absent: below", &c.SiliconOne.QueueCode),
		rowOf("headroom_bits", count, "Silicon One: bits of a headroom's mantissa, rounded up; absent: exact", &c.SiliconOne.HeadroomBits),
		rowOf("headroom_overhead", amount, "Silicon One: headroom of each packet in addition to its length", &c.SiliconOne.HeadroomOverhead),
		rowOf("resume_at", size, "Silicon One: fill level at which a PG resumes, for any threshold", &c.SiliconOne.ResumeAt),
		rowOf("resume_of", size, "Silicon One: a PG resumes at alpha times this fill level, for any threshold", &c.SiliconOne.ResumeOf),
		rowOf("egress_kept", size, "Silicon One: part of an egress pool that no queue can use", &c.SiliconOne.EgressKept),
	}
}

// A kind is a type of value with its spelling in files.
type kind[T any] struct {
	form   string // the notation of a value, for the reference
	unit   string
	read   func(*reader, expression) (T, bool)
	text   func(T) string
	number func(T) any
}

// quantity returns the kind of a units type: a text that its parser reads, within bounds
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

// exampleOf returns a text that the parser of a quantity reads.
func exampleOf[T any](parse func(string) (T, error)) string {
	_, err := parse("")
	var wrong *units.ParseError
	if !errors.As(err, &wrong) {
		panic("chips: the empty text is a quantity")
	}
	return wrong.Example
}

// ascending returns the kind of a list, without repetition, in ascending order.
func ascending[T interface {
	~int64 | ~int8
	fmt.Stringer
}](name, unit string, parse func(string) (T, error)) kind[[]T] {
	return listing(name, unit, true, parse)
}

// listing returns the kind of a list.
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

// word returns the kind of a text that is one of a few.
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
