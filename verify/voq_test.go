package verify

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/emit/eos"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
)

const voqSpine = `
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
  chip = "jericho2"
  os   = eos
  role = "spine"
  port_group "leaves" {
    ports = "Ethernet[3..6]/1/1"
    speed = "400Gbps"
    cable = "30m"
  }
}
`

// EOS has no line for the buffer of a chip with virtual output queues. With the fabric a file of such a
// switch is judged with the division that is planned, and says so at each obligation; without it, nothing
// is. What is rendered is judged as what is read is, also after a change.
func TestBufferOfVirtualQueues(t *testing.T) {
	catalogue, _ := chips.Load()
	_, p := plantest.Text(t, catalogue, voqSpine)
	planned := p.Switches[0]
	files := must.Sound(eos.Target().Forms[0].Emit(planned))(t)
	file := Text("spine-1/eos.cfg", files[0].Body.AppendFor(nil, "spine-1"))
	chip, _ := catalogue.Find("jericho2")
	if r := judge(t, Options{Catalogue: catalogue, Chip: chip}, file); r.Verdict() != NotJudged || r.Switches[0].Proof != nil {
		t.Errorf("without the fabric: %v", r.Verdict())
	}
	o := Options{Catalogue: catalogue, Fabric: &Fabric{Plan: p, Targets: []emit.Target{eos.Target()}}}
	read := judge(t, o, file).Switches[0]
	rendered := must.Get(New(o).Rendered(planned, "eos", files[0], nil))(t)
	for name, s := range map[string]*Switch{"read": read, "rendered": rendered} {
		if s.Verdict != Conditional || !slices.Equal(s.Names, []string{"spine-1"}) || len(s.Files) != 1 || len(s.Groups) != 1 || len(s.Groups[0].Ports) != 4 {
			t.Errorf("%s: %v of %v, %+v", name, s.Verdict, s.Names, s.Groups)
		}
		for _, o := range s.Obligations {
			if o.Lossless && !slices.ContainsFunc(o.Conditions, func(c proof.Condition) bool {
				return c.ID == AsPlanned && c.Where == "whole switch" && c.Declare != "" && strings.Contains(c.Assumes, "EOS has no line for that of jericho2")
			}) {
				t.Errorf("%s: %s, %s: %+v", name, o.ID, o.Where, o.Conditions)
			}
		}
		if got, want := s.Plan.Ports[0].QoS.PGs, planned.Ports[0].QoS.PGs; len(got) != len(want) || got[len(got)-1].Headroom.Value != want[len(want)-1].Headroom.Value {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	lossy := func(sw *plan.Switch) {
		for _, qos := range kindsOf(sw) {
			for i := range qos.PGs {
				qos.PGs[i].Lossless = false
			}
		}
	}
	if s, err := New(o).Rendered(planned, "eos", files[0], lossy); err != nil || len(s.Groups) != 0 || s.Verdict != NotJudged {
		t.Errorf("changed: %v, %v", s, err)
	}
}
