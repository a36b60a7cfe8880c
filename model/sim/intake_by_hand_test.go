package sim

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// chipPair is a pair of hosts around a chip's buffer in cells of 4 B, which 1,048 B take 262 of, and which needs 200 ns to
// find out where a packet goes.
func chipPair(shared, headroom units.Cells, edit func(b *SiliconBuffer)) *Scenario {
	b := chipBuffer(2, shared, headroom, -1)
	if edit != nil {
		edit(b)
	}
	sc := oneSwitch(2, b)
	sc.ECN = nil
	sc.Latency = []units.Time{2: 200_000}
	sc.flow(0, 1, 1000, units.Second)
	return sc
}

// loud is a run in which each first byte is an event.
func loud(t testing.TB, sc *Scenario) *engine {
	t.Helper()
	s := laid(t, sc)
	if b := s.silicon[2]; b.quiet != nil {
		s.disturb(b)
		b.quiet = nil
	}
	s.agenda, s.events = agenda{}, newEventQueue(maxSlotBits, false)
	return s
}

// held returns the fill of a group of a port of node 2, in cells.
func (s *engine) held(port, pg int) units.Cells { return s.silicon[2].PG(port, pg).Total() }

// A packet that host 0 begins to send at 500 ps comes with its first byte after 1 us of cable, and is counted. After its
// 83.84 ns and the chip's 200 ns it leaves, and is counted no longer. A PFC frame acts with its last byte, 3.44 ns later.
func TestFirstBytesByHand(t *testing.T) {
	s := loud(t, chipPair(5000, 3000, nil))
	if s.ports[0].intake != peerFirst || s.ports[1].intake != ownFirst || s.ports[2].intake != peerFirst || s.entrances[1].latency != 200_000 || s.entrances[0].latency != 0 {
		t.Fatalf("%b, %b, %+v", s.ports[0].intake, s.ports[1].intake, s.entrances)
	}
	s.now = 500
	id, pk := s.come(packet{label: 3})
	s.transmit(0, &s.ports[0], id, pk)
	const first = 500 + 1_000_000
	const leaves = first + fullPacket + 200_000
	if at := s.events.next(); at != first {
		t.Fatalf("the first byte comes at %d", at)
	}
	if s.step(never); s.now != first || s.held(0, 3) != 262 || s.handled != 0 || s.entrances[1].at != leaves || s.ports[3].sent != 0 {
		t.Errorf("at %d: %d cells, %d events, it can leave at %d", s.now, s.held(0, 3), s.handled, s.entrances[1].at)
	}
	if at := s.events.next(); at != leaves {
		t.Fatalf("it can leave at %d, want %d", at, leaves)
	}
	if s.step(never); s.now != leaves || s.held(0, 3) != 0 || s.handled != 1 || s.ports[3].busyUntil != leaves+fullPacket || s.peakQueue != 1048 || pk.in != 1 {
		t.Errorf("at %d: %d cells, %+v", s.now, s.held(0, 3), s.ports[3])
	}
	s = loud(t, chipPair(5000, 3000, nil))
	s.now = 500
	s.sendPFC(0, &s.ports[0], 3, pauseFrame)
	for s.events.next() < first { // the host looks for more to send
		s.step(never)
	}
	if s.step(never); s.now != first || s.ports[1].paused != 0 {
		t.Errorf("at %d: paused %08b", s.now, s.ports[1].paused)
	}
	if s.step(never); s.now != first+3_440 || s.ports[1].paused != 1<<3 {
		t.Errorf("at %d: paused %08b", s.now, s.ports[1].paused)
	}
	// A link that fails while the frame is on it takes it along.
	s = loud(t, chipPair(5000, 3000, nil))
	s.sendPFC(0, &s.ports[0], 3, pauseFrame)
	for s.ports[1].trouble = down; s.events.next() <= 1_000_000+3_440; {
		s.step(never)
	}
	if s.now != 1_000_000+3_440 || s.ports[1].paused != 0 {
		t.Errorf("at %d: paused %08b", s.now, s.ports[1].paused)
	}
	// Two behind one another: the place of the second is known with the first.
	s = loud(t, chipPair(5000, 3000, nil))
	for i := range 2 {
		s.now = int64(i) * fullPacket
		id, pk := s.come(packet{label: 3})
		s.transmit(0, &s.ports[0], id, pk)
	}
	for i, want := range []int64{1_000_000, 1_000_000 + fullPacket, 1_000_000 + fullPacket + 200_000, 1_000_000 + 2*fullPacket + 200_000} {
		if s.step(never); s.now != want {
			t.Errorf("event %d at %d, want %d", i, s.now, want)
		}
		if i < 2 && s.held(0, 3) != units.Cells(262*(i+1)) {
			t.Errorf("event %d: %d cells", i, s.held(0, 3))
		}
	}
}

// What becomes of a packet whose last byte is in: it was refused with its first, or by a chip that decides with the last;
// its link, its way out, or its queue is in trouble meanwhile. What was counted of it is not counted any more.
func TestLastBytesByHand(t *testing.T) {
	full := func(b *SiliconBuffer) {
		for i := range b.Config.Ports {
			for pg := range b.Config.Ports[i].PGs {
				b.Config.Ports[i].PGs[pg].ReservedCells = 0
			}
		}
		b.Config.IngressPools[0].SharedCells = 100 // too few for a packet
	}
	atEnd := func(b *SiliconBuffer) { b.Config.Rules.Decided = mmu.AtEnd }
	nothing := func(*engine) {}
	for name, c := range map[string]struct {
		headroom units.Cells
		chip     func(b *SiliconBuffer)
		before   func(s *engine) // the first byte
		between  func(s *engine)
		counted  units.Cells
		want     counters
	}{
		"it goes on":                         {3000, nil, nothing, nothing, 262, counters{}},
		"at the end":                         {3000, atEnd, nothing, nothing, 0, counters{}},
		"refused":                            {0, full, nothing, nothing, 0, counters{dropped: 1}},
		"refused at the end":                 {0, func(b *SiliconBuffer) { full(b); atEnd(b) }, nothing, nothing, 0, counters{dropped: 1}},
		"no way":                             {3000, nil, func(s *engine) { s.routes[s.flows[0].dataRoute] = -1 }, nothing, 0, counters{unrouted: 1}},
		"no link before":                     {3000, nil, func(s *engine) { s.ports[1].trouble = down }, nothing, 0, counters{lost: 1}},
		"no link between":                    {3000, nil, nothing, func(s *engine) { s.ports[1].trouble = down }, 262, counters{lost: 1}},
		"no link out":                        {3000, nil, nothing, func(s *engine) { s.ports[3].trouble = down }, 262, counters{unrouted: 1}},
		"the link is there again":            {0, nil, func(s *engine) { s.ports[1].trouble = down }, func(s *engine) { s.ports[1].trouble = 0 }, 0, counters{dropped: 1}},
		"the link is there again at the end": {3000, atEnd, func(s *engine) { s.ports[1].trouble = down }, func(s *engine) { s.ports[1].trouble = 0 }, 0, counters{}},
		"a watchdog drops": {3000, nil, nothing, func(s *engine) {
			s.guards = make([]guard, 4*classes)
			s.guards[classes+4].drops = true
			s.ports[1].trouble = guarded
		}, 262, counters{guarded: 1}},
		"a watchdog drops there": {3000, nil, nothing, func(s *engine) {
			s.guards = make([]guard, 4*classes)
			s.guards[3*classes+4].drops = true
			s.ports[3].trouble = guarded
		}, 262, counters{guarded: 1}},
	} {
		s := loud(t, chipPair(5000, c.headroom, c.chip))
		id, pk := s.come(packet{label: 4})
		s.transmit(0, &s.ports[0], id, pk)
		c.before(s)
		if s.step(never); s.held(0, 4) != c.counted {
			t.Errorf("%s: %d cells are counted", name, s.held(0, 4))
		}
		c.between(s)
		s.step(never)
		got := counters{dropped: s.dropped, unrouted: s.unrouted, lost: s.lost, guarded: s.guarded}
		went := s.ports[3].sent == 1048
		if got != c.want || went != (c.want == counters{}) || s.held(0, 4) != 0 || went && pk.label != 4 {
			t.Errorf("%s: %+v, went on %v, %d cells", name, got, went, s.held(0, 4))
		}
	}
}

// A chip's queue of a class at a port, its numbers, its parts, and where they are asked for.
func TestChipsNumbers(t *testing.T) {
	b := chipBuffer(3, 5000, 3000, -1)
	for class := range classes {
		b.PG[class], b.Queue[class] = uint8(7-class), uint8(6-class+class/7)
	}
	b.Ports = []int{2, 1} // the chip's port 0 is not plugged in
	own := make([][classes]uint8, 3)
	for port := range own {
		own[port] = b.Queue
	}
	own[1][3] = 1
	b.Own = own
	sc := oneSwitch(2, b)
	sc.flow(0, 1, 1000, units.Second)
	s := laid(t, sc)
	if s.configs[1].chipPort != 2 || s.configs[3].chipPort != 1 {
		t.Errorf("ports %d and %d of the chip", s.configs[1].chipPort, s.configs[3].chipPort)
	}
	want := mmu.Packet{InPort: 2, PG: 4, OutPort: 1, Queue: 1, Bytes: 1048}
	must.Equal(t, s.chipPacket(s.silicon[2], 1, 3, 3, &packet{size: 1048}), want)
	want = mmu.Packet{InPort: 1, PG: 4, OutPort: 2, Queue: 3, Bytes: 60}
	must.Equal(t, s.chipPacket(s.silicon[2], 3, 1, 3, &packet{size: 60}), want)
	for _, c := range []struct {
		port      int
		class     uint8
		queue, pg uint8
	}{{1, 3, 3, 4}, {3, 3, 1, 4}, {3, 2, 4, 5}, {0, 3, 3, 3}, {2, 5, 5, 5}} {
		if queue, pg := s.numbers(c.port, c.class); queue != c.queue || pg != c.pg {
			t.Errorf("port %d, class %d: queue %d and group %d", c.port, c.class, queue, pg)
		}
	}
	if b.Own = nil; b.QueueAt(1, 3) != 3 {
		t.Errorf("queue %d", b.QueueAt(1, 3))
	}
}

// A packet that a chip takes into its headroom pauses its group, and what leaves resumes it; of what is refused it is said
// at which side.
func TestChipsVerdicts(t *testing.T) {
	small := func(b *SiliconBuffer) {
		for i := range b.Config.Ports {
			for pg := range b.Config.Ports[i].PGs {
				b.Config.Ports[i].PGs[pg].ReservedCells, b.Config.Ports[i].PGs[pg].XonOffsetCells = 0, 0
			}
		}
		b.Config.IngressPools[0].SharedCells = 1
	}
	s := loud(t, chipPair(1, 300, small))
	b := s.silicon[2]
	_, one := s.come(packet{label: 3, in: 1})
	if !s.admitSilicon(b, 1, 3, &s.ports[1], 3, one) || s.ports[1].pausing != 1<<3 || s.peakHeadroom == 0 || s.peakHeadroom > 1048 || s.peakHeadroom%4 != 0 {
		t.Errorf("%08b, headroom %d", s.ports[1].pausing, s.peakHeadroom)
	}
	if got := int64(b.PG(0, 3).Headroom) * 4; int64(s.peakHeadroom) != got {
		t.Errorf("headroom %d, want %d", s.peakHeadroom, got)
	}
	_, two := s.come(packet{label: 3, in: 1})
	if s.admitSilicon(b, 1, 3, &s.ports[1], 3, two) || two.label&byQueue != 0 {
		t.Errorf("%x: it is the group that is full", two.label)
	}
	if s.releaseSilicon(b, 3, 3, one); s.ports[1].pausing != 0 || s.held(0, 3) != 0 {
		t.Errorf("%08b, %d cells", s.ports[1].pausing, s.held(0, 3))
	}
	s = loud(t, chipPair(5000, 3000, func(b *SiliconBuffer) {
		for i := range b.Config.Ports {
			for q := range b.Config.Ports[i].Queues {
				b.Config.Ports[i].Queues[q].Limit = mmu.StaticLimit(100)
			}
		}
	}))
	_, three := s.come(packet{label: 3, in: 1})
	if s.admitSilicon(s.silicon[2], 1, 3, &s.ports[1], 3, three) || three.label&byQueue == 0 || s.held(0, 3) != 0 {
		t.Errorf("%x: it is the queue that is full", three.label)
	}
	// Where drops are counted: at the queue that a packet would have left by, at the group that it came into.
	s.counts = &counting{Counted: Counted{Ports: make([]CountedPort, 4)}}
	s.seen = &observer{ports: make([]portCounts, 4)}
	for i, l := range []label{3 | byQueue, 3} {
		id, _ := s.come(packet{label: l})
		s.refuse(1, 3, id)
		in, out := s.counts.Ports[1].Classes[3], s.counts.Ports[3].Classes[3]
		if in.GroupDrops != int64(i) || out.QueueDrops != 1 || in.QueueDrops+out.GroupDrops != 0 || s.dropped != int64(i+1) || s.seen.ports[1].drops != int64(i+1) || s.seen.classes[3].drops != int64(i+1) {
			t.Errorf("drop %d: %+v, %+v", i, in, out)
		}
	}
}

// Which switches may be quiet: those of a chip, with cables that take time, if nobody looks into buffers, and packets
// have one way each.
func TestWhoMayBeQuiet(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(sc *Scenario)
		want bool
	}{
		"a chip":      {func(*Scenario) {}, true},
		"observed":    {func(sc *Scenario) { sc.Observe = &Observation{} }, true},
		"its buffers": {func(sc *Scenario) { sc.Observe = &Observation{Buffers: true} }, false},
		"a series": {func(sc *Scenario) {
			sc.Observe = &Observation{Series: []*Series{{Period: units.Nanosecond, Select: []string{"tx"}, Begin: func([]string) error { return nil }, Sampled: func(units.Time, []int64) error { return nil }}}}
		}, false},
		"counters":       {func(sc *Scenario) { sc.Observe = (&recorded{}).every(units.Second) }, false},
		"in a chain":     {func(sc *Scenario) { sc.Times = NS3Times }, false},
		"averages":       {func(sc *Scenario) { sc.ECN = []ECN{{Rate: 100 * units.Gbps, KMin: 1, KMax: 1, PollPeriod: 1}} }, false},
		"sprayed":        {func(sc *Scenario) { sc.Balancing.Mode, sc.Transport.DirectPlacement = balance.Spray, true }, false},
		"woven":          {func(sc *Scenario) { sc.Balancing.Mode = balance.ConWeave }, false},
		"an outage":      {func(sc *Scenario) { sc.Outages = []Outage{{Down: units.Second}} }, false},
		"no cable":       {func(sc *Scenario) { sc.Links[1].Delay = 0 }, false},
		"a short cable":  {func(sc *Scenario) { sc.Links[1].Delay = 1 }, true},
		"a small buffer": {func(sc *Scenario) { sc.Silicon[2].Config.IngressPools[0].SharedCells = 3000 }, false}, // half of it is less than 5 full packets at each port,
		"a small buffer beside": {func(sc *Scenario) {
			for i := range sc.Silicon[2].Config.Ports {
				sc.Silicon[2].Config.Ports[i].Queues[5].Limit = mmu.StaticLimit(1)
			}
		}, true},
		"a small buffer in use": {func(sc *Scenario) {
			for i := range sc.Silicon[2].Config.Ports {
				sc.Silicon[2].Config.Ports[i].Queues[3].Limit = mmu.StaticLimit(1)
			}
		}, false},
		"a small queue of its own": {func(sc *Scenario) {
			b := sc.Silicon[2]
			b.Own = [][classes]uint8{b.Queue, b.Queue}
			b.Own[1][3] = 5
			for i := range b.Config.Ports {
				b.Config.Ports[i].Queues[5].Limit = mmu.StaticLimit(1)
			}
		}, false},
	} {
		sc := chipPair(500_000, 3000, nil)
		c.edit(sc)
		s, err := newEngine(sc)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		quiet := s.silicon[2].quiet
		if (quiet != nil) != c.want {
			t.Errorf("%s: quiet %v", name, quiet != nil)
		}
		for pi := range s.ports {
			if is := s.ports[pi].intake&peerQuiet != 0; is != (c.want && pi%2 == 0) {
				t.Errorf("%s: port %d: %b", name, pi, s.ports[pi].intake)
			}
		}
		if c.want && (!quiet.is || len(quiet.ports) != 2) {
			t.Errorf("%s: %+v", name, quiet)
		}
	}
}

// How many cells may have begun to come in by a port and not be able to leave: packets of a size that began within twice
// the time of the largest and that of the pipeline, and one more. Of full packets, 262 cells in 83.84 ns, that is three;
// with 1 us more it is worse with the smallest ones: 298 of 49 B, 13 cells in 3.92 ns.
func TestWhatMayCome(t *testing.T) {
	for _, c := range []struct {
		cell, metadata units.Bytes
		latency, want  int64
	}{{4, 0, 0, 3 * 262}, {4, 0, 1_000_000, 15 * 261}, {80, 64, 0, 43 * 2}, {80, 64, 1_000_000, 298 * 2}} {
		sc := chipPair(500_000, 3000, nil)
		sc.Silicon[2].Config.CellBytes, sc.Silicon[2].Config.MetadataBytes = c.cell, c.metadata
		b := &builder{engine: laid(t, sc), sc: sc}
		must.Equalf(t, b.coming(b.silicon[2], b.txTimes[0], c.latency), c.want, "with a pipeline of %d ps: cells:", c.latency)
	}
}

// A quiet switch takes a packet off the link when it is sent, and lets it out by an idle port when its last byte is in;
// its buffer hears of it only where it has to wait.
func TestQuietByHand(t *testing.T) {
	const leaves = 500 + 1_000_000 + fullPacket + 200_000
	for name, c := range map[string]struct {
		edit func(s *engine, to *port)
		held units.Cells
		sent uint64
		lost int64
	}{
		"idle":                    {func(*engine, *port) {}, 0, 1048, 0},
		"busy":                    {func(_ *engine, to *port) { to.busyUntil = leaves + 1 }, 262, 0, 0},
		"busy until then":         {func(_ *engine, to *port) { to.busyUntil = leaves; to.txOrder = fixedPlace(transmitted(3)) }, 262, 0, 0},
		"busy until just then":    {func(_ *engine, to *port) { to.busyUntil = leaves - 1 }, 0, 1048, 0},
		"paused":                  {func(_ *engine, to *port) { to.paused = 1 << 3 }, 262, 0, 0},
		"another class is paused": {func(_ *engine, to *port) { to.paused = 1 << 4 }, 0, 1048, 0},
		"to be paused":            {func(s *engine, to *port) { to.obeying = 1 << 3; s.obeyAt[3*classes+3] = 1 }, 262, 0, 0},
		"one waits":               {func(s *engine, to *port) { to.waiting = 1 << 4; to.txPending = true; to.busyUntil = leaves + 1 }, 262, 0, 0},
		"no link out":             {func(_ *engine, to *port) { to.trouble = down }, 0, 0, 1},
		"a lossy link in":         {func(s *engine, _ *port) { s.ports[1].trouble = faulty }, 0, 1048, 0},
	} {
		s := laid(t, chipPair(500_000, 3000, nil))
		s.agenda, s.events = agenda{}, newEventQueue(maxSlotBits, false)
		s.now = 500
		to := &s.ports[3]
		to.last = 5
		id, pk := s.come(packet{label: 3})
		s.transmit(0, &s.ports[0], id, pk)
		if pk.in != uncounted || s.entrances[1].packets.head != id || s.entrances[1].at != leaves || s.ports[1].flight.head != 0 {
			t.Fatalf("%+v, %+v", pk, s.entrances[1])
		}
		c.edit(s, to)
		route := pk.route
		if s.step(never); s.now != leaves || s.held(0, 3) != c.held || to.sent != c.sent || s.unrouted != c.lost || pk.route != route+1 {
			t.Errorf("%s: at %d: %d cells, %d B sent, %d lost, route %d", name, s.now, s.held(0, 3), to.sent, s.unrouted, pk.route-route)
		}
		if c.sent > 0 && (to.last != 3 || s.peakQueue != 1048) || c.held > 0 && to.last != 5 {
			t.Errorf("%s: class %d was served last, a queue of %d B", name, to.last, s.peakQueue)
		}
	}
	// A class takes its turn and its time as if it had waited; class 0 has no turn.
	sc := chipPair(500_000, 3000, nil)
	e := &Egress{Scheduler: Scheduler{Weights: [classes]uint8{3: 1}}}
	e.MaxRate[3] = units.Gbps
	sc.Links[1].Egress[1] = e
	s := laid(t, sc)
	p := &s.ports[3]
	s.now = 100_000_000
	if !s.idle(3, p, &packet{label: 3, size: 500}) || p.last != 3 || s.dwrr.turn[3] != 3 || s.dwrr.deficit[3*classes+3] != 548 || s.shapers.of(3, 3).next != 100_000_000 {
		t.Errorf("%+v, %+v, next at %d", p, s.dwrr, s.shapers.of(3, 3).next)
	}
	if !s.idle(3, p, &packet{label: 3, size: 500}) || s.shapers.of(3, 3).next != 104_000_000 {
		t.Errorf("next at %d", s.shapers.of(3, 3).next)
	}
	if s.idle(3, p, &packet{label: 3, size: 500}) {
		t.Error("its time has not come")
	}
	if !s.idle(3, p, &packet{label: 0, size: 500}) || p.last != 3 || s.dwrr.turn[3] != 3 {
		t.Errorf("%+v, %+v", p, s.dwrr)
	}
	// With a way out that marks, what goes through has nothing behind it to be marked for; it may be a frame of telemetry.
	sc = chipPair(500_000, 3000, nil)
	sc.Classes[3] = &ClassControl{Congestion: Congestion{Algorithm: UseHPCC, MinRate: 1, HPCC: HPCC{UnitScale: 1}}, Window: PathBDP}
	s = laid(t, sc)
	s.agenda, s.events = agenda{}, newEventQueue(maxSlotBits, false)
	id, pk := s.come(packet{label: 3})
	s.int[id].hops = 0
	s.transmit(0, &s.ports[0], id, pk)
	if s.step(never); s.int[id].hops != 1 {
		t.Errorf("%d hops", s.int[id].hops)
	}
}

// Of packets behind one another whose first bytes come at 1 us, and 83.84 ns later each, those have begun to come in by a
// time whose first byte is before it, or at it if the byte's place among the events of that time has passed. The rest is
// on the link, as if it had never been taken off.
func TestWhichFirstBytesHaveCome(t *testing.T) {
	place := fixedPlace(arrival(1))
	for _, c := range []struct {
		now    int64
		order  uint64
		counts units.Cells // packets
	}{
		{999_999, place + 1, 0}, {1_000_000, place - 1, 0}, {1_000_000, place, 1}, {1_000_000, place + 1, 1}, {1_000_001, 0, 1}, {1_000_000 + fullPacket - 1, place, 1},
		{1_000_000 + fullPacket, place - 1, 1}, {1_000_000 + fullPacket, place, 2}, {1_000_000 + 2*fullPacket, place, 3}, {1_000_000 + 3*fullPacket, 0, 3},
	} {
		s := laid(t, chipPair(500_000, 3000, nil))
		s.agenda, s.events = agenda{}, newEventQueue(maxSlotBits, false)
		var ids []packetID
		for i := range 3 {
			s.now = int64(i) * fullPacket
			id, pk := s.come(packet{label: 3})
			s.transmit(0, &s.ports[0], id, pk)
			ids = append(ids, id)
		}
		s.now, s.order = c.now, c.order
		b := s.silicon[2]
		s.disturb(b)
		if s.held(0, 3) != 262*c.counts || b.quiet.is || b.quiet.until != patience || s.ports[0].intake&peerQuiet != 0 || s.ports[2].intake&peerQuiet != 0 {
			t.Errorf("at %d, place %x: %d cells, %+v", c.now, c.order, s.held(0, 3), b.quiet)
		}
		// When each can leave does not change.
		n := int(c.counts)
		for i, id := range ids {
			if in := s.packets[id].in == 3; in != (i < n) {
				t.Errorf("at %d: packet %d leaves by %d", c.now, i, s.packets[id].in)
			}
		}
		if n < 3 && s.ports[1].flight.head != ids[n] || n == 3 && s.ports[1].flight.head != 0 {
			t.Errorf("at %d: %d is foremost on the link", c.now, s.ports[1].flight.head)
		}
		if n == 0 && s.entrances[1].packets.head != 0 || n > 0 && s.packets[ids[n-1]].next != 0 {
			t.Errorf("at %d: more than %d are in the switch", c.now, n)
		}
		var left []int64
		for s.ports[3].sent < 3*1048 {
			before := s.ports[3].sent
			if !s.step(1 << 40) {
				t.Fatalf("at %d: %d B sent", c.now, s.ports[3].sent)
			}
			if s.ports[3].sent > before {
				left = append(left, s.now)
			}
		}
		want := fmt.Sprint([]int64{1_000_000 + fullPacket + 200_000, 1_000_000 + 2*fullPacket + 200_000, 1_000_000 + 3*fullPacket + 200_000})
		if fmt.Sprint(left) != want || s.held(0, 3) != 0 {
			t.Errorf("disturbed at %d: they leave at %v, want %s", c.now, left, want)
		}
	}
}

// A switch that was disturbed looks whether it is calm again with each 512th first byte, and what is on its links then is
// taken off them.
func TestCalmAgain(t *testing.T) {
	if (&silicon{}).calmedDown() {
		t.Error("a switch that is never quiet")
	}
	s := laid(t, chipPair(500_000, 3000, nil))
	s.agenda, s.events = agenda{}, newEventQueue(maxSlotBits, false)
	b := s.silicon[2]
	if !b.calmedDown() {
		t.Error("a quiet switch")
	}
	s.disturb(b)
	for i := 1; i <= 2*patience; i++ {
		if i == patience { // not empty enough
			for range 600 {
				b.Enqueue(&mmu.Packet{InPort: 0, PG: 3, OutPort: 1, Queue: 3, Bytes: 1048})
			}
		}
		calm := b.calmedDown()
		if calm != (i == 2*patience) {
			t.Fatalf("calm with first byte %d: %v", i, calm)
		}
		if i == patience {
			for range 600 {
				b.Dequeue(&mmu.Packet{InPort: 0, PG: 3, OutPort: 1, Queue: 3, Bytes: 1048})
			}
		}
	}
	// Three packets are on the link when it becomes quiet with the first one.
	b.quiet.is = false
	var ids []packetID
	for i := range 3 {
		s.now = int64(i) * fullPacket
		id, pk := s.come(packet{label: 3})
		s.transmit(0, &s.ports[0], id, pk)
		ids = append(ids, id)
	}
	b.quiet.until = 1
	if s.step(never); s.now != 1_000_000 || !b.quiet.is || s.ports[0].intake&peerQuiet == 0 || s.ports[2].intake&peerQuiet != 0 || s.ports[1].flight.head != 0 {
		t.Errorf("at %d: %+v, %b", s.now, b.quiet, s.ports[0].intake)
	}
	if s.held(0, 3) != 262 || s.packets[ids[0]].in != 3 || s.packets[ids[1]].in != uncounted || s.packets[ids[2]].in != uncounted {
		t.Errorf("%d cells", s.held(0, 3))
	}
	for i := range uint64(3) {
		for s.ports[3].sent <= i*1048 && s.step(1<<40) {
		}
		must.Equalf(t, s.now, int64(1_000_000+(i+1)*fullPacket+200_000), "packet %d leaves at", i)
	}
	// Disturbed again, it counts no packet twice.
	if s.disturb(b); s.held(0, 3) != 0 {
		t.Errorf("%d cells", s.held(0, 3))
	}
	s.now += 10 * fullPacket
	for range 2 {
		id, pk := s.come(packet{label: 3})
		s.transmit(0, &s.ports[0], id, pk)
		s.now += fullPacket
	}
	for s.held(0, 3) == 0 {
		s.step(1 << 40)
	}
	b.quiet.is, s.ports[0].intake = true, peerFirst|peerQuiet
	if s.disturb(b); s.held(0, 3) != 262 {
		t.Errorf("%d cells of one packet", s.held(0, 3))
	}
	for s.step(1 << 40) {
	}
	// A packet with none behind it leaves no event on the link.
	b.quiet.is, s.ports[0].intake = false, peerFirst
	id, pk := s.come(packet{label: 3})
	s.now += 10 * fullPacket
	s.transmit(0, &s.ports[0], id, pk)
	b.quiet.until = 1
	for first := s.now + 1_000_000; s.events.next() < first; {
		s.step(never)
	}
	if s.step(never); !b.quiet.is || s.ports[1].flight.head != 0 || s.entrances[1].packets.head != id {
		t.Errorf("%+v", s.entrances[1])
	}
}

// What a chip cannot be is told with its node.
func TestChipsRefused(t *testing.T) {
	for want, edit := range map[string]func(b *SiliconBuffer){
		"node 2: the switch has more links than its buffer has ports":  func(b *SiliconBuffer) { b.Ports = []int{0} },
		"node 2: the switch has more links than its buffer has ports ": func(b *SiliconBuffer) { b.Ports = []int{0, 2} },
		"": func(b *SiliconBuffer) { b.Ports = []int{0, 1, 9} },
	} {
		_, err := newEngine(chipPair(5000, 3000, edit))
		if want = strings.TrimSpace(want); err == nil != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
