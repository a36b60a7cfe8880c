package model

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// worst returns for each port the slice of the buffer that its packets fill in the worst case: see
// chips.Places. A port's load is the headroom of its lossless groups; of ports with as much of it,
// those go first over whose links most comes in after a pause. Ports that no buffer is configured
// for do not count: those that are down, say.
func worst(sw *plan.Switch, chip *chips.Chip) []int {
	placed, _ := placement(sw, chip)
	return placed
}

// usual is worst for a box whose ports are divided evenly over the slices, as SONiC's hardware
// tests have measured their thresholds; by the pipes where they are known.
func usual(sw *plan.Switch, chip *chips.Chip) []int {
	placed, known := placement(sw, chip)
	if known {
		return placed
	}
	counted := 0
	for i := range placed {
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

func placement(sw *plan.Switch, chip *chips.Chip) (placed []int, known bool) {
	placed = make([]int, len(sw.Ports))
	ports := make([]chips.PortLoad, 0, len(sw.Ports))
	for i := range sw.Ports {
		if port := &sw.Ports[i]; port.QoS != nil {
			ports = append(ports, loadOf(port, sw.MTU.Value))
		}
	}
	parts, known := chip.Places(ports)
	for i := range sw.Ports {
		if sw.Ports[i].QoS != nil {
			placed[i], parts = parts[0], parts[1:]
		}
	}
	return placed, known
}

func loadOf(port *plan.Port, mtu units.Bytes) chips.PortLoad {
	own := chips.PortLoad{Lanes: port.Lanes, Rate: port.Speed}
	for _, pg := range port.QoS.PGs {
		if pg.Lossless {
			own.Load += pg.Headroom.Value
		}
	}
	declared := plan.Assumed{}
	if port.Assumed != nil {
		declared = *port.Assumed
	}
	if link := NewLink(port, mtu, declared); link.Unknown(port.Name) == "" {
		own.Wire = link.Bytes()
	}
	return own
}
