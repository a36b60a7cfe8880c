package calc_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// The calculator's default and the compiler's are one number: thousands of rows are not compiled, and
// say what would be.
func TestCalculatorAndCompilerAgree(t *testing.T) {
	catalogue, _ := chips.Load()
	for _, c := range []struct {
		chip   string
		speeds []int64
	}{
		{"trident3", []int64{25, 100}}, {"tomahawk", []int64{25, 100}}, {"tomahawk2", []int64{100}}, {"tomahawk3", []int64{100, 400}}, {"tomahawk5", []int64{400, 800}},
		{"spectrum3", []int64{100, 400}}, {"spectrum4", []int64{400, 800}}, {"trident4-x9", []int64{100}}, {"tofino2", []int64{100}},
	} {
		chip, ok := catalogue.Find(c.chip)
		if !ok {
			t.Fatalf("no chip %s", c.chip)
		}
		for _, speed := range c.speeds {
			for _, metres := range []int64{3, 40, 300} {
				method := must.Get(headroom.Compiled(chip))(t)
				in := headroom.Defaults()
				in.Speed, in.Cable, in.PortMTU, in.LosslessMTU, in.Frame = units.BitRate(speed)*units.Gbps, units.Length(metres)*units.Metre, 9216, 9216, 9216
				got := must.Get(method.Compute(in))(t)
				if want := compiledHeadroom(t, catalogue, c.chip, speed, metres); got.XOff != want {
					t.Errorf("%s, %dG, %dm: the calculator says %v, compile %v", c.chip, speed, metres, got.XOff, want)
				}
			}
		}
	}
}

// compiledHeadroom returns the headroom of a port of a fabric that says nothing more.
func compiledHeadroom(t *testing.T, catalogue *chips.Catalogue, chip string, speed, metres int64) units.Bytes {
	t.Helper()
	text := fmt.Sprintf(`fabric "f" {}
traffic_class "rdma" {
  dscp   = rest
  queue  = 3
  pfc    = 3
  weight = 100
  ecn    = off
  congestion_control = none
}
switch "s" {
  os   = sonic
  chip = %q
  port_group "g" {
    ports = "port[1..2]"
    speed = "%dGbps"
    cable = "%dm"
  }
}`, chip, speed, metres)
	fabric, found := policy.Load(policy.Options{Files: []policy.Source{{Name: "f.hcl", Text: []byte(text)}}, Catalogue: catalogue})
	if found.HasErrors() {
		t.Fatalf("%v", found)
	}
	p, _ := calc.Compute(fabric)
	pgs := p.Switches[0].Ports[0].QoS.PGs
	return pgs[slices.IndexFunc(pgs, func(pg plan.PG) bool { return pg.Lossless })].Headroom.Value
}
