package headroom

import (
	"fmt"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A fraction prints a rational number of bytes with two decimals, rounded down.
type fraction struct{ num, den int64 }

func (f fraction) String() string {
	whole, rest := f.num/f.den, f.num%f.den
	return fmt.Sprintf("%d.%02dB", whole, units.FloorMulDiv(rest, 100, f.den))
}

// A multiple prints a rational factor with four decimals, rounded down.
type multiple struct{ num, den int64 }

func (f multiple) String() string {
	return fmt.Sprintf("%d.%04d", f.num/f.den, units.FloorMulDiv(f.num%f.den, 10_000, f.den))
}

// Explain shows the steps that Compute takes.
func (m spectrum) Explain(in Input) (Result, Derivation, error) {
	if err := in.check(); err != nil {
		return Result{}, Derivation{}, err
	}
	s := m.steps(&in)
	r := m.finish(&in, &s)
	xoff := m.explainXOff(&in, &s, r)
	xon := datum(m.chip.Spectrum.PipelineLatency)
	if in.Lanes == wideLanes {
		xon = formula("headroom-spectrum-xon", "xon", r.XOn, spectrumSource+": a port of 8 lanes has two buffer units", term("latency", xon))
	}
	size := xon
	if in.OverSubscribe == 0 {
		terms := []plan.Term{term("xoff", xoff), term("xon", xon)}
		if in.Lanes == wideLanes {
			terms = append(terms, term("port MTU", given("port_mtu", in.PortMTU)))
		}
		size = formula("headroom-spectrum-size", "size", r.Size, spectrumSource, terms...)
	}
	return r, Derivation{XOff: xoff, XOn: xon, Size: size}, nil
}

func (m *spectrum) explainXOff(in *Input, s *spectrumSteps, r Result) *plan.Why {
	need := formula("headroom-spectrum", "headroom before rounding", s.need, spectrumSource,
		term("lossless MTU", given("lossless_mtu", in.LosslessMTU)),
		term("propagation", m.explainPropagation(in, s)),
		term("occupancy", m.explainOccupancy(in, s)))
	xoff := rounded("up to 1 KiB", "headroom", s.xoff, need)
	if s.compensation == 0 && m.extra == 0 {
		return xoff
	}
	terms := []plan.Term{term("xoff", xoff)}
	if m.extra != 0 {
		terms = append(terms, term("extra", datum(m.chip.Spectrum.XOffExtra)))
	}
	if s.compensation != 0 {
		c := standard("compensation", s.compensation, "sonic-swss#4757")
		c.Note = fmt.Sprintf("more than 2 KiB short of %s, the headroom for 100 %% small packets", s.worst)
		terms = append(terms, term("compensation", c))
	}
	return formula("headroom-spectrum-additions", "headroom", r.XOff, spectrumSource, terms...)
}

func (m *spectrum) explainPropagation(in *Input, s *spectrumSteps) *plan.Why {
	bytes := func(u int64) fraction { return fraction{u, spectrumUnit} }
	speed, cable := given("speed", in.Speed), given("cable", in.Cable)
	terms := []plan.Term{
		term("port MTU", given("port_mtu", in.PortMTU)),
		term("cable", formula("spectrum-cable", "bytes on the cable, both ways", bytes(s.cableUnits), spectrumSource+": 1.98e8 m/s", term("R", speed), term("L", cable))),
	}
	if s.gearboxUnits != 0 {
		terms = append(terms, term("gearbox", formula("spectrum-gearbox", "bytes in the gearbox, twice", bytes(s.gearboxUnits), spectrumSource+": divided by 1024, not 1000", term("R", speed), term("delay", given("gearbox", in.Gearbox)))))
	}
	terms = append(terms,
		term("MAC/PHY delay", standard("MAC/PHY delay", fraction{int64(macDelay5), 5}, asicTable)),
		term("response", m.explainResponse(in, s)))
	if s.tileUnits != 0 {
		terms = append(terms, term("tiles", formula("spectrum-tile", "bytes between tiles", bytes(s.tileUnits), spectrumSource, term("R", speed), term("delay", datum(m.chip.Spectrum.TileDelay)))))
	}
	return formula("spectrum-propagation", "propagation", bytes(s.propagationUnits), spectrumSource, terms...)
}

func (m *spectrum) explainResponse(in *Input, s *spectrumSteps) *plan.Why {
	value := fraction{s.responseUnits, spectrumUnit}
	if in.PeerResponse > 0 {
		return formula("spectrum-response", "bytes while the peer responds", value, "", term("R", given("speed", in.Speed)), term("response", given("peer_response", in.PeerResponse)))
	}
	if _, known := pauseQuanta(in.Speed); known && !m.release.flatResponse {
		return standard("bytes while the peer responds", value, quantaSource)
	}
	return standard("bytes while the peer responds", value, asicTable+": peer_response_time, for speeds without an entry in the table of quanta")
}

func (m *spectrum) explainOccupancy(in *Input, s *spectrumSteps) *plan.Why {
	why := formula("spectrum-occupancy", "cell occupancy", multiple{s.occupancyNum, s.occupancyDen}, spectrumSource,
		term("small packets", given("small_packets", in.SmallPackets)),
		term("lossless MTU", given("lossless_mtu", in.LosslessMTU)),
		term("worst case", formula("spectrum-worst-case", "cells per worst packet", plan.Count(m.factor), spectrumSource, term("cell", datum(m.chip.CellSize)))))
	if !m.release.byNumber {
		why.Note = "the share by bytes is 64 B over the mean packet, without the share by count in its numerator"
	}
	return why
}
