package lint

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/plan"
)

// fabricSchedulingDiffers compares priority, weight and cap; equal says that all weights of
// the port stand in the same ratios.
func fabricSchedulingDiffers(c *comparison, port *plan.Port, got, want *plan.Queue, equal bool) {
	g, w := got.Scheduler, want.Scheduler
	if g.Strict == w.Strict && (equal || g.Weight.Value == w.Weight.Value) && g.MaxRate.Value == w.MaxRate.Value {
		return
	}
	place := g.Range
	switch {
	case g.Strict != w.Strict:
	case g.Weight.Value != w.Weight.Value && !equal:
		place = at(g.Weight, place)
	default:
		place = at(g.MaxRate, place)
	}
	c.errorf(FabricSchedulingDiffers, first(place, at(g.MaxRate, at(g.Weight, got.Range, port.Range))), "queue %d of %s has %s, but in the fabric %s", got.ID, port.Name, scheduling(g), scheduling(w)).
		Notef(first(got.Range, port.Range), "where the port gets it")
}

// equalShares reports whether the same queues share by weight, in the same ratios: 60 to 40
// is 3 to 2.
func equalShares(got, want *plan.PortQoS) bool {
	g, w := weightsOf(got), weightsOf(want)
	first := slices.IndexFunc(w[:], func(weight int64) bool { return weight != 0 })
	for id := range w {
		if first < 0 || g[first] == 0 || (g[id] != 0) != (w[id] != 0) || g[id]*w[first] != w[id]*g[first] {
			return first < 0 && g == w
		}
	}
	return true
}

func weightsOf(qos *plan.PortQoS) (weights [16]int64) {
	for _, q := range qos.Queues {
		weights[q.ID&15] = q.Scheduler.Weight.Value
	}
	return weights
}

func scheduling(s plan.Scheduler) string {
	text := "strict priority"
	if !s.Strict {
		text = fmt.Sprintf("weight %d", s.Weight.Value)
	}
	if s.MaxRate.Value == 0 {
		return text + " and no cap"
	}
	return fmt.Sprintf("%s and a cap of %v", text, s.MaxRate.Value)
}
