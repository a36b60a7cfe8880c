package hpcc

import (
	"context"
	"runtime"
	"sort"
	"sync"

	"github.com/roceplan/roceplan/model/sim"
)

// Report is the result of one run. Of several with different seeds it is the first one's,
// and what they have in common.
type Report struct {
	*sim.Result
	Mean *Mean         `json:"mean,omitempty"`
	Runs []*sim.Result `json:"runs,omitempty"`
}

// Mean is the mean over runs. Completion times are first summed up within each run.
type Mean struct {
	Runs            int     `json:"runs"`
	FCTMeanUS       float64 `json:"fct_mean_us"`
	FCTP99US        float64 `json:"fct_p99_us"`
	PFCPauses       float64 `json:"pfc_pauses"`
	PeakEgressQueue float64 `json:"peak_egress_queue_bytes"`
	PeakHeadroom    float64 `json:"peak_headroom_bytes"`
	ECNMarks        float64 `json:"ecn_marks"`
	Drops           float64 `json:"drops"`
}

// Simulate runs a scenario with seeds 1 to n, as many at a time as there are cores. A seed is
// ns-3's run number: seed 1 is the default of the HPCC simulator.
func Simulate(ctx context.Context, sc *sim.Scenario, n int) (*Report, error) {
	runs, errs := make([]*sim.Result, n), make([]error, n)
	var wait sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range runs {
		slots <- struct{}{}
		wait.Go(func() {
			seeded := *sc
			seeded.Seed = uint64(i + 1)
			runs[i], errs[i] = sim.Run(ctx, &seeded)
			<-slots
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	report := &Report{Result: runs[0]}
	if n > 1 {
		report.Mean, report.Runs = mean(runs), runs
	}
	return report, nil
}

func mean(runs []*sim.Result) *Mean {
	over := func(of func(*sim.Result) float64) float64 {
		sum := 0.0
		for _, r := range runs {
			sum += of(r)
		}
		return sum / float64(len(runs))
	}
	return &Mean{
		Runs:            len(runs),
		FCTMeanUS:       over(meanFCT),
		FCTP99US:        over(func(r *sim.Result) float64 { return PercentileFCT(r, 99) }),
		PFCPauses:       over(func(r *sim.Result) float64 { return float64(r.PFCPauses) }),
		PeakEgressQueue: over(func(r *sim.Result) float64 { return float64(r.PeakEgressQueue) }),
		PeakHeadroom:    over(func(r *sim.Result) float64 { return float64(r.PeakHeadroom) }),
		ECNMarks:        over(func(r *sim.Result) float64 { return float64(r.ECNMarks) }),
		Drops:           over(func(r *sim.Result) float64 { return float64(r.Drops) }),
	}
}

func meanFCT(r *sim.Result) float64 {
	sum := 0.0
	for _, f := range r.Flows {
		sum += f.FCTUS
	}
	return sum / float64(max(1, len(r.Flows)))
}

// PercentileFCT returns the completion time in us that so many percent of the finished flows
// stay below; 0 if none has finished.
func PercentileFCT(r *sim.Result, percent int) float64 {
	if len(r.Flows) == 0 {
		return 0
	}
	fct := make([]float64, len(r.Flows))
	for i, f := range r.Flows {
		fct[i] = f.FCTUS
	}
	sort.Float64s(fct)
	return fct[min(len(fct)-1, len(fct)*percent/100)]
}
