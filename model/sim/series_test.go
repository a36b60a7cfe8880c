package sim

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/units"
)

// table keeps all samples.
type table struct {
	names []string
	times []units.Time
	rows  [][]int64
}

func (tb *table) series(period units.Time, selection ...string) *Series {
	return &Series{
		Period: period, Select: selection,
		Begin: func(names []string) error { tb.names = names; return nil },
		Sampled: func(at units.Time, values []int64) error {
			tb.times, tb.rows = append(tb.times, at), append(tb.rows, slices.Clone(values))
			return nil
		},
	}
}

// Two hosts send 1,000 packets each to a third at line rate. The first two arrive after a
// cable and a transmission; from then on the queue grows by a packet per transmission, until
// the senders are done, and shrinks by as much. Each flow is given half of the port.
func TestSeriesOfIncast(t *testing.T) {
	const transmission, cable, packet = 83840, 1_000_000, 1048
	sc := leafSpine(1, 3, 0)
	sc.Buffer.AlphaShift, sc.ECN = 0, nil
	sc.flow(0, 2, 1_000_000, 0)
	sc.flow(1, 2, 1_000_000, 0)
	var tb table
	sc.Observe = &Observation{Series: []*Series{tb.series(10*units.Microsecond, "queue:3.3", "tx:3.3", "rate:0", "goodput:1", "pg:3.1.3", "paused:0.1")}}
	mustRun(t, sc)
	names := []string{"queue:3.3.3", "pg:3.1.3", "paused:0.1.3", "tx:3.3", "rate:0.1.0", "goodput:1.1.1"}
	if diff := cmp.Diff(names, tb.names); diff != "" {
		t.Fatal(diff)
	}
	near := func(row int, name string, got, want, tolerance float64) {
		if math.Abs(got-want) > tolerance {
			t.Errorf("%v: %s is %v, want %v ± %v", tb.times[row], name, got, want, tolerance)
		}
	}
	for i, row := range tb.rows {
		at := int64(tb.times[i])
		if at != int64(i)*int64(10*units.Microsecond) {
			t.Fatalf("sample %d is of %v", i, tb.times[i])
		}
		if at < 2*cable || at > 160_000_000 {
			continue
		}
		grown := min(at-cable-transmission, 1000*transmission) // the queue grows so long, and then shrinks
		length := grown - max(0, at-cable-1001*transmission)
		queue := packet * float64(length) / transmission
		near(i, "queue", float64(row[0]), queue, 2*packet)
		if at > 20_000_000 && at < 80_000_000 {
			near(i, "PG", float64(row[1]), queue/2, 2*packet)
			near(i, "paused", float64(row[2]), 0, 0)
			near(i, "rate", float64(row[4]), 100e9, 0)
		}
		if at > 20_000_000 {
			near(i, "tx", float64(row[3]), 100e9, 8*packet/10e-6)
			near(i, "goodput", float64(row[5]), 50e9*1000/packet, 2*8*packet/10e-6)
		}
	}
	if n := len(tb.rows); n != 19 { // it lasts 2,001 transmissions, four cables and an acknowledgement, 171.8 us; the last one is of the end
		t.Errorf("%d samples", n)
	}
}

// Taking samples changes nothing in a run.
func TestSeriesChangesNothing(t *testing.T) {
	for control := range controls {
		sc := scenario(leafSpine(2, 6, 2), "incast", control, 300*units.KB)
		sc.Buffer.Size = 4 * units.MiB
		plain := mustRun(t, sc)
		var tb, other table
		sc.Observe = &Observation{Series: []*Series{other.series(3*units.Microsecond, "tx"), tb.series(777*units.Nanosecond, "queue", "rate", "goodput", "xoff", "headroom", "pauses", "marks", "cnps", "drops")}}
		seen := mustRun(t, sc)
		pauses, marks := int64(0), int64(0)
		for i, name := range tb.names {
			last := tb.rows[len(tb.rows)-1][i]
			if strings.HasPrefix(name, "pauses:") {
				pauses += last
			} else if strings.HasPrefix(name, "marks:") {
				marks += last
			}
		}
		if pauses != seen.PFCPauses || marks != seen.ECNMarks {
			t.Errorf("%s: the last sample has %d pauses and %d marks, the result %d and %d", control, pauses, marks, seen.PFCPauses, seen.ECNMarks)
		}
		seen.Observed = nil
		if diff := cmp.Diff(plain, seen, measured); diff != "" {
			t.Errorf("%s (-plain +sampled):\n%s", control, diff)
		}
	}
}

func TestSelections(t *testing.T) {
	all := []gauge{
		{kind: "queue", name: "leaf-1.Ethernet1/1.3"}, {kind: "queue", name: "leaf-1.Ethernet1/11.3"},
		{kind: "queue", name: "leaf-2.Ethernet1/1.3"}, {kind: "rate", name: "nic.leaf-1.Ethernet1/1.7", flow: 7},
	}
	for selection, want := range map[string][]bool{
		"queue:*":                     {true, true, true, false},
		"queue":                       {true, true, true, false},
		"queue:leaf-1":                {true, true, false, false},
		"queue:leaf-1.Ethernet1/1":    {true, false, false, false},
		"queue:leaf-1.Ethernet1/1.3":  {true, false, false, false},
		"queue:leaf-*.Ethernet1/1.*":  {true, false, true, false},
		"queue:*.3":                   {true, true, true, false},
		"speed":                       {false, false, false, false},
		"queue:*.4":                   {false, false, false, false},
		"rate:7":                      {false, false, false, true},
		"rate:1":                      {false, false, false, false},
		"rate:nic.leaf-1.Ethernet1/1": {false, false, false, true},
	} {
		chosen := make([]bool, len(all))
		some := choose(all, selection, chosen)
		if diff := cmp.Diff(want, chosen); diff != "" || some != slices.Contains(want, true) {
			t.Errorf("%s:\n%s", selection, diff)
		}
	}
}

// Who takes the samples can end the run; what cannot be sampled is an error that helps.
func TestSeriesErrors(t *testing.T) {
	sc := scenario(leafSpine(1, 3, 0), "incast", "none", 300*units.KB)
	full := errors.New("disk full")
	series := &Series{
		Period: units.Microsecond, Select: []string{"tx:*"}, Begin: func([]string) error { return nil },
		Sampled: func(at units.Time, _ []int64) error {
			if at > 5*units.Microsecond {
				return full
			}
			return nil
		},
	}
	sc.Observe = &Observation{Series: []*Series{series}}
	if _, err := Run(t.Context(), sc); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
	for selection, want := range map[string]string{
		"queue:9":  `there is no counter "queue:9"; there are queue:3.1.3, queue:3.2.3, queue:3.3.3 and others like them`,
		"length:1": `there is no counter "length:1"; the kinds are queue, pg, headroom, xoff, paused, pauses, tx, marks, drops, cnps, rate, goodput, as in queue:3.1.3`,
	} {
		series.Select = []string{selection}
		if _, err := Run(t.Context(), sc); err == nil || err.Error() != want {
			t.Errorf("%s: error %v", selection, err)
		}
	}
	series.Period = 0
	if _, err := Run(t.Context(), sc); err == nil {
		t.Error("no error")
	}
}
