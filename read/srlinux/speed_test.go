package srlinux_test

import (
	"fmt"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read/srlinux"
	"github.com/roceplan/roceplan/units"
)

// Every value that srl_nokia-interfaces has for port-speed, and some that it has not.
func TestSpeeds(t *testing.T) {
	for word, want := range map[string]units.BitRate{
		"10M": 10 * units.Mbps, "100M": 100 * units.Mbps, "1G": units.Gbps, "10G": 10 * units.Gbps, "25G": 25 * units.Gbps, "40G": 40 * units.Gbps, "50G": 50 * units.Gbps,
		"100G": 100 * units.Gbps, "200G": 200 * units.Gbps, "400G": 400 * units.Gbps, "800G": 800 * units.Gbps, "1T": 1000 * units.Gbps, "0G": 0, "0M": 0, "-1G": 0, "T": 0, "100": 0, "32767G": 32767 * units.Gbps, "32768G": 0,
	} {
		text := fmt.Sprintf(`{"srl_nokia-interfaces:interface": [{"name": "ethernet-1/1", "ethernet": {"port-speed": %q}}],
			"srl_nokia-qos:qos": {"interfaces": {"interface": [{"interface-id": "ethernet-1/1", "interface-ref": {"interface": "ethernet-1/1"}}]}}}`, word)
		sw, found := readtest.Switch(srlinux.Format(), "x", []byte(text))
		if found.HasErrors() != (want == 0) || len(sw.Ports) != 1 || sw.Ports[0].Speed != want {
			t.Errorf("%s: %v %v, want %v", word, sw.Ports, found, want)
		}
	}
}
