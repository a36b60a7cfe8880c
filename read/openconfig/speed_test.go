package openconfig_test

import (
	"fmt"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read/openconfig"
	"github.com/roceplan/roceplan/units"
)

// Every identity that openconfig-if-ethernet derives from ETHERNET_SPEED.
func TestSpeeds(t *testing.T) {
	for word, want := range map[string]units.BitRate{
		"10MB": 10 * units.Mbps, "100MB": 100 * units.Mbps, "1GB": units.Gbps, "2500MB": 2500 * units.Mbps, "5GB": 5 * units.Gbps, "10GB": 10 * units.Gbps,
		"25GB": 25 * units.Gbps, "40GB": 40 * units.Gbps, "50GB": 50 * units.Gbps, "100GB": 100 * units.Gbps, "200GB": 200 * units.Gbps,
		"400GB": 400 * units.Gbps, "600GB": 600 * units.Gbps, "800GB": 800 * units.Gbps, "1600GB": 1600 * units.Gbps, "UNKNOWN": 0,
	} {
		text := fmt.Sprintf(`{"openconfig-interfaces:interfaces": {"interface": [{"name": "Ethernet1", "config": {"name": "Ethernet1"}, "ethernet": {"config": {"port-speed": "SPEED_%s"}}}]},
			"openconfig-qos:qos": {"interfaces": {"interface": [{"interface-id": "Ethernet1", "config": {"interface-id": "Ethernet1"}, "interface-ref": {"config": {"interface": "Ethernet1"}}}]}}}`, word)
		sw, found := readtest.Switch(openconfig.Format(), "x", []byte(text))
		if len(found) > 0 || len(sw.Ports) != 1 || sw.Ports[0].Speed != want {
			t.Errorf("%s: %v %v, want %v", word, sw.Ports, found, want)
		}
	}
}
