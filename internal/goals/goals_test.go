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
	"github.com/roceplan/roceplan/model/sim/pattern"
)

const table = "../../golden/goals.txt"

var (
	update  = flag.Bool("update", false, "write golden/goals.txt, with -hunt the part of each example that runs")
	hunting = flag.Bool("hunt", false, "run every scenario on every example, for an hour")
	keep    = flag.String("keep", "", "folder in which runs are kept from one call to the next, by the same engine")
)

// examples are the fabrics, in the order of the table.
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
	in, err := roceplan.In(os.DirFS("../../examples/"+example), ".")
	if err != nil {
		t.Fatal(err)
	}
	return roceplan.Load(in)
}

// rows runs scenarios on an example as it is compiled; none named: all.
func rows(t *testing.T, example string, names ...string) (out []Row) {
	t.Helper()
	run, err := roceplan.Prepare(load(t, example), roceplan.SimulateOptions{Scenarios: names, Seeds: 1, Longest: pattern.LongestUsual})
	if err != nil {
		t.Fatal(err)
	}
	var store *runs.Store
	if *keep != "" {
		store = runs.Open(*keep, "")
	}
	outcomes, err := store.Run(t.Context(), run.Jobs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outcomes {
		out = append(out, Row{Outcome: o})
	}
	return out
}

// parts are the examples' parts of the table.
func parts(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(table)
	if err != nil && !*update {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, part := range strings.Split("\n"+string(text), "\n== ")[1:] {
		name, _, _ := strings.Cut(part, ":")
		out[name] = "== " + strings.TrimRight(part, "\n") + "\n\n"
	}
	return out
}

// golden/goals.txt has every scenario on every example as it is compiled.
//
//	go test ./internal/goals -run TestAllGoals -hunt -update -timeout 3h -keep /tmp/runs
func TestAllGoals(t *testing.T) {
	if !*hunting {
		t.Skip("it takes an hour: -hunt; TestGoals checks a part of it")
	}
	for _, example := range examples(t) {
		t.Run(example, func(t *testing.T) {
			var out bytes.Buffer
			if err := Write(&out, example, rows(t, example)); err != nil {
				t.Fatal(err)
			}
			all := parts(t)
			if diff := cmp.Diff(all[example], out.String()); diff != "" && !*update {
				t.Errorf("(-recorded +now)\n%s", diff)
			}
			if !*update {
				return
			}
			all[example] = out.String()
			text := ""
			for _, name := range examples(t) {
				text += all[name]
			}
			if err := os.WriteFile(table, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// A few scenarios that run in no time come out on every example of the table as it says: a write to
// disks, an incast in its steady state, a tree, one that cannot be met at 25 Gb/s.
func TestGoals(t *testing.T) {
	if *hunting {
		t.Skip("TestAllGoals does it")
	}
	names := []string{"storage-write-4kb", "incast-2", "tree-all-reduce-64kb", "burst-8-64kb"}
	recorded := parts(t)
	if len(recorded) == 0 {
		t.Fatal("the table is empty")
	}
	spaces := regexp.MustCompile(` {2,}`)
	for _, example := range examples(t) {
		if recorded[example] == "" {
			t.Logf("%s is not in the table yet", example)
			continue
		}
		for _, r := range rows(t, example, names...) {
			line := strings.TrimRight(strings.ReplaceAll(r.line(), "\t\t", "\t"), "\t")
			found := false
			for _, known := range strings.Split(recorded[example], "\n") {
				if strings.HasPrefix(known, r.Pattern+" ") {
					found = true
					if got := spaces.ReplaceAllString(known, "\t"); got != line {
						t.Errorf("%s: recorded\n%s\nnow\n%s", example, got, line)
					}
				}
			}
			if !found {
				t.Errorf("%s: %s is not in the table", example, r.Pattern)
			}
		}
	}
}
