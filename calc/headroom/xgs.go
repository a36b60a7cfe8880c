package headroom

import (
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
)

// The linear form that the headroom tables of Broadcom's XGS and DNX chips follow:
//
//	cells = ⌈(A + R·(T + 10 ns/m·L)) / Z⌉
//
// A is about two largest frames: the one ahead of the pause frame, and the one that
// the peer has started. T is what does not depend on the cable, in both ends. Z is
// how many bytes on the wire fill one cell at the worst packet size, 84 where that is
// one smallest packet. Some tables round the speed up to a class of serdes lanes
// first: 10G counts as 25G, 40G as 50G.
//
// No vendor has published the formula. Its form and constants are fitted to tables
// that ship with SONiC (sonic-buildimage device/*/*/*/pg_profile_lookup.ini), chip by
// chip; each constant's source in the catalogue names its table and the error. On the
// chips where it can be told, the slope per metre agrees to less than one cell.
type xgs struct {
	cellular
	fixed    units.Bytes
	response units.Time
	perCell  units.Bytes
	classes  []units.BitRate
}

const xgsSource = "linear form fitted to the pg_profile_lookup.ini tables of sonic-buildimage, constants by chip"

func newXGS(chip *chips.Chip) (Method, error) {
	c, err := newCellular(chip)
	if err != nil {
		return nil, err
	}
	m := xgs{cellular: c, classes: chip.XGSHeadroom.SpeedClass.Or(nil)}
	if m.fixed, err = chip.XGSHeadroom.Fixed.Get(); err != nil {
		return nil, err
	}
	if m.response, err = chip.XGSHeadroom.Response.Get(); err != nil {
		return nil, err
	}
	if m.perCell, err = chip.XGSHeadroom.WirePerCell.Get(); err != nil {
		return nil, err
	}
	return m, nil
}

func (xgs) Name() string   { return "xgs" }
func (xgs) Source() string { return xgsSource }

// class returns the speed that counts for a port: the next class, or the speed itself
// where there are no classes or none is as fast.
func (m xgs) class(speed units.BitRate) units.BitRate {
	if i, _ := slices.BinarySearch(m.classes, speed); i < len(m.classes) {
		return m.classes[i]
	}
	return speed
}

func (m xgs) Compute(in Input) (Result, error) {
	if err := in.check(); err != nil {
		return Result{}, err
	}
	return m.result(&in, wireCells(m.fixed, m.class(in.Speed), m.response+roundTrip(in.Cable), m.perCell)), nil
}

func (m xgs) Explain(in Input) (Result, Derivation, error) {
	r, err := m.Compute(in)
	if err != nil {
		return r, Derivation{}, err
	}
	x := &m.chip.XGSHeadroom
	speed := given("speed", in.Speed)
	if class := m.class(in.Speed); class != in.Speed {
		fact := x.SpeedClass.Fact()
		speed = rounded("up to a class of serdes lanes", "speed", class, speed)
		speed.Source, speed.Note = fact.Source, fact.Confidence.String()
	}
	cells := formula("headroom-xgs", "headroom", r.Cells, xgsSource,
		term("A", datum(x.Fixed)),
		term("R", speed),
		term("T", datum(x.Response)),
		term("L", given("cable", in.Cable)),
		term("Z", datum(x.WirePerCell)))
	return r, m.derive(&in, r, cells), nil
}
