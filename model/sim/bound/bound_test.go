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
