package lint

import (
	"fmt"

	"github.com/roceplan/roceplan/plan"
)

// fabricSchedulingDiffers compares priority, weight and cap.
func fabricSchedulingDiffers(c *comparison, port *plan.Port, got, want *plan.Queue) {
	g, w := got.Scheduler, want.Scheduler
	if g.Strict == w.Strict && g.Weight.Value == w.Weight.Value && g.MaxRate.Value == w.MaxRate.Value {
		return
	}
	place := g.Range
	switch {
	case g.Strict != w.Strict:
	case g.Weight.Value != w.Weight.Value:
		place = at(g.Weight, place)
	default:
		place = at(g.MaxRate, place)
	}
	c.errorf(FabricSchedulingDiffers, first(place, at(g.MaxRate, at(g.Weight, got.Range, port.Range))), "queue %d of %s has %s; by the fabric %s", got.ID, port.Name, scheduling(g), scheduling(w)).
		Notef(first(got.Range, port.Range), "where the port gets it")
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
