package headroom

import (
	"fmt"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// The linear form that the headroom tables of Broadcom's XGS and DNX chips follow:
//
//	cells = ⌈(A + R·(T + 10 ns/m·L)) / Z⌉
//
// A is the largest frame, once or twice: the one ahead of the pause frame, and the one that the
// peer has started. T is the part that does not depend on the cable, in both ends; where a chip's
// table gives it by speed, it falls as speeds rise, as the delay of serdes and error correction
// does. Z is how many bytes on the wire fill one cell at the worst packet size, 84 where that is
// one smallest packet. Some tables round the speed up to a class of serdes lanes first: 10G counts
// as 25G, 40G as 50G.
//
// No vendor has published the formula. Its form and constants are fitted to tables
// that ship with SONiC (sonic-buildimage device/*/*/*/pg_profile_lookup.ini); each
// constant's source in the catalogue names its table and the error. With T by speed
// most tables come out to the cell, at every length, which is why the form is believed.
//
// Where vendors of platforms disagree about a chip, the catalogue has the more
// cautious table that fits the form, and "xgs:nokia" or "xgs:arista" choose a
// platform's own constants: see [Platforms].
type xgs struct {
	cellular
	linear
	platform string // "" : the chip's constants
	source   string // of a platform's constants
}

const xgsSource = "linear form fitted to the pg_profile_lookup.ini tables of sonic-buildimage, constants by chip"

// linear are the constants.
type linear struct {
	fixed   units.Bytes
	classes []class // ascending by speed
	beyond  class   // for speeds above all classes; its speed does not count

	minCable   units.Length  // shorter cables count as this long
	longCable  units.Length  // from this length on …
	longSpeed  units.BitRate // … a port counts as at least this fast; 0: no such rule
	nearCable  units.Length  // up to this length …
	nearSaving units.Time    // … the peer is a host and responds so much faster; 0: no such rule
}

// A class holds the constants for speeds up to its own.
type class struct {
	speed    units.BitRate
	response units.Time
	perCell  units.Bytes
}

func newXGS(chip *chips.Chip) (Method, error) {
	c, err := newCellular(chip)
	if err != nil {
		return nil, err
	}
	m := xgs{cellular: c}
	x := &chip.XGSHeadroom
	if m.fixed, err = x.Fixed.Get(); err != nil {
		return nil, err
	}
	if m.beyond.response, err = x.Response.Get(); err != nil {
		return nil, err
	}
	if m.beyond.perCell, err = x.WirePerCell.Get(); err != nil {
		return nil, err
	}
	speeds, responses := x.SpeedClass.Or(nil), x.Responses.Or(nil)
	for i, speed := range speeds { // package chips sees to it that there is a response for each, or none
		at := class{speed, m.beyond.response, m.beyond.perCell}
		if responses != nil {
			at.response = responses[i]
		}
		m.classes = append(m.classes, at)
	}
	m.minCable, m.longCable, m.longSpeed = x.MinCable.Or(0), x.LongCable.Or(0), x.LongSpeed.Or(0)
	return m, nil
}

func (m xgs) Name() string {
	if m.platform != "" {
		return "xgs:" + m.platform
	}
	return "xgs"
}

func (m xgs) Source() string {
	if m.platform != "" {
		return m.source
	}
	return xgsSource
}

// class returns what counts for a port: the class that its speed rounds up to.
func (m *linear) class(in *Input) class {
	speed := in.Speed
	if in.Cable >= m.longCable {
		speed = max(speed, m.longSpeed)
	}
	for _, at := range m.classes {
		if speed <= at.speed {
			return at
		}
	}
	return class{speed, m.beyond.response, m.beyond.perCell}
}

// delay returns the class and the time that counts: response and cable both ways.
func (m *linear) delay(in *Input) (class, units.Time) {
	at := m.class(in)
	t := at.response + roundTrip(max(in.Cable, m.minCable))
	if in.Cable <= m.nearCable {
		t -= m.nearSaving
	}
	return at, t
}

func (m xgs) Compute(in Input) (Result, error) {
	if err := in.check(); err != nil {
		return Result{}, err
	}
	at, t := m.delay(&in)
	return m.result(&in, wireCells(m.fixed, at.speed, t, m.perCell(&in, at.perCell))), nil
}

func (m xgs) Explain(in Input) (Result, Derivation, error) {
	r, err := m.Compute(in)
	if err != nil {
		return Result{}, Derivation{}, err
	}
	at, _ := m.delay(&in)
	cells := formula("headroom-xgs", "headroom", r.Cells,
		term("fixed", m.constant(&m.chip.XGSHeadroom.Fixed, "frames in transmission", m.fixed)),
		term("rate", m.explainSpeed(&in, at)),
		term("response", m.explainResponse(&in, at)),
		term("length", m.explainCable(&in)),
		term("wire_per_cell", m.explainPerCell(&in, m.constant(&m.chip.XGSHeadroom.WirePerCell, "wire bytes per cell", at.perCell))))
	cells.Source = m.source
	return r, m.derive(&in, r, cells), nil
}

// constant returns the node of a constant: the chip's datum, or a figure of the platform.
func (m *xgs) constant(d fact, name string, v fmt.Stringer) *plan.Why {
	if m.platform != "" {
		return standard(name, v, m.source)
	}
	f := d.Fact()
	return &plan.Why{Kind: plan.Catalogue, Name: name, Value: v, ID: d.Name(), Source: f.Source, Note: f.Confidence.String(), Range: f.Range}
}

// fact is a datum whatever its type.
type fact interface {
	Fact() *chips.Fact
	Name() string
}

func (m *xgs) explainSpeed(in *Input, at class) *plan.Why {
	speed := given("speed", in.Speed)
	if at.speed == in.Speed {
		return speed
	}
	why := rounded("up to a class of speeds", "speed", at.speed, speed)
	if m.longSpeed > in.Speed && in.Cable >= m.longCable {
		why.Note = fmt.Sprintf("from %s on at least %s", m.longCable, m.longSpeed)
	}
	return why
}

func (m *xgs) explainResponse(in *Input, at class) *plan.Why {
	x := &m.chip.XGSHeadroom
	response := m.constant(&x.Response, "response", at.response)
	if x.Responses.Fact() != nil && at.response != m.beyond.response {
		response = m.constant(&x.Responses, "response", at.response)
	}
	if m.nearSaving == 0 || in.Cable > m.nearCable {
		return response
	}
	_, t := m.delay(in)
	return formula("near-response", "response", t-roundTrip(max(in.Cable, m.minCable)),
		term("response", response), term("saving", standard("saving", m.nearSaving, m.source)))
}

func (m *xgs) explainCable(in *Input) *plan.Why {
	cable := given("cable", in.Cable)
	if in.Cable >= m.minCable {
		return cable
	}
	return rounded("up to the least length that the chip's table has", "cable", m.minCable, cable)
}
