package format_test

import (
	"testing"

	"github.com/roceplan/roceplan/format"
)

func TestBoxes(t *testing.T) {
	boxes := format.Boxes{{Model: "one", Chip: "a"}, {Model: "two", Chip: "b"}}
	for _, chip := range []string{"a", "b", "c"} {
		box, ok := boxes.Of(chip)
		if ok != (chip != "c") || ok && box.Chip != chip {
			t.Errorf("%s is %+v, %v", chip, box, ok)
		}
	}
	if got := boxes.Use(); got != "use one of a (one), b (two), or set os to what the switch runs" {
		t.Error(got)
	}
}
