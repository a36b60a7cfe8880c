package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/explain"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

// flagsFile is the name of the description of a question. It is never shown: places in it are shown
// as flags.
const flagsFile = "<flags>"

// A question of `calc` is put as the smallest fabric that asks it, so that the answer is the one
// that compile would use. Each line of it is from a flag, or is there for completeness.
type question struct {
	text  strings.Builder
	lines int
	flags map[int]string // by line: the flag as it was, or as its default is
}

func newQuestion() *question { return &question{flags: make(map[int]string)} }

// add writes lines that come from no flag.
func (q *question) add(format string, args ...any) {
	text := fmt.Sprintf(format, args...) + "\n"
	q.text.WriteString(text)
	q.lines += strings.Count(text, "\n")
}

// given writes an attribute with the value of a flag, in quotes unless it is a number.
func (q *question) given(attribute, flag string, value any) {
	q.flags[q.lines+1] = fmt.Sprintf("%s %v", flag, value)
	if _, number := value.(int64); number {
		q.add("  %s = %v", attribute, value)
		return
	}
	q.add("  %s = %q", attribute, fmt.Sprint(value))
}

// flagAt returns the flag from which a place in the description comes; empty if it is not a place in it.
func (q *question) flagAt(at diag.Range) string {
	if at.Filename != flagsFile {
		return ""
	}
	if flag, ok := q.flags[at.Start.Line]; ok {
		return flag
	}
	return "part of the question"
}

// An aspect is which quantities answer a question.
type aspect struct {
	port    string // empty for quantities of the switch
	meant   func(explain.Quantity) bool
	summary bool // a table of the values comes before their derivations
}

// answerBy plans the fabric of a question and prints the quantities that are meant. Warnings are
// about the rest of the fabric, which is not the question; an error names the flag that it is
// about.
func (f chipFlags) answerBy(t *terminal, asked *question, a aspect) error {
	catalogue, err := f.catalogue(t)
	if err != nil {
		return err
	}
	chip, err := findChip(catalogue, f.Chip)
	if err != nil {
		return err
	}
	p, faults := asked.planned(catalogue)
	var all []explain.Quantity
	if !slices.ContainsFunc(faults, func(d diag.Diagnostic) bool { return d.Code != calc.BufferExceeded }) {
		all = a.quantities(p) // else they rest on what could not be computed
	}
	e := explain.New(nil)
	e.Named = asked.flagAt
	if t.json {
		err = t.printJSON(explained{nonNil(faults), e.Derivations(chip.Name, all)})
	} else {
		for _, fault := range faults {
			t.errorf("roceplan: %s", fault.Message)
		}
		if a.summary {
			printSummary(t, chip.Name, all)
		}
		for _, q := range all {
			e.Write(t.out, chip.Name, q)
		}
	}
	if err == nil && faults.HasErrors() {
		err = errFindings
	}
	return err
}

// planned returns the plan of a question's fabric, and what is wrong with it.
func (q *question) planned(catalogue *chips.Catalogue) (*plan.Plan, diag.List) {
	src := policy.Source{Name: flagsFile, Text: []byte(q.text.String())}
	fabric, found := policy.Load(policy.Options{Files: []policy.Source{src}, Catalogue: catalogue})
	p := &plan.Plan{}
	if !found.HasErrors() {
		p, found = calc.Compute(fabric) // earlier findings are warnings
	}
	return p, q.faults(found)
}

// faults returns the errors among findings, with the flag in the place of the line.
func (q *question) faults(found diag.List) diag.List {
	faults := diag.List{}
	for _, d := range found {
		if d.Severity != diag.Error {
			continue
		}
		if flag := q.flags[d.Subject.Start.Line]; flag != "" {
			d.Message = flag + ": " + d.Message
		}
		if d.Fix != "" {
			d.Message += "; " + d.Fix
		}
		d.Subject, d.Related, d.Fix = diag.Range{}, nil, ""
		faults = append(faults, d)
	}
	return faults
}

func (a aspect) quantities(p *plan.Plan) []explain.Quantity {
	var all []explain.Quantity
	for _, sw := range p.Switches {
		list := explain.Switch(sw)
		if at, _ := explain.FindPort(sw, a.port); at != nil {
			list = explain.Port(sw, at)
		}
		for _, q := range list {
			if a.meant(q) {
				all = append(all, q)
			}
		}
	}
	return all
}

func printSummary(t *terminal, place string, all []explain.Quantity) {
	if len(all) == 0 {
		return
	}
	var rows table
	for _, q := range all {
		rows.add(q.Names[0], q.Value)
	}
	t.printf("%s:\n%s\n", place, rows)
}
