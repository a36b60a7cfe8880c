package tune

import (
	"slices"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// An axis is one number that is searched, in levels that follow one another.
type axis struct {
	name   string
	levels int
	at     int // the level as compiled
	set    func(p *Point, level int)
}

// scaled returns the levels of a number: halved so often, as compiled, doubled so often.
func scaled(name string, halved, doubled int, set func(p *Point, power int)) axis {
	return axis{name, halved + 1 + doubled, halved, func(p *Point, level int) { set(p, level-halved) }}
}

// listed returns the levels of a list of values, and the compiled one among them.
func listed[T int | units.Time | units.Ratio](name string, compiled T, values []T, set func(p *Point, v T)) axis {
	all := slices.Clone(values)
	if !slices.Contains(all, compiled) {
		all = append(all, compiled)
		slices.Sort(all)
	}
	return axis{name, len(all), slices.Index(all, compiled), func(p *Point, level int) { set(p, all[level]) }}
}

// times returns a value times a power of two.
func times[T ~int64](v T, power int) T {
	if power < 0 {
		return v >> -power
	}
	return v << power
}

// pmaxSteps are in per cent: no target takes parts of one.
var pmaxSteps = []units.Ratio{units.Percent, 2 * units.Percent, 5 * units.Percent, 10 * units.Percent, 20 * units.Percent, 50 * units.Percent, 100 * units.Percent}

// allAxes returns the axes of the space, Kmin and the width of the curve first: they span the
// published configurations, from a few packets to megabytes.
func (s *space) allAxes(balancing []string) []axis {
	list := []axis{
		scaled("kmin", 3, 4, func(p *Point, power int) {
			m := s.curveOf(p)
			m.KMin, m.KMax = times(s.curve.KMin, power), times(s.curve.KMin, power)+m.KMax-m.KMin
		}),
		scaled("kmax-kmin", 3, 4, func(p *Point, power int) {
			m := s.curveOf(p)
			m.KMax = m.KMin + times(s.curve.KMax-s.curve.KMin, power)
		}),
		listed("pmax", s.curve.PMax, pmaxSteps, func(p *Point, v units.Ratio) { s.curveOf(p).PMax = v }),
	}
	if len(s.settable) > 0 {
		list = append(list, s.nicAxes()...)
	}
	list = append(list, scaled("alpha", 3, 2, func(p *Point, power int) { p.OwnAlpha, p.Alpha = true, s.alpha+units.Alpha(power) }))
	if len(balancing) > 0 {
		list = append(list, axis{balancingAxis, len(balancing) + 1, 0, func(p *Point, level int) { p.Balancing = balancing[level-1] }})
	}
	return list
}

// curveOf returns the marks of a point that gives its curve: as compiled, but for what is set then.
func (s *space) curveOf(p *Point) *Marks {
	if p.KMax == 0 {
		p.KMin, p.KMax, p.PMax = s.curve.KMin, s.curve.KMax, s.curve.PMax
	}
	return &p.Marks
}

// nicAxes returns the constants of NICs where they can be set. Each NIC's are scaled from its own
// compiled ones.
func (s *space) nicAxes() []axis {
	first := &s.reactions[0]
	return []axis{
		scaled("rpg_ai_rate", 3, 3, s.rate(func(r *plan.Reaction) units.BitRate { return r.AIRate.Value }, func(c *Constants) *units.BitRate { return &c.AIRate })),
		scaled("rpg_time_reset", 2, 3, s.time(func(r *plan.Reaction) units.Time { return r.TimeReset.Value }, func(c *Constants) *units.Time { return &c.TimeReset })),
		listed("rpg_min_dec_fac", first.MinDecFac.Value, []units.Ratio{10 * units.Percent, 25 * units.Percent, 50 * units.Percent, 75 * units.Percent}, each(s, func(r *plan.Reaction) units.Ratio { return r.MinDecFac.Value }, func(c *Constants) *units.Ratio { return &c.MinDecFac })),
		listed("clamp_tgt_rate", flag(first.ClampTarget.Value), []int{0, 1}, s.clamp),
		scaled("rpg_hai_rate", 2, 2, s.rate(func(r *plan.Reaction) units.BitRate { return r.HAIRate.Value }, func(c *Constants) *units.BitRate { return &c.HAIRate })),
		scaled(cnpInterval, 2, 2, s.time(func(r *plan.Reaction) units.Time { return r.CNPInterval.Value }, func(c *Constants) *units.Time { return &c.CNPInterval })),
		listed("rpg_gd", int(first.GD.Value), []int{10, 11, 12}, each(s, func(r *plan.Reaction) int { return int(r.GD.Value) }, func(c *Constants) *int { return &c.GD })),
		scaled("dce_tcp_rtt", 2, 3, s.time(func(r *plan.Reaction) units.Time { return r.AlphaInterval.Value }, func(c *Constants) *units.Time { return &c.AlphaInterval })),
		listed("rate_reduce_monitor_period", first.DecreaseInterval.Value, []units.Time{units.Microsecond, 4 * units.Microsecond, 16 * units.Microsecond, 50 * units.Microsecond}, each(s, func(r *plan.Reaction) units.Time { return r.DecreaseInterval.Value }, func(c *Constants) *units.Time { return &c.DecreaseInterval })),
		listed("rpg_threshold", int(first.Threshold.Value), []int{1, 5}, each(s, func(r *plan.Reaction) int { return int(r.Threshold.Value) }, func(c *Constants) *int { return &c.Threshold })),
	}
}

// each sets a constant of every NIC of a point, by its compiled one.
func (s *space) each(p *Point, do func(compiled *plan.Reaction, c *Constants)) {
	if p.NICs == nil {
		p.NICs = make([]Constants, len(s.nics))
	}
	for k, n := range s.settable {
		do(&s.reactions[k], &p.NICs[slices.Index(s.nics, n)])
	}
}

// change sets a constant that is another one than compiled.
func change[T comparable](c *T, compiled, v T) {
	if v != compiled {
		*c = v
	}
}

// rate scales a rate, of which NICs take whole Mb/s.
func (s *space) rate(of func(*plan.Reaction) units.BitRate, at func(*Constants) *units.BitRate) func(p *Point, power int) {
	return func(p *Point, power int) {
		s.each(p, func(r *plan.Reaction, c *Constants) {
			change(at(c), of(r), max(units.Mbps, times(of(r), power)/units.Mbps*units.Mbps))
		})
	}
}

// time scales a time, of which NICs take whole microseconds.
func (s *space) time(of func(*plan.Reaction) units.Time, at func(*Constants) *units.Time) func(p *Point, power int) {
	return func(p *Point, power int) {
		s.each(p, func(r *plan.Reaction, c *Constants) {
			change(at(c), of(r), max(units.Microsecond, times(of(r), power)/units.Microsecond*units.Microsecond))
		})
	}
}

// each gives a value to all NICs.
func each[T comparable](s *space, of func(*plan.Reaction) T, at func(*Constants) *T) func(p *Point, v T) {
	return func(p *Point, v T) { s.each(p, func(r *plan.Reaction, c *Constants) { change(at(c), of(r), v) }) }
}

func (s *space) clamp(p *Point, v int) {
	s.each(p, func(r *plan.Reaction, c *Constants) {
		if flag(r.ClampTarget.Value) != v {
			c.ClampTarget = []string{"false", "true"}[v]
		}
	})
}

func flag(f plan.Flag) int {
	if f {
		return 1
	}
	return 0
}

// balancingAxis has a level for each way to balance load, in no order.
const balancingAxis = "load_balancing"
