package nxos_test

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/readtest"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/nxos"
)

// Each line of a file with every statement, and each word of it, in full: what it gives, where, and
// what is found where it is another one.
func TestEdits(t *testing.T) {
	readtest.HoldEdits(t, "testdata/edits.txt", nxos.Format(), read.Options{}, "testdata/everything.cfg", func(line string) []string {
		at := len(line) - len(strings.TrimLeft(line, " "))
		if rest, ok := strings.CutPrefix(line[at:], "no "); ok {
			return []string{line[:at] + rest}
		}
		return []string{line[:at] + "no " + line[at:]}
	})
}

// What is made of texts that say things in other ways than that file.
func TestTold(t *testing.T) {
	readtest.HoldTold(t, "testdata/told.txt", nxos.Format(), read.Options{})
}
