package main

import (
	"errors"
	"io"
	"slices"
	"strings"
	"syscall"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/cmd/roceplan/outdir"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/verify"
)

type compileCmd struct {
	Files  []string `arg:"" name:"file" help:"Fabric files; a folder means all its *.hcl, - is standard input."`
	Output string   `short:"o" placeholder:"DIR" default:"out" help:"Directory to write, one folder per switch (default: out)."`
	Form   []string `enum:"${forms}" placeholder:"FORM" help:"Forms of output, one or several: ${forms}. A target without them writes its full form (default: full)."`
	Verify bool     `negatable:"" default:"true" help:"Read the files back and prove them before they are written."`
	Force  bool     `help:"Replace files that are in the way and were not written by roceplan."`
	Check  bool     `help:"Write nothing; print what would change as a unified diff, and exit with 1 if anything would."`
	sourceFlags
}

func (compileCmd) Help() string {
	return `Writes DIR/SWITCH/` + strings.Join(target.Files(), ", ") + `, as far as a switch's targets name them, and for each kind of NIC DIR/hosts/NIC/roce.sh, which sets it, and lldp.sh, which announces it:

    roceplan compile fabric.hcl -o configs

In a pipeline, to check that committed configurations match the fabric:

    roceplan compile --check fabric.hcl -o configs

For running switches there are other forms than the whole configuration. A target without the requested form writes its whole one:

    roceplan compile --form overlay fabric.hcl -o overlays

` + formHelp() + `
compile reads the files back and proves them before it writes any. Each switch also has model.json, the settings of its buffer in cells, with the verdict; --no-verify leaves both out.

compile writes all files or none, and does not touch equal files. DIR/.roceplan.json lists the written files. compile removes files of switches that are no longer in the fabric, and leaves all other files in DIR alone. It overwrites a file that is not in the list only with --force.`
}

// Run compiles: load, compute, render, write, report.
func (c compileCmd) Run(t *terminal) error {
	if c.Output == "" {
		return misusef("the directory of -o is empty; . is the one you are in")
	}
	loaded, err := c.load(t, c.Files)
	if err != nil {
		return err
	}
	p, found := loaded.Plan()
	result := compileResult{Diagnostics: found, Output: c.Output}
	verdicts := map[*plan.Switch]*verify.Switch{}
	if !found.HasErrors() {
		if err := checkForms(p, c.Form); err != nil {
			return err
		}
		r := roceplan.NewRenderer(loaded.Fabric, roceplan.CompileOptions{Forms: c.Form, Unproved: !c.Verify})
		var hosts []emit.File
		if hosts, err = r.Hosts(); err == nil {
			tree := treeOf(p, r, hosts)
			tree.Force, tree.Disk = c.Force, t.disk
			err = c.put(t, tree, &result)
		}
		for _, sw := range p.Switches {
			if v := r.Verdict(sw); v != nil {
				verdicts[sw] = v
			}
		}
		result.Diagnostics = append(found, r.Findings()...).Sorted()
	}
	if report := t.report(result.Diagnostics, loaded.Sources); report != nil {
		return report
	}
	if err != nil && !errors.Is(err, errFindings) {
		return err
	}
	if result.Diagnostics.HasErrors() {
		err = errFindings
	} else {
		if slices.ContainsFunc(result.Diagnostics, func(d diag.Diagnostic) bool { return d.Code == calc.PinnedBreaks }) {
			err = errFindings // it is written, since it is what runs
		}
		result.Summary, result.Load = summarise(loaded.Policy, p, verdicts), loadings(p, c.Form)
		conditions := false
		for _, s := range verdicts {
			if s.Verdict > verify.Conditional && s.Coverage.Groups > 0 {
				err = errFindings // the summary says why
			}
			conditions = conditions || len(s.Conditions) > 0
		}
		if conditions && !c.Check {
			offers, failed := c.offers(t, c.Files, loaded)
			if failed != nil {
				return failed
			}
			result.Offers = offers
		}
	}
	if t.json {
		result.Diagnostics = nonNil(result.Diagnostics)
		return errors.Join(err, t.printJSON(result))
	}
	if result.Summary != nil && !c.Check {
		t.printf("%s\n", result.Summary)
		t.linef("wrote %s: %s", c.Output, result.Changes)
		for _, l := range result.Load {
			t.linef("%s: %s", l.File, l.Do)
		}
	}
	return err
}

// A loading says how to load a kind of file.
type loading struct {
	File string `json:"file"`
	Do   string `json:"do"`
}

// loadings returns the loadings of all files of a plan.
func loadings(p *plan.Plan, forms []string) (all []loading) {
	for _, sw := range p.Switches {
		for _, name := range sw.Targets {
			for _, f := range target.Forms(name, forms) {
				if l := (loading{f.File, f.Load}); !slices.Contains(all, l) {
					all = append(all, l)
				}
			}
		}
	}
	return all
}

// compileResult is the output of compile --json.
type compileResult struct {
	Diagnostics diag.List `json:"diagnostics"`
	*Summary
	Output  string          `json:"output"`
	Load    []loading       `json:"load,omitempty"`
	Changes *outdir.Changes `json:"files,omitempty"`
	Diff    string          `json:"diff,omitempty"`
}

// put writes the tree, or compares with it.
func (c compileCmd) put(t *terminal, tree outdir.Tree, result *compileResult) error {
	devices := 0
	for _, shape := range tree.Shapes {
		devices += len(shape.Names)
	}
	step, stop := t.watch("switches", devices)
	defer stop()
	if !c.Check {
		changes, err := tree.Write(t, c.Output, step)
		if err == nil {
			result.Changes = &changes
		}
		return err
	}
	// The diff of a large fabric is long: a person gets it as it is found.
	var kept strings.Builder
	var diff io.Writer = t.out
	if t.json {
		diff = &kept
	}
	var changes outdir.Changes
	err := t.exactly(func() (err error) {
		changes, err = tree.Diff(t, c.Output, diff, step)
		return err
	})
	if errors.Is(err, syscall.EPIPE) {
		return errFindings // there was a diff, and its reader has seen enough
	}
	if err != nil {
		return err
	}
	result.Changes, result.Diff = &changes, kept.String()
	if changes.Any() {
		return errFindings
	}
	return nil
}

// treeOf returns the files of a plan, rendered as they are written. To the output directory the
// hosts are one more device.
func treeOf(p *plan.Plan, r *roceplan.Renderer, hosts []emit.File) outdir.Tree {
	tree := outdir.Tree{Fabric: p.Fabric, Links: linkTexts(p.Links)}
	for _, sw := range p.Switches {
		tree.Shapes = append(tree.Shapes, outdir.Shape{Names: sw.Names, Render: func() ([]emit.File, error) { return r.Switch(sw) }})
	}
	if len(hosts) > 0 {
		tree.Shapes = append(tree.Shapes, outdir.Shape{Names: []string{roceplan.HostsFolder}, Render: func() ([]emit.File, error) { return hosts, nil }})
	}
	return tree
}
