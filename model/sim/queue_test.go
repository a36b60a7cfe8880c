package sim

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// TestEventQueue gives the same pushes, pops and removals to the queue and to a sorted
// slice. Times reach from the same slot to far beyond the wheel, and slots hold a handful or many.
func TestEventQueue(t *testing.T) {
	const ids = 3 * handful
	rapid.Check(t, func(t *rapid.T) {
		q := newEventQueue(rapid.Uint8Range(minSlotBits, maxSlotBits).Draw(t, "slot bits"), true)
		var want []pending
		var now int64
		var order, popped uint64
		pushes := rapid.IntRange(5, 8).Draw(t, "of ten operations are pushes")
		for range rapid.IntRange(1, 600).Draw(t, "operations") {
			switch op := rapid.IntRange(0, 9).Draw(t, "op"); {
			case op < pushes && len(want) < ids:
				e := pending{now + ahead(t), order, freeID(want), 0}
				if e.at == now {
					e.order = max(e.order, popped+1)
				}
				order = e.order + 1
				q.push(e.id, e.at, e.order, 0)
				want = append(want, e)
				slices.SortFunc(want, compareEvents)
			case op < 9:
				id, at, o, ok := q.popUntil(t, want)
				if !ok {
					if len(want) > 0 {
						t.Fatalf("empty, want %v", want[0])
					}
					continue
				}
				if got := (pending{at, o, id, 0}); len(want) == 0 || got != want[0] {
					t.Fatalf("popped %v of %v", got, want)
				}
				now, popped, want = at, o, want[1:]
			case len(want) > 0:
				i := rapid.IntRange(0, len(want)-1).Draw(t, "removed")
				q.remove(want[i].id, want[i].at)
				want = slices.Delete(want, i, i+1)
			}
		}
	})
}

// A handful of any length is sorted as by the library, whatever stands beside it, and with and without what the processor has
// for that.
func TestSortFew(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	const beside = entry(math.MaxUint64)
	for n := range handful + 1 {
		for range 200 {
			differ := entry(math.MaxUint64) >> random.IntN(60) // in so many bits, or above so many
			if random.IntN(2) == 0 {
				differ = ^differ>>7 | 0xff<<56
			}
			from, to := make([]entry, n+8), make([]entry, n+8)
			for i := range from {
				from[i], to[i] = beside, beside
			}
			for i := range n {
				from[4+i] = entry(random.Uint64())&differ | entry(i)
			}
			want := slices.Clone(from[4 : 4+n])
			slices.SortFunc(want, func(a, b entry) int { return cmp.Compare(b, a) })
			if len(slices.Compact(slices.Clone(want))) < n {
				continue // an event is pending once
			}
			want = slices.Concat(to[:4], want, to[:4])
			if sortFew(from[4:4+n], to[4:4+n]); !slices.Equal(to, want) {
				t.Fatalf("%x became %x, want %x", from, to, want)
			}
			for i := range n {
				putInto(to[4:4+i+1], from[4+i])
			}
			if !slices.Equal(to, want) {
				t.Fatalf("by insertion %x became %x, want %x", from, to, want)
			}
		}
	}
}

func compareEvents(a, b pending) int {
	if a.before(&b) {
		return -1
	}
	return 1
}

// ahead draws a delay: none, within a slot, within the wheel, around its end, beyond.
func ahead(t *rapid.T) int64 {
	const slot, reach = 1 << maxSlotBits, 1 << reachBits
	span := rapid.SampledFrom([]int64{0, 0, slot, 100 * slot, reach, 2 * reach, 1000 * reach}).Draw(t, "span")
	return rapid.Int64Range(0, span).Draw(t, "ahead")
}

func freeID(used []pending) eventID {
	for id := eventID(0); ; id++ {
		if !slices.ContainsFunc(used, func(e pending) bool { return e.id == id }) {
			return id
		}
	}
}

func BenchmarkEventQueue(b *testing.B) {
	const pending = 256
	q := newEventQueue(maxSlotBits, false)
	var order uint64
	for id := range eventID(pending) {
		order++
		q.push(id, int64(id)*4000, order, 0)
	}
	b.ReportAllocs()
	for b.Loop() {
		id, at, _, _ := q.pop(never)
		order++
		q.push(id, at+1_083_000, order, 0) // a packet of 1,048 B at 100 Gb/s, and 1 us of cable
	}
}

// popUntil pops the next event after asking without result for one before it.
func (q *eventQueue) popUntil(t *rapid.T, want []pending) (id eventID, at int64, order uint64, ok bool) {
	next := int64(never)
	if len(want) > 0 {
		next = want[0].at
	}
	if got := q.next(); got != next {
		t.Fatalf("the next event is at %d, want %d", got, next)
	}
	if _, _, _, ok := q.pop(next); ok {
		t.Fatal("popped an event of a time as one before it")
	}
	return q.pop(never)
}

// Classes that always have something waiting share by their weights, whatever the sizes
// of their packets; a strict class has all it wants.
func TestShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sc := leafSpine(1, 4, 0)
		sc.ECN = nil
		weights := [3]uint8{}
		for i := range weights {
			weights[i] = rapid.Uint8Range(1, 20).Draw(t, "weight")
			sc.Scheduler.Weights[i+1] = weights[i]
			sc.flow(i+1, 0, 40*units.MB, 0)
			sc.Flows[i].Class = uint8(i + 1)
		}
		s := must.Get(newEngine(sc))(t)
		for s.now < 1_000_000_000 && s.step(never) { // 200 turns of all three classes and more
		}
		total, sum := 0.0, 0
		for i := range s.flows {
			total += float64(s.inbound[i].expected)
			sum += int(weights[i])
		}
		for i := range s.flows {
			got, want := float64(s.inbound[i].expected)/total, float64(weights[i])/float64(sum)
			if math.Abs(got-want) > 0.02 {
				t.Fatalf("class %d with weight %d of %v has %.3f of the port, want %.3f", i+1, weights[i], weights, got, want)
			}
		}
	})
}

// A strict class starves the others as long as it can fill the port.
func TestStrict(t *testing.T) {
	sc := leafSpine(1, 3, 0)
	sc.ECN = nil
	sc.Scheduler = Scheduler{Strict: 1 << 6, Weights: [classes]uint8{1: 1}}
	for src := range 2 {
		sc.flow(src+1, 0, 5*units.MB, 0)
		sc.Flows[src].Class = [2]uint8{1, 6}[src]
	}
	r := must.Get(Run(t.Context(), sc))(t)
	if r.Flows[1].Slowdown > 1.01 || r.Flows[0].Slowdown < 1.9 {
		t.Errorf("slowdown of the strict class %v, of the other %v", r.Flows[1].Slowdown, r.Flows[0].Slowdown)
	}
}
