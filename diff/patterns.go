package diff

import (
	"regexp"
	"strings"
)

// Patterns writes names as the patterns of fabric files, in the order of the names: Ethernet[1..32]/[1,5].
func Patterns(names []string) []string { return crossed(strings.Fields(Fold(names))) }

// patternEnd takes a pattern apart at its last range.
var patternEnd = regexp.MustCompile(`^(.*)(\[[^\]]*\])([^\]]*)$`)

// lastNumber matches the last number of a text.
var lastNumber = regexp.MustCompile(`^(.*?)([0-9]+)([^0-9]*)$`)

// crossed joins patterns with one range in common and one number apart:
// Ethernet1/[1,5] and Ethernet2/[1,5] are Ethernet[1..2]/[1,5].
func crossed(patterns []string) (all []string) {
	for len(patterns) > 0 {
		n := 1
		m := patternEnd.FindStringSubmatch(patterns[0])
		if m != nil && lastNumber.MatchString(m[1]) {
			var heads []string
			for n = 0; n < len(patterns); n++ {
				next := patternEnd.FindStringSubmatch(patterns[n])
				if next == nil || next[2] != m[2] || next[3] != m[3] {
					break
				}
				heads = append(heads, next[1])
			}
			if folded := strings.Fields(Fold(heads)); len(folded) == 1 && len(heads) > 1 {
				all = append(all, folded[0]+m[2]+m[3])
				patterns = patterns[n:]
				continue
			}
			n = 1
		}
		all = append(all, patterns[:n]...)
		patterns = patterns[n:]
	}
	return all
}
