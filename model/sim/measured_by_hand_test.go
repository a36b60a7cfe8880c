package sim

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// idle is a switch with two hosts and a message from the first to the second that has not begun.
func idle(t *testing.T, edit func(sc *Scenario)) (*engine, *Scenario) {
	t.Helper()
	sc := leafSpine(1, 2, 0) // ports 0 and 1 of the first host's link, 2 and 3 of the second one's
	sc.flow(0, 1, 2000, units.Second)
	if edit != nil {
		edit(sc)
	}
	s := laid(t, sc)
	return s, sc
}

// Counters are listed by kind, and there by port and class or by message: those of queues and groups of switches for classes
// that are in use, and none of work.
func TestListOfCounters(t *testing.T) {
	s, sc := idle(t, func(sc *Scenario) {
		sc.Flows[0].Class = 0
		sc.Flows = append(sc.Flows, Flow{Src: 1, Dst: 1}, Flow{Src: 1, Dst: 0, Class: 7, Bytes: 1})
	})
	var got []string
	for _, g := range s.gauges(sc) {
		got = append(got, g.kind+":"+g.name)
	}
	want := strings.Fields(`queue:2.1.0 queue:2.1.7 queue:2.2.0 queue:2.2.7 pg:2.1.0 pg:2.1.7 pg:2.2.0 pg:2.2.7
		headroom:2.1.0 headroom:2.1.7 headroom:2.2.0 headroom:2.2.7 xoff:2.1.0 xoff:2.1.7 xoff:2.2.0 xoff:2.2.7
		paused:0.1.0 paused:0.1.7 paused:2.1.0 paused:2.1.7 paused:1.1.0 paused:1.1.7 paused:2.2.0 paused:2.2.7
		pauses:0.1 pauses:2.1 pauses:1.1 pauses:2.2 tx:0.1 tx:2.1 tx:1.1 tx:2.2 marks:0.1 marks:2.1 marks:1.1 marks:2.2
		drops:0.1 drops:2.1 drops:1.1 drops:2.2 cnps:0.1 cnps:2.1 cnps:1.1 cnps:2.2 rate:0.1.0 rate:1.1.2 goodput:0.1.0 goodput:1.1.2`)
	must.NoDiff(t, cmp.Diff(want, got))
}

// What each counter reads.
func TestCountersByHand(t *testing.T) {
	s, _ := idle(t, func(sc *Scenario) { sc.Observe = &Observation{} })
	for class := range uint8(classes) {
		s.queue(3, class).bytes = 100 + uint32(class)
		*s.usage(3, class) = usage{ingress: 1000 + uint32(class), headroom: 20 + uint32(class)}
	}
	s.ports[3].paused = 1 << 3
	s.ports[3].sent = 1250
	s.seen.ports[3] = portCounts{marks: 5, cnps: 6, drops: 7}
	for class := range uint8(classes) {
		s.seen.pauses.ports[3].classes[class].pauses = int64(class)
	}
	s.messages[0].begin, s.messages[0].end = 0, 2000
	s.flows[0].acked = 500
	for _, c := range []struct {
		kind  string
		class uint8
		want  int64
	}{
		{countQueue, 3, 103}, {countPG, 3, 1003 + 23}, {countHeadroom, 3, 23}, {countPaused, 3, 1}, {countPaused, 4, 0}, {countPauses, 0, 28}, {countTX, 0, 10e9}, {countMarks, 0, 5}, {countDrops, 0, 7}, {countCNPs, 0, 6},
		{countRate, 0, 100e9}, {countGoodput, 0, 4e9}, {countXOFF, 3, int64(s.pools[2].threshold(s.ports[3].shift))},
	} {
		must.Equalf(t, s.read(&gauge{kind: c.kind, port: 3, class: c.class}, units.Microsecond), c.want, "%s of class %d:", c.kind, c.class)
	}
	// A message has a rate while it is under way.
	m := &s.messages[0]
	for _, c := range []struct {
		end, finished int64
		failed        bool
		want          int64
	}{{0, 0, false, 0}, {2000, 1, false, 0}, {2000, 0, true, 0}, {1, 0, false, 100e9}} {
		if m.end, m.finished, m.failed = c.end, c.finished, c.failed; s.readRate(0) != c.want {
			t.Errorf("%+v: %d", c, s.readRate(0))
		}
	}
}

// Samples begin at the last multiple of their period before the first message, and go on as long as anything else will
// happen; they are no events of the run.
func TestTimesOfSamples(t *testing.T) {
	var tb, other table
	s, _ := idle(t, func(sc *Scenario) {
		sc.Flows[0].Start = 2_500_000
		sc.flow(1, 0, 1000, 7_000_000)
		sc.Observe = &Observation{Series: []*Series{tb.series(units.Microsecond, "tx:0.1", "tx:0.1"), other.series(700*units.Nanosecond, "drops")}}
	})
	for s.step(never) {
	}
	// The last acknowledgement is there 7 us, a packet and an acknowledgement twice and four cables after the begin.
	end := int64(7_000_000 + 2*83_840 + 2*4_800 + 4_000_000)
	var want []units.Time
	for at := int64(2_000_000); at < end+1_000_000; at += 1_000_000 {
		want = append(want, units.Time(at))
	}
	if s.now < end || !slices.Equal(tb.times, want) {
		t.Errorf("samples at %v, want %v; the run ends at %d ps", tb.times, want, s.now)
	}
	if other.times[0] != 2_100_000 || !slices.Equal(tb.names, []string{"tx:0.1"}) || len(other.names) != 4 {
		t.Errorf("%v, %v from %d", tb.names, other.names, other.times[0])
	}
	for i, at := range tb.times { // two packets of 1,048 B in the third microsecond, an acknowledgement of 60 B after 9.17 us
		bits := map[int]int64{1: 8 * 2096, 8: 8 * 60}[i]
		if got := tb.rows[i][0]; got != bits*1_000_000 {
			t.Errorf("at %d ps %d bit/s were sent, want %d", at, got, bits*1_000_000)
		}
	}
	plain, _ := idle(t, func(sc *Scenario) {
		sc.Flows[0].Start = 2_500_000
		sc.flow(1, 0, 1000, 7_000_000)
	})
	for plain.step(never) {
	}
	if plain.handled != s.handled || plain.now > s.now {
		t.Errorf("%d events, %d with samples", plain.handled, s.handled)
	}
	for period, ok := range map[units.Time]bool{units.Nanosecond - 1: false, units.Nanosecond: true} {
		sc := leafSpine(1, 2, 0)
		sc.flow(0, 1, 1, 0)
		sc.Observe = &Observation{Series: []*Series{(&table{}).series(period, "tx")}}
		if _, err := newEngine(sc); (err == nil) != ok {
			t.Errorf("every %d ps: %v", period, err)
		}
	}
}

// Whoever of those that take samples and polls fails ends the run, the first one's words first.
func TestWhoeverFailsEndsTheRun(t *testing.T) {
	one, two, three := errors.New("one"), errors.New("two"), errors.New("three")
	for _, c := range []struct{ first, second, polls, want error }{{nil, nil, nil, nil}, {one, two, three, one}, {nil, two, three, two}, {nil, nil, three, three}} {
		s := &engine{sight: sight{samplers: []sampler{{err: c.first}, {err: c.second}}, counts: &counting{err: c.polls}}}
		if got := s.failure(); got != c.want {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
	if err := (&engine{}).failure(); err != nil {
		t.Error(err)
	}
}

// More packets than may be under way end a run, however it goes on: alone, in domains, or leaving out steady time.
func TestTooManyPacketsEndTheRun(t *testing.T) {
	sc := leafSpine(2, 2, 1)
	sc.flow(0, 3, 100*units.KB, 0)
	for what, run := range map[string]func(s *engine) error{
		"alone":               func(s *engine) error { return s.run(t.Context(), sc, 1, never) },
		"in domains":          func(s *engine) error { return s.run(t.Context(), sc, 2, never) },
		"without steady time": func(s *engine) error { return s.runSkipping(t.Context(), never) },
	} {
		for most, want := range map[int]string{mostPackets: "", 100: "more than 100 packets under way"} {
			s := must.Get(newEngine(sc))(t)
			s.most = most
			if err := run(s); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", what, err, want)
			}
		}
	}
}

// Samples and polls go on for the sake of anything else, and not of one another; looking leaves what is planned.
func TestWhatKeepsSamplesGoing(t *testing.T) {
	for _, c := range []struct {
		tasks []int32
		event bool
		want  bool
	}{{nil, false, false}, {[]int32{taskSample}, false, false}, {[]int32{taskPoll}, false, false}, {[]int32{taskSample, taskPoll}, false, false}, {[]int32{taskSample, taskPoll, taskTCP}, false, true}, {[]int32{taskPost}, false, true}, {nil, true, true}, {[]int32{taskPoll}, true, true}} {
		s := &engine{timekeeper: timekeeper{events: newEventQueue(maxSlotBits, false)}}
		for i, task := range c.tasks {
			s.plan(task, 0, int64(5000+i))
		}
		if c.event {
			s.events.push(wake(0), 6000, 1, 0)
		}
		must.Equalf(t, s.moreThanSamples(), c.want, "%+v:", c)
		if id, at, _, ok := s.events.pop(never); ok != (len(c.tasks) > 0 || c.event) || len(c.tasks) > 0 && (id != planned || at != 5000) {
			t.Errorf("%+v: then comes %d at %d", c, id, at)
		}
	}
}

// What was observed of a run of 8 us, port by port.
func TestWhatIsObserved(t *testing.T) {
	s, sc := idle(t, func(sc *Scenario) { sc.Observe = &Observation{Usual: 5000, Buffers: true} })
	o := s.seen
	s.now, s.finished = 8_000_000, 1
	for _, latency := range []int64{1000, 2000, 4999, 5000, 6000, 7001} {
		o.arrived(7_000_000, 3, 1000, latency)
	}
	o.classes[3].drops = 9
	o.ports[1], o.ports[2] = portCounts{marks: 4}, portCounts{cnps: 3, drops: 2}
	o.pauses.begin(1_000_000, 1, 3)
	o.pauses.begin(2_000_000, 1, 3) // renewed
	o.pauses.end(3_000_000, 1, 3)
	o.pauses.end(3_500_000, 1, 3) // it is over
	o.pauses.begin(4_000_000, 1, 3)
	o.pauses.begin(6_000_000, 1, 4)
	queue := &o.held[1*classes+3]
	queue.set(2_000_000, 100)
	queue.set(4_000_000, 50)
	pg := &o.pgs[2*classes+3]
	pg.set(7_000_000, 80)
	pg.headroom = 33
	o.voqs = make([]level, len(s.queues))
	o.voqs[3*classes+3].set(3_500_000, 7)
	got := s.observed(sc)
	want := &Observed{
		Classes: []ClassResult{{Class: 3, Packets: 6, Drops: 9, Below: 0.5, MeanUS: 26_000. / 6 / 1e6, P50US: 0.005055, P90US: 0.007001, P99US: 0.007001, P999US: 0.007001, MaxUS: 0.007001}},
		Ports:   []PortResult{{"2.1", 4, 0, 0}, {"1.1", 0, 3, 2}},
		Pauses:  []PauseResult{{"2.1", 3, 2, 5, 3}, {"2.1", 4, 1, 1, 1}}, // until 7 us
		// 4,999 ps lies in a bucket of 64 ps, from 4,992 on. 100 B for 2 of 7 us, 50 B for 3; 80 B for none; 7 B for half of the time.
		Queues:   []BufferResult{{Port: "2.1", Number: 3, Mean: 350. / 7, P50: 50, P90: 100, P99: 100, P999: 100, Peak: 100}},
		PGs:      []BufferResult{{Port: "1.1", Number: 3, Peak: 80, PeakHeadroom: 33}},
		VOQs:     []BufferResult{{Port: "2.2", Number: 3, Mean: 3.5, P90: 7, P99: 7, P999: 7, Peak: 7}},
		PausedUS: 6, WindowUS: 1, Windows: 8, DurationUS: 7,
	}
	must.NoDiff(t, cmp.Diff(want, got, cmpopts.IgnoreUnexported(Observed{}), cmpopts.EquateApprox(0, 1e-12)))
	// In force in windows 1 to 3 and 4 to 7, and of the other class in 6 and 7: more than one per microsecond in two.
	for _, c := range []struct {
		perSecond, from, to int64
		over, windows       int
	}{
		{1_000_000, 0, 8_000_000, 2, 8}, {999_999, 0, 8_000_000, 7, 8}, {0, 0, 8_000_000, 7, 8}, {2_000_000, 0, 8_000_000, 0, 8}, {0, 1, 8_000_000, 7, 7}, {0, 1_000_001, 8_000_000, 6, 6}, {0, 2_000_000, 2_999_999, 0, 0}, {0, 2_000_000, 3_000_000, 1, 1},
		{0, 0, 1 << 60, 7, 8}, {0, 9_000_000, 9_500_000, 0, 0}, {0, 5_000_000, 2_000_000, 0, 0},
	} {
		if over, windows := got.WindowsOver(c.perSecond, units.Time(c.from), units.Time(c.to)); over != c.over || windows != c.windows {
			t.Errorf("%+v: %d of %d", c, over, windows)
		}
	}
	// Nobody asked.
	plain, sc := idle(t, nil)
	if plain.observed(sc) != nil || plain.seen != nil || plain.ready != nil || plain.noting {
		t.Error("observed nevertheless")
	}
	without, _ := idle(t, func(sc *Scenario) { sc.Observe = &Observation{Usual: 7, Beside: 4} })
	if o := without.seen; o.held != nil || o.pgs != nil || without.noting || without.ready == nil || o.usual != 7 || o.beside != 4 || o.classes[3].latency.counts == nil || o.classes[2].latency.counts != nil {
		t.Errorf("%+v", o)
	}
}

// Two domains' observations become one: the later times, sums, and windows of the longer length.
func TestObservationsOfDomains(t *testing.T) {
	s, _ := idle(t, func(sc *Scenario) { sc.Observe = &Observation{Usual: 100} })
	o := s.seen
	o.last, o.lastTold, o.pauses.last = 50, 40, 30
	parts := []*engine{{sight: sight{seen: o.part([]int32{0, 1})}}, {sight: sight{seen: o.part([]int32{2, 3})}}}
	one, two := parts[0].seen, parts[1].seen
	if one.classes[3].latency.counts == nil || one.classes[2].latency.counts != nil || &one.classes[3].latency.counts[0] == &o.classes[3].latency.counts[0] {
		t.Error("the parts count together")
	}
	one.arrived(500, 3, 1000, 99)
	two.arrived(400, 3, 1000, 101)
	two.arrived(410, 3, 1000, 7)
	one.classes[3].drops, two.classes[3].drops = 2, 3
	const us = int64(units.Microsecond)
	one.pauses.begin(0, 0, 3)
	one.pauses.end(1_500_000, 0, 3)
	two.pauses.begin(2*us, 2, 3)
	two.pauses.end(600*us, 2, 3) // windows of 4 us
	if o.join(parts); o.last != 500 || o.lastTold != 500 || o.pauses.last != 600*us || o.pauses.width != 4*us {
		t.Errorf("%+v", o)
	}
	c := &o.classes[3]
	if c.latency.total != 3 || c.latency.max != 101 || c.belowUsual != 2 || c.drops != 5 || c.latency.sum.float() != 207 {
		t.Errorf("%+v", c)
	}
	if a := (&Observed{arrivals: o.arrivals}).Arrived(3, 0, units.Second); a.Packets != 3 || a.Latency != 207 {
		t.Errorf("%+v", a)
	}
	for port, want := range map[int]string{0: "1 0 0 0 0", 2: "1 0 150"} {
		p := &o.pauses.ports[port]
		carried := 0
		for _, n := range p.carried {
			carried += int(n)
		}
		if got := fmt.Sprint(p.started[0], p.started[1], carried); !strings.HasPrefix(want, got) {
			t.Errorf("port %d: %s, want %s", port, got, want)
		}
	}
	// One that ran later counts as much.
	o.last, o.lastTold, o.pauses.last = 1<<40, 1<<41, 1<<42
	if o.join(parts); o.last != 1<<40 || o.lastTold != 1<<41 || o.pauses.last != 1<<42 {
		t.Errorf("%+v", o)
	}
}

// What a queue and a group held when: a packet of 500 B comes to a queue and leaves it, and its group is charged for it.
func TestNotesByHand(t *testing.T) {
	s, _ := idle(t, func(sc *Scenario) { sc.Observe = &Observation{Buffers: true} })
	pk := &packet{in: 1, size: 500, kind: dataPacket, label: 3}
	s.usage(1, 3).headroom = 70
	s.now = 1000
	s.note(3, 3, pk, 1)
	s.now = 1500
	s.usage(1, 3).headroom = 20
	s.note(3, 3, pk, -1)
	s.note(3, 3, &packet{in: 1, size: 500, kind: pauseFrame, label: 3}, 1)
	for i := range s.seen.held {
		queue, pg := &s.seen.held[i], &s.seen.pgs[i]
		if want := i == 3*classes+3; (queue.over.counts != nil) != want || want && (queue.bytes != 0 || queue.since != 1500 || queue.over.max != 500 || queue.over.sum.float() != 500*500 || queue.over.total != 1500) {
			t.Errorf("queue %d: %+v", i, queue)
		}
		if want := i == 1*classes+3; (pg.over.counts != nil) != want || want && (pg.bytes != 0 || pg.over.max != 500 || pg.over.sum.float() != 500*500 || pg.headroom != 70) {
			t.Errorf("group %d: %+v", i, pg)
		}
	}
	s.noteVOQ(1, 3, 3, 400)
	s.usage(1, 3).headroom = 90
	s.now = 1700
	s.noteVOQ(none, 3, 3, -100)
	s.now = 1900
	s.noteVOQ(1, 3, 3, 100)
	v, pg := &s.seen.voqs[3*classes+3], &s.seen.pgs[1*classes+3]
	if v.bytes != 400 || v.over.max != 400 || v.over.sum.float() != 400*200+300*200 || pg.bytes != 500 || pg.headroom != 90 || pg.since != 1900 {
		t.Errorf("%+v, %+v", v, pg)
	}
	must.Equalf(t, len(s.seen.voqs), len(s.queues), "levels:")
	// In a fabric of cells a packet has taken its buffer before its queue, or takes none.
	s, _ = idle(t, func(sc *Scenario) { sc.Observe = &Observation{Buffers: true} })
	s.cells = &cellFabric{}
	for _, c := range []struct {
		in, sign int64
		want     int64
	}{{1, 1, 0}, {unaccounted, -1, 0}, {1, -1, -500}} {
		own := *pk
		own.in = int32(c.in)
		if s.note(3, 3, &own, c.sign); s.seen.pgs[1*classes+3].bytes != c.want {
			t.Errorf("%+v: %+v", c, s.seen.pgs[1*classes+3])
		}
	}
	// Nobody looks at buffers.
	s, _ = idle(t, func(sc *Scenario) { sc.Observe = &Observation{} })
	s.note(3, 3, pk, 1)
	if s.noteVOQ(1, 3, 3, 400); s.seen.voqs != nil {
		t.Error("levels that nobody asked for")
	}
	plain, _ := idle(t, nil)
	plain.note(3, 3, pk, 1)
	plain.noteVOQ(1, 3, 3, 400)
	plain.notePG(nil, 1, 3)
}

// What a run was: each quantity where its name says.
func TestResultByHand(t *testing.T) {
	s, sc := idle(t, func(sc *Scenario) {
		sc.Seed = 77
		sc.flow(1, 0, 500, 0)
		sc.Flows[1].Repeat = 4
		sc.flow(0, 1, 1, 0)
		sc.Flows = append(sc.Flows, Flow{Src: 0, Dst: 0})
	})
	s.counters = counters{
		created: 1, delivered: 2, dropped: 3, lost: 4, flushed: 5, unrouted: 6, overrun: 7, guarded: 8, lostFrames: 9, refreshes: 10, watchdogEvents: 11, outOfOrder: 12, flowletsBegun: 13,
		hops: 14, handled: 15, pauses: 16, marks: 17, cnps: 18, peakQueue: 19, peakHeadroom: 20, timeouts: 21, refused: 22, finished: 3, failed: 1,
	}
	s.skipped, s.left = 23_000_000, 5
	s.messages[0].started, s.messages[0].delivered, s.messages[0].finished, s.messages[0].ideal = 1_000_000, 3_000_000, 5_000_000, 2_000_000
	s.messages[1].started, s.messages[1].delivered, s.messages[1].finished, s.messages[1].ideal = 0, 3_000_000, 8_000_000, 4*1_000_000
	s.messages[3].finished = 9
	free := int64(len(s.packets) - 1 - len(s.free))
	want := &Result{
		Seed: 77, UnfinishedFlows: 1, FailedFlows: 1, Timeouts: 21, Refused: 22, PFCPauses: 16, PeakEgressQueue: 19, PeakHeadroom: 20, ECNMarks: 17, CNPs: 18, Drops: 3, LostOnWire: 4,
		Flushed: 5, Unrouted: 6, Overrun: 7, WatchdogDrops: 8, WatchdogEvents: 11, PFCRefreshes: 10, OutOfOrder: 12, Flowlets: 13, SkippedUS: 23, PacketHops: 14, Events: 15,
		Packets: Ledger{Created: 1, Delivered: 2, Left: 5 + free, Buffered: 0},
		Flows: []FlowResult{
			{Index: 0, Src: 0, Dst: 1, Bytes: 2000, StartUS: 1, FCTUS: 4, DeliveredUS: 2, Slowdown: 2}, {Index: 1, Src: 1, Dst: 0, Bytes: 2000, StartUS: 0, FCTUS: 8, DeliveredUS: 3, Slowdown: 2},
		},
	}
	must.NoDiff(t, cmp.Diff(want, s.result(sc)))
	s.usage(1, 3).ingress, s.usage(1, 3).headroom, s.usage(3, 7).ingress = 100, 20, 7
	id := s.take()
	if l := s.ledger(); l.Buffered != 127 || l.Left != 5+free+1 {
		t.Errorf("%+v", l)
	}
	s.put(id)
}
