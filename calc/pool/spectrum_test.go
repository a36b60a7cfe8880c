package pool_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/calc/pool"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

func catalogue(t testing.TB) *chips.Catalogue {
	t.Helper()
	cat, faults := chips.Load()
	if faults.HasErrors() {
		t.Fatalf("catalogue: %v", faults)
	}
	return cat
}

// Every pool that SONiC's own calculator gave, to the byte.
func TestSpectrumPoolsAreTheCalculators(t *testing.T) {
	questions := must.Get(os.ReadFile(oracle.Figures(t, "spectrum_pools.json")))(t)
	var out bytes.Buffer
	bad, err := pool.Batch(bytes.NewReader(questions), &out, catalogue(t))
	if err != nil || bad != 0 {
		t.Fatalf("%d without answer, %v", bad, err)
	}
	var raw []map[string]json.RawMessage
	must.Do(t, json.Unmarshal(out.Bytes(), &raw))
	for i, element := range raw {
		var a struct{ want, got map[string]map[string]int64 }
		must.Do(t, json.Unmarshal(element["expected_pools"], &a.want))
		must.Do(t, json.Unmarshal(element["predicted_pools"], &a.got))
		must.NoDiffIn(t, cmp.Diff(a.want, a.got), "configuration %d (-calculator +ours):", i+1)
	}
	if len(raw) < 100 {
		t.Fatalf("%d configurations, want all of them", len(raw))
	}
}
