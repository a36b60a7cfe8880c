package bound

import (
	"math"
	"testing"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// star is n hosts at one switch, 100 Gb/s and 1 us of cable each, with packets of 1,000 B of
// payload and no headers but a gap that makes them 1,250 B on the wire: 100 ns.
func star(n int, flows ...sim.Flow) *sim.Scenario {
	sc := &sim.Scenario{
		Nodes: make([]sim.Node, n+1), Flows: flows,
		Transport: sim.Transport{Payload: 1000}, Wire: sim.Wire{Data: 62, Ack: 66, Gap: 188},
	}
	sc.Nodes[n] = sim.Switch
	for i := range n {
		sc.Links = append(sc.Links, sim.Link{A: i, B: n, Rate: 100 * units.Gbps, Delay: units.Microsecond})
	}
	return sc
}

func send(src, dst int, size units.Bytes, at units.Time) sim.Flow {
	return sim.Flow{Src: src, Dst: dst, Bytes: size, Start: at}
}

// Two cables are 2 us, and a payload of 1,000 B takes 80 ns on each without gap: T is 2·2 us +
// 2·80 ns = 4.16 us, in which a link carries 41 packets of 100 ns. Four hosts hand 164 packets over,
// 16.4 us of the receiver's link; the last of them is there 2 + 16.4 us after the start at the
// earliest, and was handed over after 4.1 us.
func TestStart(t *testing.T) {
	const mega = 1_000_000
	us := func(v float64) units.Time { return units.Time(math.Round(v * 1e6)) }
	for _, c := range []struct {
		name    string
		flows   []sim.Flow
		latency units.Time
		senders int
	}{
		{"four at once", []sim.Flow{send(0, 4, mega, 0), send(1, 4, mega, 0), send(2, 4, mega, 0), send(3, 4, mega, 0)}, us(2 + 16.4 - 4.1), 4},
		// Ten packets each: 4 us of the link, handed over in 1 us.
		{"four that send little", []sim.Flow{send(0, 4, 10_000, 0), send(1, 4, 10_000, 0), send(2, 4, 10_000, 0), send(3, 4, 10_000, 0)}, us(2 + 4 - 1), 4},
		// Two queue pairs of a host share its link: 20 packets each in whole turns.
		{"two queue pairs", []sim.Flow{send(0, 4, mega, 0), send(0, 4, mega, 0), send(1, 4, mega, 0)}, us(2 + 4.0 + 4.1 - 4.1), 2},
		// A second begins 3 us later: 82 packets between 0 and 7.1 us.
		{"one after the other", []sim.Flow{send(0, 4, mega, 0), send(1, 4, mega, 3*units.Microsecond)}, us(2 + 8.2 - 7.1), 2},
		// The second message of a host may find the first under way, and ends what is known of it.
		{"again", []sim.Flow{send(0, 4, mega, 0), send(0, 4, mega, units.Microsecond), send(1, 4, mega, 0)}, us(2 + 1.0 + 4.1 - 4.1), 2},
	} {
		got := Of(star(5, c.flows...), len(c.flows)).Start()
		if d := got.Latency - c.latency; d != 0 || got.Senders != c.senders || got.Port != 9 {
			t.Errorf("%s: %v with %d senders at port %d, want %v with %d at port 9", c.name, got.Latency, got.Senders, got.Port, c.latency, c.senders)
		}
	}
	tcp := send(0, 1, mega, 0)
	tcp.TCP = true
	if got := Of(star(2, tcp), 1).Start(); got.Port != -1 {
		t.Errorf("TCP alone: %+v", got)
	}
}

// Three hosts of 100 Gb/s send over one link of 100 Gb/s to three others: 100 of 300. One more
// that stays at its switch has its own 100: 200 of 400.
func TestCollisions(t *testing.T) {
	sc := &sim.Scenario{Nodes: []sim.Node{0, 0, 0, 0, 0, 0, 0, 0, sim.Switch, sim.Switch}, Transport: sim.Transport{Payload: 1000}, Wire: sim.Ethernet()}
	for i := range 8 {
		sc.Links = append(sc.Links, sim.Link{A: i, B: 8 + i/4, Rate: 100 * units.Gbps})
	}
	sc.Links = append(sc.Links, sim.Link{A: 8, B: 9, Rate: 100 * units.Gbps})
	for i := range 3 {
		sc.Flows = append(sc.Flows, send(i, 4+i, 1000, 0))
	}
	if share, flows := Of(sc, 3).Collisions(300e9); math.Abs(share-1./3) > 1e-9 || flows != 3 {
		t.Errorf("%v of %d flows", share, flows)
	}
	sc.Flows = append(sc.Flows, send(0, 3, 1000, 0))
	sc.Flows[3].Src = 3
	sc.Flows[3].Dst = 0
	if share, _ := Of(sc, 4).Collisions(400e9); math.Abs(share-0.5) > 1e-9 {
		t.Errorf("with one that stays: %v", share)
	}
}

// Two cables are 2 us, and 1,000 B take 80 ns on each of two links; of 1,500 B the shorter packet takes half of that. A neighbour behind a
// shorter cable is nearer.
func TestAlone(t *testing.T) {
	for want, flows := range map[units.Time][]sim.Flow{
		0:         nil,
		2_160_000: {send(0, 4, 10_000, 0), send(1, 4, 1000, 0)},
		2_080_000: {send(0, 4, 10_000, 0), send(1, 4, 1500, 0)},
		2_016_000: {send(1, 4, 100, 0)},
		1_660_000: {send(0, 4, 1000, 0), send(3, 4, 1000, 0)},
	} {
		sc := star(5, flows...)
		sc.Links[3].Delay = units.Microsecond / 2
		if got := Of(sc, len(flows)).Alone(); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// leaves is two switches with four hosts of 100 Gb/s each, and so many links of 100 Gb/s between them,
// with packets of 1,000 B without headers, and acknowledgements of 100 B.
func leaves(between int, flows ...sim.Flow) *sim.Scenario {
	sc := &sim.Scenario{
		Nodes: []sim.Node{0, 0, 0, 0, 0, 0, 0, 0, sim.Switch, sim.Switch}, Flows: flows,
		Transport: sim.Transport{Payload: 1000}, Wire: sim.Wire{Data: 1, Ack: 100},
	}
	for i := range 8 {
		sc.Links = append(sc.Links, sim.Link{A: i, B: 8 + i/4, Rate: 100 * units.Gbps})
	}
	for range between {
		sc.Links = append(sc.Links, sim.Link{A: 8, B: 9, Rate: 100 * units.Gbps})
	}
	return sc
}

// Data of 1,001 B on the wire for 100 B back. Four hosts to two of the other leaf are two ports, and
// one where one link is between; a host and its neighbour have a port of their own; all to the next leaf and back
// share what is between with their acknowledgements, 1 to 1 + 100/1001.
func TestEven(t *testing.T) {
	const size = 1_000_000
	var incast, across []sim.Flow
	for src := range 4 {
		incast = append(incast, send(src, 4, size, 0), send(src, 5, size, 0))
		across = append(across, send(src, src+4, size, 0), send(src+4, src, size, 0))
	}
	mixed := append(incast[:8:8], send(7, 6, size, 0))
	for _, c := range []struct {
		name    string
		between int
		flows   []sim.Flow
		ports   float64 // of 100 Gb/s
		least   float64 // messages of a port, one after the other
	}{
		{"four to two", 4, incast, 2, 4},
		{"four to two over one link", 1, incast, 1, 8},
		{"and one beside", 1, mixed, 2, 8},
		{"all across", 2, across, 2 * 2 / (1 + 100./1001), 2 * (1 + 100./1001)},
	} {
		got := Of(leaves(c.between, c.flows...), len(c.flows)).Even()
		took := c.least * 1001 * 1000 * 8 / 100e9 * 1e12 // ps
		if math.Abs(got.Rate/100e9-c.ports) > 1e-6 || math.Abs(float64(got.Least)/took-1) > 1e-6 || int(got.Wire) != len(c.flows)*1001*1000 {
			t.Errorf("%s: %.4f ports, least %v for %.0f ps, %v; want %.4f", c.name, got.Rate/100e9, got.Least, took, got.Wire, c.ports)
		}
	}
}

// A slow sender has what it has, and the others what it leaves: 10 of 100 Gb/s, and 45 each.
func TestFair(t *testing.T) {
	flows := []sim.Flow{send(0, 4, 1000, 0), send(1, 4, 1000, 0), send(2, 4, 1000, 0)}
	sc := leaves(4, flows...)
	sc.Links[0].Rate = 10 * units.Gbps
	traffic := Of(sc, 3)
	pairs := traffic.pairs()
	if got := traffic.fair(pairs); math.Abs(got-100e9) > 1 {
		t.Errorf("three: %v", got)
	}
	if got := traffic.fair(pairs[:2]); math.Abs(got-100e9) > 1 {
		t.Errorf("two: %v", got)
	}
	if got := traffic.fair(pairs[:1]); math.Abs(got-10e9) > 1 {
		t.Errorf("the slow one: %v", got)
	}
}

// Three flows of 1 MB meet on one link by their hash, and take three times as long as each alone.
func TestHashed(t *testing.T) {
	flows := []sim.Flow{send(0, 4, 1_000_000, 0), send(1, 5, 1_000_000, 0), send(2, 6, 1_000_000, 0)}
	least, n := Of(leaves(1, flows...), 3).Hashed()
	if want := units.Time(3 * 1001 * 1000 * 80); least != want || n != 3 { // 80 ps for a byte
		t.Errorf("%v with %d flows, want %v with 3", least, n, want)
	}
}

// Cables take 2 us and 1,000 B take 80 ns on a link, 100 ns with headers and gap.
func TestSteps(t *testing.T) {
	after := func(f sim.Flow, before ...int32) sim.Flow {
		f.After = before
		return f
	}
	// Four hosts reduce 8,000 B in a ring: six times 2,000 B, each when the one before has come.
	var ring []sim.Flow
	for i := range 4 {
		ring = append(ring, sim.Flow{Src: i, Dst: (i + 1) % 4, Bytes: 2000, Repeat: 6, Each: []int32{int32((i + 3) % 4)}})
	}
	// In a tree 1 and 3 send to 2, and 2 to 0; and back. The row is of four messages of 8,000 B.
	tree := []sim.Flow{send(1, 2, 8000, 0), send(3, 2, 8000, 0), after(send(2, 0, 8000, 0), 0, 1), after(send(0, 2, 8000, 0), 2), after(send(2, 3, 8000, 0), 3), after(send(2, 1, 8000, 0), 3)}
	// Of 8 MB the port of host 2 takes three messages in and three out: 3 · 800 us; the row is 4 · 642 us.
	large := append([]sim.Flow(nil), tree...)
	for i := range large {
		large[i].Bytes = 8_000_000
	}
	// Five messages of 10 KB go to host 3, ten packets each: 5 us on the wire.
	var together []sim.Flow
	for range 5 {
		together = append(together, send(0, 3, 10_000, units.Microsecond))
	}
	for name, c := range map[string]struct {
		flows []sim.Flow
		least units.Time
		port  int
	}{
		"ring":       {ring, 6 * 2160 * units.Nanosecond, -1},
		"tree":       {tree, 4 * 2640 * units.Nanosecond, -1},
		"large tree": {large, 4 * 642 * units.Microsecond, -1},
		"together":   {together, 5 * units.Microsecond, 0},
		// A train of 100 waits for nothing but itself: 80 ns each behind the first, which takes 2.08 us; 100 ns with headers.
		"train": {[]sim.Flow{{Src: 0, Dst: 1, Bytes: 1000, Repeat: 100, Ahead: 99}}, 2*units.Microsecond + 8*units.Microsecond, -1},
	} {
		if got := Of(star(4, c.flows...), len(c.flows)).Steps(0); got.Least != c.least || got.Port != c.port {
			t.Errorf("%s: %+v, want %v, %d", name, got, c.least, c.port)
		}
	}
}

// Hosts take 300 ns to send and 500 ns to receive, and nothing for what stays with them: a message of 1,000 B, work, and
// another message are 2 · (2 us + 80 ns + 800 ns).
func TestStepsOfHosts(t *testing.T) {
	sc := star(3, send(0, 1, 1000, 0), sim.Flow{Src: 1, Dst: 1, Bytes: 1000, After: []int32{0}}, sim.Flow{Src: 1, Dst: 2, Bytes: 1000, After: []int32{1}})
	sc.Transport.Host.Post, sc.Transport.Host.Deliver = 300*units.Nanosecond, 500*units.Nanosecond
	if got := Of(sc, 3).Steps(0); got.Least != 5760*units.Nanosecond {
		t.Errorf("%+v", got)
	}
}
