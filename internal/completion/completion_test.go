package completion

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/runs"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/pattern"
)

func close(a, b float64) bool { return math.Abs(a-b) < 1e-9*math.Abs(b) }

// Messages at the bounds: 99,999 B are small, 100,000 B neither, 1,000,000 B large. Of a hundred small ones
// with slowdowns 1 to 100 the mean is 50.5 and the 99th percentile 99.
func TestRunOf(t *testing.T) {
	o := pattern.Outcome{Pattern: hadoop, Seed: 3, Duration: 70, Details: &pattern.Details{}}
	for i := range 100 {
		o.FlowResults = append(o.FlowResults, sim.FlowResult{Bytes: 99_999, FCTUS: 2, Slowdown: float64(100 - i)})
	}
	o.FlowResults = append(o.FlowResults, sim.FlowResult{Bytes: 100_000, FCTUS: 1, Slowdown: 1000}, sim.FlowResult{Bytes: 1_000_000, FCTUS: 5, Slowdown: 7})
	want := Run{Scenario: hadoop, Seed: 3, Duration: 70, Small: Spread{100, 50.5, 99}, Large: Spread{1, 7, 7}, Mean: 206.0 / 102}
	got := RunOf(&o)
	if !close(got.Mean, want.Mean) {
		t.Errorf("mean %v, want %v", got.Mean, want.Mean)
	}
	if got.Mean = want.Mean; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// A run whose mean would be of those alone that arrived is no figure.
func TestUnusable(t *testing.T) {
	for want, o := range map[string]pattern.Outcome{
		"left 3 flows unfinished":     {Unfinished: 2, Stranded: 1},
		"lost 5 lossless packets":     {LosslessDrops: 5},
		"did not run: too few hosts":  {Skipped: "too few hosts"},
		"":                            {Drops: 5}, // of lossy ones
		"left 1 flows unfinished":     {Unfinished: 1, LosslessDrops: 5},
		"did not run: is on no path.": {Skipped: "is on no path.", Unfinished: 1},
	} {
		must.Equal(t, unusable(&o), want)
	}
}

func runsOf(seed uint64, small, large, mean, duration float64) (list []Run) {
	for _, name := range Scenarios(nil) {
		list = append(list, Run{Scenario: name, Seed: seed, Small: Spread{10, small, 4 * small}, Large: Spread{10, large, 9 * large}, Mean: mean, Duration: duration})
	}
	return list
}

// Mean m and percentile 4m have the geometric mean 2m.
func TestFiguresByHand(t *testing.T) {
	set := Of(runsOf(7, 1.5, 2, 30, 400))
	for k, want := range map[Kind]float64{Small: 3, Large: 6, Storage: 6, Incast: 30, Collective: 400} {
		if got := set[7][k]; !close(got.Value, want) || got.Unusable != "" {
			t.Errorf("%s: %+v, want %v", k, got, want)
		}
	}
	list := runsOf(1, 1, 1, 1, 1)
	for i := range list {
		switch list[i].Scenario {
		case allToAll:
			list[i].Duration = 4 // beside 1
		case hadoop:
			list[i].Small = Spread{5, 16, 4} // beside 1 and 4: the fourth root of 256
		}
	}
	set = Of(list)
	if got := set[1][Collective].Value; !close(got, 2) {
		t.Errorf("collective %v, want 2", got)
	}
	if got := set[1][Small].Value; !close(got, 4) {
		t.Errorf("small %v, want 4", got)
	}
}

// One scenario spoils the kinds that are made of it, and no others; so does one that was not run.
func TestSpoilt(t *testing.T) {
	list := runsOf(1, 1, 1, 1, 1)
	for i := range list {
		if list[i].Scenario == hadoop {
			list[i].Unusable = "left 3 flows unfinished"
		}
	}
	set := Of(list)
	for _, k := range Kinds() {
		if spoilt := k == Small || k == Large; (set[1][k].Unusable == hadoop+" left 3 flows unfinished") != spoilt || (set[1][k].Value == 0) != spoilt {
			t.Errorf("%s: %+v", k, set[1][k])
		}
	}
	if r := Compare(set, Of(runsOf(1, 1, 1, 1, 1)), Kinds()...); r.Unusable == "" || r.Ratio != 0 || r.Better() || r.Worse() {
		t.Errorf("%+v", r)
	}
	if r := Compare(set, Of(runsOf(1, 1, 1, 1, 1)), Storage); r.Unusable != "" {
		t.Errorf("%+v", r)
	}
	if f := Of(list[:1])[1][Incast]; f.Unusable != incast+" was not run" {
		t.Errorf("%+v", f)
	}
}

// Ratios 1/2, 1 and 2 have the geometric mean 1; their logarithms the standard deviation ln 2, so that the
// interval is 2 to the power of 4.303/√3. Unequal seeds do not count.
func TestCompare(t *testing.T) {
	var a, b []Run
	for seed, x := range map[uint64]float64{1: 0.5, 2: 1, 3: 2} {
		a, b = append(a, runsOf(seed, x, 1, 1, x*x)...), append(b, runsOf(seed, 1, 1, 1, 1)...)
	}
	a = append(a, runsOf(9, 100, 1, 1, 1)...)
	r := Compare(Of(a), Of(b), Small)
	high := math.Pow(2, 4.303/math.Sqrt(3))
	if !close(r.Ratio, 1) || !close(r.High, high) || !close(r.Low, 1/high) || r.Seeds != 3 || r.Better() || r.Worse() {
		t.Errorf("%+v, want 1, up to %v", r, high)
	}
	// Together with large ones, which are all equal, the exponent is half as large; with collectives it is 3/2.
	for kinds, power := range map[[2]Kind]float64{{Small, Large}: 0.5, {Small, Collective}: 1.5} {
		if r := Compare(Of(a), Of(b), kinds[0], kinds[1]); !close(r.Ratio, 1) || !close(r.High, math.Pow(high, power)) {
			t.Errorf("%v: %+v", kinds, r)
		}
	}
	if r := Compare(Of(runsOf(1, 2, 1, 1, 1)), Of(runsOf(1, 1, 1, 1, 1)), Small); !close(r.Ratio, 2) || r.Low != 0 || r.High != 0 || r.Better() || r.Worse() {
		t.Errorf("one seed: %+v", r)
	}
	if r := ratioOf([]float64{1, 1}); !r.Worse() || r.Better() {
		t.Errorf("%+v", r)
	}
	if r := ratioOf([]float64{-1, -1}); !r.Better() || r.Worse() {
		t.Errorf("%+v", r)
	}
	if r := Compare(Of(runsOf(1, 1, 1, 1, 1)), Of(runsOf(2, 1, 1, 1, 1)), Small); r.Unusable == "" {
		t.Errorf("%+v", r)
	}
	if student(1) != 12.706 || student(2) != 4.303 || student(20) != 2.086 || student(1000) != 2.086 {
		t.Error("the table is read in the wrong row")
	}
}

// The library has the scenarios, all kinds get a figure on a whole fabric, and a store gives the same runs again.
func TestOnFabric(t *testing.T) {
	catalogue, _ := chips.Load()
	_, p := plantest.Folder(t, catalogue, "../../model/sim/pattern/testdata/pod")
	jobs, err := Jobs(p, catalogue.Find, Options{Seeds: 2, Seed: 5, Time: 100_000_000})
	if err != nil || len(jobs) != 2*len(Scenarios(nil)) || len(jobs[0].Network.Hosts) != 32 {
		t.Fatal(len(jobs), err)
	}
	store := runs.Open(t.TempDir(), "test")
	first := must.Get(RunAll(context.Background(), jobs, store, nil))(t)
	set := Of(first)
	for _, seed := range []uint64{5, 6} {
		for _, k := range Kinds() {
			if f := set[seed][k]; f.Unusable != "" || f.Value < 1 {
				t.Errorf("seed %d, %s: %+v", seed, k, f)
			}
		}
	}
	steps := 0
	again, err := RunAll(context.Background(), jobs[:1], store, func() { steps++ })
	if err != nil || !reflect.DeepEqual(again, first[:1]) || store.Found.Load() != 1 || steps != 1 {
		t.Errorf("%v: %+v, found %d", err, again, store.Found.Load())
	}
	jobs[0].Prepare = nil // with distributions of what buffers hold
	if whole, err := RunAll(context.Background(), jobs[:1], nil, nil); err != nil || !reflect.DeepEqual(whole, first[:1]) {
		t.Errorf("%v: %+v, want %+v", err, whole, first[0])
	}
	for example, want := range map[string]string{"ucloud-pod": incast, "junos-rail": incastOf4} { // the latter has eight hosts
		_, p := plantest.Folder(t, catalogue, "../../examples/"+example)
		own, err := Jobs(p, catalogue.Find, Options{Kinds: []Kind{Incast}})
		if err != nil || len(own) != 1 || own[0].Scenario.Name != want || own[0].Seed != 1 {
			t.Fatalf("%s: %+v, %v", example, own, err)
		}
		made, err := RunAll(context.Background(), own, nil, nil)
		if f := Of(made)[1][Incast]; err != nil || f.Unusable != "" || f.Value < 1 {
			t.Errorf("%s: %+v, %v", example, f, err)
		}
	}
}

func TestPurposes(t *testing.T) {
	for p, want := range map[Purpose]string{Training: "collective", ForReads: "storage", Requests: "small", Mixed: "small large storage collective incast"} {
		var names []string
		for _, k := range p.Kinds() {
			names = append(names, string(k))
		}
		must.Equalf(t, strings.Join(names, " "), want, "%s:", p)
	}
	if len(Purposes()) != 4 {
		t.Error(Purposes())
	}
}
