package scenario

import (
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/model/sim/workload"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// Workload is a scenario that runs a trace once, judged by the fabric's targets.
func Workload(f *policy.Fabric, w *workload.Workload) pattern.Scenario {
	s := scenario(&policy.Scenario{Name: w.Name}, &f.Targets)
	s.Doc, s.Asked, s.Seeds, s.Time = "the operations of a trace", true, 1, 2*units.Millisecond
	s.Traffic = []pattern.Traffic{{Kind: "trace", QueuePairs: 1, Copies: 1, Workload: w}}
	return s
}
