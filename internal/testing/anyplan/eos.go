package anyplan

import (
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/plan"
)

// EOS draws a switch of Arista EOS, on chips with and without numbers for their buffer.
func EOS(t *rapid.T) *plan.Switch {
	chip := rapid.SampledFrom([]string{"tomahawk5", "tomahawk", "trident3", "jericho2"}).Draw(t, "chip")
	mmu := chip != "jericho2"
	w := Want{
		Chip: chip, OS: "eos", OneNumber: true, OneBuffer: rapid.Bool().Draw(t, "one buffer"), StrictAbove: true, Unbounded: mmu, NoBuffer: !mmu, Dynamic: true,
		Actions: []plan.WatchdogAction{plan.WatchdogDrop, plan.WatchdogAlert},
	}
	if mmu {
		w.LoadBalancing = []string{"", "ecmp", "flowlet"}
	}
	return Switch(t, w)
}
