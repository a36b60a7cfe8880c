package sim

import (
	"encoding/json"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/balance"
	"github.com/roceplan/roceplan/units"
)

// A run in which first bytes are no events as long as buffers are calm has the result of one in which all are, to the
// last byte: with lossy links, storms, slow receivers, watchdogs, TCP, queues of ports' own, and buffers from such as are
// hardly ever calm to such as always are.
func TestQuiet(t *testing.T) {
	var quiet, disturbed, again int
	rapid.Check(t, func(t *rapid.T) {
		sc := drawScenario(t)
		sc.Observe, sc.Outages, sc.Balancing = &Observation{Usual: 5 * units.Microsecond}, nil, balance.Config{}
		lossyBuffers(sc, units.Bytes(rapid.IntRange(100, 4000).Draw(t, "shared"))*units.KB, rapid.Uint8().Draw(t, "lossy"))
		for node := sc.hostCount(); node < len(sc.Nodes); node++ {
			sc.Latency = append(sc.Latency[:0], make([]units.Time, len(sc.Nodes))...)
			sc.Latency[node] = units.Time(rapid.IntRange(0, 1000).Draw(t, "latency")) * units.Nanosecond
		}
		if sc.Stop == 0 || sc.Stop > 10*units.Millisecond {
			sc.Stop = 10 * units.Millisecond
		}
		outcome := func(loud bool) string {
			s, err := newEngine(sc)
			if err != nil {
				t.Fatalf("%v", err)
			}
			for _, b := range s.silicon {
				switch {
				case b == nil || b.quiet == nil:
				case loud:
					s.disturb(b)
					b.quiet = nil
				default:
					quiet++
				}
			}
			were := map[*silicon]bool{}
			for s.steps(int64(sc.Stop), 200) {
				for _, b := range s.silicon {
					if b == nil || b.quiet == nil {
						continue
					}
					if before, known := were[b]; known && before != b.quiet.is {
						if before {
							disturbed++
						} else {
							again++
						}
					}
					were[b] = b.quiet.is
				}
			}
			audit(t, s)
			text, err := json.Marshal(s.result(sc))
			if err != nil {
				t.Fatalf("%v", err)
			}
			return string(text)
		}
		if got, want := outcome(false), outcome(true); got != want {
			t.Fatalf("quiet\n%s\nloud\n%s", got, want)
		}
	})
	t.Logf("%d quiet switches, seen %d times disturbed and %d times calm again", quiet, disturbed, again)
	if quiet == 0 || disturbed == 0 || again == 0 {
		t.Error("no switch was quiet, or none was disturbed and came to rest again")
	}
}

// A packet that goes straight through a switch whose buffer is calm is one event there, and its buffer does not hear
// of it.
func TestOneEventPerHop(t *testing.T) {
	sc := oneSwitch(2, chipBuffer(2, 500_000, 3000, -1))
	sc.Links[1].Rate *= 2         // no packet comes at the end of the one before
	sc.flow(0, 1, 10*units.KB, 0) // ten packets and as many acknowledgements
	events := func(loud bool) (n int, held bool) {
		s := must.Get(newEngine(sc))(t)
		if loud {
			s.disturb(s.silicon[2])
			s.silicon[2].quiet = nil
		}
		for s.step(math.MaxInt64) {
			n++
			for port := range 2 {
				held = held || s.silicon[2].PG(port, 3).Total() != 0
			}
		}
		return n, held
	}
	quiet, told := events(false)
	loud, counted := events(true)
	if loud-quiet != 20 {
		t.Errorf("%d events, and %d if first bytes are events: want 20 more", quiet, loud)
	}
	if told || !counted {
		t.Errorf("the buffer hears of packets: %t, and %t if first bytes are events", told, counted)
	}
}

// What keeps a queue pair from sending other than its own pace, a window or a pause of its class, does
// not keep others of its host from theirs: one of 1 Gb/s sends each 1,048 B within 8.384 us.
func TestBlockedPairHoldsUpNoOther(t *testing.T) {
	const packets = 50
	for name, block := range map[string]func(*engine){
		"a connection of TCP": func(s *engine) {},
		"a window":            func(s *engine) { s.flows[0].window = 2000 },
		"a pause":             func(s *engine) { s.ports[s.flows[0].port].paused = 1 << s.flows[0].class },
	} {
		t.Run(name, func(t *testing.T) {
			sc := leafSpine(1, 3, 0)
			for i := range sc.Links {
				sc.Links[i].Delay = 200 * units.Microsecond // longer than all packets take at their pace
			}
			sc.flow(0, 1, 4*units.MB, 0)
			sc.flow(0, 2, packets*1000, 0)
			sc.Flows[0].TCP = name == "a connection of TCP"
			sc.Flows[1].Class = 4
			s := must.Get(newEngine(sc))(t)
			block(s)
			s.flows[1].rate = uint64(units.Gbps)
			for s.flows[1].next < packets*1000 && s.step(never) {
			}
			if end, want := s.now, int64(packets*8384*units.Nanosecond); s.flows[1].next < packets*1000 || end > want {
				t.Errorf("%d of %d B were sent after %d ps; at their pace they are by %d ps", s.flows[1].next, packets*1000, end, want)
			}
		})
	}
}
