package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/internal/chart"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/units"
)

// recorder keeps the samples that a run's plots are drawn from.
type recorder struct {
	job    *pattern.Job
	sc     *sim.Scenario
	period units.Time
	flows  []int // that are drawn
	rated  bool  // a congestion control sets the rates

	names []string
	times []float64   // us
	rows  [][]float64 // by counter
	skip  int         // samples between two that are kept
	seen  int
}

// Plots stay readable, and memory small.
const (
	maxSamples  = 4096
	drawnFlows  = 6
	drawnQueues = 3
)

// newRecorder makes a job keep samples of all queues and PGs, and of the largest flows.
func newRecorder(job *pattern.Job, sample *units.Time) *recorder {
	r := &recorder{job: job, skip: 1, period: max(units.Nanosecond, job.Scenario.Time/500)}
	if sample != nil {
		r.period = *sample
	}
	job.Detailed = true
	job.Prepare = append(job.Prepare, r.prepare)
	return r
}

func (r *recorder) prepare(sc *sim.Scenario, messages int) {
	r.sc, r.rated = sc, sc.Congestion.Algorithm != sim.NoControl
	for i := range messages {
		r.flows = append(r.flows, i)
	}
	stable.Sort(r.flows, func(a, b int) int { return cmp.Compare(sc.Flows[b].Bytes, sc.Flows[a].Bytes) })
	r.flows = r.flows[:min(len(r.flows), drawnFlows)]
	slices.Sort(r.flows)
	selection := []string{"queue", "pg", "xoff"}
	for _, i := range r.flows {
		selection = append(selection, r.flowKind()+":"+strconv.Itoa(i))
	}
	sc.Observe.Series = append(sc.Observe.Series, &sim.Series{Period: r.period, Select: selection, Begin: r.begin, Sampled: r.sampled})
}

// flowKind returns the quantity that is drawn of flows: the allowed rate or, where nothing sets
// one, the arrivals.
func (r *recorder) flowKind() string {
	if r.rated {
		return "rate"
	}
	return "goodput"
}

func (r *recorder) begin(names []string) error {
	r.names, r.rows = names, make([][]float64, len(names))
	return nil
}

// sampled keeps a sample. Of a long run it keeps every second one, then every fourth, …
func (r *recorder) sampled(at units.Time, values []int64) error {
	if r.seen++; (r.seen-1)%r.skip != 0 {
		return nil
	}
	r.times = append(r.times, float64(at)/1e6)
	for i, v := range values {
		r.rows[i] = append(r.rows[i], float64(v))
	}
	if len(r.times) >= maxSamples {
		r.skip *= 2
		r.times = halve(r.times)
		for i := range r.rows {
			r.rows[i] = halve(r.rows[i])
		}
	}
	return nil
}

func halve(list []float64) []float64 {
	for i := range len(list) / 2 {
		list[i] = list[2*i]
	}
	return list[:len(list)/2]
}

// writePlots draws all runs that were made, and writes all files or none.
func writePlots(t *terminal, dir string, recorders []*recorder, outcomes []pattern.Outcome) error {
	seeds := map[string]int{}
	for _, o := range outcomes {
		seeds[o.Pattern]++
	}
	var files []whole.Text
	for i, r := range recorders {
		if r.sc == nil {
			continue // the scenario does not fit
		}
		name := outcomes[i].Pattern
		if seeds[name] > 1 {
			name += "-seed" + strconv.FormatUint(outcomes[i].Seed, 10)
		}
		for _, plot := range []struct {
			kind string
			draw func(*pattern.Outcome) []byte
		}{{"queue", r.queuePlot}, {"rate", r.ratePlot}, {"fct", r.fctPlot}, {"slowdown", r.slowdownPlot}} {
			files = append(files, whole.Text{Path: name + "-" + plot.kind + ".svg", Text: plot.draw(&outcomes[i])})
		}
	}
	return whole.Files(t.disk, dir, files)
}

// scaled multiplies a counter.
func scaled(values []float64, by float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = v * by
	}
	return out
}

// longest returns the counters of a kind with the highest peaks, the highest first, without those that
// are next to nothing compared with it.
func (r *recorder) longest(kind string, most int) []int {
	var list []int
	for i, name := range r.names {
		if strings.HasPrefix(name, kind+":") && slices.Max(r.rows[i]) > 0 {
			list = append(list, i)
		}
	}
	stable.Sort(list, func(a, b int) int { return cmp.Compare(slices.Max(r.rows[b]), slices.Max(r.rows[a])) })
	list = list[:min(len(list), most)]
	return stable.Delete(list, func(i int) bool { return slices.Max(r.rows[i]) < slices.Max(r.rows[list[0]])/20 })
}

const timeLabel = "time (us)"

// queuePlot draws the longest queues with the curve that marks them, and the fullest priority
// group with the threshold at which it pauses.
func (r *recorder) queuePlot(o *pattern.Outcome) []byte {
	end := r.times[len(r.times)-1]
	queues := &chart.Chart{Title: o.Pattern + ": longest egress queues", X: timeLabel, Y: "queue (kB)", LogX: r.waits()}
	longest := r.longest("queue", drawnQueues)
	for _, i := range longest {
		queues.Lines = append(queues.Lines, chart.Line{Name: r.names[i], X: r.times, Y: scaled(r.rows[i], 1e-3)})
	}
	if len(longest) > 0 {
		if e, ok := r.marking(r.names[longest[0]]); ok {
			queues.Lines = append(queues.Lines,
				chart.Level(fmt.Sprintf("Kmin %v", e.KMin), float64(e.KMin)/1e3, 0, end), chart.Level(fmt.Sprintf("Kmax %v", e.KMax), float64(e.KMax)/1e3, 0, end))
		}
	}
	r.events(queues)
	groups := &chart.Chart{Title: o.Pattern + ": fullest priority group", X: timeLabel, Y: "buffer (kB)", LogX: r.waits()}
	for _, i := range r.longest("pg", 1) {
		groups.Lines = append(groups.Lines, chart.Line{Name: r.names[i], X: r.times, Y: scaled(r.rows[i], 1e-3)}, r.threshold(i))
	}
	return chart.SVG(queues, groups)
}

// waits reports whether a run lasts much longer than messages begin, as one does in which a timer runs out: over a linear axis there would
// be nothing to see of what it waits for.
func (r *recorder) waits() bool {
	const much = 8
	return r.times[len(r.times)-1] > much*float64(r.job.Scenario.Time)/1e6
}

// threshold returns the one at which a priority group pauses. Where it is far above what the group holds
// it is printed and not drawn, or the group's line would be flat.
func (r *recorder) threshold(pg int) chart.Line {
	const far = 5
	xoff := r.rows[slices.Index(r.names, "xoff"+strings.TrimPrefix(r.names[pg], "pg"))]
	if least := slices.Min(xoff); least > far*slices.Max(r.rows[pg]) {
		return chart.Line{Name: fmt.Sprintf("XOFF ≥ %.0f kB, far above", least/1e3), Dashed: true}
	}
	return chart.Line{Name: "XOFF threshold", X: r.times, Y: scaled(xoff, 1e-3), Dashed: true}
}

// marking returns the curve of the queue that a counter is of.
func (r *recorder) marking(counter string) (sim.ECN, bool) {
	name := strings.TrimPrefix(counter, "queue:")
	dot := strings.LastIndexByte(name, '.')
	port := slices.Index(r.sc.Ports, name[:dot])
	number, err := strconv.Atoi(name[dot+1:])
	if port < 0 || err != nil {
		return sim.ECN{}, false
	}
	return r.sc.Marking(port, uint8(number))
}

func (r *recorder) ratePlot(o *pattern.Outcome) []byte {
	c := &chart.Chart{Title: o.Pattern + ": rate that congestion control allows", X: timeLabel, Y: "rate (Gb/s)", LogX: r.waits()}
	if !r.rated {
		c.Title = o.Pattern + ": payload acknowledged, without congestion control"
	}
	if o.Flows > len(r.flows) {
		c.Title += fmt.Sprintf(", %d largest of %d flows", len(r.flows), o.Flows)
	}
	for i, name := range r.names {
		if !strings.HasPrefix(name, r.flowKind()+":") {
			continue
		}
		flow := r.sc.Flows[r.flows[len(c.Lines)]]
		label := fmt.Sprintf("flow %d: %s", r.flows[len(c.Lines)], strings.TrimPrefix(r.job.Network.Hosts[flow.Src].Name(), "nic."))
		c.Lines = append(c.Lines, chart.Line{Name: label, X: r.times, Y: scaled(r.rows[i], 1e-9)})
	}
	r.events(c)
	return chart.SVG(c)
}

// events marks when what befalls the fabric begins, when routes avoid it and when it ends, each time once.
func (r *recorder) events(c *chart.Chart) {
	top := 0.0
	for _, l := range c.Lines {
		top = max(top, slices.Max(l.Y))
	}
	mark := func(name string, at units.Time) {
		x := float64(at) / 1e6
		if at > 0 && x <= r.times[len(r.times)-1] && !slices.ContainsFunc(c.Lines, func(l chart.Line) bool { return l.Name == name && l.X[0] == x }) {
			c.Lines = append(c.Lines, chart.At(name, x, top))
		}
	}
	for _, e := range r.job.Scenario.Events {
		mark(string(e.Kind), e.At)
		if e.Convergence > 0 {
			mark("routes avoid it", e.At+e.Convergence)
		}
		mark("end of "+string(e.Kind), e.Until)
	}
}

func (r *recorder) fctPlot(o *pattern.Outcome) []byte {
	c := &chart.Chart{Title: fmt.Sprintf("%s: completion times of %d flows", o.Pattern, len(o.FlowResults)), X: "completion time (us)", Y: "flows (%)", LogX: true}
	var all []float64
	blocks := map[string][]float64{}
	for _, f := range o.FlowResults {
		all = append(all, f.FCTUS)
		blocks[f.Block] = append(blocks[f.Block], f.FCTUS)
	}
	if len(blocks) > 1 {
		for _, name := range slices.Sorted(maps.Keys(blocks)) {
			c.Lines = append(c.Lines, chart.CDF(name, blocks[name]))
		}
	} else if len(all) > 0 {
		c.Lines = append(c.Lines, chart.CDF("all flows", all))
	}
	if len(all) > 0 {
		c.Lines = append(c.Lines, chart.At(fmt.Sprintf("99 %%: %.1f us", o.FCTP99), o.FCTP99, 100))
	}
	return chart.SVG(c)
}

// slowdownPlot draws how many times what they take alone messages took, by their size, with the goal.
func (r *recorder) slowdownPlot(o *pattern.Outcome) []byte {
	bytes, median, tail := o.Curves()
	return chart.SVG(chart.Slowdown(o.Pattern, bytes, median, tail, r.job.Scenario.Goals.SlowdownP99))
}
