package scenario

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/units"
)

// A Choice says which scenarios run, and what is otherwise than they say.
type Choice struct {
	Names   []string   // empty: all
	Time    units.Time // 0: the scenario's
	Control string     // of congestion; empty: the scenario's or the class's
}

// Unknown is the error of a name that no scenario has.
type Unknown struct {
	Name string
	Near string // the name that was likely meant; may be empty
}

func (u *Unknown) Error() string {
	if u.Near == "" {
		return fmt.Sprintf("there is no scenario %q", u.Name)
	}
	return fmt.Sprintf("there is no scenario %q; did you mean %q?", u.Name, u.Near)
}

// Of returns the scenarios that are chosen, in the order of the list, whose values it changes.
// The error is an [Unknown].
func (c Choice) Of(all []pattern.Scenario) ([]pattern.Scenario, error) {
	var names []string
	for i := range all {
		s := &all[i]
		names = append(names, s.Name)
		if c.Time != 0 {
			s.Time = c.Time
		}
		if c.Control != "" {
			s.CongestionControl = c.Control
		}
		s.Asked = s.Asked || slices.Contains(c.Names, s.Name)
	}
	for _, name := range c.Names {
		if !slices.Contains(names, name) {
			return nil, &Unknown{name, diag.Nearest(name, names)}
		}
	}
	if len(c.Names) == 0 {
		return all, nil
	}
	return stable.Delete(all, func(s pattern.Scenario) bool { return !slices.Contains(c.Names, s.Name) }), nil
}
