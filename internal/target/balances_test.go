package target

import "testing"

// A switch balances load as it is told where one of its targets has a line for it: EOS flowlets from Trident 3
// on and nothing packet by packet, Junos both, Cumulus Linux adaptive routing from Spectrum-4 on, SONiC and
// OpenConfig neither (docs/decisions.md; the evidence is in each target's table). Nothing has to be told to hash.
func TestBalances(t *testing.T) {
	for _, c := range []struct {
		chip, way string
		targets   []string
		want      bool
	}{
		{"trident3", "flowlet", []string{"eos"}, true},
		{"trident3", "flowlet", []string{"openconfig", "eos"}, true},
		{"jericho2", "flowlet", []string{"eos"}, false},
		{"trident3", "adaptive", []string{"eos"}, false},
		{"trident3", "flowlet", []string{"openconfig"}, false},
		{"trident3", "flowlet", []string{"sonic"}, false},
		{"tomahawk5", "adaptive", []string{"junos"}, true},
		{"tomahawk5", "spray", []string{"junos"}, false},
		{"spectrum4", "adaptive", []string{"nvue"}, true},
		{"spectrum3", "adaptive", []string{"nvue"}, false},
		{"spectrum3", "ecmp", []string{"nvue"}, true},
		{"spectrum3", "", []string{"sonic"}, true},
		{"spectrum4", "conweave", []string{"nvue"}, false},
	} {
		sw := bare()
		sw.Chip, sw.LoadBalancing, sw.Targets = c.chip, c.way, c.targets
		if got := Balances(sw); got != c.want {
			t.Errorf("%v on %s by %v: %v", c.way, c.chip, c.targets, got)
		}
	}
}
