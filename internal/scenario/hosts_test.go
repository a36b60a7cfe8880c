package scenario

import (
	"testing"

	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/units"
)

// Whatever the hosts of a compiled fabric run, nothing is lost and every message arrives.
func TestWhateverHostsRun(t *testing.T) {
	for _, hosts := range []string{
		"dcqcn", "timely", "hpcc", "dctcp", "swift", "rttcc", "none",
		"dcqcn\"\n  transport = \"dc", "swift\"\n  transport = \"dc",
	} {
		f, p := compiled(t, hosts, "")
		var list []pattern.Scenario
		for _, s := range Traces(nil).All(f) {
			if s.Name == "incast-8" || s.Name == "permutation" || s.Name == "ring-all-reduce-1mb" || s.Name == "hadoop-50" {
				list = append(list, s)
			}
		}
		if len(list) != 4 {
			t.Fatalf("%d scenarios found", len(list))
		}
		for _, o := range run(t, jobs(t, p, whole, list, 100*units.Microsecond)) {
			if o.Skipped != "" || o.Drops != 0 || o.Unfinished != 0 || o.Flows == 0 {
				t.Errorf("%s, %s: skipped %q, %d drops, %d of %d messages unfinished", hosts, o.Pattern, o.Skipped, o.Drops, o.Unfinished, o.Flows)
			}
		}
	}
}
