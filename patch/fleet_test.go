package patch_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
)

// A fleet finds for each device what the device finds alone, and asks of the states of the first one only.
func TestFleet(t *testing.T) {
	drawn := rapid.Custom(func(t *rapid.T) *plan.Switch { return fabric(t, false) })
	judged := 0
	for seed := range 6 {
		states := []*plan.Switch{drawn.Example(seed), drawn.Example(100 + seed), drawn.Example(200 + seed)}
		fleet := patch.NewFleet()
		for i, name := range []string{"leaf-01", "leaf-02", "leaf-03"} {
			own, _ := patch.NewDevice(states[0], name)
			one, _ := fleet.NewDevice(states[0], name)
			for _, to := range states[1:] {
				asked := 0
				want, why := own.Change(to, func([]byte) (map[string]bool, error) { return nil, nil })
				got, found := fleet.Change(one, to, func([]byte) (map[string]bool, error) { asked++; return nil, nil })
				if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(found, why) {
					t.Fatalf("seed %d, %s: %v, %v; alone: %v, %v", seed, name, got, found, want, why)
				}
				if got == nil {
					break // it would be refused again
				}
				if i == 0 {
					judged += asked
				} else if asked > 0 {
					t.Errorf("seed %d: %d states of %s were asked of", seed, asked, name)
				}
			}
			if !reflect.DeepEqual(one, own) {
				t.Errorf("seed %d: %s runs something else", seed, name)
			}
		}
	}
	if judged == 0 {
		t.Error("no state was asked of")
	}
}
