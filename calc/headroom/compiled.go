package headroom

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
)

// A compiled method is the default of `compile` where a fabric names no method: the worst case, and
// at least the vendor's figures, by the SDK's default and by the chip's own formula.
type compiled struct {
	worst Method
	own   Method // nil where the catalogue has none
	chip  *chips.Chip
}

// Compiled binds the compiler's default to a chip.
func Compiled(chip *chips.Chip) (Method, error) {
	worst, err := For(chip, "worst-case")
	if err != nil {
		return nil, err
	}
	c := compiled{worst: worst, chip: chip}
	if own, err := For(chip, ""); err == nil {
		c.own = own
	}
	return c, nil
}

func (c compiled) Name() string { return c.worst.Name() }

func (c compiled) Source() string {
	return c.worst.Source() + "; at least what the chip's vendor gives"
}

// Compute takes the port's MTU as frames on the wire.
func (c compiled) Compute(in Input) (Result, error) {
	r, err := c.worst.Compute(in)
	if err != nil {
		return r, err
	}
	cell, least := c.chip.CellSize.Or(1), c.sdk(in.Speed)
	if c.own != nil {
		theirs := in
		theirs.PortMTU = PortMTU(c.own, in.PortMTU)
		if own, err := c.own.Compute(theirs); err == nil {
			least = max(least, own.XOff.CeilTo(cell))
			r.XOn = own.XOn.CeilTo(cell)
		}
	}
	if least > r.XOff {
		r.XOff, r.Cells = least, least.CeilCells(cell)
	}
	return c.reserved(r, cell), nil
}

// reserved adds the rest that the group owns: on Spectrum its profile holds headroom and the level
// at which it resumes, elsewhere it is the reserve of the factory.
func (c compiled) reserved(r Result, cell units.Bytes) Result {
	if c.chip.Family == chips.Spectrum {
		r.Size = r.XOn + r.XOff
		return r
	}
	r.XOn, r.Size = 0, c.chip.PGReserve.Or(0).CeilTo(cell)
	return r
}

// Explain gives the worst case's derivation: `compile` and `explain` have that of the floor.
func (c compiled) Explain(in Input) (Result, Derivation, error) {
	r, err := c.Compute(in)
	if err != nil {
		return r, Derivation{}, err
	}
	_, d, err := c.worst.Explain(in)
	return r, d, err
}

// sdk returns the default of the vendor's SDK at a speed; 0 where the catalogue has none.
func (c compiled) sdk(speed units.BitRate) units.Bytes {
	cells := c.chip.SDKHeadroom.LineRate.Or(nil)
	for i, at := range c.chip.SDKHeadroom.Speeds.Or(nil) {
		if at == speed && i < len(cells) {
			return cells[i].Bytes(c.chip.CellSize.Or(1))
		}
	}
	return 0
}
