package main

import (
	"testing"

	"github.com/roceplan/roceplan/internal/tune"
)

// One seed is no range.
func TestHeldSeeds(t *testing.T) {
	for want, seeds := range map[string]int{"seed 4": 1, "seeds 4 to 5": 2, "seeds 4 to 9": 6} {
		if got := heldSeeds(&tune.HeldOut{First: 4, Seeds: seeds}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
