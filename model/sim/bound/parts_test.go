package bound

import (
	"math"
	"reflect"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

const microsecond = units.Microsecond

// The longest latency counts; of equal ones that at the first port, then the earliest; what has no
// port is none.
func TestWhichWaveIsWorse(t *testing.T) {
	w := func(latency units.Time, port int, at units.Time) *Wave {
		return &Wave{Latency: latency, Port: port, At: at}
	}
	for _, c := range []struct {
		a, b *Wave
		want bool
	}{
		{w(2, 5, 5), w(1, 4, 4), true}, {w(1, 4, 4), w(2, 5, 5), false},
		{w(1, 4, 9), w(1, 5, 5), true}, {w(1, 5, 5), w(1, 4, 9), false},
		{w(1, 4, 4), w(1, 4, 5), true}, {w(1, 4, 5), w(1, 4, 4), false}, {w(1, 4, 4), w(1, 4, 4), false},
		{w(1, 0, 0), w(9, -1, 0), true}, {w(9, -1, 0), w(1, 0, 0), false}, {w(1, 0, 4), w(2, 0, 4), false},
	} {
		must.Equalf(t, better(c.a, c.b), c.want, "%+v before %+v:", c.a, c.b)
	}
}

// A host's first messages begin together. Nothing comes back of one for 4.16 us (TestStart). Until
// another begins, which waits for the first to get there, 2 us, or for its time, nothing else is sent;
// of one that repeats nothing is known.
func TestFirstMessages(t *testing.T) {
	later, repeats, after := send(0, 2, 1000, 7*microsecond), send(0, 2, 1000, 4*microsecond), send(0, 2, 1000, 4*microsecond)
	repeats.Repeat, after.After = 2, []int32{0}
	one := send(0, 2, 1000, 4*microsecond)
	once := one
	once.Repeat = 1
	const never = units.Time(math.MaxInt64)
	for _, c := range []struct {
		what     string
		flows    []sim.Flow
		begin    []int
		rtt, end units.Time
	}{
		{"one", []sim.Flow{one}, []int{0}, 4_160_000, never},
		{"one that is sent once", []sim.Flow{once}, []int{0}, 4_160_000, never},
		{"two", []sim.Flow{one, one}, []int{0, 1}, 4_160_000, never},
		{"one before a later one", []sim.Flow{one, later}, []int{0}, 4_160_000, 3 * microsecond},
		{"one after a later one", []sim.Flow{later, one}, []int{1}, 4_160_000, 3 * microsecond},
		{"one beside one that repeats", []sim.Flow{one, repeats}, []int{0}, 4_160_000, 0},
		{"one that another waits for", []sim.Flow{one, after, later}, []int{0}, 4_160_000, 2 * microsecond},
		{"one that repeats", []sim.Flow{repeats}, nil, never, 0},
	} {
		all := make([]int, len(c.flows))
		for i := range all {
			all[i] = i
		}
		got := Of(star(3, c.flows...), len(c.flows)).begun(all)
		if got.start != 4*microsecond || !reflect.DeepEqual(got.flows, c.begin) || got.rtt != c.rtt || got.end != c.end {
			t.Errorf("%s: %+v, want %v, %d, %d", c.what, got, c.begin, c.rtt, c.end)
		}
	}
	if got := Of(star(3, repeats), 1).Start(); got.Port != -1 {
		t.Errorf("one that repeats: %+v", got)
	}
	if got := Of(star(3, repeats), 1).Wave(Cuts{Apart: microsecond, Kept: 0.5}); got.Port != -1 {
		t.Errorf("one that repeats: %+v", got)
	}
}

// Messages of as many packets each are alike: 1,000 B are one packet of 1,250 B, 2,000 B are two.
func TestAlike(t *testing.T) {
	traffic := Of(star(3, send(0, 2, 1000, 0), send(0, 2, 1000, 0), send(0, 2, 2000, 0), send(0, 2, 1001, 0)), 4)
	for i, want := range []int64{1250, 1250, 2500, 1501} { // the last: 1,001 B and twice 250 B
		if got := traffic.wire(i); got != want {
			t.Errorf("message %d takes %d B, want %d", i, got, want)
		}
	}
	if !traffic.alike([]int{0, 1}) || traffic.alike([]int{0, 1, 2}) || traffic.alike([]int{3, 2}) {
		t.Error("which are alike")
	}
}

// A time is looked at where a cut may fall, from the first notification on, 16 of them, and where the
// turns end that are sure; until another message may begin, that time too.
func TestTimesOfCuts(t *testing.T) {
	traffic := Of(star(3, send(0, 2, 1_000_000, 0)), 1)
	g := group{flows: []int{0}, rtt: 4 * microsecond, end: math.MaxInt64}
	// One queue pair may be slowed down with the first notification: its turns end at T.
	want := []units.Time{}
	for k := range units.Time(16) {
		want = append(want, 4*microsecond+k*3*microsecond)
	}
	c := Cuts{Apart: 3 * microsecond, Kept: 0.5}
	if got := traffic.times([]group{g}, c); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	early := g
	early.end = 7 * microsecond
	for _, groups := range [][]group{{early, g}, {g, early}} {
		if got := traffic.times(groups, c); !reflect.DeepEqual(got, want[:2]) {
			t.Errorf("until 7 us: %v, want %v", got, want[:2])
		}
	}
	early.rtt, early.end = 1, 2*microsecond
	if got := traffic.times([]group{early}, Cuts{Kept: 0.5}); !reflect.DeepEqual(got, []units.Time{1, 100_000}) { // and when the first packet is sent
		t.Errorf("at the first picosecond: %v", got)
	}
	early.rtt, early.end = 0, 2*microsecond // nothing is worth looking at before the start
	if got := traffic.times([]group{early}, Cuts{Kept: 0.5}); !reflect.DeepEqual(got, []units.Time{100_000}) {
		t.Errorf("at the start: %v", got)
	}
}

// What a queue pair keeps: all until T, half from the first notification on, a quarter from the second.
func TestKept(t *testing.T) {
	c := Cuts{Apart: 3, Kept: 0.5}
	for after, want := range map[units.Time]float64{0: 1, 9: 1, 10: 0.5, 12: 0.5, 13: 0.25, 15: 0.25, 16: 0.125} {
		must.Equalf(t, c.kept(after, 10), want, "after %d:", after)
	}
	for _, c := range []Cuts{{Kept: 0.5}, {Apart: 3}} {
		if c.kept(9, 10) != 1 || c.kept(10, 10) != 0 {
			t.Errorf("%+v: %v, %v", c, c.kept(9, 10), c.kept(10, 10))
		}
	}
}

// How long queue pairs keep up with their turns. A packet takes 100 ns, T is 4.16 us. With halves, 4 of a
// host can be told twice, and 5 twice too, before there is less than line rate; the two notifications
// take T and 3 us more each, or come of two packets of each: 0.8 us after T.
func TestTurns(t *testing.T) {
	for _, c := range []struct {
		pairs   int
		packets units.Bytes
		cuts    Cuts
		want    units.Time
	}{
		{1, 1000, Cuts{3 * microsecond, 0.5}, 4_160_000},
		{2, 1000, Cuts{3 * microsecond, 0.5}, 7_160_000},
		{3, 1000, Cuts{3 * microsecond, 0.5}, 7_160_000},
		{4, 1000, Cuts{3 * microsecond, 0.5}, 10_160_000},
		{4, 1000, Cuts{3 * microsecond, 0.25}, 7_160_000},
		{4, 1000, Cuts{0, 0.5}, 4_960_000}, // 8 packets after T
		{4, 1000, Cuts{3 * microsecond, 0}, 4_160_000},
		{4, 1000, Cuts{3 * microsecond, 1}, 400_000_000}, // all of it
		{4, 10, Cuts{3 * microsecond, 0.5}, 4_000_000},   // 40 packets
		{4, 2, Cuts{3 * microsecond, 0.5}, 800_000},      // no more packets than notifications
		{4, 10, Cuts{3 * microsecond, 0}, 4_000_000},
		{4, 11, Cuts{3 * microsecond, 0}, 4_160_000},
		// One turn of 50 is 5 us: each sends its first packet, and six where five halves leave a host its line.
		{50, 1000, Cuts{3 * microsecond, 0}, 5_000_000},
		{50, 1000, Cuts{3 * microsecond, 0.5}, 30_000_000},
	} {
		flows := make([]sim.Flow, c.pairs)
		g := group{rtt: 4_160_000, end: math.MaxInt64}
		for i := range flows {
			flows[i], g.flows = send(0, 2, c.packets*1000, 0), append(g.flows, i)
		}
		must.Equalf(t, Of(star(3, flows...), c.pairs).turns(&g, c.cuts), c.want, "%d pairs of %d packets, %+v:", c.pairs, c.packets, c.cuts)
	}
}

// What each queue pair has sent at least, in packets of 100 ns: in turns until T (and until the
// notifications that they can bear), then as its rate lets it, less one packet.
func TestSent(t *testing.T) {
	for _, c := range []struct {
		pairs   int
		packets units.Bytes
		kept    float64
		at      units.Time
		want    int64
	}{
		{1, 1000, 0.5, 99_999, 0}, {1, 1000, 0.5, 100_000, 1}, {1, 1000, 0.5, 4_160_000, 41},
		{1, 1000, 0.5, 4_360_000, 41}, // one packet at half of the rate, less one
		{1, 1000, 0.5, 4_560_000, 42}, // two
		{1, 1000, 0.5, 7_160_000, 41 + 14},
		{1, 1000, 0.5, 10_160_000, 41 + 15 + 7 - 1}, // 15 by the second cut, 7.5 in the next 3 us
		{1, 42, 0.5, 10_160_000, 42},
		{1, 41, 0.5, 10_160_000, 41},
		{2, 1000, 0.5, 4_160_000, 20}, {2, 1000, 0.5, 7_160_000, 35},
		{2, 1000, 0.5, 10_160_000, 35 + 7 - 1}, // a quarter of the rate, and each has half of the line
		{3, 1000, 0.5, 7_160_000, 23},
		{3, 1000, 0.5, 10_160_000, 23 + 7 - 1},
	} {
		flows := make([]sim.Flow, c.pairs)
		g := group{rtt: 4_160_000, end: math.MaxInt64}
		for i := range flows {
			flows[i], g.flows = send(0, 2, c.packets*1000, 0), append(g.flows, i)
		}
		if got := Of(star(3, flows...), c.pairs).sent(&g, Cuts{3 * microsecond, c.kept}, c.at); got != c.want*1250 {
			t.Errorf("%d pairs at %d ps: %d packets, want %d", c.pairs, c.at, got/1250, c.want)
		}
	}
}

// 50 queue pairs of each of three hosts take 5 us for a packet each, and T is 4.16 us: nothing comes back of what has not been sent, so that each
// sends its first packet. Those are 150 packets, 15 us of the receiver's link.
func TestWaveOfManyPairs(t *testing.T) {
	var flows []sim.Flow
	for i := range 150 {
		flows = append(flows, send(i%3, 3, 1_000_000, 0))
	}
	if got := Of(star(4, flows...), 150).Wave(Cuts{Apart: 4 * microsecond}); got.Port != 7 || got.Pairs != 150 || got.At != 5*microsecond || got.Latency != (2+15-5)*microsecond {
		t.Errorf("%+v", got)
	}
}

// Cables of 1 and 3 us: what comes over the shorter one counts, 2 us to the receiver. Both hand over in
// the round trip of the shorter way and of the longer: 4.16 and 8.16 us.
func TestDistantSenders(t *testing.T) {
	sc := star(3, send(0, 2, 1_000_000, 0), send(1, 2, 1_000_000, 0))
	sc.Links[1].Delay = 3 * microsecond
	// 41 packets by 4.1 us and 81 by 8.1 us: 12.2 us of the link, the last of them handed over at 8.1 us.
	for range 20 {
		got := Of(sc, 2).Start()
		if want := 2*microsecond + 12_200_000 - units.Time(8_100_000); got.Latency != want || got.Port != 5 || got.Senders != 2 {
			t.Fatalf("%+v, want %v at port 5", got, want)
		}
	}
}

// Where two receivers fare alike, the first port is named.
func TestFirstOfEqualPorts(t *testing.T) {
	sc := star(6, send(0, 4, 1_000_000, 0), send(1, 4, 1_000_000, 0), send(2, 5, 1_000_000, 0), send(3, 5, 1_000_000, 0))
	for range 20 {
		if got := Of(sc, 4).Start(); got.Port != 9 || got.Senders != 2 {
			t.Fatalf("%+v", got)
		}
		if got := Of(sc, 4).Wave(Cuts{4 * microsecond, 0.5}); got.Port != 9 || got.Senders != 2 || got.Pairs != 2 {
			t.Fatalf("%+v", got)
		}
	}
}

// A host counts once for each link, however many flows it has there, and a flow has no more than its
// sender's link: two hosts of 25 Gb/s with two flows each fill half of 100 Gb/s, and share no link
// beyond what it carries.
func TestCollisionsOfSlowHosts(t *testing.T) {
	sc := leaves(1, send(0, 4, 1000, 0), send(0, 5, 1000, 0), send(1, 6, 1000, 0), send(1, 7, 1000, 0))
	sc.Links[0].Rate, sc.Links[1].Rate = 25*units.Gbps, 25*units.Gbps
	if share, flows := Of(sc, 4).Collisions(100e9); math.Abs(share-0.5) > 1e-9 || flows != 0 {
		t.Errorf("%v of %d flows, want half", share, flows)
	}
	// Two hosts of 100 Gb/s with two flows each over one of 100 Gb/s: four share it.
	sc = leaves(1, sc.Flows...)
	if share, flows := Of(sc, 4).Collisions(200e9); math.Abs(share-0.5) > 1e-9 || flows != 4 {
		t.Errorf("%v of %d flows, want half of four", share, flows)
	}
	// As much as a link carries is not beyond it: one host of 100 Gb/s; and no share is above one.
	sc = leaves(1, send(0, 4, 1000, 0), send(0, 5, 1000, 0))
	if share, flows := Of(sc, 2).Collisions(50e9); share != 1 || flows != 0 {
		t.Errorf("%v of %d flows, want 1 and none", share, flows)
	}
}

// Of links that take as long the one with most flows is told; what is sent again counts again.
func TestFullestLinks(t *testing.T) {
	const size = 1_000_000
	two, again := send(4, 0, size/2, 0), send(2, 6, size/2, 0)
	again.Repeat = 2
	for _, flows := range [][]sim.Flow{{again, two, two}, {two, two, again}} {
		least, n := Of(leaves(1, flows...), 3).Hashed()
		if want := units.Time(1001 * 1000 * 80); least != want || n != 2 {
			t.Errorf("%v with %d flows, want %v with 2", least, n, want)
		}
	}
}

// A host without a way to its receiver sends nothing, and what it would send is not carried.
func TestEvenWithoutAWay(t *testing.T) {
	sc := leaves(0, send(0, 4, 1000, 0), send(0, 1, 2000, 0))
	if got := Of(sc, 2).Even(); math.Abs(got.Rate-100e9) > 1 || got.Wire != 2002 || got.Least != 2002*80 {
		t.Errorf("%+v", got)
	}
	again := send(0, 1, 2000, 0)
	again.Repeat = 3
	if got := Of(leaves(0, again), 1).Even(); got.Wire != 3*2002 {
		t.Errorf("three times %+v", got)
	}
}

// A host of 25 Gb/s takes 400 ns for a packet: a queue pair has sent one by then, and four of two packets
// each are done after 3.2 us.
func TestTurnsOfASlowHost(t *testing.T) {
	flows := make([]sim.Flow, 4)
	g := group{rtt: 4_160_000, end: math.MaxInt64}
	for i := range flows {
		flows[i], g.flows = send(0, 2, 2000, 0), append(g.flows, i)
	}
	sc := star(3, flows...)
	sc.Links[0].Rate = 25 * units.Gbps
	traffic := Of(sc, 4)
	must.Equalf(t, traffic.turns(&g, Cuts{3 * microsecond, 0.5}), 3_200_000, "turns end at")
	for at, want := range map[units.Time]int64{1_599_999: 0, 1_600_000: 1250, 3_200_000: 2500} {
		if got := traffic.sent(&g, Cuts{3 * microsecond, 0.5}, at); got != want {
			t.Errorf("%d B at %d, want %d", got, at, want)
		}
	}
}

// The link at which a flow is counted is that which has most to carry for its rate. Host 0 sends to 1
// and to 2, and host 3 to 1: what 0 could send counts once there, so the port of 1 has twice what it
// carries, and two flows; 0's other flow has its own link.
func TestWhereFlowsAreCounted(t *testing.T) {
	sc := star(5, send(0, 1, 1000, 0), send(0, 2, 1000, 0), send(3, 1, 1000, 0))
	if share, flows := Of(sc, 3).Collisions(400e9); share != 0.5 || flows != 2 {
		t.Errorf("%v of %d flows, want 200 of 400 Gb/s and two", share, flows)
	}
	sc = star(2, send(0, 1, 1000, 0)) // to a host of 25 Gb/s
	sc.Links[1].Rate = 25 * units.Gbps
	if share, flows := Of(sc, 1).Collisions(50e9); share != 0.5 || flows != 1 {
		t.Errorf("%v of %d flows, want 25 of 50 Gb/s", share, flows)
	}
	sc = star(3, send(0, 2, 1000, 0), send(1, 2, 1000, 0)) // from hosts of 25 and 100 Gb/s
	sc.Links[0].Rate = 25 * units.Gbps
	if share, flows := Of(sc, 2).Collisions(200e9); share != 0.5 || flows != 2 {
		t.Errorf("%v of %d flows, want 100 of 200 Gb/s", share, flows)
	}
}

// The fullest link is that which takes longest, though others have more flows.
func TestFullestOfManyFlows(t *testing.T) {
	again := send(2, 6, 500_000, 0)
	again.Repeat = 2
	flows := []sim.Flow{send(4, 0, 1000, 0), send(4, 0, 1000, 0), send(4, 0, 1000, 0), again}
	for range 20 {
		if least, n := Of(leaves(1, flows...), 4).Hashed(); least != 1001*1000*80 || n != 1 {
			t.Fatalf("%v with %d flows", least, n)
		}
	}
}

// Senders that begin together at 5 us fare as those that begin at once; a receiver of three senders is
// worse than one of two, wherever it is; a host's own link is none where packets meet.
func TestWorstReceiver(t *testing.T) {
	const mega = 1_000_000
	for _, first := range []bool{true, false} {
		three, two := 6, 5
		if first {
			three, two = 5, 6
		}
		var flows []sim.Flow
		for i := range 5 {
			to := three
			if i > 2 {
				to = two
			}
			flows = append(flows, send(i, to, mega, 5*microsecond))
		}
		sc := star(7, flows...)
		for i := range sc.Links { // the port to a host is the first of its link
			l := &sc.Links[i]
			l.A, l.B = l.B, l.A
		}
		for range 20 {
			// 123 packets, 12.3 us of the link, handed over in 4.1 us
			if got := Of(sc, 5).Start(); got.Port != 2*three || got.Senders != 3 || got.Latency != 2*microsecond+12_300_000-4_100_000 || got.RTT != 4_160_000 {
				t.Fatalf("%+v, want port %d", got, 2*three)
			}
		}
	}
	// Port 0, of a host that three others send to.
	sc := star(6, send(1, 0, mega, 0), send(2, 0, mega, 0), send(3, 0, mega, 0), send(4, 5, mega, 0))
	sc.Links[0].A, sc.Links[0].B = sc.Links[0].B, sc.Links[0].A
	for range 20 {
		if got := Of(sc, 4).Start(); got.Port != 0 || got.Senders != 3 {
			t.Fatalf("%+v, want port 0", got)
		}
	}
	// Two queue pairs of a host to two others: one packet of each in 100 ns; none waits for the other.
	sc = star(3, send(0, 1, 10_000, 0), send(0, 2, 10_000, 0))
	if got := Of(sc, 2).Wave(Cuts{4 * microsecond, 0.5}); got.Port != 3 || got.Pairs != 1 || got.Bytes != 12_500 {
		t.Errorf("%+v", got)
	}
	// The shorter cable counts, in whatever order they come.
	for _, far := range []int{0, 1} {
		sc = star(3, send(0, 2, 10_000, 0), send(1, 2, 10_000, 0))
		sc.Links[far].Delay = 3 * microsecond
		if got := Of(sc, 2).Wave(Cuts{4 * microsecond, 0.5}); got.Latency != 2*microsecond+2_000_000-1_000_000 {
			t.Errorf("%+v", got)
		}
	}
}

// Two flows of a pair of hosts have two shares: with one of another host, each has a third.
func TestSharesOfFlows(t *testing.T) {
	sc := leaves(4, send(0, 4, 1000, 0), send(0, 4, 1000, 0), send(1, 4, 1000, 0), send(1, 5, 1000, 0))
	traffic := Of(sc, 4)
	// The last has what its host's link leaves of the third: two thirds.
	if got := traffic.fair(traffic.pairs()); math.Abs(got-(100e9+200e9/3)) > 1 {
		t.Errorf("%v", got)
	}
}

// The rest of a message, less than a packet, counts when two packets more could have been sent, in
// turns: 1,500 B are 2,000 B on the wire, of two queue pairs 4,000 B or 320 ns, and four packets are 400 ns.
func TestRestOfAMessage(t *testing.T) {
	flows := []sim.Flow{send(0, 2, 1500, 0), send(0, 2, 1500, 0)}
	g := group{flows: []int{0, 1}, rtt: 4_160_000, end: math.MaxInt64}
	traffic := Of(star(3, flows...), 2)
	for at, want := range map[units.Time]int64{200_000: 1250, 320_000: 1250, 719_999: 1250, 720_000: 2000, 9_000_000: 2000} {
		if got := traffic.sent(&g, Cuts{3 * microsecond, 0.5}, at); got != want {
			t.Errorf("%d B at %d ps, want %d", got, at, want)
		}
	}
}

// Two messages of a queue pair go one behind the other, and take one turn of their host's: of three at once, two to host 3 on
// one queue pair and one to host 4, half of the first 41 packets go to each, in whole turns 20.
func TestStartOfSharedQueuePair(t *testing.T) {
	const mega = 1_000_000
	flows := []sim.Flow{send(0, 3, mega, 0), send(0, 3, mega, 0), send(0, 4, mega, 0), send(1, 3, mega, 0), send(1, 4, mega, 0)}
	flows[0].QueuePair, flows[1].QueuePair = 1, 1
	// 20 packets of each host to each of 3 and 4, 4 us of the link, in 4 us.
	if got := Of(star(5, flows...), 5).Start(); got.Latency != 2*microsecond || got.Senders != 2 {
		t.Errorf("%+v", got)
	}
	// A cut to nothing after T: 20 packets each by 4 us.
	if got := Of(star(5, flows...), 5).Wave(Cuts{Apart: 4 * microsecond}); got.Bytes != 40*1250 || got.Pairs != 2 {
		t.Errorf("%+v", got)
	}
}
