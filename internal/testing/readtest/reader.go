package readtest

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/read"
)

// HoldReader compares what a reader makes of texts with the golden files of its package.
//
// testdata/edits.txt has each line, and each word of it, of the file everything, which has every
// statement: what it gives, where, and what is found where it is another one; undone, if not
// nil, are the ways to take a line back. testdata/told.txt has what is made of texts that
// say things in other ways than that file.
func HoldReader(t *testing.T, format read.Format, everything string, undone func(line string) []string) {
	t.Helper()
	t.Run("edits", func(t *testing.T) {
		holdEdits(t, "testdata/edits.txt", format, "testdata/"+everything, undone)
	})
	t.Run("carriage returns", func(t *testing.T) { holdReturns(t, format, "testdata/"+everything) })
	t.Run("told", func(t *testing.T) { holdTold(t, "testdata/told.txt", format) })
}

// holdReturns compares a file with the same whose lines end as on Windows: it says as much. Each
// neutral statement has a rule that the format lists.
func holdReturns(t *testing.T, format read.Format, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := format.Read("x", text, read.Options{})
	got := format.Read("x", []byte(strings.ReplaceAll(string(text), "\n", "\r\n")), read.Options{})
	if !Same(want.Switch, got.Switch) || !slices.Equal(messages(want.Found), messages(got.Found)) || !slices.Equal(unmodelled(want), unmodelled(got)) {
		t.Errorf("with a carriage return behind each line it is another switch: %v", got.Found)
	}
	for _, s := range want.Ledger.Statements {
		if s.Sort == read.Neutral && !slices.ContainsFunc(format.Neutral, func(r read.NeutralRule) bool { return r.ID == s.Rule }) {
			t.Errorf("%s is neutral by %q, which is no rule of the format", s.Text, s.Rule)
		}
	}
}
