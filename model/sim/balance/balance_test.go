package balance

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/cells"
)

// What each way remembers: flowlets where there are gaps, signals in global balancing alone.
func TestNew(t *testing.T) {
	for _, c := range []struct {
		config            Config
		flowlets, signals bool
	}{
		{Config{Mode: ECMP, FlowletGap: 1, SignalInterval: 1}, false, false},
		{Config{Mode: Adaptive, FlowletGap: 1, SignalInterval: 1}, false, false},
		{Config{Mode: Flowlet}, true, false},
		{Config{Mode: Global, SignalInterval: 1}, false, true},
		{Config{Mode: Global, SignalInterval: 1, FlowletGap: 1}, true, true},
	} {
		b := New(&c.config, 2, 4)
		if b.Mode != c.config.Mode || b.Flowlets != nil != c.flowlets || b.Signals != nil != c.signals {
			t.Errorf("%+v: mode %d, flowlets %v, signals %v", c.config, b.Mode, b.Flowlets != nil, b.Signals != nil)
		}
	}
}

func TestCheck(t *testing.T) {
	bad := func(c Config) bool { return c.Check() != nil }
	fine := cells.Config{Credit: 1, Speedup: 1}
	for name, c := range map[string]struct {
		config Config
		bad    bool
	}{
		"nothing":                   {Config{}, false},
		"global without signals":    {Config{Mode: Global}, true},
		"signals every ps":          {Config{Mode: Global, SignalInterval: 1}, false},
		"signals that nobody wants": {Config{Mode: Flowlet, SignalInterval: -1}, false},
		"cells without credits":     {Config{Mode: Cells}, true},
		"cells":                     {Config{Mode: Cells, Cells: fine}, false},
		"no cells without credits":  {Config{Mode: Spray}, false},
		"ConWeave's times":          {func() (c Config) { c.ConWeave.Expiry = -1; return }(), true},
		"ConWeave's beside cells":   {func() (c Config) { c.Mode, c.Cells, c.ConWeave.Expiry = Cells, fine, -1; return }(), true},
	} {
		if bad(c.config) != c.bad {
			t.Errorf("%s: %v", name, c.config.Check())
		}
	}
}

// The first of random draws, as math/rand/v2 gives them, decides which of equal hops is taken.
func TestAny(t *testing.T) {
	hops := []int32{7, 8, 9}
	random, same := rand.NewPCG(1, 2), rand.NewPCG(1, 2)
	for range 100 {
		if got, want := Any(hops, random), hops[same.Uint64()%3]; got != want {
			t.Fatalf("%d, want %d", got, want)
		}
	}
}

// The shortest wait wins wherever it stands; among equal ones the first from a random place on.
func TestLeast(t *testing.T) {
	hops := []int32{7, 8, 9, 10}
	random, same := rand.NewPCG(1, 2), rand.NewPCG(1, 2)
	for _, c := range []struct {
		waits []int64
		from  [4]int // the place that wins, by the random one
	}{
		{[]int64{5, 5, 5, 5}, [4]int{0, 1, 2, 3}},
		{[]int64{4, 5, 5, 5}, [4]int{0, 0, 0, 0}},
		{[]int64{5, 5, 5, 4}, [4]int{3, 3, 3, 3}},
		{[]int64{4, 5, 4, 5}, [4]int{0, 2, 2, 0}},
		{[]int64{9, 3, 3, 8}, [4]int{1, 1, 2, 1}},
		{[]int64{9, 8, 2, 1}, [4]int{3, 3, 3, 3}},
		{[]int64{Dead, Dead + Dead, Dead, Dead}, [4]int{0, 2, 2, 3}},
	} {
		met := [4]bool{}
		for range 100 {
			from := same.Uint64() % 4
			met[from] = true
			if got, want := Least(hops, c.waits, random), hops[c.from[from]]; got != want {
				t.Fatalf("%v from place %d on: %d, want %d", c.waits, from, got, want)
			}
		}
		must.Equalf(t, met, [4]bool{true, true, true, true}, "not all places were drawn:")
	}
}

// Three nodes, of which the first has two ways to one destination, and one to another; a third one
// hangs beside the second on node 2.
func TestHops(t *testing.T) {
	h := newHops()
	next := func(ports ...[]int32) func(int) []int32 { return func(node int) []int32 { return ports[node] } }
	a := h.Row(3, next([]int32{1, 2}, []int32{3}, nil))
	b := h.Row(3, next([]int32{3}, []int32{1, 2}, []int32{258}))
	c := h.Twin(2, 6)
	want := map[[2]int32][]int32{
		{a, 0}: {1, 2}, {a, 1}: {3}, {a, 2}: {},
		{b, 0}: {3}, {b, 1}: {1, 2}, {b, 2}: {258}, // another one than 2: all bytes of a port count
		{c, 0}: {3}, {c, 1}: {1, 2}, {c, 2}: {6},
	}
	compare := func() {
		t.Helper()
		for of, ports := range want {
			if got := h.At(of[0], of[1]); !slices.Equal(got, ports) {
				t.Errorf("row %d at node %d: %v, want %v", of[0], of[1], got, ports)
			}
		}
	}
	compare()
	if h.Entries() != 6 || len(h.ports) != 5 { // {1, 2}, {3}, {}, {258}, {6}
		t.Errorf("%d entries, %d ports kept", h.Entries(), len(h.ports))
	}
	h = newHops()
	a, b = h.Row(3, next([]int32{1}, []int32{2}, nil)), h.Row(3, next([]int32{3}, []int32{4}, nil))
	h.Forget()
	h.Fill(b, 3, next([]int32{4}, []int32{5, 6}, []int32{65536 + 4}))
	h.Fill(a, 3, next(nil, []int32{1 << 24}, []int32{4}))
	want = map[[2]int32][]int32{
		{a, 0}: {}, {a, 1}: {1 << 24}, {a, 2}: {4}, {b, 0}: {4}, {b, 1}: {5, 6}, {b, 2}: {65536 + 4},
	}
	if compare(); len(h.ports) != 5 { // {4}, {5, 6}, {65540}, {}, {1 << 24}: all before are forgotten
		t.Errorf("%d ports kept", len(h.ports))
	}
}

// A flowlet goes on by its port as long as gaps are not longer than 10 ps and the port leads on.
func TestFlowlets(t *testing.T) {
	f := newFlowlets(10, 3)
	hops := []int32{7, 8}
	goes := func(node int32, flow uint64, now int64, hops []int32, port int32, over bool) {
		t.Helper()
		p, o := f.Goes(node, flow, now, hops)
		if o != over || !o && p != port {
			t.Errorf("node %d flow %d at %d: port %d, over %v", node, flow, now, p, o)
		}
	}
	goes(1, 5, 0, []int32{0, 8}, 0, true) // the first packet of all, at the time 0, by no port yet
	f.Takes(1, 5, 8)
	goes(1, 5, 10, hops, 8, false)
	goes(1, 5, 20, hops, 8, false)      // 10 ps after the packet before, not the first one
	goes(1, 5, 31, hops, 8, true)       // 11 ps
	goes(1, 5, 32, hops, 8, false)      // nobody has taken another port
	goes(1, 5, 33, []int32{7}, 8, true) // which no longer leads there
	goes(2, 5, 33, hops, 0, true)       // another node knows nothing of it
	goes(0, 5, 33, hops, 0, true)
	// Flows meet in an entry by the fraction of their product with 0.6180339887 (2^64 of which are 0x9e37…): of 1
	// it is 632.87 of 1,024, and of 988, which is 1 and a number of Fibonacci's more, 632.40; of 2 it is 241.7.
	g := newFlowlets(10, 1)
	g.Goes(0, 1, 0, hops)
	g.Goes(0, 1<<54, 0, hops) // the last ten bits of the factor, 0x15, as the first ones of the product
	if g.nodes[0][632].last != 0 || g.nodes[0][0x15].last != 0 {
		t.Error("flow 1 has not entry 632, or flow 2^54 not 21")
	}
	if _, over := g.Goes(0, 988, 5, []int32{0}); over {
		t.Error("flow 988 has another entry than flow 1")
	}
	if _, over := g.Goes(0, 2, 5, []int32{0}); !over {
		t.Error("flow 2 has the entry of flow 1")
	}
}

// Signals every 100 ps: they are told as long as packets ask or something changes.
func TestSignals(t *testing.T) {
	s := newSignals(100, 4)
	planned := func(at int64, ok bool, wantAt int64, want bool) {
		t.Helper()
		if ok != want || ok && at != wantAt {
			t.Errorf("planned %v for %d, want %v for %d", ok, at, want, wantAt)
		}
	}
	wanted := func(now, at int64, want bool) {
		t.Helper()
		when, ok := s.Wanted(now)
		planned(when, ok, at, want)
	}
	told := func(now, at int64, want bool) {
		t.Helper()
		when, ok := s.Told(now)
		planned(when, ok, at, want)
	}
	wanted(99, 100, true)
	wanted(99, 0, false) // once
	s.Tell(1, 30)
	s.Tell(2, 20)
	s.Tell(3, 0)
	told(100, 200, true) // something has changed
	wanted(150, 0, false)
	for _, c := range []struct {
		hops []int32
		want int64
	}{{nil, Dead}, {[]int32{1}, 30}, {[]int32{1, 2}, 20}, {[]int32{2, 1}, 20}, {[]int32{1, 2, 3}, 0}, {[]int32{0, 1}, 0}} {
		must.Equalf(t, s.Least(c.hops), c.want, "behind %v", c.hops)
	}
	s.Tell(1, 30)
	s.Tell(2, 20)
	told(200, 0, false) // nothing has: silence until somebody asks
	wanted(200, 300, true)
	s.Tell(1, 31)
	s.Tell(2, 20) // one change is enough, in whatever order
	told(300, 400, true)
	told(400, 0, false) // what changed before is told
}
