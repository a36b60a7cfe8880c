package sim

import (
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// posting is a host whose port is busy for long, with messages on one queue pair that nobody has posted.
func posting(t *testing.T, edit func(sc *Scenario), sizes ...units.Bytes) *engine {
	t.Helper()
	sc := leafSpine(1, 2, 0)
	for _, size := range sizes {
		sc.flow(0, 1, size, units.Second)
		sc.Flows[len(sc.Flows)-1].QueuePair = 1
	}
	if edit != nil {
		edit(sc)
	}
	s := laid(t, sc)
	s.room(1000)
	s.now, s.ports[0].busyUntil = 500, 1<<40
	return s
}

// place is where a queue pair is among its bytes.
type place struct{ next, sendEnd, acked, completeEnd, bytes int64 }

func placeOf(f *flow) place { return place{f.next, f.sendEnd, f.acked, f.completeEnd, f.bytes} }

// Messages of a queue pair have their bytes one behind the other, each from a multiple of the payload on. What is behind
// waits for what is before; a queue pair that was idle goes on from now.
func TestPostsByHand(t *testing.T) {
	s := posting(t, nil, 2500, 1000, 300, 700)
	f, n := &s.flows[0], &s.nics[0]
	s.host.deliver, s.skipped = 7, 1000
	want := func(what string, want place, sending, completing int32, finished int) {
		t.Helper()
		if got := placeOf(f); got != want || f.sending != sending || f.completing != completing || n.finished != finished || !slices.Equal(n.pairs, []int32{0}) || !f.listed {
			t.Errorf("%s: %+v, want %+v; sends %d, completes %d, %d finished of %v", what, got, want, f.sending, f.completing, n.finished, n.pairs)
		}
	}
	n.waitsUntil = 99
	s.post(0)
	want("the first", place{0, 2500, 0, 2500, 2500}, 0, 0, 0)
	if f.nextSend != 500 || n.waitsUntil != 0 || !s.ports[0].txPending {
		t.Errorf("sends at %d, the host waits until %d", f.nextSend, n.waitsUntil)
	}
	f.nextSend = 800
	s.post(1)
	want("behind it", place{0, 2500, 0, 2500, 4000}, 0, 0, 0)
	if a, b := &s.messages[0], &s.messages[1]; a.next != 1 || b.next != none || b.begin != 3000 || b.end != 4000 || f.last != 1 {
		t.Errorf("%+v, %+v", a, b)
	}
	f.next = 2500
	s.sendOn(f)
	want("the second is sent", place{3000, 4000, 0, 2500, 4000}, 1, 0, 0)
	f.next = 4000
	s.sendOn(f)
	want("all is sent", place{4000, 4000, 0, 2500, 4000}, 1, 0, 0)
	s.post(2)
	want("a third", place{4000, 4300, 0, 2500, 4300}, 2, 0, 0)
	must.Equalf(t, f.nextSend, 800, "sends at")
	s.now = 600
	f.acked = 2499
	s.complete(f)
	want("all but a byte", place{4000, 4300, 2499, 2500, 4300}, 2, 0, 0)
	f.acked = 2500
	s.complete(f)
	want("the first is complete", place{4000, 4300, 2500, 4000, 4300}, 2, 1, 0)
	if m := &s.messages[0]; m.finished != 600+7+1000 || m.doneAt != 600 || s.finished != 1 || s.messages[1].finished != 0 {
		t.Errorf("%+v, %d finished", m, s.finished)
	}
	f.acked, f.next = 4300, 4300
	s.complete(f)
	want("all are complete", place{4300, 4300, 4300, never, 4300}, 2, none, 1)
	if s.finished != 3 || !f.done() {
		t.Errorf("%d finished", s.finished)
	}
	s.now = 900
	s.post(3)
	want("a fourth", place{5000, 5700, 5000, 5700, 5700}, 3, 3, 0)
	must.Equalf(t, f.nextSend, 900, "sends at")
	f.failed = true
	if s.failed = 0; true {
		s.post(2)
		s.post(2)
	}
	if s.failed != 1 || !s.messages[2].failed || f.bytes != 5700 {
		t.Errorf("%d failed", s.failed)
	}
}

// Going back to a byte leads to the message that it is in, or to the begin of the next one if it is behind a message's end;
// of a train to the time that it is in.
func TestGoingBackByHand(t *testing.T) {
	s := posting(t, nil, 2500, 1000, 300)
	f := &s.flows[0]
	for i := range int32(3) {
		s.post(i)
	}
	for seq, want := range map[int64]struct {
		sending   int32
		next, end int64
	}{0: {0, 0, 2500}, 2499: {0, 2499, 2500}, 2500: {1, 3000, 4000}, 2999: {1, 3000, 4000}, 3000: {1, 3000, 4000}, 3999: {1, 3999, 4000}, 4000: {2, 4000, 4300}, 4299: {2, 4299, 4300}, 4300: {2, 4300, 4300}} {
		f.sending, f.next, f.sendEnd = 2, 4200, 4300
		if s.sendFrom(0, f, seq); f.sending != want.sending || f.next != want.next || f.sendEnd != want.end {
			t.Errorf("to %d: sends %d from %d to %d, want %+v", seq, f.sending, f.next, f.sendEnd, want)
		}
	}
	f.completing = 1 // the first is complete
	if s.sendFrom(0, f, 2500); f.sending != 1 || f.next != 3000 {
		t.Errorf("%+v", f)
	}
	s = posting(t, func(sc *Scenario) { sc.Flows[0].Repeat, sc.Flows[0].QueuePair = 3, 0 }, 1500)
	f = &s.flows[0]
	s.post(0)
	s.post(0)
	if m := &s.messages[0]; m.begin != 2000 || m.end != 3500 || m.next != none || f.bytes != 3500 || s.inbound[0].receiveEnd != 1500 {
		t.Errorf("%+v, %+v", m, f)
	}
	s.messages[0].begin = 0
	s.post(0)
	for seq, want := range map[int64][2]int64{0: {0, 1500}, 1499: {1499, 1500}, 1500: {2000, 3500}, 1999: {2000, 3500}, 2000: {2000, 3500}, 3499: {3499, 3500}, 3500: {4000, 5500}, 4000: {4000, 5500}, 5499: {5499, 5500}} {
		f.next, f.sendEnd = 7, 7
		s.messages[0].begin = 0 // of its first time
		if s.sendFrom(0, f, seq); f.next != want[0] || f.sendEnd != want[1] {
			t.Errorf("a train to %d: from %d to %d, want %v", seq, f.next, f.sendEnd, want)
		}
	}
	// The next time of a train is sent behind the one before, as far as it is posted.
	f.sending, f.next, f.sendEnd = 0, 1500, 1500
	if s.sendOn(f); f.next != 2000 || f.sendEnd != 3500 {
		t.Errorf("%+v", f)
	}
	f.next, f.sendEnd = 5500, 5500
	if s.sendOn(f); f.next != 5500 || f.sendEnd != 5500 {
		t.Errorf("%+v", f)
	}
	// And acknowledged one after the other.
	f.acked, f.completing, f.completeEnd = 3500, 0, 1500
	if s.complete(f); f.completeEnd != 5500 || s.messages[0].done != 2 || s.messages[0].finished != 0 || s.finished != 0 {
		t.Errorf("%+v, %+v", f, s.messages[0])
	}
	f.acked = 5500
	if s.complete(f); f.completeEnd != never || s.messages[0].done != 3 || s.finished != 1 || s.messages[0].finished != s.now {
		t.Errorf("%+v, %+v", f, s.messages[0])
	}
}

// What is sent twice is a train; what is sent once is none. Where nothing else is said a time waits for the one before.
func TestTrainsOfScenario(t *testing.T) {
	sc := leafSpine(1, 3, 0)
	for i, repeat := range []int{0, 2, 2} {
		sc.flow(0, 1+i%2, 1000, units.Second)
		sc.Flows[i].Repeat = repeat
	}
	sc.Flows[2].Each, sc.Flows[2].Ahead = []int32{1}, 4
	s, err := newEngine(sc)
	if err != nil || len(s.each) != 3 {
		t.Fatal(err, s.each)
	}
	for i, want := range []struct {
		repeat, ahead int32
		each          []int32
	}{{0, 0, nil}, {2, 0, []int32{1}}, {2, 4, []int32{1}}} {
		if m := &s.messages[i]; m.repeat != want.repeat || m.ahead != want.ahead || !slices.Equal(s.each[i], want.each) {
			t.Errorf("message %d: %+v after %v, want %+v", i, m.train, s.each[i], want)
		}
	}
	if got := s.eachDone.of(1); !slices.Equal(got, []int32{1, 2}) || len(s.eachDelivered.of(1)) != 0 {
		t.Errorf("%v", got)
	}
	if plain := posting(t, nil, 1000); plain.each != nil || plain.eachDone.list != nil {
		t.Errorf("%v", plain.each)
	}
}

// Work is over when it would be posted, for those that wait for it too; a message is posted when its host has done its part.
func TestStartsByHand(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	sc.Transport.Host.Post = 50
	sc.flow(0, 1, 1000, 400)
	sc.Flows = append(sc.Flows, Flow{Src: 1, Dst: 1, Start: 300, After: []int32{3}})
	sc.flow(1, 0, 1000, 0)
	sc.Flows[2].After, sc.Flows[2].Delay = []int32{1}, 25
	sc.Flows = append(sc.Flows, Flow{Src: 0, Dst: 0, Start: 200})
	s := laid(t, sc)
	posted := map[int32]int64{}
	for s.now < 1000 && s.step(never) {
		for i := range s.flows {
			if _, ok := posted[int32(i)]; !ok && s.flows[i].last != none {
				posted[int32(i)] = s.now
			}
		}
	}
	if posted[0] != 450 || posted[1] != 375 || s.messages[0].started != 400 || s.messages[2].started != 325 {
		t.Errorf("posted at %v, started at %d and %d", posted, s.messages[0].started, s.messages[2].started)
	}
	for i, at := range map[int]int64{1: 300, 3: 200} {
		if m := &s.messages[i]; m.delivered != at || m.finished != at || m.pair != none {
			t.Errorf("work %d: %+v", i, m)
		}
	}
	for s.step(never) {
	}
	must.Equalf(t, s.finished, 4, "are over:")
}

// How often a train may have been started: as often as all that it waits for is over, and so many more as it is ahead; what
// comes to its own host counts when it has come, other when it is acknowledged.
func TestTimesOfTrains(t *testing.T) {
	sc := leafSpine(1, 3, 0)
	for _, f := range [][2]int{{0, 1}, {2, 0}, {1, 2}} {
		sc.flow(f[0], f[1], 1000, units.Second)
		sc.Flows[len(sc.Flows)-1].Repeat = 9
	}
	sc.Flows[0].Each = []int32{1, 2}
	s := laid(t, sc)
	for _, c := range []struct{ came, done, otherCame, otherDone, want int32 }{{5, 0, 0, 7, 5}, {8, 0, 0, 7, 7}, {9, 0, 9, 9, 9}, {0, 9, 9, 0, 0}, {100, 0, 0, 100, 9}} {
		s.messages[1].came, s.messages[1].done, s.messages[2].came, s.messages[2].done = c.came, c.done, c.otherCame, c.otherDone
		must.Equalf(t, s.timesOver(0), c.want, "%+v:", c)
	}
	m := &s.messages[0]
	for _, c := range []struct {
		over, times, ahead, repeat int32
		released                   bool
		want                       int32 // times started then
	}{
		{3, 3, 0, 9, true, 4}, {3, 4, 0, 9, true, 4}, {3, 1, 0, 9, true, 4}, {3, 1, 2, 9, true, 6}, {3, 1, -1, 9, true, 3}, {3, 3, -1, 9, true, 3}, {9, 1, 0, 9, true, 9}, {9, 9, 0, 9, true, 9}, {3, 1, 0, 9, false, 1},
	} {
		s.messages[1].came, s.messages[2].done = c.over, c.over
		m.times, m.ahead, m.repeat, m.released = c.times, c.ahead, c.repeat, c.released
		if s.again(0, 500); m.times != c.want {
			t.Errorf("%+v: started %d times", c, m.times)
		}
	}
	// The delay is that of what waits; the first times, that are ahead, wait for nothing.
	s.agenda.tasks = s.agenda.tasks[:0]
	m.times, m.ahead, m.released, m.delay, m.earliest, s.skipped = 0, 1, true, 30, 1510, 1000
	s.messages[1].came, s.messages[2].done = 1, 1
	s.again(0, 500)
	var at []int64
	for len(s.agenda.tasks) > 0 {
		at = append(at, s.agenda.tasks.pop().at)
	}
	if !slices.Equal(at, []int64{510, 510, 530}) || m.started != 1510 {
		t.Errorf("started at %v, the first at %d", at, m.started)
	}
	// What may be sent when it is released has waited its delay already.
	for ahead, want := range map[int32]int64{-1: 510, 0: 510} {
		m.times, m.ahead, m.released, m.repeat = 0, ahead, false, 2
		if s.startFirst(0, 510); m.started != want+1000 || !m.released {
			t.Errorf("%d ahead: started at %d, want %d", ahead, m.started, want+1000)
		}
	}
	for _, c := range []struct {
		times, repeat int32
		want          bool
	}{{0, 0, true}, {1, 0, true}, {2, 3, false}, {3, 3, true}, {4, 3, true}} {
		if (&train{repeat: c.repeat}).last(c.times) != c.want {
			t.Errorf("%+v", c)
		}
	}
}

// dc is an initiator of host 0 with messages to hosts 1 and 2, none of which has been given to it.
func dc(t *testing.T, edit func(sc *Scenario)) *engine {
	t.Helper()
	sc := leafSpine(1, 4, 0)
	sc.Transport.Service = DC
	sc.Transport.Host = HostTimes{Connect: 100, Linger: 300, Disconnect: 50, Busy: 70}
	for _, dst := range []int{1, 1, 2} {
		sc.flow(0, dst, 1000, units.Second)
		sc.Flows[len(sc.Flows)-1].QueuePair = 1
	}
	sc.flow(3, 1, 1000, units.Second)
	if edit != nil {
		edit(sc)
	}
	s := laid(t, sc)
	s.room(1000)
	s.now, s.ports[0].busyUntil = 1000, 1<<40
	s.agenda.tasks = s.agenda.tasks[:0]
	return s
}

// tasks returns the planned tasks of an initiator, a kind and a time each, in their order.
func tasks(s *engine) (list [][2]int64) {
	for len(s.agenda.tasks) > 0 {
		e := s.agenda.tasks.pop()
		list = append(list, [2]int64{int64(e.id & (1<<taskBits - 1)), e.at})
	}
	return list
}

// sentBy returns the kind of the last packet that a port's host has queued; its route tells where to.
func sentBy(s *engine, port int32) (kind packetKind, route int32) {
	pk := &s.packets[s.acksOf(s.ports[port].nic, 3).tail]
	return pk.kind, pk.route
}

// An initiator's life: it connects for its first message, sends what is for the same host, lingers, leaves, and goes on with
// what is for another.
func TestInitiatorByHand(t *testing.T) {
	s := dc(t, func(sc *Scenario) { sc.Transport.Acks = AcksWithData })
	d := &s.initiators[0]
	if len(s.initiators) != 2 || s.flows[0].initiator != 0 || s.flows[1].initiator != 0 || s.flows[2].initiator != 1 || d.port != 0 || d.first != none || s.initiators[1].port != 6 {
		t.Fatalf("%+v", s.initiators)
	}
	s.submit(0)
	if got := tasks(s); d.state != connecting || d.pair != 0 || d.askAt != 1100 || !slices.Equal(got, [][2]int64{{taskConnect, 1100}}) || d.first != 0 || d.last != 0 {
		t.Fatalf("%+v, %v", d, got)
	}
	s.submit(1)
	s.submit(2)
	if s.messages[0].next != 1 || s.messages[1].next != 2 || s.messages[2].next != none || d.first != 0 || d.last != 2 || len(tasks(s)) != 0 {
		t.Errorf("%+v", d)
	}
	created := s.created
	if s.ask(0); s.created != created { // it is not time
		t.Error("it asks too early")
	}
	s.now = 1100
	s.ask(0)
	if kind, route := sentBy(s, 0); kind != connectPacket || route != s.flows[0].dataRoute || s.created != created+1 || len(tasks(s)) != 0 {
		t.Errorf("%v on %d, %d packets", kind, route, s.created)
	}
	arrives := func(pair int32, kind packetKind, port int32) {
		id := s.take()
		s.packets[id] = packet{flow: pair, kind: kind, label: 3}
		s.receiveControl(port, &s.nics[s.ports[port].nic], id, &s.packets[id])
	}
	target := &s.nics[s.ports[2].nic]
	for range 2 { // asked twice, it is one connection
		arrives(0, connectPacket, 2)
		if got := tasks(s); !s.flows[0].connected || target.connected != 1 || !slices.Equal(got, [][2]int64{{taskGrant, 1200}}) {
			t.Errorf("%+v, %v", target, got)
		}
	}
	s.ports[2].busyUntil = 1 << 40
	s.granted(0)
	if kind, route := sentBy(s, 2); kind != connectedPacket || route != s.inbound[0].ackRoute {
		t.Errorf("%v on %d", kind, route)
	}
	arrives(1, connectedPacket, 0) // of somebody else's
	must.Equalf(t, d.state, connecting, "%+v:", d)
	s.flows[0].rate = 1
	arrives(0, connectedPacket, 0)
	if d.state != connected || d.first != 2 || s.flows[0].bytes != 2000 || s.flows[1].bytes != 0 || s.flows[0].rate != s.flows[0].lineRate || len(tasks(s)) != 0 {
		t.Errorf("%+v, %+v", d, s.flows[0])
	}
	s.now = 2000
	s.flows[0].acked, s.flows[0].next = 2000, 2000
	s.complete(&s.flows[0])
	if got := tasks(s); d.idleSince != 2000 || !slices.Equal(got, [][2]int64{{taskAdvance, 2000}}) {
		t.Errorf("%+v, %v", d, got)
	}
	s.advance(0)
	if kind, _ := sentBy(s, 0); kind != disconnectPacket || d.state != leaving {
		t.Errorf("%+v, %v", d, kind)
	}
	if got := tasks(s); !slices.Equal(got, [][2]int64{{taskFree, 2050}}) {
		t.Errorf("%v", got)
	}
	s.now = 2050
	s.freed(0)
	if got := tasks(s); d.state != connecting || d.pair != 1 || !slices.Equal(got, [][2]int64{{taskConnect, 2150}}) {
		t.Errorf("%+v, %v", d, got)
	}
	for range 2 {
		if arrives(0, disconnectPacket, 2); s.flows[0].connected || target.connected != 0 {
			t.Errorf("%+v", target)
		}
	}
	// Refused, it comes again when the target may have room; nobody else's refusal counts.
	s.now, d.retries = 3000, 5
	arrives(0, refusedPacket, 0)
	if got := tasks(s); len(got) != 0 || d.retries != 5 || s.refused != 1 {
		t.Errorf("%+v, %v", d, got)
	}
	arrives(1, refusedPacket, 0)
	if got := tasks(s); !slices.Equal(got, [][2]int64{{taskConnect, 3070}}) || d.askAt != 3070 || d.retries != 0 || s.refused != 2 {
		t.Errorf("%+v, %v", d, got)
	}
	// Without messages it lingers.
	arrives(1, connectedPacket, 0)
	s.flows[1].acked, s.flows[1].next, s.now = 1000, 1000, 4000
	s.complete(&s.flows[1])
	if got := tasks(s); !slices.Equal(got, [][2]int64{{taskAdvance, 4300}}) || d.state != connected {
		t.Errorf("%+v, %v", d, got)
	}
	s.now = 4299
	if s.advance(0); d.state != connected {
		t.Errorf("%+v", d)
	}
	s.now = 4300
	if s.advance(0); d.state != leaving || !slices.Equal(tasks(s), [][2]int64{{taskFree, 4350}}) {
		t.Errorf("%+v", d)
	}
	arrives(1, refusedPacket, 0) // it asks for nothing
	if arrives(1, connectedPacket, 0); d.state != leaving || len(tasks(s)) != 0 {
		t.Errorf("%+v", d)
	}
}

// With a timer an initiator asks again; what it keeps of its rate is said.
func TestInitiatorAsksAgain(t *testing.T) {
	s := dc(t, func(sc *Scenario) {
		sc.Transport.AckTimeout, sc.Transport.Retries, sc.Transport.Host.KeepRate = 500, 1, true
	})
	d := &s.initiators[0]
	s.submit(0)
	tasks(s)
	s.now = 1100
	for range 2 {
		before := s.now
		if s.ask(0); d.askAt != before+500 || !slices.Equal(tasks(s), [][2]int64{{taskConnect, before + 500}}) {
			t.Errorf("%+v", d)
		}
		s.now += 500
	}
	if d.retries != 2 || d.state != connecting {
		t.Errorf("%+v", d)
	}
	s.flows[0].rate = 1
	id := s.take()
	s.packets[id] = packet{flow: 0, kind: connectedPacket}
	s.receiveControl(0, &s.nics[0], id, &s.packets[id])
	if d.state != connected || s.flows[0].rate != 1 {
		t.Errorf("%+v at %d", d, s.flows[0].rate)
	}
	s = dc(t, func(sc *Scenario) { sc.Transport.AckTimeout, sc.Transport.Retries = 1, 1 }) // the shortest timer
	s.submit(0)
	tasks(s)
	s.now = 1100
	if s.ask(0); !slices.Equal(tasks(s), [][2]int64{{taskConnect, 1101}}) {
		t.Errorf("%+v", s.initiators[0])
	}
	// Given up, its messages fail, and the next ones go on.
	s = dc(t, func(sc *Scenario) { sc.Transport.AckTimeout = 500 })
	d = &s.initiators[0]
	s.submit(0)
	s.submit(2)
	s.now = 1100
	s.ask(0)
	s.now = 1600
	s.ask(0)
	if s.failed != 1 || !s.flows[0].failed || !s.messages[0].failed || d.first != 2 || d.state != leaving {
		t.Errorf("%+v, %d failed", d, s.failed)
	}
}

// A target with as many initiators as it takes refuses others. If packets have been lost it forgets those that are connected
// elsewhere, or to nobody, but none that still holds it.
func TestTargetsByHand(t *testing.T) {
	for _, c := range []struct {
		name    string
		lost    func(s *engine)
		state   initiatorState
		pair    int32
		granted bool
	}{
		{"nothing is lost", func(*engine) {}, free, 0, false},
		{"on a wire", func(s *engine) { s.lost = 1 }, free, 0, true}, {"a frame", func(s *engine) { s.lostFrames = 1 }, free, 0, true}, {"in a switch", func(s *engine) { s.dropped = 1 }, free, 0, true},
		{"a packet and a frame", func(s *engine) { s.lost, s.lostFrames = 1, 1 }, free, 0, true}, {"a packet here and there", func(s *engine) { s.lost, s.dropped = 1, 1 }, free, 0, true},
		{"leaving", func(s *engine) { s.lost = 1 }, leaving, 0, true}, {"elsewhere", func(s *engine) { s.lost = 1 }, connected, 1, true}, {"it connects to another", func(s *engine) { s.lost = 1 }, connecting, 1, true},
		{"it holds it", func(s *engine) { s.lost = 1 }, connected, 0, false}, {"it asks for it", func(s *engine) { s.lost = 1 }, connecting, 0, false},
	} {
		s := dc(t, func(sc *Scenario) { sc.Transport.Host.Targets, sc.Transport.Acks = 1, AcksWithData })
		target := &s.nics[s.ports[2].nic]
		s.flows[0].connected, target.connected = true, 1
		s.flows[1].connected, s.nics[s.ports[4].nic].connected = true, 1 // another host's
		s.initiators[0].state, s.initiators[0].pair = c.state, c.pair
		s.ports[2].busyUntil = 1 << 40
		c.lost(s)
		s.grant(2, target, 2, &s.flows[2])
		got := tasks(s)
		if granted := s.flows[2].connected; granted != c.granted || granted == s.flows[0].connected || target.connected != 1 || !s.flows[1].connected || granted != slices.Equal(got, [][2]int64{{taskGrant, 1100}}) {
			t.Errorf("%s: %+v, %v", c.name, target, got)
		}
		if kind, route := sentBy(s, 2); !c.granted && (kind != refusedPacket || route != s.inbound[2].ackRoute) {
			t.Errorf("%s: %v on %d", c.name, kind, route)
		}
		// Who is connected is not refused.
		s = dc(t, func(sc *Scenario) { sc.Transport.Host.Targets = 1 })
		target = &s.nics[s.ports[2].nic]
		s.flows[0].connected, target.connected = true, 1
		if s.grant(2, target, 0, &s.flows[0]); !slices.Equal(tasks(s), [][2]int64{{taskGrant, 1100}}) || target.connected != 1 {
			t.Errorf("%s: %+v", c.name, target)
		}
	}
	// Any number, if none is said; and two of two.
	for targets, want := range map[int]int{0: 2, 1: 1, 2: 2} {
		s := dc(t, func(sc *Scenario) { sc.Transport.Host.Targets = targets })
		target := &s.nics[s.ports[2].nic]
		for _, pair := range []int32{0, 2} {
			s.grant(2, target, pair, &s.flows[pair])
		}
		if target.connected != want || len(tasks(s)) != want {
			t.Errorf("%d targets: %d connected", targets, target.connected)
		}
	}
}
