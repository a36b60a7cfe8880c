package patch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/read/sonic"
)

// pod is a fabric of one switch: chip, further classes, priority of RDMA, uplink cable.
const pod = `
fabric "pod" {
  mtu             = "9216B"
  expected_delay  = "40us"
  tolerable_delay = "80us"
  headroom_margin = "%[5]s"
  headroom_method = "ieee8021q" # the vendor's figures for Tomahawk 2 do not hold at 300 m whatever the peer
}

%[2]s

traffic_class "rdma" {
  dscp   = [46]
  queue  = %[3]d
  pfc    = %[3]d
  weight = 30
}

traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 40
}

switch "tor-1" {
  chip = "%[1]s"
  os   = sonic

  port_group "servers" {
    ports      = "Ethernet[0..60/4]"
    speed      = "100Gbps"
    lanes      = 4
    first_lane = 1
    cable      = "5m"
  }

  port_group "uplinks" {
    ports      = "Ethernet[64..92/4]"
    speed      = "100Gbps"
    lanes      = 4
    first_lane = 65
    cable      = "%[4]s"
  }
}
`

const storage = `
traffic_class "storage" {
  dscp   = [26]
  queue  = 2
  pfc    = 2
  weight = 30
}
`

// variant is a compiled fabric.
func variant(t *testing.T, catalogue *chips.Catalogue, chip, classes string, priority int, cable, margin string) *plan.Switch {
	t.Helper()
	text := fmt.Sprintf(pod, chip, classes, priority, cable, margin)
	fabric := must.Sound(policy.Load(policy.Options{Files: []policy.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Catalogue: catalogue}))(t)
	p := must.Sound(calc.Compute(fabric))(t)
	return p.Switches[0]
}

// The prover, which knows neither the compiler nor the patch, finds no state on the way
// in which a lossless packet can be lost: with the cables of one end or of the other.
func TestStepsAreProved(t *testing.T) {
	catalogue := must.Sound(chips.Load())(t)
	for _, chipName := range []string{"trident3", "tomahawk2"} {
		variants := map[string]*plan.Switch{
			"base":     variant(t, catalogue, chipName, "", 5, "40m", "15%"),
			"far":      variant(t, catalogue, chipName, "", 5, "300m", "15%"),
			"moved":    variant(t, catalogue, chipName, "", 3, "40m", "15%"),
			"two":      variant(t, catalogue, chipName, storage, 5, "40m", "15%"),
			"far two":  variant(t, catalogue, chipName, storage, 3, "300m", "15%"),
			"no slack": variant(t, catalogue, chipName, "", 5, "40m", "0%"),
		}
		for from, old := range variants {
			for to, now := range variants {
				t.Run(chipName+"/"+from+" to "+to, func(t *testing.T) { proveSteps(t, catalogue, old, now) })
			}
		}
	}
}

func proveSteps(t *testing.T, catalogue *chips.Catalogue, old, now *plan.Switch) {
	chip, _ := catalogue.Find(old.Chip)
	state := full(t, old)
	p := must.Sound(patch.Make(now, "tor-1", running(t, state), nil))(t)
	for _, step := range p.Steps {
		state = apply(t, state, step.Operations...)
		lost := slices.DeleteFunc([]string{losses(t, chip, state, old), losses(t, chip, state, now)}, func(s string) bool { return s == "" })
		if len(lost) == 2 {
			t.Fatalf("after %q a packet can be lost: %s", step.Title, strings.Join(lost, "; "))
		}
	}
}

// losses returns the lossless obligations that fail with the cables and peers of an end.
func losses(t *testing.T, chip *chips.Chip, state []byte, end *plan.Switch) string {
	t.Helper()
	sw, _ := readtest.Switch(sonic.Format(), "state.json", state)
	sw.Chip, sw.Cell = chip.Name, end.Cell
	for i := range sw.Ports {
		sw.Ports[i].Cable = end.Ports[i].Cable
	}
	onlyPaused(sw)
	report := must.Get(proof.Prove(sw, chip, proof.ContextOf(end)))(t)
	var lost []string
	for _, o := range report.Failing() {
		if o.Lossless {
			lost = append(lost, o.String())
		}
	}
	return strings.Join(lost, "; ")
}

// onlyPaused makes a PG that nothing pauses the lossy one that it is.
func onlyPaused(sw *plan.Switch) {
	for i := range sw.Ports {
		qos := sw.Ports[i].QoS
		if qos == nil {
			continue
		}
		for j := range qos.PGs {
			pg, paused := &qos.PGs[j], false
			for priority, group := range sw.Maps.PFCToPG {
				paused = paused || group == pg.ID && qos.PFC&(1<<priority) != 0
			}
			pg.Lossless = pg.Lossless && paused
		}
	}
}
