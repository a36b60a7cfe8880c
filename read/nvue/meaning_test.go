package nvue_test

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read/nvue"
)

// What each line of a compiled example, and each number in it, means to the reader.
func TestWhatLinesMean(t *testing.T) {
	readtest.HoldFiles(t, "../../golden/ledger/meaning-nvue.txt", nvue.Format(), "../../golden/cumulus-storage/leaf-1/nvue.yaml", "testdata/everything.yaml")
}
