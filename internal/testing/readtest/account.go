package readtest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/read"
)

// An Outcome says where a change of a file shows: in the plan, by a finding, or that a
// neutral rule or the lack of a model covers it. Silent ones show nowhere.
type Outcome struct {
	Shows  string // "plan", "finding", "neutral", "not modelled"; empty: nowhere
	Detail string // codes of findings, the rule, or why it is not modelled
}

// Compare says where the change from one file to another shows. before and after are the
// lines of what was changed, the zero Lines where there is none.
func Compare(old, next read.Result, before, after Lines) Outcome {
	if !Same(old.Switch, next.Switch) {
		return Outcome{"plan", ""}
	}
	if codes := newFindings(old.Found, next.Found); codes != "" {
		return Outcome{"finding", codes}
	}
	if after.From == 0 {
		return covering(old.Ledger, before)
	}
	return covering(next.Ledger, after)
}

// covering says what the ledger has for some lines. One modelled statement among them, or
// none at all, is nothing; else the first that is not modelled counts.
func covering(l read.Ledger, lines Lines) (out Outcome) {
	for _, s := range l.Statements {
		switch {
		case s.At.End.Line < lines.From || s.At.Start.Line > lines.To:
		case s.Sort == read.Modelled:
			return Outcome{}
		case s.Sort == read.Unmodelled && out.Shows != "not modelled":
			out = Outcome{"not modelled", s.Why}
		case out.Shows == "":
			out = Outcome{"neutral", s.Rule}
		}
	}
	return out
}

// newFindings returns the codes of findings that the one list has more of than the other.
func newFindings(old, next diag.List) string {
	have, codes := map[string]int{}, map[string]bool{}
	for _, d := range old {
		have[string(d.Code)+d.Message]++
	}
	for _, d := range next {
		if have[string(d.Code)+d.Message]--; have[string(d.Code)+d.Message] < 0 {
			codes[string(d.Code)] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(codes)), " ")
}

// A Report counts outcomes, for a golden file that people read.
type Report map[row]int

type row struct{ shows, detail, what, path string }

// Add counts a change.
func (r Report) Add(what, path string, o Outcome) {
	if o.Shows == "plan" || o.Shows == "finding" {
		path = "" // that it shows is enough
	}
	r[row{o.Shows, o.Detail, what, path}]++
}

// String lists the outcomes: first how many changes show in the plan and in findings,
// then each kind of statement that a rule skips or that is not modelled.
func (r Report) String() string {
	rows := slices.SortedFunc(maps.Keys(r), func(a, b row) int {
		return cmp.Or(cmp.Compare(rank(a.shows), rank(b.shows)), cmp.Compare(a.detail, b.detail), cmp.Compare(a.path, b.path), cmp.Compare(a.what, b.what))
	})
	var out strings.Builder
	last := ""
	for _, row := range rows {
		if head := row.shows + " " + row.detail; head != last {
			fmt.Fprintf(&out, "\n%s\n", strings.TrimSpace(head))
			last = head
		}
		fmt.Fprintln(&out, strings.TrimRight(fmt.Sprintf("%7d %-7s %s", r[row], row.what, row.path), " "))
	}
	return strings.TrimPrefix(out.String(), "\n")
}

func rank(shows string) int {
	return slices.Index([]string{"", "plan", "finding", "neutral", "not modelled"}, shows)
}
