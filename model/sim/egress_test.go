package sim

import (
	"math"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// twoClasses is a switch with two hosts that send to host 0, each in a class of its own.
func twoClasses(e *Egress) *Scenario {
	sc := leafSpine(1, 3, 0)
	sc.ECN = nil
	for src := 1; src < 3; src++ {
		sc.flow(src, 0, 10*units.MB, 0)
		sc.Flows[src-1].Class = uint8(src)
	}
	sc.Links[0].Egress[1] = e // the switch's end
	sc.Stop = 100 * units.Millisecond
	return sc
}

// A class with a limit has that rate on the wire, to the packet, strict or not; the other one
// has the rest.
func TestMaxRate(t *testing.T) {
	for _, strict := range []uint8{0, 1 << 2} {
		e := &Egress{Scheduler: Scheduler{Strict: strict}}
		e.MaxRate[2] = 7 * units.Gbps
		sc := twoClasses(e)
		drain(t, sc, true)
		s := must.Get(newEngine(sc))(t)
		const end = int64(800 * units.Microsecond)
		for s.step(end) {
		}
		for i, want := range []float64{93e9, 7e9} {
			got := float64(s.inbound[i].expected) * 1.048 * 8 / 797e-6 // 3 us pass before the first packet
			if math.Abs(got-want) > 0.01*want {
				t.Errorf("strict %b: class %d has %.3g bit/s, want %.3g", strict, i+1, got, want)
			}
		}
	}
}

// Each class of each port has its own curve: only the one that has one marks, and only where
// its queue is.
func TestCurveOfAClass(t *testing.T) {
	curve := ECN{KMin: 20 * units.KB, KMax: 100 * units.KB, PMax: 1}
	marked := func(port int, class uint8) (byClass [classes]int64) {
		e := &Egress{}
		e.ECN[class] = curve
		sc := twoClasses(nil)
		sc.Links[port].Egress[1] = e
		s := must.Get(newEngine(sc))(t)
		for before := s.marks; s.step(int64(sc.Stop)); before = s.marks {
			if s.marks != before {
				byClass[s.ports[1].last]++
			}
		}
		return byClass
	}
	for class := range uint8(3) {
		got := marked(0, class)
		for other := range uint8(3) {
			if is, should := got[other] > 0, other == class && class > 0; is != should {
				t.Errorf("with a curve for class %d, class %d has %d marks", class, other, got[other])
			}
		}
	}
	must.Equalf(t, marked(1, 1), [classes]int64{}, "marks at the port to host 1, where nothing waits:")
}

// Ports of one switch share by different weights.
func TestWeightsOfAPort(t *testing.T) {
	sc := leafSpine(1, 4, 0)
	sc.ECN = nil
	for port, weights := range [][classes]uint8{{1: 30, 2: 10}, {1: 5, 2: 20}} {
		sc.Links[port].Egress[1] = &Egress{Scheduler: Scheduler{Weights: weights}}
		for i := range 2 {
			sc.flow(2+i, port, 20*units.MB, 0)
			sc.Flows[2*port+i].Class = uint8(1 + i)
		}
	}
	// The senders' own ports share evenly between their two flows, which would hide the
	// weights: each has two ports' worth of rate.
	for i := 2; i < 4; i++ {
		sc.Links[i].Rate = 400 * units.Gbps
	}
	s := must.Get(newEngine(sc))(t)
	for s.step(int64(units.Millisecond)) {
	}
	for port, want := range []float64{0.75, 0.2} {
		a, b := float64(s.inbound[2*port].expected), float64(s.inbound[2*port+1].expected)
		if got := a / (a + b); math.Abs(got-want) > 0.02 {
			t.Errorf("class 1 has %.3f of port %d, want %.3f", got, port, want)
		}
	}
}

func TestCheckEgress(t *testing.T) {
	for _, e := range []Egress{{MaxRate: [classes]units.BitRate{1: 1}}, {MaxRate: [classes]units.BitRate{0: units.Gbps}}} {
		if _, err := newEngine(twoClasses(&e)); err == nil {
			t.Errorf("no error for %+v", e.MaxRate)
		}
	}
}
