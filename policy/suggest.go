package policy

import (
	"slices"
	"strings"

	"github.com/agext/levenshtein"
)

// nearest returns the candidate that the author most likely meant, or "" when none is
// near: at most a third of the letters may differ. Among equals the first in the
// alphabet wins, so that the answer does not depend on the order of the file.
func nearest(word string, candidates []string) string {
	limit := max(1, len(word)/3)
	best, bestAt := "", limit+1
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		at := levenshtein.Distance(strings.ToLower(word), strings.ToLower(c), nil)
		if at < bestAt {
			best, bestAt = c, at
		}
	}
	return best
}

// didYouMean words the repair of a name that does not exist: the nearest one, else
// all that there are, else the given last resort.
func didYouMean(word string, candidates []string, otherwise string) string {
	if len(word) < 100 {
		if near := nearest(word, candidates); near != "" {
			return "did you mean " + near + "?"
		}
	}
	if len(candidates) > 0 && len(candidates) <= 24 {
		return "there is " + enumerate(slices.Sorted(slices.Values(candidates)), "and")
	}
	return otherwise
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
