package hpcc

import (
	"context"
	"math"
	"runtime"
	"sync"

	"github.com/roceplan/roceplan/model/sim"
)

// Report is the result of one run or of several with different seeds. Of several, the
// fields of Result pool the runs: all their flows; the means of pauses, peaks, marks and
// drops; the sums of packet-hops, events and time.
type Report struct {
	*sim.Result
	Runs []*sim.Result `json:"runs,omitempty"` // each one, if there are several
}

// Simulate runs a scenario with seeds 1 to n, as many at a time as there are cores. A
// seed is ns-3's run number: seed 1 is what the HPCC simulator does by default.
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
	if n == 1 {
		return &Report{Result: runs[0]}, nil
	}
	return &Report{pool(runs), runs}, nil
}

func pool(runs []*sim.Result) *sim.Result {
	all := &sim.Result{}
	for _, r := range runs {
		all.Flows = append(all.Flows, r.Flows...)
		all.UnfinishedFlows += r.UnfinishedFlows
		all.PacketHops += r.PacketHops
		all.Events += r.Events
		all.WallSeconds += r.WallSeconds
		all.PeakMemory = max(all.PeakMemory, r.PeakMemory)
	}
	mean := func(of func(*sim.Result) int64) int64 {
		sum := 0.0
		for _, r := range runs {
			sum += float64(of(r))
		}
		return int64(math.Round(sum / float64(len(runs))))
	}
	all.PFCPauses = mean(func(r *sim.Result) int64 { return r.PFCPauses })
	all.PeakEgressQueue = mean(func(r *sim.Result) int64 { return r.PeakEgressQueue })
	all.PeakHeadroom = mean(func(r *sim.Result) int64 { return r.PeakHeadroom })
	all.ECNMarks = mean(func(r *sim.Result) int64 { return r.ECNMarks })
	all.Drops = mean(func(r *sim.Result) int64 { return r.Drops })
	all.LostOnWire = mean(func(r *sim.Result) int64 { return r.LostOnWire })
	return all
}
