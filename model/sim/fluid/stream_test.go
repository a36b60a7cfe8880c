package fluid

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// listed hands out the messages of a list that begin in 7 us.
type listed struct {
	at      units.Time
	flows   []sim.Flow
	results []sim.FlowResult
}

func (l *listed) Draw(list []sim.Flow) (drawn []sim.Flow, until units.Time, more bool) {
	for until = l.at + 7*us; len(l.flows) > 0 && l.flows[0].Start < until; l.flows = l.flows[1:] {
		list = append(list, l.flows[0])
	}
	l.at = until
	return list, until, len(l.flows) > 0
}

func (l *listed) Done(r sim.FlowResult) { l.results = append(l.results, r) }

// Messages that come one after the other give the results of those that are known at the start, to the last digit, where no two begin at
// one time.
func TestStream(t *testing.T) {
	sc, random := marked(star(8)), rand.New(rand.NewPCG(3, 4))
	for i := range 400 {
		src := random.IntN(8)
		send(sc, src, (src+1+random.IntN(7))%8, units.Bytes(1+random.IntN(200_000)), units.Time(i)*us+units.Time(i))
		sc.Flows[i].Operation = int32(i)
	}
	want, l := run(t, sc), &listed{flows: sc.Flows}
	got := must.Get(Stream(t.Context(), sc, l))(t)
	slices.SortFunc(l.results, func(a, b sim.FlowResult) int { return cmp.Compare(a.Index, b.Index) })
	if !slices.Equal(l.results, want.Flows) || got.Events != want.Events {
		t.Errorf("%d results and %d events, want %d and %d", len(l.results), got.Events, len(want.Flows), want.Events)
	}
}

// Nothing comes of a source without messages, and a message that no way leads to is an error.
func TestStreamOfFew(t *testing.T) {
	if r, err := Stream(t.Context(), star(2), &listed{}); err != nil || r.Events != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	sc := star(3)
	sc.Links[1].Unrouted = true
	send(sc, 0, 1, 1000, 0)
	if _, err := Stream(t.Context(), sc, &listed{flows: sc.Flows}); err == nil {
		t.Error("no error")
	}
}
