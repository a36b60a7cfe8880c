package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/docs"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/verify"
)

type auditCmd struct {
	Paths  []string `arg:"" name:"path" help:"Configuration files, or folders of them; - is standard input."`
	Format string   `enum:"text,json,sarif" default:"text" help:"How to print findings: text, json, or sarif for code hosts (default: text)."`
	Chips  []string `placeholder:"DIR" sep:"none" help:"Folder with chips of your own (*.hcl); may be repeated."`
	assumeFlags
}

func (auditCmd) Help() string {
	return `Finds mistakes in existing configuration, worst first. It needs no fabric file:

    roceplan audit config_db.json --chip th5

Cable lengths come from SONiC's CABLE_LENGTH, else from a table:

    roceplan audit running-configs/ --chip tomahawk3 --cables cables.csv

Without a chip nothing is proved, but contradictory settings are found. For annotations of pull requests:

    roceplan audit configs --chip th5 --format sarif > audit.sarif

The page of a finding:

    roceplan help lossless-strict

Exit codes: 0 no error; 1 errors; 2 the call was wrong, or a file could not be read.`
}

// Run audits: the same as verify without a fabric, in another form.
func (c auditCmd) Run(t *terminal) error {
	report, _, err := verifyCmd{Paths: c.Paths, assumeFlags: c.assumeFlags, sourceFlags: sourceFlags{Chips: c.Chips}}.judge(t)
	if err != nil {
		return err
	}
	rank(report)
	switch {
	case c.Format == "sarif":
		err = writeSARIF(t.out, report.Findings, verdictBag(report))
	case c.Format == "json" || t.json:
		err = t.printJSON(newVerification(report))
	default:
		err = printAudit(t, report)
	}
	if err == nil && !c.passes(report) {
		err = errFindings
	}
	return err
}

// passes reports whether nothing is wrong. Without a chip no proof is required.
func (c auditCmd) passes(report *verify.Report) bool {
	return report.Passes(false) || c.Chip == "" && !report.Findings.HasErrors()
}

// rank puts the worst first: packets that are lost, then settings that contradict each
// other, then what protects throughput, then habits, then what could not be read.
func rank(report *verify.Report) {
	for _, s := range report.Switches {
		if more := len(s.Files) - 1; more > 0 {
			for i := range report.Findings {
				if d := &report.Findings[i]; d.Subject.Filename == s.Files[0] {
					d.Message += fmt.Sprintf(" (and in %s like it)", natural.Count(more, "more file", "more files"))
				}
			}
		}
	}
	stable.Sort(report.Findings, func(a, b diag.Diagnostic) int { return cmp.Compare(badness(a), badness(b)) })
}

func badness(d diag.Diagnostic) int {
	proved, ruled := strings.HasPrefix(string(d.Code), "proof-"), docs.IsRule(string(d.Code))
	isError := d.Severity == diag.Error
	for i, is := range []bool{
		isError && proved, isError, proved && d.Code != proofAssumed, ruled, !ruled && !proved,
	} {
		if is {
			return i
		}
	}
	return 5
}

// proofAssumed reports an assumption about a peer: no fault of the file.
const proofAssumed = "proof-assumed"

// printAudit prints the findings as the result that they are here, and the verdict on each
// shape.
func printAudit(t *terminal, report *verify.Report) error {
	if err := t.rank(t.out, report.Findings, report.Sources); err != nil {
		return err
	}
	if len(report.Findings) > 0 {
		t.printf("\n")
	}
	for _, s := range report.Switches {
		printVerdict(t, s, newOffered(nil))
	}
	printTotals(t, report)
	return nil
}

func count(found diag.List) (errors, warnings int) {
	for _, d := range found {
		if d.Severity == diag.Error {
			errors++
		} else {
			warnings++
		}
	}
	return errors, warnings
}
