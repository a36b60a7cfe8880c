package adversary

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/tinyswitch"
	"github.com/roceplan/roceplan/model/mmu"
)

// A search of a tiny switch finds what is lost in some of all its states, and nothing else. What it finds is lost again
// when it is replayed, and no more when any one event or packet of it is left out.
func TestSearchOfEveryState(t *testing.T) {
	seeds := []int{3255} // a packet could be done without only after another one
	for seed := range 300 {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		sw := tinyswitch.Draw(rand.New(rand.NewPCG(uint64(seed), 5)), tinyswitch.Kind{Lossy: seed%3 == 1, Xon: seed%4 == 2, Bounds: seed%5 == 3, Slices: seed%11 == 5, Tight: seed%2 == 0})
		w, ok := tinyswitch.Visit(sw, 6000, nil)
		if !ok {
			continue
		}
		result, err := Search(sw, Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if result.Found == nil {
			if len(w.Lost) > 0 {
				t.Errorf("seed %d: lost for %v, not found in %v", seed, w.Lost, result)
			}
			continue
		}
		why := result.Found.Loss.Why
		if why == "memory exhausted" {
			why = tinyswitch.Memory
		}
		if !w.Lost[why] {
			t.Errorf("seed %d: %v by %s, and packets are lost for %v", seed, result, result.Found.Attack, w.Lost)
		}
		slack := int64(0)
		if l := result.Found.Loss; sw.Config.Rules.Admission == mmu.BelowWithCell && strings.HasPrefix(l.Why, "egress") {
			slack = 1 // a cell below a limit has to stay free
		}
		if l := result.Found.Loss; l.Value+l.Cells+slack <= l.Limit || l.Cells != 1 || l.Bytes != 64 {
			t.Errorf("seed %d: it would find its place: %v", seed, l)
		}
		text, _ := result.Found.Marshal()
		if again, err := Replay(text); err != nil || *again.Loss != *result.Found.Loss {
			t.Errorf("seed %d: %v", seed, err)
		}
		empty, _ := newGame(sw)
		loses := func(events []Event) bool {
			played, err := empty.fresh().play(events)
			return err == nil && played.loss != nil
		}
		for i, e := range result.Found.Events[:len(result.Found.Events)-1] {
			if fewer := slices.Delete(slices.Clone(result.Found.Events), i, i+1); loses(fewer) {
				t.Errorf("seed %d: without event %d of %d it is lost too: %+v", seed, i, len(result.Found.Events), result.Found.Events)
			}
			if fewer := slices.Clone(result.Found.Events); e.Count > 1 {
				if fewer[i].Count--; loses(fewer) {
					t.Errorf("seed %d: without a packet of event %d it is lost too: %+v", seed, i, result.Found.Events)
				}
			}
		}
	}
}
