package headroom

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
)

// Cisco's published derivation, in bytes on the wire:
//
//	H = D-Max-Frame-Len + D-Pause + D-Intf + 2·D-Cable + D-Resp + D-Max-No-Drop-Frame-Len
//
// from Gupta and Mazurek, chapter 7. It has the terms of [ieee], and cells full to the
// brim, unless a mix of packets is declared: a switch whose cells are larger than its
// smallest packets needs more. Speeds
// for which the book prints no interface delay take the assumption of interfaceDelay.
type cisco struct{ cellular }

const ciscoSource = "Gupta and Mazurek, Detecting, Troubleshooting, and Preventing Congestion in Storage Networks, Cisco Press 2023, chapter 7"

func newCisco(chip *chips.Chip) (Method, error) {
	c, err := newCellular(chip)
	return cisco{c}, err
}

func (cisco) Name() string   { return "cisco" }
func (cisco) Source() string { return ciscoSource }

// CiscoBytes returns the formula's figure in bytes, rounded up.
func CiscoBytes(in Input) units.Bytes {
	frames := in.PortMTU + in.LosslessMTU + 2*interFrame + slot
	return wireBytes(frames+in.responseBytes()+units.Bytes(interfaceDelay(in.Speed)/8), in.Speed, roundTrip(in.Cable))
}

func (m cisco) Compute(in Input) (Result, error) {
	if err := in.check(); err != nil {
		return Result{}, err
	}
	return m.result(&in, m.wireCells(&in, CiscoBytes(in))), nil
}

func (m cisco) Explain(in Input) (Result, Derivation, error) {
	r, err := m.Compute(in)
	if err != nil {
		return Result{}, Derivation{}, err
	}
	wire := formula("headroom-cisco", "headroom on the wire", CiscoBytes(in),
		term("port_mtu", given("port_mtu", in.PortMTU)),
		term("pause", standard("pause frame", slot, "IEEE 802.3 31B.2")),
		term("interface", standard("interface delay", units.Bytes(interfaceDelay(in.Speed)/8), interfaceSource)),
		term("rate", given("speed", in.Speed)),
		term("length", given("cable", in.Cable)),
		term("response", explainResponse(&in, in.responseBytes())),
		term("lossless_mtu", given("lossless_mtu", in.LosslessMTU)))
	return r, m.derive(&in, r, m.explainWireCells(&in, r.Cells, wire)), nil
}
