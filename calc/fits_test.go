package calc_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

const twoClasses = `fabric "pod" {
  mtu             = "9216B"
  expected_delay  = "10us"
  tolerable_delay = "40us"
}
traffic_class "a" {
  dscp   = [26]
  queue  = 3
  pfc    = 3
  weight = 60
}
traffic_class "b" {
  dscp   = [28]
  queue  = 4
  pfc    = 4
  weight = 40
}
switch "leaf-1" {
  chip = "CHIP"
  os   = "sonic"
  port_group "servers" {
    ports = "Ethernet[0..124/4]"
    speed = "100Gbps"
    cable = "40m"
  }
}
`

// Where reserves and a frame for each of 32 ports take all, no change of headroom fits, and none is named.
func TestNothingFits(t *testing.T) {
	catalogue := must.Sound(chips.Load(chips.Source{Name: "own.hcl", Text: []byte("chip \"own\" {\n extends = \"tomahawk\"\n usable_buffer {\n value = \"300000B\"\n confidence = \"assumed\"\n source = \"a test\"\n }\n}\n")}))(t)
	f, found := policy.Load(policy.Options{Files: []policy.Source{{Name: "fabric.hcl", Text: []byte(strings.Replace(twoClasses, "CHIP", "own", 1))}}, Catalogue: catalogue})
	if found.HasErrors() {
		t.Fatal(found)
	}
	_, found = calc.Compute(f)
	i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Code == calc.BufferExceeded })
	if i < 0 || !strings.HasPrefix(found[i].Fix, "neither shorter cables nor a shared pool of headroom nor a single lossless class suffices") {
		t.Errorf("%v", found)
	}
}

// Of pools of headroom that are shared the largest that fits is named: half, where half suffices.
func TestHalfSuffices(t *testing.T) {
	catalogue, _ := chips.Load()
	text := strings.Replace(strings.Replace(twoClasses, "CHIP", "tomahawk", 1), `"40m"`, `"5m"`, 1)
	f, found := policy.Load(policy.Options{Files: []policy.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Catalogue: catalogue})
	if found.HasErrors() {
		t.Fatal(found)
	}
	_, found = calc.Compute(f)
	i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Code == calc.BufferExceeded })
	if i < 0 || !strings.Contains(found[i].Fix, `headroom_sharing = "2:1"`) {
		t.Errorf("%v", found)
	}
}

// A fabric without a lossy class gives none of the shared buffer to one.
func TestNoLossyClass(t *testing.T) {
	catalogue, _ := chips.Load()
	_, p := plantest.Text(t, catalogue, strings.Replace(twoClasses, "CHIP", "tomahawk3", 1))
	for _, pool := range p.Switches[0].Pools {
		if pool.Name == calc.EgressLossyPool {
			t.Errorf("%+v", pool)
		}
	}
	for _, check := range p.Switches[0].Checks {
		if check.ID == "ecn-before-pfc" {
			for _, term := range check.Right.Terms {
				if term.Symbol == "shared" && !lossyIsZero(term.Why) {
					t.Errorf("lossy traffic takes a part of %v", term.Why.Value)
				}
			}
		}
	}
}

func lossyIsZero(w *plan.Why) bool {
	for _, term := range w.Terms {
		if term.Symbol == "lossy" {
			return term.Why.Value.String() == "0B"
		}
	}
	return true
}
