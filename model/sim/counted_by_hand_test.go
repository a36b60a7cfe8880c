package sim

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/units"
)

// Counters are polled before the run and at each period, as long as anything but polls is to come: messages that are not
// done, packets under way, tasks of others. At the end they are polled once more if time has passed.
func TestWhenCountersArePolled(t *testing.T) {
	idle := int32(1<<taskBits - 1)
	for name, c := range map[string]struct {
		edit func(s *engine)
		more bool
	}{
		"messages to come": {func(*engine) {}, true},
		"nothing to come":  {func(s *engine) { s.agenda, s.events = agenda{}, newEventQueue(maxSlotBits, false) }, false},
		"another task": {func(s *engine) {
			s.agenda, s.events = agenda{}, newEventQueue(maxSlotBits, false)
			s.plan(idle, 0, 9_000_000)
		}, true},
		"an event": {func(s *engine) {
			s.agenda, s.events = agenda{}, newEventQueue(maxSlotBits, false)
			s.events.push(wake(0), 9_000_000, 1, 0)
		}, true},
		"messages are done":  {func(s *engine) { s.finished = 1 }, false},
		"a packet is left":   {func(s *engine) { s.finished = 1; s.take() }, true},
		"one is done of two": {func(s *engine) { s.finished = 1; s.messages = append(s.messages, message{}) }, true},
		"no message at all":  {func(s *engine) { s.messages = nil }, true},
		"it failed":          {func(s *engine) { s.counts.Polled = func(units.Time, *Counted) error { return errors.New("no") } }, false},
	} {
		sc, rec := chipPair(5000, 3000, nil), recorded{}
		sc.Observe = rec.every(70_000)
		s := laid(t, sc)
		if fmt.Sprint(s.tasks(taskPoll, 0)) != "[70000]" || len(rec.times) != 1 || rec.times[0] != 0 {
			t.Fatalf("%v, %v", s.tasks(taskPoll, 0), rec.times)
		}
		s.now, s.handled = 70_000, 5
		for _, task := range s.agenda.tasks {
			if task.at == 70_000 {
				s.agenda.tasks.remove(task.id)
				s.events.remove(planned, 70_000)
				s.scheduleTask()
				break
			}
		}
		c.edit(s)
		if s.pollCounters(); s.handled != 4 || s.counts.polled != 70_000 || c.more != (fmt.Sprint(s.tasks(taskPoll, 0)) == "[140000]") {
			t.Errorf("%s: polls at %v, %d events", name, s.tasks(taskPoll, 0), s.handled)
		}
		polls := len(rec.times)
		if err := s.lastPoll(); len(rec.times) != polls || (err != nil) != (name == "it failed") {
			t.Errorf("%s: polled at %v again; %v", name, rec.times, err)
		}
		s.now++
		if err := s.lastPoll(); err == nil && (len(rec.times) != polls+1 || rec.times[polls] != 70_001) {
			t.Errorf("%s: polled at %v at last", name, rec.times)
		}
	}
	if err := laid(t, pairOfHosts()).lastPoll(); err != nil {
		t.Error(err)
	}
	for period, ok := range map[units.Time]bool{units.Nanosecond - 1: false, units.Nanosecond: true} {
		sc := chipPair(5000, 3000, nil)
		sc.Observe = (&recorded{}).every(period)
		if _, err := newEngine(sc); (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "want at least 1 ns") {
			t.Errorf("every %d ps: %v", period, err)
		}
	}
	sc := pairOfHosts()
	sc.Observe = (&recorded{}).every(units.Second)
	if _, err := newEngine(sc); err == nil || err.Error() != "node 2 has no buffer of a chip whose counters could be polled" {
		t.Error(err)
	}
}

// Peaks are what a group, a queue over all slices, and a headroom pool over all slices held most since the last poll, in
// whole cells; with a poll they are what is held. A chip's ports may lack the group or the queue of a class.
func TestPeaksByHand(t *testing.T) {
	sc, rec := chipPair(2000, 600, func(b *SiliconBuffer) {
		c := b.Config
		c.Slices, c.Ports[1].Slice = 2, 1
		c.IngressPools[0].HeadroomCells = 5000
		for i := range c.Ports {
			for pg := range c.Ports[i].PGs {
				c.Ports[i].PGs[pg].ReservedCells, c.Ports[i].PGs[pg].HeadroomPooled = 0, true
			}
			c.Ports[i].PGs, c.Ports[i].Queues = c.Ports[i].PGs[:6], c.Ports[i].Queues[:7]
		}
	}), recorded{}
	sc.Observe = rec.every(70_000)
	s := laid(t, sc)
	b := s.silicon[2]
	in, out, other := &s.counts.Ports[1].Classes[3], &s.counts.Ports[3].Classes[3], &s.counts.Ports[1].Classes[4]
	var here, there []*packet
	admit := func(port int32, list *[]*packet) {
		_, pk := s.come(packet{label: 3, in: port})
		if !s.admitSilicon(b, port, 4-port, &s.ports[port], 3, pk) {
			t.Fatal("refused")
		}
		*list = append(*list, pk)
	}
	const bytes = 4 * 262
	admit(1, &here)
	if in.PeakShared != bytes || in.PeakHeadroom != 0 || out.PeakQueue != bytes || s.counts.Pools[2][0] != 0 || *other != (CountedClass{}) {
		t.Errorf("%+v, %+v, %v", in, out, s.counts.Pools)
	}
	for in.PeakHeadroom == 0 {
		admit(1, &here)
	}
	held := int64(b.PG(0, 3).Headroom) * 4
	if in.PeakHeadroom != held || s.counts.Pools[2][0] != units.Bytes(held) || in.PeakShared != int64(b.PG(0, 3).Shared)*4 {
		t.Errorf("%+v, %v, want a headroom of %d", in, s.counts.Pools, held)
	}
	for first := true; first || s.counts.Ports[3].Classes[3].PeakHeadroom == 0; first = false { // from the other slice
		admit(3, &there)
	}
	both := held + int64(b.PG(1, 3).Headroom)*4
	if s.counts.Pools[2][0] != units.Bytes(both) {
		t.Errorf("%v of the headroom pool, want %d", s.counts.Pools, both)
	}
	// What came by port 3 leaves by port 1 and the other way round; of both slices.
	if got := s.counts.Ports[1].Classes[3].PeakQueue; got != int64(len(there))*bytes || out.PeakQueue != int64(len(here))*bytes {
		t.Errorf("%d and %d B in queues", got, out.PeakQueue)
	}
	for _, pk := range here {
		s.releaseSilicon(b, 3, 3, pk)
	}
	before := *in
	s.now = 50
	s.readCounters()
	if last := rec.polls[1].Ports[1].Classes[3]; last != before || in.PeakShared != 0 || in.PeakHeadroom != 0 || out.PeakQueue != 0 || s.counts.Ports[1].Classes[3].PeakQueue != int64(len(there))*bytes {
		t.Errorf("%+v; then %+v, %+v", last, in, out)
	}
	if got := int64(s.counts.Pools[2][0]); got != both-held {
		t.Errorf("%d B of the headroom pool, want %d", got, both-held)
	}
	// So it is with class 0, which is a class as others.
	_, zero := s.come(packet{in: 1})
	if !s.admitSilicon(b, 1, 3, &s.ports[1], 0, zero) {
		t.Fatal("refused")
	}
	s.readCounters()
	if in, out := s.counts.Ports[1].Classes[0], s.counts.Ports[3].Classes[0]; in.PeakShared != bytes || out.PeakQueue != bytes {
		t.Errorf("of class 0: %+v, %+v", in, out)
	}
	// Classes whose group or queue a port does not have.
	for class := range uint8(classes) {
		s.countGroup(b, 1, class)
		s.countQueue(b, 3, class)
	}
}

// What leaves a queue is counted, and apart of it what leaves it while a watchdog holds it; so are the CNPs of a host.
func TestSentByHand(t *testing.T) {
	s := laid(t, pairOfHosts())
	s.counts = &counting{Counted: Counted{Ports: make([]CountedPort, 4)}}
	s.guards = make([]guard, len(s.queues))
	p, k := &s.ports[3], &s.counts.Ports[3].Classes[3]
	for i, c := range []struct {
		trouble trouble
		held    bool
		storm   int64
	}{{0, false, 0}, {0, true, 0}, {guarded, false, 0}, {guarded, true, 1}, {guarded | slow, true, 2}} {
		p.trouble, s.guards[3*classes+3].held = c.trouble, c.held
		s.countSent(3, p, 3, &packet{size: 100})
		if k.Packets != int64(i+1) || k.Bytes != int64(100*(i+1)) || k.SentInStorm != c.storm {
			t.Errorf("packet %d: %+v", i, k)
		}
	}
	s.countCNP(2, false)
	s.countCNP(2, true)
	s.countCNP(2, true)
	if own := s.counts.Ports[2]; own.CNPsHandled != 1 || own.CNPsIgnored != 2 {
		t.Errorf("%+v", own)
	}
	if s.counted(3, 3) != k || s.counted(3, 4) == k {
		t.Error("another class's counters")
	}
	if s.counts = nil; s.counted(3, 3) != nil {
		t.Error("counters of nobody")
	}
}

// What was observed lasts until the last data packet or pause, if all messages are done, and else until now. Windows of time
// go on as long as what they tell of.
func TestWhenObservingEnds(t *testing.T) {
	for _, c := range []struct {
		finished           int
		last, told, paused int64
		wantAll, wantTold  int64
	}{{0, 10, 20, 30, 99, 99}, {1, 50, 40, 30, 50, 40}, {1, 50, 40, 45, 50, 45}, {1, 50, 40, 60, 60, 60}} {
		sc := pairOfHosts()
		sc.Observe = &Observation{}
		s := laid(t, sc)
		s.now, s.finished = 99, c.finished
		s.seen.last, s.seen.lastTold, s.seen.pauses.last = c.last, c.told, c.paused
		if all, told := s.observedEnd(); all != c.wantAll || told != c.wantTold {
			t.Errorf("%+v: %d and %d", c, all, told)
		}
	}
}

// Everything that is observed, in microseconds and bytes, by the names of ports: of classes that send, ports at which
// something was counted, queues and groups that were in use.
func TestObservedByHand(t *testing.T) {
	sc := pairOfHosts()
	sc.Observe = &Observation{Buffers: true}
	s := laid(t, sc)
	o := s.seen
	s.finished, s.now = 1, 90_000_000
	c := &o.classes[3]
	for _, latency := range []int64{1_000_000, 2_000_000, 3_000_000, 6_000_000} {
		c.latency.add(latency, 1)
	}
	c.belowUsual, c.drops = 3, 7
	o.ports[1], o.ports[2] = portCounts{marks: 1}, portCounts{cnps: 2, drops: 3}
	o.pauses.begin(1_000_000, 1, 3)
	o.pauses.end(2_500_000, 1, 3)
	o.pauses.begin(4_000_000, 1, 3)
	o.pauses.end(6_000_000, 1, 3)
	o.pauses.begin(6_500_000, 3, 4) // in force at the end
	o.last, o.lastTold = 10_000_000, 8_250_000
	o.held[3*classes+3].set(2_000_000, 1000)
	o.held[3*classes+3].set(6_000_000, 0)
	o.pgs[1*classes+5].set(0, 500)
	o.pgs[1*classes+5].headroom = 77
	r := s.observed(sc)
	if r.WindowUS != 1 || r.Windows != 9 || r.DurationUS != 10 || r.PausedUS != 1.5+2+1.75 {
		t.Errorf("%+v", r)
	}
	if want := []PauseResult{{"2.1", 3, 2, 3.5, 2}, {"2.2", 4, 1, 1.75, 1.75}}; !reflect.DeepEqual(r.Pauses, want) {
		t.Errorf("%+v", r.Pauses)
	}
	if want := []PortResult{{"2.1", 1, 0, 0}, {"1.1", 0, 2, 3}}; !reflect.DeepEqual(r.Ports, want) {
		t.Errorf("%+v", r.Ports)
	}
	near := func(got, want float64) bool { return got >= want && got < want*1.016 }
	if len(r.Classes) != 1 {
		t.Fatalf("%+v", r.Classes)
	}
	if l := r.Classes[0]; l.Class != 3 || l.Packets != 4 || l.Drops != 7 || l.Below != 0.75 || l.MeanUS != 3 || !near(l.P50US, 2) || !near(l.P90US, 6) || !near(l.P99US, 6) || !near(l.P999US, 6) || l.MaxUS != 6 {
		t.Errorf("%+v", l)
	}
	if len(r.Queues) != 1 || len(r.PGs) != 1 || r.VOQs != nil {
		t.Fatalf("%+v, %+v", r.Queues, r.PGs)
	}
	if q := r.Queues[0]; q.Port != "2.2" || q.Number != 3 || math.Abs(q.Mean-400) > 1e-9 || q.P50 != 0 || !near(float64(q.P90), 1000) || !near(float64(q.P99), 1000) || !near(float64(q.P999), 1000) || q.Peak != 1000 || q.PeakHeadroom != 0 {
		t.Errorf("%+v", q)
	}
	if g := r.PGs[0]; g.Port != "2.1" || g.Number != 5 || g.Mean != 500 || g.Peak != 500 || g.PeakHeadroom != 77 {
		t.Errorf("%+v", g)
	}
	// The share of packets of a class that had none is none.
	if got := (&seenClass{latency: newHistogram(latencyBits)}).result(2); got.Below != 0 || got.Class != 2 {
		t.Errorf("%+v", got)
	}
	if laid(t, pairOfHosts()).observed(sc) != nil {
		t.Error("observed by nobody")
	}
	// Of a chip the numbers are the chip's, and what waits for a port in a fabric of cells stands beside queues.
	chip := chipPair(5000, 3000, func(b *SiliconBuffer) { b.PG[3], b.Queue[3] = 6, 5 })
	chip.Observe = &Observation{Buffers: true}
	s = laid(t, chip)
	s.finished, s.seen.last = 1, 10
	s.seen.pauses.begin(1, 1, 3)
	s.seen.held[3*classes+3].set(2, 7)
	s.seen.pgs[1*classes+6].set(2, 7)
	s.seen.voqs = make([]level, len(s.queues))
	s.seen.voqs[3*classes+3].set(2, 9)
	if r = s.observed(chip); r.Pauses[0].PG != 6 || r.Queues[0].Number != 5 || r.PGs[0].Number != 6 || len(r.VOQs) != 1 || r.VOQs[0].Number != 5 || r.VOQs[0].Peak != 9 {
		t.Errorf("%+v", r)
	}
}

// Windows that lie wholly between two times, and how many of them hold more pauses than are allowed: those that began in
// it, and those that were carried into it. The worst port counts.
func TestWindowsOverByHand(t *testing.T) {
	r := &Observed{WindowUS: 2, Windows: 5, pauseStarts: []pausedPort{
		{started: []uint32{3, 2, 0, 1, 9}, carried: []uint32{0, 1, 3, 1, 0}}, {}, {started: []uint32{0, 0, 0, 4, 4}, carried: make([]uint32, 5)},
	}}
	for _, c := range []struct {
		perSecond, from, to int64 // us
		over, windows       int
	}{
		{1_000_000, 0, 10, 4, 5}, // two are allowed: 3, 3, 3, 2, 9
		{1_499_999, 0, 10, 4, 5}, // two
		{1_500_000, 0, 10, 2, 5}, // three: at the other port 4 and 4
		{2_000_000, 0, 10, 1, 5}, {4_500_000, 0, 10, 0, 5},
		{1_000_000, 2, 10, 3, 4}, {1_000_000, 1, 10, 3, 4}, {1_000_000, 0, 9, 3, 4}, {1_000_000, 0, 100, 4, 5}, {1_000_000, 4, 6, 1, 1}, {1_000_000, 5, 7, 0, 0}, {1_000_000, 8, 4, 0, 0},
	} {
		if over, windows := r.WindowsOver(c.perSecond, units.Time(c.from)*us, units.Time(c.to)*us); over != c.over || windows != c.windows {
			t.Errorf("%+v: %d of %d", c, over, windows)
		}
	}
	if _, windows := r.WindowsOver(1, 1, 4*us-1); windows != 0 {
		t.Errorf("%d windows", windows)
	}
}

// Of two logs with windows of other lengths the longer ones count, whichever is joined to which.
func TestLogsOfOtherWidths(t *testing.T) {
	for _, turned := range []bool{false, true} {
		one, two := newArrivalLog(), newArrivalLog()
		one.at(5*int64(us), 3).Packets = 1
		one.at(5*int64(us), 2).Packets = 8
		two.at(3000*int64(us), 3).Packets = 2 // in windows of 4 us
		two.at(5*int64(us), 3).Packets = 4
		two.at(5*int64(us), 4).Packets = 16
		a, b := &one, &two
		if turned {
			a, b = b, a
		}
		a.join(b)
		r := &Observed{arrivals: *a}
		got := []int64{a.width / int64(us)}
		for class := range uint8(5) {
			got = append(got, r.Arrived(class, 4*us, 8*us).Packets, r.Arrived(class, 0, units.Second).Packets)
		}
		if fmt.Sprint(got) != "[4 0 0 0 0 8 8 5 7 16 16]" {
			t.Errorf("turned %v: %v", turned, got)
		}
	}
}
