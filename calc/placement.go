package calc

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// inSlice returns the part of the ports' load that may fall into one slice, the fullest: see
// chips.Places. known is set if the slices of all ports are known.
func (s *shape) inSlice(load func(*kind) units.Bytes) (most units.Bytes, known bool) {
	var ports []chips.PortLoad
	for _, k := range s.kinds {
		for _, i := range k.ports {
			ports = append(ports, chips.PortLoad{Lanes: k.lanes(i), Rate: k.group.Speed.Value, Load: load(k)})
		}
	}
	places, known := s.chip.Places(ports)
	sums := make([]units.Bytes, s.slices.Value)
	for i, part := range places {
		sums[part] += ports[i].Load
	}
	return slices.Max(sums), known
}

// portsOfSlice derives the number of ports of some kinds that may be in one slice.
func (s *shape) portsOfSlice(name string, counts func(*kind) bool) plan.Derived[plan.Count] {
	most, known := s.inSlice(func(k *kind) units.Bytes {
		if counts(k) {
			return 1
		}
		return 0
	})
	n := plan.Count(most)
	return plan.Of(n, s.placed(name, n, known))
}

// placed returns the reason of a value for the fullest slice.
func (s *shape) placed(name string, value fmt.Stringer, known bool) *plan.Why {
	if s.slices.Value == 1 {
		return chosen(name, value, "there is one slice")
	}
	if !known {
		return chosen(name, value, "which ports share a slice is not known: as many as have place at its pipes, those that need most together")
	}
	why := datum(s.chip, s.chip.Parts.Ingress, value)
	why.Name = name
	return why
}

// lanes returns the serdes lanes of a port, none where they are not known.
func (k *kind) lanes(port int) []int {
	switch group := k.group; {
	case len(group.Lanes) > port:
		return group.Lanes[port]
	case len(group.Places) > port:
		return group.Places[port].Lanes
	}
	return nil
}
