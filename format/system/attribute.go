package system

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// A lens gets an attribute of a plan, and sets it. Its value is a number, a text or true.
type lens struct {
	of format.Level // "": the switch
	// get returns nil where the plan says nothing.
	get func(place) (value any, why *plan.Why)
	set func(p place, value any, at diag.Range)
	// write converts a number for a leaf; nil: the value is not a number.
	write func(to format.Voice, row *format.Row, value int64, at diag.Range) int64
	// show returns a number in the format of messages.
	show func(int64) fmt.Stringer
	flag bool // the value is true
}

// number returns an attribute that is counted. get and set have it without its reason.
//
//go:noinline
func number[Q format.Quantity](of format.Level, get func(place) (Q, *plan.Why, bool), set func(place, Q, diag.Range)) lens {
	return lens{
		of: of,
		get: func(p place) (any, *plan.Why) {
			if v, why, ok := get(p); ok {
				return int64(v), why
			}
			return nil, nil
		},
		set: func(p place, v any, at diag.Range) { set(p, Q(v.(int64)), at) },
		write: func(to format.Voice, row *format.Row, v int64, at diag.Range) int64 {
			return format.Write(to, row.Number, row.Says, Q(v), at)
		},
		show: func(v int64) fmt.Stringer { return Q(v) },
	}
}

// derived returns a number with its reason; 0: there is none. field makes what is around the number where
// write is set.
func derived[Q format.Quantity](of format.Level, name string, field func(p place, write bool) *plan.Derived[Q]) lens {
	return number(of, func(p place) (v Q, why *plan.Why, ok bool) {
		d := field(p, false)
		if d == nil {
			return v, nil, false
		}
		return d.Value, d.Why, d.Value != 0
	}, func(p place, v Q, at diag.Range) { *field(p, true) = read.From(v, name, at) })
}

// entry returns a number of a map, which every plan has.
func entry(of format.Level, field func(place) (*uint8, *diag.Range)) lens {
	return number(of, func(p place) (plan.Count, *plan.Why, bool) {
		v, _ := field(p)
		return plan.Count(*v), nil, true
	}, func(p place, v plan.Count, at diag.Range) {
		to, where := field(p)
		*to = uint8(v)
		if where != nil {
			*where = at
		}
	})
}

func text[S ~string](of format.Level, field func(p place, write bool) *S) lens {
	return lens{of: of, get: func(p place) (any, *plan.Why) {
		if s := field(p, false); s != nil && *s != "" {
			return string(*s), nil
		}
		return nil, nil
	}, set: func(p place, v any, _ diag.Range) { *field(p, true) = S(v.(string)) }}
}

func flag(of format.Level, field func(place) *bool) lens {
	return lens{of: of, flag: true, get: func(p place) (any, *plan.Why) {
		if f := field(p); f != nil && *f {
			return true, nil
		}
		return nil, nil
	}, set: func(p place, v any, _ diag.Range) { *field(p) = v.(bool) }}
}

// held returns an attribute that rows cannot have. A plan that has it loses it.
func held(of format.Level, has func(place) bool) lens {
	return lens{of: of, get: func(p place) (any, *plan.Why) {
		if has(p) {
			return true, nil
		}
		return nil, nil
	}}
}

// An exponent is the exponent of an alpha.
type exponent int64

func (e exponent) String() string { return units.Alpha(e).String() }

// threshold and limit are the two sorts of a [plan.Limit].
func threshold(of format.Level, field func(place) *plan.Derived[plan.Limit]) lens {
	return number(of, func(p place) (exponent, *plan.Why, bool) {
		l := field(p)
		return exponent(l.Value.Alpha), l.Why, l.Value.Dynamic
	}, func(p place, v exponent, at diag.Range) {
		*field(p) = read.From(plan.Limit{Dynamic: true, Alpha: units.Alpha(v)}, "dynamic threshold", at)
	})
}

func limit(of format.Level, field func(place) *plan.Derived[plan.Limit]) lens {
	return number(of, func(p place) (units.Bytes, *plan.Why, bool) {
		l := field(p)
		return l.Value.Static, l.Why, !l.Value.Dynamic && l.Value.Static > 0 && l.Value.Static < plan.NoLimit
	}, func(p place, v units.Bytes, at diag.Range) {
		*field(p) = read.From(plan.Limit{Static: v}, "static limit", at)
	})
}

// lenses returns the lenses of all attributes.
func lenses() map[format.Attribute]lens {
	all := ofSwitch()
	for _, more := range []map[format.Attribute]lens{ofMaps(), ofPorts(), ofGroups(), ofQueues()} {
		for attribute, l := range more {
			all[attribute] = l
		}
	}
	return all
}

func ofSwitch() map[format.Attribute]lens {
	type time = plan.Derived[units.Time]
	dog := func(p place, write bool) *plan.Watchdog {
		if p.sw.Watchdog == nil && write {
			p.sw.Watchdog = &plan.Watchdog{}
		}
		return p.sw.Watchdog
	}
	timer := func(name string, of func(*plan.Watchdog) *time) lens {
		return derived("", name, func(p place, write bool) *time {
			if w := dog(p, write); w != nil {
				return of(w)
			}
			return nil
		})
	}
	return map[format.Attribute]lens{
		format.LoadBalancing: {get: func(p place) (any, *plan.Why) {
			if by := p.sw.LoadBalancing; by != "" && by != "ecmp" { // ecmp is the default of switches
				return by, nil
			}
			return nil, nil
		}, set: func(p place, v any, at diag.Range) { p.sw.LoadBalancing, p.sw.LoadBalancingAt = v.(string), at }},
		format.WatchdogAction: text("", func(p place, write bool) *plan.WatchdogAction {
			if w := dog(p, write); w != nil {
				return &w.Action
			}
			return nil
		}),
		format.Detection:   timer("detection time", func(w *plan.Watchdog) *time { return &w.Detection }),
		format.Restoration: timer("restoration time", func(w *plan.Watchdog) *time { return &w.Restoration }),
		format.Polling:     timer("polling interval", func(w *plan.Watchdog) *time { return &w.Poll }),
		format.PoolDirection: {of: format.Pools, get: func(p place) (any, *plan.Why) { return p.pool.Direction.String(), nil },
			set: func(p place, v any, _ diag.Range) {
				if v == plan.Egress.String() {
					p.pool.Direction = plan.Egress
				}
			}},
		format.PoolSize:     derived(format.Pools, "size", func(p place, _ bool) *plan.Derived[units.Bytes] { return &p.pool.Size }),
		format.PoolHeadroom: derived(format.Pools, "headroom pool", func(p place, _ bool) *plan.Derived[units.Bytes] { return &p.pool.Headroom }),
		format.TrimSize:     held("", func(p place) bool { return p.sw.Trim != nil }),
		format.Remapping:    held("", remaps),
		format.Marking:      held("", func(p place) bool { return p.sw.Marking != nil }),
		format.Rewriting:    held("", rewrites),
		format.BufferModel:  held("", func(p place) bool { return p.sw.BufferModel == plan.DynamicModel }),
	}
}

// remaps reports whether packets change class in a tunnel, or ports have maps of their own.
func remaps(p place) bool {
	return p.sw.Tunnel != nil || p.sw.OwnQueues() || slices.ContainsFunc(p.sw.Ports, func(port plan.Port) bool { return port.QoS != nil && port.QoS.DSCPToTC != nil })
}

// rewrites reports whether packets leave a port with another code point than they came with.
func rewrites(p place) bool { return emit.Rewritings(p.sw) != nil }

func ofMaps() map[format.Attribute]lens {
	return map[format.Attribute]lens{
		format.ClassNumber:   entry(format.Classes, func(p place) (*uint8, *diag.Range) { return &p.class.TrafficClass, &p.class.Range }),
		format.DSCPClass:     entry(format.DSCPs, func(p place) (*uint8, *diag.Range) { return &p.sw.Maps.DSCPToTC[p.n], &p.sw.Places.DSCPToTC[p.n] }),
		format.ClassQueue:    entry(format.TCs, func(p place) (*uint8, *diag.Range) { return &p.sw.Maps.TCToQueue[p.n], &p.sw.Places.TCToQueue[p.n] }),
		format.ClassGroup:    entry(format.TCs, func(p place) (*uint8, *diag.Range) { return &p.sw.Maps.TCToPG[p.n], &p.sw.Places.TCToPG[p.n] }),
		format.PriorityQueue: entry(format.Priorities, func(p place) (*uint8, *diag.Range) { return &p.sw.Maps.PFCToQueue[p.n], &p.sw.Places.PFCToQueue[p.n] }),
		format.PriorityGroup: entry(format.Priorities, func(p place) (*uint8, *diag.Range) { return &p.sw.Maps.PFCToPG[p.n], &p.sw.Places.PFCToPG[p.n] }),
	}
}

func ofPorts() map[format.Attribute]lens {
	return map[format.Attribute]lens{
		format.Speed: number(format.Ports, func(p place) (units.BitRate, *plan.Why, bool) { return p.port.Speed, nil, p.port.Speed > 0 },
			func(p place, v units.BitRate, _ diag.Range) { p.port.Speed = v }),
		format.FrameSize: number(format.Ports, func(p place) (units.Bytes, *plan.Why, bool) {
			frame := p.sw.Frame(p.port)
			return frame.Value, frame.Why, frame.Value > 0
		}, func(p place, v units.Bytes, at diag.Range) { p.port.MTU, p.port.MTURange = v, at }),
		format.Watched: flag(format.Ports, func(p place) *bool {
			if p.port.QoS == nil {
				return nil
			}
			return &p.port.QoS.Watchdog
		}),
		format.Pause:     held(format.Paused, func(place) bool { return true }),
		format.PortBound: held(format.Ports, func(p place) bool { return p.port.QoS != nil && len(p.port.QoS.Pools) > 0 }),
	}
}

func ofGroups() map[format.Attribute]lens {
	const of = format.Groups
	amount := func(name string, field func(*plan.PG) *plan.Derived[units.Bytes]) lens {
		return derived(of, name, func(p place, _ bool) *plan.Derived[units.Bytes] { return field(p.group) })
	}
	bound := func(p place) *plan.Derived[plan.Limit] { return &p.group.Limit }
	return map[format.Attribute]lens{
		format.GroupPool:      text(of, func(p place, _ bool) *string { return &p.group.Pool }),
		format.GroupReserve:   amount("reserve", func(g *plan.PG) *plan.Derived[units.Bytes] { return &g.Reserved }),
		format.Headroom:       amount("headroom", func(g *plan.PG) *plan.Derived[units.Bytes] { return &g.Headroom }),
		format.ResumeLevel:    amount("resume level", func(g *plan.PG) *plan.Derived[units.Bytes] { return &g.XOn }),
		format.ResumeDistance: amount("resume distance", func(g *plan.PG) *plan.Derived[units.Bytes] { return &g.XOnOffset }),
		format.GroupThreshold: threshold(of, bound),
		format.GroupLimit:     limit(of, bound),
	}
}

func ofQueues() map[format.Attribute]lens {
	const of = format.Queues
	curve := func(p place, write bool) *plan.ECN {
		if p.queue.ECN == nil && write {
			p.queue.ECN = &plan.ECN{}
		}
		return p.queue.ECN
	}
	level := func(name string, field func(*plan.ECN) *plan.Derived[units.Bytes]) lens {
		return derived(of, name, func(p place, write bool) *plan.Derived[units.Bytes] {
			if e := curve(p, write); e != nil {
				return field(e)
			}
			return nil
		})
	}
	bound := func(p place) *plan.Derived[plan.Limit] { return &p.queue.Limit }
	return map[format.Attribute]lens{
		format.QueuePool:      text(of, func(p place, _ bool) *string { return &p.queue.Pool }),
		format.QueueReserve:   derived(of, "reserve", func(p place, _ bool) *plan.Derived[units.Bytes] { return &p.queue.Reserved }),
		format.QueueThreshold: threshold(of, bound),
		format.QueueLimit:     limit(of, bound),
		format.Strict:         flag(of, func(p place) *bool { return &p.queue.Scheduler.Strict }),
		format.Weight: number(of, func(p place) (plan.Count, *plan.Why, bool) {
			w := p.queue.Scheduler.Weight
			return plan.Count(w.Value), w.Why, w.Value > 0
		}, func(p place, v plan.Count, at diag.Range) {
			p.queue.Scheduler.Weight = plan.Of(int64(v), &plan.Why{Kind: plan.ReadBack, Name: "weight", Value: v, Range: at})
		}),
		format.RateCap: derived(of, "rate cap", func(p place, _ bool) *plan.Derived[units.BitRate] { return &p.queue.Scheduler.MaxRate }),
		format.KMin:    level("Kmin", func(e *plan.ECN) *plan.Derived[units.Bytes] { return &e.KMin }),
		format.KMax:    level("Kmax", func(e *plan.ECN) *plan.Derived[units.Bytes] { return &e.KMax }),
		format.PMax: derived(of, "Pmax", func(p place, write bool) *plan.Derived[units.Ratio] {
			if e := curve(p, write); e != nil {
				return &e.PMax
			}
			return nil
		}),
	}
}
