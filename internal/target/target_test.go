package target_test

import (
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/verify"
)

// What fabric files may ask for is what there is, and what is printed can be read back.
func TestTargetsOfTheLanguageArePrintedAndRead(t *testing.T) {
	asked, printed := slices.Sorted(slices.Values(policy.TargetNames())), slices.Sorted(slices.Values(target.Names()))
	if !slices.Equal(asked, printed) {
		t.Errorf("the language knows the targets %q, package target %q", asked, printed)
	}
	for _, name := range printed {
		if _, ok := verify.FormatOf(name); !ok {
			t.Errorf("nothing reads what %s is told", name)
		}
	}
}
