package target

import (
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/format"
	systems "github.com/roceplan/roceplan/format/all"
	"github.com/roceplan/roceplan/format/system"
	"github.com/roceplan/roceplan/internal/exampletarget"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// ofRows lists the systems of which rows say all, with the one that does not exist.
func ofRows() []format.System {
	all, example := systems.OfRows(), exampletarget.System()
	if !slices.ContainsFunc(all, func(s format.System) bool { return s.Name == example.Name }) {
		all = append(all, example)
	}
	return all
}

// targets lists what the matrix is tried on: all, and the system that does not exist.
func targets() []emit.Target {
	all := All()
	for _, s := range ofRows() {
		if !slices.ContainsFunc(all, func(t emit.Target) bool { return t.Name == s.Name }) {
			all = append(all, system.Target(s))
		}
	}
	return all
}

// everything needs all that a row can say.
func everything(s *plan.Switch) {
	all(lossless, queued, sized, watched(plan.WatchdogDrop), balanced("flowlet"), curve(5*units.Percent), frames,
		pg(headroom(100)), pg(func(g *plan.PG) {
			g.Reserved, g.XOn, g.XOnOffset = set(5080*units.Byte), set(2540*units.Byte), set(1270*units.Byte)
		}),
		each(func(q *plan.PortQoS) {
			q.PGs = append(q.PGs, plan.PG{ID: 2, Pool: ingressPool, Limit: set(plan.Limit{Static: 254_000})})
			q.Queues[0].Limit = set(plan.Limit{Static: 254_000})
		}),
		queue(2, func(q *plan.Queue) { q.Scheduler = plan.Scheduler{Strict: true, MaxRate: set(10 * units.Gbps)} }),
		queue(1, func(q *plan.Queue) { q.Reserved = set(2540 * units.Byte) }),
		func(s *plan.Switch) { s.Pools[1].Headroom = set(50_800 * units.Byte) },
	)(s)
}

// What every row says holds in a file that says everything: its bounds, and that no change of a
// value passes in silence. testdata/rows-NAME.txt has what becomes of each kind of change.
func TestRows(t *testing.T) {
	for _, s := range ofRows() {
		t.Run(s.Name, func(t *testing.T) {
			sw := bare()
			onRows(s, s.Subjects[0])(sw)
			everything(sw)
			files, found := system.Target(s).Forms[0].Emit(sw)
			if found != nil {
				t.Fatal(found)
			}
			tree, err := readtest.ParseTree(files[0].Body.AppendFor(nil, "leaf-1"))
			if err != nil {
				t.Fatal(err)
			}
			f := system.Format(s)
			readtest.RowBounds(t, f, s.Rows, string(tree.Text()))
			old, report := f.Read("x", tree.Text(), read.Options{}), readtest.Report{}
			for e := range tree.Edits() {
				o := readtest.Compare(old, f.Read("x", e.Text, read.Options{}), e.Before, e.After)
				if o.Shows == "" {
					t.Errorf("%s of %s shows nowhere, lines %v, then %v", e.What, e.Path, e.Before, e.After)
				}
				report.Add(e.What, e.Path, o)
			}
			golden(t, "testdata/rows-"+s.Name+".txt", report.String())
		})
	}
}

var update = flag.Bool("update", false, "write the golden files again")

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || string(want) != got {
		t.Errorf("%s (%v) is now\n%s", path, err, got)
	}
}
