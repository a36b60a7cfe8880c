package compare

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/anyfabric"
	"github.com/roceplan/roceplan/internal/completion"
	"github.com/roceplan/roceplan/internal/goldentest"
	"github.com/roceplan/roceplan/internal/runs"
)

const trades = "../../golden/trade.txt"

// traded is how many of the fabrics that are drawn the trade is of.
const traded = 31

// ended are the figures of a fabric as it is compiled for a purpose.
func ended(t *testing.T, f anyfabric.Fabric, purpose completion.Purpose, store *runs.Store) completion.Set {
	t.Helper()
	loaded := roceplan.Load(roceplan.Input{Files: []roceplan.Source{{Name: "drawn.hcl", Text: forPurpose([]byte(f.Text), purpose)}}})
	p, _, err := roceplan.AsWritten(loaded)
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := completion.Jobs(p, loaded.Catalogue.Find, completion.Options{Seeds: seeds})
	if err != nil {
		t.Fatal(err)
	}
	made, err := completion.RunAll(t.Context(), jobs, store, nil)
	if err != nil {
		t.Fatal(err)
	}
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
	_, recorded := goldentest.Parts(t, trades, *update)
	if !*hunting {
		seeds := byTunable(t)
		for _, tunable := range []bool{true, false} {
			if got, want := completion.TradeOf(tunable), medians(t, recorded, seeds[tunable]); !reflect.DeepEqual(got, want) {
				t.Errorf("of fabrics whose NICs can be set (%v) the trade is %v, the medians are %v", tunable, got, want)
			}
		}
		return
	}
	var store *runs.Store
	if *keep != "" {
		store = runs.Open(*keep, "")
	}
	for seed := uint64(1); seed <= traded; seed++ {
		name := fmt.Sprintf("drawn-%02d", seed)
		t.Run(name, func(t *testing.T) {
			f := anyfabric.Draw(seed)
			middle := ended(t, f, completion.Mixed, store)
			got := fmt.Sprintf("== %s: %s\n", name, f.About)
			for _, end := range []completion.Purpose{completion.ForReads, completion.Requests} {
				got += fmt.Sprintf("%-8s", end)
				other := ended(t, f, end, store)
				for _, kind := range completion.Kinds() {
					got += fmt.Sprintf("  %s %s", kind, ratioOr(completion.Compare(other, middle, kind)))
				}
				got += "\n"
			}
			got += "\n"
			if !*update {
				if got != recorded[name] {
					t.Errorf("recorded is\n%s\nthe run says\n%s", recorded[name], got)
				}
				return
			}
			recorded[name] = got
			var text strings.Builder
			for seed := uint64(1); seed <= traded; seed++ {
				text.WriteString(recorded[fmt.Sprintf("drawn-%02d", seed)])
			}
			if err := os.WriteFile(trades, []byte("When what runs on a fabric ends, as compiled for storage or requests by as compiled for mixed.\n\n"+text.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

var tradeRow = regexp.MustCompile(`(\w+) (\d+\.\d\d)`)

// byTunable are the seeds of fabrics whose NICs' constants can be set, and of those whose cannot.
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
	found := map[completion.Purpose]map[completion.Kind][]float64{completion.ForReads: {}, completion.Requests: {}}
	for _, seed := range seeds {
		for _, line := range strings.Split(recorded[fmt.Sprintf("drawn-%02d", seed)], "\n")[1:] {
			purpose, rest, _ := strings.Cut(line, " ")
			for _, m := range tradeRow.FindAllStringSubmatch(rest, -1) {
				ratio, err := strconv.ParseFloat(m[2], 64)
				if err != nil {
					t.Fatal(err)
				}
				of, kind := found[completion.Purpose(purpose)], completion.Kind(m[1])
				of[kind] = append(of[kind], ratio)
			}
		}
	}
	middle := func(p completion.Purpose) map[completion.Kind]float64 {
		out := map[completion.Kind]float64{}
		for kind, all := range found[p] {
			slices.Sort(all)
			out[kind] = all[len(all)/2]
		}
		return out
	}
	return completion.Trade{Fabrics: len(seeds), Storage: middle(completion.ForReads), Requests: middle(completion.Requests)}
}
