package verify

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/model/proof"
)

// What each line of a file, and each number in it, means to the verdict on it: the file by
// itself with its chip named, and beside the fabric that it was compiled from.
func TestWhatLinesMeanToTheVerdict(t *testing.T) {
	catalogue, _ := chips.Load()
	var out strings.Builder
	for _, f := range []struct{ path, chip, example, device string }{
		{"testdata/config_db.json", "trident3", "", ""},
		{"../golden/tomahawk-eos-pod/leaf-1/eos.cfg", "tomahawk", "", ""},
		{"../golden/tomahawk-eos-pod/leaf-1/eos.cfg", "", "tomahawk-eos-pod", "leaf-1"},
	} {
		text := must.Get(os.ReadFile(f.path))(t)
		o := Options{Catalogue: catalogue}
		o.Chip, _ = catalogue.Find(f.chip)
		if f.example != "" {
			p, _ := planOf(t, f.example)
			o.Fabric = &Fabric{Plan: p, Targets: target.All()}
		}
		fmt.Fprintf(&out, "%s %s\n%s", strings.TrimPrefix(f.path, "../"), f.example, readtest.Meaning(string(text), func(text string) map[string]string {
			r, err := Judge([]File{Text(f.device+"/"+filepath.Base(f.path), []byte(text))}, o)
			if err != nil {
				return map[string]string{"error": err.Error()}
			}
			return verdicts(r)
		}))
	}
	diagtest.Golden(t, "../golden/ledger/meaning-verdict.txt", out.String())
}

func verdicts(r *Report) map[string]string {
	values := map[string]string{"verdict": r.Verdict().String()}
	readtest.Found(values, r.Findings)
	for i, s := range r.Switches {
		at := fmt.Sprintf("switch %d ", i)
		readtest.Values(values, &s.Coverage)
		for _, d := range s.Declared {
			values[at+"declared "+d] = "yes"
		}
		for _, g := range s.Groups {
			values[at+"group "+g.Where] = g.Verdict.String()
		}
		values[at+"because"] = fmt.Sprint(s.Because)
		if o := s.Tightest(); o != nil {
			values[at+"tightest"] = fmt.Sprint(o.ID, " ", o.Where, " ", o.Slack())
		}
		for _, o := range s.Obligations {
			if o.Verdict != proof.Holds {
				values[at+o.ID+" "+o.Where] = fmt.Sprint(o.Verdict, " ", o.Because, len(o.Conditions))
			}
		}
		for _, c := range s.Conditions {
			values[at+"condition "+c.ID+c.Where] = fmt.Sprint(c.Bound, c.Unit, c.Assumes)
		}
		for _, a := range s.Assumptions {
			values[at+"assumption "+a] = "yes"
		}
	}
	return values
}

// The tightest obligation has the smallest slack as a part of what there is: 5 of 10 is tighter
// than 60 of 100, and of two that are equally tight the first counts. Those without a unit, and
// those that no lossless packet depends on, do not.
func TestTightest(t *testing.T) {
	o := func(id string, left, right int64, unit string, lossless bool) proof.Obligation {
		return proof.Obligation{ID: id, Left: proof.Side{Value: left}, Right: proof.Side{Value: right}, Unit: unit, Lossless: lossless}
	}
	for want, all := range map[string][]proof.Obligation{
		"small":  {o("large", 40, 100, "B", true), o("small", 5, 10, "B", true)},
		"first":  {o("first", 50, 100, "B", true), o("second", 5, 10, "B", true)},
		"fails":  {o("holds", 10, 10, "B", true), o("fails", 12, 10, "B", true)},
		"counts": {o("fair", 10, 10, "B", false), o("one", 1, 1, "", true), o("counts", 1, 10, "B", true)},
		"of ten": {o("of one", 0, 1, "B", true), o("of ten", 3, 10, "B", true)}, // 7 of 10, and all of 1
		"zero":   {o("zero", 3, 0, "B", true), o("less", 12, 10, "B", true)},
	} {
		s := &Switch{Proof: &proof.Report{Obligations: all}}
		if got := s.Tightest(); got == nil || got.ID != want {
			t.Errorf("tightest is %v, want %s", got, want)
		}
	}
	if got := (&Switch{}).Tightest(); got != nil {
		t.Errorf("of nothing that was proved, %v is tightest", got)
	}
}
