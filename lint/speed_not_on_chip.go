package lint

import (
	"slices"
)

// speedNotOnChip holds speeds against the catalogue: another chip was meant, or another speed.
func speedNotOnChip(s *subject) {
	if s.chip == nil {
		return
	}
	speeds, err := s.chip.PortSpeeds.Get()
	if err != nil {
		return
	}
	for i := range s.sw.Ports {
		port := &s.sw.Ports[i]
		if port.Speed > 0 && !slices.Contains(speeds, port.Speed) {
			s.found.Warnf(SpeedNotOnChip, port.Range, "%s runs at %v, which the catalogue does not give to %s", port.Name, port.Speed, s.chip.Title).
				Fixf("check --chip")
			return
		}
	}
}
