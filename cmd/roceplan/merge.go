package main

import (
	"io"

	"github.com/roceplan/roceplan/cmd/roceplan/record"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/regular"
)

type mergeCmd struct {
	Files  []string `arg:"" name:"file" help:"Parts that --shard and --json-lines printed, in any order; - is standard input."`
	Point  int      `placeholder:"K" help:"Of the parts of tune, print the lines of the fabric for point K, and nothing else."`
	Strict bool     `help:"Exit with 1 if any goal is missed, not only if a lossless packet is lost."`
}

func (mergeCmd) Help() string {
	return `Joins the parts of a sweep of sim or tune that ran on several machines, and prints the output of a single run; for tune, the points that no other beats:

    roceplan sim fabric.hcl --seeds 10 --shard 0/2 --json-lines > 0.jsonl
    roceplan sim fabric.hcl --seeds 10 --shard 1/2 --json-lines > 1.jsonl
    roceplan merge 0.jsonl 1.jsonl

All parts must come from one fabric, one call and one version of roceplan. docs/sim-results.md explains the fields.

Exit codes: those of sim; 1 also if a part is missing, duplicate, truncated, or from another sweep; 2 the call was wrong or a file could not be read.`
}

// Run joins the parts and prints the result.
func (c mergeCmd) Run(t *terminal) error {
	var lines []record.Line
	for _, name := range c.Files {
		more, err := readPart(t, name)
		if err != nil {
			return err
		}
		lines = append(lines, more...)
	}
	parts, found := record.Join(lines)
	switch {
	case len(found) > 0 && t.json:
		return failWith(t, found)
	case len(found) > 0:
		if err := t.report(found, diag.Sources{}); err != nil { // the lines are too long to be shown
			return err
		}
		return errFindings
	case parts[0].Command == "tune":
		result, err := mergeTunings(parts)
		if err != nil {
			return err
		}
		return result.print(t, c.Point)
	case c.Point != 0:
		return misusef("--point is for the parts of tune")
	}
	return mergeRuns(parts).print(t, c.Strict)
}

func readPart(t *terminal, name string) ([]record.Line, error) {
	if name == "-" {
		return record.Read(t.in, standardInput)
	}
	file, err := regular.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return record.Read(io.Reader(file), name)
}

// mergeRuns collects the runs in the order in which they were dealt out to the parts.
func mergeRuns(parts []record.Part) *jsonPatterns {
	h := &parts[0].Header
	all := &jsonPatterns{Diagnostics: h.Diagnostics, Hosts: h.Hosts, Notes: h.Notes}
	for i := 0; ; i++ {
		p := &parts[i%len(parts)]
		k := i / len(parts)
		if k >= len(p.Results) {
			return all
		}
		all.Patterns = append(all.Patterns, *p.Results[k].Run)
	}
}
