package compare

import (
	"math"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/completion"
)

// stands is a fabric whose default is "a", beside configurations with these ratios, in the order of the kinds.
func stands(rows map[string][5]float64) *Fabric {
	f := &Fabric{Name: "f", About: "of a test", Default: "a", By: map[completion.Purpose]*Result{}}
	for _, p := range completion.Purposes() {
		r := &Result{Purpose: p, Kinds: completion.Kinds()}
		for _, name := range []string{"a", "b"} {
			ratios, given := rows[name]
			if !given {
				continue
			}
			row := Row{Name: name, Ratios: map[completion.Kind]completion.Ratio{}}
			mean := func(kinds []completion.Kind) completion.Ratio {
				product := 1.0
				for _, k := range kinds {
					product *= row.Ratios[k].Ratio
				}
				return completion.Ratio{Ratio: math.Pow(product, 1/float64(len(kinds))), Seeds: 1}
			}
			for i, k := range completion.Kinds() {
				row.Ratios[k] = completion.Ratio{Ratio: ratios[i], Seeds: 1}
			}
			row.OfPurpose, row.All = mean(p.Kinds()), mean(completion.Kinds())
			r.Beside = append(r.Beside, row)
		}
		r.Verdict = r.verdict()
		f.By[p] = r
	}
	return f
}

// Kinds are small, large, storage, collective, incast. Beside b storage is 1.02, within 3 %, and collectives are 1.04,
// which is not. All kinds together are 1 beside a, where large messages are 1.2, more than 10 % behind the default.
func TestStanding(t *testing.T) {
	f := stands(map[string][5]float64{"a": {0.5, 1.2, 1, 1, 1.0 / 0.6}, "b": {0.9, 0.9, 1.02, 1.04, 0.5}})
	for p, want := range map[completion.Purpose]string{
		completion.Training: "1.04 of b", completion.ForReads: "", completion.Requests: "",
	} {
		if s := f.Standing(p); s.Missed != want || s.Best != "b" {
			t.Errorf("%s: %+v, want %q", p, s, want)
		}
	}
	if s := f.Standing(completion.Mixed); s.Best != "a" || !strings.Contains(s.Missed, "large 1.20 of a, incast 1.67 of a") {
		t.Errorf("%+v", s)
	}
}

// What is worse in every kind is beaten; what is better in one is not. Kinds without a figure do not excuse.
func TestBeatenInAll(t *testing.T) {
	f := stands(map[string][5]float64{"b": {1.01, 1.01, 1.01, 1.01, 1.01}})
	if s := f.Standing(completion.Mixed); s.Missed != "1.01 of b, beaten in all by b" {
		t.Errorf("%+v", s)
	}
	f = stands(map[string][5]float64{"b": {1.01, 1.01, 1.01, 1.01, 0.9}})
	if s := f.Standing(completion.Mixed); s.Missed != "" {
		t.Errorf("%+v", s)
	}
	if s := stands(nil).Standing(completion.Training); !strings.HasPrefix(s.Missed, "no figure: ") {
		t.Errorf("%+v", s)
	}
}

func TestPartOfTable(t *testing.T) {
	text := stands(map[string][5]float64{"a": {0.5, 1.2, 1, 1, 1.0 / 0.6}, "b": {0.9, 0.9, 1.02, 1.04, 0.5}}).String()
	for _, want := range []string{"== f: of a test\n", "a       0.50   1.20   1.00     1.00        1.67    1.00\n", "storage: 1.02 of b; met\n", "training: 1.04 of b; missed: 1.04 of b\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
