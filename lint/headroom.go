package lint

import (
	"fmt"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// headroomMissing finds lossless PGs with nothing above their threshold.
func headroomMissing(s *subject) {
	for k, pg := range s.groups {
		switch {
		case !pg.Lossless || pg.Headroom.Value != 0 || s.computed(pg):
		case pg.Headroom.Why != nil:
			s.found.Errorf(HeadroomMissing, at(pg.Headroom, k.ports[0].Range), "the lossless priority group %d of %v has a headroom of 0, so packets that arrive after the pause are dropped", pg.ID, k).Fixf("give it the headroom of its cable: roceplan calc headroom computes it")
		default:
			s.found.Warnf(HeadroomMissing, k.pfcAt(), "the file gives the lossless priority group %d of %v no headroom, so the switch uses its vendor's default, which ignores the cable", pg.ID, k).Fixf("give it the headroom of its cable: roceplan calc headroom computes it")
		}
	}
}

// pauseWire is a pause frame on the wire, and what precedes any frame there: IEEE 802.3
// 31B.2 and 4.4.2.
const pauseWire = 64 + 20

// headroomBelowFrame finds headroom that would not do for a peer that stops at once: the
// pause waits behind a frame that the port has begun, and as much comes in meanwhile.
func headroomBelowFrame(s *subject) {
	for k, pg := range s.groups {
		if !pg.Lossless || pg.Headroom.Value == 0 || s.computed(pg) || len(s.pauses(k, pg.ID)) == 0 {
			continue
		}
		for _, port := range k.ports {
			if pg.Headroom.Value < port.MTU+pauseWire {
				s.found.Errorf(HeadroomBelowFrame, at(pg.Headroom, port.Range), "the lossless priority group %d of %s has %v of headroom, but a pause waits behind a frame of up to %v, and as much arrives meanwhile", pg.ID, port.Name, pg.Headroom.Value, port.MTU).
					Fixf("check the unit of the number; roceplan calc headroom computes the headroom of the link")
				break
			}
		}
	}
}

// headroomPoolMissing warns of files that give PGs headroom and the pool of it no size, on
// chips that count all headroom against one.
func headroomPoolMissing(s *subject) {
	if s.chip == nil || s.chip.Family != chips.XGS || !s.chip.HeadroomPool.Or(false) {
		return
	}
	for k, pg := range s.groups {
		pool := s.sw.Pool(pg.Pool)
		if !pg.Lossless || pg.Headroom.Value == 0 || pool == nil || pool.Direction != plan.Ingress || pool.Size.Why == nil || pool.Size.Why.Kind != plan.ReadBack || pool.Headroom.Why != nil {
			continue
		}
		s.found.Warnf(HeadroomPoolMissing, first(pool.Range, at(pool.Size)), "priority group %d of %v has %v of headroom, but %s has no size of the headroom pool from which %s takes it, and no vendor publishes the result", pg.ID, k, pg.Headroom.Value, pool.Name, s.chip.Title).
			Fixf("give the pool an xoff: the sum of all headroom, or the part that may be in use at once")
	}
}

// headroomAbovePool finds headroom that cannot be had.
func headroomAbovePool(s *subject) {
	for k, pg := range s.groups {
		pool := s.poolOf(pg)
		if !pg.Lossless || pg.Headroom.Why == nil { // it has none of its own
			continue
		}
		if pool == nil {
			s.headroomAboveMemory(k, pg)
			continue
		}
		switch all := pool.Headroom; {
		case (all.Value != 0 || s.noHeadroomPool(all)) && pg.Headroom.Value > all.Value/s.parts():
			s.found.Errorf(HeadroomAbovePool, at(pg.Headroom, k.ports[0].Range), "priority group %d of %v has %v of headroom, but the headroom pool of %s has %v%s", pg.ID, k, pg.Headroom.Value, pool.Name, all.Value, s.eachPart(all.Value)).Fixf("give the headroom pool of %s at least %v, or the group less", pool.Name, pg.Headroom.Value*s.parts()).
				Notef(at(all), "the headroom pool")
		case all.Value == 0 && pool.Size.Why != nil && pg.Headroom.Value > pool.Size.Value:
			s.found.Errorf(HeadroomAbovePool, at(pg.Headroom, k.ports[0].Range), "priority group %d of %v has %v of headroom, but the whole pool %s has %v", pg.ID, k, pg.Headroom.Value, pool.Name, pool.Size.Value).Fixf("give the pool %s more than %v, or the group less headroom", pool.Name, pg.Headroom.Value).
				Notef(at(pool.Size), "the pool")
		case all.Value == 0 && s.sw.OS == "sonic" && s.chip != nil && s.chip.SizeHasHeadroom(s.sw.OS) && pg.Reserved.Why != nil && pg.Headroom.Value > pg.Reserved.Value:
			s.found.Errorf(HeadroomAbovePool, at(pg.Headroom, k.ports[0].Range), "priority group %d of %v has %v of headroom, but the size of its profile, which covers the headroom on %s, is %v", pg.ID, k, pg.Headroom.Value, s.chip.Title, pg.Reserved.Value).
				Fixf("give the profile the sum of reserve and headroom as its size").Notef(at(pg.Reserved), "the size")
		}
	}
}

// parts returns the number of equal parts of a pool. All that a group holds may be in one.
func (s *subject) parts() units.Bytes {
	if s.chip == nil {
		return 1
	}
	return units.Bytes(s.chip.Slices.Or(1))
}

// eachPart says what one part has of a pool that is cut.
func (s *subject) eachPart(all units.Bytes) string {
	n := s.parts()
	if n == 1 || all == 0 {
		return ""
	}
	return fmt.Sprintf(", %v in each of %d parts", all/n, n)
}

// noHeadroomPool reports whether a file says that the pool of headroom has 0 bytes, where that
// does not mean that PGs own theirs, as it does on NVIDIA's switches.
func (s *subject) noHeadroomPool(all plan.Derived[units.Bytes]) bool {
	return all.Why != nil && all.Why.Kind == plan.ReadBack && (s.sw.OS == "eos" || s.chip != nil && s.chip.Family == chips.XGS)
}

// poolOf returns the pool of a PG: that which it names, or a pool of headroom that a file gives
// without naming it anywhere, as EOS does.
func (s *subject) poolOf(pg *plan.PG) *plan.Pool {
	if pg.Pool != "" {
		return s.sw.Pool(pg.Pool)
	}
	for i := range s.sw.Pools {
		if pool := &s.sw.Pools[i]; pool.Direction == plan.Ingress && pool.Headroom.Value != 0 && pool.Size.Value == 0 {
			return pool
		}
	}
	return nil
}

// headroomAboveMemory reports headroom beyond the memory where the file has no pool.
func (s *subject) headroomAboveMemory(k kind, pg *plan.PG) {
	if s.chip == nil {
		return
	}
	if memory := s.chip.PacketBuffer.Or(0); memory != 0 && pg.Headroom.Value > memory {
		s.found.Errorf(HeadroomAbovePool, at(pg.Headroom, k.ports[0].Range), "priority group %d of %v has %v of headroom, but %s has %v of memory", pg.ID, k, pg.Headroom.Value, s.chip.Title, memory).Fixf("give the group the headroom of its cable: roceplan calc headroom computes it")
	}
}

// headroomUneven compares ports that need the same.
func headroomUneven(s *subject) {
	s.eachPair(func(a, b portPG) {
		if a.port.Speed != 0 && a.port.Speed == b.port.Speed && a.port.Cable != 0 && a.port.Cable == b.port.Cable && a.pg.Headroom.Value < b.pg.Headroom.Value {
			s.found.Warnf(HeadroomUneven, at(a.pg.Headroom, a.port.Range), "%s and %s both run at %v over %v, but one has %v of headroom and the other %v", a.port.Name, b.port.Name, a.port.Speed, a.port.Cable, a.pg.Headroom.Value, b.pg.Headroom.Value).Fixf("give both %v", b.pg.Headroom.Value).
				Notef(at(b.pg.Headroom, b.port.Range), "the larger one")
		}
	})
}

// headroomNotMonotone compares ports of which one needs at least as much as the other.
func headroomNotMonotone(s *subject) {
	s.eachPair(func(a, b portPG) {
		sure := a.port.Cable != 0 && b.port.Cable != 0 && a.port.Speed != 0 && b.port.Speed != 0
		differ := a.port.Speed != b.port.Speed || a.port.Cable != b.port.Cable
		if sure && differ && !waitsLonger(b.port, a.port) && a.port.Speed >= b.port.Speed && a.port.Cable >= b.port.Cable && a.pg.Headroom.Value < b.pg.Headroom.Value {
			s.found.Errorf(HeadroomNotMonotone, at(a.pg.Headroom, a.port.Range), "%s at %v and %v has %v of headroom, but %s at %v and %v has %v: a faster port or a longer cable needs more", a.port.Name, a.port.Speed, a.port.Cable, a.pg.Headroom.Value, b.port.Name, b.port.Speed, b.port.Cable, b.pg.Headroom.Value).
				Fixf("check whether the profiles were swapped").Notef(at(b.pg.Headroom, b.port.Range), "the larger one")
		}
	})
}

// waitsLonger reports whether more comes in at a port than at another for other reasons than speed
// and cable: its peer is declared to respond later, or a gearbox or larger frames are in the way.
func waitsLonger(slow, fast *plan.Port) bool {
	if slow.Gearbox > fast.Gearbox || slow.MTU > fast.MTU || losslessFrame(slow) > losslessFrame(fast) {
		return true
	}
	if slow.Assumed == nil || !slow.Assumed.Declared {
		return false
	}
	return fast.Assumed == nil || !fast.Assumed.Declared || slow.Assumed.Response.Value > fast.Assumed.Response.Value
}

// A portPG is a lossless PG of one port.
type portPG struct {
	port *plan.Port
	pg   *plan.PG
}

// eachPair visits pairs of lossless PGs of one number in both orders, one for each speed,
// cable and profile: ports that are alike in all three are looked at once.
func (s *subject) eachPair(visit func(a, b portPG)) {
	type sort struct {
		speed    units.BitRate
		cable    units.Length
		id       uint8
		headroom units.Bytes
	}
	seen := map[sort]bool{}
	var all []portPG
	for k, pg := range s.groups {
		if !pg.Lossless || pg.Headroom.Value == 0 || s.computed(pg) {
			continue
		}
		for _, port := range k.ports {
			key := sort{port.Speed, port.Cable, pg.ID, pg.Headroom.Value}
			if !seen[key] {
				seen[key] = true
				all = append(all, portPG{port, pg})
			}
		}
	}
	for _, a := range all {
		for _, b := range all {
			if a.pg.ID == b.pg.ID {
				visit(a, b)
			}
		}
	}
}
