package target

import (
	"slices"
	"testing"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/format"
	systems "github.com/roceplan/roceplan/format/all"
	"github.com/roceplan/roceplan/format/system"
	"github.com/roceplan/roceplan/internal/exampletarget"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// ofRows lists the systems that rows describe entirely, with the example, which no released program has.
func ofRows() []format.System {
	all, example := systems.OfRows(), exampletarget.System()
	if !slices.ContainsFunc(all, func(s format.System) bool { return s.Name == example.Name }) {
		all = append(all, example)
	}
	return all
}

// targets lists the targets of the matrix: all, and the example.
func targets() []emit.Target {
	all := All()
	for _, s := range ofRows() {
		if !slices.ContainsFunc(all, func(t emit.Target) bool { return t.Name == s.Name }) {
			all = append(all, system.Target(s))
		}
	}
	return all
}

// everything needs all attributes that a row can have.
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

// A file that has every row is read with the bounds of its rows, and no edit of it passes in silence.
// testdata/rows-NAME.txt has the outcome of each kind of edit.
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
			tree := must.Get(readtest.ParseTree(files[0].Body.AppendFor(nil, "leaf-1")))(t)
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
			diagtest.Golden(t, "testdata/rows-"+s.Name+".txt", report.String())
		})
	}
}
