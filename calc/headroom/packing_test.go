package headroom

import (
	"testing"

	"github.com/roceplan/roceplan/units"
)

// The worst packet is the one, of all that a class may have, that takes most cells for its bytes
// on the wire; of equal ones the smallest.
func TestWorstPackingOfAll(t *testing.T) {
	for cell := units.Bytes(74); cell <= 300; cell++ {
		for _, metadata := range []units.Bytes{0, 1, 10, 30, 64} {
			for _, largest := range []units.Bytes{64, 65, cell - metadata, cell - metadata + 1, cell + 1, 1024} {
				var worst packing
				for frame := units.Bytes(64); frame <= max(64, largest); frame++ {
					p := packing{frame, units.Cells((frame + metadata + cell - 1) / cell), frame + 20}
					if worst.wire == 0 || int64(p.cells)*int64(worst.wire) > int64(worst.cells)*int64(p.wire) {
						worst = p
					}
				}
				if got := worstPacking(cell, metadata, largest); got != worst {
					t.Fatalf("cells of %v, %v more in each, up to %v: %+v, want %+v", cell, metadata, largest, got, worst)
				}
			}
		}
	}
}

// What a table lacks is told by the lengths that it has, of which one of nothing is one.
func TestNoRowByItsNeighbours(t *testing.T) {
	for want, e := range map[string]NoRow{
		"t has no row for 1Gbps and 5m, nor any for that speed":                              {Below: -1, Above: -1},
		"t has no row for 1Gbps and 5m; its longest cable for that speed is 0mm":             {Below: 0, Above: -1},
		"t has no row for 1Gbps and 5m; its shortest cable for that speed is 0mm":            {Below: -1, Above: 0},
		"t has no row for 1Gbps and 5m; it has 0mm and 0mm, and may be asked to interpolate": {Below: 0, Above: 0},
		"t has no row for 1Gbps and 5m; its longest cable for that speed is 1mm":             {Below: 1, Above: -1},
		"t has no row for 1Gbps and 5m; it has 1mm and 10m, and may be asked to interpolate": {Below: 1, Above: 10 * units.Metre},
	} {
		e.Table, e.Speed, e.Cable = "t", units.Gbps, 5*units.Metre
		if got := e.Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
