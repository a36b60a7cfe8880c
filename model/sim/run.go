package sim

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"sync/atomic"
	"time"
)

// Run simulates a scenario. The error says which flows have no path, or that the
// context ended.
func Run(ctx context.Context, sc *Scenario) (*Result, error) {
	begin := time.Now()
	s, err := newEngine(sc)
	if err != nil {
		return nil, err
	}
	until := int64(sc.Stop)
	if until <= 0 {
		until = math.MaxInt64
	}
	if err = s.run(ctx, sc, sc.domains(), until); err == nil {
		err = s.lastPoll()
	}
	if err != nil {
		return nil, err
	}
	r := s.result(sc)
	r.WallSeconds = time.Since(begin).Seconds()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	r.PeakMemory = int64(m.Sys)
	return r, nil
}

// run handles all events before a time, in so many domains if that can be.
func (s *engine) run(ctx context.Context, sc *Scenario, domains int, until int64) error {
	if sc.SkipSteady && sc.skippable() {
		return s.runSkipping(ctx, until)
	}
	parts := s.split(sc, domains)
	if parts == nil {
		return s.runAlone(ctx, until)
	}
	err := runParts(ctx, parts, max(1, min(sc.Cores, len(parts))), sc.lookahead(parts[0].domain.of), until)
	s.join(parts)
	return err
}

// runAlone handles all events before a time.
func (s *engine) runAlone(ctx context.Context, until int64) error {
	for more := true; more; {
		more = s.steps(until, 1<<16)
		show(s.shown, s.now)
		if err := cmp.Or(ctx.Err(), s.failure()); err != nil {
			return err
		}
	}
	return nil
}

// show sets a person's clock, if there is one.
func show(clock *atomic.Int64, now int64) {
	if clock != nil {
		clock.Store(now)
	}
}

// steps handles up to n events; false if none is left before the given time.
func (s *engine) steps(until int64, n int) bool {
	for range n {
		if !s.step(until) {
			return false
		}
	}
	return true
}

func (s *engine) result(sc *Scenario) *Result {
	r := &Result{
		Seed:            sc.Seed,
		Flows:           make([]FlowResult, 0, len(s.messages)),
		UnfinishedFlows: len(s.messages) - s.finished,
		PFCPauses:       s.pauses,
		PeakEgressQueue: int64(s.peakQueue),
		PeakHeadroom:    int64(s.peakHeadroom),
		ECNMarks:        s.marks,
		CNPs:            s.cnps,
		Observed:        s.observed(sc),
		Packets:         s.ledger(),
		Drops:           s.dropped,
		LostOnWire:      s.lost,
		Flushed:         s.flushed,
		Unrouted:        s.unrouted,
		Overrun:         s.overrun,
		WatchdogDrops:   s.guarded,
		WatchdogEvents:  s.watchdogEvents,
		PFCRefreshes:    s.refreshes,
		OutOfOrder:      s.outOfOrder,
		FailedFlows:     s.failed,
		Timeouts:        s.timeouts,
		SkippedUS:       float64(s.skipped) / 1e6,
		Refused:         s.refused,
		Flowlets:        s.flowletsBegun,
		PacketHops:      s.hops,
		Events:          s.handled,
	}
	if w := s.weaver; w != nil {
		r.Reroutes, r.HeldBack, r.NotHeldBack = w.Reroutes, w.Held, w.Refused
		r.ReorderExpired, r.ReorderQueues = w.Expired, int(w.MostQueues)
	}
	if s.cells != nil {
		r.PeakVOQ = s.cells.Most
	}
	for i := range s.messages {
		m, f := &s.messages[i], &sc.Flows[i]
		if m.finished > 0 && f.Ends {
			r.Work = append(r.Work, Work{i, float64(m.finished) / 1e6})
		}
		if m.finished == 0 || m.pair == none {
			continue
		}
		fct, times := m.finished-m.started, int64(max(1, f.Repeat))
		r.Flows = append(r.Flows, FlowResult{
			Index: i, Src: f.Src, Dst: f.Dst, Bytes: int64(f.Bytes) * times,
			StartUS:     float64(m.started) / 1e6,
			FCTUS:       float64(fct) / 1e6,
			DeliveredUS: float64(m.delivered-m.started) / 1e6,
			Slowdown:    s.slowdown(fct, m.ideal),
		})
	}
	return r
}

// slowdown returns a completion time over the ideal. Times that are estimated, where steady time is left out, may be
// short by some per cent: no message is faster than alone.
func (s *engine) slowdown(fct, ideal int64) float64 {
	if s.skipped > 0 {
		fct = max(fct, ideal)
	}
	return float64(fct) / float64(ideal)
}
