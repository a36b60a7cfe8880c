package proof

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

func lineRange(n int) diag.Range {
	r := diag.Range{Filename: "f"}
	r.Start.Line = n
	return r
}

// Accounts with the same bound are one call, with their number; others lie around it.
func TestExpressionOfWhatIsLeft(t *testing.T) {
	a, b, two := bound{limit: mmu.DynamicLimit(-1)}, bound{limit: mmu.StaticLimit(7)}, bound{limit: mmu.DynamicLimit(2), port: mmu.StaticLimit(9), two: true}
	for _, c := range []struct {
		list []bound
		want string
	}{
		{nil, "S"}, {[]bound{a}, "after(S, 1, 1, -1, 1)"}, {[]bound{a, a, a}, "after(S, 1, 1, -1, 3)"}, {[]bound{a, b, b}, "after(after(S, 1, 1, -1, 1), 1, 0, 7, 2)"},
		{[]bound{a, a, two, a}, "after(afterboth(after(S, 1, 1, -1, 2), 1, 1, 2, 0, 9, 1), 1, 1, -1, 1)"},
	} {
		must.Equal(t, leavesExpr(c.list, mmu.BelowWithCell, "S"), c.want)
	}
}

// What comes in is derived from the figures of the link, each with the line that gives it.
func TestTermsOfANeed(t *testing.T) {
	why := func(n int) *plan.Why { return &plan.Why{Range: lineRange(n)} }
	for _, share := range []units.Ratio{0, 60 * units.Percent} {
		p, g := smallestFrames(true, 20_000, 50_000)
		g.ports = []int{1}
		p.config.Rules.Decided = mmu.AtEnd
		p.sw.Ports[1] = plan.Port{Range: lineRange(1), CableRange: lineRange(2), MTURange: lineRange(3), Assumed: &plan.Assumed{
			Declared: true, Response: plan.Of(units.Time(50_000), why(4)), LosslessFrame: plan.Of(units.Bytes(64), why(5)), SmallPackets: plan.Of(units.Ratio(1), why(6)),
		}}
		l := g.link
		l.Gearbox, l.SmallPackets = 3, share
		// 214,414 ps with gearboxes of 6: 268 B, three frames, and two more.
		want := []string{
			"A7 84 B f:3", "P7 84 B ", "R7 10000000000 bit/s f:1", "L7 1000 mm f:2", "v7 5 ps ", "g7 3 ps f:1", "i7 20000 ps ", "t7 50000 ps f:4",
			"w7 214420 ps ceil((A7 + P7) * 80000000000000000, R7 * 9999) + 2*v7*L7 + 2*g7 + i7 + t7", "W7 268 B floor(w7 * R7 * 10001, 80000000000000000)", "F7 64 B f:5",
			"e7 2 ", "N7 5 cells packed(W7, C, M, F7) + e7 * ceil(F7 + M, C)",
		}
		if share > 0 {
			want = slices.Insert(want, 11, "s7 600000000 ppb f:6")
			want[len(want)-1] = "N7 5 cells mixed(W7, C, M, F7, s7, e7) + e7 * ceil(F7 + M, C)"
		}
		var got []string
		for _, term := range inWords(Obligation{ID: HeadroomPool, Terms: p.needTerms(g, l, "7"), Left: Side{Expr: "n1 * N1"}}).Terms {
			text := fmt.Sprint(term.Symbol, " ", term.Value, " ", term.Unit)
			if term.Unit != "" {
				text += " "
			}
			got = append(got, text+term.Expr+term.At)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	p := &prover{config: &mmu.Config{CellBytes: 100, MetadataBytes: 7}}
	want := []Term{given("C", "cell", 100, InBytes), given("M", "metadata of a packet", 7, InBytes)}
	must.NoDiff(t, cmp.Diff(want, inWords(Obligation{ID: Headroom, Terms: p.chipTerms()}).Terms))
}

// The text of a model is that of MODEL.md, one space a level, under the name of one device.
func TestTextOfAModel(t *testing.T) {
	m := &Model{Schema: ModelSchema, Chip: "a<b", Ports: []ModelPort{{Name: "p", Speed: 5, PGs: []ModelPG{{ID: 1, PausesAt: 2, DropsAt: 3, Needed: 4}}, Queues: []ModelQueue{{ID: 1, DropsAt: 2}}}}, Holding: 6}
	const want = `{
 "schema": "roceplan/model/1",
 "switch": "s",
 "chip": "a<b",
 "verdict": "holds",
 "buffer": null,
 "ports": [
  {
   "name": "p",
   "speed_bps": 5,
   "lossless_pgs": [
    {
     "id": 1,
     "pauses_at_cells": 2,
     "drops_at_cells": 3,
     "headroom_needed_cells": 4
    }
   ],
   "queues": [
    {
     "id": 1,
     "drops_at_cells": 2
    }
   ]
  }
 ],
 "obligations_holding": 6,
 "obligations_conditional": 0,
 "conditions": null,
 "obligations_failing": null,
 "obligations_not_judged": null,
 "assumptions": null
}
`
	text, err := m.Marshal("s")
	if err != nil || string(text) != want || m.Switch != "" {
		t.Errorf("%v, %q: %s", err, m.Switch, text)
	}
	m.Buffer = &mmu.Config{Rules: mmu.Rules{Admission: 99}}
	if _, err := m.Marshal("s"); err == nil {
		t.Error("a rule that there is not is written")
	}
}

// A queue marks all at 2,000 B, and begins at 1,000. It has 1 cell of 100 B beside 7 of 20 in each of two parts, 1,600 B. The
// group that feeds it pauses with 3 cells of its own and half of what is left of 20 - y, y being lossy: in turns n of them take
// s with 2s ≤ 20 - y - ns each.
func TestMarkingByHand(t *testing.T) {
	qos := &plan.PortQoS{PGs: []plan.PG{{ID: 0, Lossless: true}}, Queues: []plan.Queue{{ID: 0}, {ID: 1, ECN: &plan.ECN{KMin: plan.Of(units.Bytes(1000), &plan.Why{Range: lineRange(5)}), KMax: plan.Of(units.Bytes(2000), &plan.Why{Range: lineRange(6)})}}}}
	port := mmu.Port{PGs: []mmu.PG{{Lossless: true, ReservedCells: 3, Limit: mmu.DynamicLimit(-1)}}, Queues: []mmu.Queue{{}, {ReservedCells: 1, Limit: mmu.StaticLimit(7)}}}
	config := &mmu.Config{CellBytes: 100, Slices: 2, IngressPools: []mmu.Pool{{SharedCells: 20}}, EgressPools: []mmu.Pool{{SharedCells: 20}}, Ports: []mmu.Port{port, port, port}}
	fed := [mmu.MaxPGs]uint16{1 << 1}
	p := &prover{
		sw: &plan.Switch{Ports: []plan.Port{{QoS: qos}, {QoS: qos}, {QoS: qos}}}, config: config, m: &model.Switch{Config: config, Ports: []model.Port{{Queues: fed}, {Queues: fed}, {Queues: fed}}},
		ctx: &Context{Patterns: []Pattern{{2, 1}, {9, 2}, {1, 0}}}, report: &Report{}, slices: make([]slicePart, 2),
	}
	g := &group{name: "g", qos: qos, ports: []int{0, 1, 2}}
	p.groups = []*group{{name: "bare", ports: []int{0}}, g}
	p.groups[0].ports = []int{0}
	for i := range 3 {
		p.slices[0].lossless = append(p.slices[0].lossless, p.account(i, 0, g))
	}
	p.marking()
	var got []string
	for _, o := range p.report.Obligations {
		got = append(got, fmt.Sprint(o.ID, " ", o.Where, " ", o.Left.Value, " ", o.Right.Value, " ", o.Verdict, " ", o.At))
		for _, err := range recheck(&o, map[string]*big.Int{}) {
			t.Error(err)
		}
	}
	want := []string{
		"kmin-below-kmax g, queue 1 1000 2000 holds f:5", "kmax-below-queue-limit g, queue 1 2000 1600 fails f:6",
		"ecn-before-pfc g, queue 1, 1 sender to 1 port 2000 900 fails f:6",    // 6 + 3
		"ecn-before-pfc g, queue 1, 2 senders to 1 port 2000 1600 fails f:6",  // 2·(5 + 3)
		"ecn-before-pfc g, queue 1, 9 senders to 2 ports 2000 1000 fails f:6", // there are three: 3·(4 + 3)/2 = 10.5
		"ecn-before-pfc g, queue 1, 1 sender to 0 ports 2000 900 fails f:6",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	// Where nobody feeds it there is no pause to be before.
	p.report, p.m.Ports = &Report{}, make([]model.Port, 3)
	if p.marking(); len(p.report.Obligations) != 2 {
		t.Errorf("%v", p.report.Obligations)
	}
}

// given and step make terms with words of their own.
func given[T ~int64 | ~int](symbol, name string, value T, unit string) Term {
	return Term{Symbol: symbol, Name: name, Value: int64(value), Unit: unit}
}

func step(symbol, name string, value int64, unit, expr string) Term {
	return Term{Symbol: symbol, Name: name, Value: value, Unit: unit, Expr: expr}
}
