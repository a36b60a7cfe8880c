package policy

import (
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
)

// nearestOr words the repair of a name that does not exist: the nearest one, else what
// the caller says.
func nearestOr(word string, candidates []string, otherwise string) string {
	if near := diag.Nearest(word, candidates); near != "" {
		return "did you mean " + near + "?"
	}
	return otherwise
}

// modelOr is nearestOr for names of products.
func modelOr(word string, candidates []string, otherwise string) string {
	if near := diag.NearestModel(word, candidates); near != "" {
		return "did you mean " + near + "?"
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
