package sim

import (
	"fmt"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// heard is a control that keeps what it was told.
type heard struct {
	echoes  []echo
	pairs   []int32
	started []int32
}

func (k *heard) start(_ *engine, i int32, _ *flow) { k.started = append(k.started, i) }
func (k *heard) acknowledged(_ *engine, i int32, _ *flow, e echo) {
	k.echoes, k.pairs = append(k.echoes, e), append(k.pairs, i)
}

// What an acknowledgement of 60 B that took 5 ps of a link of 100 ps brings to a control.
func TestEchoesByHand(t *testing.T) {
	s, own := &engine{timekeeper: timekeeper{now: 1000}}, &heard{}
	s.ports, s.txTimes = []port{{}, {delay: 100, rateIndex: 1}}, [][]int32{nil, make([]int32, 61)}
	s.txTimes[1][60] = 5
	f := &flow{law: &law{control: own}}
	s.control(1, f, 2, &packet{flow: 7, size: 60, label: 3}, 500)
	s.sent = []int64{0, 1, 22}
	s.control(1, f, 2, &packet{flow: 7, size: 60, label: 3 | ce}, 501)
	s.sent, s.int = nil, make([]telemetry, 3)
	s.control(1, f, 2, &packet{flow: 8, size: 60, label: 3 | ce}, 502)
	s.control(1, &flow{law: &law{}}, 2, &packet{}, 1) // without a control
	want := []echo{{seq: 500}, {seq: 501, marked: true, left: 895, sent: 22}, {seq: 502, marked: true, left: 895, telemetry: &s.int[2]}}
	if !slices.Equal(own.echoes, want) || !slices.Equal(own.pairs, []int32{7, 7, 8}) {
		t.Errorf("%+v, want %+v", own.echoes, want)
	}
}

// A window holds a queue pair back from its last byte on; one that varies is as the rate to the line's, and never nothing.
func TestWindowsByHand(t *testing.T) {
	for _, c := range []struct {
		window      uint64
		varies      bool
		rate        uint64
		acked, next int64
		want        bool
	}{
		{0, false, 100, 0, 1 << 40, false}, {5000, false, 50, 1000, 5999, false}, {5000, false, 50, 1000, 6000, true}, {5000, false, 50, 1000, 6001, true},
		{5000, true, 100, 1000, 5999, false}, {5000, true, 50, 1000, 3499, false}, {5000, true, 50, 1000, 3500, true}, {5000, true, 0, 1000, 1000, false}, {5000, true, 0, 1000, 1001, true}, {0, true, 0, 0, 1 << 40, false},
	} {
		f := &flow{window: c.window, rate: c.rate, lineRate: 100, acked: c.acked, next: c.next, law: &law{ClassControl: ClassControl{VariableWindow: c.varies}}}
		must.Equalf(t, (&engine{}).windowFull(0, f), c.want, "%+v:", c)
	}
}

// The packets of a message of 2,500 B at half of the line's rate: two full ones and the rest, a packet's time at that rate
// apart; unpaced at the line's.
func TestPacketsByHand(t *testing.T) {
	for _, unpaced := range []bool{false, true} {
		sc := leafSpine(1, 2, 0)
		sc.Congestion = Congestion{Algorithm: UseDCQCN, MinRate: 1, DCQCN: paperDCQCN()}
		sc.Congestion.DCQCN.ByteCounter = 10_000
		sc.Transport.Unpaced = unpaced
		sc.Observe = &Observation{}
		sc.flow(0, 1, 2500, 500)
		s := laid(t, sc)
		s.sent, s.int = make([]int64, len(s.packets)), make([]telemetry, len(s.packets))
		for i := range s.int {
			s.int[i].hops = 3
		}
		for s.now < 500 {
			s.step(never)
		}
		f, p := &s.flows[0], &s.ports[0]
		if f.next != 1000 || f.nextSend != 500+83_840 || f.lastSize != 1048 || s.created != 1 || p.busyUntil != 500+83_840 {
			t.Fatalf("%+v", f)
		}
		s.now, f.rate = 100_000, 50e9
		d := &f.law.dcqcn.states[0]
		*d = dcqcnState{active: true, increaseAt: never - 1, decreaseAt: never - 1, alphaAt: never, bytesLeft: 5000}
		f.nextSend = 90_000
		for i, want := range []struct {
			size, last int64 // bytes on the wire
			next       int64
			pace       int64
		}{{1048, 1048, 2000, 2 * 83_840}, {548, 548, 2500, 2 * 43_840}} {
			s.room(packetsPerEvent)
			if len(s.sent) < len(s.packets) {
				t.Fatal("times of packets do not grow with them")
			}
			ready := f.nextSend
			id := s.free[len(s.free)-1]
			s.int[id].hops = 3
			seq := uint32(f.next)
			s.sendData(0, p, 0)
			if pk := s.packets[id]; pk.flow != 0 || pk.kind != dataPacket || pk.label != 3 || int64(pk.size) != want.size || pk.seq != seq || pk.route != f.dataRoute {
				t.Errorf("%+v", pk)
			}
			pace := want.pace
			if unpaced {
				pace /= 2
			}
			if f.next != want.next || int64(f.lastSize) != want.last || f.nextSend != s.now+pace || s.created != int64(i+2) {
				t.Errorf("unpaced %v, packet %d: %+v, %d created", unpaced, i, f, s.created)
			}
			if s.sent[id] != s.now || s.int[id].hops != 0 || s.ready[id] != ready {
				t.Errorf("sent at %d, %d hops, ready at %d, want %d", s.sent[id], s.int[id].hops, s.ready[id], ready)
			}
			s.now += 200_000
		}
		must.Equalf(t, d.bytesLeft, 5000-1048-548, "B until the rate rises:")
	}
}

// With a timer a packet that is sent is waited for, and of those that may be sent again alone the time of each is known; TCP
// has a timer of its own.
func TestPacketsAreWaitedFor(t *testing.T) {
	for _, c := range []struct{ selective, tcp bool }{{false, false}, {true, false}, {true, true}, {false, true}} {
		sc := leafSpine(1, 2, 0)
		sc.Transport.AckTimeout, sc.Transport.Selective, sc.Transport.DirectPlacement = 1, c.selective, c.selective
		sc.flow(0, 1, 3000, 100)
		sc.Flows[0].TCP = c.tcp
		s := laid(t, sc)
		for s.flows[0].next < 1000 {
			s.step(never)
		}
		f := &s.flows[0]
		s.now = 200
		s.sendData(0, &s.ports[0], 0)
		if waits := s.nics[0].timerSet; waits == c.tcp || f.next != 2000 || !c.tcp && f.waitsSince != 100 {
			t.Errorf("%+v: it waits: %v, since %d", c, waits, f.waitsSince)
		}
		if c.selective && !c.tcp && !slices.Equal(s.selective[0].sentAt, []int64{100, 200, 0, 0}) || c.tcp && c.selective && s.selective[0].sentAt[1] != 0 {
			t.Errorf("%+v: sent at %v", c, s.selective[0].sentAt)
		}
		if c.tcp != (f.tcp != nil && f.tcp.due < never) {
			t.Errorf("%+v: %+v", c, f.tcp)
		}
	}
}

// Go-back-N's sender, with 3,000 of 8,000 B acknowledged and 6,000 sent.
func TestGoBackNSends(t *testing.T) {
	for _, c := range []struct {
		name        string
		chunk, seq  int64
		nack        bool
		acked, next int64
	}{
		{"more", 0, 4000, false, 4000, 6000}, {"what is known", 0, 3000, false, 3000, 6000}, {"an old one", 0, 2000, false, 3000, 6000}, {"all that was sent", 0, 6000, false, 6000, 6000},
		{"a loss", 0, 4000, true, 4000, 4000}, {"an old loss", 0, 2000, true, 3000, 3000}, {"one that overtook a loss", 0, 7000, false, 7000, 7000},
		{"a chunk", 2500, 5000, false, 5000, 6000}, {"within a chunk", 2500, 4999, false, 3000, 6000}, {"a loss in a chunk", 4000, 5000, true, 4000, 4000},
	} {
		s := &engine{}
		s.transport = transport{payload: 1000, backToZero: c.chunk > 0, chunk: c.chunk}
		s.messages = []message{{bytes: 8000, end: 8000, next: none}}
		s.flows = []flow{{bytes: 8000, acked: 3000, next: 6000, completeEnd: 8000, sendEnd: 8000}}
		f := &s.flows[0]
		if s.acknowledge(0, f, c.seq, c.nack); f.acked != c.acked || f.next != c.next || f.waitsSince != 0 {
			t.Errorf("%s: %d acknowledged, %d sent, want %d and %d", c.name, f.acked, f.next, c.acked, c.next)
		}
	}
	// With a timer what is heard starts it again, and what is new ends a row of retries.
	for seq, retries := range map[int64]int{4000: 0, 3001: 0, 3000: 2, 1000: 2} {
		s := &engine{timekeeper: timekeeper{now: 70}}
		s.transport.ackTimeout = 10
		f := &flow{bytes: 8000, acked: 3000, next: 6000, completeEnd: 8000, retries: 2}
		if s.acknowledge(0, f, seq, false); f.retries != retries || f.waitsSince != 70 {
			t.Errorf("%d: %d retries, waits since %d", seq, f.retries, f.waitsSince)
		}
	}
}

// pairs lays queue pairs of 1,000 B at a NIC: r is ready, p is paced to 50 or 70 ps, w has no window, c is of a paused class, s has
// sent all, and f is acknowledged too.
func pairs(s *engine, states string) *nic {
	n := &nic{}
	l := &law{}
	s.flows = make([]flow, len(states))
	for i, state := range states {
		f := &s.flows[i]
		*f = flow{bytes: 1000, class: 3, law: l, listed: true}
		switch state {
		case 'p':
			f.nextSend = 50
		case 'P':
			f.nextSend = 70
		case 'n':
			f.nextSend = 40 // now
		case 'w':
			f.bytes, f.next, f.window = 2000, 1000, 1000
		case 'c':
			f.class = 4
		case 's':
			f.next = 1000
		case 'f':
			f.next, f.acked = 1000, 1000
			n.finished++
		}
		n.pairs = append(n.pairs, int32(i))
	}
	return n
}

// Queue pairs take turns from the one behind the last; those that are passed and done are dropped, and the time is that of
// the first whose pace alone holds it back.
func TestTurnsOfQueuePairs(t *testing.T) {
	for _, c := range []struct {
		states string
		last   int
		found  int // index in what is left
		at     int64
		left   []int32
	}{
		{"rrr", 0, 1, never, []int32{0, 1, 2}}, {"rrr", 1, 2, never, []int32{0, 1, 2}}, {"rrr", 2, 0, never, []int32{0, 1, 2}},
		{"rrr", 3, 1, never, []int32{0, 1, 2}}, {"rrr", 4, 2, never, []int32{0, 1, 2}}, {"rrr", 5, 0, never, []int32{0, 1, 2}}, {"rrr", 6, 1, never, []int32{0, 1, 2}}, {"rrr", 10, 2, never, []int32{0, 1, 2}},
		{"r", 0, 0, never, []int32{0}}, {"", 0, -1, never, nil},
		{"rpr", 0, 2, 50, []int32{0, 1, 2}}, {"nps", 2, 0, never, []int32{0, 1, 2}}, {"pP", 0, -1, 50, []int32{0, 1}}, {"Pp", 0, -1, 50, []int32{0, 1}}, {"P", 0, -1, 70, []int32{0}},
		{"wcs", 0, -1, never, []int32{0, 1, 2}}, {"wcp", 0, -1, 50, []int32{0, 1, 2}}, {"wrc", 2, 1, never, []int32{0, 1, 2}}, {"crr", 2, 1, never, []int32{0, 1, 2}},
		{"fff", 0, -1, never, []int32{}}, {"rfr", 0, 1, never, []int32{0, 2}}, {"rff", 0, 0, never, []int32{0}}, {"frf", 2, 0, never, []int32{1}}, {"frf", 0, 1, never, []int32{0, 1, 2}},
		{"sfpfr", 0, 2, 50, []int32{0, 2, 4}}, {"fffr", 3, 0, never, []int32{3}}, {"rfp", 0, 0, 50, []int32{0, 2}},
	} {
		s := &engine{timekeeper: timekeeper{now: 40}}
		n := pairs(s, c.states)
		n.last = c.last
		before := n.finished
		found, at := s.nextPair(n, &port{paused: 1 << 4})
		if found != c.found || at != c.at || !slices.Equal(n.pairs, c.left) || before-n.finished != len(c.states)-len(c.left) {
			t.Errorf("%s after %d: %d at %d, %v; want %d at %d, %v; %d finished", c.states, c.last, found, at, n.pairs, c.found, c.at, c.left, n.finished)
		}
		for i := range s.flows {
			must.Equalf(t, s.flows[i].listed, slices.Contains(n.pairs, int32(i)), "%s: queue pair %d is listed:", c.states, i)
		}
	}
	// ns-3's hosts do not wake for others while a window or a pause holds a pair.
	s := &engine{timekeeper: timekeeper{now: 40, chained: true}}
	if found, at := s.nextPair(pairs(s, "wp"), &port{paused: 1 << 4}); found != -1 || at != 0 {
		t.Errorf("%d at %d", found, at)
	}
	// Where paces may rise, the first rise counts; only of DCQCN that can.
	for repace, want := range map[bool]int64{true: 45, false: 50} {
		s := &engine{timekeeper: timekeeper{now: 40, setAt: never}}
		n := pairs(s, "p")
		l := &law{ClassControl: ClassControl{Congestion: Congestion{DCQCN: DCQCN{Repace: repace, DecreaseInterval: 1000, IncreaseInterval: 1000}}}}
		l.dcqcn = &dcqcnControl{states: []dcqcnState{{active: true, increaseAt: 45, decreaseAt: 900}}}
		s.flows[0].law, s.repaces = l, true
		if found, at := s.nextPair(n, &port{}); found != -1 || at != want {
			t.Errorf("repace %v: %d at %d, want %d", repace, found, at, want)
		}
	}
}

// A host sends its notifications first, then acknowledgements, class by class, then data, then what its generator has; what
// is of a paused class waits.
func TestOrderOfAHost(t *testing.T) {
	host := func(paused uint8) *engine {
		sc := leafSpine(1, 2, 0)
		sc.flow(0, 1, 1000, 0)
		sc.Generators = []Generator{{Host: 0, Frames: []Frame{{At: 10, Dst: 1, Class: 2, Bytes: 100, Count: 1}}}}
		sc.Transport.CNPClass = 6
		sc.Transport.Acks = AcksWithData
		s := laid(t, sc)
		s.ports[0].paused = 0xff
		for s.now < 10 {
			s.step(never)
		}
		s.ports[0].paused = paused
		for _, class := range []uint8{5, 4} {
			id := s.take()
			s.packets[id] = packet{kind: ackPacket, label: label(class), size: 60, route: s.inbound[0].ackRoute}
			s.pushAck(0, id)
		}
		s.sendCNP(&s.inbound[0], &s.nics[0], 0)
		return s
	}
	for _, c := range []struct {
		paused uint8
		want   string
	}{
		{0, "cnp6 ack4 ack5 data3 bare2"}, {1 << 6, "ack4 ack5 data3 bare2"}, {1 << 4, "cnp6 ack5 data3 bare2"}, {1<<4 | 1<<5, "cnp6 data3 bare2"}, {1 << 3, "cnp6 ack4 ack5 bare2"}, {1 << 2, "cnp6 ack4 ack5 data3"}, {0xff, ""},
	} {
		s, got := host(c.paused), ""
		p := &s.ports[0]
		for range 7 {
			s.now = max(s.now, p.busyUntil)
			before := s.ports[1].flight.tail
			s.order = never // behind the end of the last packet
			s.kick(0, p)
			if s.ports[1].flight.head == 0 || s.ports[1].flight.tail == before {
				continue
			}
			pk := &s.packets[s.ports[1].flight.tail]
			got += fmt.Sprintf(" %s%d", map[packetKind]string{dataPacket: "data", bareFrame: "bare", ackPacket: "ack", cnpPacket: "cnp"}[pk.kind], pk.label.class())
		}
		if got != "" && got[1:] != c.want || got == "" && c.want != "" {
			t.Errorf("paused %08b:%s, want %s", c.paused, got, c.want)
		}
		if s.nics[0].acking != c.paused&(1<<4|1<<5) {
			t.Errorf("paused %08b: acknowledgements of %08b are left", c.paused, s.nics[0].acking)
		}
	}
	// A port that is down sends nothing; a PFC frame goes before all else, whatever is paused.
	s := host(0)
	s.ports[0].trouble = down
	if s.hostSend(0, &s.ports[0]); s.hops != 0 || s.ports[0].sent != 0 {
		t.Error("sent without a link")
	}
	s = host(0xff)
	s.sendPFC(0, &s.ports[0], 3, pauseFrame)
	if id := s.ports[1].flight.head; id == 0 || s.packets[id].kind != pauseFrame {
		t.Error("no pause is sent")
	}
}

// A host that waits for a pace looks again then, and sooner if the pace rises.
func TestHostWakes(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	sc.flow(0, 1, 3000, 0)
	s := laid(t, sc)
	f, p := &s.flows[0], &s.ports[0]
	n := &s.nics[p.nic]
	s.wakeEarlier(0, n, 5) // nothing is pending
	if n.wakePending {
		t.Error("it wakes")
	}
	for f.next == 0 {
		s.step(never)
	}
	f.rate, f.nextSend = 10e9, 838_400
	for s.now < 83_840 { // the end of the first packet
		s.step(never)
	}
	if !n.wakePending || n.wakeAt != 838_400 || n.wakeSetAt != 83_840 || n.waitsUntil != 838_400 || f.next != 1000 {
		t.Fatalf("%+v", n)
	}
	if s.wakeEarlier(0, n, 838_400); n.wakeAt != 838_400 || n.wakeSetAt != 83_840 {
		t.Errorf("%+v", n)
	}
	s.now = 90_000
	if s.changeRate(f, 20e9); f.rate != 20e9 || f.nextSend != 419_200 || n.wakeAt != 419_200 || n.wakeSetAt != 90_000 || !n.wakePending {
		t.Errorf("%+v, %+v", n, f)
	}
	if s.changeRate(f, 10e9); f.nextSend != 838_400 || n.wakeAt != 419_200 { // it looks too early then
		t.Errorf("%+v", n)
	}
	s.changeRate(f, 20e9)
	if s.wakeEarlier(0, n, 70_000); n.wakeAt != 90_000 { // not before now
		t.Errorf("%+v", n)
	}
	s.events.remove(wake(0), 90_000)
	s.scheduleWake(0, n, 419_200)
	for f.next == 1000 && s.step(never) {
	}
	if s.now != 419_200 || s.setAt != never || f.nextSend != s.now+419_200 {
		t.Errorf("sent at %d: %+v", s.now, f)
	}
}

// A host that is woken earlier is not woken twice: packets of 838,400 ps become four times as fast.
func TestHostWakesOnce(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	sc.flow(0, 1, 3000, 0)
	s := laid(t, sc)
	f := &s.flows[0]
	for f.next == 0 {
		s.step(never)
	}
	f.rate, f.nextSend = 10e9, 838_400
	for s.now < 83_840 {
		s.step(never)
	}
	s.changeRate(f, 40e9)
	var sent []int64
	for before := f.next; s.step(never); before = f.next {
		if f.next > before {
			sent = append(sent, s.now)
		}
		if s.now == 838_400 {
			t.Error("the host is woken when it was to be at first")
		}
	}
	if !slices.Equal(sent, []int64{209_600, 419_200}) {
		t.Errorf("sent at %v", sent)
	}
}

// A generator's frames go in their order, each run as often as it says, no earlier than at its time; one that is paused holds
// those behind it.
func TestGeneratorByHand(t *testing.T) {
	sc := leafSpine(1, 3, 0)
	sc.Generators = []Generator{{Host: 1, Frames: []Frame{
		{At: 1000, Dst: 0, Class: 3, Bytes: 1048, Count: 2}, {At: 1000, Dst: 2, Class: 4, Bytes: 500, Count: 1}, {At: 900_000, Dst: 0, Class: 3, Bytes: 1, Count: 1},
	}}}
	s := laid(t, sc)
	const host = 2 // its port
	p, g := &s.ports[host], s.nics[s.ports[host].nic].generator
	if g == nil || len(g.routes) != 3 || g.routes[0] != g.routes[2] || g.routes[0] == g.routes[1] || s.routes[g.routes[0]] != 1 || s.routes[g.routes[1]] != 5 {
		t.Fatalf("%+v", g)
	}
	var sent []int64 // when it begins to send
	p.paused = 1 << 4
	for before := int64(0); s.step(never); before = s.hops {
		if s.hops > before && p.busyUntil > s.now && len(sent) < int(s.created) {
			sent = append(sent, s.now)
		}
		if s.now > 500_000 && p.paused != 0 {
			t.Fatal("too late")
		}
		if s.created == 2 && p.paused != 0 {
			if at, ok := s.generate(host, p, g); at != never || ok || g.next != 1 || g.sent != 0 {
				t.Errorf("paused until %d", at)
			}
			p.paused = 0
		}
	}
	if !slices.Equal(sent, []int64{1000, 84_840, 168_680, 900_000}) || s.delivered != 4 || s.created != 4 || g.next != 3 {
		t.Errorf("sent at %v, %d of %d came", sent, s.delivered, s.created)
	}
	if at, ok := s.generate(host, p, g); at != never || ok {
		t.Errorf("more at %d", at)
	}
	for _, c := range []struct {
		f  Frame
		ok bool
	}{
		{Frame{Dst: 1, Bytes: 1, Count: 1}, true}, {Frame{Dst: 1, Bytes: 1048, Count: 1, Class: 7}, true}, {Frame{Dst: 1, Bytes: 1049, Count: 1}, false}, {Frame{Dst: 1, Bytes: 0, Count: 1}, false}, {Frame{Dst: 1, Bytes: 1, Count: 0}, false},
		{Frame{Dst: 1, Bytes: 1, Count: 1, Class: 8}, false}, {Frame{Dst: 1, Bytes: 1, Count: 1, At: -1}, false}, {Frame{Dst: 0, Bytes: 1, Count: 1}, false}, {Frame{Dst: 3, Bytes: 1, Count: 1}, false}, {Frame{Dst: -1, Bytes: 1, Count: 1}, false}, {Frame{Dst: 4, Bytes: 1, Count: 1}, false},
	} {
		sc := leafSpine(1, 3, 0)
		generate(sc, c.f)
		if _, err := newEngine(sc); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.f, err)
		}
	}
	for _, g := range []Generator{{Host: 3, Frames: make([]Frame, 1)}, {Host: 0}} {
		sc := leafSpine(1, 3, 0)
		if sc.Generators = []Generator{g}; sc.Generators[0].Frames != nil {
			sc.Generators[0].Frames[0] = Frame{Dst: 1, Bytes: 1, Count: 1}
		}
		if _, err := newEngine(sc); err == nil {
			t.Errorf("%+v is taken", g)
		}
	}
	sc = leafSpine(2, 1, 0)
	generate(sc, Frame{Dst: 1, Bytes: 1, Count: 1})
	if _, err := newEngine(sc); err == nil || err.Error() != "no path from node 0 to node 1" {
		t.Errorf("%v", err)
	}
}

// With RDMA's timer: a host waits from the first packet that nobody has acknowledged, looks after the timeout, and sends from
// there again, so often; then the queue pair has failed.
func TestTimerByHand(t *testing.T) {
	sc := leafSpine(1, 3, 0)
	sc.Transport.AckTimeout, sc.Transport.Retries = 1000, 2
	sc.flow(0, 1, 5000, 0)
	sc.flow(0, 2, 5000, 0)
	sc.flow(0, 2, 5000, 0)
	sc.Flows[2].TCP = true
	s := laid(t, sc)
	for s.flows[2].last == none {
		s.step(never)
	}
	p, n := &s.ports[0], &s.nics[s.ports[0].nic]
	f, g, own := &s.flows[0], &s.flows[1], &s.flows[2]
	planned := func() (at int64) {
		for i := range s.agenda.tasks {
			if task := s.agenda.tasks[i]; task.id&(1<<taskBits-1) == taskTimeout {
				at = task.at
			}
		}
		return at
	}
	s.now, p.busyUntil = 10_000, 1<<40
	f.acked, f.next, f.waitsSince = 1000, 3000, 9000
	g.acked, g.next, g.waitsSince = 0, 2000, 9500
	own.acked, own.next, own.waitsSince = 0, 2000, 0
	s.agenda.tasks = s.agenda.tasks[:0]
	n.waitsUntil = 7
	s.timeout(0)
	if f.next != 1000 || f.retries != 1 || f.waitsSince != 10_000 || g.next != 2000 || g.retries != 0 || own.next != 2000 || s.timeouts != 1 || n.waitsUntil != 0 {
		t.Errorf("%+v, %+v", f, g)
	}
	if !n.timerSet || planned() != 10_500 { // the other queue pair's
		t.Errorf("it looks again at %d", planned())
	}
	// What waits for nothing sets no time; a time that is over is looked at the next instant.
	s.agenda.tasks = s.agenda.tasks[:0]
	g.next, g.acked, f.next, f.acked = 2000, 2000, 3000, 3000
	if s.timeout(0); n.timerSet || planned() != 0 {
		t.Errorf("it looks at %d", planned())
	}
	f.next, f.waitsSince, f.retries = 4000, 9001, 1
	if s.timeout(0); !n.timerSet || planned() != 10_001 || f.retries != 1 {
		t.Errorf("it looks at %d: %+v", planned(), f)
	}
	f.waitsSince = 9000
	if s.timeout(0); f.retries != 2 || f.next != 3000 || f.failed {
		t.Errorf("%+v", f)
	}
	f.next, f.waitsSince = 4000, 9000
	finished := n.finished
	if s.timeout(0); !f.failed || !f.done() || s.failed != 1 || !s.messages[0].failed || n.finished != finished+1 || f.completing != none || f.completeEnd != never || s.timeouts != 2 {
		t.Errorf("%+v, %d failed", f, s.failed)
	}
	if there := &s.inbound[0]; there.expected != 5000 || there.receiving != none || there.receiveEnd != never {
		t.Errorf("%+v", there)
	}
	if s.post(0); s.failed != 1 { // it has failed already
		t.Errorf("%d failed", s.failed)
	}
	// A packet that is sent behind others does not start the time again, and one look is enough.
	one := &flow{next: 500, acked: 500, waitsSince: 3}
	n.timerSet = false
	s.agenda.tasks = s.agenda.tasks[:0]
	if s.awaitAck(0, p, one); one.waitsSince != 10_000 || !n.timerSet || planned() != 11_000 {
		t.Errorf("%+v, looks at %d", one, planned())
	}
	one.next, s.now = 600, 10_400
	if s.awaitAck(0, p, one); one.waitsSince != 10_000 || len(s.agenda.tasks) != 1 {
		t.Errorf("%+v, %d looks", one, len(s.agenda.tasks))
	}
}

// A queue pair that sends selectively goes from the first missing packet to the next one that is lost, and then on where it was.
func TestSelectiveByHand(t *testing.T) {
	s := &engine{timekeeper: timekeeper{now: 1000}}
	s.transport = transport{payload: 1000, ackTimeout: 100}
	s.messages = []message{{bytes: 9500, end: 9500, next: none}}
	s.flows = []flow{{bytes: 9500, next: 8000, completeEnd: 9500, sendEnd: 9500, retries: 3, waitsSince: 7}}
	s.selective = []selective{{confirmed: make([]uint64, 1), sentAt: []int64{10, 20, 30, 901, 40, 900, 60, 70, 0, 0}}}
	f, q := &s.flows[0], &s.selective[0]
	if s.confirm(0, f, 2000) != 0 || f.retries != 3 || f.waitsSince != 7 || !q.has(2) || q.has(1) || q.has(3) {
		t.Errorf("%+v, %+v", f, q)
	}
	if got := s.confirm(0, f, 0); got != 1000 || f.retries != 0 || f.waitsSince != 20 {
		t.Errorf("%d: %+v", got, f)
	}
	f.acked = 1000
	if got := s.confirm(0, f, 1000); got != 3000 || f.waitsSince != 901 { // the third had come
		t.Errorf("%d: %+v", got, f)
	}
	f.acked = 1000 // packets 1, 3 to 7 are missing
	q.confirmed[0] = 1 | 1<<2
	if s.skip(0, f); f.next != 8000 {
		t.Errorf("skips to %d", f.next)
	}
	if s.sendMissing(0, f); !q.sendingAgain || q.resume != 8000 || q.lostAt != 900 || f.next != 1000 {
		t.Errorf("%+v, %+v", f, q)
	}
	for _, want := range []int64{1000, 4000, 5000, 6000, 7000, 8000, 9000} { // 2 has come, 3 was sent after 900
		s.skip(0, f)
		must.Equalf(t, f.next, want, "sends")
		must.Equalf(t, q.sendingAgain, want < 8000, "at %d sends again:", want)
		f.next += 1000
	}
	f.next = 3000 // while it sends again, another timeout keeps where it was
	q.sendingAgain, q.resume = true, 9000
	if s.now = 1100; true {
		s.sendMissing(0, f)
	}
	if q.resume != 9000 || q.lostAt != 1000 || f.next != 1000 {
		t.Errorf("%+v, %+v", f, q)
	}
	// A retry sends what is missing, and not all behind it.
	s.transport.retries, f.retries, q.sendingAgain, f.next = 7, 0, false, 8000
	if s.retry(0, f); !q.sendingAgain || q.resume != 8000 || f.retries != 1 || s.timeouts != 1 || f.waitsSince != 1100 {
		t.Errorf("%+v, %+v", f, q)
	}
	// The last packet is short.
	f.acked, q.confirmed[0] = 9000, 1<<9-1
	f.waitsSince = 5
	if got := s.confirm(0, f, 9000); got != 9500 || f.waitsSince != 5 {
		t.Errorf("%d: %+v", got, f)
	}
}

// A host at half the rate of its link has one event for each packet that it sends: 10 packets are 9 times that the pace
// lets it send, 40 arrivals, the message's post, and the end of the last transmission, behind which it may have to send
// what was lost. That the end of each other one would find nothing to send is known when it begins.
func TestPacedHostSleeps(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	sc.flow(0, 1, 10_000, 0)
	s := laid(t, sc)
	s.flows[0].rate = s.flows[0].lineRate / 2
	for s.step(never) {
	}
	const packet, line = 83_840, 2_000_000 // ps: 1,048 B at 100 Gb/s; two links
	must.Equalf(t, s.handled, int64(1+9+40+1), "events:")
	if m := s.messages[0]; m.delivered != 9*2*packet+2*packet+line {
		t.Errorf("delivered at %d ps, want %d", m.delivered, 9*2*packet+2*packet+line)
	}
}
