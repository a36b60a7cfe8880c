package diff

import (
	"slices"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
)

// upgrades reports whether a switch of SONiC gets another release: both plans name it.
func upgrades(a, b *plan.Switch) bool {
	return a.Release != b.Release && a.Release != "" && b.Release != ""
}

// installations returns the steps in which a person installs another release, before all others: the messages of those
// are written for it.
func installations(pairs []*pair) (steps []Step) {
	for _, p := range pairs {
		if p.old == nil || p.new == nil || !upgrades(p.old, p.new) {
			continue
		}
		from, to := p.old.Release, p.new.Release
		i := slices.IndexFunc(steps, func(s Step) bool { return s.Changes[0].Old == from && s.Changes[0].New == to })
		if i < 0 {
			i = len(steps)
			steps = append(steps, Step{Action: Upgrade, Changes: []Change{{Quantity: "release", Old: from, New: to}}, Why: []Rule{WrittenForIt}})
		}
		steps[i].Devices = append(steps[i].Devices, p.names...)
	}
	for _, s := range steps {
		slices.SortFunc(s.Devices, natural.Compare)
		s.Changes[0].Where = []Where{{Switches: s.Devices}}
	}
	return steps
}
