package main

import (
	"fmt"

	"github.com/roceplan/roceplan/calc/formulas"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/policy"
)

// flagsFile is how derivations name the description that a question of `calc` stands
// for: each of its lines is a flag, or a default.
const flagsFile = "<flags>"

// answerBy puts a question as the smallest fabric that asks it, so that the answer is
// what compile would use, and prints the quantities that are meant. The place is the
// heading; port is empty for quantities of the switch.
func (f chipFlags) answerBy(t *terminal, text, port string, meant func(quantity) bool) error {
	catalogue, err := f.catalogue(t)
	if err != nil {
		return err
	}
	chip, err := findChip(catalogue, f.Chip)
	if err != nil {
		return err
	}
	src := policy.Source{Name: flagsFile, Text: []byte(text)}
	sources := diag.Sources{flagsFile: src.Text}
	fabric, found := policy.Load(policy.Options{Files: []policy.Source{src}, Catalogue: catalogue})
	l := loaded{fabric, found, sources}
	p, found := l.compute()
	if err := t.report(found, sources); err != nil {
		return err
	}
	var all []quantity
	for _, sw := range p.Switches {
		list := switchQuantities(sw)
		if at, _ := findPort(sw, port); at != nil {
			list = portQuantities(sw, at)
		}
		for _, q := range list {
			if meant(q) {
				all = append(all, q)
			}
		}
	}
	e := explanation{sources: sources, book: formulas.Load()}
	if t.json {
		if err := t.printJSON(e.json(found, chip.Name, all)); err != nil {
			return err
		}
	} else {
		for _, q := range all {
			e.print(t, chip.Name, q)
		}
	}
	if found.HasErrors() {
		return errFindings
	}
	return nil
}

// line is an attribute of the description, nothing where the flag was not given.
func line[T fmt.Stringer](name string, given *T) string {
	if given == nil {
		return ""
	}
	return fmt.Sprintf("  %s = %q\n", name, (*given).String())
}
