package lint

import (
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

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
	for _, k := range s.kinds {
		for i := range k.qos.PGs {
			pg := &k.qos.PGs[i]
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
	}
	for _, a := range all {
		for _, b := range all {
			if a.pg.ID == b.pg.ID {
				visit(a, b)
			}
		}
	}
}
