package policy_test

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// WebSearch_distribution.txt of alibaba-edu/High-Precision-Congestion-Control, traffic_gen, read as a file, is what the
// library has of it.
const websearch = "0 0\n10000 15\n20000 20\n30000 30\n50000 40\n80000 53\n200000 60\n1000000 70\n2000000 80\n5000000 90\n10000000 97\n30000000 100\n"

func TestSizesFromFile(t *testing.T) {
	text := `
fabric "f" {
}
sizes "measured" {
  file = "cdf/web.txt"
}
scenario "a" {
  poisson {
    sizes = sizes.measured
    load  = "30%"
  }
  poisson {
    sizes = sizes.websearch
    load  = "30%"
  }
}
`
	root := fstest.MapFS{"cdf/web.txt": {Data: []byte("\n# bytes, per cent\r\n" + websearch)}}
	f, found := policy.Load(policy.Options{Files: []policy.Source{{Name: "pod/fabric.hcl", Text: []byte(text)}}, Root: root, Catalogue: catalogue(t)})
	if len(f.Scenarios) != 1 || len(f.Scenarios[0].Traffic) != 2 {
		t.Fatalf("%v", found)
	}
	read, known := f.Scenarios[0].Traffic[0].Sizes, f.Scenarios[0].Traffic[1].Sizes
	if read == nil || known == nil || !slices.Equal(read.Bytes.Value, known.Bytes.Value) || !slices.Equal(read.Share.Value, known.Share.Value) {
		t.Errorf("%+v, want %+v; %v", read, known, found)
	}
	if read.Share.Value[5] != 53*units.Percent || read.Bytes.Value[5] != 80_000 {
		t.Errorf("%v of messages are %v or less, want 53%% and 80000B", read.Share.Value[5], read.Bytes.Value[5])
	}
	if len(f.Texts) != 1 || f.Texts[0].Name != "pod/cdf/web.txt" {
		t.Errorf("texts %v", f.Texts)
	}
}
