package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

// An Asked is the subject of a question: SWITCH, SWITCH.PORT, SWITCH.QUANTITY or
// SWITCH.PORT.QUANTITY.
type Asked struct {
	Switch *plan.Switch
	Device string     // the switch that was named, one of Switch.Names
	Port   *plan.Port // nil where none was named
	Place  string     // the question without the quantity: "tor-01.Ethernet32"
	Wanted string     // the quantity; empty where all are asked for
	// Quantities are those that are meant; all of the switch or the port where none was named.
	Quantities []Quantity
}

// Find takes a question apart. The error of one that names nothing says what there is, and what
// was likely meant.
func Find(p *plan.Plan, what string) (*Asked, error) {
	sw, device, rest, err := FindSwitch(p, what)
	if err != nil {
		return nil, err
	}
	a := &Asked{Switch: sw, Device: device}
	a.Port, a.Wanted = FindPort(sw, rest)
	a.Place = strings.TrimSuffix(strings.TrimSuffix(what, a.Wanted), ".")
	a.Quantities = Switch(sw)
	if a.Port != nil {
		a.Quantities = Port(sw, a.Port)
	}
	if a.Wanted != "" {
		a.Quantities, err = matching(a.Quantities, a.Wanted, a.Place)
	}
	return a, err
}

// FindSwitch takes the longest name of a device from the front of what was asked:
// names may hold dots.
func FindSwitch(p *plan.Plan, what string) (sw *plan.Switch, device, rest string, err error) {
	var known []string
	for _, s := range p.Switches {
		known = append(known, plan.Abbreviate(s.Names))
		for _, name := range s.Names {
			if after, ok := cutName(what, name); ok && len(name) > len(device) {
				sw, device, rest = s, name, after
			}
		}
	}
	if sw == nil {
		return nil, "", "", fmt.Errorf("%q does not begin with the name of a switch; %sthere are %s", what, nearestSwitch(p, what), strings.Join(known, ", "))
	}
	return sw, device, rest, nil
}

// nearestSwitch offers the switch that was likely meant, as a clause of a message. Names of
// a kind differ in their numbers alone, so there one letter must be wrong elsewhere.
func nearestSwitch(p *plan.Plan, what string) string {
	name, _, _ := strings.Cut(what, ".")
	unnumbered := func(name string) string { return strings.TrimRight(name, "0123456789") }
	for _, s := range p.Switches {
		if near := diag.Nearest(name, s.Names); near != "" && unnumbered(near) != unnumbered(name) {
			return fmt.Sprintf("did you mean %q? ", near)
		}
	}
	return ""
}

// FindPort takes the name of a port from the front. Nil: the rest is a quantity of the
// switch.
func FindPort(sw *plan.Switch, what string) (port *plan.Port, rest string) {
	rest = what
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if after, ok := cutName(what, p.Name); ok && (port == nil || len(p.Name) > len(port.Name)) {
			port, rest = p, after
		}
	}
	return port, rest
}

func cutName(what, name string) (rest string, ok bool) {
	if what == name {
		return "", true
	}
	return strings.CutPrefix(what, name+".")
}

// matching returns the quantities that are meant: by their whole name, by that of the
// class in the place of the priority group or queue, or by the last word alone.
func matching(all []Quantity, wanted, place string) ([]Quantity, error) {
	var chosen []Quantity
	var known, names []string
	for _, q := range all {
		if slices.Contains(q.Names, wanted) {
			chosen = append(chosen, q)
		}
		if !slices.Contains(known, q.Names[0]) {
			known = append(known, q.Names[0])
		}
		names = append(names, q.Names...)
	}
	if chosen != nil {
		return chosen, nil
	}
	if group, ok := strings.CutSuffix(wanted, "xoff"); ok {
		return nil, fmt.Errorf("%s has no %q; what SONiC calls xoff is %q", place, wanted, group+"headroom")
	}
	meant := ""
	if near := diag.Nearest(wanted, names); near != "" {
		meant = fmt.Sprintf("did you mean %q? ", near)
	}
	return nil, fmt.Errorf("%s has no %q; %sit has %s", place, wanted, meant, strings.Join(known, ", "))
}
