package sonic

import "testing"

// A key is ports and an index; on a chassis the names of a device and a chip stand before them.
func TestSplitKey(t *testing.T) {
	for key, want := range map[string][3]string{
		"Ethernet0|3": {"Ethernet0", "3", "ok"}, "Ethernet0,Ethernet4|3-4": {"Ethernet0,Ethernet4", "3-4", "ok"}, "leaf|asic0|Ethernet0|3": {"Ethernet0", "3", "ok"},
		"Ethernet0": {}, "|3": {}, "": {}, "Ethernet0|": {"Ethernet0", "", "ok"}, "a||3": {"", "3", "ok"},
	} {
		ports, index, ok := splitKey(key)
		if ports != want[0] || index != want[1] || ok != (want[2] == "ok") {
			t.Errorf("%q is %q and %q, %v", key, ports, index, ok)
		}
	}
}
