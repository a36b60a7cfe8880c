package outdir

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/roceplan/roceplan/internal/stable"
)

// mostEdits is the largest number of changed lines for which the shortest edit is searched: time and
// memory grow by its square. Texts that differ by more are compared as the library does, which
// replaces long stretches as a whole.
const mostEdits = 3000

// lineEdits returns the fewest lines that have to come and go: E. W. Myers, An O(ND) Difference
// Algorithm and Its Variations, Algorithmica 1 (1986), figure 2.
func lineEdits(was, is string) []udiff.Edit {
	a, b := linesOf(was), linesOf(is)
	skip := 0
	for skip < min(len(a), len(b)) && a[skip] == b[skip] {
		skip++
	}
	rest := 0
	for rest < min(len(a), len(b))-skip && a[len(a)-1-rest] == b[len(b)-1-rest] {
		rest++
	}
	start := len(strings.Join(a[:skip], ""))
	a, b = a[skip:len(a)-rest], b[skip:len(b)-rest]
	trace, ok := furthest(a, b)
	if !ok {
		return udiff.Lines(was, is)
	}
	return editsOf(trace, a, b, start)
}

// linesOf returns the lines of a text with their ends.
func linesOf(text string) []string {
	return stable.Delete(strings.SplitAfter(text, "\n"), func(line string) bool { return line == "" })
}

// furthest has for each number of edits d how far into a one gets on each diagonal -d to d, until both
// texts are at their end.
func furthest(a, b []string) (trace [][]int32, ok bool) {
	most := min(len(a)+len(b), mostEdits)
	v := make([]int32, 2*most+3)
	for d := 0; d <= most; d++ {
		for k := -d; k <= d; k += 2 {
			x := step(v, most+1, d, k)
			for int(x) < len(a) && int(x)-k < len(b) && a[x] == b[int(x)-k] {
				x++
			}
			v[most+1+k] = x
			if int(x) >= len(a) && int(x)-k >= len(b) {
				return append(trace, slices.Clone(v[most+1-d:most+2+d])), true
			}
		}
		trace = append(trace, slices.Clone(v[most+1-d:most+2+d]))
	}
	return nil, false
}

// step returns the column at which diagonal k begins after d edits: below the diagonal above, or right of the one
// below.
func step(v []int32, middle, d, k int) int32 {
	switch {
	case d == 0:
		return 0
	case k == -d || k != d && v[middle+k-1] < v[middle+k+1]:
		return v[middle+k+1]
	}
	return v[middle+k-1] + 1
}

// editsOf goes the way back from the end of both texts.
func editsOf(trace [][]int32, a, b []string, start int) (edits []udiff.Edit) {
	at := make([]int, len(a)+1) // where the lines of a begin
	for i, line := range a {
		at[i+1] = at[i] + len(line)
	}
	x, y := len(a), len(b)
	for d := len(trace) - 1; d > 0; d-- {
		before, k := trace[d-1], x-y
		down := k == -d || k != d && before[d-1+k-1] < before[d-1+k+1]
		if down {
			k++
		} else {
			k--
		}
		x = int(before[d-1+k])
		y = x - k
		if down {
			edits = append(edits, udiff.Edit{Start: start + at[x], End: start + at[x], New: b[y]})
		} else {
			edits = append(edits, udiff.Edit{Start: start + at[x], End: start + at[x+1]})
		}
	}
	slices.Reverse(edits)
	return edits
}
