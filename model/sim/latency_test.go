package sim

import (
	"fmt"
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
