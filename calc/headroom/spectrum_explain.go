package headroom

import (
	"fmt"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Explain shows the steps that Compute takes.
func (m spectrum) Explain(in Input) (Result, Derivation, error) {
	if err := in.check(); err != nil {
		return Result{}, Derivation{}, err
	}
	s := m.steps(&in)
	r := m.finish(&in, &s)
	xoff := m.explainAdditions(&s, r, m.explainXOff(&in, &s))
	xon := datum(m.chip.Spectrum.PipelineLatency)
	if in.Lanes == wideLanes {
		xon = formula("headroom-spectrum-xon", "xon", r.XOn,
			term("latency", xon), term("overlap", standard("overlap of the two buffer units", 2*m.latency-r.XOn, spectrumSource)))
	}
	size := xon
	if in.OverSubscribe == 0 {
		overhead := standard("no overhead", units.Bytes(0), spectrumSource+": up to four lanes")
		if in.Lanes == wideLanes {
			overhead = given("port_mtu", in.PortMTU)
		}
		size = formula("headroom-spectrum-size", "size", r.Size,
			term("headroom", xoff), term("xon", xon), term("overhead", overhead))
	}
	return r, Derivation{XOff: xoff, XOn: xon, Size: size}, nil
}

// explainXOff returns the calculator's xoff before what is added to it.
func (m *spectrum) explainXOff(in *Input, s *spectrumSteps) *plan.Why {
	tile := standard("tile_delay", m.tile, "the chip is not built of tiles")
	if m.tile != 0 {
		tile = datum(m.chip.Spectrum.TileDelay)
	}
	why := formula(m.document(), "headroom up to 1 KiB", s.xoff,
		term("port_mtu", given("port_mtu", in.PortMTU)),
		term("lossless_mtu", given("lossless_mtu", in.LosslessMTU)),
		term("rate", given("speed", in.Speed)),
		term("length", given("cable", in.Cable)),
		term("gearbox", given("gearbox", in.Gearbox)),
		term("response", m.explainResponse(in, s)),
		term("tile", tile),
		term("small_packets", given("small_packets", in.SmallPackets)),
		term("cell", datum(m.chip.CellSize)))
	why.Note = fmt.Sprintf("propagation %s, cell occupancy %s", decimals(s.propagationUnits, spectrumUnit), decimals(s.occupancyNum, s.occupancyDen))
	return why
}

// document returns the formula's: today's, or that of a release that counts differently.
func (m *spectrum) document() string {
	if m.release.byNumber {
		return "headroom-spectrum-static"
	}
	return "headroom-spectrum"
}

// decimals prints a fraction with three decimals, rounded down.
func decimals(num, den int64) string {
	return fmt.Sprintf("%d.%03d", num/den, units.FloorMulDiv(num%den, 1000, den))
}

// explainAdditions is xoff with the chip's extra and the compensation.
func (m *spectrum) explainAdditions(s *spectrumSteps, r Result, xoff *plan.Why) *plan.Why {
	if s.compensation == 0 && m.extra == 0 {
		return xoff
	}
	extra := standard("no extra", m.extra, spectrumSource)
	if m.extra != 0 {
		extra = datum(m.chip.Spectrum.XOffExtra)
	}
	compensation := standard("compensation", s.compensation, "sonic-swss#4757")
	if s.compensation != 0 {
		compensation.Note = fmt.Sprintf("more than 2 KiB short of %s, the headroom for 100 %% small packets", s.worst)
	}
	return formula("headroom-spectrum-additions", "headroom", r.XOff,
		term("headroom", xoff), term("extra", extra), term("compensation", compensation))
}

// fifths prints a number of fifths of a byte: the calculator's constants are tenths of
// a KiB, which are whole only so.
type fifths int64

func (f fifths) String() string {
	if f%5 == 0 {
		return units.Bytes(f / 5).String()
	}
	return fmt.Sprintf("%d.%dB", f/5, f%5*2)
}

// explainResponse explains the bytes that arrive while the peer responds, in fifths of a byte.
func (m *spectrum) explainResponse(in *Input, s *spectrumSteps) *plan.Why {
	value := fifths(s.responseUnits / (spectrumUnit / 5))
	if in.PeerResponse > 0 {
		return formula("response-fifths", "bytes while the peer responds", value, term("rate", given("speed", in.Speed)), term("response", given("peer_response", in.PeerResponse)))
	}
	if _, known := sonicQuanta(in.Speed); known && !m.release.flatResponse {
		return standard("bytes while the peer responds", value, quantaSource)
	}
	return standard("bytes while the peer responds", value, asicTable+": peer_response_time, for speeds without an entry in the table of quanta")
}
