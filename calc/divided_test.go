package calc_test

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A QFX5240 divides 84,206 KB = 86,226,944 B in whole per cent. A plan has 98 % of that in cells of 254 B, 84,502,244 B,
// and 10 % of all for lossy traffic, 8,622,538 B. With 47 of 48 senders paused a queue holds less than an alpha of 8
// leaves it, 8/9 of the lossless part of a slice: their shares at the alpha that is planned, a reserve and a headroom each.
func TestDividedBuffer(t *testing.T) {
	spine := func(os string) *plan.Switch {
		p := must.Sound(compute(t, `fabric "f" {
  mtu            = "9216B"
  lossless_frame = "4200B"
}
traffic_class "rdma" {
  dscp   = [26]
  queue  = 3
  pfc    = 3
  weight = 80
}
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 20
}
nic "cx7" {
  model    = "connectx-7"
  roce_mtu = "4096B"
}
switch "sw" {
  chip = "tomahawk5"
  os   = "`+os+`"
  port_group "p" {
    ports = `+map[string]string{"junos": `"et-0/0/[0..47]"`, "sonic": `"Ethernet[0..376/8]"`}[os]+`
    speed = "400Gbps"
    cable = "50m"
    peer  = nic.cx7
  }
}
`, "."))(t)
		return p.Switches[0]
	}
	size := func(s *plan.Switch, name string) (all, headroom units.Bytes) {
		for _, p := range s.Pools {
			if p.Name == name {
				all, headroom = p.Size.Value, p.Headroom.Value
			}
		}
		return all, headroom
	}
	s := spine("junos")
	all, headroom := size(s, plan.LosslessPool)
	out, _ := size(s, plan.LosslessQueues)
	lossy, _ := size(s, plan.LossyQueues)
	if all != 84_502_244 || out != 84_502_244 || lossy > 8_622_538 || lossy == 0 {
		t.Errorf("pools of %d, %d and %d B", all, out, lossy)
	}
	pg := s.Ports[0].QoS.PGs[0]
	for _, g := range s.Ports[0].QoS.PGs {
		if g.Lossless {
			pg = g
		}
	}
	const senders, slices = 47, 2
	num, den := pg.Limit.Value.Alpha.Fraction()
	shared := int64(all-headroom) / slices // reserves included
	held := shared*num*senders/(den+num*senders) + senders*int64(pg.Headroom.Value)
	if limit := int64(out-lossy) / slices * 8 / 9; held > limit {
		t.Errorf("47 senders hold %d B at an alpha of %v, and a queue %d B at most", held, pg.Limit.Value.Alpha, limit)
	}
	if all, _ := size(spine("sonic"), plan.LosslessPool); all != 166_115_492 {
		t.Errorf("SONiC divides all of the chip: %d B", all)
	}
}
