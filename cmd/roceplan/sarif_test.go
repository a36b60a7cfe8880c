package main

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
)

// What is written is valid under the standard's JSON schema, and a reader by other hands finds
// in it what the findings say.
func TestSARIFIsValid(t *testing.T) {
	at := func(file string, line int) diag.Range {
		return diag.Range{Filename: file, Start: hcl.Pos{Line: line, Column: 3, Byte: 9}, End: hcl.Pos{Line: line, Column: 8, Byte: 14}}
	}
	var found diag.List
	found.Errorf("cable-missing", at("dir/pod.hcl", 7), "no cable").Fixf("add one").Notef(at("dir/pod.hcl", 2), "here").Notef(diag.Range{}, "nowhere")
	found.Warnf("xoff-late", diag.Range{}, "late")
	found.Errorf("cable-missing", at("dir/pod.hcl", 9), "no cable either")
	var out bytes.Buffer
	must.Do(t, writeSARIF(&out, found, map[string]any{"verdict": "proved"}))
	back := must.Get(sarif.FromBytes(out.Bytes()))(t)
	// The library writes what a file leaves out as empty texts and lists, which the schema refuses;
	// it gives them the standard's defaults only in logs of its own.
	run := back.Runs[0]
	run.Language, run.Tool.Driver.Language, run.NewlineSequences = "en-US", "en-US", []string{"\n"}
	if err := back.Validate(); err != nil {
		t.Errorf("not valid: %v\n%s", err, out.String())
	}
	type told struct {
		Rule, Level, Text, File    string
		RuleIndex, Line, Col, Last int
		Notes                      []string
	}
	var got []told
	for _, r := range back.Runs[0].Results {
		k := told{Rule: *r.RuleID, RuleIndex: r.RuleIndex, Level: r.Level, Text: *r.Message.Text}
		for _, l := range r.Locations {
			p := l.PhysicalLocation
			k.File, k.Line, k.Col, k.Last = *p.ArtifactLocation.URI, *p.Region.StartLine, *p.Region.StartColumn, *p.Region.EndColumn
		}
		for _, l := range r.RelatedLocations {
			k.Notes = append(k.Notes, *l.Message.Text)
		}
		got = append(got, k)
	}
	want := []told{
		{Rule: "cable-missing", Level: "error", Text: "no cable. Fix: add one", File: "dir/pod.hcl", Line: 7, Col: 3, Last: 8, Notes: []string{"here"}},
		{Rule: "xoff-late", RuleIndex: 1, Level: "warning", Text: "late"},
		{Rule: "cable-missing", Level: "error", Text: "no cable either", File: "dir/pod.hcl", Line: 9, Col: 3, Last: 8},
	}
	must.NoDiffIn(t, cmp.Diff(want, got), "(-want +got)")
	if rules := back.Runs[0].Tool.Driver.Rules; len(rules) != 2 || *rules[0].ID != "cable-missing" || *rules[1].ID != "xoff-late" {
		t.Errorf("rules %v", rules)
	}
}
