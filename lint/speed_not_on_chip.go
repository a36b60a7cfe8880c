package lint

import (
	"slices"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// speedNotOnChip checks speeds against the catalogue: another chip was meant, another speed, or
// more lanes.
func speedNotOnChip(s *subject) {
	if s.chip == nil {
		return
	}
	speeds, err := s.chip.PortSpeeds.Get()
	lane := s.chip.LaneRate.Or(0)
	for i := range s.sw.Ports {
		port := &s.sw.Ports[i]
		switch {
		case port.Speed == 0:
		case err == nil && !slices.Contains(speeds, port.Speed):
			s.found.Warnf(SpeedNotOnChip, port.Range, "%s runs at %v, a speed that the catalogue does not list for %s", port.Name, port.Speed, s.chip.Title).
				Fixf("check --chip")
			return
		case lane != 0 && perLane(port) > lane:
			s.found.Warnf(SpeedNotOnChip, port.Range, "%s runs at %v over %d lanes, but a lane of %s carries only %v", port.Name, port.Speed, len(port.Lanes), s.chip.Title, lane).
				Fixf("give it all of its lanes, or a lower speed")
			return
		}
	}
}

// perLane is what each lane of a port carries; 0 where the file has no lanes.
func perLane(port *plan.Port) units.BitRate {
	if len(port.Lanes) == 0 {
		return 0
	}
	return port.Speed / units.BitRate(len(port.Lanes))
}
