package readtest

import (
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
	t.Run("told", func(t *testing.T) { holdTold(t, "testdata/told.txt", format) })
}
