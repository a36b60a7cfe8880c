package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// What is drawn twice is equal, is well-formed, and says what its axes and lines are.
func TestSVG(t *testing.T) {
	c := &Chart{
		Title: "a <title>", X: "time (us)", Y: "queue (kB)",
		Lines: []Line{{Name: "measured", X: []float64{0, 1000}, Y: []float64{3, 480}}, Level("bound", 100, 0, 1000), {Name: "not drawn"}},
	}
	first := SVG(c, &Chart{Title: "empty"})
	if second := SVG(c, &Chart{Title: "empty"}); !bytes.Equal(first, second) {
		t.Error("a second drawing differs")
	}
	var words []string
	d := xml.NewDecoder(bytes.NewReader(first))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		must.Do(t, err)
		if text, ok := token.(xml.CharData); ok && strings.TrimSpace(string(text)) != "" {
			words = append(words, strings.TrimSpace(string(text)))
		}
	}
	all := "|" + strings.Join(words, "|") + "|"
	for _, want := range []string{"a <title>", "time (us)", "queue (kB)", "measured", "bound", "not drawn", "400", "1000", "empty"} {
		if !strings.Contains(all, "|"+want+"|") {
			t.Errorf("%q is not in %s", want, all)
		}
	}
}

func TestCDF(t *testing.T) {
	want := Line{Name: "x", X: []float64{1, 1, 2, 2, 5, 5, 9, 9}, Y: []float64{0, 25, 25, 50, 50, 75, 75, 100}}
	must.NoDiff(t, cmp.Diff(want, CDF("x", []float64{5, 1, 9, 2})))
}

// Axes of any length have four to ten ticks, at numbers that are written with few digits.
func TestTicks(t *testing.T) {
	for _, to := range []float64{1, 3, 7.3, 25, 99, 100, 682.8, 1e6, 0.02} {
		list := ticks(0, to)
		if len(list) < 4 || len(list) > 11 {
			t.Errorf("%v: %d ticks", to, len(list))
		}
		for i, tick := range list {
			if math.Abs(tick.Value-float64(i)*list[1].Value) > 1e-9*to || len(tick.Label) > 7 {
				t.Errorf("%v: %+v", to, tick)
			}
		}
	}
}

// A logarithmic axis covers what is drawn and no more than the next round number: 1, 2 or 5 times a power of ten. It has ticks at all of
// them over up to two and a half powers of ten, and at powers of ten alone over more.
func TestLogarithmicAxis(t *testing.T) {
	for _, c := range []struct {
		least, most float64
		from, to    float64
		ticks       string
	}{
		{8, 64, 5, 100, "5 10 20 50 100"},
		{1000, 1000, 1000, 2000, "1000 2000"},
		{0.03, 0.9, 0.02, 1, "0.02 0.05 0.1 0.2 0.5 1"},
		{3, 40_000, 2, 50_000, "10 100 1000 10000"},
	} {
		line := Line{X: []float64{c.least, c.most}}
		a := (&Chart{Lines: []Line{line}}).axis(true, func(l Line) []float64 { return l.X }, nil, 100)
		var labels []string
		for _, tick := range a.ticks {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != c.ticks || math.Abs(a.at(c.from)) > 1e-9 || math.Abs(a.at(c.to)-100) > 1e-9 {
			t.Errorf("%v to %v: ticks %s, %v at %v, %v at %v", c.least, c.most, got, c.from, a.at(c.from), c.to, a.at(c.to))
		}
	}
}

// Dots stand at their values, the marked one is larger, and no name covers another: three dots at one place have names at
// least a line apart.
func TestDots(t *testing.T) {
	c := &Chart{Title: "trade", LogX: true, Dots: []Dot{
		{Name: "ours", X: 10, Y: 5, Marked: true}, {Name: "a & b", X: 10, Y: 5}, {Name: "third", X: 10, Y: 5}, {Name: "far", X: 100, Y: 5},
	}}
	text := string(SVG(c))
	if strings.Count(text, "<circle ") != 4 || strings.Count(text, `r="6"`) != 1 || !strings.Contains(text, ">a &amp; b<") {
		t.Fatal(text)
	}
	// The axis goes from 10 to 100, so that the first ones stand at its begin and the last one at its end.
	for _, want := range []string{`<circle cx="74" `, `<circle cx="690" `} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	placed := regexp.MustCompile(`y="([0-9.]+)" font-weight`).FindAllStringSubmatch(text, -1)
	var at []float64
	for _, p := range placed {
		y := must.Get(strconv.ParseFloat(p[1], 64))(t)
		at = append(at, y)
	}
	if len(at) != 4 || at[1]-at[0] < lineHeight || at[2]-at[1] < lineHeight || at[3] != at[0] {
		t.Errorf("names at %v", at)
	}
}

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
