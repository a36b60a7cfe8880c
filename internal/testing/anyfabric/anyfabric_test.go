package anyfabric_test

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/anyfabric"
)

// Each fabric compiles, is drawn again alike, and together they have every speed from 25 to 800 Gb/s.
func TestDraw(t *testing.T) {
	catalogue, _ := chips.Load()
	all := ""
	for seed := uint64(1); seed <= 60; seed++ {
		f := anyfabric.Draw(seed)
		if f != anyfabric.Draw(seed) {
			t.Errorf("seed %d gives another fabric the second time", seed)
		}
		all += f.About + "\n"
		loaded := roceplan.Load(roceplan.Input{Catalogue: catalogue, Files: []roceplan.Source{{Name: "drawn.hcl", Text: []byte(f.Text)}}})
		if _, found := loaded.Plan(); found.HasErrors() {
			t.Errorf("seed %d, %s: %v", seed, f.About, found)
		}
	}
	for _, want := range []string{" 25G ", " 50G ", " 100G ", " 200G ", " 400G ", " 800G ", "trident3", "tomahawk5", "spectrum4", "teralynx10", "eos", "sonic", "connectx-7", "e810", "thor", "1:1", "4:1", "300m"} {
		text := strings.ReplaceAll(strings.ReplaceAll(all, "G a", "G  a"), "at ", "at  ")
		if !strings.Contains(text, want) {
			t.Errorf("no fabric has %s:\n%s", want, all)
		}
	}
}
