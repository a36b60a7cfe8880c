package deadlock_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/deadlock"
)

// clos is `leaves` edge devices, each with one link to each of `spines`.
func clos(leaves, spines int) *deadlock.Topology {
	t := &deadlock.Topology{}
	for i := range leaves {
		t.Devices = append(t.Devices, deadlock.Device{Name: fmt.Sprintf("leaf-%d", i+1), Edge: true})
	}
	for i := range spines {
		t.Devices = append(t.Devices, deadlock.Device{Name: fmt.Sprintf("spine-%d", i+1)})
	}
	for l := range leaves {
		for s := range spines {
			t.Links = append(t.Links, deadlock.Link{A: int32(l), B: int32(leaves + s)})
		}
	}
	return t
}

// pods is a three-stage Clos: in each pod every ToR reaches every aggregation switch,
// and aggregation switch i of each pod reaches the spines of plane i.
func pods(pods, tors, aggs, spinesPerPlane int) *deadlock.Topology {
	t := &deadlock.Topology{}
	add := func(edge bool, format string, args ...any) int32 {
		t.Devices = append(t.Devices, deadlock.Device{Name: fmt.Sprintf(format, args...), Edge: edge})
		return int32(len(t.Devices) - 1)
	}
	var planes [][]int32
	for a := range aggs {
		var plane []int32
		for s := range spinesPerPlane {
			plane = append(plane, add(false, "spine-%d-%d", a+1, s+1))
		}
		planes = append(planes, plane)
	}
	for p := range pods {
		var uppers []int32
		for a := range aggs {
			agg := add(false, "agg-%d-%d", p+1, a+1)
			uppers = append(uppers, agg)
			for _, spine := range planes[a] {
				t.Links = append(t.Links, deadlock.Link{A: agg, B: spine})
			}
		}
		for r := range tors {
			tor := add(true, "tor-%d-%d", p+1, r+1)
			for _, agg := range uppers {
				t.Links = append(t.Links, deadlock.Link{A: tor, B: agg})
			}
		}
	}
	return t
}

// ring is edge devices in a circle: the textbook case of a cyclic dependency.
func ring(n int) *deadlock.Topology {
	t := &deadlock.Topology{}
	for i := range n {
		t.Devices = append(t.Devices, deadlock.Device{Name: fmt.Sprintf("sw-%d", i+1), Edge: true})
		t.Links = append(t.Links, deadlock.Link{A: int32(i), B: int32((i + 1) % n)})
	}
	return t
}

func check(t *testing.T, topology *deadlock.Topology, failed ...int) deadlock.Verdict {
	t.Helper()
	v := must.Get(deadlock.Check(topology, failed...))(t)
	return v
}

// An up-down fabric is proved free by the absence of bounces (Guo et al., SIGCOMM
// 2016, section 4.2).
func TestClosIsFree(t *testing.T) {
	for _, topology := range []*deadlock.Topology{clos(4, 2), clos(16, 8), pods(4, 4, 2, 2)} {
		if v := check(t, topology); !v.Free() || len(v.Bounce) > 0 || v.Cut > 0 {
			t.Errorf("%d devices: %+v", len(topology.Devices), v)
		}
	}
}

// Five switches in a ring: every two-hop path around it waits for the next one. With
// three, no path has two hops and nothing waits.
func TestRing(t *testing.T) {
	if v := check(t, ring(5)); v.Free() {
		t.Error("a ring of five has no circle")
	} else if len(v.Cycle) != 5 {
		t.Errorf("the circle has %d links: %v", len(v.Cycle), v.Cycle)
	}
	if v := check(t, ring(3)); !v.Free() {
		t.Errorf("a ring of three: %v", v.Cycle)
	}
}

// The witness is a circle: each link ends where the next one begins.
func TestWitnessIsConnected(t *testing.T) {
	cycle := check(t, ring(7)).Cycle
	for i, hop := range cycle {
		if next := cycle[(i+1)%len(cycle)]; hop.To != next.From {
			t.Errorf("%v is followed by %v", hop, next)
		}
	}
}

// Two leaves lose one spine each, and no spine is left that reaches both: packets
// between them bounce through a third leaf. One bounce is not a circle, since nothing
// bounces back.
func TestBouncedPathIsFound(t *testing.T) {
	v := check(t, clos(3, 2), 0*2+0, 1*2+1) // leaf-1 loses spine-1, leaf-2 loses spine-2
	if len(v.Bounce) == 0 {
		t.Fatal("no bounce was found")
	}
	must.Equalf(t, v.Bounce[0].To, "leaf-3", "the bounce is at")
}

func TestCutIsCounted(t *testing.T) {
	if v := check(t, clos(3, 1), 0); v.Cut != 2 {
		t.Errorf("a leaf without links: %d pairs are cut, want 2", v.Cut)
	}
}

// While routing converges after a failure, a spine that lost its link to a leaf sends
// back to leaves that still send to it: the micro-loop of UCloud's report.
func TestConvergenceMakesMicroLoops(t *testing.T) {
	v := must.Get(deadlock.Converging(clos(4, 2), 0))(t)
	if v.Free() {
		t.Error("no circle while converging")
	}
}

func TestBadTopology(t *testing.T) {
	for _, link := range []deadlock.Link{{A: 0, B: 9}, {A: -1, B: 0}, {A: 1, B: 1}} {
		if _, err := deadlock.Check(&deadlock.Topology{Devices: make([]deadlock.Device, 2), Links: []deadlock.Link{link}}); err == nil {
			t.Errorf("link %v was accepted", link)
		}
	}
}

// brute examines every failure one by one.
func brute(t *testing.T, topology *deadlock.Topology) (singles, pairs, converging [2]int) {
	count := func(to *[2]int, v deadlock.Verdict) {
		if !v.Free() {
			to[0]++
		}
		if v.Cut > 0 {
			to[1]++
		}
	}
	for i := range topology.Links {
		count(&singles, check(t, topology, i))
		v, _ := deadlock.Converging(topology, i)
		if !v.Free() {
			converging[0]++
		}
		for j := range i {
			count(&pairs, check(t, topology, i, j))
		}
	}
	return singles, pairs, converging
}

func tally(cases []deadlock.Case) (n [2]int) {
	for _, c := range cases {
		if !c.Verdict.Free() {
			n[0] += c.Alike
		}
		if c.Verdict.Cut > 0 {
			n[1] += c.Alike
		}
	}
	return n
}

// The survey by classes counts what brute force counts: each pair of links once.
func TestSymmetryAgreesWithBruteForce(t *testing.T) {
	for name, topology := range map[string]*deadlock.Topology{
		"clos 3x2": clos(3, 2), "clos 4x3": clos(4, 3), "pods": pods(2, 2, 2, 1), "pods 3": pods(3, 2, 2, 2),
		"ring 5": ring(5), "ring 6": ring(6),
	} {
		survey := must.Get(deadlock.Examine(topology, nil))(t)
		singles, pairs, converging := brute(t, topology)
		if got := tally(survey.Singles); got != singles {
			t.Errorf("%s: singles %v, brute force %v", name, got, singles)
		}
		if got := tally(survey.Converging); got[0] != converging[0] {
			t.Errorf("%s: converging %v, brute force %v", name, got, converging)
		}
		if got := tally(survey.Pairs); got != pairs {
			t.Errorf("%s: pairs %v, brute force %v", name, got, pairs)
		}
	}
}

// The search for a circle agrees with an obvious one on random small graphs: paths
// are enumerated and consecutive links collected.
func TestCyclesAgreeWithEnumeration(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	circles := 0
	for range 400 {
		topology := randomTopology(random)
		want := enumerated(topology)
		if got := !check(t, topology).Free(); got != want {
			t.Fatalf("%+v: circle %v, enumeration %v", topology, got, want)
		}
		if want {
			circles++
		}
	}
	if circles < 20 || circles > 380 {
		t.Errorf("%d of 400 random fabrics have circles: the test sees one side only", circles)
	}
}

func randomTopology(random *rand.Rand) *deadlock.Topology {
	n := 3 + random.IntN(6)
	t := &deadlock.Topology{}
	for i := range n {
		t.Devices = append(t.Devices, deadlock.Device{Name: fmt.Sprint(i), Edge: random.IntN(3) > 0})
	}
	for i := range n {
		for j := range i {
			if random.IntN(5) < 2 {
				t.Links = append(t.Links, deadlock.Link{A: int32(i), B: int32(j)})
			}
		}
	}
	return t
}

// enumerated walks every shortest path between edge devices, device by device.
func enumerated(t *deadlock.Topology) bool {
	n := len(t.Devices)
	dist := make([][]int, n)
	for i := range dist {
		dist[i] = make([]int, n)
		for j := range dist[i] {
			dist[i][j] = 1 << 20
		}
		dist[i][i] = 0
	}
	for _, l := range t.Links {
		dist[l.A][l.B], dist[l.B][l.A] = 1, 1
	}
	for k := range n {
		for i := range n {
			for j := range n {
				dist[i][j] = min(dist[i][j], dist[i][k]+dist[k][j])
			}
		}
	}
	type link [2]int
	follows := map[link]map[link]bool{}
	var walk func(path []int, to int)
	walk = func(path []int, to int) {
		at := path[len(path)-1]
		if len(path) >= 3 {
			a, b := link{path[len(path)-3], path[len(path)-2]}, link{path[len(path)-2], at}
			if follows[a] == nil {
				follows[a] = map[link]bool{}
			}
			follows[a][b] = true
		}
		for next := range n {
			if dist[at][next] == 1 && dist[next][to] == dist[at][to]-1 {
				walk(append(path[:len(path):len(path)], next), to)
			}
		}
	}
	for from := range n {
		for to := range n {
			if from != to && t.Devices[from].Edge && t.Devices[to].Edge && dist[from][to] < 1<<20 {
				walk([]int{from}, to)
			}
		}
	}
	mark := map[link]int{}
	var visit func(l link) bool
	visit = func(l link) bool {
		mark[l] = 1
		for next := range follows[l] {
			if mark[next] == 1 || mark[next] == 0 && visit(next) {
				return true
			}
		}
		mark[l] = 2
		return false
	}
	for l := range follows {
		if mark[l] == 0 && visit(l) {
			return true
		}
	}
	return false
}

func BenchmarkCheck(b *testing.B) {
	topology := clos(400, 25) // 10,000 links
	for b.Loop() {
		if v, err := deadlock.Check(topology); err != nil || !v.Free() {
			b.Fatal(v, err)
		}
	}
}

// A Clos of 1,000 switches with all pairs of failures, by its symmetry.
func BenchmarkSurvey(b *testing.B) {
	topology := pods(24, 36, 4, 10) // 24 x (36 + 4) + 40 = 1,000 switches, 4,416 links
	for b.Loop() {
		start := time.Now()
		survey := must.Get(deadlock.Examine(topology, nil))(b)
		b.ReportMetric(float64(survey.PairCases)/time.Since(start).Seconds(), "pairs/s")
		b.ReportMetric(float64(survey.PairsExamined), "pairs-examined")
	}
}

// Where routing is free of valleys nothing waits in a circle, and pairs that only a bounce would join
// are cut: two leaves that have lost one spine each. What is joined by way of the top stays so.
func TestValleyFree(t *testing.T) {
	free := func(topology *deadlock.Topology) *deadlock.Topology {
		topology.ValleyFree = true
		return topology
	}
	for name, c := range map[string]struct {
		topology *deadlock.Topology
		failed   []int
		cut      int
	}{
		"clos":                 {clos(3, 2), nil, 0},
		"no common spine":      {clos(3, 2), []int{0*2 + 0, 1*2 + 1}, 1},
		"a leaf without links": {clos(3, 1), []int{0}, 2},
		"three stages":         {pods(4, 4, 2, 2), nil, 0},
		"a ring of five":       {ring(5), nil, 5}, // of ten pairs, five are neighbours
	} {
		if v := check(t, free(c.topology), c.failed...); !v.Free() || v.Cut != c.cut {
			t.Errorf("%s: %+v, want %d pairs cut", name, v, c.cut)
		}
	}
	if v, err := deadlock.Converging(free(clos(4, 2)), 0); err != nil || !v.Free() {
		t.Errorf("converging: %+v, %v", v, err)
	}
}
