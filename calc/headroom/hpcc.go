package headroom

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
)

// The headroom of the ns-3 simulation that came with HPCC (Li et al., SIGCOMM 2019): 3·R·d for a
// link of rate R and one-way delay d, here 5 ns/m. It covers the cable and half as much again, but
// no frame and no response, so it grows from nothing: fit for the simulator's links of 1 us, not
// for a switch. It is here for comparison only.
type hpcc struct{ cellular }

const hpccSource = "alibaba-edu/High-Precision-Congestion-Control simulation/scratch/third.cc: headroom = rate · delay · 3"

func newHPCC(chip *chips.Chip) (Method, error) {
	c, err := newCellular(chip)
	return hpcc{c}, err
}

func (hpcc) Name() string   { return "hpcc" }
func (hpcc) Source() string { return hpccSource }

// HPCCBytes returns 3·R·d in bytes, rounded up.
func HPCCBytes(speed units.BitRate, delay units.Time) units.Bytes { return speed.CeilBytes(3 * delay) }

func (m hpcc) Compute(in Input) (Result, error) {
	if err := in.check(); err != nil {
		return Result{}, err
	}
	return m.result(&in, m.wireCells(&in, HPCCBytes(in.Speed, roundTrip(in.Cable)/2))), nil
}

func (m hpcc) Explain(in Input) (Result, Derivation, error) {
	r, err := m.Compute(in)
	if err != nil {
		return Result{}, Derivation{}, err
	}
	wire := formula("headroom-hpcc", "headroom on the wire", HPCCBytes(in.Speed, roundTrip(in.Cable)/2),
		term("rate", given("speed", in.Speed)), term("length", given("cable", in.Cable)))
	return r, m.derive(&in, r, m.explainWireCells(&in, r.Cells, wire)), nil
}
