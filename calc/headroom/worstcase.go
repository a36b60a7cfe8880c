package headroom

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// The worst case: the bytes that arrive after a pause if everything that is not declared goes wrong.
//
//	window = (frame ahead + pause frame)/R + 2·(cable + gearbox) + interface + response
//	bytes  = window · R
//	cells  = ⌊bytes · k/w⌋ + ⌈last frame/cell⌉
//
// The pause frame waits behind the largest frame of the port. The port's own layers take
// what the catalogue knows of the chip, or what IEEE 802.3 allows; the peer responds within
// what is declared, or what IEEE 802.3 allows. The port's clock is 100 ppm slow and the
// peer's 100 ppm fast. Packets are of the size that takes most cells for its bytes on the
// wire, k cells for w bytes, or the mix that is declared. The last frame begins when the
// window ends, and where the chip decides to pause with the last byte of a packet, that
// packet may be the largest too and comes on top.
//
// The prover of package model, which knows nothing of this package, asks for the same: a
// test outside both checks one against the other. So a fabric that is compiled by this
// method is proved without anything being taken for granted of its peers.
type worstCase struct {
	cellular
	metadata units.Bytes
	decided  string // with which byte of a packet the chip decides to pause; "": nothing is published
}

const worstCaseSource = "IEEE 802.1Q-2018 Annex N; IEEE 802.3-2018 31B.3.7, 4.4.2"

func newWorstCase(chip *chips.Chip) (Method, error) {
	// Packets take whole cells of the buffer, in whatever unit headroom is configured.
	cell, err := chip.CellSize.Get()
	return worstCase{cellular{chip, cell, chip.CellSize}, chip.PacketMetadata.Or(0), chip.XOFFDecided.Or("")}, err
}

// frames returns the largest frames on top of the window: the last one, and the one that decides.
func (m *worstCase) frames(in *Input) int64 {
	if m.decided == "start" || m.decided == "" && in.FirstByte {
		return 1
	}
	return 2
}

func (worstCase) Name() string   { return "worst-case" }
func (worstCase) Source() string { return worstCaseSource }

// Clocks of Ethernet are within 100 parts in a million of their rate: IEEE 802.3 4.4.2.
const (
	clockParts = 10_000
	slowClock  = clockParts - 1
	fastClock  = clockParts + 1
)

// worstSteps are the figures between input and result.
type worstSteps struct {
	frame   units.Bytes // largest lossless frame
	iface   units.Time
	window  units.Time
	bytes   units.Bytes
	packing packing
	cells   units.Cells
}

func (m *worstCase) steps(in *Input) worstSteps {
	s := worstSteps{frame: min(in.LosslessMTU, in.PortMTU), iface: m.chip.PauseDelay.Or(interfaceTime(in.Speed))}
	response := in.PeerResponse
	if response == 0 {
		response, _ = standardResponse(in.Speed)
	}
	ahead := int64(in.PortMTU + interFrame + slot)
	sent := units.Time(units.CeilMulDiv(ahead*clockParts, psBits, int64(in.Speed)*slowClock))
	s.window = sent + roundTrip(in.Cable) + 2*in.Gearbox + s.iface + response
	s.bytes = units.Bytes(units.FloorMulDiv(int64(s.window), int64(in.Speed)*fastClock, psBits*clockParts))
	s.packing = worstPacking(m.cell, m.metadata, s.frame)
	if in.mixed() {
		s.cells = MixedCells(s.bytes, m.cell, m.metadata, s.frame, in.SmallPackets, m.frames(in))
	} else {
		s.cells = units.Cells(units.FloorMulDiv(int64(s.bytes), int64(s.packing.cells), int64(s.packing.wire)))
	}
	s.cells += units.Cells(m.frames(in)) * (s.frame + m.metadata).CeilCells(m.cell)
	return s
}

func (m worstCase) Compute(in Input) (Result, error) {
	if err := in.check(); err != nil {
		return Result{}, err
	}
	return m.result(&in, m.steps(&in).cells), nil
}

func (m worstCase) Explain(in Input) (Result, Derivation, error) {
	r, err := m.Compute(in)
	if err != nil {
		return Result{}, Derivation{}, err
	}
	s := m.steps(&in)
	speed := given("speed", in.Speed)
	window := formula("pause-window", "time until the last frame begins", s.window,
		term("port_mtu", given("port_mtu", in.PortMTU)), term("rate", speed),
		term("length", given("cable", in.Cable)), term("gearbox", given("gearbox", in.Gearbox)),
		term("interface", m.explainInterface(s.iface)), term("response", explainResponseTime(&in)))
	bytes := formula("pause-bytes", "bytes that arrive until then", s.bytes, term("window", window), term("rate", speed))
	terms := []plan.Term{
		term("bytes", bytes),
		term("frame", m.explainFrame(&in, s.frame)),
		term("frames", m.explainFrames(&in)),
		term("metadata", explainMetadata(m.chip)),
		term("cell", m.explainCell()),
	}
	id := "headroom-worst-case"
	if in.mixed() {
		id = "headroom-worst-mix"
		terms = append(terms, term("small_packets", given("small_packets", in.SmallPackets)))
	} else {
		terms = append(terms, term("worst_packet", standard("worst packet", s.packing.frame, "the packet that takes most cells per byte on the wire")))
	}
	return r, m.derive(&in, r, formula(id, "headroom", r.Cells, terms...)), nil
}

func (m *worstCase) explainInterface(v units.Time) *plan.Why {
	if m.chip.PauseDelay.Fact() != nil {
		return datum(m.chip.PauseDelay)
	}
	return standard("the port's own layers, out and in", v, interfaceSource)
}

func (m *worstCase) explainFrame(in *Input, v units.Bytes) *plan.Why {
	if v == in.LosslessMTU {
		return given("lossless_mtu", v)
	}
	return given("port_mtu", v)
}

func (m *worstCase) explainFrames(in *Input) *plan.Why {
	const name = "largest frames beside them"
	frames, f := plan.Count(m.frames(in)), m.chip.XOFFDecided.Fact()
	switch {
	case f == nil && in.FirstByte:
		return &plan.Why{Kind: plan.Default, Name: name, Value: frames, Source: "assumed: the chip decides to pause with the first byte of a packet; nothing is published of it"}
	case f == nil:
		return &plan.Why{Kind: plan.Default, Name: name, Value: frames, Source: "nothing is published of the byte with which the chip decides to pause; the last costs most"}
	}
	return &plan.Why{Kind: plan.Catalogue, Name: name, Value: frames, ID: "xoff_decided", Source: f.Source, Note: f.Confidence.String(), Range: f.Range}
}

// explainMetadata returns the node of what a chip adds to a packet.
func explainMetadata(chip *chips.Chip) *plan.Why {
	if chip.PacketMetadata.Fact() != nil {
		return datum(chip.PacketMetadata)
	}
	return &plan.Why{Kind: plan.Default, Name: "packet_metadata", Value: units.Bytes(0), Note: "the catalogue has none"}
}
