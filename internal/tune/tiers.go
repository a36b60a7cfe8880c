package tune

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// above are the switches that lead to no server, if others do: their queues hold what ways that meet bring
// together, and not an incast. There are none where ports or switches of the fabric have numbers of their
// own already.
func above(f *policy.Fabric) (list []*policy.Switch) {
	for _, sw := range f.Switches {
		if sw.Alpha.Set || slices.ContainsFunc(sw.Groups, func(g *policy.PortGroup) bool { return len(g.Curves) > 0 }) {
			return nil
		}
		if !slices.ContainsFunc(sw.Groups, func(g *policy.PortGroup) bool { return g.PeerNIC != nil }) {
			list = append(list, sw)
		}
	}
	if len(list) == len(f.Switches) {
		return nil
	}
	return list
}

// tiers are what is tried on the switches above: the same as below; a curve that marks early and much, so
// that a packet that has to wait below has waited little before; one that marks late and little, so that
// only the port of the receiver slows a sender down; and half of the threshold.
func (s *space) tiers() []*Marks {
	if len(s.above) == 0 {
		return []*Marks{nil}
	}
	return []*Marks{nil, s.early(), s.late(), {Derived: true, OwnAlpha: true, Alpha: s.alpha - 1}}
}

// early and late are the curves that mark much below the bounds, and little up to them.
func (s *space) early() *Marks {
	return &Marks{KMin: s.expected / 4, KMax: s.tolerable / 4, PMax: 50 * units.Percent}
}

func (s *space) late() *Marks {
	return &Marks{KMin: s.expected, KMax: s.tolerable, PMax: 10 * units.Percent}
}

// String is short, for a table; empty where all switches have the same.
func (m *Marks) String() string {
	switch {
	case m == nil:
		return ""
	case m.OwnAlpha:
		return fmt.Sprintf("alpha %v", m.Alpha)
	}
	return fmt.Sprintf("%v to %v, %v", m.KMin, m.KMax, m.PMax)
}
