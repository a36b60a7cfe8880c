package sim

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// resultOn is a run's result on some cores, as JSON without what no two runs share.
func resultOn(t failer, sc *Scenario, cores int) []byte { return resultIn(t, sc, cores, cores) }

// resultIn returns the result in so many domains, which may be more than there are cores.
func resultIn(t failer, sc *Scenario, domains, cores int) []byte {
	t.Helper()
	own := *sc
	own.Cores = cores
	s, err := newEngine(&own)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if err := s.run(context.Background(), &own, domains, cmp.Or(int64(sc.Stop), never)); err != nil {
		t.Fatalf("%v", err)
	}
	r := s.result(&own)
	r.WallSeconds, r.PeakMemory = 0, 0
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return append(text, fmt.Sprint(r.Observed.arrivals, r.Observed.pauseStarts)...)
}

// On any number of cores, in any number of domains, a run has the same result, to the last byte: under every congestion
// control, with every way to balance load that divides, with the HPCC simulator's buffer and
// with a chip's.
func TestCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	turn := 0
	for _, control := range slices.Sorted(maps.Keys(controls)) {
		for _, balancing := range slices.Sorted(maps.Keys(balancings)) {
			sc := balanced(leafSpine(5, 4, 3), balancing, []string{"mixed sizes", "incast", "all-to-all"}[turn%3], control, 100*units.KB)
			if !sc.divisible() {
				continue
			}
			turn++
			sc.Observe = &Observation{Usual: 10 * units.Microsecond, Buffers: turn%4 < 2} // without, chips' buffers may be quiet
			if turn%2 == 0 {
				chipBuffers(sc, 500_000)
			}
			if parts := partsOf(t, sc, 4); len(parts) != 4 {
				t.Fatalf("%s, %s: divided into %d", control, balancing, len(parts))
			}
			runtime.GOMAXPROCS([]int{1, 2, 4}[turn%3])
			want := resultOn(t, sc, 1)
			for _, parts := range [][2]int{{2, 2}, {4, 4}, {5, 1}, {5, 2}} {
				if got := resultIn(t, sc, parts[0], parts[1]); !bytes.Equal(got, want) {
					t.Errorf("%s, %s: in %d domains on %d cores\n%s\nin one\n%s", control, balancing, parts[0], parts[1], got, want)
				}
			}
		}
	}
	t.Logf("%d combinations", turn)
}

// partsOf divides a scenario; nil if that cannot be.
func partsOf(t failer, sc *Scenario, cores int) []*engine {
	own := *sc
	own.Cores = cores
	s, err := newEngine(&own)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return s.split(&own, own.domains())
}

// A run that is stopped has the same packets under way, though some lie between domains.
func TestCoresStopped(t *testing.T) {
	for _, stop := range []units.Time{3 * units.Microsecond, 7777 * units.Nanosecond} {
		sc := balanced(leafSpine(5, 4, 3), "ecmp", "all-to-all", "dcqcn", 100*units.KB)
		sc.Stop, sc.Observe = stop, &Observation{}
		want := resultIn(t, sc, 1, 1)
		if !bytes.Contains(want, []byte(`"left":`)) || bytes.Contains(want, []byte(`"left":0,`)) {
			t.Fatalf("nothing is left: %s", want)
		}
		if got := resultIn(t, sc, 5, 2); !bytes.Equal(got, want) {
			t.Errorf("stopped at %d ps in five domains\n%s\nin one\n%s", stop, got, want)
		}
	}
}

// So it is with all that a run can be: lossy links, storms, slow receivers, watchdogs, TCP, queue
// pairs that are shared, messages that wait for others, queues of ports' own.
func TestCoresAnywhere(t *testing.T) {
	divided := 0
	rapid.Check(t, func(t *rapid.T) {
		sc := drawScenario(t)
		sc.Observe, sc.Outages = &Observation{Usual: 5 * units.Microsecond, Buffers: rapid.Bool().Draw(t, "buffers")}, nil
		if sc.Balancing.Mode >= balance.Global {
			sc.Balancing.Mode = balance.Flowlet
		}
		if sc.Transport.Service == DC {
			sc.Transport.Service, sc.Transport.AckTimeout, sc.Transport.Selective = RC, 0, false
		}
		if sc.Stop == 0 || sc.Stop > 10*units.Millisecond {
			sc.Stop = 10 * units.Millisecond
		}
		if partsOf(t, sc, 3) != nil {
			divided++
		}
		want := resultOn(t, sc, 1)
		for cores := 1; cores <= 3; cores += 2 {
			if got := resultIn(t, sc, 3, cores); !bytes.Equal(got, want) {
				t.Fatalf("in three domains on %d cores\n%s\nin one\n%s", cores, got, want)
			}
		}
	})
	if divided == 0 && !testing.Short() { // a fifth of the draws may have none
		t.Error("no run was divided")
	}
}

// Domains have whole racks, about as many ports each, and a pod's switches are together with its racks.
func TestDivide(t *testing.T) {
	sc := leafSpine(8, 4, 4)
	of := divide(sc, 4)
	load := make([]int, 4)
	for _, l := range sc.Links {
		if sc.Nodes[l.A] == Host && of[l.A] != of[l.B] {
			t.Errorf("host %d is apart from its switch", l.A)
		}
		load[of[l.A]]++
		load[of[l.B]]++
	}
	// 8 racks with 4 hosts' ports twice and 4 uplinks, 4 spines with 8 ports: 128 in all.
	for part, ports := range load {
		if ports != 32 {
			t.Errorf("domain %d has %d ports, want 32", part, ports)
		}
	}
}
