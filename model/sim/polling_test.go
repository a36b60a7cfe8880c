package sim

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/diagtest"
	"github.com/roceplan/roceplan/units"
)

// A frame of 1,058 B payload and 48 B headers takes five cells of the experiment's switch.
const (
	experimentFrame = 1106
	experimentCells = 5
	experimentKmax  = 1400
)

// TestPolledMarking repeats UCloud's experiment: one flow from a 25G host into a port that
// is shaped to 2,227,007 packets a second, with Kmin 1 and Kmin 800. Only if the switch
// polls its queues does it tell the two apart.
func TestPolledMarking(t *testing.T) {
	var report bytes.Buffer
	report.WriteString(pollingHead)
	type setting struct {
		kmin   units.Cells
		period units.Time
		weight float64
	}
	over := map[setting]int{}
	for _, period := range []units.Time{0, 20, 50, 100, 200} {
		for _, weight := range []float64{1, 0.5, 0.25} {
			if period == 0 && weight < 1 {
				continue
			}
			for _, kmin := range []units.Cells{1, 800} {
				runs, worst := experiment(t, kmin, period*units.Microsecond, weight)
				over[setting{kmin, period, weight}] = runs
				fmt.Fprintf(&report, "%9d us %7.2f %6d %9d of 20 %8d\n", int64(period), weight, int64(kmin), runs, worst)
				if period == 0 && worst > experimentKmax+50 {
					t.Errorf("Kmin %d: %d cells with marks from the queue as it is", kmin, worst)
				}
			}
		}
	}
	if low, high := over[setting{1, 100, 1}], over[setting{800, 100, 1}]; low != 0 || high < 15 {
		t.Errorf("polled each 100 us: %d runs pass Kmax with Kmin 1, %d with Kmin 800", low, high)
	}
	compareGolden(t, "sim_polling.txt", report.Bytes())
}

// experiment runs 20 seeds and returns how many pass Kmax, and the longest queue in cells.
func experiment(t *testing.T, kmin units.Cells, period units.Time, weight float64) (over int, worst int64) {
	sc := leafSpine(1, 2, 0)
	sc.Transport.Payload = experimentFrame - dataHeaderBytes
	sc.Transport.CNPInterval = 50 * units.Microsecond
	sc.Links[0].Rate = 25 * units.Gbps
	sc.Links[1].Rate = 2_227_007 * experimentFrame * 8
	bytes := func(n units.Cells) units.Bytes { return units.Bytes(n) * experimentFrame / experimentCells }
	sc.ECN = []ECN{{
		Rate: sc.Links[1].Rate, KMin: bytes(kmin), KMax: bytes(experimentKmax), PMax: 0.01,
		PollPeriod: period, Weight: weight,
	}}
	sc.Congestion = Congestion{Algorithm: UseDCQCN, MinRate: units.Mbps, DCQCN: DCQCN{
		Gain: 1.0 / 256, AlphaInterval: 55 * units.Microsecond, DecreaseInterval: 4 * units.Microsecond,
		IncreaseInterval: 55 * units.Microsecond, FastRecovery: 5, Additive: 40 * units.Mbps, Hyper: 200 * units.Mbps,
	}}
	sc.flow(0, 1, 50*units.MB, 0)
	for sc.Seed = 1; sc.Seed <= 20; sc.Seed++ {
		r, err := Run(t.Context(), sc)
		if err != nil {
			t.Fatal(err)
		}
		cells := r.PeakEgressQueue / experimentFrame * experimentCells
		worst = max(worst, cells)
		if cells > experimentKmax {
			over++
		}
	}
	return over, worst
}

func compareGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := "../../golden/" + name
	if *diagtest.Update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-golden +got); -update rewrites it:\n%s", name, diff)
	}
}

const pollingHead = `Marking by a polled queue: UCloud's experiment

One flow starts at 25 Gb/s into a port shaped to 2,227,007 packets/s. 5 cells per packet,
Kmax 1400 cells, Pmax 1 %, DCQCN with the paper's parameters, a CNP each 50 us at most.
UCloud reports that with Kmin 1 the queue never passes 1400 cells, with Kmin 800 it does.

The queue grows by 2.99 cells/us until the first CNP takes effect, so Kmin 800 leaves 201 us
until Kmax and Kmin 1 leaves 468 us. A switch that polls each 100 us without averaging
is late by up to 100 us, on average 50 us, and shows both: no run with Kmin 1 passes, most
with Kmin 800 do, by up to 180 cells. From the queue as it is, Kmin 800 passes too, in
some runs, but by no more than what arrives between a mark at Kmax and the host's reaction:
above Kmax each packet is marked. Averaging with a weight below 1 adds period/weight of delay
and breaks Kmin 1 as well: at a period of 100 us the switch of the experiment would not have
averaged with 0.5. Seeds 1 to 20.

       period  weight   Kmin  runs > 1400  longest
`
