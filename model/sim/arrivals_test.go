package sim

import (
	"math/rand/v2"
	"testing"

	"github.com/roceplan/roceplan/units"
)

// However often windows are joined, nothing is lost, and a window holds what came in it.
func TestArrivalWindows(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	log := newArrivalLog()
	var times []int64
	for now := int64(0); len(times) < 5000; now += random.Int64N(int64(3 * units.Microsecond)) {
		times = append(times, now)
		log.at(now, 3).Join(&Arrivals{Packets: 1, Longest: units.Time(now)})
	}
	last := times[len(times)-1]
	if log.width*arrivalWindows <= last || log.width*arrivalWindows/2 > last {
		t.Errorf("windows of %d ps for %d ps", log.width, last)
	}
	r := &Observed{arrivals: log}
	from, to := units.Time(100*log.width-1), units.Time(300*log.width+1) // windows 100 to 299
	var want Arrivals
	for _, at := range times {
		if at/log.width >= 100 && at/log.width < 300 {
			want.Join(&Arrivals{Packets: 1, Longest: units.Time(at)})
		}
	}
	if got := r.Arrived(3, from, to); got != want || want.Packets == 0 {
		t.Errorf("%+v, want %+v", got, want)
	}
}
