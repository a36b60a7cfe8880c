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
	chips := []string{"jericho2", "jericho2c+", "trident3", "trident4", "tomahawk3", "spectrum-4"}
	for word, want := range map[string]string{
		"tridnet3": "trident3", "Trident-4": "trident4", "trident4c": "", "jericho2c": "", "jericho2c-plus": "", "tomahawk33": "",
		"tomahak3": "tomahawk3", "spectrum4": "spectrum-4", "tofino2": "", "trident": "",
	} {
		if got := diag.NearestModel(word, chips); got != want {
			t.Errorf("NearestModel(%q) = %q, want %q", word, got, want)
		}
	}
	words := []string{"mtu", "expected_delay", "tolerable_delay", "fiber", "sonic"}
	for word, want := range map[string]string{"mtuu": "mtu", "fibre": "fiber", "expected_dealy": "expected_delay", "SONIC": "sonic", "xyz": "", "q": "", "expected_latency": ""} {
		if got := diag.Nearest(word, words); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
	if got := diag.Nearest("ab", []string{"ac", "aa"}); got != "aa" {
		t.Errorf("Nearest among equals = %q, want the first in the alphabet", got)
	}
}
