package main

import (
	"io"
	"path/filepath"
	"slices"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/verify"
)

// Where the pages of findings lie.
const (
	home     = "https://github.com/roceplan/roceplan"
	pagesURI = home + "/blob/main/docs/"
)

// writeSARIF writes findings in the form that code hosts read (OASIS SARIF 2.1.0), with what else
// is to be told of the run; nil: nothing is.
func writeSARIF(w io.Writer, found diag.List, more *sarif.PropertyBag) error {
	report := sarif.NewReport()
	run := sarif.NewRunWithInformationURI("roceplan", home)
	for _, d := range found {
		rule := run.AddRule(string(d.Code))
		rule.WithHelpURI(pageOf(d.Code))
		text := d.Message
		if d.Fix != "" {
			text += ". Fix: " + d.Fix
		}
		result := sarif.NewRuleResult(string(d.Code)).WithRuleIndex(run.GetRuleIndex(string(d.Code))).
			WithLevel(d.Severity.String()).WithMessage(sarif.NewTextMessage(text))
		if d.Subject.Filename != "" {
			result.AddLocation(sarifLocation(d.Subject))
		}
		for _, note := range d.Related {
			if note.Range.Filename != "" {
				result.AddRelatedLocation(sarifLocation(note.Range).WithMessage(sarif.NewTextMessage(note.Message)))
			}
		}
		run.AddResult(result)
	}
	if more != nil {
		run.WithProperties(more)
	}
	report.AddRun(run)
	return report.PrettyWrite(w)
}

func sarifLocation(r diag.Range) *sarif.Location {
	region := sarif.NewRegion().WithStartLine(r.Start.Line).WithStartColumn(r.Start.Column).WithEndLine(r.End.Line).WithEndColumn(r.End.Column)
	return sarif.NewLocationWithPhysicalLocation(sarif.NewPhysicalLocation().
		WithArtifactLocation(sarif.NewSimpleArtifactLocation(filepath.ToSlash(r.Filename))).WithRegion(region))
}

// pageOf is the page that explains a code.
func pageOf(code diag.Code) string {
	if slices.Contains(lint.Codes(), code) {
		return pagesURI + "lint/" + string(code) + ".md"
	}
	return pagesURI + "findings.md#" + string(code)
}

// verdictBag tells the verdicts, and how much stands behind them, where SARIF has room for
// what is not a finding.
func verdictBag(r *verify.Report) *sarif.PropertyBag {
	type verdict struct {
		Names    []string        `json:"names"`
		Verdict  verify.Verdict  `json:"verdict"`
		Coverage verify.Coverage `json:"coverage"`
	}
	list := []verdict{}
	for _, s := range r.Switches {
		list = append(list, verdict{s.Names, s.Verdict, s.Coverage})
	}
	return sarif.NewPropertyBag().Add("verdict", r.Verdict()).Add("switches", list)
}
