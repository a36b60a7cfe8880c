package calc_test

import (
	"fmt"
	"testing"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// rdmaAndRest declares a lossless class, and one of all other packets.
const rdmaAndRest = `traffic_class "rdma" {
  dscp   = [26]
  queue  = 3
  pfc    = 3
  weight = 70
}
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 30
}
`

const storage = `
fabric "storage" {
  mtu             = "9216B"
  lossless_frame  = "1100B"
  expected_delay  = "10us"
  tolerable_delay = "40us"
  headroom_method = "spectrum"
}
traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "2Gbps"
}
` + rdmaAndRest + `nic "cx" {
  model = "connectx-8"
}
switch "leaf" {
  chip = "spectrum-4"
  os   = "sonic"
  port_group "p" {
    ports = "Ethernet[0..504/8]"
    speed = "800Gbps"
    lanes = %d
    cable = "40m"
    peer  = nic.cx
  }
}
`

// Without a pool of headroom, the size of a lossless profile on Spectrum covers xon and
// xoff, and the port's MTU on eight lanes: the calculator's own size, in whole cells.
func TestSpectrumProfileCoversItsHeadroom(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("spectrum-4")
	method := must.Get(headroom.For(chip, "spectrum"))(t)
	for _, lanes := range []int{4, 8} {
		in := headroom.Defaults()
		in.Speed, in.Cable, in.Lanes = 800*units.Gbps, 40*units.Metre, lanes
		in.PortMTU, in.LosslessMTU = 9216-22, 1100
		want := must.Get(method.Compute(in))(t)
		p := must.Sound(compute(t, fmt.Sprintf(storage, lanes), ""))(t)
		pg := p.Switches[0].Ports[0].QoS.PGs[1]
		if off := pg.Reserved.Value - want.Size; off < 0 || off >= 2*p.Switches[0].Cell || pg.Headroom.Value < want.XOff {
			t.Errorf("%d lanes: size %v with xoff %v, the calculator has %v and %v", lanes, pg.Reserved.Value, pg.Headroom.Value, want.Size, want.XOff)
		}
	}
}

const podOfTrident2 = `
fabric "pod" {
  mtu            = "9216B"
  lossless_frame = "4200B"
}
` + rdmaAndRest + `nic "cx" {
  model = "connectx-5"
}
switch "leaf" {
  chip = "trident2"
  os   = %q
  port_group "p" {
    ports = "Ethernet[1..32]"
    speed = "40Gbps"
    cable = "5m"
    peer  = nic.cx
  }
  %s
}
`

// In SONiC on Trident 2 the size of a lossless profile is the group's minimum of six cells and its
// headroom (buildimage#5324), and a pin has the sum. EOS has the minimum apart.
func TestSONiCsProfileOfTrident2CoversItsHeadroom(t *testing.T) {
	compiled := func(os, pinned string) (string, *plan.PG) {
		p := must.Sound(compute(t, fmt.Sprintf(podOfTrident2, os, pinned), ""))(t)
		var checks string
		for _, c := range p.Switches[0].Checks {
			checks += fmt.Sprintln(c.ID, c.Where, c.Left.Value, c.Right.Value)
		}
		return checks, &p.Switches[0].Ports[0].QoS.PGs[1]
	}
	_, eos := compiled("eos", "")
	must.Equalf(t, eos.Reserved.Value, 6*208, "reserve in EOS")
	derived, sonic := compiled("sonic", "")
	must.Equalf(t, sonic.Reserved.Value-sonic.Headroom.Value, 6*208, "size less headroom in SONiC")
	pinned, _ := compiled("sonic", fmt.Sprintf("pinned {\n priority_group \"3\" {\n reserved = \"%v\"\n }\n }", sonic.Reserved.Value))
	must.Equalf(t, pinned, derived, "inequalities with the derived size pinned")
}
