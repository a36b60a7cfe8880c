package sim

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/model/sim/conweave"
	"github.com/roceplan/roceplan/units"
)

// What an acknowledgement does at its host: it is told to the control, moves the window, and lets the host send if it frees
// anything; of a queue pair that is done it is nothing.
func TestAcknowledgementsAtTheirHost(t *testing.T) {
	for _, c := range []struct {
		name  string
		edit  func(s *engine, f *flow)
		kind  packetKind
		seq   uint32
		acked int64
		told  bool // the control
		sends bool
		ready int64 // since when the queue pair may go on
	}{
		{"more", func(*engine, *flow) {}, ackPacket, 1000, 1000, true, true, 0},
		{"while the host is busy", func(s *engine, _ *flow) { s.ports[0].busyUntil = 1 << 40 }, ackPacket, 1000, 1000, true, false, 0},
		{"while it waits for its pace", func(s *engine, f *flow) { s.nics[0].waitsUntil = 1 << 40 }, ackPacket, 1000, 1000, true, false, 0},
		{"a loss while it waits", func(s *engine, f *flow) { s.nics[0].waitsUntil = 1 << 40 }, nackPacket, 1000, 1000, true, true, 7000},
		{"a window that was full", func(s *engine, f *flow) { f.window, s.nics[0].waitsUntil = 3000, 1<<40 }, ackPacket, 1000, 1000, true, true, 7000},
		{"one that was not", func(s *engine, f *flow) { f.window = 3001 }, ackPacket, 1000, 1000, true, true, 0},
		{"done", func(s *engine, f *flow) { f.acked, f.next = f.bytes, f.bytes }, ackPacket, 1000, 10_000, false, false, 0},
		{"TCP's", func(s *engine, f *flow) {
			f.tcp = &tcp{packet: 1000, threshold: never, high: 3000, timed: none, resume: none, due: never, lookAt: never, timeout: 1000}
			f.window = 10_000
		}, ackPacket, 1000, 1000, false, true, 0},
	} {
		s := posting(t, func(sc *Scenario) { sc.Observe = &Observation{} }, 10_000)
		s.post(0)
		own, f := &heard{}, &s.flows[0]
		f.law = &law{control: own}
		s.now, s.ports[0].busyUntil, s.ports[0].txPending, s.seen.unblocked[0] = 7000, 0, false, 0
		f.next = 3000
		c.edit(s, f)
		free, id := len(s.free), s.take()
		s.packets[id] = packet{flow: 0, kind: c.kind, label: 3, seq: c.seq, size: 60}
		before, sent := len(s.free), s.ports[0].sent
		s.receiveAck(0, &s.ports[0], id, &s.packets[id])
		sends := s.ports[0].sent > sent
		if sends {
			before--
		}
		if f.acked != c.acked || (len(own.echoes) == 1) != c.told || sends != c.sends || s.seen.unblocked[0] != c.ready || len(s.free) != before+1 || before+1 > free {
			t.Errorf("%s: %d acknowledged, told %v, sends %v, ready since %d, %d of %d packets free", c.name, f.acked, own.echoes, sends, s.seen.unblocked[0], len(s.free), free)
		}
		if c.told && (own.echoes[0].seq != int64(c.seq) || own.pairs[0] != 0) {
			t.Errorf("%s: told %+v", c.name, own.echoes)
		}
	}
}

// There is always room for what an event can create: 256 packets at first, then as many again as there are; what goes with a
// packet is as long. Packet 0 is none.
func TestRoomForPackets(t *testing.T) {
	s := &packetStore{sent: []int64{}, waited: []int64{}, int: []telemetry{}, ready: []int64{}, tags: []conweave.Tag{}, cameAt: []int64{}}
	lengths := func(want int) {
		t.Helper()
		if len(s.packets) != want || len(s.sent) != want || len(s.waited) != want || len(s.int) != want || len(s.ready) != want || len(s.tags) != want || len(s.cameAt) != want {
			t.Errorf("%d, %d, %d, %d, %d, %d and %d, want %d", len(s.packets), len(s.sent), len(s.waited), len(s.int), len(s.ready), len(s.tags), len(s.cameAt), want)
		}
	}
	s.room(8)
	lengths(257)
	for want := packetID(1); want <= 248; want++ {
		if got := s.take(); got != want {
			t.Fatalf("packet %d, want %d", got, want)
		}
	}
	s.room(8) // exactly so many
	lengths(257)
	s.take()
	s.room(8)
	lengths(257 + 257)
	if got := s.take(); got != 257 || len(s.free) != 7+257-1 {
		t.Errorf("packet %d of %d", got, len(s.free))
	}
	s.put(9)
	if s.take() != 9 {
		t.Error("another packet")
	}
	few := &packetStore{}
	few.room(300)
	if len(few.packets) != 301 || len(few.free) != 300 || few.sent != nil || few.int != nil || few.ready != nil || few.tags != nil {
		t.Errorf("%d packets", len(few.packets))
	}
}

// The rate of a queue pair now: DCQCN's timers change it without an acknowledgement.
func TestRatesNow(t *testing.T) {
	s := &engine{timekeeper: timekeeper{now: 100, setAt: never}}
	l := &law{ClassControl: ClassControl{Congestion: Congestion{Algorithm: UseDCQCN, DCQCN: DCQCN{AlphaInterval: 1000, DecreaseInterval: 1000, IncreaseInterval: 1000, FastRecovery: 5}}}}
	l.make(s, 2)
	l.dcqcn.states[1] = dcqcnState{active: true, target: 900, increaseAt: 50, decreaseAt: 5000, alphaAt: never}
	f := &flow{law: l, rate: 700, lineRate: 1000}
	must.Equal(t, s.currentRate(0, f), 700)
	if got := s.currentRate(1, f); got != 800 || f.rate != 800 {
		t.Errorf("%d", got)
	}
	must.Equal(t, s.currentRate(1, &flow{law: &law{}, rate: 600}), 600)
}

// A host that is busy when its time comes looks when it has sent; a kind of packet goes where it is meant.
func TestHostReceives(t *testing.T) {
	s := posting(t, func(sc *Scenario) {
		sc.Congestion = Congestion{Algorithm: UseDCQCN, MinRate: 1, DCQCN: paperDCQCN()}
		sc.Transport.CNPPackets = true
	}, 10_000)
	s.post(0)
	n := &s.nics[0]
	n.wakePending = true
	if s.wakeUp(0); n.wakePending || s.ports[0].sent != 0 {
		t.Errorf("%+v", n)
	}
	comes := func(port int32, kind packetKind) {
		id := s.take()
		s.packets[id] = packet{flow: 0, kind: kind, label: 3, seq: 1000, size: 60}
		s.ports[port].busyUntil = 1 << 40
		s.hostReceive(port, &s.ports[port], id, &s.packets[id])
	}
	s.flows[0].next = 3000
	if comes(0, ackPacket); s.flows[0].acked != 1000 || s.flows[0].next != 3000 {
		t.Errorf("%+v", s.flows[0])
	}
	if comes(0, nackPacket); s.flows[0].next != 1000 {
		t.Errorf("%+v", s.flows[0])
	}
	if comes(0, cnpPacket); !s.flows[0].law.dcqcn.states[0].active {
		t.Error("nobody is told")
	}
	created := s.created
	if comes(2, bareFrame); s.created != created || s.outOfOrder != 0 {
		t.Error("a frame is answered")
	}
	if comes(2, dataPacket); s.created != created+1 || s.outOfOrder != 1 {
		t.Error("data is not answered")
	}
	must.Equalf(t, s.delivered, 5, "delivered:")
}

// Cells of a group that classes share are counted once.
func TestSharedGroupsCountOnce(t *testing.T) {
	b := chipBuffer(2, 5000, 3000, -1)
	b.PG[4] = 3
	sc := oneSwitch(2, b)
	sc.flow(0, 1, 1000, units.Second)
	s := laid(t, sc)
	for _, pg := range []int{3, 5} {
		if v := s.silicon[2].Enqueue(&mmu.Packet{InPort: 1, PG: pg, OutPort: 0, Queue: pg, Bytes: 400 * pg}); v.Dropped() {
			t.Fatal(v)
		}
	}
	if l := s.ledger(); l.Buffered != 1200+2000 { // whole cells of 4 B
		t.Errorf("%d B", l.Buffered)
	}
}
