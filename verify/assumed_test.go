package verify

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
)

// What the catalogue assumes of a chip is a condition of what rests on it: one for each datum.
// The same value from a source that is sure of it is none, and a datum that no verdict rests
// on never is.
func TestAssumedData(t *testing.T) {
	for _, tt := range []struct {
		datum, value, confidence string
		want                     Verdict
	}{
		{"pool_size", `"gross"`, "assumed", Conditional},
		{"pool_size", `"gross"`, "published", Proved},
		{"packet_metadata", `"0B"`, "assumed", Conditional},
		{"packet_metadata", `"0B"`, "inferred", Proved},
		{"latency", `"600ns"`, "assumed", Proved},
	} {
		text := fmt.Sprintf("chip \"trident3\" {\n  extends = \"trident3\"\n  %s {\n    value = %s\n    confidence = %q\n    source = \"a test\"\n  }\n}\n", tt.datum, tt.value, tt.confidence)
		catalogue := must.Sound(chips.Load(chips.Source{Name: "own.hcl", Text: []byte(text)}))(t)
		o := trident3(t)
		o.Catalogue = catalogue
		o.Chip, _ = catalogue.Find("trident3")
		s := judge(t, o, Text("config_db.json", sample(t))).Switches[0]
		if s.Verdict != tt.want {
			t.Errorf("%s %s: the verdict is %v, want %v: %+v", tt.confidence, tt.datum, s.Verdict, tt.want, s.Conditions)
		}
		if tt.want != Conditional {
			continue
		}
		c := s.Conditions
		if len(c) != 1 || c[0].ID != proof.AssumedDatum || !strings.Contains(c[0].Declare, tt.datum) || !strings.Contains(c[0].Declare, "trident3") || !strings.Contains(c[0].Assumes, "to spare") {
			t.Errorf("%s: the conditions are %+v", tt.datum, c)
		}
	}
}
