package forest_test

import (
	"fmt"
	"testing"

	"github.com/roceplan/roceplan/internal/forest"
)

func TestParts(t *testing.T) {
	f := forest.New(7)
	for _, pair := range [][2]int32{{5, 4}, {1, 5}, {2, 6}, {4, 1}} {
		f.Join(pair[0], pair[1])
	}
	if got, want := fmt.Sprint(f.Parts()), "[[0] [1 4 5] [2 6] [3]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if f.Root(4) != 1 || f.Root(6) != 2 || f.Root(3) != 3 {
		t.Errorf("roots %d, %d, %d, want 1, 2, 3", f.Root(4), f.Root(6), f.Root(3))
	}
}
