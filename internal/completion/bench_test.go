package completion

import (
	"context"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/plantest"
)

// BenchmarkKinds measures the cost of all kinds on four leaves with eight hosts of 100 Gb/s each.
func BenchmarkKinds(b *testing.B) {
	catalogue, _ := chips.Load()
	_, p := plantest.Folder(b, catalogue, "../../model/sim/pattern/testdata/pod")
	for b.Loop() {
		jobs, err := Jobs(p, catalogue.Find, Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := RunAll(context.Background(), jobs, nil, nil); err != nil {
			b.Fatal(err)
		}
	}
}
