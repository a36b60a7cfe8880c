package adversary_test

import (
	"math/rand/v2"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/tinyswitch"
	"github.com/roceplan/roceplan/model/adversary"
	"github.com/roceplan/roceplan/model/mmu"
)

// A chip may hold thresholds as mantissa and exponent. Attacks that solve for how full groups have to be count without these
// steps, and may miss; what they find is played against the thresholds that the chip holds, so that a loss is one, also where it
// comes of the steps alone: there no state loses a packet while every number of cells can be held.
func TestLossesOfSteppedThresholds(t *testing.T) {
	byStepsAlone := 0
	for seed := range 300 {
		sw := tinyswitch.Draw(rand.New(rand.NewPCG(uint64(seed), 5)), tinyswitch.Kind{Tight: seed%2 == 0, Lossy: seed%3 == 1})
		unstepped, ok := tinyswitch.Visit(sw, 6000, nil)
		for i := range sw.Config.Ports {
			for number := range sw.Config.Ports[i].PGs {
				if limit := &sw.Config.Ports[i].PGs[number].Limit; limit.Dynamic {
					limit.Code = mmu.Code{Bits: uint8(1 + seed%3)}
				}
			}
		}
		result := must.Get(adversary.Search(sw, adversary.Options{Seed: 1}))(t)
		if result.Found == nil {
			continue
		}
		text, err := result.Found.Marshal()
		if err == nil {
			_, err = adversary.Replay(text)
		}
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if ok && len(unstepped.Lost) == 0 {
			byStepsAlone++
		}
	}
	if byStepsAlone == 0 {
		t.Error("no packet is lost by steps")
	}
}
