package explain

import (
	"slices"
	"strings"

	"github.com/roceplan/roceplan/plan"
)

// Continuations lists the questions that [Find] answers and that go on from what was begun: names
// of switches first, and once only one of them is left, its ports and quantities; likewise of a
// port. They are in the order of the plan.
func Continuations(p *plan.Plan, begun string) (list []string) {
	var only *plan.Switch
	for _, sw := range p.Switches {
		for _, name := range sw.Names {
			switch {
			case strings.HasPrefix(name, begun):
				list = append(list, name)
				only = sw
			case strings.HasPrefix(begun, name+"."):
				list = append(list, ofSwitch(sw, name, begun)...)
			}
		}
	}
	if len(list) == 1 && only != nil {
		list = append(list, ofSwitch(only, list[0], begun)...)
	}
	return list
}

// ofSwitch lists the ports and quantities of a device.
func ofSwitch(sw *plan.Switch, device, begun string) (list []string) {
	var only *plan.Port
	for i := range sw.Ports {
		port := &sw.Ports[i]
		place := device + "." + port.Name
		switch {
		case strings.HasPrefix(place, begun):
			list = append(list, place)
			only = port
		case strings.HasPrefix(begun, place+"."):
			list = append(list, under(place, Port(sw, port), begun)...)
		}
	}
	if len(list) == 1 && only != nil {
		list = append(list, under(list[0], Port(sw, only), begun)...)
	}
	return append(list, under(device, Switch(sw), begun)...)
}

// under lists the quantities of a place by all their names.
func under(place string, all []Quantity, begun string) (list []string) {
	for _, q := range all {
		for _, name := range q.Names {
			if what := place + "." + name; strings.HasPrefix(what, begun) && !slices.Contains(list, what) {
				list = append(list, what)
			}
		}
	}
	return list
}
