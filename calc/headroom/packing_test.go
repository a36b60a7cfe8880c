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

// Fractions as they are written: tenths for fifths, and three decimals, rounded down.
func TestFractions(t *testing.T) {
	for n, want := range map[fifths]string{0: "0B", 1: "0.2B", 4: "0.8B", 5: "1B", 6: "1.2B", 14: "2.8B", 15: "3B", 99: "19.8B", 100: "20B"} {
		if got := n.String(); got != want {
			t.Errorf("%d fifths: %s, want %s", int64(n), got, want)
		}
	}
	for want, c := range map[string][2]int64{"0.333": {1, 3}, "0.666": {2, 3}, "3.500": {7, 2}, "2.000": {2, 1}, "0.000": {0, 9}, "1.001": {1001, 1000}} {
		if got := decimals(c[0], c[1]); got != want {
			t.Errorf("%d/%d: %s, want %s", c[0], c[1], got, want)
		}
	}
}

// A speed without a published time has none; SONiC takes that of 400 Gb/s for 800 Gb/s.
func TestQuantaOfSpeeds(t *testing.T) {
	for _, c := range []struct {
		speed       units.BitRate
		own, sonics int64
	}{{400, 905, 905}, {800, 0, 905}, {1600, 0, 0}, {100, 394, 394}, {60, 0, 0}} {
		own, known := pauseQuanta(c.speed * units.Gbps)
		sonics, usual := sonicQuanta(c.speed * units.Gbps)
		if own != c.own || known != (c.own > 0) || sonics != c.sonics || usual != (c.sonics > 0) {
			t.Errorf("%dG: %d, %v; %d, %v", int64(c.speed), own, known, sonics, usual)
		}
	}
}
