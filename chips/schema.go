package chips

import (
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/units"
)

// A datum is a row of the schema: one fact that a chip can have, under the name that
// files use.
type datum struct {
	name string
	kind string // what its value is: "bytes", "time", …
	unit string // base unit of its number; empty where it is no quantity
	hold func(*Chip) holder
}

// A holder is a Datum of some type together with how it is read and shown.
type holder interface {
	declare(chip, name string)             // name it, so that asking in vain can say for what
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

func row[T any](name string, k kind[T], at func(*Chip) *Datum[T]) datum {
	return datum{name, k.name, k.unit, func(c *Chip) holder { return slot[T]{at(c), k} }}
}

// The schema, in the order in which a chip is shown.
var schema = []datum{
	row("capacity", rate, func(c *Chip) *Datum[units.BitRate] { return &c.Capacity }),
	row("port_speeds", rates, func(c *Chip) *Datum[[]units.BitRate] { return &c.PortSpeeds }),
	row("max_ports", count, func(c *Chip) *Datum[int] { return &c.MaxPorts }),
	row("queues", count, func(c *Chip) *Datum[int] { return &c.Queues }),
	row("priority_groups", count, func(c *Chip) *Datum[int] { return &c.PriorityGroups }),

	row("cell_size", cellSize, func(c *Chip) *Datum[units.Bytes] { return &c.CellSize }),
	row("headroom_cell_size", cellSize, func(c *Chip) *Datum[units.Bytes] { return &c.HeadroomCell }),
	row("packet_buffer", size, func(c *Chip) *Datum[units.Bytes] { return &c.PacketBuffer }),
	row("usable_buffer", size, func(c *Chip) *Datum[units.Bytes] { return &c.UsableBuffer }),
	row("slices", count, func(c *Chip) *Datum[int] { return &c.Slices }),
	row("packet_metadata", amount, func(c *Chip) *Datum[units.Bytes] { return &c.PacketMetadata }),
	row("pool_size", poolSize, func(c *Chip) *Datum[PoolSize] { return &c.PoolSize }),
	row("headroom_pool", yesNo, func(c *Chip) *Datum[bool] { return &c.HeadroomPool }),
	row("admission", admission, func(c *Chip) *Datum[string] { return &c.Admission }),
	row("pause", pause, func(c *Chip) *Datum[string] { return &c.Pause }),
	row("alphas", alphas, func(c *Chip) *Datum[[]units.Alpha] { return &c.Alphas }),
	row("ecn_granularity", cellSize, func(c *Chip) *Datum[units.Bytes] { return &c.ECNGranularity }),
	row("pg_reserve", amount, func(c *Chip) *Datum[units.Bytes] { return &c.PGReserve }),
	row("queue_reserve", amount, func(c *Chip) *Datum[units.Bytes] { return &c.QueueReserve }),
	row("xon_offset", amount, func(c *Chip) *Datum[units.Bytes] { return &c.XOnOffset }),

	row("headroom_method", method, func(c *Chip) *Datum[string] { return &c.HeadroomMethod }),
	row("headroom_fixed", amount, func(c *Chip) *Datum[units.Bytes] { return &c.XGSHeadroom.Fixed }),
	row("headroom_response", duration, func(c *Chip) *Datum[units.Time] { return &c.XGSHeadroom.Response }),
	row("headroom_wire_per_cell", cellSize, func(c *Chip) *Datum[units.Bytes] { return &c.XGSHeadroom.WirePerCell }),
	row("headroom_speed_classes", rates, func(c *Chip) *Datum[[]units.BitRate] { return &c.XGSHeadroom.SpeedClass }),
	row("headroom_responses", durations, func(c *Chip) *Datum[[]units.Time] { return &c.XGSHeadroom.Responses }),
	row("headroom_long_cable", length, func(c *Chip) *Datum[units.Length] { return &c.XGSHeadroom.LongCable }),
	row("headroom_long_speed", rate, func(c *Chip) *Datum[units.BitRate] { return &c.XGSHeadroom.LongSpeed }),
	row("headroom_min_cable", length, func(c *Chip) *Datum[units.Length] { return &c.XGSHeadroom.MinCable }),

	row("pipeline_latency", amount, func(c *Chip) *Datum[units.Bytes] { return &c.Spectrum.PipelineLatency }),
	row("tile_delay", duration, func(c *Chip) *Datum[units.Time] { return &c.Spectrum.TileDelay }),
	row("xoff_extra", amount, func(c *Chip) *Datum[units.Bytes] { return &c.Spectrum.XOffExtra }),
	row("port_reserved", amount, func(c *Chip) *Datum[units.Bytes] { return &c.Spectrum.PortReserved }),
	row("descriptor_pool", amount, func(c *Chip) *Datum[units.Bytes] { return &c.Spectrum.DescriptorPool }),
	row("mirror_headroom", amount, func(c *Chip) *Datum[units.Bytes] { return &c.Spectrum.MirrorHeadroom }),
	row("private_headroom", amount, func(c *Chip) *Datum[units.Bytes] { return &c.Spectrum.PrivateHeadroom }),
}

// A kind is a type of value with its spelling in files.
type kind[T any] struct {
	name   string
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
	return kind[T]{name, unit,
		func(r *reader, e expression) (T, bool) {
			v, ok := scalar(r, e, name, parse)
			if ok && (v < least || v > most) {
				r.errorf(BadValue, e.Range(), "%v is not from %v to %v", v, least, most)
				ok = false
			}
			return v, ok
		},
		T.String,
		func(v T) any { return int64(v) },
	}
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
	return kind[[]T]{name, unit,
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
	return kind[T]{name, "",
		func(r *reader, e expression) (T, bool) { return oneOf(r, e, name, words) },
		func(v T) string { return string(v) },
		func(v T) any { return string(v) },
	}
}

var (
	amount    = quantity("an amount of bytes", "B", units.ParseBytes, 0, 1<<40)
	size      = quantity("an amount of bytes", "B", units.ParseBytes, 1, 1<<40)
	cellSize  = quantity("an amount of bytes", "B", units.ParseBytes, 16, 1<<16)
	rate      = quantity("a data rate", "bps", units.ParseBitRate, units.Mbps, 1000*units.Tbps)
	duration  = quantity("a time", "ps", units.ParseTime, 0, units.Second)
	length    = quantity("a length", "mm", units.ParseLength, 0, 1000*units.Kilometre)
	durations = listing("a list of times", "ps", false, units.ParseTime)
	rates     = ascending("a list of data rates", "bps", units.ParseBitRate)
	alphas    = ascending("a list of alphas", "log2", units.ParseAlpha)
	poolSize  = word("what a pool's size means", Net, Gross, GrossOwnHeadroom, GrossPool)
	admission = word("a rule of admission", "with_cell", "below_with_cell", "before_cell")
	pause     = word("a moment of pausing", "when_full", "on_excess")
	method    = word("a headroom method", "ucloud", "spectrum", "tofino", "xgs", "ieee8021q", "table")
	family    = word("a chip family", XGS, DNX, Spectrum, Teralynx, TofinoFam)
	count     = kind[int]{"a whole number", "", wholeNumber,
		func(v int) string { return fmt.Sprint(v) }, func(v int) any { return v }}
	yesNo = kind[bool]{"true or false", "", truth,
		func(v bool) string { return fmt.Sprint(v) }, func(v bool) any { return v }}
)
