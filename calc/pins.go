package calc

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// A pinned value takes precedence over a derived one, in two places. A stage pins values that later
// stages and inequalities need, such as headroom or a curve, so that they see what runs. The
// finished plan gets all of it, attribute by attribute.

// pins are pinned parts: later ones go before earlier ones.
type pins []policy.PinnedPart

// of finds the pinned value of a part: by id where the parts have numbers, else by name.
func (all pins) of(part policy.PinnedOf, id uint8, name, attribute string) *policy.Pin {
	for i := len(all) - 1; i >= 0; i-- {
		if p := &all[i]; p.Of == part && (slices.Contains(p.IDs, id) || p.IDs == nil && p.Name == name) {
			for j := range p.Pins {
				if p.Pins[j].Name == attribute {
					return &p.Pins[j]
				}
			}
		}
	}
	return nil
}

// pinsOf lists what is pinned on each port of a group. Ports with the same blocks have equal keys.
func (s *shape) pinsOf(group *policy.PortGroup) (of func(port string) (key string, all pins)) {
	var classes, own pins
	for _, class := range s.classes {
		for _, p := range class.Pinned {
			for _, part := range p.Parts {
				if part.Of == policy.PinnedPG && !group.Carries(class) {
					continue
				}
				part.IDs = []uint8{map[policy.PinnedOf]uint8{policy.PinnedPort: class.TrafficClass.Value,
					policy.PinnedPG: class.PriorityGroup.Value, policy.PinnedQueue: class.Queue.Value}[part.Of]}
				classes = append(classes, part)
			}
		}
	}
	for _, p := range group.Pinned {
		own = append(own, p.Parts...)
	}
	return func(port string) (key string, all pins) {
		all = slices.Clone(classes)
		var used strings.Builder
		for i, p := range s.sw.Pinned {
			if !p.Ports.Set || slices.Contains(p.Ports.Value, port) {
				fmt.Fprint(&used, i, " ")
				all = append(all, p.Parts...)
			}
		}
		return used.String(), append(all, own...)
	}
}

// checkRewriting warns of pinned code points which the switch itself takes for another kind of class, lossy instead of
// lossless or the reverse: so does the next one with the same maps.
func checkRewriting(sw *plan.Switch, found *findings) {
	for i := range sw.Ports {
		q := sw.Ports[i].QoS
		if q == nil || q.Rewrite == nil {
			continue
		}
		for j := range sw.Classes {
			c := &sw.Classes[j]
			if q.Rewrite.TCs&(1<<c.TrafficClass) == 0 {
				continue
			}
			dscp := q.Rewrite.DSCP[c.TrafficClass]
			to := sw.Class(sw.ClassifiedBy(q)[dscp])
			switch at := q.RewriteRange[c.TrafficClass]; {
			case c.Lossless && (to == nil || !to.Lossless):
				found.list.WarnOnceAtf(PinnedBreaks, at, "packets of the lossless class %s leave with DSCP %d, which is of no lossless class: the next switch can drop them", c.Name, dscp).Fixf("write a code point of a lossless class, or delete the line")
			case !c.Lossless && to != nil && to.Lossless:
				found.list.WarnOnceAtf(PinnedBreaks, at, "packets of the lossy class %s leave with DSCP %d, which is of the lossless class %s: they fill its buffer in the next switch", c.Name, dscp, to.Name).Fixf("write a code point of a lossy class, or delete the line")
			}
		}
	}
}

// profilePins pins what the table has for the lossless PGs of ports that run: where it has nothing, SONiC configures
// no such PG (sonic-swss, cfgmgr/buffermgr.cpp, doSpeedUpdateTask).
func (s *shape) profilePins(group *policy.PortGroup, cable units.Length) (all pins) {
	if s.profiles == nil {
		return nil
	}
	at := s.fabric.HeadroomTable.Range
	row, ok := s.profiles.Profile(group.Speed.Value, cable)
	values := []policy.Pin{{Name: policy.PinConfigured, Value: false, Range: at}}
	if ok {
		values = []policy.Pin{
			{Name: "reserved", Value: row.Size, Range: at}, {Name: "xon", Value: row.XOn, Range: at}, {Name: "xon_offset", Value: row.XOnOffset, Range: at},
			{Name: "headroom", Value: row.XOff, Range: at}, {Name: "limit", Value: plan.Limit{Dynamic: true, Alpha: row.Alpha}, Range: at},
		}
	}
	for _, class := range s.lossless {
		if group.Carries(class) {
			all = append(all, policy.PinnedPart{Range: at, Of: policy.PinnedPG, IDs: []uint8{class.PriorityGroup.Value}, Pins: values})
		}
	}
	return all
}

// ofSwitch returns the pins of the switch's own blocks.
func (s *shape) ofSwitch() (all pins) {
	for _, p := range s.sw.Pinned {
		all = append(all, p.Parts...)
	}
	return all
}

// pinnedAt returns the first block that pins something of the switch.
func (s *shape) pinnedAt() diag.Range {
	blocks := slices.Clone(s.sw.Pinned)
	for _, g := range s.sw.Groups {
		blocks = append(blocks, g.Pinned...)
	}
	for _, c := range s.classes {
		blocks = append(blocks, c.Pinned...)
	}
	first := slices.IndexFunc(blocks, func(p policy.Pinned) bool { return p.Range.Filename != "" })
	switch {
	case first >= 0:
		return blocks[first].Range
	case s.fabric.Running.Value:
		return s.fabric.Running.Range
	}
	return diag.Range{}
}

// leftToDevice is the ID of a pinned value that the configuration does not have.
const leftToDevice = "buffers"

// pinned returns a pinned value with its reason. The term of the reason is the value that would be
// derived.
func pinned[T any](name string, pin *policy.Pin, value T, derived *plan.Why) plan.Derived[T] {
	why := &plan.Why{Kind: plan.Pinned, Name: name, Value: text(value), Range: pin.Range}
	if pin.Left {
		why.ID = leftToDevice
	}
	if derived != nil {
		why.Note = fmt.Sprintf("%v would be derived", derived.Value)
		why.Terms = []plan.Term{term("derived", derived)}
	}
	return plan.Of(value, why)
}

func text(value any) fmt.Stringer {
	if s, ok := value.(fmt.Stringer); ok {
		return s
	}
	return plan.Word(fmt.Sprint(value))
}

// put puts a pinned number in the place of the derived one, and reports whether there is a pinned one.
func put[T any](at *plan.Derived[T], pin *policy.Pin) bool {
	if pin != nil {
		*at = pinned(pin.Name, pin, pin.Value.(T), at.Why)
	}
	return pin != nil
}

// pinnedHeadroom returns the largest headroom that is pinned for lossless PGs of a kind; nil where one of them has
// none.
func (s *shape) pinnedHeadroom(k *kind) (most *policy.Pin) {
	for _, class := range s.lossless {
		if !k.carries(class) {
			continue
		}
		pin := k.groupPin(class, "headroom")
		if left := k.groupPin(class, policy.PinConfigured); left != nil && !left.Value.(bool) {
			pin = &policy.Pin{Name: "headroom", Value: units.Bytes(0), Range: left.Range}
		}
		if pin == nil {
			return nil
		}
		if most == nil || pin.Value.(units.Bytes) > most.Value.(units.Bytes) {
			most = pin
		}
	}
	return most
}

// pinRoom puts pinned headroom in the place of what is needed, and checks it against that.
func (s *shape) pinRoom(own *room, pin *policy.Pin, k *kind, found *findings) {
	needed := own.headroom
	put(&own.headroom, pin)
	if needed.Why == nil {
		return
	}
	found.record(atMost("headroom-covers", k.group.Name, needed, own.headroom, pin.Range, func(list *diag.List) {
		list.Errorf(HeadroomShort, pin.Range, "the headroom of port group %q of %s is %v, and %v may still arrive after a pause",
			k.group.Name, s.sw.Label, own.headroom.Value, needed.Value).Fixf("raise it to %v, or shorten the cable", needed.Value)
	}))
}

// pinReserves puts pinned reserves in the place of derived ones: of lossless PGs by kind, and of lossy queues
// where every port has one.
func (b *budget) pinReserves() {
	for _, k := range b.kinds {
		for _, class := range b.lossless {
			own := &b.pgReserve[k.index]
			if k.carries(class) && put(own, k.groupPin(class, "reserved")) && b.chip.SizeHasHeadroom(b.sw.OS.Value) {
				*own = withoutHeadroom(own.Value, b.rooms[k.index].headroom.Value, own.Why, b.rooms[k.index].headroom.Why)
			}
		}
	}
	var most *policy.Pin
	for _, k := range b.kinds {
		for _, class := range b.lossy {
			pin := k.queuePin(class, "reserved")
			if pin == nil {
				return
			}
			if most == nil || pin.Value.(units.Bytes) > most.Value.(units.Bytes) {
				most = pin
			}
		}
	}
	put(&b.queueReserve, most)
}

// pinCurve puts pinned figures in the place of those of a curve.
func (k *kind) pinCurve(class *policy.Class, curve *plan.ECN) {
	put(&curve.KMin, k.queuePin(class, "kmin"))
	put(&curve.KMax, k.queuePin(class, "kmax"))
	put(&curve.PMax, k.queuePin(class, "pmax"))
}

// pinsCurve reports whether all figures of a curve are pinned.
func (k *kind) pinsCurve(class *policy.Class) bool {
	return k.queuePin(class, "kmin") != nil && k.queuePin(class, "kmax") != nil && k.queuePin(class, "pmax") != nil
}

func (k *kind) queuePin(class *policy.Class, attribute string) *policy.Pin {
	return k.pins.of(policy.PinnedQueue, class.Queue.Value, "", attribute)
}

func (k *kind) groupPin(class *policy.Class, attribute string) *policy.Pin {
	return k.pins.of(policy.PinnedPG, class.PriorityGroup.Value, "", attribute)
}

// pinnedLimit returns the limit that is pinned for the PGs of a class; of several the one with the smallest alpha,
// at which pauses begin first. Nil where a port has none.
func (s *shape) pinnedLimit(class *policy.Class) (least *policy.Pin) {
	for _, k := range s.carriers(class) {
		pin := k.groupPin(class, "limit")
		if pin == nil {
			return nil
		}
		if least == nil || pin.Value.(plan.Limit).Alpha < least.Value.(plan.Limit).Alpha {
			least = pin
		}
	}
	return least
}

// pinnedIn finds a pinned number under reasons.
func pinnedIn(all ...*plan.Why) *plan.Why {
	seen := map[*plan.Why]bool{}
	var visit func(*plan.Why) *plan.Why
	visit = func(w *plan.Why) *plan.Why {
		if w == nil || seen[w] {
			return nil
		}
		seen[w] = true
		if w.Kind == plan.Pinned {
			return w
		}
		for _, t := range w.Terms {
			if found := visit(t.Why); found != nil {
				return found
			}
		}
		return nil
	}
	for _, w := range all {
		if found := visit(w); found != nil {
			return found
		}
	}
	return nil
}

// report reports what is wrong with numbers. Where one of them is pinned, that is a warning at its line, and where
// the fabric describes what runs it is a warning at its place, since what runs is not refused.
func (f *findings) report(report func(*diag.List), numbers ...*plan.Why) {
	pin := pinnedIn(numbers...)
	if pin == nil && !f.running {
		report(&f.list)
		return
	}
	var list diag.List
	report(&list)
	for _, d := range list {
		switch {
		case pin == nil && d.Severity != diag.Error:
			f.list = append(f.list, d)
		case pin == nil:
			f.list.Warnf(PinnedBreaks, d.Subject, "as it runs: %s", d.Message).Fixf("keep it if it is intended, or %s", d.Fix)
		case pin.ID == leftToDevice:
			f.list.WarnOnceAtf(PinnedBreaks, pin.Range, "the device chooses its buffers, and the file does not have what it chooses, so losses are not judged").Fixf("compare with what the device shows, or delete the line to get derived values")
		default:
			fix := "keep it if it is intended, or delete the line"
			if len(pin.Terms) > 0 {
				fix = fmt.Sprintf("keep it if it is intended, or delete the line to get the derived %v", pin.Terms[0].Why.Value)
			}
			f.list.Warnf(PinnedBreaks, pin.Range, "%s is pinned to %v: %s", pin.Name, pin.Value, d.Message).Fixf("%s", fix)
		}
	}
}

// pinPart gives a part of a list what is pinned. It adds the part where there is none, and deletes one that is not
// to be configured.
func pinPart[T any](list []T, is func(T) bool, fresh T, all []plan.Attribute, values []policy.Pin) []T {
	if i := slices.IndexFunc(values, func(p policy.Pin) bool { return p.Name == policy.PinConfigured }); i >= 0 && !values[i].Value.(bool) {
		return stable.Delete(list, is)
	}
	i := slices.IndexFunc(list, is)
	if i < 0 {
		i = len(list)
		list = append(list, fresh)
	}
	pinAttributes(&list[i], all, values)
	return list
}

// pinAttributes gives a part its pinned values.
func pinAttributes(part any, all []plan.Attribute, values []policy.Pin) {
	for i := range values {
		pin := &values[i]
		attribute := plan.AttributeOf(all, pin.Name)
		if attribute == nil {
			continue // another list has it
		}
		_, why := attribute.Get(part)
		if why != nil && why.Kind == plan.Pinned { // by a stage, or by another block
			if len(why.Terms) == 0 {
				why = nil
			} else {
				why = why.Terms[0].Why
			}
		}
		attribute.Set(part, pin.Value, pinned(attribute.Name, pin, pin.Value, why).Why)
	}
}

// pin gives ports of a kind their pinned values.
func (k *kind) pin(q *plan.PortQoS) {
	for _, part := range k.pins {
		switch part.Of {
		case policy.PinnedPort:
			if part.IDs == nil {
				pinAttributes(q, plan.PortAttributes(), part.Pins)
			}
			for _, tc := range part.IDs {
				q.AddRewrite(tc, part.Pins[0].Value.(uint8), part.Pins[0].Range)
			}
		case policy.PinnedPG:
			for _, id := range part.IDs {
				q.PGs = pinPart(q.PGs, func(g plan.PG) bool { return g.ID == id }, plan.PG{ID: id}, plan.PGAttributes(), part.Pins)
			}
		case policy.PinnedQueue:
			for _, id := range part.IDs {
				q.Queues = pinPart(q.Queues, func(own plan.Queue) bool { return own.ID == id }, plan.Queue{ID: id}, plan.QueueAttributes(), part.Pins)
			}
			if slices.ContainsFunc(part.Pins, func(p policy.Pin) bool { return p.Name == policy.PinECN }) {
				for i := range q.Queues {
					if slices.Contains(part.IDs, q.Queues[i].ID) {
						q.Queues[i].ECN = nil
					}
				}
			}
		case policy.PinnedPortPool:
			q.Pools = pinPart(q.Pools, func(p plan.PortPool) bool { return p.Pool == part.Name }, plan.PortPool{Pool: part.Name}, plan.PortPoolAttributes(), part.Pins)
		}
	}
	stable.Sort(q.Pools, func(a, b plan.PortPool) int { return cmp.Compare(a.Pool, b.Pool) })
}

// pinPort gives a port its pinned values outside of QoS, and deletes its QoS where it is pinned to have none.
func (k *kind) pinPort(port *plan.Port) {
	for _, part := range k.pins {
		if part.Of == policy.PinnedPort {
			pinAttributes(port, plan.PhysicalAttributes(), part.Pins)
		}
	}
	if pin := k.pins.of(policy.PinnedPort, 0, "", policy.PinQoS); pin != nil && !pin.Value.(bool) {
		port.QoS = nil
	}
}

// pin gives a switch what is pinned of its maps, pools and watchdog.
func (s *shape) pin(sw *plan.Switch) {
	for _, part := range s.ofSwitch() {
		switch part.Of {
		case policy.PinnedMaps:
			for _, table := range plan.MapTables() {
				for _, pin := range part.Pins {
					if entries, ok := pin.Value.(plan.Entries); ok && pin.Name == table.Pin {
						for i, from := range entries.From {
							table.At(&sw.Maps)[from] = entries.To[i]
						}
					}
				}
			}
		case policy.PinnedPool:
			sw.Pools = pinPart(sw.Pools, func(p plan.Pool) bool { return p.Name == part.Name }, plan.Pool{Name: part.Name}, plan.PoolAttributes(), part.Pins)
		case policy.PinnedWatchdog:
			var list []plan.Watchdog
			if sw.Watchdog != nil {
				list = append(list, *sw.Watchdog)
			}
			list = pinPart(list, func(plan.Watchdog) bool { return true }, *s.timers(&policy.Watchdog{Range: s.fabric.Range}), plan.WatchdogAttributes(), part.Pins)
			if sw.Watchdog = nil; len(list) > 0 {
				sw.Watchdog = &list[0]
			}
		}
	}
	stable.Sort(sw.Pools, func(a, b plan.Pool) int { return cmp.Compare(a.Name, b.Name) })
}
