package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/plan"
)

// formHelp lists the forms beyond the first of each target.
func formHelp() string {
	var out strings.Builder
	for _, t := range target.All() {
		for _, f := range t.Forms[1:] {
			fmt.Fprintf(&out, "    %-12s %s, %s: %s\n", f.Name, t.Title, f.File, f.Help)
		}
	}
	return out.String()
}

// checkForms refuses a form that no switch of the plan would get.
func checkForms(p *plan.Plan, wanted []string) error {
	for _, name := range wanted {
		used := false
		for _, sw := range p.Switches {
			for _, of := range sw.Targets {
				used = used || slices.ContainsFunc(target.Forms(of, wanted), func(f emit.Form) bool { return f.Name == name })
			}
		}
		if !used {
			return misusef("no switch of this fabric has a target with the form %s", name)
		}
	}
	return nil
}
