package deadlock_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/deadlock"
)

// A Clos of three leaves and two spines by hand. It has 6 links that look alike, and 15 pairs of
// them. The links of one leaf (3 pairs): the leaf is cut off from both others. Those of one spine
// (6 pairs): its leaves meet at the other one. Of two leaves to two spines (6 pairs): they
// bounce at the third leaf, which is no circle. While routing converges, spines send back.
func TestSurveyByHand(t *testing.T) {
	var told [][2]int
	s, err := deadlock.Examine(clos(3, 2), func(done, all int) { told = append(told, [2]int{done, all}) })
	must.Do(t, err)
	if s.SingleCases != 6 || s.PairCases != 15 || s.SinglesExamined != 1 || s.PairsExamined != 3 || len(s.Singles) != 0 {
		t.Errorf("%+v", s)
	}
	if !reflect.DeepEqual(told, [][2]int{{1, 1}}) {
		t.Errorf("progress: %v", told)
	}
	leaf := []deadlock.Hop{{From: "leaf-1", To: "spine-1"}, {From: "leaf-1", To: "spine-2"}}
	if len(s.Pairs) != 1 || !reflect.DeepEqual(s.Pairs[0].Failed, leaf) || s.Pairs[0].Alike != 3 || s.Pairs[0].Verdict.Cut != 2 || !s.Pairs[0].Verdict.Free() {
		t.Errorf("pairs that are not free, or cut: %+v", s.Pairs)
	}
	if len(s.Converging) != 1 || !reflect.DeepEqual(s.Converging[0].Failed, leaf[:1]) || s.Converging[0].Alike != 6 || s.Converging[0].Verdict.Free() {
		t.Errorf("converging: %+v", s.Converging)
	}
	if v := s.AsIs; !v.Free() || len(v.Bounce) > 0 || v.Cut != 0 {
		t.Errorf("as it is: %+v", v)
	}
	// One spine alone: every failure cuts a leaf off, every pair two leaves.
	if s, err = deadlock.Examine(clos(4, 1), nil); err != nil || s.SinglesExamined != 1 || s.PairsExamined != 1 || s.PairCases != 6 {
		t.Fatalf("%+v, %v", s, err)
	}
	if len(s.Singles) != 1 || s.Singles[0].Alike != 4 || s.Singles[0].Verdict.Cut != 3 || len(s.Pairs) != 1 || s.Pairs[0].Alike != 6 || s.Pairs[0].Verdict.Cut != 5 {
		t.Errorf("one spine: %+v", s)
	}
	if _, err := deadlock.Examine(&deadlock.Topology{Links: []deadlock.Link{{A: 0, B: 1}}}, nil); err == nil {
		t.Error("a link between devices that are not there was examined")
	}
}

// A ring that looks different the other way round: three times a leaf, an aggregation switch that has
// another leaf of its own, and a spine. Any pair of its 12 links cuts it in two, which is told unless
// the part that is cut off is a spine alone: 66 - 3 pairs. Links from ring leaves to aggregation switches are three, alike, and so are their
// three pairs: 1 and 2, 2 and 3, 3 and 1. As seen from one of a pair the other is the next one, and
// as seen from the other the last one. That is one kind of pair, not two with half a pair more each.
func TestPairsThatTurn(t *testing.T) {
	topology := &deadlock.Topology{}
	for i := range 3 {
		for _, device := range []deadlock.Device{{Name: "ring", Edge: true}, {Name: "agg"}, {Name: "spine"}, {Name: "leaf", Edge: true}} {
			topology.Devices = append(topology.Devices, deadlock.Device{Name: fmt.Sprintf("%s-%d", device.Name, i+1), Edge: device.Edge})
		}
		ring := int32(4 * i)
		topology.Links = append(topology.Links, deadlock.Link{A: ring, B: ring + 1}, deadlock.Link{A: ring + 1, B: ring + 2},
			deadlock.Link{A: ring + 2, B: (ring + 4) % 12}, deadlock.Link{A: ring + 1, B: ring + 3})
	}
	s := must.Get(deadlock.Examine(topology, nil))(t)
	// Four classes of three links: one kind of pair within each, and three between each two of them, one for
	// each place of the second on the ring as seen from the first.
	if s.SinglesExamined != 4 || s.PairsExamined != 4+3*6 || len(s.Pairs) != 21 || s.PairCases != 66 {
		t.Errorf("%d singles, %d pairs examined, %d told of %d", s.SinglesExamined, s.PairsExamined, len(s.Pairs), s.PairCases)
	}
	sum, upper := 0, 0
	for _, pair := range s.Pairs {
		sum += pair.Alike
		if strings.HasPrefix(pair.Failed[0].From, "ring") && strings.HasPrefix(pair.Failed[1].From, "ring") {
			upper += pair.Alike
		}
	}
	if sum != 63 || upper != 3 {
		t.Errorf("%d pairs in all, %d of links up from ring leaves: %+v", sum, upper, s.Pairs)
	}
}

// A link whose second end is just beyond the list of devices.
func TestLinkBeyond(t *testing.T) {
	devices := make([]deadlock.Device, 2)
	for link, fails := range map[deadlock.Link]bool{{A: 0, B: 1}: false, {A: 1, B: 0}: false, {A: 0, B: 2}: true, {A: 2, B: 0}: true, {A: 0, B: 0}: true} {
		if _, err := deadlock.Check(&deadlock.Topology{Devices: devices, Links: []deadlock.Link{link}}); (err != nil) != fails {
			t.Errorf("%+v: %v", link, err)
		}
	}
	must.Equal(t, (deadlock.Hop{From: "a", To: "b"}).String(), "a → b")
}

// More than 64 destinations: a ring of so many, whose circle goes all around one way.
func TestManyDestinations(t *testing.T) {
	for _, n := range []int{63, 64, 65, 129} {
		v := check(t, ring(n))
		if len(v.Cycle) != n || v.Cut != 0 {
			t.Errorf("a ring of %d: a circle of %d, %d cut", n, len(v.Cycle), v.Cut)
		}
		// Cut open at two places it is two lines, without a circle: the one of a third of the ring.
		if v := check(t, ring(n), n-1, n/3-1); !v.Free() || v.Cut != n/3*(n-n/3) {
			t.Errorf("two lines of %d: %+v", n, v)
		}
		if v := check(t, clos(n, 2)); !v.Free() || len(v.Bounce) > 0 {
			t.Errorf("a Clos of %d leaves: %+v", n, v)
		}
		// The last two leaves bounce at all others, there and back, and what bounces at two of them waits in a circle.
		if v := check(t, clos(n, 2), 2*(n-2), 2*(n-1)+1); len(v.Bounce) != 2 || len(v.Cycle) != 4 || v.Cut != 0 {
			t.Errorf("a Clos of %d leaves without two links: %+v", n, v)
		}
	}
}

// A bounce is found where the definition has one: a link that does not lead up, and after it one
// that does not lead down, both on the way to one destination. What is found is one.
func TestBouncesAgreeWithDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	bounced := 0
	for range 600 {
		topology := randomTopology(random)
		all := bounces(topology)
		v := check(t, topology)
		if found := len(v.Bounce) > 0; found != (len(all) > 0) || found && !all[[2]deadlock.Hop{v.Bounce[0], v.Bounce[1]}] {
			t.Fatalf("%+v: bounce %v, by definition %v", topology, v.Bounce, all)
		}
		if len(all) > 0 {
			bounced++
		}
	}
	if bounced < 30 || bounced > 570 {
		t.Errorf("%d of 600 random fabrics bounce: the test sees one side only", bounced)
	}
}

// bounces are all pairs of links that do, by distances that grow link by link.
func bounces(t *deadlock.Topology) map[[2]deadlock.Hop]bool {
	const far = 1 << 20
	n := len(t.Devices)
	distance := func(from func(i int) bool) []int {
		d := make([]int, n)
		for i := range d {
			if d[i] = far; from(i) {
				d[i] = 0
			}
		}
		for range n {
			for _, l := range t.Links {
				d[l.A], d[l.B] = min(d[l.A], d[l.B]+1), min(d[l.B], d[l.A]+1)
			}
		}
		return d
	}
	tier := distance(func(i int) bool { return t.Devices[i].Edge })
	all := map[[2]deadlock.Hop]bool{}
	for destination := range n {
		if !t.Devices[destination].Edge {
			continue
		}
		to := distance(func(i int) bool { return i == destination })
		towards := func(a, b int32) bool { return to[a] < far && to[b] == to[a]-1 }
		reached := make([]bool, n) // by packets for the destination
		for i, d := range t.Devices {
			reached[i] = d.Edge && to[i] < far
		}
		var links [][2]int32
		for _, l := range t.Links {
			links = append(links, [2]int32{l.A, l.B}, [2]int32{l.B, l.A})
		}
		for range n {
			for _, l := range links {
				reached[l[1]] = reached[l[1]] || reached[l[0]] && towards(l[0], l[1])
			}
		}
		for _, in := range links {
			for _, out := range links {
				if in[1] != out[0] || !reached[in[0]] || !towards(in[0], in[1]) || !towards(out[0], out[1]) {
					continue
				}
				if tier[in[1]] <= tier[in[0]] && tier[out[1]] >= tier[out[0]] {
					all[[2]deadlock.Hop{hop(t, in), hop(t, out)}] = true
				}
			}
		}
	}
	return all
}

func hop(t *deadlock.Topology, l [2]int32) deadlock.Hop {
	return deadlock.Hop{From: t.Devices[l[0]].Name, To: t.Devices[l[1]].Name}
}
