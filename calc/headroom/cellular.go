package headroom

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// cellular is the base of methods that compute headroom in cells and leave the reserve of the PG to
// the chip.
type cellular struct {
	chip *chips.Chip
	cell units.Bytes // unit of headroom: a cell, unless the chip counts headroom in another
	unit chips.Datum[units.Bytes]
}

func newCellular(chip *chips.Chip) (cellular, error) {
	if unit, err := chip.HeadroomCell.Get(); err == nil {
		return cellular{chip, unit, chip.HeadroomCell}, nil
	}
	cell, err := chip.CellSize.Get()
	return cellular{chip, cell, chip.CellSize}, err
}

// finer reports whether the chip charges packets in a smaller unit than that of headroom.
func (c cellular) finer() bool { return c.chip.CellSize.Or(c.cell) < c.cell }

// reserve returns the reserve of a PG of the chip: the factory's, or one largest frame where the
// catalogue has none.
func (c cellular) reserve(in *Input) units.Bytes {
	if own, err := c.chip.PGReserve.Get(); err == nil {
		return own
	}
	return in.PortMTU.CeilTo(c.cell)
}

// pooled reports whether headroom is in a pool that PGs share. On a chip that is not known to have
// one, every PG owns its headroom.
func (c cellular) pooled() bool { return c.chip.HeadroomPool.Or(false) }

// result completes a figure in cells: a profile's size is the reserve, and the
// headroom besides where it is not pooled.
func (c cellular) result(in *Input, cells units.Cells) Result {
	r := Result{XOff: cells.Bytes(c.cell), Size: c.reserve(in), Cells: cells}
	if !c.pooled() {
		r.Size += r.XOff
	}
	return r
}

// explainCell returns the node of the unit of headroom.
func (c cellular) explainCell() *plan.Why { return datum(c.unit) }

// derive completes the derivation of a figure in cells.
func (c cellular) derive(in *Input, r Result, cells *plan.Why) Derivation {
	xoff := formula("cells-to-bytes", "headroom", r.XOff, term("cells", cells), term("cell", c.explainCell()))
	var reserve *plan.Why
	if c.chip.PGReserve.Fact() != nil {
		reserve = datum(c.chip.PGReserve)
	} else {
		reserve = rounded("up to cells", "reserve", c.reserve(in), given("port_mtu", in.PortMTU))
	}
	size := reserve
	if !c.pooled() {
		size = formula("own-headroom", "size", r.Size, term("reserve", reserve), term("headroom", xoff))
	}
	xon := &plan.Why{Kind: plan.Default, Name: "xon", Value: r.XOn, Note: "the PG resumes by its offset below the pause threshold"}
	return Derivation{XOff: xoff, XOn: xon, Size: size}
}
