package threshold

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// drawSetup draws a switch of one of the named chips that is small enough for a thousand runs.
func drawSetup(t *rapid.T, names []string) *Setup {
	behaviour := must.Get(Lookup(own(), rapid.SampledFrom(names).Draw(t, "chip")))(t)
	s := NewSetup(behaviour)
	b := &s.Behaviour
	b.Rules.Admission = mmu.Admission(rapid.IntRange(0, 2).Draw(t, "admission"))
	b.Rules.Pause = mmu.Pause(rapid.IntRange(0, 1).Draw(t, "pause"))
	amount := func(name string, cells int64) *units.Bytes {
		v := units.Bytes(rapid.Int64Range(0, cells*int64(b.CellBytes)).Draw(t, name))
		return &v
	}
	count := func(name string, most int64) *int64 {
		v := rapid.Int64Range(0, most).Draw(t, name)
		return &v
	}
	alpha := func(name string) *units.Alpha {
		v := units.Alpha(rapid.IntRange(-7, 5).Draw(t, name))
		return &v
	}
	scale := max(1, 200/int64(b.CellBytes)) // chips that count bytes
	s.PoolSize = amount("size", 4000*scale)
	if rapid.Bool().Draw(t, "pooled") {
		s.HeadroomPool = amount("headroom pool", 400*scale)
	}
	s.LosslessPorts, s.LossyQueues = count("ports", 4), count("queues", 3)
	s.LosslessPGs = rapid.Int64Range(1, maxLosslessPGs).Draw(t, "pgs")
	s.Reserved, s.Xoff, s.XonOffset = amount("reserved", 20*scale), amount("xoff", 50*scale), amount("xon offset", 30*scale)
	s.Alpha, s.QueueAlpha, s.QueueReserved = alpha("alpha"), alpha("queue alpha"), amount("queue reserved", 10*scale)
	if rapid.Bool().Draw(t, "egress pool") {
		s.EgressLossyPool = amount("egress lossy pool", 3000*scale)
	}
	s.PacketBytes = rapid.SampledFrom([]int64{64, 64, 64, 300, 1500}).Draw(t, "packet")
	return s
}

// answers asks everything; an answer that fails is its message, and no figure is beside it.
func answers(f Figures, n int) map[string]any {
	all := map[string]any{}
	keep := func(name string, value any, err error) {
		if all[name] = value; err != nil {
			all[name] = err.Error()
			if !reflect.ValueOf(value).IsZero() {
				all[name] = fmt.Sprintf("%v beside %v", value, err)
			}
			if errors.Is(err, errOneCell) {
				delete(all, name)
			}
		}
	}
	for _, key := range []string{
		"packets_to_first_pause", "packets_to_first_ingress_drop", "packets_from_pause_to_drop",
		"packets_to_first_lossy_egress_drop", "packets_drained_to_resume",
	} {
		value, err := single(key)(f)
		keep(key, value, err)
	}
	each, err := f.EqualPGs(n)
	keep("equal", each, err)
	list, err := f.Successive(n)
	keep("successive", list, err)
	full, last, err := f.HeadroomPool(n)
	keep("headroom", [2]int64{full, last}, err)
	return all
}

func TestRunAgreesWithFormula(t *testing.T) {
	asked, names := map[string]int{}, answered(t)
	rounds := 6 // of most draws there is no answer, which is told quickly
	if testing.Short() {
		rounds = 30 // rapid draws a fifth then
	}
	for range rounds {
		rapid.Check(t, func(t *rapid.T) { agree(t, names, asked) })
	}
	for _, key := range []string{"equal", "successive", "headroom", "packets_drained_to_resume"} {
		if asked[key] == 0 {
			t.Errorf("no closed form of %s was ever compared", key)
		}
	}
}

// agree holds every answer of a drawn switch against the closed form's.
func agree(t *rapid.T, names []string, asked map[string]int) {
	s := drawSetup(t, names)
	n := rapid.IntRange(1, 9).Draw(t, "n")
	run, formula := answers(s.Run(), n), answers(s.Formula(), n)
	for key, want := range formula {
		asked[key]++
		if diff := cmp.Diff(want, run[key]); diff != "" {
			c, _ := s.Slice()
			t.Fatalf("%s: formula −, run +\n%s%+v in cells: %+v", key, diff, s.Behaviour.Rules, c)
		}
	}
}
