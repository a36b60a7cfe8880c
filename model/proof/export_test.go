package proof

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/tinyswitch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// AtMargin says what breaks at a margin and one step beyond it, by dimension: nothing is
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

// A Place is a value of a JSON document. Delete takes a member out of its object; nil: the value is of a list.
type Place struct {
	Path   string
	Value  any
	Set    func(any)
	Delete func()
}

// Places lists the values below a value, members of objects by name, each before those below it.
func Places(path string, v any) (all []Place) {
	add := func(p Place) {
		p.Path = path + "/" + p.Path
		all = append(append(all, p), Places(p.Path, p.Value)...)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			add(Place{name, v[name], func(now any) { v[name] = now }, func() { delete(v, name) }})
		}
	case []any:
		for i := range v {
			add(Place{strconv.Itoa(i), v[i], func(now any) { v[i] = now }, nil})
		}
	}
	return all
}

// ChangeNumbers calls try with each number of a document in turn one more, and one less.
func ChangeNumbers(v any, path string, try func(path string)) {
	for _, p := range Places(path, v) {
		if n, ok := p.Value.(float64); ok {
			for _, by := range []float64{1, -1} {
				p.Set(n + by)
				try(p.Path)
			}
			p.Set(n)
		}
	}
}

// TinyCertificate is that of a tiny switch.
func TinyCertificate(seed int) *Certificate {
	p := ofModel(tinyswitch.Draw(rand.New(rand.NewPCG(uint64(seed), 5)), tinyKind(seed)), Context{})
	p.buffer()
	return Certify(p.report, nil, "", nil)
}
