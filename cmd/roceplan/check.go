package main

import (
	"slices"
	"strings"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/verify"
)

type checkCmd struct {
	Files  []string `arg:"" name:"file" help:"Fabric files; a folder means all its *.hcl, - is standard input."`
	Format string   `enum:"text,json,sarif" default:"text" help:"How to print findings: text, json, or sarif for code hosts (default: text)."`
	fixFlags
	sourceFlags
}

func (checkCmd) Help() string {
	return `Prints the findings of compile, root causes first, and writes nothing:

    roceplan check fabric.hcl

If a small edit of the text repairs a finding, it is printed below the finding. Each edit has been tried: with it the finding is gone and no other is new. To apply them, one after another:

    roceplan check fabric.hcl --fix

Without findings, check proves the configuration as compile does, and prints a verdict other than proved. If it is conditional, --fix offers the edits that prove it: the declaration of a fact, or more headroom.

For annotations of pull requests:

    roceplan check pod1 --format sarif > check.sarif`
}

// Run goes through all phases and keeps nothing but the findings.
func (c checkCmd) Run(t *terminal) error {
	if err := c.fixFlags.check(t, c.Files); err != nil {
		return err
	}
	declined, kept := map[diag.Kind]bool{}, map[string]bool{}
	for {
		changed := false
		err := c.withFabric(t, c.Files, true, func(in roceplan.Input) (err error) {
			changed, err = c.once(t, in, declined, kept)
			return err
		})
		if !changed || err != nil {
			return err
		}
	}
}

// once checks the fabric and prints what was found. It reports whether it changed a file. Findings whose edits
// were declined are not asked about again, nor are conditions that were kept.
func (c checkCmd) once(t *terminal, in roceplan.Input, declined map[diag.Kind]bool, kept map[string]bool) (changed bool, err error) {
	f := roceplan.Load(in)
	compiled, err := roceplan.Compile(t, f, roceplan.CompileOptions{})
	if err != nil {
		return false, err
	}
	found, err := roceplan.Repair(t, in, compiled.Written)
	if err != nil {
		return false, err
	}
	if c.Fix {
		if changed, err = c.fix(t, in, found, declined); changed || err != nil {
			return changed, err
		}
		if !found.HasErrors() {
			if changed, err = c.prove(t, in, kept); changed || err != nil {
				return changed, err
			}
		}
	}
	if !found.HasErrors() {
		found = append(found, compiled.Proof...)
	}
	return false, c.print(t, f, found, worst(compiled))
}

// worst returns the worst verdict on the lossless groups of a fabric.
func worst(compiled *roceplan.Compiled) verify.Verdict {
	verdict := verify.Proved
	for i := range compiled.Shapes {
		if v := compiled.Shapes[i].Verdict; v != nil && v.Coverage.Groups > 0 {
			verdict = max(verdict, v.Verdict)
		}
	}
	return verdict
}

func (c checkCmd) print(t *terminal, f *roceplan.Fabric, found diag.List, verdict verify.Verdict) (err error) {
	switch {
	case c.Format == "sarif":
		err = writeSARIF(t.out, found, nil)
	case c.Format == "json" || t.json:
		err = t.printJSON(findings{nonNil(found)})
	default:
		files := strings.Join(c.Files, " ")
		switch err = t.report(found, f.Sources); {
		case verdict == verify.Conditional:
			t.linef("verdict: conditional; `roceplan compile %s` lists the conditions, and `roceplan check %s --fix` offers edits that remove them", files, files)
		case verdict > verify.Conditional:
			t.linef("verdict: %v; `roceplan compile %s` gives the reason", verdict, files)
		}
	}
	broken := slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == calc.PinnedBreaks })
	if err == nil && (found.HasErrors() || broken || verdict > verify.Conditional) {
		err = errFindings
	}
	return err
}
