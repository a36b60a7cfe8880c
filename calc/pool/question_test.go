package pool_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/calc/pool"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

func ask(t *testing.T, text string) []map[string]any {
	t.Helper()
	var out bytes.Buffer
	must.Get(pool.Batch(strings.NewReader(text), &out, catalogue(t)))(t)
	var answers []map[string]any
	must.Do(t, json.Unmarshal(out.Bytes(), &answers))
	return answers
}

// What is missing is named, all of it, and never taken as zero.
func TestBatchNamesWhatIsMissing(t *testing.T) {
	const profiles = `"profiles": {"ingress_lossy_profile": 0, "egress_lossless_profile": 0, "egress_lossy_profile": 9216, "q_lossy_profile": 0}`
	answers := ask(t, `[{}, {"asic": "spectrum-4"},
		{"asic": "spectrum-4", "port_groups": [{"ports": 32, "lanes": 4, "lossless_pgs": 2}], `+profiles+`},
		{"asic": "spectrum-4", "port_groups": [{"ports": 32, "lanes": 4, "lossless_pgs": 2, "xon_bytes": 1, "size_bytes": 1}, {"admin_up": false}], `+profiles+`},
		{"asic": "spectrum-4", "cell_size_bytes": 200, "port_groups": [{"ports": 32, "lanes": 4, "lossless_pgs": 2, "speed_mbps": 100000, "cable_m": 40}], `+profiles+`},
		{"asic": "spectrum-4", "pipeline_latency_kib": 18014398509481989, "port_groups": []},
		{"asic": "spectrum-4", "port_groups": [{"ports": 32, "lanes": 4, "lossless_pgs": 0}], `+profiles+`}]`)
	var got []string
	for _, a := range answers {
		message, _ := a["error"].(string)
		got = append(got, message)
	}
	want := []string{
		"asic is missing",
		"missing: profiles.ingress_lossy_profile, profiles.egress_lossless_profile, profiles.egress_lossy_profile, profiles.q_lossy_profile, port_groups",
		"missing: port_groups[0].xon_bytes, port_groups[0].xoff_bytes, port_groups[0].size_bytes",
		"missing: port_groups[0].xoff_bytes, port_groups[1].ports, port_groups[1].lanes, port_groups[1].lossless_pgs",
		"missing: port_groups[0].xon_bytes, port_groups[0].xoff_bytes, port_groups[0].size_bytes", // another cell than the calculator's
		"pipeline_latency_kib is 18014398509481989, it must be between 1 and 1073741824",
		"", // a group without lossless PGs needs no lossless profile
	}
	must.NoDiff(t, cmp.Diff(want, got))
}

// Without xon, xoff and size, the headroom calculator gives what SONiC's own configuration
// of the same port says, and the answer says what was filled in.
func TestBatchComputesMissingHeadroom(t *testing.T) {
	text := must.Get(os.ReadFile(oracle.Figures(t, "spectrum_pools.json")))(t)
	var questions []map[string]any
	must.Do(t, json.Unmarshal(text, &questions))
	for _, q := range questions {
		for _, g := range q["port_groups"].([]any) {
			for _, name := range []string{"xon_bytes", "xoff_bytes", "size_bytes"} {
				delete(g.(map[string]any), name)
			}
		}
	}
	stripped := must.Get(json.Marshal(questions))(t)
	told := 0
	for i, a := range ask(t, string(stripped)) {
		must.NoDiffIn(t, cmp.Diff(a["expected_pools"], a["predicted_pools"]), "configuration %d: %v", i+1, a["error"])
		if a["filled_in"] != nil {
			told++
		}
	}
	if told < len(questions)*9/10 { // the others have no lossless port that is up
		t.Errorf("%d of %d answers tell what was filled in", told, len(questions))
	}
}
