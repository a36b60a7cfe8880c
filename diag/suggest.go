package diag

import (
	"slices"
	"strings"
	"unicode"

	"github.com/agext/levenshtein"

	"github.com/roceplan/roceplan/internal/stable"
)

// Nearest returns the candidate that the author of a word most likely meant, or "" when
// none is near: one letter in five may be wrong, at least two and at most three, and one of
// a word of three; case does not count. Where none is near, it is the one candidate that is a
// part of the word: pfc of pfc_priority. Digits have to agree: jericho3 is another product than
// jericho2, not a slip. Among equals the first in the alphabet wins, so that the answer does
// not depend on order.
func Nearest(word string, candidates []string) string {
	if near := nearest(word, candidates, digits); near != "" {
		return near
	}
	parts := strings.FieldsFunc(strings.ToLower(word), func(r rune) bool { return r == '_' || r == '-' })
	held := stable.Delete(slices.Clone(candidates), func(c string) bool { return len(c) < 3 || !slices.Contains(parts, c) })
	if len(held) != 1 {
		return ""
	}
	return held[0]
}

// NearestModel is [Nearest] for names of products, whose letters after the first digit distinguish
// models as digits do: trident4c is none of trident4. Where none is near, it is the longest that
// the word ends with: tomahawk5 of "broadcom-tomahawk5".
func NearestModel(word string, candidates []string) string {
	best := nearest(word, candidates, model)
	if best != "" {
		return best
	}
	for _, c := range candidates {
		before, ends := strings.CutSuffix(strings.ToLower(word), strings.ToLower(c))
		if ends && len(c) > len(best) && strings.TrimRight(before, " -_") != before {
			best = c
		}
	}
	return best
}

// NearestSlip returns the candidate that differs from a word by one letter, digit or sign.
func NearestSlip(word string, candidates []string) string {
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		if levenshtein.Distance(word, c, nil) == 1 {
			return c
		}
	}
	return ""
}

// A Repair is the change to make: see [Diagnostic.Fix] and [Diagnostic.Meant].
type Repair struct{ Fix, Meant string }

// Rename returns the repair of a name that does not exist: the candidate that was most likely
// meant, or what otherwise says where none is near.
func Rename(word string, candidates []string, otherwise string) Repair {
	return rename(Nearest(word, candidates), otherwise)
}

// RenameModel is [Rename] for names of products.
func RenameModel(word string, candidates []string, otherwise string) Repair {
	return rename(NearestModel(word, candidates), otherwise)
}

func rename(meant, otherwise string) Repair {
	if meant == "" {
		return Repair{Fix: otherwise}
	}
	return Repair{"did you mean " + meant + "?", meant}
}

// nearest considers candidates that agree with the word in what must not be a slip.
func nearest(word string, candidates []string, fixed func(string) string) string {
	if len(word) > 100 {
		return "" // too long for a spelling mistake
	}
	limit := min(max(2, len(word)/5), 3) // two letters exchanged are two edits
	if len(word) < 4 {
		limit = 1
	}
	sorted := func(word string) string { return string(slices.Sorted(slices.Values([]byte(strings.ToLower(word))))) }
	best, bestAt := "", limit+1
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		if fixed(c) != fixed(word) || len(word) < 5 && len(c) < 5 && !strings.EqualFold(c[:min(1, len(c))], word[:min(1, len(word))]) && sorted(c) != sorted(word) {
			continue // eos is not meant by nxos
		}
		if at := levenshtein.Distance(strings.ToLower(word), strings.ToLower(c), nil); at < bestAt {
			best, bestAt = c, at
		}
	}
	return best
}

// digits returns the digits of a name in their order.
func digits(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, name)
}

// model returns a name from its first digit on, in small letters and without signs.
func model(name string) string {
	at := strings.IndexFunc(name, unicode.IsDigit)
	if at < 0 {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) || unicode.IsLetter(r) || r == '+' {
			return unicode.ToLower(r)
		}
		return -1
	}, name[at:])
}
