package main

import (
	"fmt"
	"strconv"

	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/internal/chart"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/units"
)

// plotSweep draws what each GPU gets, by their number, with the point of collapse, and below how much longer messages of each block take
// than alone.
func plotSweep(t *terminal, dir string, jobs []pattern.Job, outcomes []pattern.Outcome) error {
	var files []whole.Text
	lines := swept(outcomes)
	for _, line := range lines {
		name := line[0].Pattern
		if len(lines) > 1 {
			name += "-seed" + strconv.FormatUint(line[0].Seed, 10)
		}
		files = append(files, whole.Text{Path: name + "-sweep.svg", Text: chart.SVG(perGPU(line, float64(jobs[0].Network.Hosts[0].Rate)/float64(units.Gbps)), victims(line))})
	}
	return whole.Files(t.disk, dir, files)
}

// perGPU is the upper chart; rate is that of a host's port in Gb/s.
func perGPU(line []*pattern.Outcome, rate float64) *chart.Chart {
	c := &chart.Chart{Title: line[0].Pattern + ": payload that each GPU sends", X: "GPUs", Y: "Gb/s", LogX: true, LogY: true}
	measured := chart.Line{Name: "each GPU"}
	for _, o := range line {
		if g := goodput(o); g > 0 {
			measured.X, measured.Y = append(measured.X, float64(o.GPUs)), append(measured.Y, g)
		}
	}
	from, to := float64(line[0].GPUs), float64(line[len(line)-1].GPUs)
	at, best := collapse(line)
	half := goodput(line[best]) / 2
	c.Lines = append(c.Lines, measured, chart.Level("port of a host", rate, from, to))
	if half > 0 {
		c.Lines = append(c.Lines, chart.Level("half of the most", half, from, to))
	}
	if at >= 0 && goodput(line[at]) > 0 {
		c.Dots = append(c.Dots, chart.Dot{Name: fmt.Sprintf("%d GPUs", line[at].GPUs), X: float64(line[at].GPUs), Y: goodput(line[at]), Marked: true})
	}
	return c
}

// victims is the lower chart: the 99th percentile of slowdowns of each block.
func victims(line []*pattern.Outcome) *chart.Chart {
	c := &chart.Chart{Title: line[0].Pattern + ": slowdown of 99 % of the messages", X: "GPUs", Y: "slowdown", LogX: true, LogY: true}
	for _, o := range line {
		if o.Skipped != "" {
			continue
		}
		for k := range o.Completion.Blocks {
			b := &o.Completion.Blocks[k]
			if k == len(c.Lines) {
				c.Lines = append(c.Lines, chart.Line{Name: b.Name})
			}
			if b.Messages > 0 {
				c.Lines[k].X, c.Lines[k].Y = append(c.Lines[k].X, float64(o.GPUs)), append(c.Lines[k].Y, b.SlowdownP99)
			}
		}
	}
	return c
}
