package sim

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// Two leaves with two hosts each and two spines; hosts at 100 Gb/s, spines at 200 Gb/s, 1 us of cable. A
// neighbour is two links away, 1,000 B take 80 ns on each; another leaf four, 40 ns on the two in the
// midst. Over which spine a flow goes is its hash's choice; the way back is that of the same spine.
func TestWaysByHand(t *testing.T) {
	sc := leafSpine(2, 2, 2) // links 0 to 3 of hosts, 4 and 5 of the first leaf, 6 and 7 of the second
	sc.flow(0, 1, 1000, 0)
	for range 40 {
		sc.flow(0, 2, 1000, 0)
	}
	sc.flow(3, 0, 1000, 0)
	ways := sc.Ways()
	want := Way{Ports: []int{0, 3}, Before: []units.Time{0, 1_000_000}, Delay: 2_000_000, Serial: 160_000, Slowest: 100 * units.Gbps}
	if !reflect.DeepEqual(ways[0], want) || ways[0].LeastRTT() != 4_160_000 {
		t.Errorf("%+v, %v", ways[0], ways[0].LeastRTT())
	}
	taken := map[string]int{}
	for _, w := range ways[1:41] {
		taken[fmt.Sprint(w.Ports)]++
		if w.Delay != 4_000_000 || w.Serial != 240_000 || w.Slowest != 100*units.Gbps || w.LeastRTT() != 8_240_000 {
			t.Errorf("%+v", w)
		}
	}
	if len(taken) != 2 || taken["[0 8 13 5]"]+taken["[0 10 15 5]"] != 40 {
		t.Errorf("%v", taken)
	}
	if back := ways[41]; len(back.Ports) != 4 || back.Ports[0] != 6 || back.Ports[3] != 1 {
		t.Errorf("%+v", back)
	}
	// Of ways of as many links the shortest says when anything can come back.
	sc.Links[5].Delay, sc.Links[7].Delay = 3*units.Microsecond, 3*units.Microsecond
	for _, w := range sc.Ways()[1:41] {
		must.Equalf(t, w.Delay, 4_000_000, "%+v:", w)
	}
	apart := leafSpine(2, 1, 0)
	apart.flow(0, 1, 1000, 0)
	if w := apart.Ways()[0]; w.Ports != nil || w.Delay != 0 {
		t.Errorf("no way leads there: %+v", w)
	}
}

// A flow divided evenly: all of it at its ends, half over each spine. Answers are in the order of the
// questions.
func TestSpreadByHand(t *testing.T) {
	got := leafSpine(2, 2, 2).Spread([][2]int{{0, 2}, {0, 1}, {3, 2}, {1, 2}})
	for _, list := range got {
		slices.SortFunc(list, func(a, b Share) int { return a.Port - b.Port })
	}
	want := [][]Share{
		{{0, 1}, {5, 1}, {8, 0.5}, {10, 0.5}, {13, 0.5}, {15, 0.5}}, {{0, 1}, {3, 1}}, {{5, 1}, {6, 1}}, {{2, 1}, {5, 1}, {8, 0.5}, {10, 0.5}, {13, 0.5}, {15, 0.5}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := leafSpine(2, 1, 0).Spread([][2]int{{0, 1}}); len(got) != 1 || got[0] != nil {
		t.Errorf("no way leads there: %v", got)
	}
}

// Ports are called by their node and their number there, from 1, unless they have names.
func TestPortNames(t *testing.T) {
	sc := leafSpine(1, 2, 1)
	must.Equal(t, strings.Join(sc.portNames(), " "), "0.1 2.1 1.1 2.2 2.3 3.1")
	if sc.Ports = []string{"x"}; len(sc.portNames()) != 1 {
		t.Error("names are not taken")
	}
}

// The curve of a queue is that of its port, or where the port is told nothing, that of its rate; a chip
// says which queue a class has.
func TestMarkingOfQueues(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	byRate := sc.ECN[0]
	if got, ok := sc.Marking(1, 3); !ok || got != byRate {
		t.Errorf("by rate %+v, %v", got, ok)
	}
	sc.ECN[0].Rate++
	if got, ok := sc.Marking(1, 3); ok {
		t.Errorf("of another rate %+v", got)
	}
	own := ECN{KMin: 1, KMax: 2}
	sc.ECN[0].Rate--
	sc.Links[0].Egress[1] = &Egress{ECN: [classes]ECN{3: own}}
	for queue, want := range map[uint8]bool{3: true, 4: false} {
		if got, ok := sc.Marking(1, queue); ok != want || want && got != own {
			t.Errorf("queue %d: %+v, %v", queue, got, ok)
		}
	}
	if got, ok := sc.Marking(0, 3); !ok || got != byRate { // the host's end is told nothing
		t.Errorf("the other end: %+v, %v", got, ok)
	}
	sc.Silicon = []*SiliconBuffer{2: {Queue: [classes]uint8{3: 5}}}
	for queue, want := range map[uint8]bool{5: true, 3: false} {
		if got, ok := sc.Marking(1, queue); ok != want || want && got != own {
			t.Errorf("queue %d of the chip: %+v, %v", queue, got, ok)
		}
	}
}

// MRG32k3a by what P. L'Ecuyer's RngStreams publishes: from a state of six times 12345 come
// 0.1270111220 and 0.3185275654, and 2^127 numbers ahead is this matrix.
func TestStreamsByRngStreams(t *testing.T) {
	seeded := vector{12345, 12345, 12345}
	a, b := mrgMatrices()
	one := streams{one: seeded, two: seeded, next1: a, next2: b} // whose next stream is the next number
	for _, want := range []float64{0.12701112204657714, 0.3185275653967945} {
		if got := one.uniform(); math.Abs(got-want) > 1e-15 {
			t.Errorf("%v, want %v", got, want)
		}
	}
	a127 := matrix{{2427906178, 3580155704, 949770784}, {226153695, 1230515664, 3580155704}, {1988835001, 986791581, 1230515664}}
	b127 := matrix{{1464411153, 277697599, 1610723613}, {32183930, 1464411153, 1022607788}, {2824425944, 32183930, 2093834863}}
	must.Equal(t, a.power(127, mrgModulus1), a127)
	must.Equal(t, b.power(127, mrgModulus2), b127)
	a76 := matrix{{82758667, 1871391091, 4127413238}, {3672831523, 69195019, 1871391091}, {3672091415, 3528743235, 69195019}}
	ones := vector{1, 1, 1}
	if s := newStreams(0, 0); s.one != ones || s.two != ones {
		t.Errorf("the first stream begins with %v", s)
	}
	// A run is 2^76 numbers ahead, a stream 2^127.
	want := a127.apply(&ones, mrgModulus1)
	if s := newStreams(0, 1); s.one != want || s.two != b127.apply(&ones, mrgModulus2) {
		t.Errorf("the second stream begins with %v, want %v", s.one, want)
	}
	if s := newStreams(1, 0); s.one != a76.apply(&ones, mrgModulus1) {
		t.Errorf("the second run begins with %v", s.one)
	}
	b76 := matrix{{1511326704, 3759209742, 1610795712}, {4292754251, 1511326704, 3889917532}, {3859662829, 4292754251, 3708466080}}
	if s := newStreams(1, 0); s.two != b76.apply(&ones, mrgModulus2) {
		t.Errorf("the second run begins with %v", s.two)
	}
	if s := newStreams(2, 0); s.one == newStreams(1, 0).one {
		t.Error("two runs begin alike")
	}
	// Equal components are one modulus apart, and no number is 0 or 1.
	must.Equal(t, (&streams{}).uniform(), mrgModulus1/(mrgModulus1+1.))
}

// The counts of two domains are added, and of peaks the higher one counts.
func TestCountsOfDomains(t *testing.T) {
	var one, two counters
	fill := func(c *counters, by int64) {
		v := reflect.ValueOf(c).Elem()
		for i := range v.NumField() {
			f := reflect.NewAt(v.Field(i).Type(), v.Field(i).Addr().UnsafePointer()).Elem()
			if value := int64(i+1) * by; f.CanInt() {
				f.SetInt(value)
			} else {
				f.SetUint(uint64(value))
			}
		}
	}
	for _, by := range [][2]int64{{100, 1}, {1, 100}} {
		fill(&one, by[0])
		fill(&two, by[1])
		one.join(&two)
		v := reflect.ValueOf(one)
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			got, want := int64(0), int64(i+1)*101
			if strings.HasPrefix(name, "peak") {
				got, want = int64(v.Field(i).Uint()), int64(i+1)*100
			} else {
				got = v.Field(i).Int()
			}
			must.Equalf(t, got, want, "%s:", name)
		}
	}
}

// A watchdog that looks every 10 ps takes hold of a queue that has packets and was paused for 20 ps without
// interruption; one that only tells does so once. It lets go after 30 ps without a frame.
func TestWatchdogByHand(t *testing.T) {
	for _, action := range []WatchdogAction{WatchdogDrop, WatchdogForward, WatchdogAlert} {
		w := &watchdog{Watchdog: &Watchdog{Poll: 10, Detection: 20, Restoration: 30, Action: action}}
		s := &engine{}
		s.ports, s.guards = []port{{paused: 1<<3 | 1<<4, waiting: 1 << 3, obeying: 1<<3 | 1<<4, nic: -1}}, make([]guard, classes)
		s.queues = make([]queue, classes)
		p, g := &s.ports[0], &s.guards[3]
		look := func(now int64) {
			s.now = now
			if g.held {
				s.lookAtHeld(w, 0, p, 3, g)
			} else {
				s.lookAtFree(w, 0, p, 3, g)
			}
		}
		g.since = 91
		if look(100); g.charged != 0 {
			t.Errorf("paused for 9 ps: %+v", g)
		}
		g.since = 90
		if look(100); g.charged != 10 || s.watchdogEvents != 0 {
			t.Errorf("paused for 10 ps: %+v", g)
		}
		p.waiting = 0
		if look(110); g.charged != 0 {
			t.Errorf("with nothing waiting: %+v", g)
		}
		p.waiting, p.paused = 1<<3, 1<<4
		if look(110); g.charged != 0 {
			t.Errorf("not paused: %+v", g)
		}
		p.paused = 1<<3 | 1<<4
		look(120)
		p.waiting = 1 << 3
		if action == WatchdogAlert {
			for now := int64(130); now < 200; now += 10 {
				look(now)
			}
			if s.watchdogEvents != 1 || g.held || p.trouble != 0 || p.paused != 1<<3|1<<4 {
				t.Errorf("it tells %d times: %+v, %+v", s.watchdogEvents, g, p)
			}
			continue
		}
		p.waiting = 1<<3 | 1<<5
		w.Detection = 10_000 // not yet
		look(130)
		if s.watchdogEvents != 0 || g.charged != 20 {
			t.Errorf("%+v", g)
		}
	}
	s := &engine{}
	s.ports, s.guards = []port{{trouble: guarded | slow}}, make([]guard, classes)
	w := &watchdog{Watchdog: &Watchdog{Poll: 10, Detection: 20, Restoration: 30}}
	g := &s.guards[3]
	*g, s.guards[4] = guard{held: true, drops: true, charged: 20}, guard{held: true}
	s.ignores(0, 3)
	if s.lookAtHeld(w, 0, &s.ports[0], 3, g); !g.held || g.charged != 0 || g.received {
		t.Errorf("a frame came: %+v", g)
	}
	for range 2 {
		s.lookAtHeld(w, 0, &s.ports[0], 3, g)
	}
	if !g.held || g.charged != 20 {
		t.Errorf("after 20 ps: %+v", g)
	}
	if s.lookAtHeld(w, 0, &s.ports[0], 3, g); *g != (guard{}) || s.ports[0].trouble != guarded|slow {
		t.Errorf("after 30 ps: %+v, trouble %b, and another queue is held", g, s.ports[0].trouble)
	}
	for range 3 {
		s.lookAtHeld(w, 0, &s.ports[0], 4, &s.guards[4])
	}
	if s.guards[4].held || s.ports[0].trouble != slow {
		t.Errorf("%+v, trouble %b", s.guards[4], s.ports[0].trouble)
	}
	if s.ignores(0, 4) || !s.guards[4].received {
		t.Error("a frame is ignored by nobody")
	}
}

// An initiator of DC asks as often as it may and once more, at the distance of the timeout; then its
// messages fail. Nobody hears it behind a link that is down.
func TestInitiatorGivesUp(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	sc.Transport.Service, sc.Transport.AckTimeout, sc.Transport.Retries = DC, 10*units.Microsecond, 2
	sc.Outages = []Outage{{Link: 1, Down: 0}}
	sc.Stop = units.Second
	sc.flow(0, 1, 1000, 5*units.Microsecond)
	sc.flow(0, 1, 1000, 5*units.Microsecond)
	sc.Flows[0].QueuePair, sc.Flows[1].QueuePair = 1, 1
	s := must.Get(newEngine(sc))(t)
	var asked []int64
	for created := int64(0); s.failed == 0 && s.step(never); {
		if s.created > created && s.failed == 0 {
			created, asked = s.created, append(asked, s.now)
		}
	}
	// Three times from 5 us on, and at 35 us it is over.
	if us := int64(units.Microsecond); s.now != 35*us || !slices.Equal(asked, []int64{5 * us, 15 * us, 25 * us}) {
		t.Errorf("asked at %v, given up at %d ps", asked, s.now)
	}
	for s.step(never) {
	}
	if s.failed != 2 || s.finished != 0 {
		t.Errorf("%d failed, %d finished", s.failed, s.finished)
	}
}

// Counters by name: a star is any text, a name may be cut before a dot, and a flow is called by its number.
func TestCounterNames(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "", true}, {"", "a", false}, {"a", "a", true}, {"a", "ab", false}, {"*", "", true}, {"*", "ab", true}, {"a*", "a", true}, {"a*", "ba", false}, {"*b", "ab", true}, {"*b", "abc", false},
		{"a*c", "abbc", true}, {"a*c", "ac", true}, {"a*c*e", "abcde", true}, {"a*c*e", "abcd", false}, {"*a*", "bab", true}, {"aa*a", "aa", false},
	} {
		must.Equalf(t, matches(c.pattern, c.text), c.want, "%q is %q:", c.text, c.pattern)
	}
	all := []gauge{{kind: "queue", name: "1.2.3"}, {kind: "queue", name: "1.20.3"}, {kind: "tx", name: "1.2"}, {kind: "rate", name: "0.1.7", flow: 7}, {kind: "rate", name: "0.1.17", flow: 17}, {kind: "goodput", name: "0.1.7", flow: 7}}
	for selection, want := range map[string]string{
		"queue": "110000", "queue:1.2": "100000", "queue:1.2.3": "100000", "queue:1.2*": "110000", "queue:*.3": "110000", "queue:1": "110000", "queue:2": "000000", "tx:1.2": "001000",
		"rate:7": "000100", "rate:17": "000010", "rate:0.1": "000110", "rate": "000110", "goodput:7": "000001", "goodput:8": "000000", "nothing": "000000", "": "000000",
	} {
		chosen, got := make([]bool, len(all)), ""
		some := choose(all, selection, chosen)
		for _, is := range chosen {
			got += map[bool]string{true: "1", false: "0"}[is]
		}
		if got != want || some != strings.Contains(want, "1") {
			t.Errorf("%q: %s, %v; want %s", selection, got, some, want)
		}
	}
	for selection, want := range map[string]string{
		"tx:9": "there are tx:1.2 and others like them", "rate:9": "there are rate:0.1.7, rate:0.1.17 and others like them", "size": "the kinds are queue, tx, rate, goodput, as in queue:1.2.3", "queue:x": "there are queue:1.2.3, queue:1.20.3 and others like them",
	} {
		must.Equalf(t, examples(all, selection), want, "%q:", selection)
	}
	many := []gauge{{kind: "tx", name: "1"}, {kind: "tx", name: "2"}, {kind: "tx", name: "3"}, {kind: "tx", name: "4"}}
	must.Equal(t, examples(many, "tx:9"), "there are tx:1, tx:2, tx:3 and others like them")
	// 1,000 B in 1 us are 8 Gb/s, counted from the last sample on.
	s, g := &engine{}, &gauge{before: 500}
	if got := s.perSecond(g, 1500, units.Microsecond); got != 8e9 || g.before != 1500 {
		t.Errorf("%d, %+v", got, g)
	}
}

// How much of a message is acknowledged: all of one that is done, as often as it is sent; none of one that
// has not begun; of one under way, what lies between its ends.
func TestAcknowledgedOfMessages(t *testing.T) {
	s := &engine{}
	for acked, want := range map[int64]int64{0: 0, 100: 0, 101: 1, 150: 50, 300: 200, 301: 200, 900: 200} {
		s.flows = []flow{{acked: acked}}
		must.Equalf(t, (&message{begin: 100, end: 300, bytes: 200}).acked(s), want, "of 100 to 300 with %d acknowledged:", acked)
		must.Equalf(t, (&message{begin: 100, end: 300, bytes: 200, train: train{repeat: 3}}).acked(s), acked, "of a train:")
		must.Equalf(t, (&message{bytes: 200}).acked(s), 0, "not begun:")
		must.Equalf(t, (&message{bytes: 200, end: 300, finished: 1}).acked(s), 200, "done:")
		must.Equalf(t, (&message{bytes: 200, end: 300, finished: 1, train: train{repeat: 3}}).acked(s), 600, "a train that is done:")
	}
}

// Sizes on the wire: the HPCC simulator's unless they are said; telemetry comes on top of headers, and of an
// acknowledgement where it needs more than the smallest frame. A notification is as an acknowledgement.
func TestSizesOnTheWire(t *testing.T) {
	for _, c := range []struct {
		w         Wire
		telemetry int32
		want      wire
	}{
		{Wire{}, 0, wire{48, 60, 60, 43}}, {Wire{}, 14, wire{62, 60, 60, 43}}, {Wire{}, 15, wire{63, 61, 60, 43}}, {Wire{}, 42, wire{90, 88, 60, 43}},
		{Ethernet(), 0, wire{62, 66, 78, 64}}, {Ethernet(), 42, wire{104, 108, 78, 64}},
		{Wire{Data: 1, Ack: 1, CNP: 1, PFC: 1}, 0, wire{1, 1, 1, 1}}, {Wire{Ack: 61}, 0, wire{48, 61, 61, 43}}, {Wire{Ack: 59}, 0, wire{48, 59, 60, 43}},
	} {
		must.Equalf(t, newWire(&c.w, c.telemetry), c.want, "%+v with %d B of telemetry:", c.w, c.telemetry)
	}
	own := Ethernet()
	if data, ack := own.Taken(); data != 82 || ack != 86 {
		t.Errorf("%d and %d B", data, ack)
	}
	for a, want := range map[Algorithm]int32{UseHPCC: 42, UseTIMELY: 8, UseSwift: 8, UseDCQCN: 0, UseDCTCP: 0, NoControl: 0} { // 5 hops of 8 B and 2 B
		must.Equalf(t, a.telemetryBytes(), want, "%v: B:", a)
	}
}

// A hop's record holds its time modulo 2^24 ns, bytes in 128 B modulo 2^20, a queue in 80 B modulo 2^17, both
// times a scale; one is older by less than half of the clock.
func TestHopRecordBounds(t *testing.T) {
	for _, c := range []struct {
		now          int64
		sent         uint64
		queue, multi uint32
		before       hopRecord
		ns, bytes    uint64
		held         uint32
	}{
		{5_999, 1279, 159, 1, 0, 5, 9 * 128, 80}, {5_000, 1280, 160, 1, 0, 5, 10 * 128, 160},
		{5_000, 1280, 640, 4, 0, 5, 2 * 512, 640}, {5_000, 1280, 639, 4, 0, 5, 2 * 512, 320},
		{(1<<24 + 3) * 1000, (1<<20 + 2) * 128, (1<<17 + 1) * 80, 1, 0, 3, 256, 80},
		{2000, 128, 0, 1, newHopRecord((1<<24-1)*1000, (1<<20-1)*128, 0, 1), 3, 256, 0}, // both have gone round
	} {
		h := newHopRecord(c.now, c.sent, c.queue, c.multi)
		if ns, bytes := h.since(c.before, c.multi); ns != c.ns || bytes != c.bytes || h.queueBytes(c.multi) != c.held {
			t.Errorf("%+v: %d ns, %d B, %d B in the queue", c, ns, bytes, h.queueBytes(c.multi))
		}
	}
	at := func(ns int64) hopRecord { return newHopRecord(ns*1000, 0, 0, 1) }
	for _, c := range []struct {
		a, b int64
		want bool
	}{{5, 5, false}, {4, 5, true}, {5, 4, false}, {1<<23 - 1, 0, false}, {1 << 23, 0, true}, {0, 1<<24 - 1, false}, {1<<24 - 1, 0, true}} {
		must.Equalf(t, at(c.a).older(at(c.b)), c.want, "%d before %d:", c.a, c.b)
	}
	var tm telemetry
	for i := range int32(6) { // the sixth hop is written over the first
		tm.stamp(int64(i)*1000, i+10, &port{sent: 128, backlog: 80, rateIndex: uint8(i)}, 1)
	}
	if tm.hops != 6 || tm.port != [maxHops]int32{15, 11, 12, 13, 14} || tm.rate != [maxHops]uint8{5, 1, 2, 3, 4} || tm.hop[1] != newHopRecord(1000, 128, 80, 1) {
		t.Errorf("%+v", tm)
	}
}

// How full something was: each value for as long as it lasted; the highest counts though it lasted for no time.
func TestLevelsOverTime(t *testing.T) {
	var l level
	l.set(10, 100)
	l.set(30, 900)
	l.set(30, 50)
	l.set(25, 0) // the run's end lies before
	if l.bytes != 0 || l.since != 25 || l.over.max != 900 {
		t.Errorf("%+v", l)
	}
	o := &observer{usual: 100, unblocked: []int64{50}, arrivals: newArrivalLog()}
	o.classes[3].latency = newHistogram(latencyBits)
	for _, latency := range []int64{99, 100, 101} {
		o.arrived(7, 3, 1000, latency)
	}
	a := (&Observed{arrivals: o.arrivals}).Arrived(3, 0, units.Second)
	if o.classes[3].belowUsual != 1 || a != (Arrivals{Packets: 3, Bytes: 3000, Usual: 1, Latency: 300, Longest: 101}) || o.last != 7 {
		t.Errorf("%+v, %+v", o.classes[3].belowUsual, a)
	}
	for next, want := range map[int64]int64{40: 50, 60: 60} {
		must.Equalf(t, o.readySince(0, &flow{nextSend: next}), want, "ready since")
	}
}

// What cannot be built is told: more links than a chip has ports, a generator's frames beside another balancing or
// that go nowhere.
func TestWhatCannotBeBuilt(t *testing.T) {
	for want, edit := range map[string]func(sc *Scenario){
		"node 2: the switch has more links than its buffer has ports": func(sc *Scenario) { sc.Silicon[2].Ports = sc.Silicon[2].Ports[:1] },
		"node 2: the switch has more links than its buffer has ports ": func(sc *Scenario) {
			sc.Silicon[2].Ports = []int{0, len(sc.Silicon[2].Config.Ports)}
		},
		"node 2: ": func(sc *Scenario) { sc.Silicon[2].Config = &mmu.Config{} },
		"frames of a generator follow ECMP, and no other balancing": func(sc *Scenario) {
			sc.Generators = []Generator{{Host: 0, Frames: []Frame{{Dst: 1, Count: 1, Bytes: 100, Class: 3}}}}
			sc.Balancing.Mode = balance.Spray
			sc.Transport.DirectPlacement = true
		},
		"a generator with 0 frames at node 0, which must be a host": func(sc *Scenario) { sc.Generators = []Generator{{Host: 0}} },
		"a generator with 1 frames at node 2, which must be a host": func(sc *Scenario) { sc.Generators = []Generator{{Host: 2, Frames: make([]Frame, 1)}} },
		"frame 0 of the generator at node 0: 0 × 100 B to node 1":   func(sc *Scenario) { generate(sc, Frame{Dst: 1, Bytes: 100}) },
		"frame 0 of the generator at node 0: 1 × 0 B to node 1":     func(sc *Scenario) { generate(sc, Frame{Dst: 1, Count: 1}) },
		"frame 0 of the generator at node 0: 1 × 1049 B to node 1":  func(sc *Scenario) { generate(sc, Frame{Dst: 1, Count: 1, Bytes: 1049}) },
		"frame 0 of the generator at node 0: 1 × 1 B to node 0":     func(sc *Scenario) { generate(sc, Frame{Dst: 0, Count: 1, Bytes: 1}) },
		"frame 0 of the generator at node 0: 1 × 1 B to node 2":     func(sc *Scenario) { generate(sc, Frame{Dst: 2, Count: 1, Bytes: 1}) },
		"frame 0 of the generator at node 0: 1 × 2 B to node 1":     func(sc *Scenario) { generate(sc, Frame{Dst: 1, Count: 1, Bytes: 2, Class: 8}) },
		"frame 0 of the generator at node 0: 1 × 3 B to node 1":     func(sc *Scenario) { generate(sc, Frame{Dst: 1, Count: 1, Bytes: 3, At: -1}) },
		"": func(sc *Scenario) { generate(sc, Frame{Dst: 1, Count: 1, Bytes: 1048, Class: 7}) },
	} {
		sc := leafSpine(1, 2, 0)
		sc.flow(0, 1, 1000, 0)
		chipBuffers(sc, 10_000)
		edit(sc)
		_, err := newEngine(sc)
		if want = strings.TrimSuffix(want, "ports ") + map[bool]string{true: "ports"}[strings.HasSuffix(want, "ports ")]; want == "" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func generate(sc *Scenario, f Frame) { sc.Generators = []Generator{{Host: 0, Frames: []Frame{f}}} }

// Messages of a queue pair take the way of its first one, whatever their ports; those on another number, those back, and
// those with queue pairs of their own take theirs.
func TestWaysOfQueuePairs(t *testing.T) {
	alone, shared := leafSpine(2, 2, 2), leafSpine(2, 2, 2)
	for range 20 {
		for _, ends := range [][2]int{{0, 2}, {2, 0}} {
			alone.flow(ends[0], ends[1], 1000, 0)
			shared.flow(ends[0], ends[1], 1000, 0)
		}
	}
	for i := range shared.Flows {
		shared.Flows[i].QueuePair = []int{7, 8, 0}[i/2%3]
	}
	ways, own, differ := shared.Ways(), alone.Ways(), 0
	for i := range ways {
		first := i
		if shared.Flows[i].QueuePair > 0 {
			first = i % 6
		}
		if !reflect.DeepEqual(ways[i], own[first]) {
			t.Errorf("message %d: %v, want %v", i, ways[i].Ports, own[first].Ports)
		}
		if !reflect.DeepEqual(own[i], own[first]) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("all hashes are alike")
	}
}
