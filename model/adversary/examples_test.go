package adversary_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model/adversary"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

var update = flag.Bool("update", false, "write the golden files")

// shapes lists the switches of all examples.
func examples(t testing.TB, cat *chips.Catalogue) map[string]*plan.Switch {
	t.Helper()
	found := map[string]*plan.Switch{}
	paths, err := filepath.Glob("../../examples/*/fabric.hcl")
	if err != nil || len(paths) < 5 {
		t.Fatalf("%d examples, %v", len(paths), err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		fabric, list := policy.Load(policy.Options{Files: []policy.Source{{Name: "fabric.hcl", Text: text}}, Catalogue: cat, Root: os.DirFS(filepath.Dir(path))})
		if list.HasErrors() {
			t.Fatal(list)
		}
		computed, list := calc.Compute(fabric)
		if list.HasErrors() {
			t.Fatal(list)
		}
		for _, sw := range computed.Switches {
			found[filepath.Base(filepath.Dir(path))+" "+sw.Names[0]] = sw
		}
	}
	return found
}

func search(t testing.TB, sw *plan.Switch, chip *chips.Chip, packets int64) (*proof.Report, *adversary.Result) {
	t.Helper()
	report, err := proof.Prove(sw, chip, proof.Context{})
	if err != nil || report.Model == nil {
		t.Fatal(err)
	}
	result, err := adversary.Search(report.Model, adversary.Options{Seed: 7, Packets: packets})
	if err != nil {
		t.Fatal(err)
	}
	return report, result
}

// shorten takes headroom from the lossless groups of one port: what is left is so many
// cells less than is needed. It returns the group.
func shorten(t testing.TB, sw *plan.Switch, report *proof.Report, cells units.Cells) *plan.Switch {
	t.Helper()
	own := *sw
	own.Ports = append([]plan.Port(nil), sw.Ports...)
	qos := *own.Ports[0].QoS
	qos.PGs = append([]plan.PG(nil), qos.PGs...)
	for _, o := range report.Obligations {
		if o.ID != proof.Headroom {
			continue
		}
		for i := range qos.PGs {
			if qos.PGs[i].Lossless {
				qos.PGs[i].Headroom.Value = (units.Cells(o.Left.Value) - cells).Bytes(sw.Cell)
			}
		}
		break
	}
	own.Ports[0].QoS = &qos
	return &own
}

// The adversary finds nothing in the examples, and something as soon as one group's
// headroom is a single cell short.
func TestExamples(t *testing.T) {
	cat := catalogue(t)
	for name, sw := range examples(t, cat) {
		chip, _ := cat.Find(sw.Chip)
		report, result := search(t, sw, chip, 300_000)
		if result.Found != nil {
			t.Errorf("%s: %v", name, result)
		}
		t.Logf("%s: %v", name, result)
		if _, result := search(t, shorten(t, sw, report, 0), chip, 50_000); result.Found != nil {
			t.Errorf("%s with just the headroom that is needed: %v", name, result)
		}
		_, result = search(t, shorten(t, sw, report, 1), chip, 2_000_000)
		if result.Found == nil {
			t.Errorf("%s with a cell less headroom than is needed: %v", name, result)
			continue
		}
		text, err := result.Found.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		again, err := adversary.Replay(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		t.Logf("%s: %d events, %d lines, %d B: %v", name, len(result.Found.Events), len(again.Lines), len(text), again.Loss)
	}
}

// The timeline of one of them, as a person reads it.
func TestTimeline(t *testing.T) {
	cat := catalogue(t)
	sw := examples(t, cat)["ucloud-pod tor-01"]
	chip, _ := cat.Find(sw.Chip)
	report, _ := search(t, sw, chip, 1)
	_, result := search(t, shorten(t, sw, report, 1), chip, 0)
	if result.Found == nil {
		t.Fatal(result)
	}
	text, _ := result.Found.Marshal()
	again, err := adversary.Replay(text)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := again.Write(&got); err != nil {
		t.Fatal(err)
	}
	golden(t, "../../golden/proof/timeline.txt", got.String())
}

// golden holds a text against a file.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-golden +now):\n%s", file, diff)
	}
}
