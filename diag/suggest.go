package diag

import (
	"slices"
	"strings"

	"github.com/agext/levenshtein"
)

// Nearest returns the candidate that the author of a word most likely meant, or "" when
// none is near: at most a third of the letters may differ, case does not count. Among
// equals the first in the alphabet wins, so that the answer does not depend on order.
func Nearest(word string, candidates []string) string {
	limit := max(1, len(word)/3)
	best, bestAt := "", limit+1
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		if at := levenshtein.Distance(strings.ToLower(word), strings.ToLower(c), nil); at < bestAt {
			best, bestAt = c, at
		}
	}
	return best
}
