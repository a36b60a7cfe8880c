package natural_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/testing/must"
)

func TestOrder(t *testing.T) {
	want := []string{"", "Ethernet1/2", "Ethernet1/10", "Ethernet2", "Ethernet4", "Ethernet12", "a01b", "a1b", "leaf-01", "leaf-1", "leaf-2"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, natural.Compare)
	must.NoDiff(t, cmp.Diff(want, got))
}

// A sort may only be stable to the byte if no two names are equal and no three run in
// a circle.
func TestTotalOrder(t *testing.T) {
	name := rapid.StringMatching(`[a0-2-]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := name.Draw(t, "a"), name.Draw(t, "b"), name.Draw(t, "c")
		if (natural.Compare(a, b) == 0) != (a == b) {
			t.Fatalf("%q and %q", a, b)
		}
		if natural.Compare(a, b) != -natural.Compare(b, a) {
			t.Fatalf("%q and %q both ways", a, b)
		}
		if natural.Compare(a, b) <= 0 && natural.Compare(b, c) <= 0 && natural.Compare(a, c) > 0 {
			t.Fatalf("%q ≤ %q ≤ %q", a, b, c)
		}
	})
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{-1: "-1 classes", 0: "0 classes", 1: "1 class", 2: "2 classes", 11: "11 classes"} {
		must.Equal(t, natural.Count(n, "class", "classes"), want)
	}
}
