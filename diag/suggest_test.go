package diag_test

import (
	"testing"

	"github.com/roceplan/roceplan/diag"
)

func TestNearest(t *testing.T) {
	candidates := []string{"cell_size", "slices", "queues", "xon_offset"}
	for word, want := range map[string]string{
		"cell_sise": "cell_size", "Slice": "slices", "queue": "queues", "buffer": "", "": "", "xon_ofset": "xon_offset",
	} {
		if got := diag.Nearest(word, candidates); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
	products := []string{"jericho2", "jericho2c+", "connectx-7"}
	for word, want := range map[string]string{"jericho3": "", "jerico2": "jericho2", "connectx-8": "", "conectx-7": "connectx-7", "jericho": ""} {
		if got := diag.Nearest(word, products); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
	if got := diag.Nearest("ab", []string{"ac", "aa"}); got != "aa" {
		t.Errorf("Nearest among equals = %q, want the first in the alphabet", got)
	}
}
