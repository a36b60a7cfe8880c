package proof_test

import (
	"testing"

	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A thousand switches of different shapes with 64 ports each: ns/op is for all of them.
func BenchmarkProveThousandShapes(b *testing.B) {
	sw, chip := leaf(b, "spectrum4-storage", "spine")
	shapes := make([]*plan.Switch, 1000)
	for i := range shapes {
		own := *sw
		own.Ports = append([]plan.Port(nil), sw.Ports...)
		for j := range own.Ports {
			own.Ports[j].Cable = units.Length(i+1) * units.Metre
		}
		shapes[i] = &own
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, own := range shapes {
			prove(b, own, chip, proof.Context{})
		}
	}
}
