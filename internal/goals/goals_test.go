package goals

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/runs"
	"github.com/roceplan/roceplan/internal/testing/goldentest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/tune"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
)

const table = "../../golden/goals.txt"

var (
	update  = flag.Bool("update", false, "write golden/goals.txt: its heading, with -hunt the part of each example that runs")
	hunting = flag.Bool("hunt", false, "run every scenario on every example, for an hour")
	keep    = flag.String("keep", "", "folder in which runs are kept from one call to the next, by the same engine")
	try     = flag.Bool("remedies", false, "with -hunt, look for what would meet the goals of each scenario that misses some within reach")
)

// examples returns the fabrics, in the order of the table.
func examples(t *testing.T) (names []string) {
	t.Helper()
	found, err := filepath.Glob("../../examples/*/fabric.hcl")
	if err != nil || len(found) != 9 {
		t.Fatalf("%d examples, %v", len(found), err)
	}
	for _, name := range found {
		names = append(names, filepath.Base(filepath.Dir(name)))
	}
	return names
}

func load(t *testing.T, example string) *roceplan.Fabric {
	t.Helper()
	in := must.Get(roceplan.In(os.DirFS("../../examples/"+example), "."))(t)
	return roceplan.Load(in)
}

// rows runs scenarios on an example as it is compiled; none named: all.
func rows(t *testing.T, example string, names ...string) (out []Row) {
	t.Helper()
	run := must.Get(roceplan.Prepare(load(t, example), roceplan.SimulateOptions{Size: fabric.Size{}.OrUsual(), Scenarios: names, Seeds: 1, Longest: pattern.LongestUsual}))(t)
	var store *runs.Store
	if *keep != "" {
		store = runs.Open(*keep, "")
	}
	outcomes := must.Get(store.Run(t.Context(), run.Jobs, nil))(t)
	if *try {
		remedy(t, example, store, run.Jobs, outcomes)
	}
	for _, o := range outcomes {
		out = append(out, Row{o})
	}
	return out
}

// remedy looks for what would meet goals that are missed.
func remedy(t *testing.T, example string, store *runs.Store, jobs []pattern.Job, outcomes []pattern.Outcome) {
	t.Helper()
	f := load(t, example)
	compiled, _ := f.Plan()
	list, err := tune.Remedies(f.Policy, compiled)
	must.Do(t, err)
	trials := &tune.Trials{Remedies: list, Size: fabric.Size{}.OrUsual(), Chip: f.Catalogue.Find, Store: store}
	for i := range outcomes {
		if o := &outcomes[i]; o.MissedInReach() {
			if o.Remedy, err = trials.Try(t.Context(), jobs[i].Scenario, o); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// headed puts a heading above the parts in the order of the examples. It says which of these nobody
// has recorded yet.
func headed(t *testing.T, recorded map[string]string) (heading, text string) {
	t.Helper()
	var missing []string
	for _, example := range examples(t) {
		text += recorded[example]
		if recorded[example] == "" {
			missing = append(missing, example)
		}
	}
	heading = "Every scenario on every example as it is compiled."
	if missing != nil {
		heading += "\nNot recorded yet: " + strings.Join(missing, ", ") + "."
	}
	return heading, heading + "\n\n" + text
}

func write(t *testing.T, recorded map[string]string) {
	t.Helper()
	_, text := headed(t, recorded)
	must.Do(t, os.WriteFile(table, []byte(text), 0o644))
}

// A few scenarios that run in no time: a write to disks, an incast in its steady state, a tree, one
// that cannot be met at 25 Gb/s.
var few = []string{"storage-write-4kb", "incast-2", "tree-all-reduce-64kb", "burst-8-64kb"}

// Scenarios come out on every example as golden/goals.txt says: a few on those that it has or, with
// -hunt, all of them on every example. Which it does not have, its heading says.
//
//	go test ./internal/goals -hunt -update -remedies -timeout 3h -keep /tmp/runs
//
// What would meet the goals of a miss is in the table where it was looked for, with -remedies.
func TestGoals(t *testing.T) {
	heading, recorded := goldentest.Parts(t, table, *update)
	compared := 0
	for _, example := range examples(t) {
		if recorded[example] == "" && !*hunting {
			continue
		}
		compared++
		t.Run(example, func(t *testing.T) {
			if *hunting {
				checkAll(t, example, recorded)
			} else {
				checkFew(t, example, recorded[example])
			}
		})
	}
	if *update {
		write(t, recorded)
		return
	}
	if compared == 0 || compared < len(recorded) {
		t.Errorf("%d examples are in the table, of which %d are there", len(recorded), compared)
	}
	if want, _ := headed(t, recorded); heading != want {
		t.Errorf("the heading of the table is\n%s\nwant\n%s\n-update writes it", heading, want)
	}
}

// checkAll compares an example's part of the table, or writes it.
func checkAll(t *testing.T, example string, recorded map[string]string) {
	t.Helper()
	var out bytes.Buffer
	must.Do(t, Write(&out, example, rows(t, example)))
	if *update {
		recorded[example] = out.String()
		write(t, recorded)
	} else if diff := cmp.Diff(recorded[example], out.String()); diff != "" {
		t.Errorf("(-recorded +now)\n%s", diff)
	}
}

// A row that does not fit has empty cells.
var (
	spaces = regexp.MustCompile(` {2,}`)
	tabs   = regexp.MustCompile(`\t+`)
)

// checkFew compares a few rows with those of the table.
func checkFew(t *testing.T, example, recorded string) {
	t.Helper()
	for _, r := range rows(t, example, few...) {
		line := strings.TrimRight(tabs.ReplaceAllString(r.line(), "\t"), "\t")
		known := regexp.MustCompile("(?m)^" + regexp.QuoteMeta(r.Pattern) + " .*").FindString(recorded)
		if got := spaces.ReplaceAllString(known, "\t"); got != line {
			t.Errorf("recorded\n%s\nnow\n%s", got, line)
		}
	}
}
