package compare

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/anyfabric"
	"github.com/roceplan/roceplan/internal/completion"
	"github.com/roceplan/roceplan/internal/goldentest"
	"github.com/roceplan/roceplan/internal/runs"
)

const trades = "../../golden/trade.txt"

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

// TestTrade records what the ends of the trade do beside the middle, on the fabrics that are drawn: with -hunt all is
// run, and with -update too recorded.
func TestTrade(t *testing.T) {
	_, recorded := goldentest.Parts(t, trades, *update)
	if !*hunting {
		return
	}
	var store *runs.Store
	if *keep != "" {
		store = runs.Open(*keep, "")
	}
	for seed := uint64(1); seed <= drawn; seed++ {
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
			for seed := uint64(1); seed <= drawn; seed++ {
				text.WriteString(recorded[fmt.Sprintf("drawn-%02d", seed)])
			}
			if err := os.WriteFile(trades, []byte("When what runs on a fabric ends, as compiled for storage or requests by as compiled for mixed.\n\n"+text.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}
