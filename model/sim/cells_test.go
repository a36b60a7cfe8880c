package sim

import (
	"math"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/model/sim/cells"
	"github.com/roceplan/roceplan/units"
)

// A lone flow in a scheduled fabric waits for a credit's round trip, and so does its last
// acknowledgement, except for up to 17 that share its credit and come 84 ns apart; between, it has
// the port's rate.
func TestCellsLoneFlow(t *testing.T) {
	lone := func(b balance.Config, dst int) float64 {
		sc := statementFabric(1, "none", b)
		sc.flow(0, dst, units.MB, 0)
		r := must.Get(Run(t.Context(), sc))(t)
		return r.Flows[0].FCTUS
	}
	const credit = 2 * (1 + 1) // us: two links there, two back
	cells := balancings["cells"]
	if more := lone(cells, hostsPerLeaf) - lone(balance.Config{}, hostsPerLeaf); more > 2*credit || more < 2*credit-18*0.084 {
		t.Errorf("a flow across takes %v us more than by ECMP, want %v", more, 2*credit)
	}
	if more := lone(cells, 1) - lone(balance.Config{}, 1); math.Abs(more) > 0.2 {
		t.Errorf("a flow within a leaf takes %v us more than by ECMP", more)
	}
}

// Switches take 600 ns. A packet across takes that of its leaf before it asks, a spine's for the request and for the credit, a
// spine's and the other leaf's itself: 5 times 600 ns, and so does its acknowledgement. Within a leaf it is once each way.
func TestCellsLatency(t *testing.T) {
	took := func(dst int, latency units.Time) float64 {
		sc := statementFabric(1, "none", balancings["cells"])
		sc.flow(0, dst, 1000, 0)
		for range sc.Nodes {
			sc.Latency = append(sc.Latency, latency)
		}
		r := must.Get(Run(t.Context(), sc))(t)
		return r.Flows[0].FCTUS
	}
	const latency = 600 * units.Nanosecond
	for dst, times := range map[int]float64{hostsPerLeaf: 2 * 5, 1: 2} {
		if more := took(dst, latency) - took(dst, 0); math.Abs(more-times*0.6) > 1e-6 {
			t.Errorf("to host %d: %v us more, want %v", dst, more, times*0.6)
		}
	}
}

// Cells do not collide, packets keep their order, and nobody is paused where the ports are not
// oversubscribed.
func TestCellsAcross(t *testing.T) {
	r := weaveAcross(t, 1, balancings["cells"], nil)
	if slowest(r) > 1.15 || r.OutOfOrder > 0 || r.PFCPauses > 0 {
		t.Errorf("slowest flow %v, %d packets out of order, %d pauses", slowest(r), r.OutOfOrder, r.PFCPauses)
	}
}

// In an incast the packets wait where they came in: the port out of the fabric holds little,
// no switch is paused, and a flow beside the incast does not notice it.
func TestCellsIncast(t *testing.T) {
	sc := statementFabric(1, "none", balancings["cells"])
	sc.flow(hostsPerLeaf, 2*hostsPerLeaf, 4*units.MB, 0)
	for src := hostsPerLeaf + 1; src < statementHosts; src++ {
		if src != 2*hostsPerLeaf {
			sc.flow(src, 0, 4*units.MB, 0)
		}
	}
	inside := 0
	report := &statements{t: t}
	_, r := report.observe(sc, 16, func(s *engine) {
		for i := range s.ports {
			if tier(s, int32(i)) != fromHost && s.ports[i].paused != 0 {
				inside++
			}
		}
	})
	if most := int64(16*units.KB) + 4*1048 + 2*2*12_500; r.PeakEgressQueue > most { // two ways of 2 us
		t.Errorf("a port held %d B, more than %d", r.PeakEgressQueue, most)
	}
	if inside > 0 || r.PFCPauses == 0 || r.Drops > 0 || r.Flows[0].Slowdown > 1.1 {
		t.Errorf("switches paused %d times, hosts %d; %d drops; slowdown beside the incast %v", inside, r.PFCPauses, r.Drops, r.Flows[0].Slowdown)
	}
}

// The ingress buffer has to hold what a port sends in a credit's round trip: 4 us at 100 Gb/s
// are 50 kB. With half of that, PFC stops the host half of the time.
func TestCellsBuffer(t *testing.T) {
	throughput := func(threshold units.Bytes) float64 {
		sc := leafSpine(2, 1, 2)
		sc.ECN, sc.Balancing = nil, balancings["cells"]
		sc.Buffer.AlphaShift = 0
		sc.Buffer.Reserve = 0
		const headroom = 3 * 12_500 // of a leaf's one host
		sc.Buffer.Size = 2*threshold + headroom
		sc.flow(0, 1, 4*units.MB, 0)
		r, err := Run(t.Context(), sc)
		if err != nil || r.Drops > 0 {
			t.Fatal(r, err)
		}
		return 4e6 * 1.048 * 8 / r.Flows[0].FCTUS / 100e3
	}
	if enough, half := throughput(60*units.KB), throughput(25*units.KB); enough < 0.95 || half > 0.8 {
		t.Errorf("throughput with a threshold of 60 kB %v, of 25 kB %v", enough, half)
	}
}

// Where a leaf's links carry less than its hosts, credits keep within the links, and nothing
// piles up in the fabric.
func TestCellsOversubscribed(t *testing.T) {
	sc := leafSpine(3, 8, 1)
	sc.ECN, sc.Balancing = nil, balancings["cells"]
	for src := range 8 {
		sc.flow(8+src, src, 2*units.MB, 0)
		sc.flow(16+src, src, 2*units.MB, 0)
	}
	r, err := Run(t.Context(), sc)
	if err != nil || r.Drops > 0 || r.UnfinishedFlows > 0 {
		t.Fatal(r, err)
	}
	rate := 16 * 2e6 * 1.048 * 8 / lastByte(r) / 1e3
	if r.PeakEgressQueue > 100_000 || rate < 180 {
		t.Errorf("a queue of %d B in the fabric, %v Gb/s of 200", r.PeakEgressQueue, rate)
	}
}

// What a fabric of cells cannot be is an error.
func TestCellsCheck(t *testing.T) {
	for _, c := range []cells.Config{{Speedup: 1}, {Credit: 1, Speedup: 0.9}, {Credit: 1, Speedup: math.NaN()}, {Credit: 1, Speedup: 1, EgressBuffer: -1}} {
		sc := leafSpine(2, 1, 1)
		sc.Balancing = balance.Config{Mode: balance.Cells, Cells: c}
		if _, err := newEngine(sc); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}

// What is measured of a scheduled fabric over time: with n hosts of 100G sending at line rate to one
// port of 100G, what they send beyond that waits in the VoQs for that port, in the priority groups by
// which it came, and nowhere else: the port's own queue stays within its limit.
func TestVOQOverTime(t *testing.T) {
	const senders = 4
	sc := leafSpine(senders+1, 1, 2)
	sc.ECN = nil
	sc.Balancing = balancings["cells"]
	for src := range senders {
		sc.flow(src, senders, units.MB, 0)
	}
	var most int64
	sc.Observe = &Observation{Buffers: true, Series: []*Series{{
		Period: units.Microsecond, Select: []string{"voq"},
		Begin: func(names []string) error {
			must.Equalf(t, len(names), senders+1, "counters %v:", names)
			return nil
		},
		Sampled: func(_ units.Time, values []int64) error {
			most = max(most, slices.Max(values))
			return nil
		},
	}}}
	r := mustRun(t, sc)
	// While 1 MB comes from each in 84 us, three quarters of it wait: 3.1 MB with headers, less
	// what a credit's way takes.
	peak := slices.MaxFunc(r.VOQs, func(a, b BufferResult) int { return int(a.Peak - b.Peak) }).Peak
	if len(r.VOQs) != senders+1 || peak < 3_000_000 || peak > 3_250_000 { // the others hold acknowledgements
		t.Fatalf("VoQs %+v", r.VOQs)
	}
	if most < peak*95/100 || most > peak {
		t.Errorf("samples reach %d B, the peak is %d B", most, peak)
	}
	groups := int64(0)
	for _, pg := range r.PGs {
		groups += pg.Peak
	}
	if groups < peak || len(r.PGs) != senders+1 {
		t.Errorf("%d groups hold %d B at most, less than their VoQs", len(r.PGs), groups)
	}
}
