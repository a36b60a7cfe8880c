package mmu

import (
	"testing"

	"github.com/roceplan/roceplan/units"
)

// fabric is a switch of 64 ports and 2 slices with the figures of a Tomahawk 5 table.
func fabric() *Config {
	c := &Config{
		CellBytes: 254, Slices: 2,
		IngressPools: []Pool{{Name: "ingress", SharedCells: 240087, HeadroomCells: 58112}},
		EgressPools:  []Pool{{Name: "lossless", SharedCells: 1 << 30}, {Name: "lossy", SharedCells: 240087}},
	}
	for i := range 64 {
		port := Port{Slice: i % 2}
		for n := range MaxPGs {
			lossless := n == 3 || n == 4
			g := PG{ReservedCells: 74, Limit: DynamicLimit(0), Lossless: lossless, HeadroomPooled: lossless, XonOffsetCells: 14}
			q := Queue{Pool: 1, ReservedCells: 7, Limit: DynamicLimit(-1)}
			if lossless {
				g.HeadroomCells = 1185
				q = Queue{Limit: StaticLimit(1 << 30)}
			}
			port.PGs, port.Queues = append(port.PGs, g), append(port.Queues, q)
		}
		c.Ports = append(c.Ports, port)
	}
	return c
}

// arrivals is a stream over all ports, both classes, and several lengths.
func arrivals(n int) []Packet {
	lengths := []int{64, 1086, 4178, 250, 1086, 64, 1518, 9216}
	packets := make([]Packet, n)
	state := uint64(1)
	for i := range packets {
		state = state*6364136223846793005 + 1442695040888963407
		r := state >> 33
		class := int(3 + r&3) // 3, 4 lossless; 5, 6 lossy
		packets[i] = Packet{
			InPort: int(r >> 2 & 63), PG: class, OutPort: int(r >> 8 & 63), Queue: class,
			Bytes: lengths[r>>14&7],
		}
	}
	return packets
}

// BenchmarkPacket is one packet's enqueue and dequeue, with 4,096 packets in the buffer between them.
func BenchmarkPacket(b *testing.B) {
	m, err := New(fabric())
	if err != nil {
		b.Fatal(err)
	}
	packets := arrivals(8192)
	const depth = 4096
	for i := range depth {
		m.Enqueue(&packets[i])
	}
	drops := 0
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		if m.Enqueue(&packets[(i+depth)&8191]).Dropped() {
			drops++
		}
		m.Dequeue(&packets[i&8191])
	}
	b.StopTimer()
	if drops > 0 {
		b.Fatalf("%d drops: this benchmark is about packets that pass", drops)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpackets/s")
}

// BenchmarkHeadroom measures the same for a PG that is paused and lives in its headroom.
func BenchmarkHeadroom(b *testing.B) {
	c := fabric()
	c.IngressPools[0].SharedCells = 100
	m, err := New(c)
	if err != nil {
		b.Fatal(err)
	}
	p := Packet{PG: 3, OutPort: 1, Queue: 3, Bytes: 64}
	if _, ok := m.FillToPause(p, 10000); !ok {
		b.Fatal("no pause")
	}
	m.Enqueue(&p)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		m.Enqueue(&p)
		m.Dequeue(&p)
	}
	b.StopTimer()
	if got := m.PG(0, 3).Headroom; got != units.Cells(1) {
		b.Fatalf("headroom holds %d cells, want 1", got)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpackets/s")
}

func TestPacketAllocatesNothing(t *testing.T) {
	m, err := New(fabric())
	if err != nil {
		t.Fatal(err)
	}
	packets := arrivals(1024)
	allocs := testing.AllocsPerRun(10, func() {
		for _, p := range packets {
			if !m.Enqueue(&p).Dropped() {
				m.Dequeue(&p)
			}
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations per %d packets, want 0", allocs, len(packets))
	}
}
