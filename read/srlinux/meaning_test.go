package srlinux_test

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read/srlinux"
)

// What each line of a compiled example, and each number in it, means to the reader.
func TestWhatLinesMean(t *testing.T) {
	readtest.HoldFiles(t, "../../golden/ledger/meaning-srlinux.txt", srlinux.Format(), "../../golden/srlinux-rail/leaf-1/srlinux.json", "testdata/everything.json")
}
