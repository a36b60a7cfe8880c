package sim

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/model/sim/cells"
	"github.com/roceplan/roceplan/model/sim/conweave"
	"github.com/roceplan/roceplan/units"
)

// balancings are all ways to balance load.
var balancings = map[string]balance.Config{
	"ecmp":              {Mode: balance.ECMP},
	"spray":             {Mode: balance.Spray},
	"adaptive":          {Mode: balance.Adaptive},
	"flowlet":           {Mode: balance.Flowlet, FlowletGap: 10 * units.Microsecond},
	"letflow":           {Mode: balance.LetFlow, FlowletGap: 10 * units.Microsecond},
	"global":            {Mode: balance.Global, FlowletGap: 10 * units.Microsecond, SignalInterval: 10 * units.Microsecond},
	"cells":             {Mode: balance.Cells, Cells: cells.Config{Credit: 1024, Speedup: 1.02, EgressBuffer: 16 * units.KB}},
	"conweave":          {Mode: balance.ConWeave, ConWeave: conweave.Default()},
	"global per packet": {Mode: balance.Global, SignalInterval: 10 * units.Microsecond},
}

// balanced is a scenario with one of them; packets that overtake others are placed.
func balanced(sc *Scenario, balancing, pattern, control string, size units.Bytes) *Scenario {
	sc.Balancing = balancings[balancing]
	sc.Transport.DirectPlacement = sc.Balancing.Mode != balance.ECMP && sc.Balancing.Mode < balance.ConWeave
	return scenario(sc, pattern, control, size)
}

// Each way to balance load keeps all bytes, on every pattern, with little buffer and much.
func TestBalancingConservation(t *testing.T) {
	for balancing := range balancings {
		for pattern := range patterns {
			for _, control := range []string{"none", "dcqcn"} {
				t.Run(name(balancing, name(pattern, control)), func(t *testing.T) {
					sc := balanced(leafSpine(3, 4, 2), balancing, pattern, control, 300*units.KB)
					sc.Buffer.Size = 6 * units.MiB
					drain(t, sc, true)
				})
			}
		}
	}
}

// Equal scenarios give equal results, and nothing is allocated once the run is under way.
func TestBalancingRepeats(t *testing.T) {
	for balancing := range balancings {
		run := func() *Result {
			r := must.Get(Run(t.Context(), balanced(leafSpine(3, 6, 3), balancing, "all-to-all", "dcqcn", 400*units.KB)))(t)
			return r
		}
		must.NoDiffIn(t, cmp.Diff(run(), run(), cmpopts.IgnoreFields(Result{}, "WallSeconds", "PeakMemory")), "%s: two runs differ:", balancing)
		s := must.Get(newEngine(balanced(leafSpine(2, 8, 4), balancing, "permutation", "dcqcn", 40*units.MB)))(t)
		s.steps(math.MaxInt64, 500_000)
		hops := s.hops
		allocs := testing.AllocsPerRun(5, func() { s.steps(math.MaxInt64, 50_000) })
		if allocs != 0 || s.hops-hops < 50_000 {
			t.Errorf("%s: %v allocations in 50,000 events, %d packet-hops", balancing, allocs, s.hops-hops)
		}
	}
}

// BenchmarkBalancing measures the speed of each way to balance load next to ECMP's.
func BenchmarkBalancing(b *testing.B) {
	for _, balancing := range slices.Sorted(maps.Keys(balancings)) {
		b.Run(balancing, func(b *testing.B) {
			sc := balanced(leafSpine(8, 16, 8), balancing, "permutation", "dcqcn", 4*units.MB)
			b.ReportAllocs()
			var hops int64
			for b.Loop() {
				r := must.Get(Run(b.Context(), sc))(b)
				hops += r.PacketHops
			}
			b.ReportMetric(float64(hops)/b.Elapsed().Seconds(), "hops/s")
		})
	}
}

// Where the link behind a next hop is slow, the queue at hand does not show it: packets pile
// up in the spine, until PFC has come back to the leaf. Signals show it.
func TestGlobalSeesRemoteQueues(t *testing.T) {
	run := func(b balance.Config) (queue int64, slowest float64) {
		const leaves, perLeaf, spines = 2, 8, 4
		sc := leafSpine(leaves, perLeaf, spines)
		slow := slices.IndexFunc(sc.Links, func(l Link) bool { return l.A == leaves*perLeaf+1 }) // to the first spine
		sc.Links[slow].Rate = 25 * units.Gbps
		sc.ECN, sc.Balancing, sc.Transport.DirectPlacement = nil, b, true
		for src := range 4 {
			sc.flow(src, perLeaf+src, 2*units.MB, 0)
		}
		r, err := Run(t.Context(), sc)
		if err != nil || r.UnfinishedFlows > 0 {
			t.Fatal(r, err)
		}
		for _, f := range r.Flows {
			slowest = max(slowest, f.Slowdown)
		}
		return r.PeakEgressQueue, slowest
	}
	local, slow := run(balance.Config{Mode: balance.Adaptive})
	global, fast := run(balance.Config{Mode: balance.Global, SignalInterval: 2 * units.Microsecond})
	late, _ := run(balance.Config{Mode: balance.Global, SignalInterval: 100 * units.Microsecond})
	if global > local/10 || global >= late || late >= local || fast > 1.1 || slow < 1.5 {
		t.Errorf("longest queue %d B by the local queues, %d B with signals every 2 us, %d B every 100 us; slowest flow %v and %v",
			local, global, late, slow, fast)
	}
}
