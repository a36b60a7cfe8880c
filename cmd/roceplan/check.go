package main

import (
	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/diag"
)

type checkCmd struct {
	Files  []string `arg:"" name:"file" help:"Fabric files; a folder means all its *.hcl, - is standard input."`
	Format string   `enum:"text,json,sarif" default:"text" help:"How to print findings: text, json, or sarif for code hosts (default: text)."`
	fixFlags
	sourceFlags
}

func (checkCmd) Help() string {
	return `Tells all that compile would find wrong, root causes first, and writes nothing:

    roceplan check fabric.hcl

Where a small edit of the text repairs a finding, it is printed below the finding. Each edit has been tried: with it the finding is gone and no other is new. To apply them, one after another:

    roceplan check fabric.hcl --fix

Where nothing is wrong and a verdict is conditional, --fix then asks about the edits that prove it: a fact that you declare if it is so, or headroom that pays for it.

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
	found, err := roceplan.Check(t, f)
	if err != nil {
		return false, err
	}
	if found, err = roceplan.Repair(t, in, found); err != nil {
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
	return false, c.print(t, f, found)
}

func (c checkCmd) print(t *terminal, f *roceplan.Fabric, found diag.List) (err error) {
	switch {
	case c.Format == "sarif":
		err = writeSARIF(t.out, found, nil)
	case c.Format == "json" || t.json:
		err = t.printJSON(findings{nonNil(found)})
	default:
		err = t.report(found, f.Sources)
	}
	if err == nil && found.HasErrors() {
		err = errFindings
	}
	return err
}
