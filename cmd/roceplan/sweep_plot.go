package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/internal/chart"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/units"
)

// A sweepPlot draws the runs of one scenario and seed. The X of its charts are the values, or their places in the list where one of
// them is no quantity.
type sweepPlot struct {
	line  []*pattern.Outcome
	goals *pattern.Goals
	name  string
	x     []float64
	label string // of the X axis
	log   bool
}

// plotSweep draws each scenario: what each GPU gets by their number, with the point of collapse, or what a variable does to throughput
// and latency, and in both how much longer messages of each block take than alone.
func (c *simCmd) plotSweep(t *terminal, run *swept) error {
	var files []whole.Text
	lines := linesOf(run.Outcomes[:len(run.Jobs)])
	for _, line := range lines {
		name := line[0].Pattern
		if len(lines) > 1 {
			name += "-seed" + strconv.FormatUint(line[0].Seed, 10)
		}
		p := sweepPlot{line: line, goals: &pattern.Goals{}, name: c.Sweep.name}
		for i := range run.Jobs {
			if run.Jobs[i].Scenario.Name == line[0].Pattern {
				p.goals = &run.Jobs[i].Scenario.Goals
			}
		}
		p.scale()
		charts := []*chart.Chart{p.victims()}
		if p.name == gpus {
			charts = []*chart.Chart{p.perGPU(float64(run.Jobs[0].Network.Hosts[0].Rate) / float64(units.Gbps)), p.victims()}
		} else {
			charts = append(charts, p.latency())
			if through := p.throughput(); len(through.Lines) > 0 {
				charts = append(charts, through)
			}
		}
		files = append(files, whole.Text{Path: name + "-sweep.svg", Text: chart.SVG(charts...)})
	}
	return whole.Files(t.disk, c.Plots, files)
}

// scale places the values on the X axis, which is logarithmic where they span a factor of eight or more.
func (p *sweepPlot) scale() {
	texts := make([]string, len(p.line))
	for i, o := range p.line {
		if texts[i] = o.Swept; p.name == gpus {
			texts[i] = strconv.Itoa(o.GPUs)
		}
	}
	unit := ""
	p.x, unit = quantities(texts)
	if p.label = p.name + unit; p.name == gpus {
		p.label = "GPUs"
	}
	least := slices.Min(p.x)
	p.log = least > 0 && slices.Max(p.x) >= 8*least
}

// quantities reads numbers with the unit that all of them have. Where one is none they are 1, 2, 3, ...
func quantities(texts []string) (list []float64, unit string) {
	for _, d := range []struct {
		unit string
		read func(string) (float64, error)
	}{
		{"", func(s string) (float64, error) { return strconv.ParseFloat(s, 64) }},
		{" (bytes)", func(s string) (float64, error) { v, err := units.ParseBytes(s); return float64(v), err }},
		{" (us)", func(s string) (float64, error) {
			v, err := units.ParseTime(s)
			return float64(v) / float64(units.Microsecond), err
		}},
		{" (Gb/s)", func(s string) (float64, error) {
			v, err := units.ParseBitRate(s)
			return float64(v) / float64(units.Gbps), err
		}},
		{" (m)", func(s string) (float64, error) {
			v, err := units.ParseLength(s)
			return float64(v) / float64(units.Metre), err
		}},
		{" (%)", func(s string) (float64, error) {
			v, err := units.ParseRatio(s)
			return float64(v) / float64(units.Percent), err
		}},
	} {
		list = nil
		for _, text := range texts {
			if v, err := d.read(text); err == nil {
				list = append(list, v)
			}
		}
		if len(list) == len(texts) {
			return list, d.unit
		}
	}
	list = nil
	for i := range texts {
		list = append(list, float64(i+1))
	}
	return list, ""
}

// chart returns a chart without lines.
func (p *sweepPlot) chart(what, y string) *chart.Chart {
	return &chart.Chart{Title: p.line[0].Pattern + ": " + what, X: p.label, Y: y, LogX: p.log}
}

// add draws a measured line and, where there is one, its goal, and marks the first value that is beyond the goal.
func (p *sweepPlot) add(c *chart.Chart, name string, of func(*pattern.Outcome) float64, goal float64, beyond func(v float64) bool) {
	l := chart.Line{Name: name}
	marked := false
	for i, o := range p.line {
		if o.Skipped != "" || of(o) == 0 {
			continue
		}
		l.X, l.Y = append(l.X, p.x[i]), append(l.Y, of(o))
		if goal > 0 && !marked && beyond(of(o)) {
			marked = true
			c.Dots = append(c.Dots, chart.Dot{Name: p.name + "=" + o.Swept, X: p.x[i], Y: of(o), Marked: true})
		}
	}
	if len(l.X) > 0 {
		c.Lines = append(c.Lines, l)
	}
	if goal > 0 && len(l.X) > 0 {
		c.Lines = append(c.Lines, p.level("goal", goal))
	}
}

// level returns a bound over all values.
func (p *sweepPlot) level(name string, y float64) chart.Line {
	return chart.Level(name, y, p.x[0], p.x[len(p.x)-1])
}

// perGPU returns the payload that each GPU sends; rate is that of a host's port in Gb/s.
func (p *sweepPlot) perGPU(rate float64) *chart.Chart {
	c := p.chart("payload that each GPU sends", "Gb/s")
	c.LogY = true
	p.add(c, "each GPU", goodput, 0, nil)
	at, best := collapse(p.line)
	c.Lines = append(c.Lines, p.level("port of a host", rate))
	if half := goodput(p.line[best]) / 2; half > 0 {
		c.Lines = append(c.Lines, p.level("half of the most", half))
	}
	if at >= 0 && goodput(p.line[at]) > 0 {
		c.Dots = append(c.Dots, chart.Dot{Name: fmt.Sprintf("%d GPUs", p.line[at].GPUs), X: p.x[at], Y: goodput(p.line[at]), Marked: true})
	}
	return c
}

// victims returns the 99th percentile of slowdowns of each block, with the goal and the values at which it has doubled.
func (p *sweepPlot) victims() *chart.Chart {
	c := p.chart("slowdown of 99 % of the messages", "slowdown")
	c.LogY = true
	var names []string
	for _, o := range p.line {
		if o.Skipped != "" {
			continue
		}
		for k := range o.Completion.Blocks {
			if b := &o.Completion.Blocks[k]; !slices.Contains(names, b.Name) {
				names = append(names, b.Name)
			}
		}
	}
	for _, name := range names {
		p.add(c, name, func(o *pattern.Outcome) float64 { return tailOf(o, name) }, 0, nil)
	}
	if p.goals.SlowdownP99 > 0 && len(c.Lines) > 0 {
		c.Lines = append(c.Lines, p.level("goal", p.goals.SlowdownP99))
	}
	if p.name == gpus {
		return c
	}
	for _, s := range sufferers(p.line) {
		c.Dots = append(c.Dots, chart.Dot{Name: s.block + ": twice", X: p.x[s.at], Y: s.tail, Marked: true})
	}
	return c
}

// tailOf returns the 99th percentile of slowdowns of a block; 0: there is none.
func tailOf(o *pattern.Outcome, block string) float64 {
	for k := range o.Completion.Blocks {
		if b := &o.Completion.Blocks[k]; b.Name == block && b.Messages > 0 {
			return b.SlowdownP99
		}
	}
	return 0
}

// latency charts the latency of the slowest packet.
func (p *sweepPlot) latency() *chart.Chart {
	c := p.chart("latency of the slowest packet", "us")
	c.LogY = true
	goal := float64(p.goals.MaxLatency) / float64(units.Microsecond)
	p.add(c, "slowest packet", func(o *pattern.Outcome) float64 { return o.LatencyMax }, goal, func(v float64) bool { return v > goal })
	return c
}

// throughput charts the throughput of scenarios that fill ports, of the steady state where there is one, as it is
// judged.
func (p *sweepPlot) throughput() *chart.Chart {
	c := p.chart("throughput", "% of what links carry")
	goal := 100 * float64(p.goals.Throughput) / float64(units.One)
	p.add(c, "throughput", func(o *pattern.Outcome) float64 {
		if s := o.Steady; s != nil && s.Settled && s.Throughput > 0 {
			return 100 * s.Throughput
		}
		return 100 * o.Throughput
	}, goal, func(v float64) bool { return v < goal })
	return c
}
