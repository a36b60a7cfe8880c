package verify

import (
	"testing"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Spreadsheets put a byte order mark before the first column.
func TestCablesOfSpreadsheets(t *testing.T) {
	got, found := ReadCables("cables.csv", []byte("\ufeffswitch,port,cable\r\nleaf-1,Ethernet0,5m\r\n"))
	want := Cable{Length: 5 * units.Metre}
	if c := got[plan.LinkEnd{Switch: "leaf-1", Port: "Ethernet0"}]; c != want || len(found) > 0 {
		t.Errorf("read as %v: %v", got, found)
	}
}
