package main

import (
	"encoding/json"
	"io"
	"path/filepath"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/docs"
	"github.com/roceplan/roceplan/verify"
)

// The site of the pages of findings.
const (
	home     = "https://github.com/roceplan/roceplan"
	pagesURI = home + "/blob/main/docs/"
)

// The part of SARIF 2.1.0 that holds findings, section 3 of the OASIS standard. Other properties
// have the standard's defaults.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool      `json:"tool"`
		Results    []sarifResult  `json:"results"`
		Properties map[string]any `json:"properties,omitempty"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string `json:"id"`
		HelpURI string `json:"helpUri"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
)

const sarifSchema = "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/main/sarif-2.1/schema/sarif-schema-2.1.0.json"

// writeSARIF writes findings in the form that code hosts read (OASIS SARIF 2.1.0), with other
// properties of the run; nil: none.
func writeSARIF(w io.Writer, found diag.List, more map[string]any) error {
	run := sarifRun{Properties: more, Results: []sarifResult{}, Tool: sarifTool{sarifDriver{"roceplan", home, []sarifRule{}}}}
	rules := map[diag.Code]int{}
	for _, d := range found {
		if _, told := rules[d.Code]; !told {
			rules[d.Code] = len(rules)
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{string(d.Code), pageOf(d.Code)})
		}
		run.Results = append(run.Results, sarifOf(d, rules[d.Code]))
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

// sarifOf is a finding of the rule at an index.
func sarifOf(d diag.Diagnostic, rule int) sarifResult {
	text := d.Message
	if d.Fix != "" {
		text += ". Fix: " + d.Fix
	}
	result := sarifResult{RuleID: string(d.Code), RuleIndex: rule, Level: d.Severity.String(), Message: sarifText{text}}
	if d.Subject.Filename != "" {
		result.Locations = append(result.Locations, sarifLocation{Physical: physical(d.Subject)})
	}
	for _, note := range d.Related {
		if note.Range.Filename != "" {
			result.Related = append(result.Related, sarifLocation{physical(note.Range), &sarifText{note.Message}})
		}
	}
	return result
}

func physical(r diag.Range) sarifPhysical {
	return sarifPhysical{sarifArtifact{filepath.ToSlash(r.Filename)}, sarifRegion{r.Start.Line, r.Start.Column, r.End.Line, r.End.Column}}
}

// pageOf returns the page that explains a code.
func pageOf(code diag.Code) string {
	if docs.IsRule(string(code)) {
		return pagesURI + "lint/" + string(code) + ".md"
	}
	return pagesURI + "findings.md#" + string(code)
}

// verdictBag holds the verdicts, and their coverage, where SARIF has room for what is not a
// finding.
func verdictBag(r *verify.Report) map[string]any {
	type verdict struct {
		Names    []string        `json:"names"`
		Verdict  verify.Verdict  `json:"verdict"`
		Coverage verify.Coverage `json:"coverage"`
	}
	list := []verdict{}
	for _, s := range r.Switches {
		list = append(list, verdict{s.Names, s.Verdict, s.Coverage})
	}
	return map[string]any{"verdict": r.Verdict(), "switches": list}
}
