package junos_test

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read/junos"
)

// What each line of a compiled example, and each number in it, means to the reader.
func TestWhatLinesMean(t *testing.T) {
	readtest.HoldFiles(t, "../../golden/ledger/meaning-junos.txt", junos.Format(), "../../golden/junos-rail/leaf-1/junos.conf")
}
