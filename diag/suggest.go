package diag

import (
	"slices"
	"strings"
	"unicode"

	"github.com/agext/levenshtein"
)

// Nearest returns the candidate that the author of a word most likely meant, or "" when
// none is near: at most a third of the letters may differ, case does not count. Digits
// have to agree: jericho3 is another product than jericho2, not a slip. Among equals the first in the alphabet wins, so that the answer does not depend on order.
func Nearest(word string, candidates []string) string {
	limit := max(1, len(word)/3)
	best, bestAt := "", limit+1
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		if !SameDigits(c, word) {
			continue
		}
		if at := levenshtein.Distance(strings.ToLower(word), strings.ToLower(c), nil); at < bestAt {
			best, bestAt = c, at
		}
	}
	return best
}

// SameDigits reports whether two names have the same digits: one may be a slip of the
// other. Names that differ in a digit are two products.
func SameDigits(a, b string) bool { return digits(a) == digits(b) }

// digits are the digits of a name in their order.
func digits(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, name)
}
