package proof

import (
	"slices"
	"strings"
	"testing"
)

// The bound that a condition names is that with which its obligation is evaluated, no more and no less: a response, the
// switch's own layers, a share, or a number of groups of all kinds.
func TestBoundsOfConditions(t *testing.T) {
	term := func(symbol string, value int64) Term { return Term{Symbol: symbol, Value: value} }
	for _, c := range []struct {
		id    string
		terms []Term
		bound int64
	}{
		{PeerResponse, []Term{term("i", 3), term("t", 7)}, 7}, {ChipDatum, []Term{term("i", 3)}, 3}, {PacketMix, []Term{term("s", 5), term("N", 9)}, 5},
		{PausedGroups, []Term{term("Q", 4), term("N1", 8), term("n1", 2), term("N2", 9), term("n2", 3)}, 2 + 3}, {PausedGroups, []Term{term("N1", 8), term("n1", 0)}, 0},
	} {
		for by := int64(-1); by <= 1; by++ {
			o := &Obligation{ID: MarkingOrder, Left: Side{Expr: "Kmin"}, Right: Side{Expr: "Kmax"}, Terms: []Term{term("i", 3)}, Conditions: []Condition{{ID: c.id, Bound: c.bound + by, Terms: c.terms}}}
			if errs := shaped(o); (len(errs) == 0) != (by == 0) {
				t.Errorf("%s of %d, %d more: %v", c.id, c.bound, by, errs)
			}
		}
		none := &Obligation{ID: MarkingOrder, Left: Side{Expr: "Kmin"}, Right: Side{Expr: "Kmax"}, Conditions: []Condition{{ID: c.id, Bound: c.bound}}} // it is stated with the bound, or under it
		if errs := shaped(none); errs != nil {
			t.Errorf("%s without terms: %v", c.id, errs)
		}
	}
}

// Which terms a condition may change, of a symbol with any number.
func TestTermsOfConditions(t *testing.T) {
	want := map[string]string{PeerResponse: "i t", ChipDatum: "i t", PacketMix: "s N", PausedGroups: "Q N n", AssumedDatum: "", "x": ""}
	for id, symbols := range want {
		if got := strings.Join(termsOf(id), " "); got != symbols {
			t.Errorf("%s: %q", id, got)
		}
	}
	for symbol, fails := range map[string]bool{"i": false, "t": false, "t1": false, "i20": false, "H": true, "t1x": true, "": true} {
		o := &Obligation{ID: MarkingOrder, Left: Side{Expr: "Kmin"}, Right: Side{Expr: "Kmax"}, Conditions: []Condition{{ID: ChipDatum, Terms: []Term{{Symbol: symbol}}}}}
		errs := shaped(o)
		if (len(errs) > 0) != fails || fails && errs[0].Error() != "kmin-below-kmax, : the condition chip-datum does not change "+symbol {
			t.Errorf("%q: %v", symbol, errs)
		}
	}
}

// What comes in after a pause is derived as it has to be: of all groups, or of the part of a pool that the symbol names. The
// cells of a part may be given.
func TestDerivedTerms(t *testing.T) {
	named := map[string]string{"w": windowExpr, "W": bytesExpr, "N": packedExpr + wholeExpr}
	for _, id := range []string{Headroom, Resume, HeadroomPool, EgressHolds, MarkingOrder} {
		for symbol, expr := range named {
			for _, suffix := range []string{"", "1", "12"} {
				bound := id == Headroom || id == Resume || id == HeadroomPool
				for _, c := range []struct {
					expr string
					want bool
				}{
					{rename(expr, suffix), true}, {rename(expr, suffix+"3"), !bound}, {"0", !bound}, {"", !bound || id == HeadroomPool && symbol == "N"},
					{rename(mixedExpr+wholeExpr, suffix), !bound || symbol == "N"}, {rename(mixedExpr, suffix), !bound},
				} {
					if got := derivedAs(Term{Symbol: symbol + suffix, Expr: c.expr}, id); got != c.want {
						t.Errorf("%s of %s, %q: %v", symbol+suffix, id, c.expr, got)
					}
				}
			}
		}
		if !derivedAs(Term{Symbol: "H"}, id) || !derivedAs(Term{Symbol: "T", Expr: "0"}, id) {
			t.Errorf("another term of %s", id)
		}
	}
}

// An obligation is called what it is, counts cells where it is about the buffer, and is about lossless packets where it has
// to be; only what groups share reads otherwise under its conditions.
func TestMeaningOfObligations(t *testing.T) {
	cells := []string{Headroom, Resume, HeadroomPool, QueueHolds, PortHolds, EgressHolds, Memory}
	for id, means := range meanings {
		title := means.title
		good := Obligation{ID: id, Title: title, Unit: InCells, Lossless: true, Left: Side{Expr: "x"}}
		if errs := sameMeaning(&good); errs != nil {
			t.Errorf("%s: %v", id, errs)
		}
		for _, c := range []struct {
			what   string
			change func(o *Obligation)
			fails  bool
		}{
			{"another ID", func(o *Obligation) { o.ID += "x" }, true},
			{"not lossless", func(o *Obligation) { o.Lossless = false }, id == PauseReaches || id != Memory && slices.Contains(cells, id)},
			{"under", func(o *Obligation) { o.Under = &Inequality{} }, !slices.Contains([]string{QueueHolds, PortHolds, EgressHolds, Memory}, id)},
		} {
			o := good
			if c.change(&o); (len(sameMeaning(&o)) == 1) != c.fails {
				t.Errorf("%s: %s: %v", id, c.what, sameMeaning(&o))
			}
		}
	}
}

// Of two obligations of one name one is too many where both are evaluated and about lossless packets: what a counterexample
// refutes stands in place of what was open.
func TestObligationsThatStandTwice(t *testing.T) {
	good := Obligation{ID: "a", Where: "x", Lossless: true, Left: Side{Expr: "1"}}
	for _, c := range []struct {
		what   string
		change func(o *Obligation)
		errs   int
	}{
		{"the same", func(*Obligation) {}, 1}, {"another ID", func(o *Obligation) { o.ID = "b" }, 0}, {"another place", func(o *Obligation) { o.Where = "y" }, 0}, {"of no lossless packets", func(o *Obligation) { o.Lossless = false }, 0},
		{"not evaluated", func(o *Obligation) { o.Left.Expr = "" }, 0}, {"refuted", func(o *Obligation) { o.Verdict, o.Source = Fails, counterexample+"x" }, 1}, {"it fails", func(o *Obligation) { o.Verdict = Fails }, 1},
	} {
		for first := range 2 {
			all := []Obligation{good, good}
			c.change(&all[first])
			if errs := twice(all); len(errs) != c.errs || c.errs == 1 && errs[0].Error() != "a, x: it stands twice" {
				t.Errorf("%s: %v", c.what, errs)
			}
		}
	}
	if errs := twice([]Obligation{good, good, good}); len(errs) != 2 {
		t.Error(errs)
	}
}
