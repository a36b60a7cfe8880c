package srlinux

import (
	"cmp"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/format"
	row "github.com/roceplan/roceplan/format/srlinux"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// A mapping is a PFC mapping profile.
type mapping struct {
	name     string
	raises   map[uint8]pausing // by PFC priority
	stops    map[uint8]stop    // by PFC priority
	watchdog *plan.Watchdog
	at       diag.Range
}

// pausing is what raises pauses of a priority.
type pausing struct {
	group   uint8
	classes []string
	at      diag.Range
}

type stop struct {
	queue uint8
	at    diag.Range
}

func (r *reader) readMappings(root *posjson.Node) {
	r.each(row.Mapping, root, func(name string, p *posjson.Node) {
		m := &mapping{name: name, raises: map[uint8]pausing{}, stops: map[uint8]stop{}, at: r.At(p)}
		r.mappings[name] = m
		r.each(row.Raising, p, func(queue string, q *posjson.Node) {
			r.raise(m, q)
		})
		r.each(row.Stopping, p, func(_ string, q *posjson.Node) {
			id, ok := lookup(r, r.queues, key(row.Stopping, q), row.Queue)
			priority, known := r.number(row.StoppingPriority, q)
			enabled := r.Yes(leaf(row.StoppingEnable, q))
			if _, said := m.stops[uint8(priority)]; known && !enabled && !said {
				m.stops[uint8(priority)] = stop{plan.NoQueue, r.At(cmp.Or(leaf(row.StoppingEnable, q), q))}
			} else if known && ok && enabled {
				m.stops[uint8(priority)] = stop{id, r.At(q)}
			}
		})
		r.deadlock(m, p)
	})
}

func (r *reader) raise(m *mapping, q *posjson.Node) {
	group, ok := lookup(r, r.groups, key(row.Raising, q), row.PFCQueue)
	priority, known := r.number(row.RaisingPriority, q)
	if !ok || !known {
		return
	}
	out := pausing{group: group, at: r.At(q)}
	list := leaf(row.RaisingClasses, q)
	if list != nil && list.Kind != posjson.Array {
		r.Errorf(Shape, r.At(list), "this must be a list").Fixf("write the value in brackets, as the YANG model has it")
	} else if list != nil {
		list.Used = true
		for i := range list.Items {
			_, ok := lookup(r, r.classes, &list.Items[i], row.Class)
			switch name := list.Items[i].Text; {
			case ok && slices.Contains(out.classes, name):
				r.Errorf(Duplicate, r.At(&list.Items[i]), "%q occurs twice in one list", posjson.Clip(name)).Fixf("remove one of the two")
			case ok:
				out.classes = append(out.classes, list.Items[i].Text)
			}
		}
	}
	if other, twice := m.raises[uint8(priority)]; twice {
		r.Errorf(Duplicate, out.at, "two PFC queues of %q raise priority %d", posjson.Clip(m.name), priority).Fixf("let one queue raise priority %d", priority).Notef(other.at, "the other one")
	}
	m.raises[uint8(priority)] = out
}

// deadlock reads the watchdog: a stuck queue ignores pauses while it recovers.
func (r *reader) deadlock(m *mapping, p *posjson.Node) {
	enable := leaf(row.DeadlockEnable, p)
	if !r.Yes(enable) {
		return
	}
	at := r.At(container(row.DeadlockEnable, p))
	timer := func(id format.ID) plan.Derived[units.Time] {
		of, where := row.Of(id), at
		ms := of.Absent
		if n := leaf(id, p); n != nil {
			ms, _ = r.number(id, p)
			where = r.At(n)
		}
		return read.From(units.Time(of.Means(ms)), row.Of(id).Name(), where)
	}
	m.watchdog = &plan.Watchdog{Detection: timer(row.DetectionTimer), Restoration: timer(row.RecoveryTimer), Action: plan.WatchdogForward, Range: at}
}

// use puts a mapping into the maps of the switch, which has one of each.
func (r *reader) use(m *mapping) {
	if r.used["in the plan "+m.name] {
		return
	}
	r.used["in the plan "+m.name] = true
	maps, places := &r.sw.Maps, &r.sw.Places
	set := func(place int, maps *[8]uint8, places *[8]diag.Range, value uint8, at diag.Range, what string) {
		if places[place].Filename != "" && maps[place] != value {
			r.Errorf(Differs, at, "%s %d has %d here and %d elsewhere, but a plan has only one", what, place, value, maps[place]).Fixf("make the two agree").Notef(places[place], "the other one")
			return
		}
		maps[place], places[place] = value, at
	}
	for p := range uint8(8) {
		raised, ok := m.raises[p]
		if !ok {
			continue
		}
		set(int(p), &maps.PFCToPG, &places.PFCToPG, raised.group, raised.at, "the priority group of PFC priority")
		for _, c := range raised.classes {
			set(int(r.classes[c].tc), &maps.TCToPG, &places.TCToPG, raised.group, raised.at, "the priority group of class")
		}
		s, obeyed := m.stops[p]
		if !obeyed {
			s = stop{plan.NoQueue, raised.at}
		}
		set(int(p), &maps.PFCToQueue, &places.PFCToQueue, s.queue, s.at, "the queue of PFC priority")
	}
	if m.watchdog != nil {
		if w := r.sw.Watchdog; w != nil && (w.Detection.Value != m.watchdog.Detection.Value || w.Restoration.Value != m.watchdog.Restoration.Value) {
			r.Errorf(Differs, m.watchdog.Range, "the watchdog has other timers here than elsewhere, but a plan has only one set").Fixf("give all mappings the same timers").Notef(w.Range, "the other one")
			return
		}
		r.sw.Watchdog = m.watchdog
	}
}

// An allocation is a buffer allocation profile.
type allocation struct {
	queues map[uint8]plan.Derived[plan.Limit]
	groups map[uint8]plan.PG
}

func (r *reader) readAllocations(root *posjson.Node) {
	r.each(row.Allocation, root, func(name string, p *posjson.Node) {
		a := &allocation{map[uint8]plan.Derived[plan.Limit]{}, map[uint8]plan.PG{}}
		r.allocations[name] = a
		r.each(row.Burst, p, func(_ string, q *posjson.Node) {
			id, ok := lookup(r, r.queues, key(row.Burst, q), row.Queue)
			most, said := r.number(row.BurstSize, q)
			if ok && said && most > 0 {
				a.queues[id] = read.From(plan.Limit{Static: units.Bytes(most)}, row.Of(row.BurstSize).Name(), r.At(leaf(row.BurstSize, q)))
			}
		})
		r.each(row.PFCBurst, p, func(_ string, q *posjson.Node) { r.group(a, q) })
	})
}

// group reads the limit and the headroom of a priority group.
func (r *reader) group(a *allocation, q *posjson.Node) {
	id, ok := lookup(r, r.groups, key(row.PFCBurst, q), row.PFCQueue)
	if !ok {
		return
	}
	pg := plan.PG{ID: id, Pool: ingressPool, Lossless: true, Range: r.At(q)}
	most := row.Of(row.PFCBurstSize).Absent
	if said, ok := r.number(row.PFCBurstSize, q); ok {
		most = said
	}
	pg.Limit = limitOf(most, r.At(q))
	dynamic := q.Get("use-dynamic-allocation")
	if r.Pass(dynamic, ruleDefault); r.Yes(dynamic) {
		r.Doubt(dynamic, "the device computes the limit of a group, by a method that is not published", read.Scope{PGs: 1 << id})
	}
	if bytes, ok := r.number(row.PFCHeadroom, q); ok {
		pg.Headroom = read.From(units.Bytes(bytes), "headroom", r.At(leaf(row.PFCHeadroom, q)))
	}
	a.groups[id] = pg
}

// limitOf returns the limit of a priority group.
func limitOf(bytes int64, at diag.Range) plan.Derived[plan.Limit] {
	return read.From(plan.Limit{Static: units.Bytes(bytes)}, row.Of(row.PFCBurstSize).Name(), at)
}

// readPools reads how much of the buffer is for headroom: of the two halves of the chip the
// smaller reservation counts, since a document does not say which port is in which half.
func (r *reader) readPools(root *posjson.Node) {
	absent := row.Of(row.Reservation).Absent
	halves, at := [2]int64{absent, absent}, diag.Range{}
	var leaves [2]*posjson.Node
	r.each(row.Linecard, root, func(_ string, card *posjson.Node) {
		r.index(row.Linecard, card)
		r.Pass(key(row.Linecard, card), ruleKey)
		r.each(row.Complex, card, func(_ string, half *posjson.Node) {
			i, ok := r.index(row.Complex, half)
			r.Pass(key(row.Complex, half), ruleKey)
			n := leaf(row.Reservation, half)
			percent, said := r.number(row.Reservation, half)
			if !ok || !said {
				return
			}
			halves[i], leaves[i], at = percent, n, r.At(n)
		})
	})
	least := min(halves[0], halves[1])
	if n := leaves[slices.Index(halves[:], least)]; n != nil {
		at = r.At(n)
	}
	for i, n := range leaves {
		switch {
		case halves[i] == absent:
			r.Pass(n, ruleDefault)
		case halves[i] > least:
			r.Pass(n, ruleLarger)
		}
	}
	if halves[0] != halves[1] {
		r.Found.Warnf(Halves, at, "one half of the chip reserves %d %% for headroom, the other %d %%; %d %% counts for all ports", halves[0], halves[1], least).
			Fixf("reserve the same in forwarding-complex 0 and 1")
	}
	r.sw.Pools = []plan.Pool{
		{Name: egressPool, Direction: plan.Egress, Dynamic: true, Percent: 100},
		{Name: ingressPool, Dynamic: true, Percent: 100 - least, HeadroomPercent: least, Range: at},
	}
}
