package sim

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// Equal scenarios give equal results; another seed marks other packets.
func TestDeterminism(t *testing.T) {
	for control := range controls {
		run := func(seed uint64) *Result {
			sc := scenario(leafSpine(2, 8, 2), "incast", control, 400*units.KB)
			sc.Seed = seed
			r := must.Get(Run(t.Context(), sc))(t)
			return r
		}
		ignored := cmpopts.IgnoreFields(Result{}, "WallSeconds", "PeakMemory")
		first := run(1)
		must.NoDiffIn(t, cmp.Diff(first, run(1), ignored), "%s: two runs differ:", control)
		if control == "dcqcn" && cmp.Equal(first, run(2), ignored) {
			t.Error("dcqcn: the seed makes no difference")
		}
	}
}

// Once the packets' array has grown to what is under way, nothing is allocated.
func TestNoAllocation(t *testing.T) {
	for control := range controls {
		sc := scenario(leafSpine(2, 8, 2), "permutation", control, 40*units.MB)
		sc.Buffer.Size = 4 * units.MiB // soon full
		s := must.Get(newEngine(sc))(t)
		s.steps(math.MaxInt64, 500_000)
		hops := s.hops
		allocs := testing.AllocsPerRun(5, func() { s.steps(math.MaxInt64, 50_000) })
		if allocs != 0 || s.hops-hops < 100_000 {
			t.Errorf("%s: %v allocations in 50,000 events, %d packet-hops", control, allocs, s.hops-hops)
		}
	}
}

// Flows that cannot reach their destination are an error that names them.
func TestNoPath(t *testing.T) {
	sc := leafSpine(2, 1, 0)
	sc.flow(0, 1, 1000, 0)
	if _, err := newEngine(sc); err == nil || err.Error() != "no path from node 0 to node 1" {
		t.Errorf("error %v", err)
	}
}

// A lone flow takes base RTT, its packets at line rate, and the acknowledgement's way
// back, to the picosecond.
func TestLoneFlow(t *testing.T) {
	sc := leafSpine(2, 1, 1)
	sc.flow(0, 1, 100_000, 0)
	r := must.Get(Run(t.Context(), sc))(t)
	const (
		data100, data200 = 1048 * 80, 1048 * 40 // ps on the wire
		ack100, ack200   = 60 * 80, 60 * 40
		cables           = 8 * 1_000_000
	)
	want := 100*data100 + 2*data200 + data100 + 2*ack100 + 2*ack200 + cables
	must.Equalf(t, int(math.Round(r.Flows[0].FCTUS*1e6)), want, "ps:")
}

// What a run cannot represent is an error, all of it at once.
func TestCheck(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	sc.Transport.Payload = 0
	sc.Links[0].Delay = 5 * units.Millisecond
	sc.Links[1].Rate = 1000
	sc.flow(0, 2, 1000, 0)
	sc.flow(0, 1, 0, 0)
	_, err := newEngine(sc)
	if err == nil {
		t.Fatal("no error")
	}
	if n := strings.Count(err.Error(), "\n") + 1; n != 5 {
		t.Errorf("%d errors, want 5:\n%v", n, err)
	}
}

// A run that nobody waits for any more says so, whichever way it goes.
func TestRunThatIsEnded(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	end()
	for name, edit := range map[string]func(sc *Scenario){
		"alone": func(*Scenario) {}, "skipping": func(sc *Scenario) { sc.SkipSteady = true }, "in domains": func(sc *Scenario) { sc.Cores = 2 },
	} {
		sc := leafSpine(2, 2, 1)
		sc.flow(0, 3, 100*units.KB, 0)
		edit(sc)
		if r, err := Run(ctx, sc); r != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
}

// Steady time is left out where that is asked for and can be.
func TestTimeIsLeftOutIfAskedFor(t *testing.T) {
	for _, c := range []struct{ asked, beside, want bool }{{false, false, false}, {true, false, true}, {true, true, false}} {
		sc := leafSpine(1, 2, 0)
		sc.Transport.Payload = 4096
		sc.flow(0, 1, 20*units.MB, 0)
		if sc.SkipSteady = c.asked; c.beside {
			sc.Storms = []Storm{{Host: 1, Class: 5, From: 1, To: 2}}
		}
		if r := mustRun(t, sc); (r.SkippedUS > 0) != c.want {
			t.Errorf("%+v: %v us are left out", c, r.SkippedUS)
		}
	}
}

// What is known of a host from the search for its neighbour is what a search of its own finds:
// every path and round trip, where links are alike and where they are not.
func TestTwins(t *testing.T) {
	sc := leafSpine(4, 6, 3)
	for i := range sc.Links {
		if i%5 == 0 {
			sc.Links[i].Delay += units.Microsecond
		}
	}
	topo := newTopology(sc)
	var shared tree
	taken := 0
	for root, kind := range sc.Nodes {
		if kind != Host {
			continue
		}
		if len(shared.order) > 0 && topo.twins(shared.root, root) {
			taken++
		}
		var own tree
		shared.find(topo, root, 1000, clock{})
		own.find(topo, root, 1000, clock{})
		for node := range sc.Nodes {
			a, b := shared.steps[node], own.steps[node]
			if a.rank, b.rank = 0, 0; a != b {
				t.Fatalf("from %d to %d: %+v, by a search of its own %+v", node, root, a, b)
			}
			for port := range uint16(8) {
				key := balance.Key{Src: address(node), Dst: address(root), SrcPort: port, DstPort: 4791}
				if node != root && !slices.Equal(shared.path(topo, node, key), own.path(topo, node, key)) {
					t.Fatalf("another path from %d to %d", node, root)
				}
			}
		}
	}
	if taken == 0 {
		t.Error("no search was spared")
	}
}
