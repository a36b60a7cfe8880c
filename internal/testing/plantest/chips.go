package plantest

import (
	"testing"

	"github.com/roceplan/roceplan/chips"
)

// Chips returns the names of those chips of a catalogue that a test can use, to draw from. Fewer than
// two of three end the test, since its result must hold for the catalogue.
func Chips(t testing.TB, catalogue *chips.Catalogue, usable func(*chips.Chip) bool) (names []string) {
	t.Helper()
	all := catalogue.Chips()
	for _, chip := range all {
		if usable(chip) {
			names = append(names, chip.Name)
		}
	}
	if 3*len(names) < 2*len(all) {
		t.Fatalf("of %d chips the test can use %d: %v", len(all), len(names), names)
	}
	return names
}
