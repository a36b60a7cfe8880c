package sim

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// chipBuffer is a buffer for a switch of so many ports in cells of 4 B, of which all
// packets here take a whole number.
func chipBuffer(ports int, shared, headroom units.Cells, alpha units.Alpha) *SiliconBuffer {
	b := &SiliconBuffer{Config: &mmu.Config{
		CellBytes: 4, Slices: 1,
		IngressPools: []mmu.Pool{{Name: "ingress", SharedCells: shared}},
		EgressPools:  []mmu.Pool{{Name: "egress", SharedCells: 1 << 30}},
	}}
	for port := range ports {
		p := mmu.Port{}
		for class := range classes {
			p.PGs = append(p.PGs, mmu.PG{
				ReservedCells: 300, Limit: mmu.DynamicLimit(alpha), Lossless: true,
				HeadroomCells: headroom, XonOffsetCells: 600,
			})
			p.Queues = append(p.Queues, mmu.Queue{Limit: mmu.StaticLimit(1 << 30)})
			b.PG[class], b.Queue[class] = uint8(class), uint8(class)
		}
		b.Config.Ports = append(b.Config.Ports, p)
		b.Ports = append(b.Ports, port)
	}
	return b
}

// oneSwitch is hosts around a switch with a chip's buffer.
func oneSwitch(hosts int, b *SiliconBuffer) *Scenario {
	sc := leafSpine(1, hosts, 0)
	sc.Silicon = make([]*SiliconBuffer, len(sc.Nodes))
	sc.Silicon[hosts] = b
	return sc
}

// The simulator's switch pauses with the same packet as the buffer model that is probed
// alone: a host fills it while the way out is blocked.
func TestPausePacket(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := chipBuffer(2, units.Cells(rapid.IntRange(5000, 500_000).Draw(t, "shared")), 30_000,
			units.Alpha(rapid.IntRange(-4, 1).Draw(t, "alpha")))
		probe, err := mmu.Probe(b.Config, mmu.Packet{PG: 3, OutPort: 1, Queue: 3, Bytes: 1048}, 1_000_000)
		if err != nil || probe.FirstPause == 0 {
			t.Fatal(probe, err)
		}
		sc := oneSwitch(2, b)
		sc.flow(0, 1, 10*units.MB, 0)
		s, err := New(sc)
		if err != nil {
			t.Fatal(err)
		}
		const out = 3 // the switch's end of the second host's link
		s.ports[out].paused = 1 << 3
		for s.pauses == 0 && s.step(math.MaxInt64) {
		}
		if got := int64(s.queue(out, 3).bytes) / 1048; got != probe.FirstPause {
			t.Fatalf("paused with packet %d, alone with packet %d", got, probe.FirstPause)
		}
	})
}

// With headroom for what is under way nothing is lost; without any, the same traffic is.
func TestHeadroomHolds(t *testing.T) {
	for _, c := range []struct {
		headroom units.Cells
		lossless bool
	}{{30_000 / 4 * 3, true}, {0, false}} {
		sc := scenario(oneSwitch(9, chipBuffer(9, 100_000, c.headroom, -3)), "incast", "none", 200*units.KB)
		drainOf := func() int64 {
			s, err := New(sc)
			if err != nil {
				t.Fatal(err)
			}
			for s.steps(math.MaxInt64, 1000) {
				audit(t, s)
			}
			if s.pauses == 0 {
				t.Error("no pause: the test does not press")
			}
			return s.dropped
		}
		if dropped := drainOf(); dropped == 0 != c.lossless {
			t.Errorf("headroom of %d cells: %d packets dropped", c.headroom, dropped)
		}
	}
}
