package headroom

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
)

// The delay value of IEEE 802.1Q-2018 Annex N, with the pause response of IEEE 802.3
// 31B.3.7 for the peer, turned into cells at the worst packet size:
//
//	DV    = frame ahead + pause frame + interface + 2·cable + response + last frame
//	cells = ⌈(DV − last frame) · k/w⌉ + ⌈last frame/cell⌉
//
// "Frame ahead" is the largest frame of the port, which the pause frame waits behind; "last frame"
// is the largest lossless one, which the peer may start at the end of its response. Both count with
// preamble and gap. "Interface" is the delay by this station's own layers below the MAC, of the
// pause frame on the way out and of frames on the way in. The peer's own such delays and its
// decision are inside the response, which 31B.3.7 counts at its connector; Annex N lists them one
// by one (interface delays of both stations, and 614.4 ns of higher layers) for lack of it. k cells
// for w bytes on the wire is the worst packing: see worstPacking. The last frame is one frame, not
// many small ones.
//
// This is the bound that any conforming peer keeps. Real peers respond faster, and
// vendors' tables are below it for short cables.
type ieee struct {
	cellular
	metadata units.Bytes
}

const ieeeSource = "IEEE 802.1Q-2018 Annex N; IEEE 802.3-2018 31B.3.7"

func newIEEE(chip *chips.Chip) (Method, error) {
	c, err := newCellular(chip)
	if c.finer() { // frames are packed into the unit in which the chip charges them
		c.cell, c.unit = chip.CellSize.Or(c.cell), chip.CellSize
	}
	return ieee{c, chip.PacketMetadata.Or(0)}, err
}

func (ieee) Name() string   { return "ieee8021q" }
func (ieee) Source() string { return ieeeSource }

// interfaceDelay returns the most that the layers below the MAC may take, out and in together, in
// bit times. 10G, 25G, 40G and 100G are sums of the sublayers' limits; the others are assumed: 50G
// as twice 25G, and from 200G the 614.4 ns of 40G.
func interfaceDelay(speed units.BitRate) int64 {
	switch {
	case speed <= 10*units.Gbps:
		return 8192
	case speed <= 25*units.Gbps:
		return 6144
	case speed <= 40*units.Gbps:
		return 24576
	case speed <= 50*units.Gbps:
		return 12288
	case speed <= 100*units.Gbps:
		return 122880
	}
	return units.CeilMulDiv(int64(speed), int64(delay40G), int64(units.Second))
}

// delay40G is the interface delay of 40G, 24,576 bit times.
const delay40G = 614_400 * units.Picosecond

// interfaceTime is interfaceDelay in time, rounded up to a picosecond.
func interfaceTime(speed units.BitRate) units.Time {
	if speed > 100*units.Gbps {
		return delay40G
	}
	return units.Time(units.CeilMulDiv(interfaceDelay(speed), int64(units.Second), int64(speed)))
}

const interfaceSource = "IEEE 802.3 delay constraints of the sublayers, as summed in Gupta and Mazurek, Detecting, Troubleshooting, and Preventing Congestion in Storage Networks, Cisco Press 2023, chapter 7 (10G, 25G, 40G, 100G); other speeds assumed"

// ieeeSteps are the terms of the delay value, in bytes on the wire.
type ieeeSteps struct {
	ahead, pause, iface, response units.Bytes

	beforeLast units.Bytes // all but the last frame, with the cable
	packing    packing
	small      units.Cells // cells of beforeLast
	large      units.Cells // cells of the last frame
}

func (m *ieee) steps(in *Input) ieeeSteps {
	response := in.responseBytes()
	s := ieeeSteps{
		ahead:    in.PortMTU + interFrame,
		pause:    slot,
		iface:    units.Bytes(units.CeilMulDiv(interfaceDelay(in.Speed), 1, 8)),
		response: response,
		packing:  worstPacking(m.cell, m.metadata, in.LosslessMTU),
		large:    (in.LosslessMTU + m.metadata).CeilCells(m.cell),
	}
	s.beforeLast = wireBytes(s.ahead+s.pause+s.iface+s.response, in.Speed, roundTrip(in.Cable))
	s.small = s.packing.cellsOf(s.beforeLast)
	if in.mixed() {
		s.small = m.wireCells(in, s.beforeLast)
	}
	return s
}

func (m ieee) Compute(in Input) (Result, error) {
	if err := in.check(); err != nil {
		return Result{}, err
	}
	s := m.steps(&in)
	return m.result(&in, s.small+s.large), nil
}

func (m ieee) Explain(in Input) (Result, Derivation, error) {
	r, err := m.Compute(in)
	if err != nil {
		return Result{}, Derivation{}, err
	}
	s := m.steps(&in)
	delay := formula("pfc-delay-value", "delay value without the last frame", s.beforeLast,
		term("port_mtu", given("port_mtu", in.PortMTU)),
		term("pause", standard("pause frame with preamble and gap", s.pause, "IEEE 802.3 31B.2 and 4.4.2")),
		term("interface", standard("interface delay", s.iface, interfaceSource)),
		term("length", given("cable", in.Cable)),
		term("rate", given("speed", in.Speed)),
		term("response", explainResponse(&in, s.response)))
	if in.mixed() {
		cells := formula("headroom-ieee8021q-mix", "headroom", r.Cells,
			term("delay_value", delay), term("wire_per_cell", m.explainPerCell(&in, nil)),
			term("lossless_mtu", given("lossless_mtu", in.LosslessMTU)), term("metadata", explainMetadata(m.chip)), term("cell", m.explainCell()))
		return r, m.derive(&in, r, cells), nil
	}
	worst := standard("worst packet", s.packing.frame, "the packet that takes most cells per byte on the wire")
	cells := formula("headroom-ieee8021q", "headroom", r.Cells,
		term("delay_value", delay),
		term("worst_packet", worst),
		term("lossless_mtu", given("lossless_mtu", in.LosslessMTU)),
		term("metadata", explainMetadata(m.chip)),
		term("cell", m.explainCell()))
	return r, m.derive(&in, r, cells), nil
}
