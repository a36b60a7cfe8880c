package sim

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/model/sim/cells"
	"github.com/roceplan/roceplan/units"
)

// Time is left out of runs whose messages are all that begins at a time of its own, and of which bytes in order
// are acknowledged.
func TestWhatMayBeSkipped(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(sc *Scenario)
		want bool
	}{
		"messages": {func(*Scenario) {}, true}, "TCP": {func(sc *Scenario) { sc.Flows[1].TCP = true }, false},
		"an observation": {func(sc *Scenario) { sc.Observe = &Observation{} }, true}, "buffers": {func(sc *Scenario) { sc.Observe = &Observation{Buffers: true} }, false},
		"a series": {func(sc *Scenario) { sc.Observe = &Observation{Series: []*Series{{}}} }, false}, "counters": {func(sc *Scenario) { sc.Observe = &Observation{Counters: &Counters{}} }, false},
		"an outage": {func(sc *Scenario) { sc.Outages = make([]Outage, 1) }, false}, "a storm": {func(sc *Scenario) { sc.Storms = make([]Storm, 1) }, false},
		"a receiver": {func(sc *Scenario) { sc.Receivers = make([]Receiver, 1) }, false}, "a generator": {func(sc *Scenario) { sc.Generators = make([]Generator, 1) }, false},
		"DC": {func(sc *Scenario) { sc.Transport.Service = DC }, false}, "XRC": {func(sc *Scenario) { sc.Transport.Service = XRC }, true}, "selective repeat": {func(sc *Scenario) { sc.Transport.Selective = true }, false},
	} {
		sc := leafSpine(1, 2, 0)
		sc.flow(0, 1, 1000, 0)
		sc.flow(1, 0, 1000, 0)
		c.edit(sc)
		must.Equalf(t, sc.skippable(), c.want, "%s:", name)
	}
	for d, want := range map[drift]bool{{}: true, {0.03, 1}: true, {-0.03, -1}: true, {0.0301, 0}: false, {-0.0301, 0}: false, {0, 1.01}: false, {0, -1.01}: false} {
		must.Equalf(t, d.small(), want, "%+v:", d)
	}
	if got := (drift{0.01, 0.25}).with(drift{0.002, -0.5}, 4); math.Abs(got.rate-0.018) > 1e-12 || got.underWay != -1.75 {
		t.Errorf("%+v", got)
	}
	if got := (drift{-0.01, 0.5}).vague(0.002); math.Abs(got.rate-0.012) > 1e-12 || got.underWay != 0.5 {
		t.Errorf("%+v", got)
	}
	if (&stretch{windows: 4}).ps() != 200_000_000 { // of 50 us
		t.Error("a stretch of four windows")
	}
}

// How the two halves of a stretch of two windows differ: 1,000 and 1,100 B are a tenth of 1,050 B more, and 210 B
// more under way in all are 105 B a half, a tenth, twice. Of a train the time of each counts: 10 ps, then 8 ps.
func TestTrendsByHand(t *testing.T) {
	running := func() *engine {
		s := &engine{}
		s.messages = []message{{pair: 0, end: 1 << 30}, {pair: 0, end: 1 << 30}}
		s.flows, s.inbound = []flow{{last: 0, bytes: 1 << 30, sendEnd: 1 << 30, completeEnd: 1 << 30}}, make([]inbound, 1)
		return s
	}
	half := func(a, b, c reading) *stretch { return &stretch{2, []reading{a}, []reading{b}, []reading{c}} }
	for name, c := range map[string]struct {
		edit      func(s *engine)
		t         *stretch
		d         drift
		moves, ok bool
	}{
		"more":                     {nil, half(reading{done: 5000, underWay: 10}, reading{done: 6000}, reading{done: 7100, underWay: 220}), drift{100 / 1050., 0.2}, true, true},
		"less":                     {nil, half(reading{done: 5000}, reading{done: 6100}, reading{done: 7100}), drift{-100 / 1050., 0}, true, true},
		"nothing":                  {nil, half(reading{done: 5000}, reading{done: 5000}, reading{done: 5000}), drift{}, true, false},
		"another message":          {nil, half(reading{done: 5000}, reading{done: 6000}, reading{done: 7100, message: 1}), drift{}, true, false},
		"one that still completes": {func(s *engine) { s.flows[0].completing = 1 }, half(reading{done: 5000}, reading{done: 6000}, reading{done: 7100}), drift{}, true, false},
		"one that is still sent":   {func(s *engine) { s.flows[0].sending = 1 }, half(reading{done: 5000}, reading{done: 6000}, reading{done: 7100}), drift{}, true, false},
		"one that still arrives":   {func(s *engine) { s.inbound[0].receiving = 1 }, half(reading{done: 5000}, reading{done: 6000}, reading{done: 7100}), drift{}, true, false},
		"none":                     {func(s *engine) { s.flows[0].last = none }, half(reading{}, reading{}, reading{}), drift{}, false, true},
	} {
		s := running()
		if c.edit != nil {
			c.edit(s)
		}
		d, moves, ok := c.t.trend(s, 0)
		if math.Abs(d.rate-c.d.rate) > 1e-12 || math.Abs(d.underWay-c.d.underWay) > 1e-12 || moves != c.moves || ok != c.ok {
			t.Errorf("%s: %+v, %v, %v; want %+v, %v, %v", name, d, moves, ok, c.d, c.moves, c.ok)
		}
	}
}

// Fast reaction that leaves out idle hops changes nothing while no hop has a queue; with the round trip all count. Each
// hop by itself, the least rate counts, that of an idle one as it was.
func TestIdleHops(t *testing.T) {
	hops := func(now int64, sent uint64, queues ...uint32) *telemetry {
		own := &telemetry{hops: uint8(len(queues))}
		for i, queue := range queues {
			own.hop[i], own.port[i] = newHopRecord(now, sent, queue, 1), int32(10+i)
		}
		return own
	}
	for _, perHop := range []bool{false, true} {
		sc := leafSpine(1, 2, 0)
		sc.flow(0, 1, 1_000_000, 0)
		sc.Congestion = Congestion{Algorithm: UseHPCC, MinRate: units.Gbps, HPCC: HPCC{TargetUtilization: 0.95, Additive: units.Gbps, FastReact: true, SkipIdle: true, PerHop: perHop, UnitScale: 1, MaxStage: 5}}
		sc.Transport.Window = LargestBDP
		s := must.Get(newEngine(sc))(t)
		f, h := &s.flows[0], &hpccState{}
		h.start(f.lineRate, perHop)
		f.next = 5000
		first := hops(0, 0, 8000, 8000)
		if h.acknowledged(s, f, 1, first); h.updateAt != 5000 || h.last != first.hop || f.rate != f.lineRate {
			t.Fatalf("%+v", h)
		}
		// 124,928 B in 10.24 us are 97.6 Gb/s of 100.
		if h.acknowledged(s, f, 100, hops(10_240_000, 124_928, 0, 0)); f.rate != f.lineRate || h.last != first.hop {
			t.Errorf("per hop %v: idle hops change the rate to %d", perHop, f.rate)
		}
		// One hop with 8,000 B at both times: the other is left out.
		busy := hops(10_240_000, 124_928, 0, 8000)
		h.acknowledged(s, f, 100, busy)
		u := 0.976 + 8000/float64(f.window)
		if want := 100e9/(u/0.95) + 1e9; math.Abs(float64(f.rate)-want) > 1e-6*want || h.last[0] != first.hop[0] || h.last[1] != busy.hop[1] {
			t.Errorf("per hop %v: one busy hop makes %d, want %.0f", perHop, f.rate, want)
		}
		h.start(f.lineRate, perHop)
		h.updateAt, h.last, h.ports = 5000, first.hop, first.port
		if h.acknowledged(s, f, 5001, hops(10_240_000, 124_928, 0, 0)); h.last == first.hop {
			t.Error("idle hops are left out of a round trip")
		}
		if want := 100e9/(0.976/0.95) + 1e9; math.Abs(float64(f.rate)-want) > 1e-6*want {
			t.Errorf("per hop %v: a round trip makes %d, want %.0f", perHop, f.rate, want)
		}
	}
	// Without fast reaction nothing happens within a round trip.
	h, f := &hpccState{updateAt: 5000}, &flow{law: &law{}, rate: 7}
	if h.acknowledged(&engine{}, f, 5000, hops(1, 1, 1)); f.rate != 7 || h.updateAt != 5000 {
		t.Errorf("%+v", h)
	}
}

// Which packets a port in trouble refuses: with no link, all; of a queue that a watchdog drops, those of its class,
// which are counted. A queue that it lets send refuses none.
func TestRefusals(t *testing.T) {
	s := &engine{}
	s.counts = &counting{Counted: Counted{Ports: make([]CountedPort, 2)}}
	s.guards = make([]guard, 2*classes)
	s.guards[classes+3].drops = true
	for _, c := range []struct {
		trouble trouble
		class   uint8
		want    *int64
	}{{0, 3, nil}, {down, 3, &s.unrouted}, {guarded, 3, &s.guarded}, {guarded, 4, nil}, {guarded | down, 3, &s.unrouted}, {faulty, 3, nil}} {
		if got := s.refuses(1, &port{trouble: c.trouble}, c.class); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if k := s.counts.Ports[1].Classes[3]; k.DroppedOut != 1 || s.counts.Ports[0].Classes[3].DroppedOut != 0 {
		t.Errorf("%+v", k)
	}
	s.counts = nil
	if s.refuses(1, &port{trouble: guarded}, 3) != &s.guarded {
		t.Error("without counters")
	}
	s.now = 5
	s.unblock(1) // nobody looks
	s.seen = &observer{unblocked: make([]int64, 2)}
	if s.unblock(1); s.seen.unblocked[1] != 5 || s.seen.unblocked[0] != 0 {
		t.Errorf("%v", s.seen.unblocked)
	}
}

// Links of one rate share a table of times; each rate has one.
func TestTablesOfRates(t *testing.T) {
	for rates, sc := range map[int]*Scenario{1: leafSpine(1, 4, 0), 2: leafSpine(2, 2, 2)} {
		sc.flow(0, 1, 1000, 0)
		s, err := newEngine(sc)
		if err != nil || len(s.rates) != rates || len(s.txTimes) != rates {
			t.Errorf("%v, %v rates, want %d", err, s.rates, rates)
		}
		for i := range s.ports {
			must.Equalf(t, s.rates[s.ports[i].rateIndex], float64(sc.Links[i/2].Rate), "port %d at", i)
		}
	}
}

// When TCP's timer runs out, its count of duplicates begins again.
func TestTCPTimerForgetsDuplicates(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	sc.flow(0, 1, 100_000, 0)
	sc.Flows[0].TCP = true
	e := must.Get(newEngine(sc))(t)
	for e.flows[0].next < 9_000 {
		e.step(never)
	}
	c := e.flows[0].tcp
	c.due, c.duplicate, c.recovery, c.resume, c.timed = e.now, 2, true, 5, 5
	if e.tcpTimer(0); c.duplicate != 0 || c.recovery || c.resume != none || c.timed != none && c.timed != 0 {
		t.Errorf("%+v", c)
	}
}

// Events of a slot come out as they went in, whatever was dropped between; the earliest is known; and sorted,
// the last goes first, those of one time and event as they came.
func TestBucketsByOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	b, want := newBuckets(64), [3]map[eventID]entry{{}, {}, {}}
	for id := eventID(1); id < 5000; id++ {
		slot := uint64(random.IntN(3))
		in := want[slot]
		switch random.IntN(8) {
		case 0: // one of those that are there, or none
			var victim eventID
			for victim = range in {
				break
			}
			if found := b.drop(slot, func(e entry) bool { return e == in[victim] }); found != (len(in) > 0) {
				t.Fatalf("dropped %v of %d", found, len(in))
			}
			delete(in, victim)
		case 1:
			least := entry(math.MaxUint64)
			for _, e := range in {
				least = min(least, e)
			}
			if got := b.least(slot); got != least {
				t.Fatalf("the least is %d, want %d", got, least)
			}
		case 2:
			if random.IntN(10) > 0 {
				continue
			}
			list := b.take(slot, nil)
			for _, e := range list {
				if in[eventID(e>>placeBits&(1<<eventBits-1))] != e {
					t.Fatalf("%x comes out", e)
				}
			}
			if len(list) != len(in) || b.heads[slot] != none {
				t.Fatalf("%d come out of %d", len(list), len(in))
			}
			clear(in)
		default:
			e := entry(random.IntN(1<<maxSlotBits))<<(64-maxSlotBits) | entry(id)<<placeBits | entry(id)
			b.add(slot, e)
			in[id] = e
		}
		for from := range int64(3) {
			first, some := from, false
			for range 3 {
				if some = len(want[first]) > 0; some {
					break
				}
				first = (first + 1) % 3
			}
			if got, ok := b.nextUsed(from); ok != some || ok && got != uint64(first) {
				t.Fatalf("from %d on the first used slot is %d, %v; want %d, %v", from, got, ok, first, some)
			}
		}
	}
	var spare []entry
	for n := range 300 {
		list := make([]entry, n)
		mask := entry(0xff)<<random.IntN(56) | entry(random.IntN(4))<<62 // they differ in a few bytes alone
		for i := range list {
			list[i] = 0x0123456789abcdef ^ entry(random.Uint64())&mask
		}
		wanted := slices.Clone(list)
		slices.SortStableFunc(wanted, func(a, b entry) int { return cmp.Compare(b>>eventBits, a>>eventBits) })
		var got []entry
		if got, spare = sortEntries(list, spare); !slices.Equal(got, wanted) || cap(spare) < n {
			t.Fatalf("%d entries: %v, want %v", n, got, wanted)
		}
	}
}

// 256 rates of links are taken, and 64 links that go down in a fabric of cells.
func TestMostRates(t *testing.T) {
	for n, want := range map[int]string{256: "", 257: "links have 257 different rates, more than 256"} {
		sc := leafSpine(1, n, 0)
		for i := range sc.Links {
			sc.Links[i].Rate += units.BitRate(i)
		}
		if err := sc.check(); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%d rates: %v", n, err)
		}
	}
	for n, ok := range map[int]bool{64: true, 65: false} {
		sc := leafSpine(1, n, 0)
		sc.Balancing = balance.Config{Mode: balance.Cells, Cells: cells.Config{Credit: 1, Speedup: 1}}
		for i := range n {
			sc.Outages = append(sc.Outages, Outage{Link: i, Down: 1})
		}
		if err := sc.check(); (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "65 links go down in a fabric of cells, more than 64") {
			t.Errorf("%d links: %v", n, err)
		}
	}
}

// Where nothing waits a message takes what it takes alone: whatever its last packet, links, headers and gaps are.
func TestAloneIsIdeal(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for i, size := range []units.Bytes{1, 64, 999, 1000, 1001, 1064, 1999, 2000, 2001, 2500, 3000, 9001, 12_345} {
		for _, dst := range []int{1, 2} {
			sc := leafSpine(2, 2, 2)
			sc.ExactIdeal = true
			if i%2 == 1 {
				sc.Wire = Ethernet()
			}
			for l := range sc.Links { // whatever is slowest
				sc.Links[l].Rate = units.BitRate(20+random.IntN(100)) * units.Gbps
			}
			sc.Transport.Host.Post, sc.Transport.Host.Deliver = units.Time(random.IntN(1000)), units.Time(random.IntN(1000))
			sc.flow(0, dst, size, 0)
			f := run(t, sc)[0]
			// A short last packet's acknowledgement may wait for the one before it.
			if even := size <= 1000 || size%1000 == 0; f.Slowdown < 1-1e-9 || even && f.Slowdown > 1+1e-9 || f.Slowdown > 1.02 {
				t.Errorf("%d B to %d: %v of what it takes alone", size, dst, f.Slowdown)
			}
		}
	}
}

// 255 curves are told apart.
func TestMostCurves(t *testing.T) {
	for n, want := range map[int]string{255: "", 256: "256 different curves, more than 255"} {
		sc := leafSpine(1, n, 0)
		sc.ECN = nil
		for i := range sc.Links {
			sc.Links[i].Egress[1] = &Egress{ECN: [classes]ECN{3: {KMin: 1000, KMax: units.Bytes(2000 + i), PMax: 1}}}
		}
		sc.flow(0, 1, 1000, 0)
		if _, err := newEngine(sc); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d curves: %v", n, err)
		}
	}
}

// Counters of a chip's buffer are called by its queues and priority groups, and tell what these hold in whole cells, as
// the account at the end does.
func TestGaugesOfChips(t *testing.T) {
	sc := oneSwitch(2, chipBuffer(2, 5000, 3000, -1))
	b := sc.Silicon[2]
	b.PG[3], b.Queue[3] = 4, 5
	sc.flow(0, 1, 1000, 0)
	s := must.Get(newEngine(sc))(t)
	if v := s.silicon[2].Enqueue(&mmu.Packet{InPort: 0, PG: 4, OutPort: 1, Queue: 5, Bytes: 1001}); v.Dropped() {
		t.Fatal(v)
	}
	cell := int64(b.Config.CellBytes)
	held := (1001 + cell - 1) / cell * cell
	seen := map[string]int64{}
	for _, g := range s.gauges(sc) {
		switch g.kind {
		case countPG, countHeadroom, countXOFF:
			seen[g.kind+":"+g.name] = s.read(&g, units.Microsecond)
		case countQueue:
			seen[g.kind+":"+g.name] = 0
		}
	}
	for name, want := range map[string]int64{"pg:2.1.4": held, "pg:2.2.4": 0, "headroom:2.1.4": 0, "queue:2.1.5": 0, "queue:2.2.5": 0} {
		if got, ok := seen[name]; !ok || got != want {
			t.Errorf("%s: %d of %v, want %d", name, got, seen, want)
		}
	}
	if at := s.silicon[2].PG(0, 4); seen["xoff:2.1.4"] != int64(at.Threshold)*cell || seen["xoff:2.1.4"] == 0 {
		t.Errorf("%d B, a threshold of %d cells", seen["xoff:2.1.4"], at.Threshold)
	}
	if l := s.ledger(); l.Buffered != held {
		t.Errorf("%d B counted at the end, want %d", l.Buffered, held)
	}
}

// A pause is obeyed after the response of the port, and one that is taken back before is obeyed no longer; a port that is
// deaf takes no notice.
func TestPausesThatAreTakenBack(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	sc.Links[0].Response[0] = 7000
	sc.flow(0, 1, 1000, 0)
	s := must.Get(newEngine(sc))(t)
	frame := func(port int32, kind packetKind) {
		id := s.take()
		s.packets[id] = packet{kind: kind, label: label(3)}
		s.receivePFC(port, &s.ports[port], id, &s.packets[id])
	}
	p := &s.ports[0]
	s.now = 500
	if frame(0, pauseFrame); p.obeying != 1<<3 || p.paused != 0 || s.obeyAt[3] != 7500 {
		t.Errorf("%+v, obeys at %d", p, s.obeyAt[3])
	}
	s.now = 600
	if frame(0, pauseFrame); s.obeyAt[3] != 7500 {
		t.Errorf("a second one: %d", s.obeyAt[3])
	}
	if frame(0, resumeFrame); p.obeying != 0 || p.paused != 0 {
		t.Errorf("%+v", p)
	}
	q := &s.ports[2] // of a host without a response
	if frame(2, pauseFrame); q.paused != 1<<3 || q.obeying != 0 {
		t.Errorf("%+v", q)
	}
	if frame(2, resumeFrame); q.paused != 0 {
		t.Errorf("%+v", q)
	}
	q.trouble = deaf
	if frame(2, pauseFrame); q.paused != 0 {
		t.Errorf("a deaf port: %+v", q)
	}
}
