package sim

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// Deficit round robin as its authors have it: on its turn a class gets its quantum and sends while that lasts; what it
// saves is kept as long as it has packets. A class that is paused is passed over, with what it saved. Before all others
// goes class 0, paused or not, then those that are strict, the highest first.
func TestTurnsByOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for round := range 30 {
		sc := pairOfHosts()
		sc.Scheduler.Strict = uint8(random.Uint64() & random.Uint64())
		for class := range sc.Scheduler.Weights {
			sc.Scheduler.Weights[class] = uint8(random.IntN(6))
		}
		s := laid(t, sc)
		p := &s.ports[3]
		least := 0
		for _, w := range sc.Scheduler.Weights {
			if w > 0 && (least == 0 || int(w) < least) {
				least = int(w)
			}
		}
		var saved, quantum [classes]int
		for class, w := range sc.Scheduler.Weights {
			quantum[class] = max(int(w), least, 1) * 1048 / max(least, 1)
		}
		waiting, turn := [classes][]int{}, 0
		choose := func() (int, bool) {
			ready := func(class int) bool { return len(waiting[class]) > 0 && (class == 0 || p.paused>>class&1 == 0) }
			some := false
			for class := range classes {
				some = some || ready(class)
			}
			if ready(0) || !some {
				return 0, some
			}
			for class := classes - 1; class > 0; class-- {
				if ready(class) && sc.Scheduler.Strict>>class&1 != 0 {
					return class, true
				}
			}
			for {
				if ready(turn) && waiting[turn][0] <= saved[turn] {
					saved[turn] -= waiting[turn][0]
					return turn, true
				}
				if len(waiting[turn]) == 0 {
					saved[turn] = 0
				}
				for turn = (turn + 1) % classes; !ready(turn); turn = (turn + 1) % classes {
				}
				saved[turn] += quantum[turn]
			}
		}
		for range 2000 {
			switch random.IntN(5) {
			case 0, 1:
				class, size := uint8(random.IntN(classes)), 60+random.IntN(989)
				id, _ := s.come(packet{label: label(class), size: uint16(size)})
				s.enqueue(3, p, class, id)
				waiting[class] = append(waiting[class], size)
			case 2:
				p.paused ^= 1 << random.IntN(classes)
			default:
				want, some := choose()
				got, ok := s.nextClass(3, p)
				if int(got) != want || ok != some {
					t.Fatalf("round %d, %+v: class %d, %v; want %d, %v", round, sc.Scheduler, got, ok, want, some)
				}
				if ok {
					s.put(s.dequeue(3, p, got))
					waiting[want] = waiting[want][1:]
				}
			}
		}
	}
	// Without a scheduler each class has its turn.
	s := laid(t, pairOfHosts())
	s.ports[3].waiting, s.ports[3].last = 1<<2|1<<5, 2
	if class, ok := s.nextClass(3, &s.ports[3]); class != 5 || !ok || s.dwrr != nil {
		t.Errorf("class %d, %v", class, ok)
	}
}

// Classes whose time has not come do not send; if there are no others, the port is called at the first one's time, once.
func TestCappedClasses(t *testing.T) {
	for name, c := range map[string]struct {
		ready, limited uint8
		next           [classes]int64
		due            bool
		held           uint8
		plans          []int64
	}{
		"no limit":             {1<<3 | 1<<4, 0, [classes]int64{3: 900, 4: 900}, false, 0, nil},
		"its time has come":    {1 << 3, 1 << 3, [classes]int64{3: 500}, false, 0, nil},
		"its time comes":       {1 << 3, 1 << 3, [classes]int64{3: 501}, false, 1 << 3, []int64{501}},
		"that of both":         {1<<3 | 1<<7, 1<<3 | 1<<7, [classes]int64{3: 700, 7: 600}, false, 1<<3 | 1<<7, []int64{600}},
		"another one may":      {1<<3 | 1<<7, 1<<3 | 1<<7, [classes]int64{3: 700, 7: 400}, false, 1 << 3, nil},
		"another has no limit": {1<<3 | 1<<7, 1 << 3, [classes]int64{3: 700}, false, 1 << 3, nil},
		"a third is not ready": {1 << 3, 1<<3 | 1<<7, [classes]int64{3: 700, 7: 600}, false, 1 << 3, []int64{700}},
		"it is planned":        {1 << 3, 1 << 3, [classes]int64{3: 700}, true, 1 << 3, nil},
		"nothing is ready":     {0, 1 << 3, [classes]int64{3: 700}, false, 0, nil},
	} {
		sc := pairOfHosts()
		e := &Egress{}
		e.MaxRate[3], e.MaxRate[7] = units.Gbps, units.Gbps
		sc.Links[1].Egress[1] = e
		s := laid(t, sc)
		h := s.shapers
		if h.limited[3] != 1<<3|1<<7 || h.limited[1] != 0 || h.of(3, 3).rate != 1e9 || h.of(3, 4).rate != 0 {
			t.Fatalf("%+v", h)
		}
		s.now = 500
		h.limited[3], h.due[3] = c.limited, c.due
		for class, next := range c.next {
			h.of(3, uint8(class)).next = next
		}
		if got := h.capped(s, 3, c.ready); got != c.held || !slices.Equal(s.tasks(taskShaper, 3), c.plans) || h.due[3] != (c.due || c.plans != nil) {
			t.Errorf("%s: %08b are held, it is called at %v", name, got, s.tasks(taskShaper, 3))
		}
		if h.due[3] {
			s.now = 700
			id, _ := s.come(packet{label: 3, in: 1})
			s.usage(1, 3).ingress = 1048
			s.enqueue(3, &s.ports[3], 3, id)
			if h.ready(s, 3); h.due[3] || s.ports[3].sent != 1048 {
				t.Errorf("%s: %d B sent", name, s.ports[3].sent)
			}
		}
		// What is held takes no turn.
		s.now = 500
		h.limited[3], h.due[3] = 1<<3, true
		h.of(3, 3).next = 501
		s.ports[3].waiting = 1<<3 | 1<<4
		for range 2 {
			id, _ := s.come(packet{label: 4, in: 1})
			s.enqueue(3, &s.ports[3], 4, id)
		}
		if class, ok := s.nextClass(3, &s.ports[3]); class != 4 || !ok {
			t.Errorf("class %d, %v", class, ok)
		}
	}
}

// A queue of no more than KMin is not marked, one above KMax always, and between them with a probability that rises to
// PMax: as a node's own random numbers say.
func TestMarkingCurve(t *testing.T) {
	m := newECNProfile(ECN{KMin: 1000, KMax: 5000, PMax: 0.2, Weight: 0.25})
	if !m.active || m.kmin != 1000 || m.kmax != 5000 || m.slope != 0.2/4000 || m.byPart || m.period != 0 || m.keep != 0.75 {
		t.Errorf("%+v", m)
	}
	if step := newECNProfile(ECN{KMin: 1000, KMax: 1000, PMax: 1}); step.slope != 1 {
		t.Errorf("%+v", step)
	}
	if polled := newECNProfile(ECN{KMax: 1, PollPeriod: 7, ByPart: true}); polled.period != 7 || polled.byPart {
		t.Errorf("%+v", polled)
	}
	if part := newECNProfile(ECN{KMax: 1, ByPart: true}); !part.byPart {
		t.Errorf("%+v", part)
	}
	s := &engine{randoms: make([]rand.PCG, 2)}
	twin := rand.NewPCG(1, 2)
	s.randoms[1].Seed(1, 2)
	draw := func() float64 { return float64(twin.Uint64()>>11) / (1 << 53) }
	for _, bytes := range []uint32{0, 999, 1000} {
		if s.draws(1, &m, bytes) {
			t.Errorf("%d B are marked", bytes)
		}
	}
	if !s.draws(1, &m, 5001) {
		t.Error("5,001 B are not marked")
	}
	marked := 0
	for i := range uint32(4000) { // of 1,001 to 5,000 B
		want := draw() < 0.2*float64(i+1)/4000
		if got := s.draws(1, &m, 1001+i); got != want {
			t.Fatalf("%d B: marked %v", 1001+i, got)
		}
		if want {
			marked++
		}
	}
	if marked < 320 || marked > 480 { // 400, with a deviation of 18
		t.Errorf("%d of 4,000 are marked, want about 400", marked)
	}
	sure := newECNProfile(ECN{KMin: 1000, KMax: 2000, PMax: 1})
	none := newECNProfile(ECN{KMin: 1000, KMax: 2000, PMax: 0})
	for range 100 {
		if !s.draws(1, &sure, 2000) || s.draws(1, &none, 2000) || !s.draws(1, &none, 2001) {
			t.Fatal("at KMax the probability is PMax")
		}
	}
}

// A queue is compared as it is, by its average, or by what it holds of the part that a packet came into.
func TestWhatIsComparedForMarking(t *testing.T) {
	b := chipBuffer(2, 500_000, 3000, -1)
	b.Config.Slices, b.Config.Ports[1].Slice = 2, 1
	sc := oneSwitch(2, b)
	sc.flow(0, 1, 1000, units.Second)
	sc.ECN = []ECN{{Rate: 100 * units.Gbps, KMin: 100, KMax: 100, PMax: 1, ByPart: true}}
	s := laid(t, sc)
	if s.mostParts != 2 || len(s.parts) != 2*len(s.queues) || !s.noting || s.configs[1].part != 0 || s.configs[3].part != 1 {
		t.Fatalf("%d parts, %d counts", s.mostParts, len(s.parts))
	}
	for i, c := range []struct {
		kind        packetKind
		in          int32
		queue       uint32
		first, last uint32 // in the parts
		want        bool
	}{
		{dataPacket, 1, 500, 100, 400, false}, {dataPacket, 1, 0, 101, 0, true}, {dataPacket, 3, 500, 400, 100, false}, {dataPacket, 3, 0, 0, 101, true},
		{ackPacket, 1, 500, 100, 400, false}, {pauseFrame, 1, 101, 0, 0, true}, {dataPacket, unaccounted, 101, 0, 0, true}, {disconnectPacket, 1, 0, 101, 0, true},
	} {
		s.queue(3, 3).bytes = c.queue
		*s.inPart(3, 3, 1), *s.inPart(3, 3, 3) = c.first, c.last
		must.Equalf(t, s.congested(3, 3, &packet{kind: c.kind, in: c.in}), c.want, "%d:", i)
	}
	if s.countsParts(0, &packet{in: 1}) {
		t.Error("a host's queue has parts")
	}
	sc.Silicon[2].Config.Slices, sc.Silicon[2].Config.Ports[1].Slice = 1, 0
	if s = laid(t, sc); s.parts != nil || s.noting || s.countsParts(3, &packet{in: 1}) {
		t.Error("one part is a part")
	}
	sc.ECN[0].PollPeriod = 1000
	s = laid(t, sc)
	s.average(3, 3).value, s.queue(3, 3).bytes = 100.9, 500
	if s.congested(3, 3, &packet{in: 1}) {
		t.Error("an average of 100.9 B is marked")
	}
	if s.average(3, 3).value = 101; !s.congested(3, 3, &packet{in: 1}) {
		t.Error("an average of 101 B is not marked")
	}
	seen := map[*average]bool{}
	for pi := range int32(len(s.ports)) {
		for class := range uint8(classes) {
			seen[s.average(pi, class)] = true
		}
	}
	if len(seen) != len(s.queues) {
		t.Error("queues share an average")
	}
	sc.ECN = nil
	s = laid(t, sc)
	if s.queue(3, 3).bytes = 1 << 30; s.congested(3, 3, &packet{in: 1}) {
		t.Error("marked without a curve")
	}
}

// The average after n polls of one length is as far from it as keep^n of what it was; polls are at the multiples of the
// period, those behind the last change.
func TestPollsByHand(t *testing.T) {
	sc := pairOfHosts()
	sc.ECN = []ECN{{Rate: 100 * units.Gbps, KMin: 1, KMax: 1, PollPeriod: 100, Weight: 0.5}}
	s := laid(t, sc)
	s.curves[s.cell(3, 4)] = 0
	s.now = 1000
	if s.poll(3, 4); *s.average(3, 4) != (average{}) {
		t.Error("a queue without a curve is polled")
	}
	a := s.average(3, 3)
	for _, c := range []struct {
		now   int64
		bytes uint32
		value float64
		polls int64
	}{{99, 800, 0, 0}, {100, 800, 400, 1}, {150, 9999, 400, 1}, {399, 800, 700, 3}, {400, 700, 700, 4}, {500, 0, 350, 5}} {
		s.now, s.queue(3, 3).bytes = c.now, c.bytes
		if s.poll(3, 3); a.value != c.value || a.polls != c.polls {
			t.Errorf("at %d: %+v", c.now, a)
		}
	}
}

// What ports send by is made once of each kind: curves by what they say but for the rate, schedulers by their Egress.
func TestKindsOfEgress(t *testing.T) {
	one := &Egress{Scheduler: Scheduler{Strict: 4}, ECN: [classes]ECN{2: {Rate: 7, KMin: 1, KMax: 2}, 3: {KMin: 1, KMax: 2}, 4: {KMin: 1, KMax: 3}}}
	sc := leafSpine(1, 3, 0)
	sc.ECN = []ECN{{Rate: 100 * units.Gbps, KMin: 1, KMax: 2}, {Rate: units.Gbps, KMin: 5, KMax: 6}}
	sc.Links[0].Egress, sc.Links[1].Egress[1] = [2]*Egress{nil, one}, one
	sc.flow(0, 1, 1000, 0)
	s := laid(t, sc)
	if len(s.profiles) != 3 || s.profiles[0] != (ecnProfile{}) || len(s.dwrr.shares) != 1 || s.averages != nil || s.shapers != nil {
		t.Fatalf("%+v, %+v", s.profiles, s.dwrr.shares)
	}
	for _, c := range []struct {
		port, class int
		kmax        uint32
	}{{1, 2, 2}, {1, 3, 2}, {1, 4, 3}, {1, 5, 0}, {3, 4, 3}, {5, 5, 2}, {5, 0, 2}, {5, 7, 2}, {0, 4, 2}} {
		if m := s.curve(int32(c.port), uint8(c.class)); m.kmax != c.kmax || m.active != (c.kmax > 0) {
			t.Errorf("port %d, class %d: %+v", c.port, c.class, m)
		}
	}
	if s.dwrr.shares[0].strict != 4 || s.dwrr.kind[3] != 0 {
		t.Errorf("%+v", s.dwrr)
	}
	// With a scheduler of the scenario, ports without one of their own have that.
	sc.Scheduler.Weights[3] = 5
	s = laid(t, sc)
	if len(s.dwrr.shares) != 2 || s.dwrr.shares[s.dwrr.kind[1]].strict != 4 || s.dwrr.shares[s.dwrr.kind[3]].strict != 4 || s.dwrr.shares[s.dwrr.kind[5]].strict != 0 || s.dwrr.kind[5] != s.dwrr.kind[0] {
		t.Errorf("%+v", s.dwrr)
	}
	// A rate at which nobody marks.
	sc.Links[2].Rate = 50 * units.Gbps
	if s = laid(t, sc); s.curve(5, 3).active {
		t.Errorf("%+v", s.curve(5, 3))
	}
	// Ports of many switches have equal schedulers.
	many := leafSpine(1, 400, 0)
	for i := range many.Links {
		many.Links[i].Egress[1] = &Egress{}
	}
	many.flow(0, 1, 1000, 0)
	if s = laid(t, many); len(s.dwrr.shares) != 1 {
		t.Errorf("%d schedulers", len(s.dwrr.shares))
	}
	for n, ok := range map[int]bool{256: true, 257: false} { // of two ends of links
		sc := leafSpine(1, 129, 0)
		sc.ECN = nil
		for i := range n {
			sc.Links[i/2].Egress[i%2] = &Egress{Scheduler: Scheduler{Weights: [classes]uint8{1: uint8(i), 2: uint8(i >> 8)}}}
		}
		if n%2 == 0 { // those without one of their own have the scenario's, which is none
			sc.Links = sc.Links[:n/2]
		}
		sc.flow(0, 1, 1000, 0)
		if _, err := newEngine(sc); (err == nil) != ok || err != nil && !strings.HasPrefix(err.Error(), "ports have 257 different schedulers and 0 different curves, more than 255") {
			t.Errorf("%d schedulers: %v", n, err)
		}
	}
}

// What ports are is what their links say: ends, rates, delays, responses, how long pauses hold. Transmission times reach as
// far as the largest of packets and frames.
func TestPortsByHand(t *testing.T) {
	sc := leafSpine(1, 2, 1) // ports 4 and 5 between switches 2 and 3
	sc.ECN = nil
	sc.PFC = PFC{HostResponse: 11, SwitchResponse: 22, Quanta: 1}
	sc.Stop = units.Second
	sc.Links[1].Response, sc.Links[1].Delay = [2]units.Time{0, 33}, 444
	sc.flow(0, 1, 1000, 0)
	s := laid(t, sc)
	for i, want := range []struct {
		node, nic             int32
		response, hold, delay int64
		rate                  int64
	}{{0, 0, 11, 5120, 1e6, 100e9}, {2, -1, 22, 5120, 1e6, 100e9}, {1, 1, 11, 5120, 444, 100e9}, {2, -1, 33, 5120, 444, 100e9}, {2, -1, 22, 2560, 1e6, 200e9}, {3, -1, 22, 2560, 1e6, 200e9}} {
		p, c := &s.ports[i], &s.configs[i]
		if p.node != want.node || p.nic != want.nic || c.response != want.response || c.hold != want.hold || p.delay != want.delay || c.rate != want.rate || s.rates[p.rateIndex] != float64(want.rate) {
			t.Errorf("port %d: %+v, %+v", i, p, c)
		}
	}
	if len(s.nics) != 2 || len(s.acks) != 16 || len(s.queues) != 48 || len(s.usages) != 48 || len(s.curves) != 48 || len(s.obeyAt) != 48 || len(s.headrooms) != 6 || len(s.pools) != 4 {
		t.Errorf("%d NICs, %d lists of acknowledgements, %d queues", len(s.nics), len(s.acks), len(s.queues))
	}
	// Headroom is three delays' of each switch's port; a threshold is twice as high at twice the hosts' rate.
	for i, want := range []struct {
		headroom uint32
		shift    uint8
	}{{0, 0}, {37_500, 3}, {0, 0}, {3 * 5, 3}, {75_000, 2}, {75_000, 2}} { // 444 ps are 5.55 B
		if s.headrooms[i] != want.headroom || s.ports[i].shift != want.shift {
			t.Errorf("port %d: headroom %d, shift %d", i, s.headrooms[i], s.ports[i].shift)
		}
	}
	for name, c := range map[string]struct {
		w    Wire
		size int
	}{"data": {Wire{Data: 500}, 1500}, "acknowledgements": {Wire{Ack: 1600}, 1600}, "CNPs": {Wire{CNP: 1700}, 1700}, "PFC": {Wire{PFC: 1800}, 1800}} {
		sc.Wire = c.w
		if s := laid(t, sc); len(s.txTimes[0]) != c.size+1 || int64(s.txTimes[0][c.size]) != int64(c.size)*80 {
			t.Errorf("%s: times of up to %d B, want %d", name, len(s.txTimes[0])-1, c.size)
		}
	}
	sc.Links[0], sc.Links[1] = sc.Links[1], sc.Links[0]
	sc.Links[1].Rate = 40 * units.Gbps
	for _, turned := range []bool{false, true} {
		if l := &sc.Links[1]; turned {
			l.A, l.B = l.B, l.A
		}
		must.Equalf(t, sc.hostRate(), 40e9, "the first host's rate is")
	}
	must.Equalf(t, (&Scenario{Nodes: []Node{Switch, Host}}).hostRate(), 0, "a host without link has a rate of")
	must.Equalf(t, (&Scenario{Nodes: []Node{Host, Switch, Host}}).hostCount(), 2, "hosts:")
}

// A packet that just meets its threshold is taken into the pool, and pauses; one byte more goes to the headroom as a whole.
func TestPoolAtItsThreshold(t *testing.T) {
	for _, c := range []struct {
		size uint32
		want usage
		pool uint32
	}{{750, usage{2750, 0}, 1750}, {751, usage{2000, 751}, 1000}} { // a quarter of 7,000 is 1,750
		b, u := hpccPool{size: 8000, reserve: 1000, shared: 1000}, usage{2000, 0}
		if !b.admit(2, &u, 1000, c.size) || u != c.want || b.shared != c.pool || !b.shouldPause(2, &u) {
			t.Errorf("%d B: %+v, %d shared", c.size, u, b.shared)
		}
	}
	// Half of the shared part is in use by this group alone, and it may use it: 3,000 B of the 5,000 B that are left then.
	if b := (&hpccPool{size: 8000, reserve: 1000, shared: 2900}); !b.passes(0, &usage{3900, 0}, 100) || b.passes(1, &usage{3900, 0}, 100) {
		t.Error("what passes by a group that is in use")
	}
	// A half of 8,000 B takes 3,000 B, which are more than a half of what is left then; less a byte than two thirds are not.
	for size, want := range map[uint32]bool{2666: true, 2667: false, 3000: false, 4001: false} {
		must.Equalf(t, (&hpccPool{size: 8000, reserve: 1000}).passes(1, &usage{1000, 0}, size), want, "%d B pass:", size)
	}
	// With the whole of the headroom just taken, and one byte beyond it.
	for size, want := range map[uint32]bool{300: true, 301: false} {
		b, u := hpccPool{size: 8000, reserve: 1000, shared: 7000}, usage{8000, 700}
		must.Equalf(t, b.admit(2, &u, 1000, size), want, "%d B more:", size)
	}
	if b := (&hpccPool{size: 8000, shared: 4000}); b.threshold(32+2) != 1000 || b.threshold(1) != 2000 || b.threshold(31) != 0 {
		t.Errorf("%d", b.threshold(34))
	}
}
