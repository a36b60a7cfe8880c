package sim

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
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
