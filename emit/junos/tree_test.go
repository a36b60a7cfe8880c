package junos

import (
	"strings"
	"testing"
)

// A section in which nothing stands is made and goes with its own line; one that has something, with that.
func TestEmptySections(t *testing.T) {
	tree := func(path ...string) *statement {
		s := &statement{section: true}
		s.at("a").say("x", "1")
		s.at(path...)
		return s
	}
	for _, c := range []struct {
		from, to     *statement
		gone, filled string
	}{
		{tree("a"), tree("a", "b"), "", "set a b\n"}, {tree("a", "b"), tree("a"), "delete a b\n", ""}, {tree("a", "b"), tree("a", "b"), "", ""},
		{tree("a"), tree("c", "d"), "", "set c d\n"}, {&statement{section: true}, tree("a"), "", "set a x 1\n"},
	} {
		var gone, filled strings.Builder
		c.from.gone(c.to, &gone, "delete")
		c.to.fresh(c.from, &filled, "set")
		if gone.String() != c.gone || filled.String() != c.filled {
			t.Errorf("%q and %q, want %q and %q", gone.String(), filled.String(), c.gone, c.filled)
		}
	}
}
