package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/patch"
)

// A fabric of ours for a Trident 3 with 28 ports of 100G.
const shippedTrident = `
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

switch "dut" {
  chip = "trident3"
  os   = sonic

  port_group "all" {
    ports = ["Ethernet[0..52/4]", "Ethernet[72..124/4]"]
    speed = "100Gbps"
    cable = "5m"
  }
}
`

const shippedTridentFile = "shipped_sonic/Arista-7050CX3-32C-C28S4@x86_64-arista_7050cx3_32c.json"

// What sonic-utilities' own updater refused of the way from a shipped Trident 3
// configuration to a fabric of ours, run in 2026, by release and HwSKU.
func TestRefusalsByRelease(t *testing.T) {
	text, err := os.ReadFile(oracle.Data(t, shippedTridentFile))
	check(t, err)
	// When this was tried, lossy queues of ours had another threshold than those that ship;
	// now they have the same, so the running switch gets another one.
	const lossy = `"dynamic_th": "3"`
	if bytes.Count(text, []byte(lossy)) != 1 {
		t.Fatal("the threshold of lossy queues is not where it was")
	}
	text = bytes.Replace(text, []byte(lossy), []byte(`"dynamic_th": "1"`), 1)
	catalogue, _ := chips.Load()
	_, p := plantest.Text(t, catalogue, shippedTrident)
	running := must.Sound(patch.Read("running.json", text))(t)
	p.Switches[0].Release = "202511" // where rows of profiles go: none is left
	made, found := patch.Make(p.Switches[0], "dut", running, nil)
	if made == nil {
		t.Fatal(found)
	}
	steps, hazard := patch.Between(running.DB, made.Target)
	if hazard != "" {
		t.Fatal(hazard)
	}
	ops := (&patch.Patch{Steps: steps}).Operations()
	early := map[string]int{"BUFFER_POOL": 1, "BUFFER_PROFILE": 6, "WRED_PROFILE": 1, "PFC_WD": 1}
	late := map[string]int{"BUFFER_POOL": 4, "BUFFER_PROFILE": 4, "PFC_WD": 1}
	const known = "Arista-7050CX3-32S-C32"
	for _, c := range []struct {
		release, hwsku string
		want           map[string]int
	}{
		{"202405", known, early},
		{"202505", known, early},
		{"202511", known, late},
		{"202605", known, late},
		{"202511", "DellEMC-S5232f-C32", map[string]int{"BUFFER_POOL": 4, "BUFFER_PROFILE": 7, "PFC_WD": 1}},
	} {
		must.NoDiffIn(t, cmp.Diff(c.want, patch.Refusals(c.release, c.hwsku, ops)), "%s on %s (-tried +ours):", c.release, c.hwsku)
	}
}
