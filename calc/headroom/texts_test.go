package headroom

import (
	"testing"

	"github.com/roceplan/roceplan/units"
)

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
