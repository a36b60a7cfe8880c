package policy

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// maxNames bounds what one pattern may expand to.
const maxNames = 65536

// expand gives the names that match a pattern. A range in brackets counts, with the zeros and the
// step that it is written with, and may list parts:
//
//	leaf-[01..32]          leaf-01 … leaf-32
//	Ethernet[0..124/4]     Ethernet0, Ethernet4 … Ethernet124
//	Ethernet[1..32]/[1..4] Ethernet1/1 … Ethernet32/4, the last range fastest
//	rack[1,4,7..9]         rack1, rack4, rack7, rack8, rack9
//	spine-[a..d]           spine-a … spine-d
//	tor-[left,right]       tor-left, tor-right
func expand(pattern string) ([]string, *problem) {
	names := []string{""}
	rest := pattern
	for {
		open := strings.IndexByte(rest, '[')
		if open < 0 {
			if strings.IndexByte(rest, ']') >= 0 {
				return nil, badPattern(pattern, "a ] has no [ before it")
			}
			if rest == pattern && bareRange.MatchString(pattern) {
				return nil, badPattern(pattern, "a range is in brackets")
			}
			return product(pattern, names, []string{rest})
		}
		shut := strings.IndexByte(rest[open:], ']')
		if shut < 0 {
			return nil, badPattern(pattern, "a [ is not closed")
		}
		numbers, p := expandRange(pattern, rest[open+1:open+shut])
		if p != nil {
			return nil, p
		}
		for i, n := range numbers {
			numbers[i] = rest[:open] + n
		}
		if names, p = product(pattern, names, numbers); p != nil {
			return nil, p
		}
		rest = rest[open+shut+1:]
	}
}

// product appends every tail to every head.
func product(pattern string, heads, tails []string) ([]string, *problem) {
	if len(heads)*len(tails) > maxNames {
		return nil, tooMany(pattern, len(heads)*len(tails))
	}
	if len(tails) == 1 && tails[0] == "" {
		return heads, nil
	}
	out := make([]string, 0, len(heads)*len(tails))
	for _, h := range heads {
		for _, t := range tails {
			out = append(out, h+t)
		}
	}
	return out, nil
}

// expandRange gives the numbers of one pair of brackets: parts joined by commas.
func expandRange(pattern, text string) ([]string, *problem) {
	var out []string
	for part := range strings.SplitSeq(text, ",") {
		numbers, p := expandPart(pattern, strings.TrimSpace(part))
		if p != nil {
			return nil, p
		}
		if out = append(out, numbers...); len(out) > maxNames {
			return nil, tooMany(pattern, len(out))
		}
	}
	return out, nil
}

// expandPart expands "7", "01..32", "0..124/4", "left" or "a..d".
func expandPart(pattern, part string) ([]string, *problem) {
	span, stepText, stepped := strings.Cut(part, "/")
	low, high, ranged := strings.Cut(span, "..")
	if !ranged {
		if high = low; !stepped && isWord(part) {
			return []string{part}, nil
		}
	}
	end, letters := decimal, isLetter(low) && isLetter(high) && isUpper(low) == isUpper(high)
	if letters {
		end = func(s string) (int, bool) { return int(s[0]), true }
	}
	from, okFrom := end(low)
	to, okTo := end(high)
	step, okStep := 1, true
	if stepped {
		step, okStep = decimal(stepText)
	}
	switch {
	case !okFrom || !okTo || !okStep:
		return nil, badPattern(pattern, fmt.Sprintf("%q is not a range", clip(part)))
	case step == 0:
		return nil, badPattern(pattern, "a step of 0 never ends")
	case from > to:
		return nil, badPattern(pattern, fmt.Sprintf("%s comes after %s", clip(low), clip(high))).
			fixf("write [%s..%s]", clip(high), clip(low))
	case (to-from)/step+1 > maxNames:
		return nil, tooMany(pattern, (to-from)/step+1)
	}
	width := 0
	if len(low) > 1 && low[0] == '0' {
		width = len(low)
	}
	out := make([]string, 0, (to-from)/step+1)
	for n := from; n <= to; n += step {
		if letters {
			out = append(out, string(rune(n)))
			continue
		}
		digits := strconv.Itoa(n)
		for len(digits) < width {
			digits = "0" + digits
		}
		out = append(out, digits)
	}
	return out, nil
}

func isUpper(letter string) bool { return letter[0] <= 'Z' }

func isLetter(s string) bool { return len(s) == 1 && isWord(s) }

// isWord reports whether a text is letters, and not more than a name has.
func isWord(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return s != "" && len(s) <= 128
}

// decimal reads up to nine digits.
func decimal(s string) (int, bool) {
	if len(s) == 0 || len(s) > 9 {
		return 0, false
	}
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

var bareRange = regexp.MustCompile(`[0-9]\.\.[0-9]`)

func badPattern(pattern, why string) *problem {
	return problemf(BadRange, "%q: %s", clip(pattern), why).fixf(`write ranges like "leaf-[01..32]" or "Ethernet[0..124/4]"`)
}

func tooMany(pattern string, n int) *problem {
	return problemf(RangeTooLarge, "%q stands for %d names or more, at most %d are allowed", clip(pattern), n, maxNames).
		fixf("check the bounds of the range")
}

// stem returns a pattern without its ranges and what separates them: "leaf" of
// "leaf-[01..32]".
func stem(pattern string) string {
	s, _, _ := strings.Cut(pattern, "[")
	return strings.TrimRight(s, "-_.")
}

// safeName reports whether a device may be called so. Devices give names to folders and
// files, so a name must not be a path.
func safeName(name string) *problem {
	if name == "" || len(name) > 128 {
		return problemf(BadName, "a device name must have 1 to 128 characters, and this one has %d", len(name))
	}
	for i, c := range []byte(name) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && (i == 0 || c != '.' && c != '_' && c != '-') {
			return problemf(BadName, "%q is not a device name", clip(name)).
				fixf("begin with a letter or digit and use letters, digits, '.', '_' and '-' only")
		}
	}
	return nil
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
