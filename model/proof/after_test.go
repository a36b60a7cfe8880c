package proof

import (
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// A port of 10 Gbps waits behind a frame of 1000 B of wire and sends 84 B of pause: 1084 B, 867.2 ns, 867.287 ns by a
// clock that is 100 ppm slow; a metre of cable is 10 ns there and back. At 1.250125 B in a ns, which is 100 ppm fast, come
// 1084 B without cable, and 12.5 B more a metre. Packets of 64 B, 84 B of wire, take a cell of 64 B each: 12 of them and
// the one that has just begun.
func TestAfterByHand(t *testing.T) {
	with := func(metadata units.Bytes, decided mmu.Decided) *After {
		config := &mmu.Config{CellBytes: 64, MetadataBytes: metadata}
		config.Rules.Decided = decided
		return &After{prover{config: config, packings: map[units.Bytes]*packing{}}}
	}
	link := model.Link{Rate: 10 * units.Gbps, PortFrame: 980, LosslessFrame: 64}
	for _, c := range []struct {
		after *After
		cable units.Length
		want  int64
	}{
		{with(0, mmu.AtStart), 0, 13}, {with(0, mmu.AtStart), 7 * units.Metre, 14}, {with(0, mmu.AtStart), 8 * units.Metre, 15}, // 1171 and 1184 B; 14 take 1176
		{with(0, mmu.AtEnd), 0, 14},   // the one that decides is whole too
		{with(1, mmu.AtStart), 0, 26}, // 65 B are two cells
	} {
		l := link
		l.Cable = c.cable
		must.Equalf(t, c.after.Cells(l), c.want, "%v: cells:", c.cable)
	}
	after := with(0, mmu.AtStart)
	for _, c := range []struct {
		cells  int64
		metres units.Length
		ok     bool
	}{
		{0, 0, false}, {12, 0, false}, {13, 0, true}, {14, 7, true},
		{15, 14, true},         // 1260 B: 14.06 m
		{14_895, 99_997, true}, // 14,895 packets are 1,251,180 B: 99,997.66 m
		{14_896, 100_000, true}, {1 << 40, 100_000, true},
	} {
		link.Cable = 5 * units.Metre // what a link has counts for nothing
		if got, ok := after.Longest(link, c.cells); got != c.metres*units.Metre || ok != c.ok {
			t.Errorf("%d cells: %v, %v; want %d m, %v", c.cells, got, ok, c.metres, c.ok)
		}
	}
}

// What of a chip counts is its cell, what it stores with a packet, and which byte decides.
func TestAfterOfChips(t *testing.T) {
	own := must.Sound(chips.Load(chips.Source{Name: "late.hcl", Text: []byte(`
chip "tomahawk5" {
  extends = "tomahawk5"
  xoff_decided {
    value      = "end"
    confidence = "assumed"
    source     = "a test"
  }
}`)}))(t)
	for _, chip := range own.Chips() {
		after, err := NewAfter(chip)
		cell, unknown := chip.CellSize.Get()
		if (err != nil) != (unknown != nil) {
			t.Errorf("%s: %v, and its cell: %v", chip.Name, err, unknown)
		}
		c := after.config
		if c.CellBytes != cell || c.MetadataBytes != chip.PacketMetadata.Or(0) {
			t.Errorf("%s: a cell of %v and %v of metadata", chip.Name, c.CellBytes, c.MetadataBytes)
		}
		if atEnd := chip.Name == "tomahawk5"; (c.Rules.Decided == mmu.AtEnd) != atEnd {
			t.Errorf("%s: %v", chip.Name, c.Rules.Decided)
		}
	}
}

func catalogued5(t *testing.T) *chips.Chip {
	t.Helper()
	own := must.Sound(chips.Load())(t)
	chip, _ := own.Find("tomahawk5")
	return chip
}
