package proof

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// AtMargin tells what breaks at a margin and one step beyond it, by dimension: nothing is
// to break at it, and what the margin says beyond.
func AtMargin(sw *plan.Switch, chip *chips.Chip, ctx Context, m Margin) map[string][3]string {
	report, _ := Prove(sw, chip, ctx)
	s := &margins{sw: ctx.known(sw), chip: chip, ctx: ctx.trust(report)}
	broken := map[string][3]string{}
	for dimension, of := range map[string]struct {
		with   world
		at     int64
		breaks string
	}{
		"cable":   {s.cables(alike{m.Group, m.Now}), int64(m.Cable / units.Metre), m.CableBreaks},
		"fan-in":  {s.senders, int64(m.FanIn), m.FanInBreaks},
		"MTU":     {s.frames(alike{m.Group, m.Now}), int64(m.MTU), m.MTUBreaks},
		"classes": {s.classes, int64(m.Classes), m.ClassesBreak},
	} {
		broken[dimension] = [3]string{s.breaks(of.with(of.at)), s.breaks(of.with(of.at + 1)), of.breaks}
	}
	return broken
}
