package policy

import (
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
)

// renamed returns the repair of a name that does not exist. A few candidates are listed in full
// where none is near.
func renamed(word string, candidates []string, otherwise string) diag.Repair {
	if len(candidates) > 0 && len(candidates) <= 12 {
		otherwise = "choose " + enumerate(slices.Sorted(slices.Values(candidates)))
	}
	return diag.Rename(word, candidates, otherwise)
}

// enumerate joins words as a sentence does: a, b or c.
func enumerate(words []string) string {
	switch n := len(words); n {
	case 0:
		return "nothing"
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
}
