package completion

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/parallel"
	"github.com/roceplan/roceplan/internal/runs"
	"github.com/roceplan/roceplan/internal/scenario"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// UsualSize returns the size to which a fabric is cut.
func UsualSize() fabric.Size { return fabric.Size{Edges: 4, HostsPerEdge: 8} }

// Options say what is run.
type Options struct {
	Size  fabric.Size // that the fabric is cut to; zero: 4 edge switches with 8 hosts each
	Seed  uint64      // of the first run; 0: 1
	Seeds int         // runs of each scenario; 0: 1
	Kinds []Kind      // nil: all
	Time  units.Time  // in which messages begin; 0: the library's
}

// A Run holds one run's figures of completion.
type Run struct {
	Scenario string  `json:"pattern"`
	Seed     uint64  `json:"seed"`
	Unusable string  `json:"unusable,omitempty"` // why the run says nothing; empty: it does
	Small    Spread  `json:"small"`              // slowdown of messages below 100 KB
	Large    Spread  `json:"large"`              // slowdown of messages from 1 MB on
	Mean     float64 `json:"mean_us"`            // completion time
	Duration float64 `json:"duration_us"`        // until the last message has ended
	Pauses   int64   `json:"pfc_pauses"`
}

// A Spread is mean and 99th percentile of so many values.
type Spread struct {
	N    int     `json:"n"`
	Mean float64 `json:"mean"`
	P99  float64 `json:"p99"`
}

// Values returns the contribution of a run to a kind: values of equal weight in a geometric mean.
func (r *Run) Values(k Kind) []float64 {
	switch k {
	case Small:
		return r.Small.values()
	case Large, Storage:
		return r.Large.values()
	case Collective:
		return []float64{r.Duration}
	}
	return []float64{r.Mean}
}

func (s Spread) values() []float64 {
	if s.N == 0 {
		return nil
	}
	return []float64{s.Mean, s.P99}
}

// Scenarios returns the names of those that kinds are measured in; nil: of all kinds.
func Scenarios(kinds []Kind) (names []string) {
	if kinds == nil {
		kinds = Kinds()
	}
	for _, k := range kinds {
		for _, name := range k.Scenarios() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Jobs lists the runs of a plan whose figures are wanted. Scenarios are the library's, whatever the fabric
// has under their names.
func Jobs(p *plan.Plan, chip func(string) (*chips.Chip, bool), o Options) ([]pattern.Job, error) {
	all := scenario.Traces(nil).All(&policy.Fabric{})
	names := Scenarios(o.Kinds)
	if slices.Contains(names, incast) {
		names = append(names, incastOf4)
	}
	chosen, err := scenario.Choice{Names: names, Time: o.Time}.Of(all)
	if err != nil {
		return nil, err
	}
	_, jobs, err := pattern.Jobs(p, chip, fabric.Options{Size: cmp.Or(o.Size, UsualSize())}, chosen, max(o.Seeds, 1))
	left := incastOf4 // the incast that is not run
	if slices.ContainsFunc(jobs, func(j pattern.Job) bool { return j.Scenario.Name == incast && !j.Fits() }) {
		left = incast
	}
	jobs = stable.Delete(jobs, func(j pattern.Job) bool { return j.Scenario.Name == left })
	for i := range jobs {
		jobs[i].Seed += max(o.Seed, 1) - 1
		Detail(&jobs[i])
	}
	return jobs, err
}

// Detail lets a job's outcome have what [RunOf] takes.
func Detail(j *pattern.Job) {
	j.Detailed = true
	j.Prepare = append(j.Prepare, withoutBuffers)
}

// withoutBuffers spares the distributions of what buffers hold, which take an eighth of the time.
func withoutBuffers(sc *sim.Scenario, _ int) { sc.Observe.Buffers = false }

// RunAll makes the runs, as many at a time as there are cores, and calls done after each; it may be
// nil. Runs in store are not made again; nil: there is none.
func RunAll(ctx context.Context, jobs []pattern.Job, store *runs.Store, done func()) ([]Run, error) {
	out := make([]Run, len(jobs))
	cores := runtime.GOMAXPROCS(0)
	err := parallel.Each(ctx, cores, len(jobs), func(i int) (err error) {
		if done != nil {
			defer done()
		}
		out[i], err = runs.Kept(store, "completion", &jobs[i], func() (Run, error) {
			made, err := jobs[i].Once(ctx, max(1, cores/len(jobs)))
			return RunOf(&made), err
		})
		return err
	})
	return out, err
}

// Bounds of sizes, in bytes, as in the papers that plot slowdown by size.
const (
	smallBelow = 100_000
	largeFrom  = 1_000_000
)

// RunOf takes from the outcome of a detailed job what counts.
func RunOf(o *pattern.Outcome) Run {
	r := Run{Scenario: o.Pattern, Seed: o.Seed, Unusable: unusable(o), Duration: o.Duration, Pauses: o.Pauses}
	if o.Details == nil {
		return r
	}
	r.Small = spreadOf(o.FlowResults, func(f *sim.FlowResult) bool { return f.Bytes < smallBelow })
	r.Large = spreadOf(o.FlowResults, func(f *sim.FlowResult) bool { return f.Bytes >= largeFrom })
	for i := range o.FlowResults {
		r.Mean += o.FlowResults[i].FCTUS / float64(len(o.FlowResults))
	}
	return r
}

// unusable says why an outcome is no measure of completion: the mean of those who arrived is not that of all.
func unusable(o *pattern.Outcome) string {
	switch {
	case o.Skipped != "":
		return "did not run: " + o.Skipped
	case o.Unfinished > 0 || o.Stranded > 0:
		return fmt.Sprintf("left %d flows unfinished", o.Unfinished+o.Stranded)
	case o.LosslessDrops > 0:
		return fmt.Sprintf("lost %d lossless packets", o.LosslessDrops)
	}
	return ""
}

func spreadOf(flows []sim.FlowResult, in func(*sim.FlowResult) bool) Spread {
	var values []float64
	sum := 0.0
	for i := range flows {
		if in(&flows[i]) {
			values = append(values, flows[i].Slowdown)
			sum += flows[i].Slowdown
		}
	}
	n := len(values)
	if n == 0 {
		return Spread{}
	}
	slices.Sort(values)
	return Spread{N: n, Mean: sum / float64(n), P99: values[int(math.Ceil(0.99*float64(n)))-1]}
}
