package goldentest

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/plan"
)

// Wants checks what a form says of a switch with one change: each of has is in one of its lines, or
// of its findings as "error CODE: MESSAGE"; none of not is. Both are written by hand, from a
// source or from arithmetic.
func Wants(t *testing.T, form emit.Form, sw *plan.Switch, name string, change func(*plan.Switch), has, not []string) {
	t.Helper()
	change(sw)
	lines := written(form, sw)
	in := func(text string) bool {
		return slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, text) })
	}
	for _, text := range has {
		if !in(text) {
			t.Errorf("%s: %s does not say %q:\n%s", name, form.Name, text, strings.Join(lines, "\n"))
		}
	}
	for _, text := range not {
		if in(text) {
			t.Errorf("%s: %s says %q:\n%s", name, form.Name, text, strings.Join(lines, "\n"))
		}
	}
}
