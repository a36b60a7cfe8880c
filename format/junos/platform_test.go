package junos

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// The tables of Juniper's TechPost, QFX5K Series Switches Packet Buffer Architecture, default pools, in KB of
// 1,024 B: what is shared, and what ports own at ingress and at egress. Where they keep 33 % of it, rounded
// down to whole KB, the rest is shared.
func TestDefaultPools(t *testing.T) {
	for model, kb := range map[string][3]int64{
		"QFX5130-32CD": {111_263, 7868, 12_739}, "QFX5220": {44_420, 7868, 12_739}, "QFX5230": {74_743, 15_488, 24_169}, "QFX5240": {84_206, 30_847, 47_208},
	} {
		for _, box := range Boxes() {
			if box.Model != model {
				continue
			}
			for keep, more := range map[[2]int64]int64{{0, 0}: 0, {100, 100}: 0, {33, 0}: kb[1] - kb[1]*33/100, {0, 33}: kb[2] - kb[2]*33/100, {1, 1}: kb[1] - kb[1]/100 + kb[2] - kb[2]/100} {
				least, most := SharedBuffer(box, keep)
				if want := units.Bytes(kb[0]+more) * units.KiB; least != want || model != "QFX5240" && most != want || most < least {
					t.Errorf("%s with %v: %v to %v, want %v", model, keep, least, most, want)
				}
			}
			must.Equalf(t, box.Cell, 254, "%s: cells of", model)
		}
	}
	must.Equalf(t, len(Boxes()), 4, "boxes:")
}
