package sonic_test

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read/sonic"
)

// What each line of a compiled example, and each number in it, means to the reader.
func TestWhatLinesMean(t *testing.T) {
	readtest.HoldFiles(t, "../../golden/ledger/meaning-sonic.txt", sonic.Format(), "../../golden/ucloud-pod/leaf-1/config_db.json")
}
