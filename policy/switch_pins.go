package policy

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// pin pins a value of a part. The blocks of the switch replace it.
func (s *switchDecl) pin(at diag.Range, part PinnedPart, name string, value any) {
	part.Range, part.Pins = at, []Pin{{Name: name, Value: value, Range: at}}
	s.Pinned = slices.Insert(s.Pinned, 0, Pinned{Range: at, Parts: []PinnedPart{part}})
}

// poolField returns an attribute of a switch that pins an amount of a pool.
func poolField(name, pool, pin, doc string) field[switchDecl] {
	return custom(name, bytesKind().name, doc, func(d *decoder, s *switchDecl, expr hclsyntax.Expression) bool {
		v, ok := bytesKind().decode(d, name, expr)
		if ok {
			s.pin(expr.Range(), PinnedPart{Of: PinnedPool, Name: pool}, pin, v)
		}
		return ok
	})
}

// A lossyDecl has the attributes of a switch that pin values of its classes, most of them of lossy ones. There may be very
// many switches, so those without such an attribute have none.
type lossyDecl struct {
	alpha   Opt[units.Alpha]
	onePool Opt[bool]
	buffers Opt[string] // "device"
}

// lossyField is one of these attributes.
func lossyField[T any](name string, k kind[T], to func(*lossyDecl) *Opt[T], doc string) field[switchDecl] {
	return custom(name, k.name, doc, func(d *decoder, s *switchDecl, expr hclsyntax.Expression) bool {
		if s.lossy == nil {
			s.lossy = new(lossyDecl)
		}
		return k.fill(d, name, expr, to(s.lossy))
	})
}

// leaveBuffers pins that the configuration has no amounts of buffer: the device chooses them.
func (s *switchDecl) leaveBuffers(at diag.Range, classes []*Class) {
	none := func(names ...string) (pins []Pin) {
		for _, name := range names {
			pins = append(pins, Pin{name, units.Bytes(0), at, true})
		}
		return append(pins, Pin{"limit", plan.Limit{}, at, true})
	}
	var blocks []Pinned
	all := Pinned{Range: at}
	lossless := uint8(0) // priority groups
	for _, c := range classes {
		all.Parts = append(all.Parts, PinnedPart{Range: at, Of: PinnedQueue, IDs: []uint8{c.Queue.Value}, Pins: none("reserved")})
		group := c.PriorityGroup.Value
		own := Pinned{Range: at, Ports: Opt[[]string]{Set: true, Range: at}, Parts: []PinnedPart{{Range: at, Of: PinnedPG, IDs: []uint8{group}, Pins: none("reserved", "xon_offset", "headroom")}}}
		for _, g := range s.groups {
			if g.Carries(c) {
				own.Ports.Value = append(own.Ports.Value, g.Ports...)
				lossless |= 1 << group
			}
		}
		blocks = append(blocks, own)
	}
	for _, c := range classes {
		if group := c.PriorityGroup.Value; !c.Lossless.Value && lossless&(1<<group) == 0 {
			all.Parts = append(all.Parts, PinnedPart{Range: at, Of: PinnedPG, IDs: []uint8{group}, Pins: []Pin{{PinConfigured, false, at, true}}})
		}
	}
	if lossless != 0 {
		all.Parts = append(all.Parts, PinnedPart{Range: at, Of: PinnedPool, Name: plan.LosslessPool, Pins: []Pin{{"headroom", units.Bytes(0), at, true}}})
	}
	s.Pinned = append(append(blocks, all), s.Pinned...)
}

// pinLossy pins the values of lossy classes, once the classes are known.
func (s *switchDecl) pinLossy(classes []*Class) {
	if s.lossy == nil {
		return
	}
	groups, queues := PinnedPart{Of: PinnedPG}, PinnedPart{Of: PinnedQueue}
	for _, c := range classes {
		if !c.Lossless.Value {
			groups.IDs, queues.IDs = append(groups.IDs, c.PriorityGroup.Value), append(queues.IDs, c.Queue.Value)
		}
	}
	if own := s.lossy.alpha; own.Set {
		s.pin(own.Range, groups, "limit", plan.Limit{Dynamic: true, Alpha: own.Value})
	}
	if own := s.lossy.buffers; own.Set {
		s.leaveBuffers(own.Range, classes)
	}
	if own := s.lossy.onePool; own.Value {
		s.pin(own.Range, PinnedPart{Of: PinnedPool, Name: plan.LossyQueues}, PinConfigured, false)
		s.pin(own.Range, queues, "pool", plan.LosslessQueues)
	}
}
