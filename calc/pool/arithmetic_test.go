package pool

import (
	"errors"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// byHand has two groups and no two figures alike, so that each term of a sum shows.
//
//	lossless  4·2·1000 = 8,000                   shortfall 4·2·(700 + 500 − 1000) = 1,600
//	lossy     4·(100 + 2048) + 3·(100 + 2048 + 2048 − 1024) = 8,592 + 9,516 = 18,108
//	egress    7·(11 + 3·13 + 5·17) = 945
//	management 4·2048 + 3·(2048 + 1024) = 17,408
//	mirror    7·19 = 133
//	lossless ports 4 (the wide ones have no lossless PG, the third group is down)
func byHand() *SpectrumInput {
	return &SpectrumInput{
		Chip: SpectrumChip{MMU: 1_000_000, Cell: 1000, Latency: 2 * units.KiB, Management: 23, Descriptors: 29, Mirror: 19, PrivateHeadroom: 31},
		Groups: []SpectrumGroup{
			{Ports: 4, Lanes: 4, Up: true, LosslessPGs: 2, XOn: 700, XOff: 500, Size: 1000},
			{Ports: 3, Lanes: 8, Up: true, XOn: 700, XOff: 500, Size: 1000},
			{Ports: 5, Lanes: 4, LosslessPGs: 2, XOn: 700, XOff: 500, Size: 1000},
		},
		Profiles: SpectrumProfiles{IngressLossy: 100, EgressLossless: 13, EgressLossy: 11, QueueLossy: 17},
	}
}

// taken is what byHand takes without a headroom pool: 8,000 + 18,108 + 945 + 17,408 + 133 + 23 + 29.
const taken = 44_646

func TestSpectrumByHand(t *testing.T) {
	sums := SpectrumResult{Lossless: 8000, Lossy: 18_108, Egress: 945, Management: 17_408, Mirror: 133, Shortfall: 1600, LosslessPorts: 4, PortsUp: 7}
	for name, c := range map[string]struct {
		set                   func(in *SpectrumInput)
		pool, private, remain units.Bytes
		size                  units.Bytes
		forced                bool
	}{
		// No ratio and no size, but a shortfall: 640 KiB, and 4·31 private.
		"forced": {func(*SpectrumInput) {}, 655_360, 124, 1_000_000 - taken - 655_360 - 124, 299_870, true},
		// (1600 − 124)/5 = 295.2, rounded up.
		"computed": {func(in *SpectrumInput) { in.OverSubscribe = 5 }, 296, 124, 1_000_000 - taken - 296 - 124, 954_934, false},
		// (1600 − 124)/1.
		"a ratio of one": {func(in *SpectrumInput) { in.OverSubscribe = 1 }, 1476, 124, 1_000_000 - taken - 1600, 953_754, false},
		"configured":     {func(in *SpectrumInput) { in.OverSubscribe, in.HeadroomPool = 5, 1 }, 1, 124, 1_000_000 - taken - 125, 955_229, false},
		// 955,229 is odd: half of it, rounded up.
		"two pools": {func(in *SpectrumInput) { in.HeadroomPool, in.TwoIngressPools = 1, true }, 1, 124, 955_229, 477_615, false},
		// Nothing shared, for nothing falls short.
		"no shortfall": {func(in *SpectrumInput) { in.Groups[0].XOff = 300 }, 0, 0, 1_000_000 - taken, 955_354, false},
		// What is more than xon and xoff makes up for nothing.
		"more than enough": {func(in *SpectrumInput) { in.Groups[0].XOff = 100 }, 0, 0, 1_000_000 - taken, 955_354, false},
		// One byte over, 8 times, is a shortfall.
		"one byte short": {func(in *SpectrumInput) { in.Groups[0].XOff = 301 }, 655_360, 124, 1_000_000 - taken - 655_484, 299_870, true},
		// A pool is no larger than the whole cells of the buffer: one of 600,000 B in 1,000,000.
		"large cells": {func(in *SpectrumInput) { in.HeadroomPool, in.Chip.Cell = 1, 600_000 }, 1, 124, 955_229, 600_000, false},
	} {
		in := byHand()
		c.set(in)
		want := sums
		want.HeadroomPool, want.Private, want.Available, want.Size, want.ForcedHeadroom = c.pool, c.private, c.remain, c.size, c.forced
		switch in.Groups[0].XOff {
		case 300, 100:
			want.Shortfall = 0
		case 301:
			want.Shortfall = 8
		}
		if got, err := Spectrum(in); err != nil || got != want {
			t.Errorf("%s: %v\n%+v, want\n%+v", name, err, got, want)
		}
	}
}

// The last byte that is left, and none.
func TestSpectrumShortage(t *testing.T) {
	in := byHand()
	in.HeadroomPool, in.Chip.Cell = 1, 1
	in.Chip.MMU = taken + 125 + 1
	if r, err := Spectrum(in); err != nil || r.Size != 1 {
		t.Errorf("%v, %v", r.Size, err)
	}
	in.Chip.MMU--
	r, err := Spectrum(in)
	var short *Shortage
	if !errors.As(err, &short) || *short != (Shortage{44_771, 44_771}) || r.Lossless != 8000 || r.Size != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// What the catalogue does not say of a chip is named; descriptors and mirroring are none then.
func TestSpectrumOfAnUnknownChip(t *testing.T) {
	cat := must.Sound(chips.Load())(t)
	chip, _ := cat.Find("spectrum-4")
	whole, err := SpectrumOf(chip)
	if err != nil || whole.Cell != 192 || whole.PrivateHeadroom != 10*units.KiB {
		t.Errorf("%+v, %v", whole, err)
	}
	for _, forget := range []func(c *chips.Chip){
		func(c *chips.Chip) { c.UsableBuffer = chips.Datum[units.Bytes]{} },
		func(c *chips.Chip) { c.CellSize = chips.Datum[units.Bytes]{} },
		func(c *chips.Chip) { c.Spectrum.PipelineLatency = chips.Datum[units.Bytes]{} },
		func(c *chips.Chip) { c.Spectrum.PortReserved = chips.Datum[units.Bytes]{} },
		func(c *chips.Chip) { c.Spectrum.PrivateHeadroom = chips.Datum[units.Bytes]{} },
	} {
		bare := *chip
		forget(&bare)
		var unknown *chips.Unknown
		if c, err := SpectrumOf(&bare); !errors.As(err, &unknown) || c != (SpectrumChip{}) {
			t.Errorf("%+v, %v", c, err)
		}
	}
	bare := *chip
	bare.Spectrum.DescriptorPool, bare.Spectrum.MirrorHeadroom = chips.Datum[units.Bytes]{}, chips.Datum[units.Bytes]{}
	if c, err := SpectrumOf(&bare); err != nil || c.Descriptors != 0 || c.Mirror != 0 {
		t.Errorf("%+v, %v", c, err)
	}
}

// One lossless group of one port that is short of one byte: private headroom of one port, and a
// pool that is forced.
func TestSpectrumOfOneGroup(t *testing.T) {
	in := byHand()
	in.Groups = []SpectrumGroup{{Ports: 1, Lanes: 4, Up: true, LosslessPGs: 1, XOn: 700, XOff: 301, Size: 1000}}
	r, err := Spectrum(in)
	if err != nil || r.LosslessPorts != 1 || r.Shortfall != 1 || r.Private != 31 || !r.ForcedHeadroom || r.HeadroomPool != 640*units.KiB {
		t.Errorf("%+v, %v", r, err)
	}
}
