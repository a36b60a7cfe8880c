package calc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
)

// Constants are derived where the card can be told: from the path, the CNPs, the slowest port of a NIC and those that
// may send to it (eleven: 25 Gb/s / 110 = 227 Mb/s), unless the block gives them. Where the fast ports lead to servers, the path is 1.58 us of hosts, two cables
// of 15 ns, one switch of 0.6 us and two frames of 4,200 B at 25 Gb/s, 1.344 us each: 4.9 us, with CNPs each 4 us 8.9 us.
// Where no peer is stated, they lead to a tier above: two cables, two switches and two frames more, 12.8 us.
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
		{"", "", "clamp_tgt_rate 0, clamp_tgt_rate_after_time_inc 1, dce_tcp_rtt 5, rate_reduce_monitor_period 1, rpg_ai_rate 250, rpg_gd 10, rpg_hai_rate 2500, rpg_min_dec_fac 10, rpg_threshold 5, rpg_time_reset 13"},
		{"dcqcn { constants = model }", "", "clamp_tgt_rate 0, dce_tcp_rtt 1, rate_reduce_monitor_period 4, rpg_ai_rate 5, rpg_gd 11, rpg_hai_rate 50, rpg_min_dec_fac 50, rpg_time_reset 300"},
		{"dcqcn { constants = derived }", "peer = nic.cx", "rate_reduce_monitor_period 1, rpg_ai_rate 250, rpg_hai_rate 2500, rpg_time_reset 9"},
		{"dcqcn {\n rpg_ai_rate = \"50Mbps\"\n clamp_tgt_rate = true\n}", "", "clamp_tgt_rate 1, rate_reduce_monitor_period 1, rpg_ai_rate 50, rpg_hai_rate 500, rpg_time_reset 13"},
		{"cnp_interval = \"100us\"", "", "rate_reduce_monitor_period 1, rpg_ai_rate 250, rpg_hai_rate 2500, rpg_time_reset 109"},
	} {
		_, p := plantest.Text(t, catalogue, fmt.Sprintf(fabric, c.block, c.fast))
		var got []string
		for _, r := range p.Hosts[0].Reaction.Registers() {
			if strings.Contains(c.want, r.Name+" ") {
				got = append(got, fmt.Sprintf("%s %d", r.Name, r.Value))
			}
		}
		must.Equalf(t, strings.Join(got, ", "), c.want, "%s\ngives", c.block)
	}
}
