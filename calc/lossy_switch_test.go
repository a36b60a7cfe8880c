package calc_test

import (
	"fmt"
	"testing"

	"github.com/roceplan/roceplan/plan"
)

// A switch without a lossless port is planned, whether the alpha of lossless classes is given
// or not: no group has it, and nothing that it would be checked against is there.
func TestSwitchWithoutLosslessPorts(t *testing.T) {
	for _, alpha := range []string{"", `alpha = "1/8"`} {
		p, found := compute(t, fmt.Sprintf(`
fabric "pod" {
  expected_delay  = "10us"
  tolerable_delay = "40us"
}
traffic_class "rdma" {
  dscp   = [26]
  queue  = 3
  pfc    = 3
  weight = 60
  %s
}
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 40
}
switch "leaf" {
  chip = "tomahawk5"
  os   = eos
  port_group "all" {
    ports    = "Ethernet[1..4]/1"
    speed    = "400Gbps"
    lossless = false
  }
}
`, alpha), "")
		if found.HasErrors() {
			t.Fatal(found)
		}
		for _, port := range p.Switches[0].Ports {
			if port.QoS.PFC != 0 {
				t.Errorf("%s has PFC", port.Name)
			}
			for _, pg := range port.QoS.PGs {
				if pg.Lossless || pg.Limit.Value == (plan.Limit{Dynamic: true, Alpha: -3}) {
					t.Errorf("%s: %+v", port.Name, pg)
				}
			}
		}
	}
}
