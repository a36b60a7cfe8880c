package sim

import (
	"fmt"
	"testing"

	"github.com/roceplan/roceplan/units"
)

// BenchmarkGrowth is how speed and memory change with the number of hosts: each sends one
// message across the fabric with DCQCN, 16 million packet-hops in all.
func BenchmarkGrowth(b *testing.B) {
	for _, size := range [][3]int{{8, 16, 8}, {16, 32, 16}, {32, 64, 32}} {
		hosts := size[0] * size[1]
		b.Run(fmt.Sprintf("%d-hosts", hosts), func(b *testing.B) {
			sc := scenario(leafSpine(size[0], size[1], size[2]), "permutation", "dcqcn", 2048/units.Bytes(hosts)*units.MB)
			b.ReportAllocs()
			var hops int64
			for b.Loop() {
				r, err := Run(b.Context(), sc)
				if err != nil {
					b.Fatal(err)
				}
				hops += r.PacketHops
			}
			b.ReportMetric(float64(hops)/b.Elapsed().Seconds(), "hops/s")
		})
	}
}
