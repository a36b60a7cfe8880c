package headroom

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
)

// Barefoot's calculator for Tofino, as SONiC runs it: sonic-swss
// cfgmgr/buffer_headroom_barefoot.lua, a sibling of an early version of NVIDIA's.
//
//	propagation = port MTU + cable + 2·gearbox + MAC/PHY delay + response
//	xoff = ⌈lossless MTU + propagation · occupancy⌉ to 1 KiB
//	xon  = size = ⌈pipeline latency⌉ to 1 KiB
//
// Against [spectrum]: the bytes on the cable are divided by 8·1024 like those in the gearbox, the
// peer's response is doubled at 400G, small packets count by number and not by bytes, cells per
// worst packet are not rounded, and headroom is always in a shared pool.
//
// The ASIC table of the platform is not public; the MAC/PHY delay is taken from
// NVIDIA's, 0.8 KiB, and is an assumption.
type tofino struct {
	chip    *chips.Chip
	cell    units.Bytes
	latency units.Bytes
}

const tofinoSource = "sonic-swss cfgmgr/buffer_headroom_barefoot.lua"

// tofinoUnit is the denominator in which every term of the propagation is whole, with
// L in mm, R in Mb/s and delays in ns: the least common multiple of 811,008 (cable:
// 1.98e8 m/s · 8 · 1024 / 2 per 10⁹ · 1000 mm), 4096 and 5.
const tofinoUnit = 4_055_040

func newTofino(chip *chips.Chip) (Method, error) {
	m := tofino{chip: chip}
	if chip.Family != chips.TofinoFam {
		return nil, &WrongFamily{"tofino", chip}
	}
	var err error
	if m.cell, err = chip.CellSize.Get(); err != nil {
		return nil, err
	}
	if m.latency, err = chip.Spectrum.PipelineLatency.Get(); err != nil {
		return nil, err
	}
	return m, nil
}

func (tofino) Name() string   { return "tofino" }
func (tofino) Source() string { return tofinoSource }

// tofinoSteps are the figures between input and result; Units are 1/tofinoUnit bytes.
type tofinoSteps struct {
	cableUnits, gearboxUnits, responseUnits, propagationUnits int64

	occupancyNum, occupancyDen int64
	need                       units.Bytes
}

func (m *tofino) steps(in *Input) tofinoSteps {
	response := in.responseBytes()
	if in.Speed == 400*units.Gbps && in.PeerResponse == 0 {
		response *= 2
	}
	s := tofinoSteps{responseUnits: int64(response) * tofinoUnit}
	mbps := int64(in.Speed / units.Mbps)
	s.cableUnits = int64(in.Cable) * mbps * (tofinoUnit / 811_008)
	s.gearboxUnits = mbps * int64(in.Gearbox/units.Nanosecond) * (tofinoUnit / 4096)
	s.propagationUnits = int64(in.PortMTU)*tofinoUnit + s.cableUnits + s.gearboxUnits + int64(macDelay5)*(tofinoUnit/5) + s.responseUnits

	small, all := int64(in.SmallPackets/shareStep), int64(units.One/shareStep)
	s.occupancyNum, s.occupancyDen = countedOccupancy(m.cell, small, all)
	s.need = in.LosslessMTU + units.Bytes(units.CeilMulDiv(s.propagationUnits, s.occupancyNum, s.occupancyDen*tofinoUnit))
	return s
}

func (m tofino) Compute(in Input) (Result, error) {
	if err := in.check(); err != nil {
		return Result{}, err
	}
	s := m.steps(&in)
	return m.finish(&s), nil
}

func (m *tofino) finish(s *tofinoSteps) Result {
	r := Result{XOff: s.need.CeilTo(spectrumStep), XOn: m.latency.CeilTo(spectrumStep)}
	r.Cells, r.Size = r.XOff.CeilCells(m.cell), r.XOn
	return r
}

func (m tofino) Explain(in Input) (Result, Derivation, error) {
	if err := in.check(); err != nil {
		return Result{}, Derivation{}, err
	}
	s := m.steps(&in)
	r := m.finish(&s)
	xoff := formula("headroom-tofino", "headroom", r.XOff,
		term("port_mtu", given("port_mtu", in.PortMTU)),
		term("lossless_mtu", given("lossless_mtu", in.LosslessMTU)),
		term("rate", given("speed", in.Speed)),
		term("length", given("cable", in.Cable)),
		term("gearbox", given("gearbox", in.Gearbox)),
		term("response", standard("bytes while the peer responds", units.Bytes(s.responseUnits/tofinoUnit), quantaSource+"; twice that at 400G")),
		term("small_packets", given("small_packets", in.SmallPackets)),
		term("cell", datum(m.chip.CellSize)))
	xoff.Note = "the MAC/PHY delay of 0.8 KiB is assumed: NVIDIA's figure, Barefoot's is not public"
	xon := datum(m.chip.Spectrum.PipelineLatency)
	return r, Derivation{XOff: xoff, XOn: xon, Size: xon}, nil
}
