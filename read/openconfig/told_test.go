package openconfig_test

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read/openconfig"
)

// What is read of each line of a file with every statement, of changes to it, and of texts that say things in
// other ways.
func TestReader(t *testing.T) {
	readtest.HoldReader(t, openconfig.Format(), "everything.json", nil)
}

// What each line of a compiled example, and each number in it, means to the reader.
func TestWhatLinesMean(t *testing.T) {
	readtest.HoldFiles(t, "../../golden/ledger/meaning-openconfig.txt", openconfig.Format(), "../../golden/tomahawk-eos-pod/leaf-1/openconfig.json", "testdata/everything.json")
}
