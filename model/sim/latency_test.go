package sim

import (
	"fmt"
	"math"
	"testing"

	"github.com/roceplan/roceplan/units"
)

// A message alone takes what its links, switches and hosts take, to the picosecond, and its
// slowdown is 1: over leaf, spine and leaf of the chips' buffers.
func TestLatency(t *testing.T) {
	for _, c := range []struct {
		bytes         units.Bytes
		latency, host units.Time
	}{
		{64, 0, 0}, {64, 300 * units.Nanosecond, 0}, {1000, 500 * units.Nanosecond, 790 * units.Nanosecond}, {40_000, 600 * units.Nanosecond, 0},
		{40_100, 600 * units.Nanosecond, 100 * units.Nanosecond},
	} {
		const payload = 1000
		sc := leafSpine(2, 2, 1)
		sc.Transport = Transport{Payload: payload, AckInterval: 1, Host: HostTimes{Post: c.host, Deliver: c.host}}
		sc.Wire, sc.ExactIdeal = Ethernet(), true
		sc.flow(0, 3, c.bytes, 0)
		chipBuffers(sc, 1<<20)
		sc.Latency = make([]units.Time, len(sc.Nodes))
		for node, kind := range sc.Nodes {
			if kind == Switch {
				sc.Latency[node] = c.latency
			}
		}
		for i := range sc.Links {
			sc.Links[i].Rate, sc.Links[i].Delay = 100*units.Gbps, units.Microsecond
		}
		// 62 B around data, 66 B of acknowledgement, 20 B of preamble and gap, 80 ps per byte; four
		// links and three switches each way. Packets follow each other on the first link; the last
		// one is behind a full one, and so comes as that plus its own time on the last link.
		n, rest := (c.bytes-1)/payload, (c.bytes-1)%payload+1
		data := 4 * (rest + 82)
		if n > 0 {
			data = 4*(payload+82) + (n-1)*(payload+82) + rest + 82
		}
		want := 80*units.Time(data+4*86) + 2*(4*units.Microsecond+3*c.latency) + 2*c.host
		r, err := Run(t.Context(), sc)
		if err != nil || r.UnfinishedFlows > 0 {
			t.Fatal(err, r)
		}
		if got, want := fmt.Sprintf("%.6f", r.Flows[0].FCTUS), fmt.Sprintf("%.6f", float64(want)/1e6); got != want {
			t.Errorf("%+v: a message takes %s us, want %s", c, got, want)
		}
		if s := r.Flows[0].Slowdown; s != 1 {
			t.Errorf("%+v: slowdown %v of a message alone", c, s)
		}
	}
}

// No message is faster than alone, whatever the size, the way to balance load and the rates.
func TestSlowdownIsAtLeastOne(t *testing.T) {
	for balancing := range balancings {
		for _, silicon := range []bool{false, true} {
			sc := balanced(leafSpine(3, 4, 3), balancing, "all-to-all", "none", 3*units.KB)
			sc.ExactIdeal, sc.Wire = true, Ethernet()
			if balancing == "cells" {
				sc.Wire.Gap = 0
			}
			for i := range sc.Flows {
				sc.Flows[i].Start = units.Time(i) * 3 * units.Microsecond
				sc.Flows[i].Bytes = units.Bytes(1 + 997*i%6000)
			}
			for i := range sc.Links {
				if sc.Nodes[sc.Links[i].A] == Switch {
					sc.Links[i].Rate, sc.Links[i].Delay = units.BitRate(1+i%3)*100*units.Gbps, units.Time(1+i%4)*units.Microsecond
				}
			}
			if silicon && balancing != "cells" {
				chipBuffers(sc, 1<<20)
			}
			r, err := Run(t.Context(), sc)
			if err != nil || r.UnfinishedFlows > 0 {
				t.Fatal(balancing, err, r)
			}
			for _, f := range r.Flows {
				if f.Slowdown < 1 {
					t.Errorf("%s: %d B from %d to %d have a slowdown of %v", balancing, f.Bytes, f.Src, f.Dst, f.Slowdown)
				}
			}
		}
	}
}

// A train's times may follow one another: what it takes alone is one message, and of each other time what the slowest link
// takes to carry it. At 100 Gb/s 1,000 B with 82 B of headers, FCS, preamble and gap take 86.56 ns, an acknowledgement of 86 B
// takes 6.88 ns; each crosses two links of 1 us.
func TestSlowdownOfTrains(t *testing.T) {
	const packet, ack, cable = 86_560, 6_880, 1_000_000 // ps
	once := 2*(packet+ack) + 4*cable
	for name, c := range map[string]struct {
		change func(f *Flow)
		ideal  int // ps, of ten times
	}{
		"waits for itself":    {func(f *Flow) {}, 10 * once},
		"with a delay":        {func(f *Flow) { f.Delay = 50 }, 10*once + 9*50},
		"all at once":         {func(f *Flow) { f.Ahead = 9 }, once + 9*packet},
		"waits for the other": {func(f *Flow) { f.Each = []int32{1} }, once + 9*packet},
	} {
		sc := leafSpine(1, 2, 0)
		sc.Wire, sc.ExactIdeal = Ethernet(), true
		for i := range sc.Links {
			sc.Links[i].Delay = cable
		}
		sc.flow(0, 1, 1000, 0)
		sc.flow(1, 0, 1000, 0)
		for i := range sc.Flows {
			sc.Flows[i].Repeat = 10
		}
		c.change(&sc.Flows[0])
		f := run(t, sc)[0]
		if got := f.FCTUS / f.Slowdown * 1e6; math.Abs(got-float64(c.ideal)) > 1 || f.Slowdown < 1 {
			t.Errorf("%s: %v ps alone, want %d; slowdown %v", name, got, c.ideal, f.Slowdown)
		}
	}
}

// In a ring of trains each step begins when that of the neighbour has come, before it is acknowledged.
func TestSlowdownOfRingsIsAtLeastOne(t *testing.T) {
	for _, ahead := range []int{-1, 0, 1, 3} {
		sc := ringOf(leafSpine(2, 4, 2), 8, 1000, true)
		sc.Wire, sc.ExactIdeal = Ethernet(), true
		for i := range sc.Flows {
			sc.Flows[i].Ahead = ahead
			if ahead < 0 && i == 0 {
				sc.Flows[i].Ahead = 0
			}
		}
		for _, f := range run(t, sc) {
			if f.Slowdown < 1 {
				t.Errorf("%d ahead: slowdown %v from %d to %d", ahead, f.Slowdown, f.Src, f.Dst)
			}
		}
	}
}
