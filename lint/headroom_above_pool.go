package lint

import (
	"fmt"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// headroomAbovePool finds headroom that cannot be had.
func headroomAbovePool(s *subject) {
	for _, k := range s.kinds {
		for _, pg := range k.qos.PGs {
			pool := s.poolOf(&pg)
			if !pg.Lossless || pg.Headroom.Why == nil { // nobody gave it one of its own
				continue
			}
			if pool == nil {
				s.headroomAboveMemory(k, &pg)
				continue
			}
			switch all := pool.Headroom; {
			case (all.Value != 0 || s.noHeadroomPool(all)) && pg.Headroom.Value > all.Value/s.parts():
				s.found.Errorf(HeadroomAbovePool, at(pg.Headroom, k.ports[0].Range), "priority group %d of %v has %v of headroom, but the headroom pool of %s has %v%s", pg.ID, k, pg.Headroom.Value, pool.Name, all.Value, s.eachPart(all.Value)).Fixf("give the headroom pool of %s at least %v, or the group less", pool.Name, pg.Headroom.Value*s.parts()).
					Notef(at(all), "the headroom pool")
			case all.Value == 0 && pool.Size.Why != nil && pg.Headroom.Value > pool.Size.Value:
				s.found.Errorf(HeadroomAbovePool, at(pg.Headroom, k.ports[0].Range), "priority group %d of %v has %v of headroom, but the whole pool %s has %v", pg.ID, k, pg.Headroom.Value, pool.Name, pool.Size.Value).Fixf("give the pool %s more than %v, or the group less headroom", pool.Name, pg.Headroom.Value).
					Notef(at(pool.Size), "the pool")
			}
		}
	}
}

// parts is in how many equal parts a pool is cut. What a group holds may all lie in one.
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

// poolOf is the pool of a PG: that which it names, or a pool of headroom that a file gives
// without naming it anywhere, as EOS does.
func (s *subject) poolOf(pg *plan.PG) *plan.Pool {
	if pg.Pool != "" {
		return s.pool(pg.Pool)
	}
	for i := range s.sw.Pools {
		if pool := &s.sw.Pools[i]; pool.Direction == plan.Ingress && pool.Headroom.Value != 0 && pool.Size.Value == 0 {
			return pool
		}
	}
	return nil
}

// headroomAboveMemory is what is left to say where the file has no pool.
func (s *subject) headroomAboveMemory(k kind, pg *plan.PG) {
	if s.chip == nil {
		return
	}
	if memory := s.chip.PacketBuffer.Or(0); memory != 0 && pg.Headroom.Value > memory {
		s.found.Errorf(HeadroomAbovePool, at(pg.Headroom, k.ports[0].Range), "priority group %d of %v has %v of headroom, but %s has %v of memory", pg.ID, k, pg.Headroom.Value, s.chip.Title, memory).Fixf("give the group the headroom of its cable: roceplan calc headroom computes it")
	}
}
