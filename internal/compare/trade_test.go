package compare

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/completion"
	"github.com/roceplan/roceplan/internal/runs"
	"github.com/roceplan/roceplan/internal/testing/anyfabric"
	"github.com/roceplan/roceplan/internal/testing/goldentest"
	"github.com/roceplan/roceplan/internal/testing/must"
)

const trades = "../../golden/trade.txt"

// traded is how many of the fabrics that are drawn the trade is of.
const traded = 31

// ended returns the figures of a fabric as it is compiled for a purpose.
func ended(t *testing.T, f anyfabric.Fabric, purpose completion.Purpose, store *runs.Store) completion.Set {
	t.Helper()
	loaded := roceplan.Load(roceplan.Input{Files: []roceplan.Source{{Name: "drawn.hcl", Text: forPurpose([]byte(f.Text), purpose)}}})
	p, _, err := roceplan.AsWritten(loaded)
	must.Do(t, err)
	jobs, err := completion.Jobs(p, loaded.Catalogue.Find, completion.Options{Seeds: seeds})
	must.Do(t, err)
	made, err := completion.RunAll(t.Context(), jobs, store, nil)
	must.Do(t, err)
	return completion.Of(made)
}

// ratioOr is a ratio, or why there is none.
func ratioOr(r completion.Ratio) string {
	if r.Unusable != "" {
		return "? (" + r.Unusable + ")"
	}
	return fmt.Sprintf("%.2f", r.Ratio)
}

// TestTrade holds what compile says of the trade to the medians of what is recorded, on the fabrics that are drawn: with
// -hunt all is run, and with -update too recorded.
func TestTrade(t *testing.T) {
	var names []string
	for seed := uint64(1); seed <= traded; seed++ {
		names = append(names, drawnName(seed))
	}
	kept := store()
	recorded := goldentest.Table{File: trades, Names: names, Heading: func(map[string]string) string {
		return "When what runs on a fabric ends, as compiled for training, storage or requests by as compiled for mixed."
	}, Make: func(t *testing.T, name string) string { return partOf(t, name, kept) }}.Run(t, *hunting, *update)
	if *hunting {
		return
	}
	seeds := byTunable(t)
	for _, tunable := range []bool{true, false} {
		if got, want := completion.TradeOf(tunable), medians(t, recorded, seeds[tunable]); !reflect.DeepEqual(got, want) {
			t.Errorf("of fabrics whose NICs can be set (%v) the trade is %v, the medians are %v", tunable, got, want)
		}
	}
}

// ends are the purposes beside mixed.
var ends = []completion.Purpose{completion.Training, completion.ForReads, completion.Requests}

// partOf returns the part of a fabric: what its settings for the other purposes do against those for mixed.
func partOf(t *testing.T, name string, kept *runs.Store) string {
	t.Helper()
	seed := must.Get(strconv.ParseUint(strings.TrimPrefix(name, "drawn-"), 10, 64))(t)
	f := anyfabric.Draw(seed)
	middle := ended(t, f, completion.Mixed, kept)
	part := fmt.Sprintf("== %s: %s\n", name, f.About)
	for _, end := range ends {
		part += fmt.Sprintf("%-8s", end)
		other := ended(t, f, end, kept)
		for _, kind := range completion.Kinds() {
			part += fmt.Sprintf("  %s %s", kind, ratioOr(completion.Compare(other, middle, kind)))
		}
		part += "\n"
	}
	return part + "\n"
}

var tradeRow = regexp.MustCompile(`(\w+) (\d+\.\d\d)`)

// byTunable returns the seeds of fabrics whose NICs' constants can be set, and of those whose cannot.
func byTunable(t *testing.T) map[bool][]uint64 {
	t.Helper()
	catalogue, _ := chips.Load()
	of := map[bool][]uint64{}
	for seed := uint64(1); seed <= traded; seed++ {
		p, _ := roceplan.Load(roceplan.Input{Catalogue: catalogue, Files: []roceplan.Source{{Name: "drawn.hcl", Text: []byte(anyfabric.Draw(seed).Text)}}}).Plan()
		of[p.Hosts[0].Tunable] = append(of[p.Hosts[0].Tunable], seed)
	}
	return of
}

// medians are those of the recorded fabrics of some seeds.
func medians(t *testing.T, recorded map[string]string, seeds []uint64) completion.Trade {
	t.Helper()
	found := map[completion.Purpose]map[completion.Kind][]float64{}
	for _, end := range ends {
		found[end] = map[completion.Kind][]float64{}
	}
	for _, seed := range seeds {
		for _, line := range strings.Split(recorded[drawnName(seed)], "\n")[1:] {
			purpose, rest, _ := strings.Cut(line, " ")
			for _, m := range tradeRow.FindAllStringSubmatch(rest, -1) {
				ratio := must.Get(strconv.ParseFloat(m[2], 64))(t)
				of, kind := found[completion.Purpose(purpose)], completion.Kind(m[1])
				of[kind] = append(of[kind], ratio)
			}
		}
	}
	trade := completion.Trade{Fabrics: len(seeds), Ends: map[completion.Purpose]map[completion.Kind]float64{}}
	for purpose, kinds := range found {
		trade.Ends[purpose] = map[completion.Kind]float64{}
		for kind, all := range kinds {
			slices.Sort(all)
			trade.Ends[purpose][kind] = all[len(all)/2]
		}
	}
	return trade
}
