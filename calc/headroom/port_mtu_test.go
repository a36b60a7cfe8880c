package headroom_test

import (
	"testing"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/units"
)

// SONiC's PORT table counts a frame without Ethernet header (14 B), one VLAN tag (4 B) and
// FCS (4 B): its usual 9100 is a frame of 9122 B (sonic-swss orchagent/portsorch.cpp adds
// the 22 B). The vendors' calculators for SONiC are given the former, all other methods
// the latter.
func TestPortMTU(t *testing.T) {
	for _, c := range []struct {
		chip, method string
		want         units.Bytes
	}{
		{"spectrum-3", "spectrum", 9100},
		{"tofino2", "tofino", 9100},
		{"th5", "ieee8021q", 9122},
		{"th5", "worst-case", 9122},
		{"th5", "xgs", 9122},
	} {
		if got := headroom.PortMTU(bind(t, c.chip, c.method), 9122); got != c.want {
			t.Errorf("%s gets a port MTU of %d for a frame of 9122 B, want %d", c.method, got, c.want)
		}
	}
}
