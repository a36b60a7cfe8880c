package scenario

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/units"
)

// narrow is the pod with two links of 100 Gb/s above the 16 hosts of each leaf, instead of 16.
func narrow(t *testing.T, control string) []pattern.Job {
	t.Helper()
	catalogue, _ := chips.Load()
	text := strings.NewReplacer("%s", control, "[64..124/4]", "[64..68/4]", "[0..124/4]", "[0..12/4]", "links_per_pair = 8", "links_per_pair = 1").Replace(pod)
	f, p := plantest.Text(t, catalogue, text)
	list := slices.DeleteFunc(Traces(nil).All(f), func(s pattern.Scenario) bool {
		return !slices.Contains([]string{"incast-4-to-2", "opposite", "permutation", "all-to-all"}, s.Name)
	})
	return jobs(t, p, whole, list, 500*units.Microsecond)
}

// Messages that fill ports are judged by throughput, however many receivers there are and
// whatever links lie between: by what these carry. Without congestion control PFC keeps a full
// link full. Where all hosts send over the two links of their leaf, nearly all of it is carried until
// the first one is done; where a hash leaves less of them, no run carries more.
func TestSeveralReceiversAreJudged(t *testing.T) {
	for _, o := range run(t, narrow(t, "none")) {
		if !o.Judged || o.Throughput <= 0.7 || o.Throughput > 1 {
			t.Errorf("%s: judged %v, throughput %.3f", o.Pattern, o.Judged, o.Throughput)
		}
		if s := o.Steady; o.Pattern == "opposite" && (!s.Settled || s.Throughput < 0.9 || s.Throughput > 1) {
			t.Errorf("%s: %+v", o.Pattern, s)
		}
		k := slices.IndexFunc(o.Bounds, func(b pattern.Bound) bool { return b.Kind == pattern.ECMPCollisions })
		if (o.Pattern == "permutation") != (k >= 0 && o.Throughput > 0.95*o.Bounds[k].Value) && o.Pattern != "all-to-all" {
			t.Errorf("%s: %.3f of what the links carry: %+v", o.Pattern, o.Throughput, o.Bounds)
		}
		if k >= 0 && o.Throughput > o.Bounds[k].Value {
			t.Errorf("%s: %.3f is above %+v", o.Pattern, o.Throughput, o.Bounds[k])
		}
	}
}
