package sim

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/model/sim/cells"
	"github.com/roceplan/roceplan/units"
)

// frame lets a port receive a PFC frame.
func (s *engine) frame(pi int32, kind packetKind, class uint8) {
	id := s.take()
	s.packets[id] = packet{kind: kind, label: label(class), size: s.transport.pfcSize}
	s.receivePFC(pi, &s.ports[pi], id, &s.packets[id])
}

// tasks returns the times of the tasks of a kind about something.
func (s *engine) tasks(kind, about int32) (at []int64) {
	for _, t := range s.agenda.tasks {
		if t.id == eventID(about<<taskBits|kind) {
			at = append(at, t.at)
		}
	}
	slices.Sort(at)
	return at
}

// timedPair is a pair of hosts whose pauses hold for 100 quanta, 512 ns at 100 Gb/s.
func timedPair() *Scenario {
	sc := pairOfHosts()
	sc.PFC.Quanta, sc.Stop = 100, units.Second
	return sc
}

const quanta100 = 512_000 // ps

// A pause ends by itself when its time is over, that of another class when its own is; one that comes again holds from
// then on. There is one task for all of a port.
func TestPausesExpireByHand(t *testing.T) {
	s := laid(t, timedPair())
	p := &s.ports[0]
	s.now = 1000
	s.frame(0, pauseFrame, 3)
	s.now = 2000
	s.frame(0, pauseFrame, 5)
	s.frame(0, pauseFrame, 7)
	s.now = 3000
	s.frame(0, pauseFrame, 7)
	if at := s.tasks(taskExpire, 0); !slices.Equal(at, []int64{1000 + quanta100}) || p.paused != 1<<3|1<<5|1<<7 {
		t.Fatalf("it looks at %v, paused %08b", at, p.paused)
	}
	for _, c := range []struct {
		now    int64
		paused uint8
		next   []int64
	}{
		{1000 + quanta100, 1<<5 | 1<<7, []int64{2000 + quanta100}}, {2000 + quanta100, 1 << 7, []int64{3000 + quanta100}}, {3000 + quanta100, 0, nil},
	} {
		s.agenda.tasks = nil // the one that is being done
		s.now = c.now
		if s.expire(0); p.paused != c.paused || !slices.Equal(s.tasks(taskExpire, 0), c.next) || s.timed[0].expiring != (c.next != nil) {
			t.Errorf("at %d: paused %08b, %+v, next %v", c.now, p.paused, s.timed[0], s.tasks(taskExpire, 0))
		}
	}
	// Before its time nothing ends; what will be obeyed ends likewise, and what waits for it goes on.
	q := &s.ports[3]
	s.now = 10_000
	s.frame(3, pauseFrame, 3)
	id, _ := s.come(packet{label: 3, in: 1})
	s.usage(1, 3).ingress = 1048
	s.enqueue(3, q, 3, id)
	s.agenda.tasks = nil
	s.now += quanta100 - 1
	if s.expire(3); q.paused != 1<<3 || q.sent != 0 {
		t.Errorf("%+v", q)
	}
	q.paused, q.obeying = 0, 1<<3
	s.obeyAt[3*classes+3] = 0
	s.agenda.tasks = nil
	s.now++
	if s.expire(3); q.obeying != 0 || q.sent != 1048 || s.tasks(taskExpire, 3) != nil {
		t.Errorf("%+v", q)
	}
	// One that was taken back is looked for no longer.
	s.now = 50_000
	s.frame(0, pauseFrame, 3)
	s.now = 60_000
	s.frame(0, pauseFrame, 5)
	s.frame(0, resumeFrame, 5)
	s.agenda.tasks = nil
	s.now = 50_000 + quanta100
	if s.expire(0); s.tasks(taskExpire, 0) != nil || p.paused != 0 {
		t.Errorf("it looks at %v, paused %08b", s.tasks(taskExpire, 0), p.paused)
	}
	// Where pauses hold until they are taken back nothing is planned.
	plain := laid(t, pairOfHosts())
	plain.agenda = agenda{}
	if plain.frame(0, pauseFrame, 3); plain.timed != nil || len(plain.agenda.tasks) != 0 || plain.ports[0].paused != 1<<3 {
		t.Errorf("%+v", plain.ports[0])
	}
	// A resume frame takes a pause back that has not expired.
	s.frame(0, pauseFrame, 3)
	if s.frame(0, resumeFrame, 3); p.paused != 0 {
		t.Errorf("%+v", p)
	}
	if s.frame(0, pauseFrame, 3); s.expireAt[3] != s.now+quanta100 {
		t.Errorf("until %d", s.expireAt[3])
	}
}

// A port that pauses repeats its pauses, all at once, when half of their time is over, for as long as any is in force.
func TestPausesAreRepeatedByHand(t *testing.T) {
	s := laid(t, timedPair())
	p := &s.ports[1]
	s.now = 1000
	s.pause(1, p, 3)
	s.now = 2000
	s.pause(1, p, 5)
	if at := s.tasks(taskRefresh, 1); !slices.Equal(at, []int64{1000 + quanta100/2}) || s.pauses != 2 || p.pausing != 1<<3|1<<5 {
		t.Fatalf("it looks at %v; %d pauses, %08b", at, s.pauses, p.pausing)
	}
	frames := func() (n int) { // sent or waiting
		return int(p.sent)/pfcBytes + int(s.queue(1, 0).bytes)/pfcBytes
	}
	must.Equalf(t, frames(), 2, "frames:")
	s.agenda.tasks = nil
	s.now = 1000 + quanta100/2
	if s.refresh(1); frames() != 4 || s.refreshes != 2 || s.pauses != 2 || !slices.Equal(s.tasks(taskRefresh, 1), []int64{1000 + quanta100}) {
		t.Errorf("%d frames, %d repeated, next %v", frames(), s.refreshes, s.tasks(taskRefresh, 1))
	}
	s.resume(1, p, 5)
	s.agenda.tasks = nil
	s.now = 1000 + quanta100
	if s.refresh(1); frames() != 6 || s.refreshes != 3 {
		t.Errorf("%d frames, %d repeated", frames(), s.refreshes)
	}
	s.resume(1, p, 3)
	s.agenda.tasks = nil
	if s.refresh(1); s.tasks(taskRefresh, 1) != nil || s.timed[1].refreshing || s.refreshes != 3 {
		t.Errorf("%+v, %d repeated", s.timed[1], s.refreshes)
	}
	// Class 7 and class 0 are repeated as well as others.
	p.pausing = 1<<7 | 1
	if s.repeatPauses(1, p); s.refreshes != 5 {
		t.Errorf("%d repeated", s.refreshes)
	}
}

// A PFC frame takes the next of ns-3's streams, as the IP header that it has there does. Where no frame is sent, none is taken.
func TestPauseFramesTakeAStream(t *testing.T) {
	s := laid(t, pairOfHosts())
	s.streams = newStreams(1, 3)
	want := *newStreams(1, 3)
	want.skip()
	if s.sendPFC(1, &s.ports[1], 3, pauseFrame); *s.streams != want {
		t.Errorf("%+v, want %+v", *s.streams, want)
	}
	s.ports[1].trouble = down
	if s.sendPFC(1, &s.ports[1], 3, resumeFrame); *s.streams != want {
		t.Errorf("the link is down: %+v, want %+v", *s.streams, want)
	}
}

// What is told of pauses: frames by class, at the port that sends and at the one that receives; when one is in force.
// Where PFC is off, none is sent, none is obeyed, and none counts as a pause; where there is no link, none is sent.
func TestPauseFramesAreCounted(t *testing.T) {
	sc := pairOfHosts()
	sc.Observe = &Observation{}
	s := laid(t, sc)
	s.counts = &counting{Counted: Counted{Ports: make([]CountedPort, 4)}}
	own, peer := &s.counts.Ports[1].Classes[3], &s.counts.Ports[0].Classes[3]
	log := &s.seen.pauses.ports[1]
	p := &s.ports[1]
	s.now = 1000
	if s.pause(1, p, 3); own.PFCSent != 1 || log.inForce != 1<<3 || p.pausing != 1<<3 || s.pauses != 1 {
		t.Errorf("%+v, %+v, %+v", own, log, p)
	}
	s.now = 5000
	if s.resume(1, p, 3); own.PFCSent != 2 || log.inForce != 0 || p.pausing != 0 || s.pauses != 1 || log.classes[3].total != 4000 {
		t.Errorf("%+v, %+v, %+v", own, log, p)
	}
	s.frame(0, pauseFrame, 3)
	if s.frame(0, resumeFrame, 3); peer.PFCReceived != 2 || own.PFCReceived != 0 {
		t.Errorf("%+v", peer)
	}
	p.trouble = down
	if s.sendPFC(1, p, 3, pauseFrame); own.PFCSent != 2 || s.queue(1, 0).bytes > 43 {
		t.Errorf("%+v, %d B wait", own, s.queue(1, 0).bytes)
	}
	p.trouble, s.ports[0].trouble = deaf, deaf
	s.pause(1, p, 3)
	s.resume(1, p, 3)
	s.frame(0, pauseFrame, 3)
	if own.PFCSent != 2 || s.pauses != 1 || p.pausing != 0 || log.inForce != 0 || s.ports[0].paused != 0 || peer.PFCReceived != 3 {
		t.Errorf("%+v, %+v, %d pauses", own, peer, s.pauses)
	}
	p.pausing, p.trouble = 1<<3, deaf|slow
	if s.resume(1, p, 3); p.pausing != 1<<3 {
		t.Error("a deaf port resumes")
	}
}

// A pause is obeyed once the response time is over, by what is chosen later than that. A class that is paused already is
// not stopped again: its watchdog goes on counting.
func TestObeyingByHand(t *testing.T) {
	s := laid(t, pairOfHosts())
	s.guards = make([]guard, len(s.queues))
	s.watchdogs = make([]watchdog, 3)
	p := &s.ports[3]
	p.obeying = 1<<3 | 1<<7 | 1
	s.obeyAt[3*classes+3], s.obeyAt[3*classes+7], s.obeyAt[3*classes] = 500, 501, 499
	s.now = 500
	if s.obey(3, p); p.obeying != 1<<3|1<<7 || p.paused != 1 {
		t.Errorf("obeying %08b, paused %08b", p.obeying, p.paused)
	}
	s.now = 501
	if s.obey(3, p); p.obeying != 1<<7 || p.paused != 1<<3|1 {
		t.Errorf("obeying %08b, paused %08b", p.obeying, p.paused)
	}
	s.now = 502
	if s.obey(3, p); p.obeying != 0 || p.paused != 1<<7|1<<3|1 {
		t.Errorf("obeying %08b, paused %08b", p.obeying, p.paused)
	}
	if s.guards[3*classes+7].since != 502 || s.guards[3*classes+3].since != 501 {
		t.Errorf("since %d and %d", s.guards[3*classes+7].since, s.guards[3*classes+3].since)
	}
	s.now = 900
	if s.stop(3, p, 7); s.guards[3*classes+7].since != 502 {
		t.Errorf("since %d", s.guards[3*classes+7].since)
	}
	// A second pause while one is being obeyed, or is in force, moves nothing.
	s.configs[3].response = 70
	p.paused, p.obeying = 1<<4, 0
	s.frame(3, pauseFrame, 3)
	s.now = 910
	s.frame(3, pauseFrame, 3)
	s.frame(3, pauseFrame, 4)
	if p.obeying != 1<<3 || s.obeyAt[3*classes+3] != 970 || s.obeyAt[3*classes+4] != 0 {
		t.Errorf("obeying %08b at %d and %d", p.obeying, s.obeyAt[3*classes+3], s.obeyAt[3*classes+4])
	}
	// With the frame that resumes what waits goes on, though nothing is left to obey.
	id, _ := s.come(packet{label: 4, in: 1})
	s.usage(1, 4).ingress = 1048
	s.enqueue(3, p, 4, id)
	if s.frame(3, resumeFrame, 4); p.paused != 0 || p.sent != 1048 || p.obeying != 1<<3 {
		t.Errorf("%+v", p)
	}
	// A queue that a watchdog holds obeys no frame, but the watchdog hears it; others of the port do.
	p.trouble = guarded
	s.guards[3*classes+5].held = true
	s.configs[3].response = 0
	s.frame(3, pauseFrame, 5)
	s.frame(3, pauseFrame, 6)
	if p.paused != 1<<6 || !s.guards[3*classes+5].received || !s.guards[3*classes+6].received {
		t.Errorf("paused %08b, %+v", p.paused, s.guards[3*classes+5])
	}
}

// A storm makes a host's port stuck in its class and pauses that class, if it is not paused already; the end takes both
// back, but for another class that storms still.
func TestStormsByHand(t *testing.T) {
	sc := pairOfHosts()
	sc.Storms = []Storm{{Host: 1, Class: 3, From: 100, To: 900}, {Host: 1, Class: 4, From: 200}}
	s := laid(t, sc)
	if !slices.Equal(s.tasks(taskStorm, 0), []int64{100}) || !slices.Equal(s.tasks(taskCalm, 0), []int64{900}) || !slices.Equal(s.tasks(taskStorm, 1), []int64{200}) || s.tasks(taskCalm, 1) != nil {
		t.Errorf("%+v", s.agenda.tasks)
	}
	p, n := &s.ports[2], &s.nics[1]
	s.stormBegins(0)
	if p.trouble != stuck || n.stuck != 1<<3 || p.pausing != 1<<3 || s.pauses != 1 {
		t.Errorf("%+v, stuck %08b", p, n.stuck)
	}
	p.pausing |= 1 << 4
	if s.stormBegins(1); n.stuck != 1<<3|1<<4 || s.pauses != 1 {
		t.Errorf("stuck %08b, %d pauses", n.stuck, s.pauses)
	}
	if s.stormEnds(0); n.stuck != 1<<4 || p.trouble != stuck || p.pausing != 1<<4 {
		t.Errorf("%+v, stuck %08b", p, n.stuck)
	}
	p.trouble |= slow
	if s.stormEnds(1); n.stuck != 0 || p.trouble != slow || p.pausing != 0 {
		t.Errorf("%+v, stuck %08b", p, n.stuck)
	}
	if s.ports[0].trouble != 0 {
		t.Error("the other host is stuck")
	}
	lone := leafSpine(1, 2, 0)
	lone.Links = lone.Links[:1]
	for node, want := range map[int]bool{0: true, 1: false, 2: false, -1: false, 3: false} {
		must.Equalf(t, lone.hasPort(node), want, "node %d has a port:", node)
	}
	lone.Links[0].A, lone.Links[0].B = 2, 0
	if !lone.hasPort(0) {
		t.Error("a host at the other end")
	}
	for _, c := range []struct {
		from, to units.Time
		want     bool
	}{{0, 0, true}, {0, 1, true}, {1, 1, false}, {2, 1, false}, {5, 0, true}, {-1, 0, false}, {-1, 5, false}} {
		must.Equalf(t, lone.during(c.from, c.to), c.want, "from %d to %d:", c.from, c.to)
	}
}

// A watchdog's looks are at its phase and multiples of its poll after it, the first after the pause; one look is planned
// for all queues. It goes on while a queue that it watches is held or paused.
func TestWatchdogLooks(t *testing.T) {
	sc := timedPair()
	w := &Watchdog{Poll: 100, Detection: 200, Restoration: 200, Classes: 1<<3 | 1<<7}
	sc.Watchdogs = []*Watchdog{nil, nil, w}
	s := laid(t, sc)
	if phase := s.watchdogs[2].phase; phase < 0 || phase >= 100 || s.watchdogs[2].Watchdog != w || len(s.watchdogs[2].ports) != 2 {
		t.Errorf("%+v", s.watchdogs[2])
	}
	for _, c := range []struct{ phase, now, want int64 }{{0, 0, 100}, {0, 99, 100}, {0, 100, 200}, {30, 0, 30}, {30, 29, 30}, {30, 30, 130}, {99, 100, 199}, {99, 98, 99}, {99, 99, 199}} {
		s.agenda.tasks, s.watchdogs[2].awake = nil, false
		s.watchdogs[2].phase, s.now = c.phase, c.now
		s.watch(3, &s.ports[3], 3)
		if at := s.tasks(taskWatch, 2); !slices.Equal(at, []int64{c.want}) || !s.watchdogs[2].awake || s.guards[3*classes+3].since != c.now {
			t.Errorf("paused at %d with a phase of %d: looks at %v, want %d", c.now, c.phase, at, c.want)
		}
		if s.watch(1, &s.ports[1], 7); len(s.agenda.tasks) != 1 {
			t.Error("a second look is planned")
		}
	}
	for what, try := range map[string]func(){
		"a class that nobody watches": func() { s.watch(3, &s.ports[3], 4) }, "a node without one": func() { s.watch(0, &s.ports[0], 3) },
	} {
		s.agenda.tasks, s.watchdogs[2].awake = nil, false
		if try(); len(s.agenda.tasks) != 0 {
			t.Errorf("%s: looked at", what)
		}
	}
	for what, c := range map[string]struct {
		paused uint8
		held   int // class
		awake  bool
	}{"nothing": {0, 0, false}, "paused": {1 << 3, 0, true}, "the last class": {1 << 7, 0, true}, "another class": {1 << 4, 0, false}, "held": {0, 3, true}, "both": {1 << 4, 7, true}} {
		s.agenda.tasks = nil
		clear(s.guards)
		s.now = 1000
		s.ports[3].paused = c.paused
		if c.held > 0 {
			s.guards[3*classes+c.held].held = true
		}
		s.lookAt(2)
		if at := s.tasks(taskWatch, 2); s.watchdogs[2].awake != c.awake || c.awake != slices.Equal(at, []int64{1100}) {
			t.Errorf("%s: awake %v, looks at %v", what, s.watchdogs[2].awake, at)
		}
	}
}

// What a watchdog does to a queue that it finds stopped: its pauses end, those of other classes do not; its packets are
// discarded or sent; all of it is counted.
func TestWatchdogTakesHold(t *testing.T) {
	for action, want := range map[WatchdogAction]struct {
		sent    uint64
		guarded int64
	}{WatchdogDrop: {0, 2}, WatchdogForward: {1048, 0}} {
		sc := timedPair()
		sc.Watchdogs = []*Watchdog{2: {Poll: 10, Detection: 20, Restoration: 30, Action: action, Classes: 1 << 3}}
		s := laid(t, sc)
		s.counts = &counting{Counted: Counted{Ports: make([]CountedPort, 4)}}
		p, g, k := &s.ports[3], &s.guards[3*classes+3], &s.counts.Ports[3].Classes[3]
		p.paused, p.obeying = 1<<3|1<<5, 1<<3|1<<6
		s.obeyAt[3*classes+6] = 1 << 40
		for range 2 {
			id, _ := s.come(packet{label: 3, in: 1})
			s.enqueue(3, p, 3, id)
		}
		s.usage(1, 3).ingress = 2 * 1048
		s.now, g.since = 1000, 990
		if s.lookAt(2); g.held || g.charged != 10 {
			t.Fatalf("%+v", g)
		}
		s.now = 1010
		s.lookAt(2)
		if !g.held || g.drops != (action == WatchdogDrop) || p.trouble != guarded || p.paused != 1<<5 || p.obeying != 1<<6 {
			t.Errorf("action %d: %+v, %+v", action, g, p)
		}
		if p.sent != want.sent || s.guarded != want.guarded || k.DroppedOut != want.guarded || k.Storms != 1 || s.watchdogEvents != 1 || s.counts.Ports[1].Classes[3].Storms != 0 {
			t.Errorf("action %d: %d B sent, %d discarded, %+v", action, p.sent, s.guarded, k)
		}
		if action == WatchdogForward && k.SentInStorm != 1 || action == WatchdogDrop && s.usage(1, 3).ingress != 0 {
			t.Errorf("action %d: %+v, %+v", action, k, s.usage(1, 3))
		}
		for s.now = 1020; s.now < 1040; s.now += 10 {
			if s.lookAt(2); !g.held || k.Restored != 0 {
				t.Errorf("at %d: %+v", s.now, g)
			}
		}
		if s.lookAt(2); g.held || k.Restored != 1 || p.trouble != 0 {
			t.Errorf("at %d: %+v, %+v", s.now, g, k)
		}
	}
}

// A port in trouble takes away: with no link all that comes, on a lossy link what a random number says, and of what is
// left, which is no frame, what a watchdog drops, lost CNPs, what a stuck NIC has no place for, and what a slow one takes later.
func TestIntercepts(t *testing.T) {
	for name, c := range map[string]struct {
		in      int32
		trouble trouble
		kind    packetKind
		class   uint8
		loss    uint64
		taken   bool
		want    counters
	}{
		"no link":                   {1, down, dataPacket, 3, 0, true, counters{lost: 1}},
		"no link, a frame":          {1, down, pauseFrame, 3, 0, true, counters{lostFrames: 1}},
		"always lost":               {1, faulty, dataPacket, 3, 1<<64 - 1, true, counters{lost: 1}},
		"a lost frame":              {1, faulty, resumeFrame, 3, 1<<64 - 1, true, counters{lostFrames: 1}},
		"never lost":                {1, faulty, dataPacket, 3, 0, false, counters{}},
		"healthy":                   {1, 0, dataPacket, 3, 1<<64 - 1, false, counters{}},
		"a watchdog drops":          {1, guarded, dataPacket, 3, 0, true, counters{guarded: 1}},
		"of another class":          {1, guarded, dataPacket, 4, 0, false, counters{}},
		"no frame":                  {1, guarded, pauseFrame, 3, 0, false, counters{}},
		"a CNP":                     {2, cnpless, cnpPacket, 3, 0, true, counters{lost: 1}},
		"no CNP":                    {2, cnpless, ackPacket, 3, 0, false, counters{}},
		"CNPs elsewhere":            {2, faulty, cnpPacket, 3, 0, false, counters{}},
		"a stuck NIC":               {2, stuck, dataPacket, 3, 0, true, counters{overrun: 1}},
		"a stuck NIC's other class": {2, stuck, dataPacket, 4, 0, false, counters{}},
		"a frame at a stuck NIC":    {2, stuck, pauseFrame, 3, 0, false, counters{}},
		"deaf":                      {2, deaf, dataPacket, 3, 0, false, counters{}},
	} {
		s := laid(t, pairOfHosts())
		s.guards = make([]guard, len(s.queues))
		s.guards[classes+3].drops = true
		s.counts = &counting{Counted: Counted{Ports: make([]CountedPort, 4)}}
		p := &s.ports[c.in]
		p.trouble, s.configs[c.in].loss = c.trouble, c.loss
		s.nics[1].stuck = 1 << 3
		id, pk := s.come(packet{kind: c.kind, label: label(c.class)})
		free := len(s.free)
		taken := s.intercept(c.in, p, id, pk)
		got := counters{lost: s.lost, lostFrames: s.lostFrames, guarded: s.guarded, overrun: s.overrun}
		if taken != c.taken || got != c.want || len(s.free)-free != map[bool]int{true: 1}[taken] {
			t.Errorf("%s: taken %v, %+v", name, taken, got)
		}
		if k := s.counts.Ports[c.in]; k.Classes[3].DroppedIn != c.want.guarded || k.Overruns != c.want.overrun {
			t.Errorf("%s: %+v", name, k)
		}
		s.counts = nil
		id, pk = s.come(packet{kind: c.kind, label: label(c.class)})
		if s.intercept(c.in, p, id, pk) != c.taken {
			t.Errorf("%s: not without counters", name)
		}
	}
	// As often as the link's error rate says: 2^62 of 2^64 is a quarter; of 4,000 packets 1,000 with a deviation of 27.
	s := laid(t, pairOfHosts())
	s.ports[1].trouble, s.configs[1].loss = faulty, 1<<62
	for range 4000 {
		s.room(1)
		id, pk := s.come(packet{label: 3})
		if !s.intercept(1, &s.ports[1], id, pk) {
			s.put(id)
		}
	}
	if s.lost < 860 || s.lost > 1140 {
		t.Errorf("%d of 4,000 lost, want about 1,000", s.lost)
	}
	sc := pairOfHosts()
	sc.Links[0].ErrorRate, sc.Links[1].NoPFC[1], sc.Links[1].LosesCNPs[0] = 0.25, true, true
	s = laid(t, sc)
	for pi, want := range []trouble{faulty, faulty, cnpless, deaf} {
		must.Equalf(t, s.ports[pi].trouble, want, "port %d:", pi)
	}
	if s.configs[0].loss != 1<<62 || s.configs[1].loss != 1<<62 || s.configs[2].loss != 0 {
		t.Errorf("%x, %x", s.configs[0].loss, s.configs[2].loss)
	}
	sc.Links[0].ErrorRate = 1 // as good as always
	if s = laid(t, sc); s.configs[0].loss < 1<<64-1<<12 {
		t.Errorf("%x", s.configs[0].loss)
	}
}

// When a link goes down, its ports forget their pauses, and what is queued for it is discarded with its buffer, also
// acknowledgements at a host. When it comes back, the ports go on, and ask again for the pauses that they ask for.
func TestLinksGoDownByHand(t *testing.T) {
	sc := timedPair()
	sc.Convergence = 5000
	sc.Outages = []Outage{{Link: 1, Down: 1000, Up: 90_000_000}}
	s := laid(t, sc)
	if !slices.Equal(s.tasks(taskLinkDown, 1), []int64{1000}) || !slices.Equal(s.tasks(taskLinkUp, 1), []int64{90_000_000}) {
		t.Errorf("%+v", s.agenda.tasks)
	}
	s.room(64)
	s.counts = &counting{Counted: Counted{Ports: make([]CountedPort, 4)}}
	p, host := &s.ports[3], &s.ports[2]
	p.paused, p.obeying, p.pausing, host.paused = 1<<3, 1<<4, 1<<5, 1<<6
	for _, class := range []uint8{3, 3, 7} {
		id, _ := s.come(packet{label: label(class), in: 1})
		s.enqueue(3, p, class, id)
		s.usage(1, class).ingress += 1048
	}
	frame := s.take()
	s.packets[frame] = packet{kind: pauseFrame, size: 43}
	s.enqueue(3, p, 0, frame)
	for range 2 {
		id, _ := s.come(packet{kind: ackPacket, label: 3, size: 60})
		s.pushAck(1, id)
	}
	s.now = 1000
	s.linkDown(1)
	if p.trouble != down || host.trouble != down || p.paused|p.obeying|host.paused != 0 || p.pausing != 1<<5 {
		t.Errorf("%+v, %+v", p, host)
	}
	if s.flushed != 5 || s.lostFrames != 1 || p.waiting != 0 || s.nics[1].acking != 0 || s.usage(1, 3).ingress+s.usage(1, 7).ingress != 0 || s.guarded != 0 {
		t.Errorf("%d flushed, %d frames lost, %+v", s.flushed, s.lostFrames, s.counters)
	}
	if k := s.counts.Ports[3].Classes[3]; k.DroppedOut != 0 {
		t.Errorf("%+v: the watchdog did nothing", k)
	}
	if s.ports[0].trouble != 0 || s.ports[1].trouble != 0 || !s.outages.links[1].Unrouted || s.outages.links[0].Unrouted {
		t.Error("the other link")
	}
	if at := s.tasks(taskRoutes, 0); !slices.Equal(at, []int64{6000}) {
		t.Errorf("routes change at %v", at)
	}
	s.nics[1].waitsUntil = 77
	s.now = 90_000_000
	s.linkUp(1)
	if p.trouble != 0 || host.trouble != 0 || s.outages.links[1].Unrouted || s.nics[1].waitsUntil == 77 || s.refreshes != 1 || p.sent != 43 {
		t.Errorf("%+v, %+v, %d repeated", p, host, s.refreshes)
	}
	if at := s.tasks(taskRoutes, 0); !slices.Equal(at, []int64{6000, 90_005_000}) {
		t.Errorf("routes change at %v", at)
	}
	// Of a chip's buffer, too, what is discarded is held no longer: packets of all kinds, and no frames, which hold nothing.
	chip := laid(t, chipPair(5000, 3000, nil))
	for i, kind := range []packetKind{dataPacket, disconnectPacket, pauseFrame} {
		id, pk := chip.come(packet{kind: kind, label: 3, in: 1})
		if i < 2 {
			chip.admitSilicon(chip.silicon[2], 1, 3, &chip.ports[1], 3, pk)
		}
		chip.enqueue(3, &chip.ports[3], uint8(3-3*(i/2)), id)
	}
	before := chip.held(0, 3)
	chip.flush(3, &chip.ports[3], 1<<3, &chip.flushed)
	if chip.ports[3].waiting != 1 || chip.held(0, 3) != 0 || before != 2*262 || chip.flushed != 2 || chip.lostFrames != 0 {
		t.Errorf("%d cells of %d, %d flushed", chip.held(0, 3), before, chip.flushed)
	}
	if chip.flush(3, &chip.ports[3], 1, &chip.flushed); chip.held(0, 3) != 0 || chip.held(0, 0) != 0 || chip.lostFrames != 1 {
		t.Errorf("%d frames lost", chip.lostFrames)
	}
	// A link that no route takes as it is given takes none when it comes back.
	o := s.outages
	o.unrouted[1] = true
	if s.linkUp(1); !o.links[1].Unrouted {
		t.Error("routes on a link that is for none")
	}
}

// In a fabric of cells a link of a host goes down as any other; one between switches only makes the way of its leaf
// narrower.
func TestLinksOfCellsGoDown(t *testing.T) {
	for _, link := range []int32{0, 1, 2, 4} { // of two leaves with a host each, and to two spines
		sc := leafSpine(2, 1, 2)
		sc.ECN = nil
		sc.Links[1].A, sc.Links[1].B = sc.Links[1].B, sc.Links[1].A // a host at either end
		sc.Balancing = balance.Config{Mode: balance.Cells, Cells: cells.Config{Credit: 1500, Speedup: 1, EgressBuffer: 3000}}
		sc.Outages = []Outage{{Link: int(link), Down: 1000, Up: 90_000_000}}
		sc.flow(0, 1, 1000, units.Second)
		s := laid(t, sc)
		host := link < 2
		s.linkDown(link)
		for _, pi := range []int32{2 * link, 2*link + 1} {
			if s.ports[pi].trouble == down != host {
				t.Errorf("link %d: port %d in trouble %b", link, pi, s.ports[pi].trouble)
			}
		}
		must.Equalf(t, s.outages.links[link].Unrouted, host, "link %d: routes", link)
		planned := len(s.tasks(taskRoutes, 0))
		s.linkUp(link)
		if more := len(s.tasks(taskRoutes, 0)) - planned; host != (more == 1) || s.ports[2*link].trouble|s.ports[2*link+1].trouble != 0 {
			t.Errorf("link %d: %d changes of routes, trouble %b", link, more, s.ports[2*link].trouble)
		}
	}
}

// A link is up again at the earliest when what was on it is gone: 1 us of cable and the largest packet, of 100 B more
// than its payload of 1,000 B, 88 ns at 100 Gb/s.
func TestOutageBounds(t *testing.T) {
	sc := pairOfHosts()
	for _, c := range []struct {
		down, up units.Time
		ok       bool
	}{{0, 0, true}, {5, 0, true}, {5, 1_088_006, true}, {5, 1_088_005, false}, {5, 5, false}, {-1, 0, false}, {-1, 5_000_000, false}} {
		o := &Outage{Link: 1, Down: c.down, Up: c.up}
		if err := o.check(sc); (err == nil) != c.ok {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if err := (&Outage{Link: 1, Down: 5, Up: 6}).check(sc); err == nil || !strings.HasSuffix(err.Error(), "a packet may be on it for 1088000 ps") {
		t.Error(err)
	}
	for link, ok := range map[int]bool{-1: false, 0: true, 1: true, 2: false} {
		if err := (&Outage{Link: link}).check(sc); (err == nil) != ok {
			t.Errorf("link %d: %v", link, err)
		}
	}
	for _, c := range []struct {
		a, b, x, y units.Time
		want       bool
	}{{0, 5, 5, 9, true}, {0, 4, 5, 9, false}, {5, 9, 0, 5, true}, {6, 9, 0, 5, false}, {0, 0, 100, 0, true}, {6, 0, 0, 5, false}, {5, 0, 0, 5, true}, {0, 5, 5, 0, true}, {0, 4, 5, 0, false}} {
		must.Equalf(t, overlap(c.a, c.b, c.x, c.y), c.want, "%d to %d and %d to %d:", c.a, c.b, c.x, c.y)
	}
}
