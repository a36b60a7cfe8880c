package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/units"
)

// An Attribute is one value that a part of a switch has. Package diff compares the attributes of
// this file, and a fabric can pin them.
type Attribute struct {
	Name string // in words: "xon offset"
	Pin  string // in a pinned block: "xon_offset"; empty: it cannot be pinned
	Doc  string // its meaning
	Zero any    // a value of its type
	// Derived is set where the plan keeps the reason of the value.
	Derived bool
	// Get returns the value that a part has and its reason, which may be nil. The part is a pointer.
	Get func(part any) (any, *Why)
	// Set gives the part a value of the type of Zero.
	Set func(part, value any, why *Why)
	// Without reports whether the part has no such value; nil: it always has one.
	Without func(part any) bool
}

// number returns an attribute that the plan keeps with its reason.
//
//go:noinline
func number[P, T any](name, pin, doc string, at func(*P) *Derived[T]) Attribute {
	var zero T
	return Attribute{Name: name, Pin: pin, Doc: doc, Zero: zero, Derived: true,
		Get: func(part any) (any, *Why) { d := at(part.(*P)); return d.Value, d.Why },
		Set: func(part, value any, why *Why) { *at(part.(*P)) = Of(value.(T), why) },
	}
}

// field returns an attribute without a reason of its own.
//
//go:noinline
func field[P, T any](name, pin, doc string, at func(*P) *T) Attribute {
	var zero T
	return Attribute{Name: name, Pin: pin, Doc: doc, Zero: zero,
		Get: func(part any) (any, *Why) { return *at(part.(*P)), nil },
		Set: func(part, value any, _ *Why) { *at(part.(*P)) = value.(T) },
	}
}

// curve returns a figure of the marking curve of a queue. To set it gives the queue a curve.
func curve[T any](name, doc string, at func(*ECN) *Derived[T]) Attribute {
	a := number(name, name, doc, func(q *Queue) *Derived[T] {
		if q.ECN == nil {
			return new(Derived[T])
		}
		return at(q.ECN)
	})
	a.Without = func(part any) bool { return part.(*Queue).ECN == nil }
	set := a.Set
	a.Set = func(part, value any, why *Why) {
		q := part.(*Queue)
		own := ECN{}
		if q.ECN != nil {
			own = *q.ECN // others may share it
		}
		q.ECN = &own
		set(q, value, why)
	}
	return a
}

// Priorities is a set of PFC priorities: bit p is that of priority p.
type Priorities uint8

// PGAttributes returns the values of a [PG].
func PGAttributes() []Attribute {
	return []Attribute{
		field("lossless", "lossless", "whether it pauses before it drops", func(g *PG) *bool { return &g.Lossless }),
		field("pool", "pool", "pool that accounts it", func(g *PG) *string { return &g.Pool }),
		number("reserved", "reserved", "reserved buffer; SONiC's `size`. On NVIDIA Spectrum, and in SONiC on Trident 2, it includes the headroom if there is no headroom pool", func(g *PG) *Derived[units.Bytes] { return &g.Reserved }),
		number("limit", "limit", "threshold in the shared buffer", func(g *PG) *Derived[Limit] { return &g.Limit }),
		number("xon", "xon", "fill level below which the peer may send again", func(g *PG) *Derived[units.Bytes] { return &g.XOn }),
		number("xon offset", "xon_offset", "distance below the threshold at which the peer may send again", func(g *PG) *Derived[units.Bytes] { return &g.XOnOffset }),
		number("headroom", "headroom", "buffer for packets that arrive after the pause; SONiC's `xoff`", func(g *PG) *Derived[units.Bytes] { return &g.Headroom }),
		field("largest frame of its headroom", "mru", "largest frame for which Junos computes its headroom; `0B`: the MTU of the port", func(g *PG) *units.Bytes { return &g.MRU }),
		field("own sizes in the dynamic model", "override", "whether SONiC's dynamic buffer model has explicit sizes too", func(g *PG) *bool { return &g.Override }),
	}
}

// QueueAttributes returns the values of a [Queue] and of its marking curve.
func QueueAttributes() []Attribute {
	weight := number("weight", "weight", "weight of DWRR", func(q *Queue) *Derived[int64] { return &q.Scheduler.Weight })
	weight.Without = func(part any) bool { return part.(*Queue).Scheduler.Strict }
	levels := field("curve", "fill_levels", "marking curve of Junos and SR Linux: shares of packets at fill levels of the queue", func(q *Queue) *Levels { return &q.Curve })
	levels.Set = func(part, value any, _ *Why) {
		q := part.(*Queue)
		q.Curve, q.ECN = value.(Levels), nil
	}
	return []Attribute{
		field("pool", "pool", "pool that accounts it", func(q *Queue) *string { return &q.Pool }),
		number("reserved", "reserved", "reserved buffer; SONiC's `size`", func(q *Queue) *Derived[units.Bytes] { return &q.Reserved }),
		number("limit", "limit", "threshold in the shared buffer", func(q *Queue) *Derived[Limit] { return &q.Limit }),
		field("strict", "strict", "whether it has strict priority over queues with a weight", func(q *Queue) *bool { return &q.Scheduler.Strict }),
		weight,
		number("max rate", "max_rate", "largest rate", func(q *Queue) *Derived[units.BitRate] { return &q.Scheduler.MaxRate }),
		levels,
		field("trimming", "", "", func(q *Queue) *bool { return &q.Trims }),
		curve("kmin", "length at which marking begins", func(e *ECN) *Derived[units.Bytes] { return &e.KMin }),
		curve("kmax", "length above which every packet is marked", func(e *ECN) *Derived[units.Bytes] { return &e.KMax }),
		curve("pmax", "share of packets marked at kmax", func(e *ECN) *Derived[units.Ratio] { return &e.PMax }),
	}
}

// PoolAttributes returns the values of a [Pool].
func PoolAttributes() []Attribute {
	return []Attribute{
		{Name: "direction", Pin: "direction", Doc: "direction of the traffic that it accounts", Zero: Ingress,
			Get: func(part any) (any, *Why) { return part.(*Pool).Direction, nil },
			Set: func(part, value any, _ *Why) { part.(*Pool).Direction = value.(Direction) }},
		field("dynamic thresholds", "dynamic", "whether thresholds may be dynamic", func(p *Pool) *bool { return &p.Dynamic }),
		number("size", "size", "size, as the chip's configuration counts it", func(p *Pool) *Derived[units.Bytes] { return &p.Size }),
		number("headroom", "headroom", "size of the headroom pool; SONiC's `xoff`", func(p *Pool) *Derived[units.Bytes] { return &p.Headroom }),
		share("share in per cent", "share", "part of the buffer in whole per cent, for Junos and Cumulus Linux", func(p *Pool) *int64 { return &p.Percent }),
		share("share of headroom in per cent", "headroom_share", "part for headroom in whole per cent, for Junos", func(p *Pool) *int64 { return &p.HeadroomPercent }),
	}
}

// PerCent is a share in whole per cent, 0 to 100.
type PerCent int64

// share returns an attribute of pools that a configuration counts in per cent.
func share(name, pin, doc string, at func(*Pool) *int64) Attribute {
	return Attribute{Name: name, Pin: pin, Doc: doc, Zero: PerCent(0),
		Get: func(part any) (any, *Why) { return PerCent(*at(part.(*Pool))), nil },
		Set: func(part, value any, _ *Why) { *at(part.(*Pool)) = int64(value.(PerCent)) },
	}
}

// PortPoolAttributes returns the values of a [PortPool].
func PortPoolAttributes() []Attribute {
	return []Attribute{
		number("reserved", "reserved", "reserved buffer", func(p *PortPool) *Derived[units.Bytes] { return &p.Reserved }),
		number("limit", "limit", "threshold of the port in the shared buffer", func(p *PortPool) *Derived[Limit] { return &p.Limit }),
	}
}

// WatchdogAttributes returns the values of a [Watchdog].
func WatchdogAttributes() []Attribute {
	return []Attribute{
		number("detection", "detection", "time after which a paused queue is stuck", func(w *Watchdog) *Derived[units.Time] { return &w.Detection }),
		number("restoration", "restoration", "time without pauses after which a stuck queue is healthy", func(w *Watchdog) *Derived[units.Time] { return &w.Restoration }),
		number("poll", "poll", "time between two polls", func(w *Watchdog) *Derived[units.Time] { return &w.Poll }),
		field("action", "action", "treatment of packets of a stuck queue", func(w *Watchdog) *WatchdogAction { return &w.Action }),
	}
}

// PortAttributes returns the values of a [PortQoS] as a whole.
//
//go:noinline
func PortAttributes() []Attribute { return append(OwnPortAttributes(), Rewriting()) }

// OwnPortAttributes returns those that do not depend on the switch.
//
//go:noinline
func OwnPortAttributes() []Attribute {
	priorities := func(name, pin, doc string, at func(*PortQoS) *uint8) Attribute {
		return Attribute{Name: name, Pin: pin, Doc: doc, Zero: Priorities(0),
			Get: func(part any) (any, *Why) { return Priorities(*at(part.(*PortQoS))), nil },
			Set: func(part, value any, _ *Why) { *at(part.(*PortQoS)) = uint8(value.(Priorities)) }}
	}
	return []Attribute{
		priorities("pfc priorities", "pfc", "priorities with PFC", func(q *PortQoS) *uint8 { return &q.PFC }),
		field("watchdog", "watchdog", "whether the PFC watchdog watches the port", func(q *PortQoS) *bool { return &q.Watchdog }),
		priorities("priorities that the watchdog leaves alone", "unwatched", "priorities with PFC that the watchdog does not watch", func(q *PortQoS) *uint8 { return &q.Unwatched }),
	}
}

// Rewriting returns the [Rewrite] of a [PortQoS], which depends on the marking rules of a switch that has some.
//
//go:noinline
func Rewriting() Attribute {
	return Attribute{Name: "rewriting", Pin: "rewrite_dscp", Doc: "DSCP with which packets leave, by traffic class; packets of other classes keep theirs", Zero: Rewrite{},
		Get: func(part any) (any, *Why) {
			if r := part.(*PortQoS).Rewrite; r != nil {
				return *r, nil
			}
			return Rewrite{}, nil
		},
		Set: func(part, value any, why *Why) {
			q, r := part.(*PortQoS), value.(Rewrite)
			if q.Rewrite = &r; r.TCs == 0 {
				q.Rewrite = nil
			}
			for tc := range q.RewriteRange {
				q.RewriteRange[tc] = why.Range
			}
		}}
}

// Entries returns the entries of a rewriting, which may be nil.
func (r *Rewrite) Entries() (e Entries) {
	if r == nil {
		return e
	}
	for tc, dscp := range r.DSCP {
		if r.TCs&(1<<tc) != 0 {
			e.From, e.To = append(e.From, uint8(tc)), append(e.To, dscp)
		}
	}
	return e
}

func (r Rewrite) String() string {
	var all []string
	e := r.Entries()
	for i, tc := range e.From {
		all = append(all, fmt.Sprintf("traffic class %d → DSCP %d", tc, e.To[i]))
	}
	return cmp.Or(strings.Join(all, ", "), "none")
}

// FEC is the forward error correction of a port; empty: the device's default.
type FEC string

// PhysicalAttributes returns the values of a [Port] besides its QoS that can be pinned.
func PhysicalAttributes() []Attribute {
	return []Attribute{
		{Name: "fec", Pin: "fec", Doc: "forward error correction; `device`: the device's default", Zero: FEC(""),
			Get: func(part any) (any, *Why) { return FEC(part.(*Port).FEC), nil },
			Set: func(part, value any, _ *Why) { part.(*Port).FEC = string(value.(FEC)) }},
		field("mtu", "mtu", "largest frame", func(p *Port) *units.Bytes { return &p.MTU }),
	}
}

// Entries are entries of a classification table: From lists code points, each of which is mapped to
// the number of the same place in To.
type Entries struct{ From, To []uint8 }

// A MapTable is one of the classification tables of a switch.
type MapTable struct {
	Name  string // "traffic class to queue"
	Index string // the meaning of its index: "traffic class"
	Pin   string // in a pinned block
	At    func(*Maps) []uint8
	Most  uint8 // largest value
}

// MapTables returns the tables of [Maps].
func MapTables() []MapTable {
	return []MapTable{
		{"dscp to traffic class", "DSCP", "dscp_to_tc", func(m *Maps) []uint8 { return m.DSCPToTC[:] }, 7},
		{"traffic class to queue", "traffic class", "tc_to_queue", func(m *Maps) []uint8 { return m.TCToQueue[:] }, 9},
		{"traffic class to priority group", "traffic class", "tc_to_pg", func(m *Maps) []uint8 { return m.TCToPG[:] }, 7},
		{"pfc priority to queue", "PFC priority", "pfc_to_queue", func(m *Maps) []uint8 { return m.PFCToQueue[:] }, NoQueue},
		{"pfc priority to priority group", "PFC priority", "pfc_to_pg", func(m *Maps) []uint8 { return m.PFCToPG[:] }, 7},
	}
}

// AttributeOf finds an attribute by what a pinned block calls it.
func AttributeOf(all []Attribute, pin string) *Attribute {
	if i := slices.IndexFunc(all, func(a Attribute) bool { return a.Pin == pin }); i >= 0 {
		return &all[i]
	}
	return nil
}

func (p Priorities) String() string {
	var all []string
	for i := range 8 {
		if p&(1<<i) != 0 {
			all = append(all, strconv.Itoa(i))
		}
	}
	return cmp.Or(strings.Join(all, " "), "none")
}
