package sim

import (
	"testing"

	"github.com/roceplan/roceplan/units"
)

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
			s, err := newEngine(sc)
			if err != nil {
				t.Fatal(err)
			}
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
