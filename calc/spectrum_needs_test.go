package calc

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A Spectrum of which a figure of the calculator is not known has no pools, and the figure is named at the chip's line.
func TestReservesOfASpectrumNeed(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("spectrum-4")
	bare := *chip
	bare.Spectrum.PrivateHeadroom = chips.Datum[units.Bytes]{}
	for _, c := range []struct {
		chip *chips.Chip
		says bool
	}{{chip, false}, {&bare, true}} {
		b := &budget{headrooms: *byHand(), pgReserve: make([]plan.Derived[units.Bytes], 3)}
		b.chip, b.sw.ChipAt = c.chip, place(3)
		for i := range b.rooms {
			b.rooms[i].reserve = plan.Of(units.Bytes(1000), &plan.Why{})
			if b.rooms[i].headroom.Why == nil {
				b.rooms[i].headroom = plan.Of(units.Bytes(0), &plan.Why{})
			}
		}
		var found findings
		b.spectrumReserves(&found)
		if told := len(found.list) == 1 && found.list[0].Code == ChipDatumUnknown && found.list[0].Severity == diag.Error && found.list[0].Subject == place(3) && strings.Contains(found.list[0].Message, "cannot be sized without it"); told != c.says || (b.reserved.Why == nil) != c.says {
			t.Errorf("%v, %+v", found.list, b.reserved)
		}
	}
}
