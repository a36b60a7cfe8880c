package headroom

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
)

// The formula of UCloud's RoCE design,
//
//	H = (Tm1 + Tm2 + 2L/v) · R / bits(64 B)
//
// in cells: Tm1 and Tm2 are the times of pausing at the two ends, L the cable, v the speed of light
// in it, R the rate; every smallest packet takes one cell. The design prints two results, 408 cells
// for 100G and 100 m and 98 cells for 25G and 15 m of active optical cable, and no Tm. The
// constants below reproduce both:
//
//   - v = 2·10⁸ m/s, and a packet of 64 B takes 84 B on the wire;
//   - Tm1 + Tm2 = 1.500 us + 2 frames of 1500 B at rate R. The term that depends on
//     speed must be between 2982 and 3121 B, so it is two frames: the one ahead of
//     the pause frame, and the one that the peer has started. With it, any constant
//     between 1497.4 and 1501.8 ns gives both results (407.74 → 408, 97.10 → 98). No
//     constant alone does.
//
// The constants are inferred from two results and are not the only ones that fit. A
// peer that takes what IEEE 802.3 allows it needs more: see [IEEEWorstCase].
type ucloud struct{ cellular }

const (
	ucloudResponse = 1500 * units.Nanosecond
	ucloudFrame    = units.Bytes(1500)
	ucloudSource   = "UCloud, RoCE network design, PFC headroom: 408 cells at 100G and 100 m, 98 cells at 25G and 15 m"
)

func newUCloud(chip *chips.Chip) (Method, error) {
	c, err := newCellular(chip)
	return ucloud{c}, err
}

func (ucloud) Name() string   { return "ucloud" }
func (ucloud) Source() string { return ucloudSource }

func (m ucloud) Compute(in Input) (Result, error) {
	if err := in.check(); err != nil {
		return Result{}, err
	}
	return m.result(&in, UCloudCells(in.Speed, in.Cable, m.response(&in), m.frame(&in), m.perCell(&in, slot))), nil
}

// frame returns the largest lossless frame: as given, or the design's own.
func (ucloud) frame(in *Input) units.Bytes {
	if in.Frame > 0 {
		return in.Frame
	}
	return ucloudFrame
}

// response returns the peer's where it is known, or the design's own for both ends.
func (ucloud) response(in *Input) units.Time {
	if in.PeerResponse > 0 {
		return in.PeerResponse
	}
	return ucloudResponse
}

// UCloudCells returns UCloud's headroom in cells: document headroom-ucloud.
func UCloudCells(speed units.BitRate, cable units.Length, response units.Time, frame, perCell units.Bytes) units.Cells {
	return wireCells(2*frame, speed, response+roundTrip(cable), perCell)
}

func (m ucloud) Explain(in Input) (Result, Derivation, error) {
	r, err := m.Compute(in)
	if err != nil {
		return Result{}, Derivation{}, err
	}
	const inferred = "inferred from the two results that UCloud's design prints"
	frame, response := given("frame", m.frame(&in)), given("peer_response", m.response(&in))
	if in.Frame == 0 {
		frame = standard("frame", ucloudFrame, inferred)
	}
	if in.PeerResponse == 0 {
		response = standard("peer_response", ucloudResponse, inferred)
	}
	cells := formula("headroom-ucloud", "headroom", r.Cells,
		term("rate", given("speed", in.Speed)), term("length", given("cable", in.Cable)),
		term("response", response), term("frame", frame),
		term("slot", m.explainPerCell(&in, standard("smallest packet on the wire", slot, "IEEE 802.3 4.4.2"))))
	return r, m.derive(&in, r, cells), nil
}

// IEEEWorstCase returns the cells that UCloud's formula gives when the peer takes
// the longest response that IEEE 802.3 31B.3.7 allows instead of Tm1 + Tm2, besides
// the given bytes of frames in transmission: 449 cells for 100G and 100 m without
// frames, against UCloud's 408; 103 cells for 25G and 15 m with two frames of 1500 B,
// against 98. UCloud's results are measured ones, not safe by the standard.
func IEEEWorstCase(speed units.BitRate, cable units.Length, frames units.Bytes) units.Cells {
	in := Input{Speed: speed}
	return wireCells(frames+in.responseBytes(), speed, roundTrip(cable), slot)
}
