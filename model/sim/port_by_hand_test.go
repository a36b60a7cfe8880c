package sim

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/units"
)

// Events of one instant happen by kind: what is in, before what comes, before what leaves, before what begins; those of a
// kind by port. Of a chain of events each has the next place.
func TestPlaces(t *testing.T) {
	inOrder := []eventID{frameIn(0), frameIn(9), packetIn(0), packetIn(9), arrival(0), arrival(1), arrival(100_000), transmitted(0), transmitted(7), wake(0), wake(7), planned}
	s := &engine{}
	for i, e := range inOrder {
		if i > 0 && s.place(inOrder[i-1]) >= s.place(e) {
			t.Errorf("event %d is not behind the one before", i)
		}
		if s.place(e) >= s.place(planned) && e != planned {
			t.Errorf("event %d has place %d", i, s.place(e))
		}
	}
	for _, p := range []int32{0, 1, 5, 1<<portBits - 1} {
		seen := map[eventID]bool{}
		for _, e := range []eventID{frameIn(p), packetIn(p), arrival(p), transmitted(p), wake(p)} {
			if e.port() != p || seen[e] {
				t.Errorf("port %d: event %b", p, e)
			}
			seen[e] = true
		}
	}
	s.chained, s.drawn = true, 41
	if a, b := s.place(wake(3)), s.place(frameIn(0)); a != 42 || b != 43 || s.drawn != 43 {
		t.Errorf("places %d and %d of a chain", a, b)
	}
}

// In a chain of events the place of the packet behind the foremost is restored from its low 32 bits.
func TestChainedPlaces(t *testing.T) {
	for _, c := range []struct{ drawn, place uint64 }{{100, 90}, {1 << 40, 1<<40 - 5}, {1<<33 + 3, 1<<33 - 3}, {7, 7}} {
		s := laid(t, pairOfHosts())
		s.events = newEventQueue(maxSlotBits, true)
		s.chained, s.drawn = true, c.drawn
		for i := range uint64(2) {
			id, pk := s.come(packet{label: 3})
			s.fly(2, id, pk, 1000+int64(i), c.place)
		}
		s.now, _, s.order, _ = func() (int64, eventID, uint64, bool) {
			id, at, order, ok := s.events.pop(never)
			return at, id, order, ok
		}()
		s.land(2, &s.ports[2])
		if _, at, order, _ := s.events.pop(never); at != 1001 || order != c.place {
			t.Errorf("%d drawn: place %d at %d, want %d", c.drawn, order, at, c.place)
		}
	}
}

// The end of a transmission is one event, however many packets come to wait.
func TestWakesOnceAtTheEnd(t *testing.T) {
	s := laid(t, pairOfHosts())
	s.events = newEventQueue(maxSlotBits, true)
	p := &s.ports[3]
	p.busyUntil, p.txOrder = 700, 12
	for range 3 {
		id, _ := s.come(packet{label: 3, in: 1})
		s.enqueue(3, p, 3, id)
		s.kick(3, p)
	}
	host := &s.ports[0] // whose packets are not in queues
	host.busyUntil, host.txOrder = 700, 13
	s.wakeAtEnd(0, host)
	s.wakeAtEnd(0, host)
	for _, want := range []struct {
		event eventID
		order uint64
	}{{transmitted(3), 12}, {transmitted(0), 13}} {
		if event, at, order, ok := s.events.pop(never); event != want.event || at != 700 || order != want.order || !ok {
			t.Errorf("%b at %d, place %d", event, at, order)
		}
	}
	if !s.events.empty() {
		t.Error("a second event")
	}
	s.usage(1, 3).ingress = 3 * 1048
	s.now, s.order = 700, 12
	if s.transmissionEnded(3); p.sent != 1048 || !p.txPending || p.busyUntil != 700+fullPacket {
		t.Errorf("%+v", p)
	}
}

// Events of one time that are chained happen by their orders, however many have been given out: an entry has room for 31 bits
// of them above a base, which moves when they are used up. What is older by more than 2^30 goes first, the agenda last.
func TestOrdersBeyondAnEntry(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for _, first := range []uint64{1, 1<<31 - 6, 1<<31 - 1, 1 << 31, 1<<32 - 7, 1<<40 + 1<<31 - 3} {
		q := newEventQueue(maxSlotBits, true)
		q.push(planned, 5000, behindAll+7, 0)
		for _, i := range random.Perm(12) {
			q.push(arrival(int32(20-i)), 5000, first+uint64(i), 0)
		}
		for i := range int32(12) {
			if id, at, order, ok := q.pop(never); id != arrival(20-i) || at != 5000 || order != first+uint64(i) || !ok {
				t.Errorf("from %d: %b at %d, order %d, want %d", first, id, at, order, first+uint64(i))
			}
		}
		if id, _, order, _ := q.pop(never); id != planned || order < first+12 {
			t.Errorf("from %d: %b, order %d, is last", first, id, order)
		}
	}
	q := newEventQueue(maxSlotBits, true)
	q.push(wake(9), 5000, 3, 0)
	q.push(wake(1), 5000, 1<<33, 0)
	q.push(wake(0), 5000, 1<<33-1<<29, 0)
	for _, want := range []eventID{wake(9), wake(0), wake(1)} {
		if id, _, _, _ := q.pop(never); id != want {
			t.Errorf("%b, want %b", id, want)
		}
	}
}

// Tasks are done by time, those of one time as they were planned; whatever is planned between, only the first has an
// event, behind all others of its time.
func TestAgendaByOracle(t *testing.T) {
	const idle = 1<<taskBits - 1 // no task is of this kind
	random := rand.New(rand.NewPCG(3, 4))
	s := laid(t, pairOfHosts())
	s.agenda, s.events = agenda{}, newEventQueue(maxSlotBits, false)
	type task struct {
		at    int64
		about int32
	}
	var want []task
	for i := range int32(4000) {
		if random.IntN(2) == 0 && len(want) < 50 {
			at := s.now + random.Int64N(6)*700_000
			want = append(want, task{at, i})
			slices.SortStableFunc(want, func(a, b task) int { return cmp.Compare(a.at, b.at) })
			s.plan(idle, i, at)
		} else if len(want) > 0 {
			id, at, order, ok := s.events.pop(never)
			if id != planned || at != want[0].at || !ok || order != fixedPlace(planned) {
				t.Fatalf("%b at %d, place %x; want %+v", id, at, order, want[0])
			}
			s.now, s.order = at, order
			if first := s.agenda.tasks[0]; int32(first.id)>>taskBits != want[0].about || first.at != at {
				t.Fatalf("%+v, want %+v", first, want[0])
			}
			s.doTask()
			want = want[1:]
		}
		next := int64(never)
		if len(want) > 0 {
			next = want[0].at
		}
		if got := s.events.next(); got != next {
			t.Fatalf("the next event is at %d, want %d", got, next)
		}
	}
}

// A heap returns what is in it by time and order, whatever was taken out of its midst.
func TestHeapByOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var heap eventHeap
	var want []pending
	for id := eventID(0); id < 6000; id++ {
		switch op := random.IntN(8); {
		case op < 4 && len(want) < 80:
			e := pending{random.Int64N(10), uint64(random.IntN(1000))<<16 | uint64(id), id, 0} // no two are alike
			heap.push(e)
			want = append(want, e)
			slices.SortFunc(want, func(a, b pending) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order)) })
		case op == 4:
			victim := eventID(random.IntN(int(id) + 1)) // may be gone
			heap.remove(victim)
			want = slices.DeleteFunc(want, func(e pending) bool { return e.id == victim })
		case len(want) > 0:
			if got := heap.pop(); got != want[0] {
				t.Fatalf("%+v, want %+v", got, want[0])
			}
			want = want[1:]
		}
		if len(heap) != len(want) {
			t.Fatalf("%d events, want %d", len(heap), len(want))
		}
	}
}

// A glance looks at the last 64 events that are ready and that it has not met, once; where it reads, it reads from the port
// and packet of each. If events are chained, the packet is the foremost on the port's link. With few packets it looks at nothing.
func TestGlance(t *testing.T) {
	for _, chained := range []bool{false, true} {
		s := laid(t, pairOfHosts())
		s.events = newEventQueue(maxSlotBits, chained)
		want := uint32(0)
		for i := range 100 {
			id, pk := s.come(packet{seq: uint32(1 << (i % 20))})
			s.room(8)
			p := &s.ports[i%4]
			p.backlog = int32(1000 * (i % 4))
			s.events.ready = append(s.events.ready, s.events.entryOf(arrival(int32(i%4)), 0, uint64(i), id))
			if chained {
				p.flight.head = id
			} else if i >= 36 {
				want += pk.seq
			}
		}
		coming := s.events.ready[36:]
		for _, e := range coming {
			p := &s.ports[s.events.event(e).port()]
			if want += uint32(p.backlog); chained {
				want += s.packets[p.flight.head].seq
			}
		}
		if got := s.readAll(coming); got != want {
			t.Errorf("chained %v: read %d, want %d", chained, got, want)
		}
		s.events.unseen = 100
		if s.glance(); s.events.unseen != 0 || s.glanced != 0 {
			t.Errorf("chained %v, few packets: %d not met, %d read", chained, s.events.unseen, s.glanced)
		}
		s.room(cached)
		for _, c := range []struct{ ready, before, unseen int }{{100, 0, 0}, {100, 99, 99}, {100, 100, 36}, {100, 36, 36}, {20, 36, 0}, {20, 20, 0}} {
			s.events.ready, s.events.unseen, s.glanced = s.events.ready[:c.ready], c.before, 0
			s.glance()
			looked := c.ready <= c.before
			if s.events.unseen != c.unseen || (s.glanced != 0) != (looked && (chained || !fetches)) {
				t.Errorf("chained %v, %+v: %d not met, %d read", chained, c, s.events.unseen, s.glanced)
			}
		}
	}
}

// The queue of events against a sorted list, with times at the edges of slots, of words of slots and of the wheel's
// reach, a time or a few hundred at once; asked for events before a time that is a bit early, just right or late.
func TestEventsAtEdges(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for i := range 2 * (maxSlotBits - minSlotBits + 1) {
		bits, chained := uint8(minSlotBits+i/2), i%2 == 1
		slot, reach := int64(1)<<bits, int64(1)<<reachBits
		spans := []int64{0, 1, slot - 1, slot, slot + 1, 63 * slot, 64 * slot, 65 * slot, 4095 * slot, 4096 * slot, 6000 * slot, 8192 * slot, 12_288 * slot, reach - slot, reach - 1, reach, reach + slot, 3*reach + 5}
		q := newEventQueue(bits, chained)
		var want []pending
		var now int64
		var popped uint64
		next := eventID(0)
		push := func(at int64) {
			e := pending{at, uint64(next), next, 0}
			if chained {
				if e.order = uint64(random.IntN(4)); e.at == now {
					e.order += popped
				}
				for slices.ContainsFunc(want, func(o pending) bool { return o.at == e.at && o.order == e.order }) {
					e.order++
				}
			}
			next++
			q.push(e.id, e.at, e.order, 0)
			i, _ := slices.BinarySearchFunc(want, e, func(a, b pending) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order)) })
			want = slices.Insert(want, i, e)
		}
		for i := range 4000 {
			most := 500
			if i > 2000 { // with a few events most words are empty
				most = 5
			}
			if q.empty() != (len(want) == 0) {
				t.Fatalf("empty: %v, with %d events", q.empty(), len(want))
			}
			first := int64(never)
			if len(want) > 0 {
				first = want[0].at
			}
			if got := q.next(); got != first {
				t.Fatalf("the next event is at %d, want %d", got, first)
			}
			switch op := random.IntN(10); {
			case op < 4 && len(want) < most:
				push(now + spans[random.IntN(len(spans))])
			case op == 4 && len(want) < 20 && most > 5: // a slot full, or what is left of the one that is open
				at := (now + spans[random.IntN(len(spans))]) &^ (slot - 1)
				for range 2*handful + random.IntN(50) {
					push(max(now, at+random.Int64N(slot)))
				}
			case op == 5 && len(want) > 0:
				i := random.IntN(len(want))
				q.remove(want[i].id, want[i].at)
				want = slices.Delete(want, i, i+1)
			case len(want) > 0:
				until := want[0].at + []int64{-slot, -1, 0, 1, slot, reach}[random.IntN(6)]
				id, at, order, ok := q.pop(until)
				if ok != (want[0].at < until) {
					t.Fatalf("popped %v before %d, the first is %+v", ok, until, want[0])
				}
				if !ok { // what is pushed now is for that time or later
					if until > now {
						now, popped = until, 0
					}
					continue
				}
				if e := want[0]; id != e.id || at != e.at || order != e.order {
					t.Fatalf("popped %d at %d, place %d; want %+v", id, at, order, e)
				}
				now, popped, want = at, order+1, want[1:]
			}
		}
	}
	for hosts, want := range map[int]uint8{0: 10, 255: 10, 256: 9, 511: 9, 512: 8, 1 << 20: 8} {
		if got := slotBitsFor(hosts); got != want {
			t.Errorf("%d hosts: slots of 2^%d ps, want 2^%d", hosts, got, want)
		}
	}
	if units.Time(1<<reachBits) < 4*units.Microsecond {
		t.Error("the wheel does not reach as far as a transmission and 1 us of cable, 4 us")
	}
}
