package calc

import (
	"fmt"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// Findings are the findings of the stages about one shape of switch. A search hands its trials
// findings of their own and throws them away.
type findings struct {
	list   diag.List
	checks []plan.Check
	trial  bool // of a search: what is reported is not used
	// running makes warnings of inequalities that do not hold.
	running bool
	brief   bool // repairs of findings are not looked for
}

// An inequality is one of the documents evaluated: both sides, and what to say where it
// fails. A search looks only at whether it holds; record reports it.
type inequality struct {
	plan.Check
	report func(*diag.List)
}

// record keeps inequalities in order and reports those that fail.
func (f *findings) record(all ...inequality) {
	for _, one := range all {
		f.checks = append(f.checks, one.Check)
		if !one.Holds && one.report != nil && !f.trial {
			f.report(one.report, one.Left, one.Right)
		}
	}
}

// hold reports whether every inequality holds.
func hold(all []inequality) bool { return broken(all) == nil }

// broken returns the first inequality that does not hold; nil where all do.
func broken(all []inequality) *inequality {
	for i := range all {
		if !all[i].Holds {
			return &all[i]
		}
	}
	return nil
}

// quantity lists the units of the two sides of an inequality.
type quantity interface {
	~int64
	String() string
}

// atMost returns the inequality left ≤ right.
func atMost[T quantity](id, where string, left, right plan.Derived[T], at diag.Range, report func(*diag.List)) inequality {
	slack := (right.Value - left.Value).String()
	if right.Value < left.Value {
		slack = "-" + (left.Value - right.Value).String()
	}
	return inequality{report: report, Check: plan.Check{
		ID: id, Where: where, Left: left.Why, Right: right.Why, Holds: left.Value <= right.Value, Slack: slack, Range: at,
		Short: max(0, int64(left.Value)-int64(right.Value)),
	}}
}

// bytesAtMost returns the inequality left ≤ right for a class on a kind of port. Its report names
// the fault, both numbers, and the change to make.
func (s *shape) bytesAtMost(id string, code diag.Code, class string, k *kind, left, right plan.Derived[units.Bytes], at diag.Range, wrong, fix string) inequality {
	where := fmt.Sprintf("%s at %v, class %s", k.group.Name, k.group.Speed.Value, class)
	return atMost(id, where, left, right, at, func(list *diag.List) {
		list.Errorf(code, at, "%s: %v > %v (%s on %s)", wrong, left.Value, right.Value, where, s.sw.Label).Fixf("%s", fix)
	})
}

// where names the place of an inequality for a reader.
func where(class *policy.Class, k *kind) string {
	return fmt.Sprintf("%s at %v, class %s", k.group.Name, k.group.Speed.Value, class.Name)
}

// need fetches a datum of the shape's chip or reports that it is missing.
func need[T any](s *shape, d chips.Datum[T], found *findings) (T, bool) {
	value, err := d.Get()
	if err != nil {
		found.list.Errorf(ChipDatumUnknown, s.sw.ChipAt, "%v, and the buffer of %s cannot be planned without it", err, s.sw.Label).
			Fixf("add the datum with its source in a file of your own and pass --chips")
	}
	return value, err == nil
}
