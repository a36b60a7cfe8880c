package nvue

import (
	"strings"
	"testing"
)

// A script of a reference design in our words: a banner of several lines in quotes, cages that are split by lanes
// or without ports, ports of a VRF, a tunnel that keeps the DSCP, and `nv show` behind the last apply. All of
// it is neutral (Cumulus Linux 5.14: Switch Port Attributes, VXLAN, VRF). A quote without an end is not.
func TestScriptOfADesign(t *testing.T) {
	const script = "nv set interface swp1,swp2 link breakout 2x lanes-per-port 4\nnv set interface swp3 link breakout disabled\n" +
		"nv set interface swp1s0-1,swp2s0-1 type swp\nnv set interface swp1s0 vrf TENANT\n" +
		"nv set nve vxlan state enabled\nnv set nve vxlan encapsulation dscp action copy\nnv set nve vxlan decapsulation dscp action preserve\n" +
		"nv set system message pre-login '#####\n#  Welcome; $(nobody) is watched  #\n#####'\nnv set qos roce\nnv config apply -y\nnv show qos roce\n"
	got := readFile("leaf.sh", []byte(script))
	if len(got.Found) > 0 || len(got.Ledger.Unmodelled()) > 0 || len(got.Switch.Ports) != 4 {
		t.Errorf("%d ports, found %v, not modelled %s", len(got.Switch.Ports), got.Found, touched(got.Ledger))
	}
	for _, change := range [][2]string{{"#####'", "#####"}, {"action copy", "action derive"}, {"breakout disabled", "breakout shut"}} {
		if l := readFile("leaf.sh", []byte(strings.Replace(script, change[0], change[1], 1))).Ledger; len(l.Unmodelled()) == 0 {
			t.Errorf("with %q all is modelled", change[1])
		}
	}
}
