package junos_test

import (
	"testing"

	"github.com/roceplan/roceplan/internal/readtest"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/junos"
)

// Each line of a file with every statement, and each word of it, in full: what it gives, where, and
// what is found where it is another one.
func TestEdits(t *testing.T) {
	readtest.HoldEdits(t, "testdata/edits.txt", junos.Format(), read.Options{}, "testdata/everything.conf", nil)
}

// What is made of texts that say things in other ways than that file.
func TestTold(t *testing.T) {
	readtest.HoldTold(t, "testdata/told.txt", junos.Format(), read.Options{})
}
