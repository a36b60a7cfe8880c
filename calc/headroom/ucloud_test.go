package headroom_test

import (
	"testing"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/units"
)

// The two results that UCloud's RoCE design prints.
func TestUCloudPrintedResults(t *testing.T) {
	for _, c := range []struct {
		speed units.BitRate
		cable units.Length
		want  units.Cells
	}{
		{100 * units.Gbps, 100 * units.Metre, 408},
		{25 * units.Gbps, 15 * units.Metre, 98},
	} {
		if got := headroom.UCloudCells(c.speed, c.cable, 1500*units.Nanosecond, 1500, 84); got != c.want {
			t.Errorf("%s over %s: %d cells, UCloud prints %d", c.speed, c.cable, got, c.want)
		}
		in := headroom.Defaults()
		in.Speed, in.Cable = c.speed, c.cable
		r, d, err := bind(t, "td3", "ucloud").Explain(in)
		if err != nil || r.Cells != c.want || r.XOff != c.want.Bytes(256) || d.XOff.Value != r.XOff {
			t.Errorf("%s over %s on Trident3: %v, %v", c.speed, c.cable, r, err)
		}
	}
}

// With the response that IEEE 802.3 31B.3.7 allows (394 quanta at 100G, 80 at 25G),
// UCloud's results do not hold: (394·512 + 1 us·100G)/672 = 449 and
// (80·512 + 2·1500·8 + 150 ns·25G)/672 = 102.2.
func TestUCloudIsBelowTheStandardsWorstCase(t *testing.T) {
	for _, c := range []struct {
		speed  units.BitRate
		cable  units.Length
		frames units.Bytes
		want   units.Cells
	}{
		{100 * units.Gbps, 100 * units.Metre, 0, 449},
		{25 * units.Gbps, 15 * units.Metre, 2 * 1500, 103},
	} {
		got := headroom.IEEEWorstCase(c.speed, c.cable, c.frames)
		if got != c.want {
			t.Errorf("%s over %s with %s of frames: %d cells; want %d", c.speed, c.cable, c.frames, got, c.want)
		}
		if ucloud := headroom.UCloudCells(c.speed, c.cable, 1500*units.Nanosecond, 1500, 84); ucloud >= got {
			t.Errorf("%s over %s: UCloud's %d cells would be safe by the standard", c.speed, c.cable, ucloud)
		}
	}
}
