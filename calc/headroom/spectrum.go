package headroom

import (
	"fmt"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
)

// NVIDIA's calculator for Spectrum, as SONiC runs it in the dynamic buffer model:
// sonic-swss cfgmgr/buffer_headroom_mellanox.lua with the ASIC table of
// sonic-buildimage platform/mellanox/asic_table.j2.
//
//	propagation = port MTU + cable + 2·gearbox + MAC/PHY delay + response + tiles
//	xoff = ⌈lossless MTU + propagation · occupancy⌉ to 1 KiB, + extra, + compensation
//	xon  = ⌈pipeline latency⌉ to 1 KiB, twice that on 8 lanes
//	size = xon with a shared headroom pool; xoff + xon otherwise, + port MTU on 8 lanes
//
// All is bytes. Peculiarities of the calculator that are reproduced here on purpose:
//
//   - light travels at 1.98·10⁸ m/s in the cable;
//   - the bytes in a gearbox are Mb/s · ns / (8 · 1024), where 1000 was meant;
//   - the share of small packets by bytes is 64 / mean packet size: the share by count
//     is in the mean but not in the numerator. At 0 % small packets, that still is
//     64 / lossless MTU;
//   - cells per worst packet are rounded up to a whole number;
//   - the frame that arrives in the lossless class counts at its bare size, without
//     preamble and gap, and without occupancy;
//   - 800G responds in the quanta of 400G, and a speed that the table of quanta does
//     not have in 3.8 KiB whatever the speed;
//   - without a shared headroom pool and below 100 % small packets, a profile that is
//     more than 2 KiB short of the one for 100 % gets 2 KiB (sonic-swss#4757).
//     Spectrum-6's extra does not take part in that comparison (sonic-swss#4797 adds
//     exactly 18 KiB). Both sides are rounded before, so the 2 KiB can vanish as the
//     cable grows: the headroom is 1 KiB less then.
//
// The calculator works in doubles. This one is exact, and gives the same wherever the exact figure
// before rounding is not itself a whole number of KiB. In the rare case that it is, the calculator
// may be 1 KiB above, by an error in the last binary digit: three times in eight million random
// inputs, never for a customary MTU.
type spectrum struct {
	chip    *chips.Chip
	cell    units.Bytes
	latency units.Bytes // pipeline latency
	tile    units.Time  // delay between tiles, whole ns; 0: not built of tiles
	extra   units.Bytes // on top of xoff
	factor  int64       // cells per worst packet, in what the calculator calls worst_case_factor
	release spectrumRelease
}

// A spectrumRelease holds the differences of an earlier calculator from today's, whose fields are
// empty: none has the additions of sonic-swss#4757 and #4797 (July 2026).
type spectrumRelease struct {
	name string // after "spectrum:"

	// Before sonic-swss#3235 (2024): small packets count by number, cells per worst
	// packet are not rounded, and a wide port lacks 1 KiB of twice the latency.
	byNumber bool
	// The tool behind NVIDIA's static tables divides by 1000 where the calculator in
	// SONiC has 1024; that of 2020 has one response for all speeds, 3.8 KiB.
	decimalGearbox, flatResponse bool
}

// spectrumReleases are the calculators that tables in use were made with.
var spectrumReleases = [...]spectrumRelease{
	{name: "202405"},
	{name: "static-2021", byNumber: true, decimalGearbox: true},
	{name: "static-2020", byNumber: true, decimalGearbox: true, flatResponse: true},
}

// newSpectrumRelease binds method "spectrum:name".
func newSpectrumRelease(chip *chips.Chip, name string) (Method, error) {
	bound, err := newSpectrum(chip)
	if err != nil {
		return nil, err
	}
	known := make([]string, len(spectrumReleases))
	for i, release := range spectrumReleases {
		if release.name == name {
			m := bound.(spectrum)
			m.release, m.extra = release, 0
			return m, nil
		}
		known[i] = "spectrum:" + release.name
	}
	return nil, fmt.Errorf("NVIDIA's calculator has no release %q; there are %s", name, list(known))
}

const (
	spectrumSource = "sonic-swss cfgmgr/buffer_headroom_mellanox.lua"
	asicTable      = "sonic-buildimage platform/mellanox/asic_table.j2"

	// spectrumStep is the granularity of sizes, which are rounded up.
	spectrumStep = units.KiB
	// spectrumCompensation is added to a profile for fewer small packets, at most.
	spectrumCompensation = 2 * units.KiB
	// macDelay5 and fallbackResponse5 are five times mac_phy_delay, 0.8 KiB, and
	// peer_response_time, 3.8 KiB: in fifths of a byte both are whole.
	macDelay5         = 4 * units.KiB
	fallbackResponse5 = 19 * units.KiB
	// wideLanes is the number of lanes with which a port has two buffer units.
	wideLanes = 8
)

// spectrumUnit is the denominator in which every term of the propagation is whole,
// with L in mm, R in Mb/s, delays in ns: the least common multiple of 792,000 (cable),
// 4096 (gearbox), 8000 (tiles) and 5 (MAC/PHY delay).
const spectrumUnit = 50_688_000

// worstCaseFactor is ⌈cell/64⌉ for cells beyond two smallest packets, and
// ⌈2·cell/(cell+1)⌉ below, which is 2.
func worstCaseFactor(cell units.Bytes) int64 {
	return max(2, units.CeilMulDiv(int64(cell), 1, int64(smallestFrame)))
}

func newSpectrum(chip *chips.Chip) (Method, error) {
	m := spectrum{chip: chip, tile: chip.Spectrum.TileDelay.Or(0), extra: chip.Spectrum.XOffExtra.Or(0)}
	if chip.Family != chips.Spectrum {
		return nil, &WrongFamily{"spectrum", chip}
	}
	var err error
	if m.cell, err = chip.CellSize.Get(); err != nil {
		return nil, err
	}
	if m.latency, err = chip.Spectrum.PipelineLatency.Get(); err != nil {
		return nil, err
	}
	if m.tile%units.Nanosecond != 0 {
		return nil, &OutOfRange{"tile_delay", m.tile, "whole nanoseconds"}
	}
	m.factor = worstCaseFactor(m.cell)
	return m, nil
}

func (m spectrum) Name() string {
	if m.release.name != "" {
		return "spectrum:" + m.release.name
	}
	return "spectrum"
}

func (spectrum) Source() string { return spectrumSource }

// spectrumSteps are the figures between input and result, which Explain shows. Those
// called Units are in 1/spectrumUnit bytes.
type spectrumSteps struct {
	cableUnits, gearboxUnits, responseUnits, tileUnits int64

	propagationUnits int64
	occupancyNum     int64 // occupancy as a fraction
	occupancyDen     int64
	need             units.Bytes // lossless MTU + propagation · occupancy, up to a byte
	xoff             units.Bytes // the same up to 1 KiB
	worst            units.Bytes // xoff for 100 % small packets
	compensation     units.Bytes
}

func (m *spectrum) steps(in *Input) spectrumSteps {
	var s spectrumSteps
	mbps := int64(in.Speed / units.Mbps)
	s.cableUnits = int64(in.Cable) * mbps * (spectrumUnit / 792_000)
	gearbox := int64(spectrumUnit / 4096) // twice 1/8192
	if m.release.decimalGearbox {
		gearbox = spectrumUnit / 4000
	}
	s.gearboxUnits = mbps * int64(in.Gearbox/units.Nanosecond) * gearbox
	s.tileUnits = mbps * int64(m.tile/units.Nanosecond) * (spectrumUnit / 8000)
	s.responseUnits = m.response(in)
	s.propagationUnits = int64(in.PortMTU)*spectrumUnit + s.cableUnits + s.gearboxUnits +
		int64(macDelay5)*(spectrumUnit/5) + s.responseUnits + s.tileUnits

	s.occupancyNum, s.occupancyDen = m.occupancy(in)
	s.need = in.LosslessMTU + units.Bytes(units.CeilMulDiv(s.propagationUnits, s.occupancyNum, s.occupancyDen*spectrumUnit))
	s.xoff = s.need.CeilTo(spectrumStep)
	s.worst = (in.LosslessMTU + units.Bytes(units.CeilMulDiv(s.propagationUnits, m.factor, spectrumUnit))).CeilTo(spectrumStep)
	if m.release.name == "" && in.OverSubscribe == 0 && in.SmallPackets < units.One && s.xoff+spectrumCompensation < s.worst {
		s.compensation = spectrumCompensation
	}
	return s
}

// occupancy returns how many times its bytes the traffic takes in cells, as a fraction.
func (m *spectrum) occupancy(in *Input) (num, den int64) {
	small, all := int64(in.SmallPackets/shareStep), int64(units.One/shareStep)
	if m.release.byNumber {
		return countedOccupancy(m.cell, small, all)
	}
	mean := small*int64(smallestFrame) + (all-small)*int64(in.LosslessMTU) // mean packet, times all
	return mean + all*int64(smallestFrame)*(m.factor-1), mean
}

// countedOccupancy returns the occupancy when small packets count by number and the cells
// of a worst packet, cell/64 or 2·cell/(cell+1), are not rounded.
func countedOccupancy(cell units.Bytes, small, all int64) (num, den int64) {
	worstNum, worstDen := int64(cell), int64(smallestFrame)
	if cell <= 2*smallestFrame {
		worstNum, worstDen = 2*int64(cell), int64(cell)+1
	}
	return (all-small)*worstDen + small*worstNum, all * worstDen
}

// response returns what arrives while the peer responds, in units.
func (m *spectrum) response(in *Input) int64 {
	if in.PeerResponse > 0 {
		return int64(in.Speed.CeilBytes(in.PeerResponse)) * spectrumUnit
	}
	if quanta, known := sonicQuanta(in.Speed); known && !m.release.flatResponse {
		return quanta * int64(quantumBytes) * spectrumUnit
	}
	return int64(fallbackResponse5) * (spectrumUnit / 5)
}

func (m spectrum) Compute(in Input) (Result, error) {
	if err := in.check(); err != nil {
		return Result{}, err
	}
	s := m.steps(&in)
	return m.finish(&in, &s), nil
}

// finish makes the profile's figures of the steps.
func (m *spectrum) finish(in *Input, s *spectrumSteps) Result {
	latency, overhead := m.latency, units.Bytes(0)
	if in.Lanes == wideLanes {
		latency, overhead = 2*m.latency, in.PortMTU
		if m.release.byNumber {
			latency -= units.KiB
		}
	}
	r := Result{XOff: s.xoff + m.extra + s.compensation, XOn: latency.CeilTo(spectrumStep)}
	r.Cells = r.XOff.CeilCells(m.cell)
	r.Size = r.XOn
	if in.OverSubscribe == 0 {
		r.Size = (r.XOff + r.XOn + overhead).CeilTo(spectrumStep)
	}
	return r
}

// PortOverhead is the part of a frame beyond the MTU of SONiC's PORT table, which NVIDIA's
// calculator receives: Ethernet header, one VLAN tag and FCS (sonic-swss, orchagent/port.h and
// portsorch.cpp).
const PortOverhead units.Bytes = 22

// PortMTU returns the largest frame of a port as a method wants it: the calculators of SONiC
// use the MTU of its PORT table, all others with the frame on the wire.
func PortMTU(m Method, frame units.Bytes) units.Bytes {
	switch m.(type) {
	case spectrum, tofino:
		return frame - PortOverhead
	}
	return frame
}
