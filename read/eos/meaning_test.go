package eos_test

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read/eos"
)

// What each line of a compiled example and of a file with every statement, and each number in
// them, means to the reader.
func TestWhatLinesMean(t *testing.T) {
	readtest.HoldFiles(t, "../../golden/ledger/meaning-eos.txt", eos.Format(), "../../golden/tomahawk-eos-pod/leaf-1/eos.cfg", "testdata/everything.cfg")
}
