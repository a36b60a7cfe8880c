package pool_test

import (
	"testing"

	"github.com/roceplan/roceplan/calc/pool"
	"github.com/roceplan/roceplan/units"
)

// DCQCN, section 4: Trident 2, 32 ports of 40G, 12 MB, 8 classes, t_flight 22.4 KB.
func TestDCQCNThresholds(t *testing.T) {
	trident2 := pool.Buffer{Size: 12 * units.MB, Ports: 32, Classes: 8, Flight: 22_400}
	printed := func(b units.Bytes) units.Bytes { return b / 10 } // KB with two decimals, cut
	if got := printed(trident2.StaticPFC()); got != 2447 {
		t.Errorf("t_PFC %d, the paper prints 24.47 KB", got)
	}
	if got := printed(trident2.DynamicECN(8)); got != 2175 {
		t.Errorf("t_ECN at beta 8 %d, the paper prints 21.75 KB", got)
	}
	// The paper prints 0.85 KB. Its inequality, t_PFC > n·t_ECN, gives 24.47/32.
	if got := trident2.StaticECN(); got != 764 || 32*got > trident2.StaticPFC() {
		t.Errorf("static t_ECN %d B, t_PFC/32 is 764 B", got)
	}
	if 32*units.Bytes(850) <= trident2.StaticPFC() {
		t.Error("the printed 0.85 KB would satisfy the paper's own inequality")
	}
}
