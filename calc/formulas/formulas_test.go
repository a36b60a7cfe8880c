package formulas_test

import (
	"math/big"
	"testing"

	"github.com/roceplan/roceplan/calc/formulas"
)

func TestWorkedExamples(t *testing.T) {
	for _, doc := range formulas.Load().Docs() {
		if !doc.Inequality() && len(doc.Examples) == 0 {
			t.Errorf("%s has no worked example", doc.ID)
		}
		for _, example := range doc.Examples {
			got, err := doc.Eval(example.Inputs)
			if err != nil {
				t.Errorf("%s: %v", doc.ID, err)
			} else if got.Cmp(big.NewInt(example.Result)) != 0 {
				t.Errorf("%s%v = %s, its example says %d (%s)", doc.ID, example.Inputs, got, example.Result, example.Source)
			}
		}
	}
}

func TestEveryDocumentNamesTitleUnitAndSource(t *testing.T) {
	for _, doc := range formulas.Load().Docs() {
		if doc.Title == "" || doc.Unit == "" || len(doc.Sources) == 0 || len(doc.Inputs) == 0 {
			t.Errorf("%s lacks a title, a unit, inputs or a source", doc.ID)
		}
		for _, in := range doc.Inputs {
			if in.Min > in.Max || in.Unit == "" {
				t.Errorf("%s: input %s has no unit or an empty range", doc.ID, in.Symbol)
			}
		}
	}
}

// Both sides of every inequality can be computed all over the range of its inputs.
func TestInequalitiesCanBeComputed(t *testing.T) {
	inequalities := 0
	for _, doc := range formulas.Load().Docs() {
		if !doc.Inequality() {
			continue
		}
		inequalities++
		for _, end := range []func(formulas.Input) int64{
			func(in formulas.Input) int64 { return in.Min },
			func(in formulas.Input) int64 { return in.Max },
		} {
			inputs := map[string]int64{}
			for _, in := range doc.Inputs {
				inputs[in.Symbol] = end(in)
			}
			if _, _, err := doc.Sides(inputs); err != nil {
				t.Errorf("%s%v: %v", doc.ID, inputs, err)
			}
		}
	}
	if inequalities < 10 {
		t.Errorf("only %d inequalities are documented", inequalities)
	}
}
