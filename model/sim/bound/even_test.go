package bound

import (
	"math"
	"testing"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

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
