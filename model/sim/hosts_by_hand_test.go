package sim

import (
	"math"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// A receiver tells of congestion at most once in 50 ps, of each queue pair or of all of a port's; marks in between are taken
// off. A packet of its own takes the mark with it.
func TestNotificationsByHand(t *testing.T) {
	for name, c := range map[string]struct {
		perPort, packets bool
		told             []int64 // times of the queue pairs, of 100, 120 and 149 to 151 ps of each
	}{
		"echoes of each":  {false, false, []int64{100, 150, 100, 150}},
		"echoes of all":   {true, false, []int64{100, 150}},
		"packets of each": {false, true, []int64{100, 150, 100, 150}},
	} {
		s := &engine{}
		s.transport = transport{cnpInterval: 50, cnpPerPort: c.perPort, cnpClass: 6, wire: wire{cnpSize: 78}}
		for class := range s.laws {
			s.laws[class] = &law{notices: c.packets && class == 3}
		}
		s.seen = &observer{ports: make([]portCounts, 2)}
		s.counts = &counting{Counted: Counted{Ports: make([]CountedPort, 2)}}
		s.room(20)
		pairs, n := [2]inbound{{ackRoute: 7}, {ackRoute: 9}}, &nic{}
		told := [2][]int64{}
		for _, now := range []int64{100, 120, 149, 150, 151, 199} {
			for pair := range pairs {
				pk := &packet{label: label(3) | ce, flow: int32(pair)}
				before := s.cnps
				s.now = now
				s.notify(1, &pairs[pair], n, pk)
				if s.cnps > before {
					told[pair] = append(told[pair], now)
				}
				if echoed := pk.label == label(3)|ce; echoed != (s.cnps > before && !c.packets) || !echoed && pk.label != label(3) {
					t.Errorf("%s: a mark at %d ps becomes %x", name, now, pk.label)
				}
				if id := n.cnps.head; c.packets && s.cnps > before {
					want := packet{flow: int32(pair), route: []int32{7, 9}[pair], kind: cnpPacket, label: 6, size: 78}
					if n.cnps.pop(s.packets) != id || id == 0 || s.packets[id] != want || n.cnps.head != 0 {
						t.Errorf("%s: %+v, want %+v", name, s.packets[id], want)
					}
				}
			}
		}
		all := append(told[0], told[1]...)
		packets := int64(0)
		if c.packets {
			packets = int64(len(all))
		}
		if len(all) != len(c.told) || all[0] != 100 || all[1] != 150 || s.cnps != int64(len(all)) || s.seen.ports[1].cnps != s.cnps || s.seen.ports[0].cnps != 0 ||
			s.created != packets || s.counts.Ports[1].CNPsSent != packets || s.counts.Ports[0].CNPsSent != 0 {
			t.Errorf("%s: told at %v, want %v; %d packets, %+v", name, all, c.told, s.created, s.seen.ports)
		}
	}
}

// A notification begins DCQCN at its queue pair, unless that has nothing more to send; either way the packet is over.
func TestNotificationsArrive(t *testing.T) {
	for _, done := range []bool{false, true} {
		s := &engine{timekeeper: timekeeper{now: 5000}}
		l := &law{ClassControl: ClassControl{Congestion: Congestion{Algorithm: UseDCQCN, DCQCN: DCQCN{AlphaInterval: 10, DecreaseInterval: 20}}}}
		l.make(s, 2)
		s.flows = []flow{{}, {law: l, bytes: 100, rate: 7}}
		if done {
			s.flows[1].acked = 100
		}
		s.ports, s.txTimes = []port{{}, {delay: 100}}, [][]int32{make([]int32, 100)}
		s.counts = &counting{Counted: Counted{Ports: make([]CountedPort, 2)}}
		s.room(3)
		free := len(s.free)
		id := s.take()
		s.packets[id] = packet{flow: 1, kind: cnpPacket, size: 78}
		s.receiveCNP(1, id, &s.packets[id])
		handled, ignored := int64(1), int64(0)
		if done {
			handled, ignored = 0, 1
		}
		if d := &l.dcqcn.states[1]; d.active == done || !done && (d.target != 7 || d.alphaAt != 5010 || d.decreaseAt != 5020+1000) {
			t.Errorf("done %v: %+v", done, d)
		}
		if c := s.counts.Ports[1]; c.CNPsHandled != handled || c.CNPsIgnored != ignored || len(s.free) != free || l.dcqcn.states[0].active {
			t.Errorf("done %v: %+v, %d of %d packets free", done, c, len(s.free), free)
		}
	}
}

// An RC has a queue pair for each two processes, XRC one for each process and host, DC an initiator for each process. Of
// three hosts with four processes each others send to: InfiniBand Architecture Specification, annex A14.
func TestNumbersOfQueuePairs(t *testing.T) {
	for v, want := range map[Service][2]int{RC: {4 * 4 * 3, 4 * 4 * 3}, XRC: {4 * 3, 4 * 3}, DC: {4, 4 * 3}} {
		if own, incast := v.QueuePairs(4, 3); own != want[0] || incast != want[1] {
			t.Errorf("%v: %d and %d, want %v", v, own, incast, want)
		}
		numbers := map[int]bool{}
		for from := range 4 {
			for to := range 4 {
				number := v.QueuePair(from, to, 4)
				if numbers[number] = true; number < 1 || v == RC && number != 1+4*from+to || v != RC && number != 1+from {
					t.Errorf("%v: from %d to %d it is %d", v, from, to, number)
				}
			}
		}
		must.Equalf(t, len(numbers), map[Service]int{RC: 16, XRC: 4, DC: 4}[v], "%v: numbers:", v)
	}
}

// What a host takes before a packet leaves: to post, and of messages beyond what is inline to fetch, and to read the first
// packet from memory; 100 Gb/s are 80 ps per byte.
func TestHostTimesByHand(t *testing.T) {
	h := newHostTimes(&HostTimes{
		Post: 100, Fetch: 30, Inline: 64, Deliver: 7, Memory: 100 * units.Gbps,
		Connect: 1, Linger: 2, Disconnect: 3, Busy: 4, Targets: 5, KeepRate: true,
	})
	must.Equal(t, h, hostTimes{100, 30, 64, 7, 80, 1, 2, 3, 4, 5, true})
	for message, want := range map[int64]int64{1: 100, 64: 100, 65: 130 + 65*80, 1000: 130 + 80_000, 1001: 130 + 80_000} {
		if got := h.postTime(message, 1000); got != want {
			t.Errorf("%d B are posted in %d ps, want %d", message, got, want)
		}
	}
	at := newHostTimes(&HostTimes{Post: 5})
	if at != (hostTimes{post: 5}) || at.postTime(1000, 1000) != 5 || at.memoryTime(1000) != 0 {
		t.Errorf("%+v", at)
	}
	for _, edit := range []func(h *HostTimes, by int64){
		func(h *HostTimes, by int64) { h.Post = units.Time(by) }, func(h *HostTimes, by int64) { h.Fetch = units.Time(by) }, func(h *HostTimes, by int64) { h.Deliver = units.Time(by) },
		func(h *HostTimes, by int64) { h.Connect = units.Time(by) }, func(h *HostTimes, by int64) { h.Linger = units.Time(by) }, func(h *HostTimes, by int64) { h.Disconnect = units.Time(by) },
		func(h *HostTimes, by int64) { h.Busy = units.Time(by) }, func(h *HostTimes, by int64) { h.Targets, h.Busy = int(by), 1 }, func(h *HostTimes, by int64) { h.Inline = units.Bytes(by) },
	} {
		for by, ok := range map[int64]bool{-1: false, 0: true, 1: true} {
			var h HostTimes
			if edit(&h, by); (h.check(nil) == nil) != ok {
				t.Errorf("%+v: %v", h, h.check(nil))
			}
		}
	}
	for memory, ok := range map[units.BitRate]bool{0: true, 1: false, 99: false, 199: false, 200: true, 201: true} {
		h := HostTimes{Memory: memory}
		if err := h.check([]Link{{Rate: 100}, {Rate: 200}}); (err == nil) != ok {
			t.Errorf("memory of %d bit/s: %v", memory, err)
		}
	}
}

// slowHost is a NIC whose host takes 1 Gb/s from 1,000 ps on: 8,000 ps per byte. It holds 10,000 B, pauses classes 3 and 7
// above 3,000 B and resumes them at 1,000 B.
func slowHost(t *testing.T, to units.Time) *engine {
	t.Helper()
	sc := leafSpine(1, 2, 0)
	sc.Receivers = []Receiver{{Host: 0, Rate: units.Gbps, From: 1000, To: to, Buffer: 10_000, XOFF: 3000, XON: 1000, Classes: 1<<3 | 1<<7}}
	sc.flow(1, 0, 1000, units.Second)
	s := laid(t, sc)
	for s.now < 1000 {
		s.step(never)
	}
	return s
}

// frames lets frames that nobody asks for come in at a slow host's NIC.
func frames(s *engine, sizes ...uint16) {
	for _, size := range sizes {
		s.room(packetsPerEvent)
		id := s.take()
		s.created++
		s.packets[id] = packet{flow: -1, kind: bareFrame, label: 3, size: size}
		s.takeLater(&s.ports[0], id, &s.packets[id])
	}
}

// A slow host takes its packets one after the other at its rate, pauses when more than XOFF wait and resumes when no more
// than XON do; what does not fit is lost.
func TestSlowHostByHand(t *testing.T) {
	s := slowHost(t, 0)
	p, r := &s.ports[0], &s.receivers[0]
	if !r.late || p.trouble != slow || r.port != 0 {
		t.Fatalf("%+v, trouble %b", r, p.trouble)
	}
	if frames(s, 1000, 1000, 1000); r.bytes != 3000 || p.pausing != 0 {
		t.Errorf("%d B wait, pausing %b", r.bytes, p.pausing)
	}
	if frames(s, 1); r.bytes != 3001 || p.pausing != 1<<3|1<<7 || s.pauses != 2 {
		t.Errorf("%d B wait, pausing %b, %d pauses", r.bytes, p.pausing, s.pauses)
	}
	frames(s, 999, 1000, 1000, 1000, 1000, 1000, 1000)
	if r.bytes != 10_000 || s.overrun != 0 || s.pauses != 2 {
		t.Errorf("%d B wait, %d lost, %d pauses", r.bytes, s.overrun, s.pauses)
	}
	if frames(s, 1); r.bytes != 10_000 || s.overrun != 1 {
		t.Errorf("%d B wait, %d lost", r.bytes, s.overrun)
	}
	want := int64(1000) // ps
	for i, size := range []int64{1000, 1000, 1000, 1, 999, 1000, 1000, 1000, 1000, 1000, 1000} {
		for before := s.delivered; s.delivered == before; {
			if !s.step(never) {
				t.Fatal("nothing more happens")
			}
		}
		want += 8000 * size
		left := []int64{9000, 8000, 7000, 6999, 6000, 5000, 4000, 3000, 2000, 1000, 0}[i]
		pausing := uint8(1<<3 | 1<<7)
		if left <= 1000 {
			pausing = 0
		}
		if s.now != want || r.bytes != left || p.pausing != pausing || p.trouble != slow {
			t.Errorf("packet %d is taken at %d ps, want %d; %d B wait, pausing %b", i, s.now, want, r.bytes, p.pausing)
		}
	}
}

// When a host is fast again, what waits behind the packet that it is taking comes at once, in order; then the NIC is as before.
func TestSlowHostRecovers(t *testing.T) {
	s := slowHost(t, 5000)
	p, r := &s.ports[0], &s.receivers[0]
	frames(s, 1000, 1000, 1000)
	for s.delivered < 1 {
		s.step(never)
	}
	if s.now != 1000+8_000_000 || r.late || r.bytes != 2000 || p.trouble != slow {
		t.Errorf("at %d ps %d B wait, trouble %b", s.now, r.bytes, p.trouble)
	}
	for s.delivered < 3 {
		s.step(never)
	}
	if s.now != 1000+8_000_000 || r.bytes != 0 || p.trouble != 0 {
		t.Errorf("at %d ps %d B wait, trouble %b", s.now, r.bytes, p.trouble)
	}
	idle := slowHost(t, 5000) // one that nothing comes to
	for idle.now < 5000 {
		idle.step(never)
	}
	if idle.ports[0].trouble != 0 || idle.receivers[0].late {
		t.Errorf("trouble %b", idle.ports[0].trouble)
	}
}

// A stuck NIC's class is not resumed, and one that pauses already is not paused again.
func TestSlowHostThatIsStuck(t *testing.T) {
	s := slowHost(t, 0)
	p := &s.ports[0]
	p.pausing = 1 << 7
	frames(s, 3000, 1)
	if s.pauses != 1 || p.pausing != 1<<3|1<<7 {
		t.Errorf("%d pauses, pausing %b", s.pauses, p.pausing)
	}
	s.nics[p.nic].stuck = 1 << 3
	for s.delivered < 1 {
		s.step(never)
	}
	must.Equalf(t, p.pausing, 1<<3, "pausing")
}

// A buffer's limits, and when a host is slow: one that ends ends after it begins.
func TestReceiverBounds(t *testing.T) {
	ok := Receiver{Host: 0, Rate: units.Mbps, From: 5, To: 6, Buffer: 3, XOFF: 2, XON: 1, Classes: 0xfe}
	sc := leafSpine(1, 2, 0)
	sc.Nodes = append(sc.Nodes, Host) // without a link
	for name, c := range map[string]struct {
		edit func(r *Receiver)
		ok   bool
	}{
		"as it is": {func(*Receiver) {}, true}, "for ever": {func(r *Receiver) { r.To = 0 }, true}, "from the begin": {func(r *Receiver) { r.From = 0 }, true}, "ends as it begins": {func(r *Receiver) { r.To = 5 }, false},
		"before the begin": {func(r *Receiver) { r.From = -1 }, false}, "a switch": {func(r *Receiver) { r.Host = 2 }, false}, "nobody": {func(r *Receiver) { r.Host = 4 }, false}, "no link": {func(r *Receiver) { r.Host = 3 }, false},
		"below 0": {func(r *Receiver) { r.Host = -1 }, false}, "XON of 0": {func(r *Receiver) { r.XON = 0 }, true}, "XON below 0": {func(r *Receiver) { r.XON = -1 }, false}, "XON of XOFF": {func(r *Receiver) { r.XON = 2 }, false},
		"XOFF of all": {func(r *Receiver) { r.XOFF = 3 }, false}, "class 0": {func(r *Receiver) { r.Classes = 3 }, false}, "no class": {func(r *Receiver) { r.Classes = 0 }, true}, "below a megabit": {func(r *Receiver) { r.Rate-- }, false},
	} {
		r := ok
		if c.edit(&r); (r.check(sc) == nil) != c.ok {
			t.Errorf("%s: %v", name, r.check(sc))
		}
	}
}

// DCQCN at the instant of two timers: that with the longer interval was set first and fires first; and of a timer and an event
// of the same time, what was set earlier.
func TestDCQCNTimersOfOneTime(t *testing.T) {
	s := &engine{}
	for _, c := range []struct {
		now, setAt, at int64
		interval       units.Time
		want           bool
	}{
		{100, 0, 99, 50, true}, {100, 0, 101, 50, false}, {100, 49, 100, 50, false}, {100, 50, 100, 50, true}, {100, 51, 100, 50, true}, {100, never, 100, 50, true}, {100, 0, never, 50, false},
	} {
		s.now, s.setAt = c.now, c.setAt
		must.Equalf(t, s.due(c.at, c.interval), c.want, "%+v:", c)
	}
	// A rate of 800 towards 1,000, alpha 1: up to 900 and then half, or half and then up to 700 with a new time of its own.
	for _, c := range []struct {
		increase units.Time // its interval
		told     bool
		rate     uint64
		up, down int64 // the next times
	}{
		{60, true, 450, 160, 150}, // increased, then cut: the increase begins again at 100
		{50, true, 400, 150, 150}, // of equal intervals the decrease is first
		{40, true, 400, 140, 150},
		{60, false, 900, 160, 150}, // without a notification it is only increased
		{40, false, 900, 140, 150},
	} {
		l := &law{ClassControl: ClassControl{Congestion: Congestion{MinRate: 1, DCQCN: DCQCN{Gain: 0.5, AlphaInterval: 1000, DecreaseInterval: 50, IncreaseInterval: c.increase, FastRecovery: 9}}}}
		l.dcqcn = &dcqcnControl{decay: newDecay(0.5)}
		d, f := &dcqcnState{active: true, alpha: 1, target: 1000, alphaAt: 900, increaseAt: 100, decreaseAt: 100, notifiedDecrease: c.told}, &flow{law: l, rate: 800, lineRate: 5000}
		s.now, s.setAt = 100, never
		if d.catchUp(s, f); f.rate != c.rate || d.increaseAt != c.up || d.decreaseAt != c.down || d.notifiedDecrease {
			t.Errorf("%+v: %d, %+v", c, f.rate, *d)
		}
	}
	// Decreases without a notification are passed over, to the first behind now.
	for now, want := range map[int64]int64{99: 100, 100: 150, 149: 150, 150: 200, 351: 400} {
		l := &law{ClassControl: ClassControl{Congestion: Congestion{DCQCN: DCQCN{DecreaseInterval: 50, IncreaseInterval: 10}}}}
		d := &dcqcnState{active: true, increaseAt: never, decreaseAt: 100}
		s.now = now
		if d.catchUp(s, &flow{law: l}); d.decreaseAt != want {
			t.Errorf("at %d the next decrease is at %d, want %d", now, d.decreaseAt, want)
		}
	}
	// Alpha ages first if its timer was set before the packet with the notification left.
	for left, want := range map[int64]float64{44: 1, 45: 0.5, 46: 0.5} {
		l := &law{ClassControl: ClassControl{Congestion: Congestion{DCQCN: DCQCN{Gain: 0.5, AlphaInterval: 55, DecreaseInterval: 1000, IncreaseInterval: 1000}}}}
		l.dcqcn = &dcqcnControl{decay: newDecay(0.5)}
		d := &dcqcnState{active: true, alpha: 1, alphaAt: 100, increaseAt: never, decreaseAt: 5000}
		s.now = 100
		if d.congestion(s, &flow{law: l}, left); d.alpha != want || !d.notifiedAlpha || !d.notifiedDecrease {
			t.Errorf("left at %d: %+v", left, *d)
		}
	}
}

// A queue pair that waits for its pace looks again when the rate rises, and not before the next instant; one whose time has
// come does not wait.
func TestDCQCNWaits(t *testing.T) {
	l := &law{ClassControl: ClassControl{Congestion: Congestion{MinRate: 1, DCQCN: DCQCN{Repace: true, Gain: 0.5, AlphaInterval: 1000, DecreaseInterval: 50, IncreaseInterval: 40, FastRecovery: 9}}}}
	l.dcqcn = &dcqcnControl{decay: newDecay(0.5)}
	s := &engine{timekeeper: timekeeper{now: 100, setAt: never}}
	for _, c := range []struct {
		idle             bool
		nextSend, rises  int64
		want, thenSended int64
	}{
		{true, 500, 300, 500, 500},  // nobody has told it anything
		{false, 100, 300, 100, 100}, // it may send
		{false, 500, 300, 300, 500}, // looks at 300
		{false, 200, 300, 200, 200}, // sends before
		{false, 500, 101, 101, 500}, // the next instant
		{false, 500, 100, 140, 300}, // now: the rate doubles, the 400 that are left are halved; then at 140
		{false, 101, 100, 100, 100}, // half of one is none
		{false, 500, 90, 130, 295},  // (500 - 90)/2 behind 90
		{false, 100, 40, 100, 100},  // the pace was to end now
		{false, 110, 80, 95, 95},    // 30 become 15 behind 80, which is over
	} {
		d, f := &dcqcnState{active: !c.idle, target: 3000, increaseAt: c.rises, decreaseAt: 5000, alphaAt: 9000}, &flow{law: l, rate: 1000, lineRate: 9000, nextSend: c.nextSend}
		if got := d.waits(s, f); got != c.want || f.nextSend != c.thenSended {
			t.Errorf("%+v: looks at %d, sends at %d", c, got, f.nextSend)
		}
	}
	// Without it the packet keeps its time.
	l.DCQCN.Repace = false
	d, f := &dcqcnState{active: true, target: 3000, increaseAt: 90, decreaseAt: 5000}, &flow{law: l, rate: 1000, lineRate: 9000, nextSend: 500}
	if d.catchUp(s, f); f.rate != 2000 || f.nextSend != 500 {
		t.Errorf("%d, sends at %d", f.rate, f.nextSend)
	}
}

// Only a mark tells DCQCN, and only while there is something to send.
func TestEchoesTellDCQCN(t *testing.T) {
	for _, c := range []struct{ marked, done, want bool }{{true, false, true}, {false, false, false}, {true, true, false}} {
		s := &engine{}
		l := &law{ClassControl: ClassControl{Congestion: Congestion{Algorithm: UseDCQCN}}}
		l.make(s, 1)
		f := &flow{law: l, bytes: 1}
		if c.done {
			f.acked = 1
		}
		l.dcqcn.states[0].stage = 3
		if l.dcqcn.acknowledged(s, 0, f, echo{marked: c.marked}); l.dcqcn.states[0].active != c.want {
			t.Errorf("%+v: %+v", c, l.dcqcn.states[0])
		}
		if l.dcqcn.start(s, 0, f); l.dcqcn.states[0] != (dcqcnState{}) {
			t.Errorf("%+v", l.dcqcn.states[0])
		}
	}
	d := DCQCN{}
	if d.Keeps(1) != 0.5 || d.Keeps(0.25) != 0.875 {
		t.Error(d.Keeps(1), d.Keeps(0.25))
	}
	if r := scale(1001, 0.5); r != 500 || scale(math.MaxInt32, 1) != math.MaxInt32 {
		t.Error(r)
	}
}

// A host that is slow for the first picosecond is not slow then.
func TestSlowForAnInstant(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	sc.Receivers = []Receiver{{Host: 1, Rate: units.Gbps, To: 1, Buffer: 3, XOFF: 2, XON: 1, Classes: 8}}
	sc.flow(0, 1, 1000, 0)
	s := laid(t, sc)
	for s.step(never) {
	}
	if s.finished != 1 || s.overrun != 0 || s.ports[2].trouble != 0 {
		t.Errorf("%d finished, %d lost, trouble %b", s.finished, s.overrun, s.ports[2].trouble)
	}
}
