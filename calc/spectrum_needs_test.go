package calc

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
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

// An alpha that breaks nothing comes before one that breaks a wish, and this before one that
// breaks a must. What is to be changed keeps the inequality that breaks: the number of stuck
// groups has no part in xoff-time, and none in whether a switch loses packets.
func TestOvershootFix(t *testing.T) {
	breaks := func(id string) *inequality {
		left, right := plan.Of(units.Bytes(3), &plan.Why{Value: units.Bytes(3)}), plan.Of(units.Bytes(2), &plan.Why{Value: units.Bytes(2)})
		one := atMost(id, "", left, right, diag.Range{}, nil)
		return &one
	}
	const lower = "lower kmax, tolerable_delay or the latency of the path, its cables and send_latency"
	alpha := func(text string) units.Alpha {
		a := must.Get(units.ParseAlpha(text))(t)
		return a
	}
	half, one, two := alpha("1/2"), alpha("1"), alpha("2")
	for _, c := range []struct {
		list []remedy
		want string
	}{
		{nil, "no alpha of the chip is large enough: " + lower},
		{[]remedy{{alpha: half}, {alpha: one}}, "set alpha to 1/2"},
		{[]remedy{{alpha: half, wish: breaks("xoff-time")}, {alpha: one}}, "set alpha to 1"},
		{[]remedy{{alpha: half, must: breaks("pg-before-queue")}, {alpha: one, must: breaks("pg-before-queue")}},
			"alpha 1/2 would be large enough but breaks pg-before-queue, which demands 3B ≤ 2B: " + lower},
		{[]remedy{{alpha: half, must: breaks("pg-before-queue"), wish: breaks("newcomer-guarantee")}},
			"alpha 1/2 would be large enough but breaks pg-before-queue, which demands 3B ≤ 2B: " + lower},
		{[]remedy{{alpha: half, must: breaks("ecn-before-pfc")}, {alpha: one, wish: breaks("xoff-time")}, {alpha: two, wish: breaks("xoff-time")}},
			"alpha 1 would be large enough but breaks xoff-time, which demands 3B ≤ 2B: raise xoff_time, or " + lower},
		{[]remedy{{alpha: half, wish: breaks("newcomer-guarantee")}}, "alpha 1/2 would be large enough but breaks newcomer-guarantee, which demands 3B ≤ 2B: lower isolation or burst, or " + lower},
		{[]remedy{{alpha: half, wish: breaks("lossless-leaves-lossy")}}, "alpha 1/2 would be large enough but breaks lossless-leaves-lossy, which demands 3B ≤ 2B: lower isolation, or " + lower},
	} {
		must.Equal(t, overshootFix(c.list), c.want)
	}
}
