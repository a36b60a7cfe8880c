package sim

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// A congestion control is one file: the state of a queue pair, a list of them by queue pair, and the two
// methods of [control]. This one is the simplest there is, and CONTRIBUTING.md walks through it: each
// acknowledgement adds aimdStep to the rate, an echo of congestion halves it, at most once in aimdHold.
type aimdState struct {
	cutAt int64 // when the rate was halved last, ps
}

type aimdControl []aimdState

const (
	aimdStep = uint64(50 * units.Mbps)
	aimdHold = int64(20 * units.Microsecond)
)

func (k aimdControl) start(_ *engine, i int32, _ *flow) { k[i] = aimdState{cutAt: -aimdHold} }

func (k aimdControl) acknowledged(s *engine, i int32, f *flow, e echo) {
	switch {
	case e.marked && s.now-k[i].cutAt >= aimdHold:
		k[i].cutAt, f.rate = s.now, max(uint64(f.law.MinRate), f.rate/2)
	case !e.marked:
		f.rate = min(f.lineRate, f.rate+aimdStep)
	}
}

// The example shares a port fairly, as additive increase with multiplicative decrease does (Chiu and Jain
// 1989), keeps it busy, and has PFC act less than senders at line rate do.
func TestAControlIsOneFile(t *testing.T) {
	run := func(with bool) *Result {
		sc := scenario(leafSpine(1, 5, 0), "incast", "none", 10*units.MB)
		sc.ECN = []ECN{{Rate: 100 * units.Gbps, KMin: 100 * units.KB, KMax: 100 * units.KB, PMax: 1}}
		sc.Congestion.MinRate = 100 * units.Mbps
		s := must.Get(newEngine(sc))(t)
		if with {
			for _, l := range s.laws {
				l.control = aimdControl(make([]aimdState, len(s.flows)))
			}
			s.startControls()
		}
		for s.step(never) {
		}
		audit(t, s)
		return s.result(sc)
	}
	lineRate, own := run(false), run(true)
	first, last := own.Flows[0].FCTUS, own.Flows[0].FCTUS
	for _, f := range own.Flows {
		first, last = min(first, f.FCTUS), max(last, f.FCTUS)
	}
	// Four messages of 10 MB share 100 Gb/s: 40,000 packets of 1,048 B take 3,353 us. Rates that are all halved at
	// once and grow evenly are three quarters of what the port carries in the mean, and more where a queue is left.
	if last > 3353/0.75 || first < 0.8*last {
		t.Errorf("messages end between %v and %v us, 3,353 us would be all of the port", first, last)
	}
	if own.PFCPauses > lineRate.PFCPauses/2 || own.Drops > 0 || own.ECNMarks == 0 {
		t.Errorf("%d pauses, %d without control, %d drops, %d marks", own.PFCPauses, lineRate.PFCPauses, own.Drops, own.ECNMarks)
	}
}
