package proof

import (
	"testing"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
)

// Memory of a slice is what the model has, or less where a condition of its obligation says that the catalogue has less.
func TestCatalogueMemory(t *testing.T) {
	of := func(id string, conditions ...Condition) Obligation { return Obligation{ID: id, Conditions: conditions} }
	for _, c := range []struct {
		obligations []Obligation
		want        int64
	}{
		{nil, 100},
		{[]Obligation{of(Memory)}, 100},
		{[]Obligation{of(Memory, Condition{ID: AssumedDatum, Bound: 80, Worst: 100})}, 80},
		{[]Obligation{of(Memory, Condition{ID: AssumedDatum, Bound: 120, Worst: 100})}, 100}, // nobody has more than the model
		{[]Obligation{of(Memory, Condition{ID: AssumedDatum, Bound: 80, Worst: 101})}, 100},  // another quantity
		{[]Obligation{of(Memory, Condition{ID: ChipDatum, Bound: 80, Worst: 100})}, 100},
		{[]Obligation{of(Headroom, Condition{ID: AssumedDatum, Bound: 80, Worst: 100})}, 100},
		{[]Obligation{of(Headroom), of(Memory, Condition{ID: PausedGroups}, Condition{ID: AssumedDatum, Bound: 80, Worst: 100})}, 80},
	} {
		got := catalogueMemory(&Certificate{Model: &model.Switch{Config: &mmu.Config{SliceCells: 100}}, Obligations: c.obligations})
		if got != c.want {
			t.Errorf("%+v: %d, want %d", c.obligations, got, c.want)
		}
	}
}
