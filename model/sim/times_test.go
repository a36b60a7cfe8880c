package sim

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim/conweave"
	"github.com/roceplan/roceplan/units"
)

// How long bytes last: 1,000 B with 20 B around them are 8,160 bit, 81.6 ns at 100 Gb/s; and 272 ns at 30 Gb/s. ns-3 cuts to
// nanoseconds.
func TestDurations(t *testing.T) {
	own, ns3 := clock{NS3Times - 1, 20}, clock{NS3Times, 20}
	for _, c := range []struct {
		size     int32
		rate     units.BitRate
		own, ns3 int64
	}{
		{1000, 100 * units.Gbps, 81_600, 81_000}, {1000, 30 * units.Gbps, 272_000, 272_000}, {0, 100 * units.Gbps, 1_600, 1_000},
		{1001, 70 * units.Gbps, 116_686, 116_000}, // 8,168/70 = 116.6857
	} {
		must.Equalf(t, own.duration(c.size, uint64(c.rate)), c.own, "%d B at %v: ps:", c.size, c.rate)
		if got := ns3.duration(c.size, uint64(c.rate)); got != c.ns3 && got != c.ns3-1000 { // it may lose one
			t.Errorf("%d B at %v: %d ps, want %d", c.size, c.rate, got, c.ns3)
		}
		if table := own.table(uint64(c.rate), c.size); len(table) != int(c.size)+1 || int64(table[c.size]) != c.own {
			t.Errorf("a table of %d", len(table))
		}
	}
	for _, c := range []struct{ bits, rate, own, ns3 int64 }{{8_000_000, 100_000_000_000, 80_000_000, 80_000_000}, {1, 3_000_000_000, 333, 0}, {10, 3_000_000_000, 3_333, 3_000}} {
		must.Equalf(t, own.whole(c.bits, c.rate), c.own, "%d bit: ps:", c.bits)
		must.Equalf(t, ns3.whole(c.bits, c.rate), c.ns3, "%d bit: ps:", c.bits)
	}
	for _, c := range []struct{ time, rate, bytes int64 }{{80_000, 100_000_000_000, 1000}, {79_999, 100_000_000_000, 999}, {1, 100_000_000_000, 0}} {
		if got := bytesIn(c.time, c.rate); got != c.bytes {
			t.Errorf("in %d ps %d B pass, want %d", c.time, got, c.bytes)
		}
	}
	for seconds, want := range map[float64]int64{0: 0, 1.5: 1_500_000_000, 0.25e-9: 0, 3.0000000015: 3_000_000_001, 0.999999999999: 999_999_999} {
		must.Equalf(t, ns3Nanoseconds(seconds), want, "%v s: ns:", seconds)
	}
}

// A class that may send 1 Gb/s: a packet of 1,000 B holds it for 8 us. What it began late by is made up for, to a packet.
func TestShaperByHand(t *testing.T) {
	s := &engine{}
	h := &shapers{limited: []uint8{0, 1 << 3}, all: make([]shaper, 2*classes), due: make([]bool, 2)}
	h.of(1, 3).rate = uint64(units.Gbps)
	const us = int64(units.Microsecond)
	for _, c := range []struct {
		now, next int64
		held      bool // before the packet
	}{{0, 8 * us, false}, {8 * us, 16 * us, false}, {20 * us, 24 * us, false}, {23 * us, 32 * us, true}, {100 * us, 100 * us, false}, {100 * us, 108 * us, false}} {
		s.now = c.now
		if held := h.holds(s, 1, 3); held != c.held || h.holds(s, 1, 4) || h.holds(s, 0, 3) {
			t.Errorf("at %d it is held: %v", c.now, held)
		}
		if h.charge(s, 1, 3, 1000); h.of(1, 3).next != c.next {
			t.Errorf("at %d: the next one at %d, want %d", c.now, h.of(1, 3).next, c.next)
		}
		h.charge(s, 1, 4, 1000)
	}
	if h.of(1, 4).next != 0 || h.of(0, 3).next != 0 {
		t.Error("a class without a limit is charged")
	}
}

// A port of Tofino 2 has 128 queues, one of which is for what is in order.
func TestReorderQueues(t *testing.T) {
	must.Equalf(t, conweave.Default().ReorderQueues, 128-1, "queues:")
}
