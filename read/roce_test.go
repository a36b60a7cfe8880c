package read_test

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// 4,096 B of payload behind IPv6 and all headers that one packet may have are 4,184 B of IP, and 4,202 B with Ethernet
// and a VLAN tag.
func TestDropsRoCE(t *testing.T) {
	for mtu, want := range map[string][2]bool{"4183": {true, true}, "4184": {false, true}, "4201": {false, true}, "4202": {false, false}, "9000": {false, false}, "-1": {true, true}, "": {true, true}, "jumbo": {true, true}} {
		for i, around := range []units.Bytes{0, read.FrameHeader} {
			must.Equalf(t, read.DropsRoCE(mtu, around), want[i], "an MTU of %q with %v around drops RoCE:", mtu, around)
		}
	}
}
