package compare

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/completion"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/model/sim/fabric"
)

// Of three configurations the first one is best in storage, the second in small messages, and the third has no figure of
// storage. Ratios are of one seed, so that 1.2 is lost and 0.9 is won.
func TestVerdict(t *testing.T) {
	r := &Result{Purpose: completion.ForReads, Kinds: []completion.Kind{completion.Storage, completion.Small, completion.Incast, completion.Large, completion.Collective}}
	one := func(v float64) completion.Ratio { return completion.Ratio{Ratio: v, Seeds: 1} }
	none := completion.Ratio{Unusable: "compared with: lost 3 lossless packets"}
	add := func(name, notRun string, storage, small, incast, large, collective completion.Ratio) {
		r.Beside = append(r.Beside, Row{Name: name, NotRun: notRun, OfPurpose: storage, Ratios: map[completion.Kind]completion.Ratio{
			completion.Storage: storage, completion.Small: small, completion.Incast: incast, completion.Large: large, completion.Collective: collective,
		}})
	}
	add("a", "", one(1.2), one(0.5), one(1.5), one(1), none)
	add("b", "", one(1.1), one(0.9), one(1.3), one(1), none)
	add("c", "", none, one(0.8), one(0.7), one(1), none)
	add("d", "no curve", one(9), one(9), one(9), one(9), one(9))
	v := r.verdict()
	names := func(list []Against) string {
		var words []string
		for _, a := range list {
			words = append(words, string(a.Kind)+":"+a.Best)
		}
		return strings.Join(words, " ")
	}
	must.Equalf(t, names(v.Loses), "incast:a storage:a", "loses")
	must.Equalf(t, names(v.Wins), "small:b", "wins")
	must.Equalf(t, names(v.Even), "large:a", "even")
	must.Equalf(t, names(v.Unknown), "collective:", "unknown")
	if p := v.Purpose; p.Best != "a" || p.Of != 2 || p.Beaten != 2 || p.Ratio.Ratio != 1.2 {
		t.Errorf("purpose %+v", p)
	}
	must.Equal(t, v.Unknown[0].Ratio.Unusable, none.Unusable)
}

// Intervals that cover 1 are even.
func TestEvenWithinNoise(t *testing.T) {
	for _, c := range []struct {
		r         completion.Ratio
		lost, won bool
	}{
		{completion.Ratio{Ratio: 1.2, Low: 0.9, High: 1.6, Seeds: 3}, false, false},
		{completion.Ratio{Ratio: 1.2, Low: 1.1, High: 1.6, Seeds: 3}, true, false},
		{completion.Ratio{Ratio: 0.8, Low: 0.7, High: 0.9, Seeds: 3}, false, true},
		{completion.Ratio{Ratio: 0.8, Seeds: 1}, false, true},
		{completion.Ratio{Unusable: "x"}, false, false},
	} {
		if lost(c.r) != c.lost || won(c.r) != c.won {
			t.Errorf("%+v: lost %v, won %v", c.r, lost(c.r), won(c.r))
		}
	}
}

// Kinds of the purpose come first, configurations for the fabric before others, what cannot be laid has its reason, and the
// same settings beside themselves are 1 in everything.
func TestRun(t *testing.T) {
	catalogue, found := chips.Load(chips.Source{Name: "x.hcl", Text: []byte(`published "aa-none" {
  title  = "no curve for 100G"
  vendor = "X"
  curve_speeds {
    value      = ["10Gbps"]
    confidence = "assumed"
    source     = "a guess"
  }
  kmin {
    value      = ["1kB"]
    confidence = "assumed"
    source     = "a guess"
  }
  kmax {
    value      = ["2kB"]
    confidence = "assumed"
    source     = "a guess"
  }
  pmax {
    value      = ["5%"]
    confidence = "assumed"
    source     = "a guess"
  }
}`)})
	if len(found) > 0 {
		t.Fatal(found)
	}
	_, p := plantest.Folder(t, catalogue, "../../model/sim/pattern/testdata/pod")
	var beside []*chips.Configuration
	for _, name := range []string{"dcqcn-paper", "nvidia-roce", "aa-none"} {
		c, ok := catalogue.Configuration(name)
		if !ok {
			t.Fatal(name)
		}
		beside = append(beside, c)
	}
	c, err := Prepare(p, catalogue.Find, Options{Purpose: completion.Training, Beside: beside, Size: fabric.Size{Edges: 2, HostsPerEdge: 4}})
	if err != nil || c.Runs() != 3*6 {
		t.Fatal(c.Runs(), err)
	}
	r, err := c.Run(context.Background(), nil, nil)
	must.Do(t, err)
	if r.Kinds[0] != completion.Collective || len(r.Kinds) != 5 || !slices.Contains(r.Kinds, completion.Incast) {
		t.Error(r.Kinds)
	}
	var names []string
	for _, row := range r.Beside {
		names = append(names, row.Name)
	}
	must.Equal(t, strings.Join(names, " "), "aa-none nvidia-roce dcqcn-paper")
	if row := r.Beside[0]; row.NotRun == "" || len(row.Ratios) != 0 {
		t.Errorf("%+v", row)
	}
	for _, k := range r.Kinds {
		ours, theirs, ratio := r.Compiled.Figures[k].Value, r.Beside[1].Figures[k].Value, r.Beside[1].Ratios[k].Ratio
		if off := ratio*theirs/ours - 1; ours <= 0 || off < -1e-9 || off > 1e-9 {
			t.Errorf("%s: %v by %v is %v", k, ours, theirs, ratio)
		}
	}
	must.Equalf(t, r.Beside[1].OfPurpose, r.Beside[1].Ratios[completion.Collective], "%+v:", r.Beside[1])
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}
