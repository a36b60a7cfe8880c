package calc_test

import (
	"fmt"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A switch without a lossless port is planned, whether the alpha of lossless classes is given
// or not: no group has it, and nothing that it would be checked against is there.
func TestSwitchWithoutLosslessPorts(t *testing.T) {
	for _, alpha := range []string{"", `alpha = "1/8"`} {
		p := must.Sound(compute(t, fmt.Sprintf(`
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
`, alpha), ""))(t)
		for _, port := range p.Switches[0].Ports {
			must.Equalf(t, port.QoS.PFC, 0, "%s has PFC:", port.Name)
			for _, pg := range port.QoS.PGs {
				if pg.Lossless || pg.Limit.Value == (plan.Limit{Dynamic: true, Alpha: -3}) {
					t.Errorf("%s: %+v", port.Name, pg)
				}
			}
		}
	}
}

// N lossy virtual output queues at their threshold hold Nα/(1+Nα) of the shared buffer, and
// their share is three quarters. With 4 ports that is 2/3 at α = 1/2 and 4/5 at 1; with 8 ports
// 2/3 at 1/4 and 4/5 at 1/2: the larger of each two is too much.
func TestAlphaOfLossyVirtualQueues(t *testing.T) {
	catalogue, _ := chips.Load()
	for ports, want := range map[int]units.Alpha{4: -1, 8: -2} {
		_, p := plantest.Text(t, catalogue, fmt.Sprintf(`
fabric "pod" {
  mtu             = "9216B"
  expected_delay  = "10us"
  tolerable_delay = "40us"
}
traffic_class "rdma" {
  dscp               = [26]
  queue              = 3
  pfc                = 3
  weight             = 60
  congestion_control = dcqcn
}
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 40
}
switch "spine-1" {
  chip = "jericho2c+"
  os   = eos
  role = "spine"
  port_group "leaves" {
    ports = "Ethernet[1..%d]/1"
    speed = "400Gbps"
    cable = "30m"
  }
}
`, ports))
		must.Equalf(t, p.Switches[0].Ports[0].QoS.Queues[0].Limit.Value.Alpha, want, "%d ports: alpha", ports)
	}
}
