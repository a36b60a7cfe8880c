package proof

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// An After counts what still comes in at ports of a chip after they have paused their peers: the
// left side of [Headroom], for links that are in no plan.
type After struct{ prover }

// NewAfter makes one. The error is of a chip whose cell is not known.
func NewAfter(chip *chips.Chip) (*After, error) {
	cell, err := chip.CellSize.Get()
	config := &mmu.Config{CellBytes: cell, MetadataBytes: chip.PacketMetadata.Or(0)}
	if name := chip.XOFFDecided.Or(""); name != "" && err == nil {
		err = config.Rules.Decided.UnmarshalText([]byte(name))
	}
	return &After{prover{config: config, packings: map[units.Bytes]*packing{}}}, err
}

// Cells returns the cells that come in at worst. The link must have no figure that is unknown.
func (a *After) Cells(l model.Link) int64 { return a.need(l) }

// furthest bounds the search for a length: no port of a switch is further from its peer.
const furthest = 100 * units.Kilometre

// Longest returns the longest cable in whole metres over which no more than so many cells come in,
// 100 km at most; false where even one of no length brings more.
func (a *After) Longest(l model.Link, cells int64) (cable units.Length, ok bool) {
	fits := func(metres units.Length) bool {
		l.Cable = metres * units.Metre
		return a.need(l) <= cells
	}
	if !fits(0) {
		return 0, false
	}
	low, high := units.Length(0), furthest/units.Metre
	for low < high {
		if middle := (low + high + 1) / 2; fits(middle) {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low * units.Metre, true
}
