package system

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/plan"
)

// An intent needs attributes. Where the attribute is a word, it needs that word.
type intent struct {
	emit.Intent
	word  string
	needs []format.Attribute
}

func need(of emit.Intent, attributes ...format.Attribute) intent { return intent{of, "", attributes} }

func word(of emit.Intent, attribute format.Attribute, word string) intent {
	return intent{of, word, []format.Attribute{attribute}}
}

// intents lists the needs of each intent, in the order of [emit.Intents].
func intents() []intent {
	return []intent{
		need(emit.DSCPMap, format.DSCPClass), need(emit.Remapping, format.Remapping), need(emit.EdgeMarking, format.Marking), need(emit.Rewriting, format.Rewriting),
		need(emit.FreeNumbers, format.ClassGroup, format.PriorityGroup, format.PriorityQueue), need(emit.PFC, format.Pause),
		need(emit.Headroom, format.Headroom), need(emit.PortHeadroom, format.Headroom), need(emit.HeadroomPool, format.PoolHeadroom),
		need(emit.XOnLevel, format.ResumeLevel), need(emit.XOnOffset, format.ResumeDistance), need(emit.PGReserve, format.GroupReserve),
		need(emit.PGAlpha, format.GroupThreshold), need(emit.PGStatic, format.GroupLimit), need(emit.PortAlpha, format.GroupThreshold),
		need(emit.PoolSize, format.PoolSize), need(emit.PortBound, format.PortBound), need(emit.Calculator, format.BufferModel),
		need(emit.QueueMap, format.ClassQueue), need(emit.QueueReserve, format.QueueReserve), need(emit.QueueAlpha, format.QueueThreshold),
		need(emit.QueueStatic, format.QueueLimit), need(emit.Strict, format.Strict), need(emit.Weights, format.Weight), need(emit.Shaper, format.RateCap),
		need(emit.ECN, format.KMin, format.KMax, format.PMax), word(emit.Watchdog, format.WatchdogAction, string(plan.WatchdogDrop)),
		word(emit.WatchdogPass, format.WatchdogAction, string(plan.WatchdogForward)), word(emit.WatchdogAlert, format.WatchdogAction, string(plan.WatchdogAlert)),
		need(emit.Trimming, format.TrimSize), need(emit.MTU, format.FrameSize), word(emit.Flowlets, format.LoadBalancing, "flowlet"),
		word(emit.Adaptive, format.LoadBalancing, "adaptive"), word(emit.Spray, format.LoadBalancing, "spray"),
	}
}

// capabilities declares for every intent whether the rows of a system carry it.
func capabilities(s format.System) (all []emit.Capability) {
	for _, i := range intents() {
		can := emit.Capability{Intent: i.Intent, Support: emit.Yes, Evidence: s.Source}
		for _, attribute := range i.needs {
			at := slices.IndexFunc(s.Rows, func(r format.Row) bool { return r.Says == attribute })
			if at < 0 {
				can = emit.Capability{Intent: i.Intent, Support: emit.No, Evidence: s.Source, Codes: []diag.Code{code(s, "lost")}}
				break
			}
			row := &s.Rows[at]
			if row.Source != "" {
				can.Evidence = row.Source
			}
			if _, ok := wordFor(row, i.word); i.word != "" && !ok {
				can.Support, can.Codes = emit.No, []diag.Code{code(s, "lost")}
			} else if row.Part != "" && i.Intent != emit.PortAlpha && i.Intent != emit.PortHeadroom { // these ask whether ports may differ
				lost := "range"
				if row.Clamps || row.Unit.Is > 1 {
					lost = "rounded"
				}
				can.Support, can.Note, can.Codes = emit.Part, row.Part, []diag.Code{code(s, lost)}
			}
		}
		all = append(all, can)
	}
	return all
}
