package sim

import (
	"testing"
	"unsafe"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// A sequence number is known by its low 32 bits next to one that is less than 2 GiB away.
func TestFullSequenceNumbers(t *testing.T) {
	const g = int64(1) << 32
	for _, c := range []struct{ near, want int64 }{{5, 3}, {5, 5}, {5, 900}, {g + 5, g + 3}, {g, g - 1}, {g - 1, g}, {0, 1<<31 - 1}, {7 * g, 7*g + 1<<31 - 1}, {7 * g, 7*g - 1<<31}, {3*g + 1<<31, 3*g + 1}} {
		must.Equalf(t, fullSeq(uint32(c.want), c.near), c.want, "%d next to %d is taken for", c.want, c.near)
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
	must.Equal(t, s.ledger(), Ledger{40, 30, 7, 4123})
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
	must.Equalf(t, chip.ledger().Buffered, 4*1048, "B are counted:")
}

// What a hop touches is as small as it was designed; a field too many costs speed that no
// profile shows.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want uintptr
	}{
		{"packet", unsafe.Sizeof(packet{}), 32},
		{"port", unsafe.Sizeof(port{}), 64},
		{"usage", unsafe.Sizeof(usage{}), 8},
		{"flow", unsafe.Sizeof(flow{}), 256},
		{"flow, what each packet needs", unsafe.Offsetof(flow{}.hops), 128 - 4},
		{"inbound", unsafe.Sizeof(inbound{}), 128},
		{"inbound, what each packet needs", unsafe.Offsetof(inbound{}.nackAfter), 64 - 8},
		{"nic", unsafe.Sizeof(nic{}), 128},
		{"nic, what each turn needs", unsafe.Offsetof(nic{}.wakeAt), 64},
		{"DCQCN's state", unsafe.Sizeof(dcqcnState{}), 64},
		{"telemetry", unsafe.Sizeof(telemetry{}), 72},
	} {
		if c.got != c.want {
			t.Errorf("%s fills %d B, want %d", c.name, c.got, c.want)
		}
	}
}
