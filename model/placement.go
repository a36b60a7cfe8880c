package model

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
)

// placement says in which slice of the buffer what comes in at each port lies: by the
// chip's pipes where the catalogue has them, every port that counts has lanes, and each
// of these pipes writes to one slice. Otherwise ports lie in equal runs, in the order of the
// plan. Ports that no buffer is configured for do not count: those that are down, say.
func placement(sw *plan.Switch, chip *chips.Chip) []int {
	if placed, ok := byPipe(sw, chip); ok {
		return placed
	}
	placed, counted := make([]int, len(sw.Ports)), 0
	for i := range sw.Ports {
		if sw.Ports[i].QoS != nil {
			placed[i] = counted
			counted++
		}
	}
	for i := range placed {
		if sw.Ports[i].QoS != nil {
			placed[i] = placed[i] * chip.Slices.Or(1) / counted
		}
	}
	return placed
}

func byPipe(sw *plan.Switch, chip *chips.Chip) ([]int, bool) {
	placed := make([]int, len(sw.Ports))
	for i := range sw.Ports {
		port := &sw.Ports[i]
		if port.QoS == nil {
			continue
		}
		if len(port.Lanes) == 0 {
			return nil, false
		}
		parts, ok := chip.IngressParts(port.Lanes[0])
		if !ok || len(parts) != 1 {
			return nil, false
		}
		placed[i] = parts[0]
	}
	return placed, true
}
