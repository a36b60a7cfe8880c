package lint

import (
	"maps"
	"testing"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Pools are paired by name, and those without a namesake with the only one left of their side, size and
// share: one that has a namesake is not left, and neither is one of the other side.
func TestPoolsArePaired(t *testing.T) {
	of := func(name string, side plan.Direction, size units.Bytes, percent int64) plan.Pool {
		return plan.Pool{Name: name, Direction: side, Size: plan.Of(size, nil), Percent: percent}
	}
	in, out := plan.Ingress, plan.Egress
	for name, c := range map[string]struct {
		got, want []plan.Pool
		pairs     map[string]string
	}{
		"of one name":                {[]plan.Pool{of("a", out, 7, 0)}, []plan.Pool{of("a", in, 9, 0)}, map[string]string{"a": "a"}},
		"the only one left":          {[]plan.Pool{of("a", in, 9, 0), of("c", in, 9, 0)}, []plan.Pool{of("a", in, 9, 0), of("b", in, 9, 0)}, map[string]string{"a": "a", "b": "c"}},
		"two are left":               {[]plan.Pool{of("c", in, 9, 0), of("d", in, 9, 0)}, []plan.Pool{of("b", in, 9, 0)}, map[string]string{}},
		"one of the other side":      {[]plan.Pool{of("c", out, 9, 0)}, []plan.Pool{of("b", in, 9, 0)}, map[string]string{}},
		"and one of its side":        {[]plan.Pool{of("c", out, 9, 0), of("d", in, 9, 0)}, []plan.Pool{of("b", in, 9, 0)}, map[string]string{"b": "d"}},
		"of another size":            {[]plan.Pool{of("c", in, 8, 0)}, []plan.Pool{of("b", in, 9, 0)}, map[string]string{}},
		"of another share":           {[]plan.Pool{of("c", in, 0, 40), of("d", in, 0, 60)}, []plan.Pool{of("b", in, 0, 60)}, map[string]string{"b": "d"}},
		"a namesake of another size": {[]plan.Pool{of("a", in, 8, 0), of("b", in, 9, 0)}, []plan.Pool{of("a", in, 9, 0)}, map[string]string{"a": "a"}},
	} {
		if got := samePools(&plan.Switch{Pools: c.got}, &plan.Switch{Pools: c.want}); !maps.Equal(got, c.pairs) {
			t.Errorf("%s: %v, want %v", name, got, c.pairs)
		}
	}
}

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
