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

// A port of a few bit/s has times that leave 63 bits; the slowest Ethernet has 1 Mb/s.
func TestSpeedBelowEthernet(t *testing.T) {
	for speed, want := range map[string]int{"1bps": 1, "999999bps": 1, "1": 0, "1Mbps": 0, "0": 0, "0bps": 0} {
		if _, found := ReadCables("cables.csv", []byte("switch,port,cable,speed\ns,p,5m,"+speed+"\n")); len(found) != want {
			t.Errorf("%s: found %v", speed, found)
		}
	}
}
