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
