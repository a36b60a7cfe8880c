package sim

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// A slower response fills the headroom with what the host sends meanwhile. The way out is
// blocked, so that all of it stays.
func TestPauseResponse(t *testing.T) {
	const packet = 1048 * 80 // ps at 100 Gb/s
	headroom := func(response units.Time) int64 {
		sc := leafSpine(1, 2, 0)
		sc.Buffer.Size, sc.Buffer.HeadroomDelays = 2*units.MiB, 8
		sc.PFC.HostResponse = response
		sc.flow(0, 1, 5*units.MB, 0)
		s := must.Get(newEngine(sc))(t)
		const out = 3 // the switch's end of the second host's link
		s.ports[out].paused = 1 << 3
		for s.step(never) {
		}
		if s.pauses != 1 || s.dropped > 0 {
			t.Fatalf("response %d ps: %d pauses, %d drops", response, s.pauses, s.dropped)
		}
		return int64(s.peakHeadroom) / 1048
	}
	at0 := headroom(0)
	// Twice the delay, the pause frame, and the packet that the host has begun.
	if most := int64(2_000_000+pfcBytes*80)/packet + 2; at0 > most || at0 < most-2 {
		t.Errorf("%d packets in headroom, at most %d could be", at0, most)
	}
	for _, packets := range []int64{1, 5, 20} {
		if more := headroom(units.Time(packets*packet)) - at0; more != packets {
			t.Errorf("a response of %d packet times takes %d packets more headroom", packets, more)
		}
	}
}
