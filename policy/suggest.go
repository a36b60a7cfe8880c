package policy

import (
	"slices"
	"strings"

	"github.com/agext/levenshtein"

	"github.com/roceplan/roceplan/diag"
)

// nearest returns the candidate that the author most likely meant, or "" when none is
// near: at most a third of the letters may differ, or two, and no digit. Among equals the
// first in the alphabet wins, so that the answer does not depend on the order of the file.
func nearest(word string, candidates []string) string {
	limit := max(2, len(word)/3) // two letters exchanged are two edits
	if len(word) < 4 {
		limit = 1
	}
	best, bestAt := "", limit+1
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		if !diag.SameDigits(word, c) {
			continue // jericho3 is another product than jericho2, rack-17 another than rack-16
		}
		at := levenshtein.Distance(strings.ToLower(word), strings.ToLower(c), nil)
		if at < bestAt {
			best, bestAt = c, at
		}
	}
	return best
}

// nearestOr words the repair of a name that does not exist: the nearest one, else what
// the caller says.
func nearestOr(word string, candidates []string, otherwise string) string {
	if len(word) < 100 {
		if near := nearest(word, candidates); near != "" {
			return "did you mean " + near + "?"
		}
	}
	return otherwise
}

// didYouMean is nearestOr that tells a few candidates in full before it gives up.
func didYouMean(word string, candidates []string, otherwise string) string {
	if len(candidates) > 0 && len(candidates) <= 12 {
		otherwise = "there is " + enumerate(slices.Sorted(slices.Values(candidates)), "and")
	}
	return nearestOr(word, candidates, otherwise)
}

// enumerate joins words as a sentence does: a, b and c.
func enumerate(words []string, last string) string {
	switch n := len(words); n {
	case 0:
		return "nothing"
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " " + last + " " + words[n-1]
	}
}
