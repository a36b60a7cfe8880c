package sim

import (
	"math/rand/v2"
	"testing"

	"github.com/roceplan/roceplan/model/sim/conweave"
)

// A sequence number is known by its low 32 bits next to one that is less than 2 GiB away.
func TestFullSequenceNumbers(t *testing.T) {
	const g = int64(1) << 32
	for _, c := range []struct{ near, want int64 }{{5, 3}, {5, 5}, {5, 900}, {g + 5, g + 3}, {g, g - 1}, {g - 1, g}, {0, 1<<31 - 1}, {7 * g, 7*g + 1<<31 - 1}, {7 * g, 7*g - 1<<31}, {3*g + 1<<31, 3*g + 1}} {
		if got := fullSeq(uint32(c.want), c.near); got != c.want {
			t.Errorf("%d next to %d is taken for %d", c.want, c.near, got)
		}
	}
}

// Whatever is taken and put back, no packet is there twice, and with room for so many none moves. What is known of packets
// beside them is as long.
func TestPacketStore(t *testing.T) {
	for _, lists := range []bool{false, true} {
		s := &packetStore{}
		if lists {
			s.sent, s.int, s.ready, s.tags = []int64{}, []telemetry{}, []int64{}, []conweave.Tag{}
		}
		random := rand.New(rand.NewPCG(11, 12))
		used := map[packetID]bool{}
		for range 3000 {
			n := 1 + random.IntN(9)
			s.room(n)
			if len(s.free) < n || len(s.packets) != 1+len(s.free)+len(used) {
				t.Fatalf("%d free and %d used of %d", len(s.free), len(used), len(s.packets))
			}
			for list, size := range map[string]int{"sent": len(s.sent), "telemetry": len(s.int), "ready": len(s.ready), "tags": len(s.tags)} {
				if want := map[bool]int{true: len(s.packets)}[lists]; size != want {
					t.Fatalf("%s of %d packets, want %d", list, size, want)
				}
			}
			first := &s.packets[0]
			for range n {
				id := s.take()
				if id <= 0 || int(id) >= len(s.packets) || used[id] || first != &s.packets[0] {
					t.Fatalf("packet %d is taken", id)
				}
				used[id] = true
			}
			for id := range used {
				if random.IntN(2) == 0 {
					s.put(id)
					delete(used, id)
				}
			}
		}
	}
	s := &packetStore{}
	if s.room(1); len(s.free) != 256 || s.take() != 1 || s.take() != 2 {
		t.Errorf("%d free", len(s.free))
	}
	if s.room(300); len(s.packets) != 557 || len(s.free) != 554 { // 254 and as many as needed
		t.Errorf("%d free of %d", len(s.free), len(s.packets))
	}
	s.free = nil
	if s.room(1); len(s.free) != 557 { // twice as many
		t.Errorf("%d free of %d", len(s.free), len(s.packets))
	}
}

// At the end it is told where packets came to, what is left, and what buffers count: of a chip each group once, however
// many classes share it.
func TestLedgerByHand(t *testing.T) {
	s := laid(t, pairOfHosts())
	s.created, s.delivered, s.left = 40, 30, 5
	s.take()
	s.take()
	*s.usage(1, 3), *s.usage(3, 7), *s.usage(3, 0) = usage{100, 20}, usage{3, 0}, usage{0, 4000}
	if got := s.ledger(); got != (Ledger{40, 30, 7, 4123}) {
		t.Errorf("%+v", got)
	}
	chip := loud(t, chipPair(5000, 3000, func(b *SiliconBuffer) { b.PG[3], b.PG[4], b.PG[5] = 6, 6, 2 }))
	for _, c := range []struct {
		in    int32
		class uint8
	}{{1, 3}, {1, 4}, {3, 5}, {3, 7}} {
		_, pk := chip.come(packet{label: label(c.class), in: c.in})
		if !chip.admitSilicon(chip.silicon[2], c.in, 4-c.in, &chip.ports[c.in], c.class, pk) {
			t.Fatal("refused")
		}
	}
	if got := chip.ledger().Buffered; got != 4*1048 {
		t.Errorf("%d B are counted, want four packets", got)
	}
}
