package adopt

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/natural"
)

var (
	identifier = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)
	numbered   = regexp.MustCompile(`^(switch-priority|queue|tc|traffic-class|UC|COS)[-_]?[0-9]+$`)
)

// isName reports whether a word can be referred to in an expression.
func isName(name string) bool { return identifier.MatchString(name) && len(name) <= 64 }

// isNumbered reports whether a name says nothing but a number.
func isNumbered(name string) bool { return numbered.MatchString(name) }

// fold writes names as patterns with ranges: those that differ in one number are one.
func fold(names []string) []string {
	sorted := slices.Clone(names)
	slices.SortFunc(sorted, natural.Compare)
	return diff.Patterns(sorted)
}

// stem is a pattern up to its first range, without what separates the two, as the language
// cuts it for references.
func stem(pattern string) string {
	s, _, _ := strings.Cut(pattern, "[")
	return strings.TrimRight(s, "-_.")
}

// setLabel gives a block its label, and names where the label is none.
func (b *block) setLabel(taken map[string]bool) {
	patterns := fold(b.shape.Names)
	b.label = patterns[0]
	if len(patterns) > 1 {
		b.names = patterns
		b.label = cmp.Or(b.role, "switches")
		if common := commonStem(b.shape.Names); isName(common) {
			b.label = common
		}
	}
	for base, n := b.label, 2; taken[b.ref()] || taken[b.label]; n++ {
		if len(b.names) == 0 {
			b.names = patterns
		}
		b.label = fmt.Sprintf("%s-%d", strings.TrimRight(stem(base), "-"), n)
	}
	taken[b.label], taken[b.ref()] = true, true
}

// ref returns the reference of other blocks to this one.
func (b *block) ref() string { return stem(b.label) }

// commonStem returns the common beginning of names, up to their first digit.
func commonStem(names []string) string {
	stem := strings.TrimRight(strings.TrimRight(names[0], "0123456789"), "-_.")
	for _, name := range names {
		for !strings.HasPrefix(name, stem) {
			stem = stem[:len(stem)-1]
		}
	}
	return strings.TrimRight(stem, "-_.0123456789")
}
