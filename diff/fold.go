package diff

import (
	"strconv"
	"strings"
)

// Fold writes names in natural order in the notation of fabric files: tor-[01..16],
// Ethernet[0..124/4], leaf-[1..3,7]. Names that only differ in their last number are joined; others
// are listed.
func Fold(names []string) string {
	var parts []string
	for len(names) > 0 {
		text, n := foldRun(names)
		parts = append(parts, text)
		names = names[n:]
	}
	return strings.Join(parts, " ")
}

// A numbered name is cut at the number that a fold counts.
type numbered struct {
	head, digits, tail string
	value              int
}

// foldRun folds as many names of the front as differ in one number alone.
func foldRun(names []string) (text string, n int) {
	for at := range 2 {
		first, ok := cutNumber(names[0], at)
		if !ok {
			break
		}
		run := []numbered{first}
		for _, name := range names[1:] {
			next, ok := cutNumber(name, at)
			if !ok || next.head != first.head || next.tail != first.tail || next.value <= run[len(run)-1].value || !sameWidth(first, next) {
				break
			}
			run = append(run, next)
		}
		if len(run) > 1 {
			return first.head + "[" + ranges(run) + "]" + first.tail, len(run)
		}
	}
	return names[0], 1
}

// sameWidth reports whether a range from a may hold b: numbers with leading zeros are all
// as wide as the first.
func sameWidth(a, b numbered) bool {
	if a.digits[0] == '0' && len(a.digits) > 1 || b.digits[0] == '0' && len(b.digits) > 1 {
		return len(a.digits) == len(b.digits)
	}
	return true
}

// cutNumber cuts a name at its last number, or at the one before.
func cutNumber(name string, before int) (numbered, bool) {
	end := len(name)
	for {
		for end > 0 && !isDigit(name[end-1]) {
			end--
		}
		start := end
		for start > 0 && isDigit(name[start-1]) {
			start--
		}
		if start == end {
			return numbered{}, false
		}
		if before == 0 {
			value, err := strconv.Atoi(name[start:end])
			return numbered{name[:start], name[start:end], name[end:], value}, err == nil
		}
		before, end = before-1, start
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// ranges writes the numbers of a run: stretches of equal steps, and single ones.
func ranges(run []numbered) string {
	var parts []string
	for len(run) > 0 {
		part, n := stretch(run)
		parts = append(parts, part)
		run = run[n:]
	}
	return strings.Join(parts, ",")
}

// stretch writes the numbers of the front that have one distance. Two of them are a
// stretch only where they follow one another.
func stretch(run []numbered) (text string, n int) {
	if len(run) == 1 {
		return run[0].digits, 1
	}
	step := run[1].value - run[0].value
	for n = 2; n < len(run) && run[n].value-run[n-1].value == step; n++ {
	}
	if n == 2 && step > 1 {
		return run[0].digits, 1
	}
	text = run[0].digits + ".." + run[n-1].digits
	if step > 1 {
		text += "/" + strconv.Itoa(step)
	}
	return text, n
}
