package lint

import (
	"testing"

	"github.com/roceplan/roceplan/plan"
)

// Shares are equal where the same queues have weights in the same ratios: 60 to 40 is 3 to 2.
func TestEqualShares(t *testing.T) {
	of := func(weights ...int64) *plan.PortQoS {
		qos := &plan.PortQoS{}
		for id, w := range weights {
			qos.Queues = append(qos.Queues, plan.Queue{ID: uint8(id), Scheduler: plan.Scheduler{Weight: plan.Of(w, nil)}})
		}
		return qos
	}
	for _, c := range []struct {
		got, want *plan.PortQoS
		equal     bool
	}{
		{of(60, 40), of(3, 2), true}, {of(1, 2), of(2, 4), true}, {of(1, 1), of(50, 50), true}, {of(60, 40), of(3, 3), false}, {of(0, 5), of(0, 7), true}, {of(5, 0), of(0, 5), false},
		{of(5, 5), of(5, 0), false}, {of(5, 0), of(5, 5), false}, {of(), of(), true}, {of(5), of(), false}, {of(), of(5), false}, {of(0, 1, 2), of(0, 1, 3), false},
	} {
		if got := equalShares(c.got, c.want); got != c.equal {
			t.Errorf("%v and %v: %v", weightsOf(c.got), weightsOf(c.want), got)
		}
	}
}
