package main

import (
	"bytes"

	"github.com/aymanbagabas/go-udiff"

	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/plain"
	"github.com/roceplan/roceplan/policy"
)

type fmtCmd struct {
	Files []string `arg:"" name:"file" help:"Fabric files; a folder means all its *.hcl, - formats standard input to standard output."`
	Check bool     `help:"Write nothing; print what would change as a unified diff, and exit with 1 if anything would."`
}

func (fmtCmd) Help() string {
	return "Lays files out in place, and prints the names of those that changed:\n\n    roceplan fmt fabric.hcl\n\nIn a pipeline:\n\n    roceplan fmt --check ."
}

// Run formats each file on its own. A file that does not parse is reported and stays
// as it is; so do the others then.
func (c fmtCmd) Run(t *terminal) error {
	texts, err := readFabric(t, c.Files)
	if err != nil {
		return err
	}
	var found diag.List
	sources := make(diag.Sources)
	changed := []policy.Source{}
	for _, src := range texts {
		sources[src.Name] = src.Text
		text, faults := policy.Format(src)
		found = append(found, faults...)
		if src.Name == standardInput && !c.Check || !bytes.Equal(text, src.Text) {
			changed = append(changed, policy.Source{Name: src.Name, Text: text})
		}
	}
	found = found.Sorted()
	if err := t.report(found, sources); err != nil {
		return err
	}
	if !found.HasErrors() {
		if err := t.exactly(func() error { return c.put(t, changed, sources) }); err != nil {
			return err
		}
	}
	if t.json {
		if err := t.printJSON(formatResult{nonNil(found), sourceNames(changed)}); err != nil {
			return err
		}
	}
	if found.HasErrors() || c.Check && len(changed) > 0 {
		return errFindings
	}
	return nil
}

// formatResult is the output of fmt --json.
type formatResult struct {
	Diagnostics diag.List `json:"diagnostics"`
	Changed     []string  `json:"changed"`
}

func (c fmtCmd) put(t *terminal, changed []policy.Source, before diag.Sources) error {
	for _, src := range changed {
		switch {
		case c.Check:
			if !t.json {
				t.printf("%s", udiff.Unified(plain.Line(src.Name), plain.Line(src.Name), string(before[src.Name]), string(src.Text)))
			}
		case src.Name == standardInput:
			t.printf("%s", src.Text)
		default:
			if err := whole.Write(t.disk, src.Name, src.Text); err != nil {
				return err
			}
			if !t.json {
				t.linef("%s", src.Name)
			}
		}
	}
	return nil
}

func sourceNames(list []policy.Source) []string {
	names := make([]string, len(list))
	for i, src := range list {
		names[i] = src.Name
	}
	return names
}
