package outdir

import (
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"pgregory.net/rapid"
)

// A difference leads from one text to the other, as lines and as a unified diff, and no shorter one does: the
// fewest lines that come and go are all that are not in the longest common part.
func TestLineEdits(t *testing.T) {
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "{\n", "}\n"}), 0, 12).Draw(t, "lines"), "") + rapid.SampledFrom([]string{"", "a", "x"}).Draw(t, "end")
	})
	rapid.Check(t, func(t *rapid.T) {
		was, is := text.Draw(t, "was"), text.Draw(t, "is")
		edits := lineEdits(was, is)
		if got, err := udiff.Apply(was, edits); err != nil || got != is {
			t.Fatalf("%q becomes %q, not %q: %v", was, got, is, err)
		}
		a, b := linesOf(was), linesOf(is)
		if want := len(a) + len(b) - 2*common(a, b); len(edits) != want {
			t.Fatalf("from %q to %q %d lines come or go, want %d", was, is, len(edits), want)
		}
	})
}

// common is how long the longest common part of two texts is, by its definition.
func common(a, b []string) int {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	if a[0] == b[0] {
		return 1 + common(a[1:], b[1:])
	}
	return max(common(a[1:], b), common(a, b[1:]))
}

// Of a file of 20,000 lines with 172 others, 172 come and 172 go.
func TestManyLineEdits(t *testing.T) {
	var was, is strings.Builder
	for i := range 20_000 {
		line := strings.Repeat("x", i%7) + "\n"
		was.WriteString(line)
		if i%116 == 58 && i < 172*116 {
			line = "other\n"
		}
		is.WriteString(line)
	}
	if edits := lineEdits(was.String(), is.String()); len(edits) != 2*172 {
		t.Errorf("%d lines come or go, want %d", len(edits), 2*172)
	}
}
