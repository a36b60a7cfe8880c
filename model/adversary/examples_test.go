package adversary_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model"
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
		text := must.Get(os.ReadFile(path))(t)
		fabric := must.Sound(policy.Load(policy.Options{Files: []policy.Source{{Name: "fabric.hcl", Text: text}}, Catalogue: cat, Root: os.DirFS(filepath.Dir(path))}))(t)
		computed := must.Sound(calc.Compute(fabric))(t)
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
	result := must.Get(adversary.Search(report.Model, adversary.Options{Seed: 7, Packets: packets, PausedPGs: sw.PausedPGs}))(t)
	return report, result
}

// shorten gives the lossless groups of the first port so many cells of headroom less than
// they need under the conditions of a report, in a copy of its switch whose pools of headroom
// and memory suffice.
func shorten(t testing.TB, sw *plan.Switch, chip *chips.Chip, report *proof.Report, cells int64) *model.Switch {
	t.Helper()
	config, own := *report.Model.Config, *report.Model
	own.Config, config.SliceCells = &config, 0
	config.IngressPools = slices.Clone(config.IngressPools)
	for i := range config.IngressPools {
		if pool := &config.IngressPools[i]; pool.HeadroomCells > 0 {
			pool.HeadroomCells = 1 << 24
		}
	}
	config.Ports = slices.Clone(config.Ports)
	first := &config.Ports[0]
	first.PGs = slices.Clone(first.PGs)
	for _, pg := range proof.NewModel(sw, chip, report).Ports[0].PGs {
		first.PGs[pg.ID].HeadroomCells = units.Cells(pg.Needed - below(t, report) - cells)
	}
	return &own
}

// below is how many cells of the pausing packet are below the threshold of the first group.
func below(t testing.TB, report *proof.Report) int64 {
	t.Helper()
	for _, o := range report.Obligations {
		for _, term := range o.Terms {
			if o.ID == proof.Headroom && term.Symbol == "q" {
				return term.Value
			}
		}
	}
	t.Fatal("nothing was proved of headroom")
	return 0
}

func attack(t testing.TB, sw *model.Switch, packets int64, paused int) *adversary.Result {
	t.Helper()
	result := must.Get(adversary.Search(sw, adversary.Options{Seed: 7, Packets: packets, PausedPGs: paused}))(t)
	return result
}

// The adversary finds nothing in the examples under their conditions, and something as soon
// as one group's headroom is a single cell short.
func TestExamples(t *testing.T) {
	cat := catalogue(t)
	for name, sw := range examples(t, cat) {
		chip, _ := cat.Find(sw.Chip)
		report, result := search(t, sw, chip, 300_000)
		if result.Found != nil {
			t.Errorf("%s: %v", name, result)
		}
		t.Logf("%s: %v", name, result)
		if result := attack(t, shorten(t, sw, chip, report, 0), 50_000, sw.PausedPGs); result.Found != nil {
			t.Errorf("%s with just the headroom that is needed: %v", name, result)
		}
		result = attack(t, shorten(t, sw, chip, report, 1), 2_000_000, sw.PausedPGs)
		if result.Found == nil {
			t.Errorf("%s with a cell less headroom than is needed: %v", name, result)
			continue
		}
		text := must.Get(result.Found.Marshal())(t)
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
	result := attack(t, shorten(t, sw, chip, report, 1), 0, sw.PausedPGs)
	if result.Found == nil {
		t.Fatal(result)
	}
	text, _ := result.Found.Marshal()
	again := must.Get(adversary.Replay(text))(t)
	var got bytes.Buffer
	must.Do(t, again.Write(&got))
	golden(t, "../../golden/proof/timeline.txt", got.String())
}

// golden checks a text against a file.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		must.Do(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want := must.Get(os.ReadFile(file))(t)
	must.NoDiffIn(t, cmp.Diff(string(want), got), "%s (-golden +now):", file)
}
