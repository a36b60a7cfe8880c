package calc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/plantest"
)

// Constants are derived from the slowest port of a NIC and from its CNPs, unless the block gives them: the paper's
// 40 Mb/s at 40 Gb/s are 25 Mb/s at 25 Gb/s and 100 Mb/s at 100 Gb/s, 55 us for CNPs each 50 us are 4.4 us for CNPs
// each 4 us, which the register has as 5 us.
func TestDerivedConstants(t *testing.T) {
	catalogue, _ := chips.Load()
	const fabric = `
fabric "f" {
  mtu            = "9216B"
  lossless_frame = "4200B"
}
traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
}
traffic_class "rdma" {
  dscp               = [26]
  queue              = 3
  pfc                = 3
  weight             = 60
  congestion_control = dcqcn
}
nic "cx" {
  model = "connectx-5"
  %s
}
switch "s" {
  chip = "trident3"
  os   = "sonic"
  platform = "x86_64-accton_as7326_56x-r0"
  hwsku    = "Accton-AS7326-56X"
  port_group "slow" {
    ports  = "Ethernet[0..3]"
    speed  = "25Gbps"
    cable  = "3m"
    medium = dac
    peer   = nic.cx
  }
  port_group "fast" {
    ports  = "Ethernet[48..76/4]"
    speed  = "100Gbps"
    cable  = "3m"
    medium = dac
    %s
  }
}
`
	for _, c := range []struct{ block, fast, want string }{
		{"", "", "clamp_tgt_rate 0, dce_tcp_rtt 1, rate_reduce_monitor_period 4, rpg_ai_rate 5, rpg_hai_rate 50, rpg_time_reset 300"},
		{"dcqcn { constants = model }", "", "clamp_tgt_rate 0, dce_tcp_rtt 1, rate_reduce_monitor_period 4, rpg_ai_rate 5, rpg_hai_rate 50, rpg_time_reset 300"},
		{"dcqcn { constants = derived }", "", "clamp_tgt_rate 1, dce_tcp_rtt 5, rate_reduce_monitor_period 1, rpg_ai_rate 25, rpg_hai_rate 250, rpg_time_reset 55"},
		{"dcqcn { constants = derived }", "peer = nic.cx", "clamp_tgt_rate 1, dce_tcp_rtt 5, rate_reduce_monitor_period 1, rpg_ai_rate 25, rpg_hai_rate 250, rpg_time_reset 55"},
		{"dcqcn {\n constants = derived\n rpg_ai_rate = \"50Mbps\"\n clamp_tgt_rate = false\n}", "", "clamp_tgt_rate 0, dce_tcp_rtt 5, rate_reduce_monitor_period 1, rpg_ai_rate 50, rpg_hai_rate 500, rpg_time_reset 55"},
		{"cnp_interval = \"100us\"\n  dcqcn { constants = derived }", "", "clamp_tgt_rate 1, dce_tcp_rtt 110, rate_reduce_monitor_period 1, rpg_ai_rate 25, rpg_hai_rate 250, rpg_time_reset 110"},
	} {
		_, p := plantest.Text(t, catalogue, fmt.Sprintf(fabric, c.block, c.fast))
		var got []string
		for _, r := range p.Hosts[0].Reaction.Registers() {
			if strings.Contains(c.want, r.Name+" ") {
				got = append(got, fmt.Sprintf("%s %d", r.Name, r.Value))
			}
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s\ngives %s\nwant  %s", c.block, text, c.want)
		}
	}
}
