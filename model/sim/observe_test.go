package sim

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

var measured = cmpopts.IgnoreFields(Result{}, "WallSeconds", "PeakMemory")

// Observing changes nothing, and sees the same every time.
func TestObservationChangesNothing(t *testing.T) {
	for _, control := range slices.Sorted(maps.Keys(controls)) {
		sc := scenario(leafSpine(2, 6, 2), "incast", control, 300*units.KB)
		sc.Buffer.Size = 4 * units.MiB
		plain := mustRun(t, sc)
		sc.Observe = &Observation{Buffers: true}
		seen := mustRun(t, sc)
		must.NoDiffIn(t, cmp.Diff(seen, mustRun(t, sc), measured, cmpopts.IgnoreUnexported(Observed{})), "%s: two runs differ:", control)
		checkTotals(t, control, seen)
		seen.Observed = nil
		must.NoDiffIn(t, cmp.Diff(plain, seen, measured), "%s (-plain +observed):", control)
	}
}

// checkTotals checks what is counted by port against the totals.
func checkTotals(t *testing.T, control string, r *Result) {
	t.Helper()
	var pauses, marks, cnps, drops, lost, peak, headroom int64
	for _, p := range r.Pauses {
		pauses += p.Pauses
	}
	for _, c := range r.Classes {
		lost += c.Drops
	}
	for _, p := range r.Ports {
		marks, cnps, drops = marks+p.Marks, cnps+p.CNPs, drops+p.Drops
	}
	for _, q := range r.Queues {
		peak = max(peak, q.Peak)
	}
	for _, g := range r.PGs {
		headroom = max(headroom, g.PeakHeadroom)
	}
	got := []int64{pauses, marks, cnps, drops, lost, peak, headroom}
	want := []int64{r.PFCPauses, r.ECNMarks, r.CNPs, r.Drops, r.Drops, r.PeakEgressQueue, r.PeakHeadroom}
	must.NoDiffIn(t, cmp.Diff(want, got), "%s: pauses, marks, CNPs, drops twice, queue, headroom (-total +sum of ports):", control)
}

func mustRun(t testing.TB, sc *Scenario) *Result {
	t.Helper()
	r := must.Get(Run(t.Context(), sc))(t)
	return r
}

// Of a lone flow each packet takes four transmissions and four cables.
func TestLatencyAlone(t *testing.T) {
	sc := leafSpine(2, 1, 1)
	sc.flow(0, 1, 100_000, 0)
	sc.Observe = &Observation{Usual: 4*units.Microsecond + 251_521}
	r := mustRun(t, sc)
	const want = 4 + 2*0.08384 + 2*0.04192 // us
	l := r.Classes[0]
	if l.Class != 3 || l.Packets != 100 || math.Abs(l.MaxUS-want) > 1e-9 || math.Abs(l.MeanUS-want) > 1e-9 || l.P50US != l.MaxUS {
		t.Errorf("%+v, want 100 packets of %v us", l, want)
	}
	must.Equalf(t, r.Classes[0].Below, 1, "of the packets are below one ps more than that:")
	sc.Observe.Usual--
	if r = mustRun(t, sc); r.Classes[0].Below != 0 {
		t.Errorf("%v of the packets are below that", r.Classes[0].Below)
	}
}

// Two hosts send n packets each to a third at line rate. The last packet of all waits for all
// others: it arrives a cable and 2n+1 transmissions after the begin and a cable, and was
// ready after n-1. The queue grows by a packet per transmission, n times, and then shrinks by
// one, n times: during 2n transmissions it holds n/2 packets in the mean.
func TestIncastAtLineRate(t *testing.T) {
	const n, transmission, cable = 1000, 83840, 1_000_000
	sc := leafSpine(1, 3, 0)
	sc.Buffer.AlphaShift, sc.ECN = 0, nil
	sc.flow(0, 2, n*1000, 0)
	sc.flow(1, 2, n*1000, 0)
	sc.Observe = &Observation{Buffers: true}
	r := mustRun(t, sc)
	if got, want := r.Classes[0].MaxUS, ((n+2)*transmission+2*cable)/1e6; math.Abs(got-want) > 1e-6 {
		t.Errorf("longest latency %v us, want %v", got, want)
	}
	q := r.Queues[slices.IndexFunc(r.Queues, func(q BufferResult) bool { return q.Port == "3.3" })]
	duration := r.DurationUS * 1e6
	if want := 1048 * n / 2 * (2 * n * transmission) / duration; math.Abs(q.Mean/want-1) > 0.003 {
		t.Errorf("%v B in queue in the mean, want %v", q.Mean, want)
	}
	// It rises to the peak and falls to nothing evenly: half of the time above half of it.
	if got := float64(q.P50) / (1048 * n / 2); math.Abs(got-1) > 0.03 {
		t.Errorf("%d B in queue half of the time, want %d", q.P50, 1048*n/2)
	}
	if q.Peak < 1048*(n-1) || q.Peak > 1048*(n+1) { // two come before one leaves
		t.Errorf("peak of %d B", q.Peak)
	}
}

// A host of 200G sends to one of 100G through a buffer that pauses when ten packets wait and
// resumes at seven. A packet lasts u = 41.92 ns on the first link, two u on the second.
// Packet k arrives at 1us + (k+1)u; every second u one leaves, the first at once. The tenth
// is there at 1us + 19u: pause. The frame of 1.72 ns is with the sender at 2us + 19u, in
// which time it sends 67 packets; 60 of them must leave until seven are left, the last of
// those at 1us + 119u: resume. The pause has lasted 100u. Packet 67 was ready at 67u, leaves
// the sender a cable and a frame after the resume, and finds the switch empty: it takes 4us +
// 55u and the frame.
func TestPauseByHand(t *testing.T) {
	const u = 0.04192 // us
	sc := &Scenario{Nodes: []Node{Host, Host, Switch}, Transport: Transport{Payload: 1000, AckInterval: 1}}
	sc.link(0, 2, 200*units.Gbps)
	sc.link(1, 2, 100*units.Gbps)
	sc.ECN = nil
	sc.Buffer = HPCCBuffer{HeadroomDelays: 3, Size: 75_000 + 37_500 + 20*1048, ResumeOffset: 6 * 1048}
	sc.flow(0, 1, 70_000, 0)
	sc.Observe = &Observation{Buffers: true}
	r := mustRun(t, sc)
	near := cmpopts.EquateApprox(0, 1e-9)
	want := []PauseResult{{Port: "2.1", PG: 3, Pauses: 1, PausedUS: 100 * u, LongestUS: 100 * u}}
	must.NoDiff(t, cmp.Diff(want, r.Pauses, near))
	if want := 4 + 55*u + 0.00172; math.Abs(r.Classes[0].MaxUS-want) > 1e-9 {
		t.Errorf("longest latency %v us, want %v", r.Classes[0].MaxUS, want)
	}
	over := func(perSecond int64) int {
		n, _ := r.WindowsOver(perSecond, 0, math.MaxInt64)
		return n
	}
	// From 1.80 to 5.99 us, that is in five windows of 1 us.
	if r.WindowUS != 1 || over(5) != 5 || over(1_000_000) != 0 || r.Windows != int(r.DurationUS)+1 {
		t.Errorf("%d of %d windows of %v us", over(5), r.Windows, r.WindowUS)
	}
}

// However often windows are joined, they hold the pauses that were in force in them.
func TestPauseWindows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type pause struct{ from, to int64 }
		var pauses [2][]pause
		l, now := newPauseLog(1), int64(0)
		begun := [2]int64{-1, -1}
		for range rapid.IntRange(1, 60).Draw(t, "changes") {
			now += rapid.Int64Range(1, 40_000_000).Draw(t, "later")
			class := rapid.IntRange(0, 1).Draw(t, "class")
			if begun[class] < 0 {
				l.begin(now, 0, uint8(class))
				begun[class] = now
			} else if rapid.Bool().Draw(t, "renewed") {
				l.begin(now, 0, uint8(class))
			} else {
				l.end(now, 0, uint8(class))
				pauses[class] = append(pauses[class], pause{begun[class], now})
				begun[class] = -1
			}
		}
		now += rapid.Int64Range(1, 1_000_000_000).Draw(t, "end")
		l.close(now)
		for class, from := range begun {
			if from >= 0 {
				pauses[class] = append(pauses[class], pause{from, now})
			}
		}
		want := make([]uint32, pauseWindows)
		for class := range pauses {
			total := int64(0)
			for _, p := range pauses[class] {
				total += p.to - p.from
				for w := p.from / l.width; w <= p.to/l.width; w++ {
					want[w]++
				}
			}
			if c := l.ports[0].classes[class]; c.total != total || c.pauses != int64(len(pauses[class])) {
				t.Fatalf("class %d: %+v, want %d pauses of %d ps", class, c, len(pauses[class]), total)
			}
		}
		got := make([]uint32, pauseWindows)
		for w := range l.ports[0].started {
			got[w] = l.ports[0].started[w] + l.ports[0].carried[w]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("windows of %d ps:\n%s", l.width, diff)
		}
	})
}

// Looking on allocates nothing either, once each queue has been in use.
func TestObservationAllocatesNothing(t *testing.T) {
	sc := scenario(leafSpine(2, 8, 2), "permutation", "none", 40*units.MB)
	sc.Buffer.Size = 4 * units.MiB
	sc.Observe = &Observation{Buffers: true}
	s := must.Get(newEngine(sc))(t)
	s.steps(math.MaxInt64, 500_000)
	if allocs := testing.AllocsPerRun(5, func() { s.steps(math.MaxInt64, 50_000) }); allocs != 0 {
		t.Errorf("%v allocations in 50,000 events", allocs)
	}
}

// In a chip's buffer PGs hold cells, and are empty when all is over.
func TestObservedChip(t *testing.T) {
	sc := scenario(leafSpine(1, 9, 0), "incast", "none", 200*units.KB)
	chipBuffers(sc, 40_000)
	sc.Observe = &Observation{Buffers: true}
	r := mustRun(t, sc)
	checkTotals(t, "silicon", r)
	if r.PFCPauses == 0 || len(r.PGs) < 8 {
		t.Fatalf("%d pauses, %d PGs", r.PFCPauses, len(r.PGs))
	}
	for _, g := range r.PGs {
		if g.Peak == 0 || g.Peak%4 != 0 || g.P50 > g.P99 || float64(g.P99) > float64(g.Peak) || g.PeakHeadroom > g.Peak {
			t.Errorf("%+v", g)
		}
	}
}

// Timers that run on when all has arrived do not make the time longer that is measured.
func TestObservedTimeEnds(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	sc.Transport.AckTimeout, sc.Transport.Retries = 10*units.Millisecond, 7
	sc.flow(0, 1, 100_000, 0)
	sc.Observe = &Observation{}
	const want = 101*0.08384 + 2 // transmissions and cables, us
	if r := mustRun(t, sc); math.Abs(r.DurationUS-want) > 1e-9 || r.Windows != 11 {
		t.Errorf("%v us, want %v; %d windows", r.DurationUS, want, r.Windows)
	}
}

// Percentiles are those of the sorted values, at most 1/64 above.
func TestHistogramAgainstSortedValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const width = 40
		value := rapid.OneOf(rapid.Int64Range(0, 300), rapid.Int64Range(0, 1<<20), rapid.Int64Range(0, 1<<width-1))
		values := rapid.SliceOfN(value, 1, 200).Draw(t, "values")
		h := newHistogram(width)
		for _, v := range values {
			h.add(v, 1)
		}
		slices.Sort(values)
		for _, percent := range []float64{0, 1, 50, 90, 99, 99.9, 100} {
			rank := max(1, int(math.Ceil(float64(len(values))*percent/100)))
			want, got := values[rank-1], h.percentile(percent)
			if got < want || float64(got) > float64(want)*(1+1./64) {
				t.Fatalf("%v %%: %d, want %d to %.0f", percent, got, want, float64(want)*(1+1./64))
			}
		}
	})
}

// Weights count like repetitions.
func TestHistogramWeights(t *testing.T) {
	h := newHistogram(32)
	h.add(10, 89)
	h.add(100, 10)
	h.add(5000, 1)
	for percent, want := range map[float64]int64{89: 10, 89.1: 100, 99: 100, 99.1: 5000, 100: 5000} {
		must.Equalf(t, h.percentile(percent), want, "%v %%:", percent)
	}
	must.Equalf(t, h.mean(), (890.+1000+5000)/100, "mean")
}
