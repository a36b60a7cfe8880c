package eos_test

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read/eos"
)

// What is read of each line of a file with every statement, of changes to it, and of texts that say things in
// other ways.
func TestReader(t *testing.T) {
	readtest.HoldReader(t, eos.Format(), "everything.cfg", func(line string) []string {
		at := len(line) - len(strings.TrimLeft(line, " "))
		if rest, ok := strings.CutPrefix(line[at:], "no "); ok {
			return []string{line[:at] + rest}
		}
		return []string{line[:at] + "no " + line[at:], line[:at] + "default " + line[at:]}
	})
}

// What each line of a compiled example and of a file with every statement, and each number in
// them, means to the reader.
func TestWhatLinesMean(t *testing.T) {
	readtest.HoldFiles(t, "../../golden/ledger/meaning-eos.txt", eos.Format(), "../../golden/tomahawk-eos-pod/leaf-1/eos.cfg", "testdata/everything.cfg")
}
