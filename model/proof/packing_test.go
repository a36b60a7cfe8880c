package proof

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/units"
)

// every is the knapsack by brute force over every length of packet.
func every(most int64, cell, metadata, largest units.Bytes) []int64 {
	table := make([]int64, most+1)
	for s := int64(1); s <= most; s++ {
		table[s] = table[s-1]
		for length := model.SmallestFrame; length <= largest; length++ {
			if wire := int64(length + model.InterFrame); wire <= s {
				table[s] = max(table[s], table[s-wire]+int64((length+metadata).CeilCells(cell)))
			}
		}
	}
	return table
}

func TestPackingIsTheKnapsack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := units.Bytes(rapid.IntRange(16, 500).Draw(t, "cell"))
		metadata := units.Bytes(rapid.SampledFrom([]int{0, 0, 40, 64}).Draw(t, "metadata"))
		largest := units.Bytes(rapid.IntRange(64, 600).Draw(t, "largest"))
		want := every(4000, cell, metadata, largest)
		p := newPacking(cell, metadata, largest)
		for s := range want {
			if got := p.cells(int64(s)); got != want[s] {
				t.Fatalf("cell %v, metadata %v, largest %v: %d cells in %d B, want %d", cell, metadata, largest, got, s, want[s])
			}
		}
	})
}

func BenchmarkPacking(b *testing.B) {
	for b.Loop() {
		newPacking(254, 0, 9216)
	}
}
