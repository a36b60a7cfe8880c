package sim

import (
	"runtime"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// ringOf is an all-reduce in a ring of n hosts with chunks of a size: as trains, or as a message for
// each step.
func ringOf(sc *Scenario, n int, chunk units.Bytes, trains bool) *Scenario {
	steps := 2 * (n - 1)
	if trains {
		for src := range n {
			sc.flow(src, (src+1)%n, chunk, 0)
			f := &sc.Flows[src]
			f.Repeat, f.Each, f.SrcPort = steps, []int32{int32((src + n - 1) % n)}, 10000
		}
		return sc
	}
	for step := range steps {
		for src := range n {
			sc.flow(src, (src+1)%n, chunk, 0)
			f := &sc.Flows[len(sc.Flows)-1]
			f.QueuePair, f.SrcPort = 1, 10000
			if step > 0 {
				f.After = []int32{int32((step-1)*n + (src+n-1)%n)}
			}
		}
	}
	return sc
}

// A train does to the picosecond what as many messages do that wait for each other: with chunks of whole
// packets and others, where the pace and PFC hold steps back so that several are under way, where packets overtake,
// where they are lost, and on several cores.
func TestTrains(t *testing.T) {
	const n = 8
	for name, change := range map[string]func(sc *Scenario){
		"alone": func(*Scenario) {},
		"congested": func(sc *Scenario) {
			sc.Buffer.Size = 6 * units.MiB
			for range 6 {
				sc.flow(7, 0, 500*units.KB, 0)
				sc.Flows[len(sc.Flows)-1].SrcPort = 20000
			}
		},
		"a slow link": func(sc *Scenario) { sc.Links[3].Rate = 25 * units.Gbps },
		"sprayed":     func(sc *Scenario) { sc.Balancing.Mode, sc.Transport.DirectPlacement = balance.Spray, true },
		"lossy": func(sc *Scenario) {
			sc.Links[2].ErrorRate, sc.Transport.AckTimeout, sc.Transport.Retries = 0.01, 100*units.Microsecond, 1000
		},
		"two cores": func(sc *Scenario) { sc.Cores = 2 },
	} {
		for _, chunk := range []units.Bytes{700, 64_000, 33_333} {
			run := func(trains bool) (out []FlowResult, r *Result) {
				sc := ringOf(leafSpine(4, 2, 3), n, chunk, trains)
				sc.Congestion.MinRate = 100 * units.Mbps
				controls["dcqcn"](sc)
				change(sc)
				r = mustRun(t, sc)
				for _, f := range r.Flows {
					switch {
					case f.Bytes == 500_000: // of others
					case trains:
						out = append(out, f)
					case f.Index >= n*(2*(n-1)-1): // of the last step
						f.FCTUS += f.StartUS
						f.DeliveredUS += f.StartUS
						out = append(out, f)
					}
				}
				return out, r
			}
			got, all := run(true)
			want, one := run(false)
			if len(got) != n || len(want) != n || all.PacketHops != one.PacketHops || all.Events != one.Events {
				t.Fatalf("%s, chunks of %d B: %d trains and %d messages came, %d and %d hops", name, chunk, len(got), len(want), all.PacketHops, one.PacketHops)
			}
			for i := range got {
				a, b := &got[i], &want[i]
				near := func(x, y float64) bool { return x-y < 1e-7 && y-x < 1e-7 }
				if a.Bytes != 14*int64(chunk) || !near(a.FCTUS, b.FCTUS) || !near(a.DeliveredUS, b.DeliveredUS) {
					t.Errorf("%s, chunks of %d B: train %+v, last message %+v", name, chunk, a, b)
				}
			}
		}
	}
}

// A ring of 16,384 hosts, whose 537 million messages nobody makes, is posed, and its first steps run, in
// memory by what is under way.
func TestRingOfManyHosts(t *testing.T) {
	const leaves, perLeaf = 256, 64
	sc := ringOf(leafSpine(leaves, perLeaf, 8), leaves*perLeaf, 4096, true)
	sc.ECN = nil
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s := must.Get(newEngine(sc))(t)
	for s.messages[0].done < 3 && s.step(never) {
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if used := int64(after.HeapAlloc - before.HeapAlloc); used > 200e6 {
		t.Errorf("%d B in use", used)
	}
	least := slices.MinFunc(s.messages, func(a, b message) int { return int(a.times - b.times) }).times
	if least < 2 || s.messages[0].repeat != 2*(leaves*perLeaf-1) {
		t.Errorf("some host has not begun its second step of %d", s.messages[0].repeat)
	}
}

// The first steps of that ring run to their end: each host sends a chunk of 4,096 B in each, and no step takes less than a
// packet needs on two links of 100 Gb/s, with 48 B of headers.
func TestRingOfManyHostsRunsThrough(t *testing.T) {
	const leaves, perLeaf, steps = 256, 64, 6
	sc := ringOf(leafSpine(leaves, perLeaf, 8), leaves*perLeaf, 4096, true)
	sc.Transport.Payload, sc.ECN = 4096, nil
	for i := range sc.Flows {
		sc.Flows[i].Repeat = steps
	}
	r := mustRun(t, sc)
	least := steps * 2 * (4096 + 48) * 8 / 100e3 // us
	if len(r.Flows) != leaves*perLeaf || r.UnfinishedFlows > 0 || r.Drops > 0 {
		t.Fatalf("%d hosts are done, %d not, %d packets lost", len(r.Flows), r.UnfinishedFlows, r.Drops)
	}
	for _, f := range r.Flows {
		if f.Bytes != steps*4096 || f.FCTUS < least {
			t.Fatalf("%+v, want %d B in %v us at least", f, steps*4096, least)
		}
	}
}

// What the arithmetic of trains cannot do is refused.
func TestTrainsRefused(t *testing.T) {
	for name, change := range map[string]func(sc *Scenario){
		"once":         func(sc *Scenario) { sc.Flows[0].Repeat = 1 },
		"TCP":          func(sc *Scenario) { sc.Flows[0].TCP = true },
		"other counts": func(sc *Scenario) { sc.Flows[1].Repeat = 3 },
		"nobody":       func(sc *Scenario) { sc.Flows[0].Each = []int32{77} },
		"a shared queue pair": func(sc *Scenario) {
			sc.Flows[0].QueuePair, sc.Flows[1].QueuePair = 5, 5
			sc.Flows[1].Src, sc.Flows[1].Dst = sc.Flows[0].Src, sc.Flows[0].Dst
		},
	} {
		sc := ringOf(leafSpine(2, 2, 1), 4, 1000, true)
		must.Do(t, sc.check())
		if change(sc); sc.check() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
