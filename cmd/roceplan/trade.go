package main

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/internal/completion"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// A tradeSummary says what curves and constants were chosen for, and what that costs.
type tradeSummary struct {
	Purpose completion.Purpose `json:"purpose"`
	Given   bool               `json:"given"` // by the author; else it is the default
	// Others describes the gains and losses with the settings for other purposes, over so many simulated fabrics.
	Others  string `json:"others"`
	Fabrics int    `json:"fabrics"`
	// Bound says what a stated latency goal costs; empty: nothing.
	Bound string `json:"bound,omitempty"`
}

// tradeOf is nil where no class runs DCQCN: no curve is derived then.
func tradeOf(f *policy.Fabric, p *plan.Plan) *tradeSummary {
	if !slices.ContainsFunc(f.Classes, func(c *policy.Class) bool { return c.CongestionControl.Value == "dcqcn" }) {
		return nil
	}
	tunable := !slices.ContainsFunc(p.Hosts, func(h *plan.Host) bool { return !h.Tunable })
	purpose, trade := completion.Purpose(f.Purpose.Value), completion.TradeOf(tunable)
	return &tradeSummary{Purpose: purpose, Given: f.Purpose.Set, Others: trade.Others(purpose), Fabrics: trade.Fabrics, Bound: boundOf(f, p)}
}

func (t *tradeSummary) String() string {
	chosen := string(t.Purpose)
	if !t.Given {
		chosen += ", the default"
	}
	text := fmt.Sprintf("marking is chosen for %s: %s (medians of %d simulated fabrics, docs/marking-study.md)", chosen, t.Others, t.Fabrics)
	if t.Bound != "" {
		text += "; " + t.Bound
	}
	return text
}

// boundOf names the derived curve that a stated latency goal holds back most; empty where there is none.
func boundOf(f *policy.Fabric, p *plan.Plan) string {
	if t := f.Targets; !t.MaxLatency.Set && !t.UsualLatency.Set && !f.TolerableDelay.Set {
		return ""
	}
	worst, text := 1.0, ""
	for _, sw := range p.Switches {
		for i := range sw.Ports {
			if sw.Ports[i].QoS == nil {
				continue
			}
			for _, q := range sw.Ports[i].QoS.Queues {
				if q.ECN == nil || q.ECN.KMax.Why == nil || q.ECN.KMax.Why.ID != "curve-end" {
					continue
				}
				free := freeEnd(q.ECN.KMax.Why)
				if ratio := float64(free) / float64(max(1, q.ECN.KMax.Value)); ratio > worst*1.01 {
					worst = ratio
					text = fmt.Sprintf("the latency goal limits Kmax of %s on %s to %v, but the purpose alone gives %v", sw.Ports[i].Group, plan.Abbreviate(sw.Names), q.ECN.KMax.Value, free)
				}
			}
		}
	}
	return text
}

// freeEnd is Kmax by document curve-end with a delay that bounds nothing.
func freeEnd(why *plan.Why) units.Bytes {
	of := map[string]fmt.Stringer{}
	for _, t := range why.Terms {
		of[t.Symbol] = t.Why.Value
	}
	kmin, _ := of["kmin"].(units.Bytes)
	rate, _ := of["rate"].(units.BitRate)
	flow, _ := of["flow"].(units.BitRate)
	width, _ := of["width"].(units.Time)
	parts, _ := of["parts"].(plan.Count)
	step, _ := of["step"].(units.Bytes)
	return calc.CurveEnd(kmin, rate, flow, width, units.Second, int64(parts), step)
}
