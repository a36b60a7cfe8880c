package cli

import (
	"strconv"
	"strings"
)

// CodePoint reads a DSCP: a number from 0 to 63, af11 to af43, cs0 to cs7, ef, va or
// default (RFC 2474, 2597, 3246, 5865).
func CodePoint(word string) (uint8, bool) {
	switch {
	case word == "default":
		return 0, true
	case word == "ef":
		return 46, true
	case word == "va":
		return 44, true
	case len(word) == 3 && strings.HasPrefix(word, "cs") && word[2] >= '0' && word[2] <= '7':
		return 8 * (word[2] - '0'), true
	case len(word) == 4 && strings.HasPrefix(word, "af") && word[2] >= '1' && word[2] <= '4' && word[3] >= '1' && word[3] <= '3':
		return 8*(word[2]-'0') + 2*(word[3]-'0'), true
	}
	n, err := strconv.ParseUint(word, 10, 8)
	return uint8(n), err == nil && n <= 63
}
