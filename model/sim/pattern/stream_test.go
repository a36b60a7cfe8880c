package pattern

import (
	"cmp"
	"reflect"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// Messages that are drawn as they begin are those of the list.
func TestArrivals(t *testing.T) {
	net := hall(6)
	s := &Scenario{Time: 80 * us, Traffic: []Traffic{{Kind: "poisson", Message: 5000, Load: 50 * units.Percent, Start: 7 * us, QueuePairs: 1, Copies: 1}}}
	want, _ := lay(s, net, 7)
	var sent int64
	for i := range want {
		want[i].Operation = int32(i)
		sent += int64(want[i].Bytes)
	}
	a := newArrivals(&Job{Scenario: s, Network: net, Seed: 7})
	if a.flows != len(want) || a.bytes != sent || len(want) < 50 {
		t.Errorf("%d messages of %d B, want %d of %d", a.flows, a.bytes, len(want), sent)
	}
	var got []sim.Flow
	for more := true; more; {
		from, until := len(got), units.Time(0)
		got, until, more = a.Draw(got)
		if slices.ContainsFunc(got[from:], func(f sim.Flow) bool { return f.Start >= until }) {
			t.Errorf("a message begins after %d", until)
		}
	}
	slices.SortFunc(got, func(a, b sim.Flow) int { return cmp.Compare(a.Operation, b.Operation) })
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Only a run that keeps no list of its messages may have more than a million.
func TestMessagesOfStreams(t *testing.T) {
	net := hall(6)
	s := &Scenario{Time: units.Second, Traffic: []Traffic{{Kind: "poisson", Message: 5000, Load: 50 * units.Percent, QueuePairs: 1, Copies: 1}}}
	n := s.Traffic[0].messages(net, s.Time)
	s.Time = units.Time(float64(s.Time) * 1_500_000 / n)
	for _, fluid := range []bool{false, true} {
		if j := (&Job{Scenario: s, Network: net, Fluid: fluid}); j.Fits() != fluid {
			t.Errorf("fluid %v: %s", fluid, j.unfit())
		}
	}
	s.Time *= 20
	if j := (&Job{Scenario: s, Network: net, Fluid: true}); j.Fits() {
		t.Error("30 million messages fit")
	}
}
