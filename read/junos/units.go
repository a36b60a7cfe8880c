package junos

import (
	"fmt"
	"maps"
	"slices"

	"github.com/roceplan/roceplan/read"
)

// with adds to a set, which may be nil.
func with(set map[string]bool, name string) map[string]bool {
	if set == nil {
		set = map[string]bool{}
	}
	set[name] = true
	return set
}

// unitsClassified makes classifiers unmodelled at ports with a unit that has none of its own. A port without units
// has unit 0.
func (r *reader) unitsClassified() {
	for _, name := range r.portOrder {
		units := r.ports[name].units
		if units == nil {
			units = map[string]bool{"0": true}
		}
		var of []*binding
		for _, b := range r.bindings {
			if len(b.classifies) > 0 && matches(b.pattern, name) {
				of = append(of, b)
			}
		}
		if len(of) == 0 {
			continue // which is reported elsewhere
		}
		for _, unit := range slices.Sorted(maps.Keys(units)) {
			if !slices.ContainsFunc(of, func(b *binding) bool { return b.classifiesUnit(unit) }) {
				for _, c := range of[0].classifies {
					e := &c.s.entry // which a wildcard may give several ports
					e.Sort, e.Why = read.Unmodelled, fmt.Sprintf("it belongs to another unit of the port than %s, with another classifier", unit)
					e.Touches.Ports = append(e.Touches.Ports, name)
				}
			}
		}
	}
}

// classifiesUnit reports whether one of its classifiers is of a unit, or of the whole port.
func (b *binding) classifiesUnit(unit string) bool {
	for of := range b.classified {
		if of == "" || matches(of, unit) {
			return true
		}
	}
	return false
}
