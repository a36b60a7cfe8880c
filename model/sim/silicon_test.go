package sim

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/must"
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

// chipBuffers gives each switch a chip's buffer.
func chipBuffers(sc *Scenario, shared units.Cells) {
	ports := make([]int, len(sc.Nodes))
	for _, l := range sc.Links {
		ports[l.A]++
		ports[l.B]++
	}
	sc.Silicon = make([]*SiliconBuffer, len(sc.Nodes))
	for node, kind := range sc.Nodes {
		if kind == Switch {
			sc.Silicon[node] = chipBuffer(ports[node], shared, 3000, -1)
		}
	}
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
		s := must.Get(newEngine(sc))(t)
		const out = 3 // the switch's end of the second host's link
		s.ports[out].paused = 1 << 3
		for s.pauses == 0 && s.step(math.MaxInt64) {
		}
		// The last of them is still coming in.
		if got := int64(s.queue(out, 3).bytes)/1048 + 1; got != probe.FirstPause {
			t.Fatalf("paused with packet %d, alone with packet %d", got, probe.FirstPause)
		}
	})
}

// The headroom that a host fills until it obeys the pause is enough, and one cell less
// loses a packet, whatever the cable, the response and the threshold. A chip that decides
// with the last byte of a packet needs a packet more.
func TestHeadroomToTheCell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shared := units.Cells(rapid.IntRange(5000, 100_000).Draw(t, "shared"))
		delay := units.Time(rapid.IntRange(10, 2000).Draw(t, "delay")) * units.Nanosecond
		response := units.Time(rapid.IntRange(0, 1000).Draw(t, "response")) * units.Nanosecond
		blocked := func(headroom units.Cells, decided mmu.Decided) *engine {
			b := chipBuffer(2, shared, headroom, -1)
			b.Config.Rules.Decided = decided
			sc := oneSwitch(2, b)
			sc.Links[0].Delay, sc.PFC.HostResponse = delay, response
			sc.flow(0, 1, 5*units.MB, 0)
			s := must.Get(newEngine(sc))(t)
			const out = 3 // the switch's end of the second host's link
			s.ports[out].paused = 1 << 3
			for s.step(never) {
			}
			return s
		}
		var needs [2]units.Cells
		for _, decided := range []mmu.Decided{mmu.AtStart, mmu.AtEnd} {
			s := blocked(1<<20, decided)
			need := units.Cells(s.peakHeadroom / 4)
			if s.dropped > 0 || s.pauses != 1 {
				t.Fatalf("%d drops, %d pauses", s.dropped, s.pauses)
			}
			needs[decided] = need
			if need == 0 {
				continue // the pause comes before the next packet begins
			}
			if s := blocked(need, decided); s.dropped != 0 {
				t.Fatalf("%d drops with %d cells of headroom", s.dropped, need)
			}
			if s := blocked(need-1, decided); s.dropped == 0 {
				t.Fatalf("no drop with %d cells of headroom, one less than is needed", need-1)
			}
		}
		if more := needs[mmu.AtEnd] - needs[mmu.AtStart]; more != 1048/4 {
			t.Fatalf("deciding with the last byte takes %d cells more, want those of a packet", more)
		}
	})
}
