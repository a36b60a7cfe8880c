package chart

import (
	"strings"
	"testing"
)

// Sizes of 1,000 B and 1,000,000 B lie three powers of ten apart, slowdowns of 1 to 100 two; one size alone is a level line.
func TestSlowdown(t *testing.T) {
	svg := string(SVG(Slowdown("web", []float64{1000, 1e6}, []float64{1, 10}, []float64{10, 100}, 0)))
	for _, want := range []string{"web: slowdown by size", ">1000</text>", ">1e+06</text>", ">100</text>", ">median</text>", ">99 %</text>"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in\n%s", want, svg)
		}
	}
	if c := Slowdown("one", []float64{64}, []float64{2}, []float64{3}, 0); len(c.Lines) != 2 || c.Lines[1].X[0] != 32 || c.Lines[1].X[1] != 128 || c.Lines[1].Y[1] != 3 {
		t.Errorf("%+v", c.Lines)
	}
	// A goal of 50 is a third line, and 1,000,000 B is the first size beyond it.
	if c := Slowdown("web", []float64{1000, 1e6}, []float64{1, 10}, []float64{10, 100}, 50); len(c.Lines) != 3 || c.Lines[2].Y[1] != 50 || len(c.Dots) != 1 || c.Dots[0].Name != "1000000 B" || c.Dots[0].Y != 100 {
		t.Errorf("%+v", c)
	}
	if c := Slowdown("none", nil, nil, nil, 5); len(c.Lines) != 0 {
		t.Errorf("%+v", c.Lines)
	}
}
