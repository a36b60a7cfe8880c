package diff

import (
	"testing"

	"github.com/roceplan/roceplan/plan"
)

// A class without a name, as a switch has it, is called by its number, once.
func TestClassWithoutName(t *testing.T) {
	c := &collector{}
	c.classes(&plan.Switch{}, &plan.Switch{Classes: []plan.Class{{TrafficClass: 3}, {Name: "rdma", TrafficClass: 4}}})
	for i, want := range []string{"traffic class 3", "rdma, traffic class 4"} {
		if got := c.found[i].change.New; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
