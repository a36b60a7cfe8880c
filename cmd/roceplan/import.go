package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/adopt"
	"github.com/roceplan/roceplan/cabling"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

type importCmd struct {
	Paths         []string     `arg:"" name:"path" help:"Configuration files and sources of cables: files, or folders of them."`
	Output        string       `short:"o" placeholder:"DIR" help:"Write fabric.hcl and the files that it reads into this folder (default: print the fabric)."`
	Name          string       `default:"fabric" help:"Name of the fabric (default: fabric)."`
	Chip          []string     `placeholder:"[DEVICES=]CHIP" sep:"none" help:"Chip of devices whose files do not name it; DEVICES is a pattern such as leaf-*. May be repeated, the first match counts."`
	LosslessFrame *units.Bytes `name:"lossless-frame" placeholder:"BYTES" help:"Declare the largest frame of lossless classes, which only files of SONiC's dynamic model have (default: the MTU)."`
	Adopt         string       `enum:",safe" default:"" placeholder:"safe" help:"Omit pinned values whose derived value is proved harmless (safe)."`
	Replace       bool         `help:"Replace files that are in DIR already."`
	Chips         []string     `placeholder:"DIR" sep:"none" help:"Folder with chips and platforms of your own (*.hcl); may be repeated."`
}

func (importCmd) Help() string {
	return `Writes the fabric file of running switches, from their configuration and cables:

    roceplan import running-configs/ lldp/ -o pod1

Configuration: config_db.json of SONiC, nested, flat or as a dump of Redis; running-configs of Arista EOS and NX-OS; Junos and Nokia SR Linux as commands or in braces, SR Linux as JSON too; NVUE as YAML or commands; OpenConfig as JSON. Cables: all formats of roceplan cabling. Switches with equal numbers are one block.

Import compiles the fabric and compares the result with the files. It omits values that compile derives equally. It pins the others, and values that break an inequality: pinned blocks have the values of the files, so compiling gives the files that were read. To adopt compile's choice, delete a line. --adopt safe omits pins of buffers, headroom and thresholds if neither an obligation of the proof nor an inequality nor a rule gets worse. Every remaining difference is a finding at its line, and a comment in the fabric.

Import invents nothing. A fact that no file has is a variable without a value; unknown cable lengths are empty cells in cables.csv, next to the longest that the present headroom allows. Fill them in, and compile; or give the filled table to import:

    roceplan import running-configs/ pod1/cables.csv -o pod1 --replace

SONiC's HwSKU says the chip, and so does the model in the first lines of files of EOS and NVUE. Otherwise name it:

    roceplan import running-configs/ --chip 'leaf-*=tomahawk4' --chip tomahawk5 -o pod1

Exit codes: 0 compiling gives the files that were read; 1 there are differences, or values to fill in; 2 the call was wrong, or a file could not be read or written.`
}

// importReport is the result with --json.
type importReport struct {
	Diagnostics diag.List `json:"diagnostics"`
	Fabric      string    `json:"fabric"`
	Equal       bool      `json:"equal"`
	Pinned      int       `json:"pinned"`
	Adopted     int       `json:"adopted"`
	Holes       []string  `json:"holes"`
	OpenCables  int       `json:"open_cables"`
}

// Run reads, writes, and says what is left to do.
func (c importCmd) Run(t *terminal) error {
	catalogue, sources, found, err := loadChips(c.Chips)
	if err != nil {
		return err
	}
	choices, err := chipChoices(catalogue, c.Chip)
	if err != nil {
		return err
	}
	if filepath.Ext(c.Output) == ".hcl" {
		return misusef("-o is a folder, into which fabric.hcl and its tables go; %s is the name of a file", c.Output)
	}
	in, err := c.gather(t, catalogue, choices, sources)
	if err != nil {
		return err
	}
	o := adopt.Options{Name: c.Name, Catalogue: catalogue, Targets: target.All(), Chips: choices, Sightings: in.seen, AdoptSafe: c.Adopt == "safe"}
	if c.LosslessFrame != nil {
		o.LosslessFrame = *c.LosslessFrame
	}
	_, stop := t.watch("importing", 0)
	r := adopt.Import(in.shapes, o)
	stop()
	found = append(append(found, in.found...), r.Found...).Sorted()
	if err := t.report(found, sources); err != nil {
		return err
	}
	if r.HCL == nil {
		return errFindings
	}
	if c.Output != "" {
		if err := c.write(t, r); err != nil {
			return err
		}
	}
	if err := c.print(t, r, found); err != nil {
		return err
	}
	if !r.Equal || len(r.Holes) > 0 || r.OpenCables > 0 || found.HasErrors() {
		return errFindings
	}
	return nil
}

func (c importCmd) print(t *terminal, r *adopt.Result, found diag.List) error {
	if t.json {
		report := importReport{Diagnostics: nonNil(found), Fabric: string(r.HCL), Equal: r.Equal, Pinned: r.Pinned, Adopted: r.Adopted, Holes: []string{}, OpenCables: r.OpenCables}
		for _, h := range r.Holes {
			report.Holes = append(report.Holes, h.Variable)
		}
		return t.printJSON(report)
	}
	if c.Output == "" {
		t.printf("%s", r.HCL)
		return nil
	}
	verdict := "it compiles to the files that were read"
	if !r.Equal {
		verdict = "it does not compile to all settings of the files: see the findings"
	}
	if r.Equal && r.Adopted > 0 {
		verdict = "except for adopted values, it compiles to the files that were read"
	}
	t.linef("%s: %s", filepath.Join(c.Output, "fabric.hcl"), verdict)
	if r.Adopted > 0 {
		t.printf("adopted, proved harmless: %s\n", natural.Count(r.Adopted, "value", "values"))
	}
	if r.Pinned > 0 {
		t.printf("pinned as they run: %s\n", natural.Count(r.Pinned, "value", "values"))
	}
	for _, h := range r.Holes {
		t.printf("to fill in: var.%s, the %s\n", h.Variable, h.About)
	}
	if r.OpenCables > 0 {
		t.linef("to fill in: %s in %s", natural.Count(r.OpenCables, "length", "lengths"), filepath.Join(c.Output, adopt.CablesFile))
	}
	return nil
}

// write puts the files into the folder, all or none.
func (c importCmd) write(t *terminal, r *adopt.Result) error {
	var files []whole.Text
	for _, f := range []whole.Text{{Path: "fabric.hcl", Text: r.HCL}, {Path: adopt.CablesFile, Text: r.Cables}, {Path: adopt.TableFile, Text: r.Table}} {
		if f.Text == nil {
			continue
		}
		path := filepath.Join(c.Output, f.Path)
		if _, err := t.disk.Lstat(path); err == nil && !c.Replace {
			return fmt.Errorf("%s is there already; --replace replaces it", path)
		}
		files = append(files, f)
	}
	return whole.Files(t.disk, c.Output, files)
}

// chipChoices reads [DEVICES=]CHIP.
func chipChoices(catalogue *chips.Catalogue, texts []string) (choices []adopt.Choice, err error) {
	for _, text := range texts {
		devices, name, ok := strings.Cut(text, "=")
		if !ok {
			devices, name = "", text
		}
		if _, err := filepath.Match(devices, ""); err != nil {
			return nil, misusef("%q is not a pattern of names: %v", devices, err)
		}
		chip, err := findChip(catalogue, name)
		if err != nil {
			return nil, err
		}
		choices = append(choices, adopt.Choice{Devices: devices, Chip: chip})
	}
	return choices, nil
}

// imported is the content of the arguments.
type imported struct {
	shapes []*adopt.Shape
	seen   []cabling.Sighting
	found  diag.List
}

// gather separates configuration from lists of cables, and reads both.
func (c importCmd) gather(t *terminal, catalogue *chips.Catalogue, choices []adopt.Choice, sources diag.Sources) (*imported, error) {
	in := &imported{}
	var configs []verify.File
	take := func(f verify.File, named bool) error {
		text, err := f.Read()
		if err != nil {
			return err
		}
		if cabling.Recognizes(text) {
			seen, wrong := cabling.Read(f.Name, text)
			in.seen, in.found = append(in.seen, seen...), append(in.found, wrong...)
			sources[f.Name] = text
		} else if named {
			configs = append(configs, f)
		}
		return nil
	}
	err := eachArgument(t, c.Paths,
		func(f verify.File) error { return take(f, true) },
		func(folder string) error { return takeBelow(folder, take) })
	if err != nil {
		return nil, err
	}
	if len(configs) == 0 {
		return nil, fmt.Errorf("the arguments have no configuration: %s", noConfigs)
	}
	cell := units.Bytes(0)
	if len(choices) > 0 {
		cell = choices[0].Chip.CellSize.Or(0)
	}
	in.shapes, err = adopt.Gather(configs, cell, catalogue)
	for _, s := range in.shapes {
		sources[s.File] = s.Text
	}
	return in, err
}

// takeBelow takes all files below a folder; those that look like configuration may be it.
func takeBelow(root string, take func(verify.File, bool) error) error {
	below, err := configsBelow(root)
	if err != nil {
		return err
	}
	configs := map[string]bool{}
	for _, f := range below {
		configs[f.Name] = true
	}
	names, err := filesBelow(root)
	if err != nil {
		return err
	}
	for _, name := range names {
		if slices.Contains(roceplan.NotConfigs(), filepath.Base(name)) {
			continue
		}
		if err := take(fileAt(name), configs[name]); err != nil {
			return err
		}
	}
	return nil
}
