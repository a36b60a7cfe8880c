package sim

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// Each setting of the transport is where the handling of packets reads it.
func TestTransportOfScenario(t *testing.T) {
	sc := &Scenario{Congestion: Congestion{Algorithm: UseSwift}, Wire: Ethernet()}
	sc.Transport = Transport{
		Payload: 1, AckInterval: 2, Chunk: 3, BackToZero: true, Acks: AcksApart, AckClass: 4, Unpaced: true, CNPInterval: 5, CNPPerPort: true, DirectPlacement: true, NackInterval: 6, AckTimeout: 7, Retries: 8, CNPClass: 9,
	}
	want := transport{
		payload: 1, wire: wire{62 + 8, 66 + 8, 78, 64}, telemetry: 8, ackInterval: 2, chunk: 3, nackInterval: 6, cnpInterval: 5, acks: AcksApart, ackClass: 4, backToZero: true, unpaced: true, cnpPerPort: true, cnpClass: 9,
		directPlacement: true, ackTimeout: 7, retries: 8,
	}
	must.Equal(t, newTransport(sc), want)
	must.Equal(t, newTransport(&Scenario{}), transport{wire: wire{48, 60, 60, 43}})
	// The class that writes most counts for all.
	sc.Classes[5] = &ClassControl{Congestion: Congestion{Algorithm: UseHPCC}}
	if got := newTransport(sc); got.telemetry != 42 || got.dataHeader != 62+42 {
		t.Errorf("%+v", got)
	}
}

// Messages of one number between the same hosts share a queue pair; of number 0 each has its own; TCP's are apart, and work
// has none.
func TestQueuePairsOfMessages(t *testing.T) {
	flows := []Flow{
		{Src: 0, Dst: 1, Bytes: 10, QueuePair: 1, Start: 5, Delay: 6, After: []int32{2, 3}}, {Src: 0, Dst: 1, Bytes: 10, QueuePair: 1}, {Src: 0, Dst: 1, Bytes: 10, QueuePair: 2}, {Src: 0, Dst: 2, Bytes: 10, QueuePair: 1}, {Src: 1, Dst: 0, Bytes: 10, QueuePair: 1},
		{Src: 0, Dst: 1, Bytes: 10, QueuePair: 1, TCP: true}, {Src: 0, Dst: 1, Bytes: 10}, {Src: 0, Dst: 1, Bytes: 10}, {Src: 0, Dst: 0}, {Src: 0, Dst: 1, Bytes: 10, QueuePair: 1, TCP: true},
	}
	s := &builder{engine: &engine{}}
	if first := s.groupFlows(flows); !slices.Equal(first, []int{0, 2, 3, 4, 5, 6, 7}) {
		t.Errorf("%v", first)
	}
	for i, want := range []int32{0, 0, 1, 2, 3, 4, 5, 6, none, 4} {
		if m := &s.messages[i]; m.pair != want || m.next != none || m.bytes != int64(flows[i].Bytes) {
			t.Errorf("message %d: %+v, want queue pair %d", i, m, want)
		}
	}
	if m := &s.messages[0]; m.waits != 2 || m.earliest != 5 || m.delay != 6 {
		t.Errorf("%+v", m)
	}
	for _, c := range []struct {
		f    Flow
		want bool
	}{{Flow{Src: 1, Dst: 1}, true}, {Flow{Src: 1, Dst: 1, Bytes: 1}, false}, {Flow{Src: 1, Dst: 2}, false}} {
		if c.f.work() != c.want {
			t.Errorf("%+v", c.f)
		}
	}
	// Of DC the initiators of a host are by number, whatever the destination.
	sc := leafSpine(1, 3, 0)
	sc.Transport.Service = DC
	for _, f := range [][3]int{{0, 1, 1}, {0, 2, 1}, {0, 1, 2}, {1, 2, 1}, {0, 1, 0}, {0, 2, 0}} {
		sc.flow(f[0], f[1], 1000, 0)
		sc.Flows[len(sc.Flows)-1].QueuePair = f[2]
	}
	e := must.Get(newEngine(sc))(t)
	for pair, want := range []int32{0, 0, 1, 2, 3, 4} {
		must.Equalf(t, e.flows[pair].initiator, want, "queue pair %d is of initiator", pair)
	}
	for at, port := range []int32{0, 0, 2, 0, 0} {
		if d := e.initiators[at]; d.port != port || d.first != none {
			t.Errorf("%+v", d)
		}
	}
}

// What a packet that never waits takes over a way: cables and switches, and a transmission on each link; where it may take
// several, the shortest of them with the fastest links between.
func TestWaysOfPackets(t *testing.T) {
	for _, mode := range []balance.Mode{balance.ECMP, balance.Spray} {
		sc := leafSpine(2, 2, 2)
		sc.Balancing.Mode, sc.Transport.DirectPlacement, sc.ExactIdeal = mode, mode == balance.Spray, true
		sc.Links[5].Rate, sc.Links[7].Rate = 400*units.Gbps, 400*units.Gbps
		chipBuffers(sc, 1<<20)
		sc.Latency = []units.Time{4: 100, 5: 100, 6: 100, 7: 100}
		sc.flow(0, 1, 1000, 0)
		sc.flow(0, 2, 1000, 0)
		sc.flow(1, 3, 1000, 0)
		s := laid(t, sc)
		rates := func(w int32) (list []float64) {
			for _, rate := range s.ways.list[w].rates {
				list = append(list, s.rates[rate])
			}
			return list
		}
		f := &s.flows[0]
		if w := s.ways.list[f.wayThere]; w.delay != 2_000_100 || !slices.Equal(rates(f.wayThere), []float64{100e9, 100e9}) || f.wayBack != f.wayThere {
			t.Errorf("%+v at %v", w, rates(f.wayThere))
		}
		for i := range s.flows[1:] {
			f := &s.flows[1+i]
			want := []float64{100e9, 200e9, 200e9, 100e9}
			if mode == balance.Spray || s.routes[f.dataRoute] == 10 { // over the second spine
				want[1], want[2] = 400e9, 400e9
			}
			if w := s.ways.list[f.wayThere]; w.delay != 4_000_300 || !slices.Equal(rates(f.wayThere), want) {
				t.Errorf("%v: %+v at %v, want %v", mode, w, rates(f.wayThere), want)
			}
		}
		if mode == balance.Spray && (len(s.ways.list) != 2 || s.flows[1].wayThere != s.flows[2].wayThere) {
			t.Errorf("%d ways", len(s.ways.list))
		}
	}
	// 1 ps per byte on the first link and 2 on the second, 100 ps of delay: three packets, the last one short.
	s := &builder{engine: &engine{hosts: hosts{transport: transport{payload: 1000, wire: wire{dataHeader: 48, ackSize: 60}}, host: hostTimes{post: 7, deliver: 11}}}}
	s.txTimes = [][]int32{make([]int32, 1100), make([]int32, 1100)}
	for size := range s.txTimes[0] {
		s.txTimes[0][size], s.txTimes[1][size] = int32(size), int32(2*size)
	}
	s.ways.list = []way{{100, []uint8{0, 1}}, {30, []uint8{1, 0}}, {0, []uint8{1, 0}}}
	if all, slowest, last := s.through(&s.ways.list[0], 10); all != 130 || slowest != 20 || last != 20 {
		t.Errorf("%d, %d and %d ps", all, slowest, last)
	}
	if all, slowest, last := s.through(&s.ways.list[2], 10); all != 30 || slowest != 20 || last != 10 {
		t.Errorf("%d, %d and %d ps", all, slowest, last)
	}
	const hosts, ack = 7 + 11, 30 + 3*60
	for bytes, want := range map[int64]int64{
		1000: 100 + 3*1048, 1: 100 + 3*49,
		2000: 100 + 3*1048 + 2*1048,         // one more on the slower link
		1500: 100 + 3*1048 + 2*548,          // the rest right behind the full one
		2500: 100 + 3*1048 + 2*1048 + 2*548, // two more
	} {
		if got := s.alone(&message{bytes: bytes}, &flow{wayThere: 0, wayBack: 1}); got != want+ack+hosts {
			t.Errorf("%d B take %d ps alone, want %d", bytes, got, want+ack+hosts)
		}
	}
	// With the slower link first, the last packet is there when it has taken both.
	must.Equalf(t, s.alone(&message{bytes: 2500}, &flow{wayThere: 2, wayBack: 1}), int64(2*2096+3*548+ack+hosts), "ps:")
}

// A node's numbers are those of its own PCG, 53 bits of each; ns-3's come instead where a stream is asked for.
func TestNumbersOfNodes(t *testing.T) {
	word := binary.BigEndian.Uint64([]byte("roceplan"))
	s := &engine{randoms: newRandoms(42, 3)}
	for node := range uint64(3) {
		own := rand.NewPCG(42, word+2*node)
		for range 100 {
			if got, want := s.uniform(int32(node)), float64(own.Uint64()>>11)*0x1p-53; got != want {
				t.Fatalf("node %d: %v, want %v", node, got, want)
			}
		}
	}
	s.streams = newStreams(1, 3)
	want := newStreams(1, 3)
	must.Equal(t, s.uniform(0), want.uniform())
	for first, has := range map[int]bool{0: false, 1: true, 5: true} {
		sc := leafSpine(1, 2, 0)
		sc.flow(0, 1, 1, 0)
		sc.FirstStream, sc.Seed = first, 2
		s, err := newEngine(sc)
		if err != nil || (s.streams != nil) != has || has && *s.streams != *newStreams(2, first) {
			t.Errorf("%v: stream %d: %v", err, first, s.streams)
		}
	}
}

// How far a way is jammed behind a port: the least wait of the ways that go on from there, as the last signal told it; nothing at
// a host, and for ever where none goes on.
func TestSignalsByHand(t *testing.T) {
	sc := leafSpine(2, 2, 2)
	sc.Balancing = balance.Config{Mode: balance.Global, SignalInterval: 1000}
	sc.flow(0, 2, 1000, units.Second)
	s := laid(t, sc)
	g := s.balancer.Signals
	pk := &packet{flow: 0, kind: dataPacket, route: s.flows[0].dataRoute}
	for port, wait := range map[int32]int64{8: 70, 10: 50, 13: 30, 15: 20} {
		g.Tell(port, wait)
	}
	for port, want := range map[int32]int64{0: 50, 8: 30, 10: 20, 5: 0} {
		if got := s.beyond(port, pk); got != want {
			t.Errorf("behind port %d wait %d ps, want %d", port, got, want)
		}
	}
	g.Tell(8, 40)
	must.Equalf(t, s.beyond(0, pk), 40, "ps:")
	planned := func() (at []int64) {
		for len(s.agenda.tasks) > 0 {
			if e := s.agenda.tasks.pop(); e.id&(1<<taskBits-1) == taskSignal {
				at = append(at, e.at)
			}
		}
		return at
	}
	ask := func() { s.shortest(s.ports[8].node, pk, []int32{8, 10}) }
	ask()
	ask() // once
	if at := planned(); !slices.Equal(at, []int64{1000}) {
		t.Errorf("signals at %v", at)
	}
	for now, want := range map[int64]int64{1000: 2000, 1999: 2000, 2000: 3000} {
		g.Told(0)
		g.Told(0) // nothing has changed since: none are planned
		s.now = now
		ask()
		if at := planned(); !slices.Equal(at, []int64{want}) {
			t.Errorf("asked at %d, signals at %v", now, at)
		}
	}
	s.now = 5000
	s.signal() // all are empty: others than what was told
	if at := planned(); !slices.Equal(at, []int64{6000}) || g.Least([]int32{8})+g.Least([]int32{10})+g.Least([]int32{13})+g.Least([]int32{15}) != 0 {
		t.Errorf("signals at %v", at)
	}
	g.Tell(0, 9)
	g.Told(5000)
	if s.signal(); len(planned()) != 0 || g.Least([]int32{0}) != 9 { // of a host's port there are none
		t.Error("signals without a change")
	}
	s.ports[13].backlog, s.queue(13, 3).bytes = 25_000, 25_000 // at 200 Gb/s
	if s.signal(); g.Least([]int32{13}) != s.load(13) || s.load(13) < 1_000_000 || g.Least([]int32{8}) != 0 {
		t.Errorf("%d ps for %d", g.Least([]int32{13}), s.load(13))
	}
}

// What a congestion control needs, in any class.
func TestBoundsOfControls(t *testing.T) {
	for name, c := range map[string]struct {
		c    ClassControl
		want string
	}{
		"nothing":        {ClassControl{}, ""},
		"Swift":          {ClassControl{Congestion: Congestion{Algorithm: UseSwift}}, ""},
		"DCTCP":          {ClassControl{Congestion: Congestion{Algorithm: UseDCTCP, MinRate: 1}}, ""},
		"DCTCP at rest":  {ClassControl{Congestion: Congestion{Algorithm: UseDCTCP}}, "least rate of 0"},
		"TIMELY at rest": {ClassControl{Congestion: Congestion{Algorithm: UseTIMELY}}, "least rate of 0"},
		"HPCC":           {ClassControl{Congestion: Congestion{Algorithm: UseHPCC, MinRate: 1}, Window: PathBDP}, ""},
		"without window": {ClassControl{Congestion: Congestion{Algorithm: UseHPCC, MinRate: 1}}, "HPCC needs a window"},
		"DCQCN":          {ClassControl{Congestion: Congestion{Algorithm: UseDCQCN, MinRate: 1}}, "intervals of 0, 0 and 0 ps"},
		"RTTCC":          {ClassControl{Congestion: Congestion{Algorithm: UseRTTCC, MinRate: 1}}, "steps of 0 bit/s"},
	} {
		sc := leafSpine(1, 2, 0)
		sc.Classes[6] = &c.c
		err := sc.check()
		if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	// What is wrong for all is told once.
	sc := leafSpine(1, 2, 0)
	sc.Congestion.Algorithm = UseHPCC
	sc.Classes[0], sc.Classes[7] = &ClassControl{}, &ClassControl{}
	if err := sc.check(); err == nil || err.Error() != "HPCC needs a window\na least rate of 0 bit/s stops queue pairs forever" {
		t.Errorf("%v", err)
	}
}

// HPCC over ports that change: a record is compared with the last one of its port; of a port that is new there is none, and one that
// was overtaken tells nothing.
func TestHPCCOfOtherPorts(t *testing.T) {
	record := func(ns int64, sent uint64) hopRecord { return newHopRecord(ns*1000, sent, 0, 1) }
	h := &hpccState{}
	h.last[1], h.ports[1] = record(100, 1280), 7
	told := func(port int32, r hopRecord) *telemetry {
		own := &telemetry{hops: 2}
		own.hop[1], own.port[1] = r, port
		return own
	}
	if h.change(1, told(9, record(200, 2560))) || h.ports[1] != 9 || h.last[1] != record(200, 2560) || h.others[7] != record(100, 1280) {
		t.Errorf("%+v", h)
	}
	if !h.change(1, told(7, record(300, 3840))) || h.ports[1] != 7 || h.last[1] != record(100, 1280) || h.others[9] != record(200, 2560) {
		t.Errorf("%+v", h)
	}
	// 12,800 B in 2,048 ns are half of 100 Gb/s; with a base round trip as long the average is that.
	for _, c := range []struct {
		name     string
		manyWays bool
		hops     uint8
		port     int32
		now      int64
		rate     uint64
	}{
		{"the same port", false, 1, 5, 3048, 50e9/(0.5/0.95) + 1}, {"of several ways", true, 1, 5, 3048, 50e9/(0.5/0.95) + 1}, {"overtaken", true, 1, 5, 900, 50e9}, {"a new port", false, 1, 6, 3048, 50e9}, {"too many hops", false, 6, 5, 3048, 50e9}, {"all hops", false, 5, 5, 3048, 50e9/(0.5/0.95) + 1},
	} {
		s := &engine{paths: paths{manyWays: c.manyWays}}
		s.rates, s.ports, s.nics = []float64{100e9}, []port{{}}, make([]nic, 1)
		l := &law{ClassControl: ClassControl{Congestion: Congestion{MinRate: 1, HPCC: HPCC{TargetUtilization: 0.95, Additive: 1, UnitScale: 1}}}}
		f := &flow{law: l, rate: 50e9, lineRate: 100e9, baseRTT: 2_048_000, window: 1000, next: 9000, lastSize: 1000, nextSend: 1_000_000}
		h := &hpccState{updateAt: 5000, path: hpccReference{1, 50e9, 0}}
		now := &telemetry{hops: c.hops}
		for i := range h.last {
			h.last[i], h.ports[i], now.hop[i], now.port[i] = record(1000, 12_800), 5, record(c.now, 25_600), c.port
		}
		h.acknowledged(s, f, 5001, now)
		if math.Abs(float64(f.rate)-float64(c.rate)) > 1 || h.updateAt != 9000 {
			t.Errorf("%s: %d, want %d; updates at %d", c.name, f.rate, c.rate, h.updateAt)
		}
		// The packet behind the last one leaves as if that had been sent at the new rate.
		must.Equalf(t, f.nextSend, 1_000_000-160_000+int64(math.Round(8e15/float64(f.rate))), "%s: sends at", c.name)
	}
	// The first records are compared with nothing, whatever port they are of.
	first := &telemetry{hops: 1}
	first.hop[0] = record(1000, 12_800)
	h, f := &hpccState{path: hpccReference{1, 50e9, 0}}, &flow{law: &law{}, rate: 50e9, lineRate: 100e9, baseRTT: 2_048_000, window: 1000, next: 9000}
	if h.acknowledged(&engine{}, f, 1000, first); f.rate != 50e9 || h.last != first.hop || h.updateAt != 9000 || h.path != (hpccReference{1, 50e9, 0}) {
		t.Errorf("%d, %+v", f.rate, h)
	}
	// The busiest hop counts; each by itself, the least rate.
	for perHop, want := range map[bool]float64{false: 50e9 / (0.5 / 0.95), true: 30e9} {
		s := &engine{}
		s.rates, s.ports, s.nics = []float64{100e9, 200e9}, []port{{}}, make([]nic, 1)
		l := &law{ClassControl: ClassControl{Congestion: Congestion{MinRate: 1, HPCC: HPCC{TargetUtilization: 0.95, UnitScale: 1, PerHop: perHop}}}}
		f := &flow{law: l, rate: 50e9, lineRate: 100e9, baseRTT: 2_048_000, window: 1000, next: 4000, lastSize: 1000}
		h := &hpccState{updateAt: 5000, path: hpccReference{1, 50e9, 0}, hop: []hpccReference{{1, 90e9, 0}, {1, 7_894_736_842, 0}}}
		now := &telemetry{hops: 2, rate: [maxHops]uint8{0, 1}} // halves of 100 and quarters of 200 Gb/s
		for i := range 2 {
			now.hop[i] = record(2048, 12_800)
		}
		if h.acknowledged(s, f, 5001, now); math.Abs(float64(f.rate)-want) > 4 || h.updateAt != 5000 { // 4,000 is behind
			t.Errorf("per hop %v: %d, want %.0f; updates at %d", perHop, f.rate, want, h.updateAt)
		}
	}
}

// Work is a message of 0 B from a host to itself, and nothing else is; what is sent many times is so by RDMA alone, on a queue
// pair of its own, each time after as many others.
func TestBoundsOfMessages(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(sc *Scenario, f *Flow)
		want string
	}{
		"work":                 {func(_ *Scenario, f *Flow) { f.Dst, f.Bytes = f.Src, 0 }, ""},
		"work of a byte":       {func(_ *Scenario, f *Flow) { f.Dst = f.Src }, "not two hosts"},
		"work on a queue pair": {func(_ *Scenario, f *Flow) { f.Dst, f.Bytes, f.QueuePair = f.Src, 0, 1 }, "not two hosts"},
		"work by TCP":          {func(_ *Scenario, f *Flow) { f.Dst, f.Bytes, f.TCP = f.Src, 0, true }, "not two hosts"},
		"work many times":      {func(_ *Scenario, f *Flow) { f.Dst, f.Bytes, f.Repeat = f.Src, 0, 2 }, "not two hosts"},
		"work of a switch":     {func(_ *Scenario, f *Flow) { f.Src, f.Dst, f.Bytes = 3, 3, 0 }, "not two hosts"},
		"work before all":      {func(_ *Scenario, f *Flow) { f.Dst, f.Bytes, f.Start = f.Src, 0, -1 }, "starts at -1 ps"},
		"nothing to another":   {func(_ *Scenario, f *Flow) { f.Bytes = 0 }, "has 0 B"},
		"twice":                {func(_ *Scenario, f *Flow) { f.Repeat = 2 }, ""},
		"twice, DC":            {func(sc *Scenario, f *Flow) { f.Repeat, sc.Transport.Service = 2, DC }, "nor DC"},
		"twice, XRC":           {func(sc *Scenario, f *Flow) { f.Repeat, sc.Transport.Service = 2, XRC }, ""},
		"twice, selectively": {func(sc *Scenario, f *Flow) {
			f.Repeat, sc.Transport.Selective, sc.Transport.DirectPlacement, sc.Transport.AckTimeout = 2, true, true, 1
		}, "nor selective"},
		"each, once":           {func(_ *Scenario, f *Flow) { f.Each = []int32{0} }, "is sent 0 times"},
		"each":                 {func(sc *Scenario, f *Flow) { f.Repeat, f.Each, sc.Flows[0].Repeat = 2, []int32{0}, 2 }, ""},
		"each, behind":         {func(sc *Scenario, f *Flow) { f.Repeat, f.Each, sc.Flows[0].Repeat, f.Ahead = 2, []int32{0}, 2, -1 }, ""},
		"each, further behind": {func(sc *Scenario, f *Flow) { f.Repeat, f.Each, sc.Flows[0].Repeat, f.Ahead = 2, []int32{0}, 2, -2 }, "-2 times ahead"},
		"each, behind itself":  {func(_ *Scenario, f *Flow) { f.Repeat, f.Each, f.Ahead = 2, []int32{1}, -1 }, "not of itself"},
		"each, after itself":   {func(_ *Scenario, f *Flow) { f.Repeat, f.Each = 2, []int32{1} }, ""},
		"each, more often":     {func(sc *Scenario, f *Flow) { f.Repeat, f.Each, sc.Flows[0].Repeat = 2, []int32{0}, 3 }, "not all there as often"},
		"its own queue pair":   {func(_ *Scenario, f *Flow) { f.Repeat, f.QueuePair = 2, 4 }, ""},
		"a shared queue pair":  {func(sc *Scenario, f *Flow) { f.Repeat, f.QueuePair, sc.Flows[0].QueuePair = 2, 4, 4 }, "is its own"},
		"TCP's number": {func(sc *Scenario, f *Flow) {
			f.Repeat, f.QueuePair, sc.Flows[0].QueuePair, sc.Flows[0].TCP = 2, 4, 4, true
		}, ""},
		"another number": {func(sc *Scenario, f *Flow) { f.Repeat, f.QueuePair, sc.Flows[0].QueuePair = 2, 4, 5 }, ""},
		"the other way": {func(sc *Scenario, f *Flow) {
			f.Repeat, f.QueuePair, sc.Flows[0].QueuePair, f.Src, f.Dst = 2, 4, 4, 1, 0
		}, ""},
		"two without a number":  {func(sc *Scenario, f *Flow) { f.Repeat, sc.Flows[0].Repeat = 2, 2 }, ""},
		"a link to node 0":      {func(sc *Scenario, _ *Flow) { sc.Links[0].A, sc.Links[0].B = 3, 0 }, ""},
		"the last host":         {func(_ *Scenario, f *Flow) { f.Dst = 2 }, ""},
		"after the last":        {func(_ *Scenario, f *Flow) { f.After = []int32{2} }, "after flows [2] of 2"},
		"after the first":       {func(_ *Scenario, f *Flow) { f.After = []int32{0} }, ""},
		"a switch is no sender": {func(_ *Scenario, f *Flow) { f.Src = 3 }, "not two hosts"},
	} {
		sc := leafSpine(1, 3, 0)
		sc.flow(0, 1, 1000, 0)
		sc.flow(0, 1, 1000, 0)
		c.edit(sc, &sc.Flows[1])
		err := sc.check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
