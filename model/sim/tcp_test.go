package sim

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// overTCP makes all flows of a scenario connections of TCP.
func overTCP(sc *Scenario) *Scenario {
	sc.ECN = nil
	for i := range sc.Flows {
		sc.Flows[i].TCP = true
	}
	return sc
}

// lossyBuffers gives each switch a chip's buffer in which the PGs of some classes drop instead
// of pausing.
func lossyBuffers(sc *Scenario, shared units.Bytes, which uint8) {
	chipBuffers(sc, shared.FloorCells(4))
	for _, b := range sc.Silicon {
		for port := 0; b != nil && port < len(b.Config.Ports); port++ {
			for class := range b.Config.Ports[port].PGs {
				if pg := &b.Config.Ports[port].PGs[class]; which>>class&1 != 0 {
					*pg = mmu.PG{ReservedCells: pg.ReservedCells, Limit: pg.Limit}
				}
			}
		}
	}
}

// Slow start doubles the window each round trip: of 80 packets 10 go at once, then 20, then 40,
// then the last 10 (RFC 6928 and RFC 5681; packets of 1,000 B, so that the initial window is
// ten of them).
func TestSlowStart(t *testing.T) {
	sc := leafSpine(1, 2, 0)
	for i := range sc.Links {
		sc.Links[i].Delay = 50 * units.Microsecond // the window never fills the path
	}
	sc.flow(0, 1, 80_000, 0)
	s, err := newEngine(overTCP(sc))
	if err != nil {
		t.Fatal(err)
	}
	rounds, sent, last := []int64{0}, int64(0), int64(0)
	for s.step(never) {
		if s.flows[0].next == sent {
			continue
		}
		if s.now-last > int64(100*units.Microsecond) {
			rounds = append(rounds, 0)
		}
		rounds[len(rounds)-1] += (s.flows[0].next - sent) / 1000
		sent, last = s.flows[0].next, s.now
	}
	if diff := cmp.Diff([]int64{10, 20, 40, 10}, rounds); diff != "" {
		t.Errorf("packets by round trip:\n%s", diff)
	}
}

// lossAt runs one connection that loses the n-th packet, once.
func lossAt(t *testing.T, packets int64, n int64) *engine {
	t.Helper()
	sc := leafSpine(1, 2, 0)
	sc.flow(0, 1, units.Bytes(packets)*1000, 0)
	s, err := newEngine(overTCP(sc))
	if err != nil {
		t.Fatal(err)
	}
	const host = 2 // its port
	s.configs[host].loss = math.MaxUint64
	for s.step(never) {
		s.ports[host].trouble = 0
		if s.lost == 0 && s.inbound[0].expected == (n-1)*1000 {
			s.ports[host].trouble = faulty
		}
	}
	audit(t, s)
	if s.lost != 1 || s.finished != 1 {
		t.Fatalf("%d packets lost, %d flows finished", s.lost, s.finished)
	}
	return s
}

// The loss of a packet with three behind it is recovered without the timer, and it alone is
// sent again; that of the last packet waits for the timer, which has its least value then.
func TestRetransmission(t *testing.T) {
	const packets = 60
	s := lossAt(t, packets, 5)
	if want := int64(2*(packets+1) - 1); s.timeouts != 0 || s.created != want { // all but the lost one are acknowledged
		t.Errorf("in the midst: %d timeouts, %d packets and acknowledgements, want %d", s.timeouts, s.created, want)
	}
	s = lossAt(t, 5, 5)
	if took := s.messages[0].finished; s.timeouts != 1 || took < int64(200*units.Millisecond) || took > int64(201*units.Millisecond) {
		t.Errorf("at the end: %d timeouts, %d ps", s.timeouts, took)
	}
}

// Whatever is lost, all messages come at last, in buffers that drop and on links that do.
func TestTCPRecovers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sc := leafSpine(2, 3, 2)
		sc.Links[rapid.IntRange(0, len(sc.Links)-1).Draw(t, "link")].ErrorRate = rapid.Float64Range(0, 0.2).Draw(t, "errors")
		patterns[rapid.SampledFrom([]string{"incast", "mixed sizes"}).Draw(t, "pattern")](sc, 100*units.KB)
		if rapid.Bool().Draw(t, "lossy") {
			lossyBuffers(sc, units.Bytes(rapid.IntRange(2, 400).Draw(t, "kilobytes"))*units.KB, 0xff)
		}
		sc.TCP = TCP{LeastTimeout: units.Millisecond, FirstTimeout: units.Millisecond}
		drain(t, overTCP(sc), true)
	})
}

// Connections that share a port which drops fill it.
func TestTCPFillsALossyPort(t *testing.T) {
	sc := leafSpine(1, 5, 0)
	for src := 1; src < 5; src++ {
		sc.flow(src, 0, units.GB, 0)
	}
	lossyBuffers(sc, 400*units.KB, 0xff) // the path holds 50 kB
	sc.TCP.LeastTimeout = 5 * units.Millisecond
	s, err := newEngine(overTCP(sc))
	if err != nil {
		t.Fatal(err)
	}
	const time = 20 * units.Millisecond
	for s.step(int64(time)) {
	}
	audit(t, s)
	total := int64(0)
	for i := range s.flows {
		total += s.inbound[i].expected
	}
	if full := int64(250_000_000) * 1000 / 1048; total < full*9/10 || s.dropped == 0 || s.pauses != 0 {
		t.Errorf("%d B came, of %d; %d drops, %d pauses", total, full, s.dropped, s.pauses)
	}
}
