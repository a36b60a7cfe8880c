package goldentest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/plan"
)

// Edits compares what a target writes of a switch of an example, when one value of the plan is
// another one, with golden/emit/TARGET.txt: the lines that are other ones, and what is said of
// them, and at which value of each number it begins to be said. A value that changes nothing is one that the target does not write. root is the way to the
// top.
func Edits(t *testing.T, root string, target emit.Target, example string) {
	t.Helper()
	catalogue, _ := chips.Load()
	_, p := plantest.Folder(t, catalogue, filepath.Join(root, "examples", example))
	p.Switches = p.Switches[slices.IndexFunc(p.Switches, func(s *plan.Switch) bool { return slices.Contains(s.Targets, target.Name) }):][:1]
	sw := p.Switches[0]
	sw.Names = sw.Names[:1]
	sw.Ports = sw.Ports[:min(2, len(sw.Ports))]
	form := target.Forms[0]
	before := plantest.Written(form, sw)
	var out strings.Builder
	fmt.Fprintf(&out, "%s of %s, its first two ports\n", form.Name, example)
	for _, e := range plantest.Edits(p) {
		if !strings.HasPrefix(e.Path, "Switches[0].") {
			continue
		}
		now := plantest.Written(form, e.Edited(p).Switches[0])
		if gone, came := without(before, now), without(now, before); len(gone)+len(came) > 0 {
			fmt.Fprintf(&out, "%s %s\n%s%s", strings.TrimPrefix(e.Path, "Switches[0]."), e.How, marked("-", gone), marked("+", came))
		}
	}
	for _, n := range plantest.Numbers(p) { // the least that is something
		if !ofFirst(n) {
			continue
		}
		n.With(1, func() {
			now := plantest.Written(form, sw)
			if gone, came := without(before, now), without(now, before); len(gone)+len(came) > 0 {
				fmt.Fprintf(&out, "%s one\n%s%s", strings.TrimPrefix(n.Path, "Switches[0]."), marked("-", gone), marked("+", came))
			}
		})
	}
	limits(&out, target, p)
	readtest.Golden(t, filepath.Join(root, "golden", "emit", target.Name+".txt"), out.String())
}

// ofFirst reports whether a number is of the switch, and of the first of its ports.
func ofFirst(n plantest.Number) bool {
	return strings.HasPrefix(n.Path, "Switches[0].") && !strings.Contains(n.Path, "Ports[1]")
}

// limits writes from which value of each number on which findings come and go, to the unit.
func limits(out *strings.Builder, target emit.Target, p *plan.Plan) {
	for _, form := range target.Forms {
		fmt.Fprintf(out, "\nlimits of %s\n", form.Name)
		for _, n := range plantest.Numbers(p) {
			if !ofFirst(n) {
				continue
			}
			for _, line := range n.Limits(func() (codes []string) {
				_, found := form.Emit(p.Switches[0])
				for _, d := range found {
					codes = append(codes, string(d.Code))
				}
				return codes
			}) {
				fmt.Fprintf(out, "%s %s\n", strings.TrimPrefix(n.Path, "Switches[0]."), line)
			}
		}
	}
}

// without returns the lines of one text that the other does not have.
func without(lines, other []string) (alone []string) {
	count := map[string]int{}
	for _, line := range other {
		count[line]++
	}
	for _, line := range lines {
		if count[line]--; count[line] < 0 {
			alone = append(alone, line)
		}
	}
	return alone
}

// marked prints the first lines, with a sign before them, and counts the others.
func marked(sign string, lines []string) string {
	const first = 3
	var out strings.Builder
	for _, line := range lines[:min(first, len(lines))] {
		fmt.Fprintf(&out, "  %s %.140s\n", sign, line)
	}
	if n := len(lines) - first; n > 0 {
		fmt.Fprintf(&out, "  %s and %d more\n", sign, n)
	}
	return out.String()
}
