package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/apply"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/patch"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

type diffCmd struct {
	Old         string      `arg:"" help:"Fabric file or folder, or a folder of configuration files."`
	New         string      `arg:"" optional:"" help:"The same, after the change; with --git left out."`
	Git         string      `placeholder:"REV" help:"Compare the fabric in this revision of its git repository with the current one."`
	Format      string      `enum:"text,markdown,json" default:"text" help:"How to print: text, markdown for a pull request, or json (default: text)."`
	Steps       string      `placeholder:"DIR" help:"Write the files of each device for each step into this new folder; the new side must be a fabric."`
	Certificate string      `placeholder:"FILE" help:"Write the proof of all states that the order of --steps allows, and next to it a folder with the states. FILE is in the folder that DIR is in."`
	Running     string      `placeholder:"DIR" help:"Folder of running configurations, in any state of the rollout; the steps begin there."`
	Fresh       []string    `placeholder:"DEVICE" help:"A new switch without a configuration; may be repeated."`
	Release     string      `placeholder:"YYYYMM" help:"Release of SONiC that the switches run, such as 202505, for --steps."`
	Keep        units.Ratio `placeholder:"SHARE" help:"Share of the links between any two tiers that --steps leaves in service, such as 50%; without it, one switch of each redundant group is drained at a time."`
	Chip        string      `complete:"chip" placeholder:"CHIP" help:"Chip of the switches, for configuration files with amounts in cells."`
	sourceFlags
}

func (diffCmd) Help() string {
	return `Compares the settings of two fabrics: headroom, thresholds, marking, maps. Equal changes of many ports are one line, with the lines of the fabric that caused them. Then it prints an order of the devices that keeps lossless traffic lossless:

    roceplan diff old.hcl new.hcl

The changes of a branch, as a comment for its pull request:

    roceplan diff --git origin/main fabric.hcl --format markdown

Compiled or fetched configuration. It has no reasons, and it has cabling only if roceplan compile wrote the folder. A fabric on the other side counts as its compiled files:

    roceplan diff running-configs/ compiled/
    roceplan diff running-configs/ fabric.hcl

The steps as files, to be carried out in order. DIR/01-grow/leaf-1/ has a script for SONiC with its patches for config apply-patch and other commands where the release's updater refuses (new ports come first), a session script for EOS, commands for NVUE, and a gNMI SetRequest for OpenConfig. The configuration of a switch after each step is read back and proved first. Cables and NICs are in steps.txt. Each device has an undo. All states that the order allows are proved: of each device with the cables and peers that it can have by then, and of both ends of each cable together. What is not proved is a finding, and nothing is written. --certificate writes the proof, which roceplan verify --recheck checks. If a switch must be drained, the step has a folder for each wave: one switch alone first, then as many as leave --keep of the links between any two tiers:

    roceplan diff old.hcl new.hcl --steps rollout

The old side of --steps may be a folder of running configurations. The steps begin there. With the old fabric too, diff finds the state of each device in the rollout (old, new, part-way after a step), or lists the lines in which it drifted:

    roceplan diff running-configs/ new.hcl --steps rollout
    roceplan diff old.hcl new.hcl --running running-configs/ --steps rollout

A switch without a file is an error, as no step on a neighbour of it could be proved; --fresh says that it is new.

--var, --var-file and --chips hold for both sides. Exit codes: 0 no difference; 1 differences; 2 the call was wrong, or one side cannot be read or has errors.`
}

// Run reads both sides, compares and prints.
func (c diffCmd) Run(t *terminal) error {
	d, err := c.compare(t)
	if err != nil {
		return err
	}
	text := ""
	if c.Steps != "" {
		o, err := c.roll(t, d)
		if err != nil {
			return err
		}
		d.result.Way, text = wayOf(o.way.Way), o.way.Way.Text()
	} else if c.Certificate != "" {
		return misusef("--certificate is the proof of steps: it goes with --steps")
	}
	switch result := d.result; {
	case c.Format == "json" || t.json:
		err = t.printJSON(result)
	case c.Format == "markdown":
		t.printf("%s%s", result.Markdown(), text)
	default:
		t.printf("%s%s", result.Text(), text)
	}
	if err == nil && d.result.Any() {
		err = errFindings
	}
	return err
}

// A difference is two plans that are compared.
type difference struct {
	before, after *plan.Plan
	result        *diff.Result
	start         *apply.Start             // nil where the first is a fabric, or nothing is to be changed
	patched       map[string]*patch.Device // devices that run what patches left
}

// compare reads both sides, and what devices run if that is to be changed.
func (c diffCmd) compare(t *terminal) (d difference, err error) {
	switch {
	case c.Running != "":
		if err = c.wantsFabric(c.Old, "the old side"); err == nil && c.Git == "" {
			err = c.wantsFabric(c.New, "the new side")
		}
	case c.Steps != "" && c.Git == "" && c.New != "":
		if err = c.wantsFabric(c.New, "the new side"); err == nil && holdsConfigs(c.Old) {
			return c.fromFolder(t)
		}
	case len(c.Fresh) > 0:
		err = misusef("--fresh names a switch without a running configuration: it goes with --running, or with a folder of running configurations as the old side of --steps")
	}
	if err != nil {
		return d, err
	}
	if d.before, d.after, err = c.sides(t); err != nil {
		return d, err
	}
	setRelease(d.before, c.Release) // the states between take it from the ends
	setRelease(d.after, c.Release)
	if c.Running == "" {
		d.result = diff.Compare(d.before, d.after)
		return d, nil
	}
	files, err := configFiles(t, []string{c.Running})
	if err == nil {
		d.start, err = c.started(t, c.Running, files, d.before, d.after, nil)
	}
	if err != nil {
		return d, err
	}
	d.result, d.before = compareFrom(d.start, d.before, d.after), d.start.Plan
	return d, nil
}

// fromFolder compares what devices run with a fabric.
func (c diffCmd) fromFolder(t *terminal) (d difference, err error) {
	files, err := configFiles(t, []string{c.Old})
	if err != nil {
		return d, err
	}
	return c.fromFiles(t, files)
}

// fromFiles does the same with files that were read.
func (c diffCmd) fromFiles(t *terminal, files []verify.File) (d difference, err error) {
	now, err := c.side(t, c.New)
	if err != nil {
		return d, err
	}
	setRelease(now.plan, c.Release)
	if d.start, err = c.started(t, c.Old, files, nil, now.plan, now.fabric.Sources); err != nil {
		return d, err
	}
	d.after, d.result, d.before = now.plan, compareFrom(d.start, nil, now.plan), d.start.Plan
	return d, nil
}

// roll writes the steps as files, and their certificate.
func (c diffCmd) roll(t *terminal, d difference) (*rolling, error) {
	catalogue, sources, _, err := loadChips(c.Chips)
	if err != nil {
		return nil, err
	}
	o, err := newRolling(catalogue, d, c.Keep)
	if err != nil {
		return nil, err
	}
	if err := t.report(o.found, sources); err != nil {
		return nil, err
	}
	if o.found.HasErrors() {
		return nil, errFindings
	}
	if c.Certificate == "" {
		return o, o.write(t, c.Steps)
	}
	return o, writeCertified(t, c.Steps, c.Certificate, o)
}

// wantsFabric refuses a side that is configuration.
func (c diffCmd) wantsFabric(path, side string) error {
	if holdsConfigs(path) {
		return misusef("%s, %s, holds configuration: it has no chips, NICs or reasons, and only SONiC's has cables, so steps to it cannot be proved; give a fabric, which roceplan import %[2]s -o DIR writes", side, path)
	}
	return nil
}

// holdsConfigs reports whether a path is a folder without fabric files.
func holdsConfigs(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() && !holdsFabric(path)
}

// sides reads the two plans.
func (c diffCmd) sides(t *terminal) (before, after *plan.Plan, err error) {
	switch {
	case c.Git != "" && c.New != "":
		return nil, nil, misusef("--git takes one fabric, but %s is a second", c.New)
	case c.Git == "" && c.New == "":
		return nil, nil, misusef("there is nothing to compare %s with: name a second fabric, or a revision with --git", c.Old)
	case c.Old == "-" && (c.New == "-" || c.Git != ""):
		return nil, nil, misusef("only one side can be standard input")
	case c.Git != "":
		if after, err = c.fabric(t, c.Old); err == nil {
			before, err = c.fabricAt(t, c.Git, c.Old)
		}
		return before, after, err
	}
	old, err := c.side(t, c.Old)
	if err != nil {
		return nil, nil, err
	}
	now, err := c.side(t, c.New)
	switch {
	case err != nil:
	case old.fabric == nil && now.fabric != nil:
		if err = t.tell(c.missing(old.plan, now.plan), now.fabric.Sources); err == nil {
			err = c.asFiles(t, &now)
		}
	case now.fabric == nil && old.fabric != nil:
		err = c.asFiles(t, &old)
	}
	return old.plan, now.plan, err
}

// missing warns of switches of a fabric that have no file among those of the old side.
func (c diffCmd) missing(old, now *plan.Plan) (found diag.List) {
	has := map[string]bool{}
	for _, sw := range old.Switches {
		for _, name := range sw.Names {
			has[name] = true
		}
	}
	for _, sw := range now.Switches {
		for _, name := range sw.Names {
			if !has[name] {
				found.Warnf(RolloutUnknown, sw.Range, "the configuration of %s is not known: it has no file in %s, so it is shown as added", name, c.Old).Fixf("give its file too, if it runs")
			}
		}
	}
	return found
}

// A diffSide is one side of a comparison; fabric is nil where it was read from configuration
// files.
type diffSide struct {
	plan   *plan.Plan
	fabric *loaded
}

// side reads a fabric, or configuration files where the folder holds no fabric.
func (c diffCmd) side(t *terminal, path string) (s diffSide, err error) {
	info, err := os.Stat(path)
	switch {
	case path == "-" || err == nil && !info.IsDir() && filepath.Ext(path) == ".hcl":
	case errors.Is(err, fs.ErrNotExist):
		return s, fmt.Errorf("there is no file or folder %s", path)
	case err != nil:
		return s, err
	case !info.IsDir() || !holdsFabric(path):
		files, err := configFiles(t, []string{path})
		if err == nil {
			err = c.tellChanged(t, path, files)
		}
		if err == nil {
			s.plan, err = c.configs(t, path, files, compiledLinks(path))
		}
		return s, err
	}
	if s.fabric, err = c.load(t, []string{path}); err == nil {
		s.plan, err = planOf(t, s.fabric, path)
	}
	return s, err
}

// tellChanged warns where a folder is not as compile wrote it.
func (c diffCmd) tellChanged(t *terminal, folder string, files []verify.File) error {
	changed, err := asWritten(t, []string{folder}, files)
	if err != nil {
		return err
	}
	return t.tell(changed, nil)
}

// asFiles replaces a fabric by what its compiled files hold. Otherwise everything that a format
// does not hold would be a difference to a configuration that no change removes.
func (c diffCmd) asFiles(t *terminal, s *diffSide) error {
	compiled, err := roceplan.Compile(t, s.fabric.Fabric, roceplan.CompileOptions{Unproved: true})
	if err != nil {
		return err
	}
	if err := refuse(t, compiled.Findings, s.fabric.Sources, s.plan.Fabric); err != nil {
		return err
	}
	var files []verify.File
	for _, shape := range compiled.Shapes {
		for _, device := range shape.Switch.Names {
			for _, f := range shape.Files {
				files = append(files, verify.Text(device+"/"+f.Path, f.Body.AppendFor(nil, device)))
			}
		}
	}
	s.plan, err = c.configs(t, s.plan.Fabric, files, s.plan.Links)
	return err
}

// holdsFabric reports whether a folder holds fabric files.
func holdsFabric(folder string) bool {
	found, err := filepath.Glob(filepath.Join(folder, "*.hcl"))
	return err == nil && len(found) > 0
}

func (c diffCmd) fabric(t *terminal, path string) (*plan.Plan, error) {
	loaded, err := c.load(t, []string{path})
	if err != nil {
		return nil, err
	}
	return planOf(t, loaded, path)
}

// planOf plans a fabric. One with errors has no plan that could be compared; warnings
// are left to check.
func planOf(t *terminal, loaded *loaded, name string) (*plan.Plan, error) {
	p, found := loaded.Plan()
	return p, refuse(t, found, loaded.Sources, name)
}

// refuse reports errors, and that there is nothing to compare.
func refuse(t *terminal, found diag.List, sources diag.Sources, name string) error {
	found = stable.Delete(found.Sorted(), func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
	if len(found) == 0 {
		return nil
	}
	if err := t.report(found, sources); err != nil {
		return err
	}
	if t.json {
		if err := t.printJSON(findings{found}); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s has errors, so there is no plan to compare", name)
}

// shapes reads configuration files.
func (c diffCmd) shapes(files []verify.File) ([]*verify.Shape, error) {
	cell, err := c.cell()
	if err != nil {
		return nil, err
	}
	return verify.Read(files, cell)
}

// configs reads configuration files as a plan. A device with several files
// is taken from the one that says most.
func (c diffCmd) configs(t *terminal, name string, files []verify.File, links []plan.Link) (*plan.Plan, error) {
	shapes, err := c.shapes(files)
	if err != nil {
		return nil, err
	}
	stable.Sort(shapes, func(a, b *verify.Shape) int { return cmp.Compare(verify.Telling(a.Format), verify.Telling(b.Format)) })
	p := &plan.Plan{Fabric: name, Links: links}
	var found diag.List
	sources := diag.Sources{}
	taken := map[string]bool{}
	for _, shape := range shapes {
		sw := *shape.Switch
		sw.Names = stable.Delete(slices.Clone(sw.Names), func(name string) bool { return taken[name] })
		for _, name := range sw.Names {
			taken[name] = true
		}
		if len(sw.Names) == 0 {
			continue
		}
		p.Switches = append(p.Switches, &sw)
		found = append(found, shape.Found...)
		sources[shape.First()] = shape.Text
	}
	return p, refuse(t, found, sources, name)
}

// cell returns the cell size of the chip that was named.
func (c diffCmd) cell() (units.Bytes, error) {
	if c.Chip == "" {
		return 0, nil
	}
	catalogue, _, _, err := loadChips(c.Chips)
	if err != nil {
		return 0, err
	}
	chip, err := findChip(catalogue, c.Chip)
	if err != nil {
		return 0, err
	}
	return chip.CellSize.Or(0), nil
}
