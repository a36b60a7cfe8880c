package policy_test

import (
	"slices"
	"testing"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/policy"
)

// TestLibrary: the scenarios that come with the program are sound, which is a panic else, have
// names of their own, in order, and say what they are.
func TestLibrary(t *testing.T) {
	var names []string
	for _, s := range policy.Library() {
		names = append(names, s.Name)
		if s.Doc.Value == "" {
			t.Errorf("%s says nothing of itself", s.Name)
		}
	}
	if len(names) == 0 || !slices.IsSortedFunc(names, natural.Compare) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("names %v", names)
	}
}
