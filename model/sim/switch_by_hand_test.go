package sim

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// laid is a run before its first event.
func laid(t testing.TB, sc *Scenario) *engine {
	t.Helper()
	s := must.Get(newEngine(sc))(t)
	s.room(64)
	return s
}

// pairOfHosts is a switch, node 2, between hosts 0 and 1: ports 0 and 2 are theirs, 1 and 3 the switch's. 1,048 B last
// 83.84 ns on its links of 100 Gb/s.
func pairOfHosts() *Scenario {
	sc := leafSpine(1, 2, 0)
	sc.ECN = nil
	sc.flow(0, 1, 1000, units.Second)
	return sc
}

const fullPacket = 83_840 // ps

// come makes a packet on the way of the first queue pair.
func (s *engine) come(own packet) (packetID, *packet) {
	s.room(1)
	id := s.take()
	s.created++
	if own.size == 0 {
		own.size = uint16(1000 + s.transport.dataHeader)
	}
	if own.route == 0 {
		own.route = s.flows[0].dataRoute
	}
	s.packets[id] = own
	return id, &s.packets[id]
}

// A packet goes straight through a switch if its port is idle, nothing waits or is stopped there, and its buffer would
// neither pause nor resume for its sake. What happens at the port that it came by matters only as far as that pauses.
func TestStraightThrough(t *testing.T) {
	idle := func(*engine, *port, *port) {}
	for name, c := range map[string]struct {
		edit func(s *engine, from, to *port)
		want bool
	}{
		"idle":                          {idle, true},
		"a packet waits":                {func(_ *engine, _, to *port) { to.waiting = 1 << 5 }, false},
		"a class is paused":             {func(_ *engine, _, to *port) { to.paused = 1 << 5 }, false},
		"a class will be":               {func(_ *engine, _, to *port) { to.obeying = 1 << 5 }, false},
		"it pauses":                     {func(_ *engine, from, _ *port) { from.pausing = 1 << 5 }, false},
		"its way out is in trouble":     {func(_ *engine, _, to *port) { to.trouble = cnpless }, false},
		"a packet waits for the sender": {func(_ *engine, from, _ *port) { from.waiting = 1 << 3 }, true},
		"the sender's way back is slow": {func(_ *engine, from, _ *port) { from.paused, from.trouble = 1<<3, faulty }, true},
		"the receiver is paused":        {func(_ *engine, _, to *port) { to.pausing = 1 << 3 }, true},
		"busy":                          {func(s *engine, _, to *port) { to.busyUntil = s.now + 1 }, false},
		"busy until now":                {func(s *engine, _, to *port) { to.busyUntil, to.txOrder = s.now, s.order+1 }, false},
		"busy until just now":           {func(s *engine, _, to *port) { to.busyUntil, to.txOrder = s.now, s.order }, true},
		"averages":                      {func(s *engine, _, _ *port) { s.averages = make([]average, 1) }, false},
		"limits":                        {func(s *engine, _, _ *port) { s.shapers = &shapers{} }, false},
		"headroom in use":               {func(s *engine, _, _ *port) { s.usage(1, 3).headroom = 1 }, false},
		"headroom of another port":      {func(s *engine, _, _ *port) { s.usage(3, 3).headroom, s.usage(1, 4).headroom = 1, 1 }, true},
	} {
		s := laid(t, pairOfHosts())
		s.now, s.order, s.peakQueue = 1000, 7, 5
		from, to := &s.ports[1], &s.ports[3]
		to.last = 6
		c.edit(s, from, to)
		pk := &packet{size: 1048}
		must.Equalf(t, s.passes(1, from, to, 3, pk), c.want, "%s:", name)
		last, peak := uint8(6), uint32(5)
		if c.want {
			last, peak = 3, 1048
		}
		if to.last != last || s.peakQueue != peak {
			t.Errorf("%s: served class %d last, a queue of %d B", name, to.last, s.peakQueue)
		}
		if s.passes(1, from, to, 0, pk) {
			t.Errorf("%s: a frame of class 0 passes", name)
		}
	}
	s := laid(t, pairOfHosts())
	s.peakQueue = 5000
	if s.passes(1, &s.ports[1], &s.ports[3], 3, &packet{size: 1048}); s.peakQueue != 5000 {
		t.Errorf("the longest queue was %d B", s.peakQueue)
	}
}

// What becomes of a packet that a switch has received, and what is counted of it: it goes on at once, or it waits, or it
// is discarded for want of a way, of a link or of buffer.
func TestReceivedBySwitch(t *testing.T) {
	sent := func(s *engine) bool { return s.ports[3].sent == 1048 && s.ports[3].busyUntil == 500+fullPacket }
	for name, c := range map[string]struct {
		class  uint8
		edit   func(s *engine, to *port)
		went   bool
		queued uint32
		peak   uint32
		want   counters
	}{
		"it passes":            {3, func(*engine, *port) {}, true, 0, 1048, counters{hops: 1}},
		"its turn":             {3, func(s *engine, _ *port) { s.ports[1].pausing = 1 << 4 }, true, 0, 1048, counters{hops: 1}},
		"class 0":              {0, func(*engine, *port) {}, true, 0, 0, counters{hops: 1}},
		"it waits":             {3, func(_ *engine, to *port) { to.busyUntil = 501 }, false, 1048, 1048, counters{}},
		"no way":               {3, func(s *engine, _ *port) { s.routes[s.flows[0].dataRoute] = -1 }, false, 0, 0, counters{unrouted: 1}},
		"port 0":               {3, func(s *engine, _ *port) { s.routes[s.flows[0].dataRoute] = 0 }, false, 0, 1048, counters{hops: 1}},
		"no link":              {3, func(_ *engine, to *port) { to.trouble = down }, false, 0, 0, counters{unrouted: 1}},
		"deaf":                 {3, func(_ *engine, to *port) { to.trouble = deaf }, true, 0, 1048, counters{hops: 1}},
		"no buffer":            {3, func(s *engine, _ *port) { s.pools[2].size, s.headrooms[1] = 0, 0; s.pools[2].reserve = 0 }, false, 0, 0, counters{dropped: 1}},
		"no place for class 0": {0, func(s *engine, _ *port) { s.pools[2].size, s.headrooms[1] = 0, 0; s.pools[2].reserve = 0 }, true, 0, 0, counters{hops: 1}},
	} {
		s := laid(t, pairOfHosts())
		s.now = 500
		c.edit(s, &s.ports[3])
		id, pk := s.come(packet{label: label(c.class)})
		before := len(s.free)
		s.switchReceive(1, &s.ports[1], id, pk)
		got := counters{dropped: s.dropped, unrouted: s.unrouted, hops: s.hops}
		if got != c.want || sent(s) != c.went || s.queue(3, c.class).bytes != c.queued || s.peakQueue != c.peak {
			t.Errorf("%s: %+v, sent %v, %d B wait, at most %d", name, got, sent(s), s.queue(3, c.class).bytes, s.peakQueue)
		}
		must.Equalf(t, len(s.free)-before, int(c.want.dropped+c.want.unrouted), "%s: packets are free again:", name)
		if c.queued > 0 && (pk.in != 1 || !s.ports[3].txPending) {
			t.Errorf("%s: it came in by %d, %+v", name, pk.in, s.ports[3])
		}
	}
}

// A class is paused with the packet that brings it over its threshold, once, and resumed once. Its headroom that is in
// use is counted.
func TestPausesOnce(t *testing.T) {
	sc := pairOfHosts()
	s := laid(t, sc)
	s.pools[2] = hpccPool{size: 8000, reserve: 1000}
	from := &s.ports[1]
	from.shift = 1 // half of what is free
	s.headrooms[1] = 2000
	// 1,000 B of reserve, then 1,048, 2,096 and 3,144 B less that against halves of what is left.
	for i, c := range []struct {
		paused   uint8
		pauses   int64
		headroom uint32
	}{
		{0, 0, 0},         // 48 of 3,976
		{0, 0, 0},         // 1,096 of 3,452
		{0, 0, 0},         // 2,144 of 2,928
		{1 << 3, 1, 1048}, // 3,192 would be more than 2,928: headroom
		{1 << 3, 1, 2096}, // and again, though it is more than 2,000 B
	} {
		_, pk := s.come(packet{label: 3})
		if i == 4 {
			s.headrooms[1] = 2096
		}
		if !s.admit(1, from, 3, pk) || from.pausing != c.paused || s.pauses != c.pauses || s.peakHeadroom != c.headroom {
			t.Errorf("packet %d: pausing %08b, %d pauses, headroom %d", i, from.pausing, s.pauses, s.peakHeadroom)
		}
	}
	_, pk := s.come(packet{label: 3})
	if s.admit(1, from, 3, pk) || s.peakHeadroom != 2096 {
		t.Error("a packet is taken beyond the headroom")
	}
	if !s.admit(1, from, 0, pk) || *s.usage(1, 0) != (usage{}) {
		t.Error("class 0 is charged")
	}
	// Only what was paused is resumed: with nothing in headroom, and no more shared than allowed.
	pk.in = 1
	for range 2 {
		if s.release(3, 2, 3, pk); from.pausing != 1<<3 && s.usage(1, 3).headroom > 0 {
			t.Errorf("resumed with %+v", *s.usage(1, 3))
		}
	}
	if from.pausing != 0 || s.usage(1, 3).headroom != 0 {
		t.Errorf("%08b, %+v", from.pausing, *s.usage(1, 3))
	}
	sent := s.ports[1].sent
	if s.release(3, 2, 3, pk); s.ports[1].sent != sent {
		t.Error("it is resumed again")
	}
	if s.release(3, 2, 0, pk); s.usage(1, 3).ingress != 3144-1048 {
		t.Errorf("%+v", *s.usage(1, 3))
	}
}

// A packet that leaves is marked by its queue: data that is not TCP's carries the mark, a bare frame only counts.
func TestMarksOnLeaving(t *testing.T) {
	for name, c := range map[string]struct {
		kind      packetKind
		tcp, chip bool
		class     uint8
		waits     uint32
		counted   int64
		marked    bool
	}{
		"data":              {dataPacket, false, false, 3, 101, 1, true},
		"at the bound":      {dataPacket, false, false, 3, 100, 0, false},
		"an ACK":            {ackPacket, false, false, 3, 101, 1, false},
		"a bare frame":      {bareFrame, true, false, 3, 101, 1, false},
		"TCP":               {dataPacket, true, false, 3, 101, 0, false},
		"class 0":           {dataPacket, false, false, 0, 101, 0, false},
		"class 0 of a chip": {dataPacket, false, true, 0, 101, 1, true},
	} {
		sc := pairOfHosts()
		if c.chip {
			sc.Silicon = []*SiliconBuffer{2: chipBuffer(2, 5000, 3000, -1)}
		}
		sc.ECN = []ECN{{Rate: 100 * units.Gbps, KMin: 100, KMax: 100, PMax: 1}}
		s := laid(t, sc)
		s.seen = &observer{ports: make([]portCounts, 4)}
		s.counts = &counting{Counted: Counted{Ports: make([]CountedPort, 4)}, chips: make([]*mmu.Config, 3)}
		if c.chip {
			s.counts.chips[2] = sc.Silicon[2].Config
		}
		if c.tcp {
			s.flows[0].tcp = &tcp{}
		}
		_, pk := s.come(packet{kind: c.kind, label: label(c.class), in: 1})
		if c.chip {
			s.counts.Pools = [][]units.Bytes{2: {0}}
			s.admitSilicon(s.silicon[2], 1, 3, &s.ports[1], c.class, pk)
		} else {
			s.admit(1, &s.ports[1], c.class, pk)
		}
		s.queue(3, c.class).bytes = c.waits
		s.leave(3, 2, c.class, pk)
		k := s.counts.Ports[3].Classes[c.class].Marked
		if s.marks != c.counted || s.seen.ports[3].marks != c.counted || k != c.counted || pk.label&ce != 0 != c.marked {
			t.Errorf("%s: %d marks, %d at the port, %d of the class, marked %v", name, s.marks, s.seen.ports[3].marks, k, pk.label&ce != 0)
		}
		if s.counts = nil; s.seen.ports[1].marks != 0 {
			t.Errorf("%s: marks at the other port", name)
		}
		if s.seen = nil; true { // nobody asks
			s.countMark(3, 3)
		}
	}
}

// Telemetry is written on data of a class that HPCC controls, and on nothing else.
func TestStamps(t *testing.T) {
	sc := pairOfHosts()
	sc.Classes[3] = &ClassControl{Congestion: Congestion{Algorithm: UseHPCC, MinRate: 1, HPCC: HPCC{UnitScale: 1}}, Window: PathBDP}
	s := laid(t, sc)
	for i, c := range []struct {
		kind  packetKind
		class uint8
		hops  uint8
	}{{dataPacket, 3, 1}, {ackPacket, 3, 0}, {bareFrame, 3, 0}, {dataPacket, 4, 0}} {
		id, pk := s.come(packet{kind: c.kind, label: label(c.class)})
		s.int[id].hops = 0
		if s.stamp(3, &s.ports[3], id, pk); s.int[id].hops != c.hops {
			t.Errorf("packet %d: %d hops", i, s.int[id].hops)
		}
		if c.hops > 0 && s.int[id].port[0] != 3 {
			t.Errorf("by port %d", s.int[id].port[0])
		}
	}
	id, pk := s.come(packet{label: 3})
	s.int[id].hops = 0
	s.usage(1, 3).ingress = 0
	if s.switchReceive(1, &s.ports[1], id, pk); s.ports[3].sent != 1090 || s.int[id].hops != 1 { // with 42 B of telemetry
		t.Errorf("straight through: %d B sent, %d hops", s.ports[3].sent, s.int[id].hops)
	}
	plain := laid(t, pairOfHosts())
	id, pk = plain.come(packet{label: 3})
	plain.stamp(3, &plain.ports[3], id, pk) // there is no room for it
}

// A port that is down or paused sends nothing; one that sends and has more wakes at the end of the transmission, at its
// place among the events of that time.
func TestSwitchSends(t *testing.T) {
	for name, c := range map[string]struct {
		edit    func(p *port)
		packets int
		sent    uint64
		pending bool
	}{
		"one":              {func(*port) {}, 1, 1048, false},
		"two":              {func(*port) {}, 2, 1048, true},
		"down":             {func(p *port) { p.trouble = down }, 1, 0, false},
		"paused":           {func(p *port) { p.paused = 1 << 3 }, 1, 0, false},
		"paused elsewhere": {func(p *port) { p.paused = 1 << 4 }, 1, 1048, false},
		"to be paused":     {func(p *port) { p.obeying = 1 << 3 }, 1, 0, false},
	} {
		s := laid(t, pairOfHosts())
		s.now = 500
		p := &s.ports[3]
		for range c.packets {
			id, _ := s.come(packet{label: 3, in: 1})
			s.enqueue(3, p, 3, id)
		}
		s.usage(1, 3).ingress = uint32(c.packets) * 1048
		c.edit(p)
		s.switchSend(3, p)
		if p.sent != c.sent || p.txPending != c.pending {
			t.Errorf("%s: %d B sent, to be called again: %v", name, p.sent, p.txPending)
		}
		if left := uint32(c.packets)*1048 - uint32(c.sent); s.usage(1, 3).ingress != left || s.queue(3, 3).bytes != left {
			t.Errorf("%s: %d B held", name, s.usage(1, 3).ingress)
		}
	}
	// What a shaper is told of: 1,048 B last 8.384 us at 1 Gb/s; it makes up for no more than what has passed.
	sc := pairOfHosts()
	sc.Links[1].Egress[1] = &Egress{MaxRate: [classes]units.BitRate{3: units.Gbps}}
	s := laid(t, sc)
	s.now = 500
	id, _ := s.come(packet{label: 3, in: 1})
	s.enqueue(3, &s.ports[3], 3, id)
	s.usage(1, 3).ingress = 1048
	if s.switchSend(3, &s.ports[3]); s.shapers.of(3, 3).next != 8_384_000 {
		t.Errorf("the next one at %d", s.shapers.of(3, 3).next)
	}
}
