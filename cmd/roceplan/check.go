package main

import "github.com/roceplan/roceplan"

type checkCmd struct {
	Files  []string `arg:"" name:"file" help:"Fabric files; a folder means all its *.hcl, - is standard input."`
	Format string   `enum:"text,json,sarif" default:"text" help:"How to print findings: text, json, or sarif for code hosts (default: text)."`
	sourceFlags
}

func (checkCmd) Help() string {
	return "Tells all that compile would find wrong, and writes nothing:\n\n    roceplan check fabric.hcl\n\nFor annotations of pull requests:\n\n    roceplan check pod1 --format sarif > check.sarif"
}

// Run goes through all phases and keeps nothing but the findings.
func (c checkCmd) Run(t *terminal) error {
	loaded, err := c.loadTraced(t, c.Files)
	if err != nil {
		return err
	}
	found, err := roceplan.Check(t, loaded.Fabric)
	if err != nil {
		return err
	}
	switch {
	case c.Format == "sarif":
		err = writeSARIF(t.out, found, nil)
	case c.Format == "json" || t.json:
		err = t.printJSON(findings{nonNil(found)})
	default:
		err = t.report(found, loaded.Sources)
	}
	if err == nil && found.HasErrors() {
		err = errFindings
	}
	return err
}
