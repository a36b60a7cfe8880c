package plan_test

import (
	"testing"

	"github.com/roceplan/roceplan/plan"
)

// A class leaves with the code point of its first marking rule, else with its smallest one; what
// no rule matches has the default in its class, whatever rules say.
func TestRewritingOfRules(t *testing.T) {
	maps := &plan.Maps{}
	for _, dscp := range []int{26, 27, 63} {
		maps.DSCPToTC[dscp] = 3
	}
	maps.DSCPToTC[0], maps.DSCPToTC[1], maps.DSCPToTC[48], maps.DSCPToTC[46] = 1, 2, 6, 5
	m := &plan.Marking{Rules: []plan.MarkRule{{DSCP: 34, TC: 4}, {DSCP: 35, TC: 4}, {DSCP: 48, TC: 6}, {DSCP: 9, TC: 1}}, Default: 8, DefaultTC: 1}
	got := m.Rewriting(maps)
	want := plan.Rewrite{TCs: 1<<0 | 1<<1 | 1<<2 | 1<<3 | 1<<4 | 1<<5 | 1<<6, DSCP: [8]uint8{0: 2, 1: 8, 2: 1, 3: 26, 4: 34, 5: 46, 6: 48}}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := (&plan.Marking{Default: 7, DefaultTC: 7}).Rewriting(&plan.Maps{}); got != (plan.Rewrite{TCs: 1<<0 | 1<<7, DSCP: [8]uint8{7: 7}}) {
		t.Errorf("%+v", got)
	}
}
