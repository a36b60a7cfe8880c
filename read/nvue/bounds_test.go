package nvue

import (
	"os"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
)

// Numbers from the least to the most that NVUE takes: bytes of 32 bits, rates of 31 bits in kb/s,
// code points of 6 bits and priorities of 3; an MTU by IP's least frame, 68 B, and the switch's most.
func TestBounds(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/everything.yaml"))(t)
	const bytes = 1<<32 - 1
	all := strings.NewReplacer("xoff-threshold: 10000", "xoff-threshold: 0", "'0': {dscp: 8}", "'0': {pcp: 1, dscp: 8}").Replace(string(text))
	readtest.Bounds(t, Format(), all, map[string][2]int64{
		"link: {mtu: @, speed": {68, 9216}, "link: {mtu: @}": {68, 9216},
		"port-default-sp: @": {0, 7}, "'26': {switch-priority: @}": {0, 7}, "26: {switch-priority: @}": {0, 7}, "'2': {traffic-class: @}": {0, 7},
		"pcp: 1, dscp: @}": {0, 63}, "'6': {dscp: @}": {0, 63}, "{pcp: @": {0, 7},
		"cable-length: @": {1, 100_000}, "port-buffer: @": {0, bytes},
		"3,4: {min-threshold: @": {0, bytes}, "max-threshold: @": {0, bytes}, "probability: @": {0, 100},
		"bw-percent: @}": {0, 100}, "max-rate: @}": {0, 1<<31 - 1},
		"memory-percent: @\n          switch-priority: {'2'": {1, 100},
		"mode: dynamic, memory-percent: @":                   {0, 100}, "mode: static, memory-percent: @": {0, 100},
		"reserved: @\n": {0, bytes}, "alpha_infinity, reserved: @": {0, bytes}, "service-pool: '@', shared-bytes": {0, 7}, "shared-bytes: @}": {0, bytes},
		"polling-interval: @": {1, 65535}, "robustness: @": {1, 1000},
	}, Number)
	most := strings.NewReplacer("port-buffer: 25000", "port-buffer: 4294967295", "xoff-threshold: 0", "xoff-threshold: 4294967295").Replace(all)
	readtest.Bounds(t, Format(), most, map[string][2]int64{"xon-threshold: @": {0, bytes}}, Number)
	readtest.Bounds(t, Format(), strings.Replace(all, "port-buffer: 25000", "port-buffer: 4294967295", 1), map[string][2]int64{"xoff-threshold: @": {0, bytes}}, Number)
	readtest.Bounds(t, Format(), strings.Replace(all, "trust: both", "trust: port", 1), map[string][2]int64{"port-default-sp: @": {0, 7}}, Number)
	readtest.Bounds(t, Format(), "- set:\n    qos:\n      roce: {mode: lossless, cable-length: 100}\n    interface:\n      swp1: {type: swp}\n", map[string][2]int64{"cable-length: @": {1, 100_000}}, Number)
}

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
