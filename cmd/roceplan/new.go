package main

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/design"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

type newCmd struct {
	File string `arg:"" optional:"" help:"Where to write; - is standard output (default: fabric.hcl)."`

	Preset      string       `placeholder:"NAME" complete:"preset" help:"Use a published design; other flags change it. --list lists them."`
	List        bool         `help:"List the presets with their sources, and write nothing."`
	GPUs        int          `name:"gpus" placeholder:"N" help:"GPUs of a training pod, each with a NIC: GPU k of every server is at leaf k."`
	Hosts       int          `placeholder:"N" help:"Hosts of a leaf-spine fabric for storage, each with a NIC."`
	PerServer   int          `placeholder:"N" help:"GPUs of a server (default: 8)."`
	NIC         string       `name:"nic" complete:"nic" placeholder:"RATE|MODEL" help:"Rate of the NICs, such as 400G, or a model, such as connectx-7 or connectx-7@200G."`
	Leaf        string       `complete:"chip" placeholder:"CHIP" help:"Chip or platform of the leaves."`
	Spine       string       `complete:"chip" placeholder:"CHIP" help:"Chip or platform of the spines (default: that of the leaves, or no spines if one switch is enough)."`
	OS          string       `name:"os" enum:",sonic,eos,cumulus,junos,srlinux,openconfig" default:"" placeholder:"SYSTEM" help:"Operating system of the switches: sonic, eos, cumulus, junos, srlinux or openconfig (default: sonic)."`
	Uplink      string       `placeholder:"RATE" help:"Rate of links between leaves and spines (default: the fastest up to 400G that fits, for which IEEE 802.3 bounds the response to a pause)."`
	PerLeaf     int          `placeholder:"N" help:"Most NICs of a leaf (default: as many as uplinks carry 1:1)."`
	Spines      int          `placeholder:"N" help:"Number of spines (default: the least with ports for all uplinks)."`
	ServerCable units.Length `placeholder:"LENGTH" help:"Copper between hosts and leaves (default: 2m)."`
	SpineCable  units.Length `placeholder:"LENGTH" help:"Fibre between leaves and spines (default: 50m)."`
	Chips       []string     `placeholder:"DIR" sep:"none" help:"Folder with chips and platforms of your own (*.hcl); may be repeated."`
}

func (newCmd) Help() string {
	return `Writes a fabric that compiles, with its leaves and spines, wiring, boxes with known ports, and comments:

    roceplan new --gpus 512 --nic 400G --leaf tomahawk5 --spine tomahawk5 --os sonic
    roceplan compile fabric.hcl

A storage fabric, and a published design:

    roceplan new storage.hcl --hosts 96 --nic 100G --leaf tomahawk3 --spine tomahawk3
    roceplan new pod.hcl --preset juniper-qpp-64

A leaf has NICs in half of its bandwidth and uplinks in the other half. In a training pod leaf k has the NICs of GPU k of each server. A group has one leaf for each GPU of a server, and there are as many groups as the servers need. The number of spines is the least with a port for every uplink, and at least two, because one may fail; each leaf has the same number of links to each of them. A size that does not fit is refused with these numbers. The text is compiled and proved before it is written; with an error nothing is written. If the verdict is worse than conditional, new writes the greatest smaller threshold (alpha) that is not.`
}

// Run writes the fabric, or says why there is none.
func (c newCmd) Run(t *terminal) error {
	if c.List {
		return listPresets(t)
	}
	file, err := place(t, c.File)
	if err != nil {
		return err
	}
	catalogue, err := chipFlags{Chips: c.Chips}.catalogue(t)
	if err != nil {
		return err
	}
	w, err := c.wish(catalogue)
	if err != nil {
		return err
	}
	return writeDesign(t, file, w, catalogue)
}

// wish returns the wish of the flags, over a preset.
func (c newCmd) wish(catalogue *chips.Catalogue) (w design.Wish, err error) {
	if c.Preset != "" {
		p, ok := design.FindPreset(c.Preset)
		if !ok {
			return w, misusef("there is no preset %q; --list lists them", c.Preset)
		}
		w = p.Wish
	}
	if c.GPUs > 0 || c.Hosts > 0 {
		w.GPUs, w.Hosts = c.GPUs, c.Hosts
	}
	if c.NIC != "" {
		if w.NIC, w.NICModel, err = nicOf(catalogue, c.NIC); err != nil {
			return w, err
		}
	}
	if c.Uplink != "" {
		if w.Uplink, err = units.ParsePortSpeed(c.Uplink); err != nil {
			return w, misusef("--uplink: %w", err)
		}
	}
	w.Leaf, w.Spine, w.OS = cmp.Or(c.Leaf, w.Leaf), cmp.Or(c.Spine, w.Spine), cmp.Or(c.OS, w.OS, "sonic")
	w.PerServer, w.PerLeaf, w.Spines = cmp.Or(c.PerServer, w.PerServer), cmp.Or(c.PerLeaf, w.PerLeaf), cmp.Or(c.Spines, w.Spines)
	w.ServerCable, w.SpineCable = cmp.Or(c.ServerCable, w.ServerCable), cmp.Or(c.SpineCable, w.SpineCable)
	if w.Leaf == "" {
		return w, misusef("--leaf is missing: a chip, such as tomahawk5 (roceplan chips), or a platform (roceplan platforms)")
	}
	return w, nil
}

// nicOf reads "400G", "connectx-7" or "connectx-7@200G".
func nicOf(catalogue *chips.Catalogue, text string) (units.BitRate, string, error) {
	model, rate, _ := strings.Cut(text, "@")
	n, known := catalogue.NIC(model)
	if !known {
		model, rate = "", text
	}
	if rate == "" {
		speeds := n.PortSpeeds.Or(nil)
		if len(speeds) == 0 {
			return 0, "", misusef("the speeds of %s are not known: write %s@RATE", n.Name, n.Name)
		}
		return speeds[len(speeds)-1], n.Name, nil
	}
	r, err := units.ParsePortSpeed(rate)
	if err != nil {
		return 0, "", misusef("--nic %s is neither a rate, such as 400G, nor a model of the catalogue: roceplan nics lists them", text)
	}
	if known {
		model = n.Name
	}
	return r, model, nil
}

func listPresets(t *terminal) error {
	if t.json {
		list := []presetName{}
		for _, p := range design.Presets() {
			list = append(list, presetName{p.Name, p.About, p.Source})
		}
		return t.printJSON(presetList{list})
	}
	for _, p := range design.Presets() {
		t.printf("%s  %s\n    %s\n", p.Name, p.About, p.Source)
	}
	return nil
}

// presetList is the output of new --list --json.
type presetList struct {
	Presets []presetName `json:"presets"`
}

type presetName struct {
	Name   string `json:"name"`
	About  string `json:"about"`
	Source string `json:"source"`
}

// place returns the file to write: the one that is named, or fabric.hcl. A file that exists is not replaced.
func place(t *terminal, file string) (string, error) {
	if file == "-" {
		return file, nil
	}
	file = cmp.Or(file, "fabric.hcl")
	if _, err := t.disk.Lstat(file); err == nil {
		return "", fmt.Errorf("%s exists and is not replaced: name another file, or write - for standard output", file)
	}
	return file, nil
}

// A newFabric is the output of new --json.
type newFabric struct {
	Diagnostics diag.List   `json:"diagnostics"`
	Written     string      `json:"written,omitempty"`
	Size        design.Size `json:"size"`
	Verdict     string      `json:"verdict,omitempty"`
}

// A draft is a design, and what compiling it gives.
type draft struct {
	*design.Text
	*roceplan.Compiled
	sources diag.Sources
}

// lossyAdvice is what a finding advises where lossy packets leave lossless queues no room to mark, as on EOS.
var lossyAdvice = regexp.MustCompile(`lossy_alpha = "1/([0-9]+)"`)

// drafted writes what was wished for, with the smallest lossy_alpha that its findings advise, unless the verdict is worse with it.
func drafted(t *terminal, file string, w design.Wish, catalogue *chips.Catalogue) (draft, error) {
	first, err := sized(t, file, w, catalogue)
	least := 0
	if err != nil {
		return first, err
	}
	for i := range first.Findings {
		if m := lossyAdvice.FindStringSubmatch(first.Findings[i].Fix); m != nil {
			n, _ := strconv.Atoi(m[1])
			least = max(least, n)
		}
	}
	if least == 0 || first.Findings.HasErrors() {
		return first, err
	}
	w.LossyAlpha = fmt.Sprintf("1/%d", least)
	if d, err := sized(t, file, w, catalogue); err == nil && !d.Findings.HasErrors() && d.Verdict() <= first.Verdict() {
		return d, nil
	}
	return first, nil
}

// sized writes what was wished for. Where the verdict is worse than conditional, smaller thresholds of lossless
// priority groups are tried, which leave the other queues more of the buffer; if none helps it is as it was.
func sized(t *terminal, file string, w design.Wish, catalogue *chips.Catalogue) (first draft, err error) {
	for _, w.Alpha = range []string{"", "1/2", "1/4", "1/8", "1/16"} {
		var d draft
		if d.Text, err = design.Write(w, catalogue); err != nil {
			return draft{}, misuse{err}
		}
		f := roceplan.Load(roceplan.Input{Files: []roceplan.Source{{Name: file, Text: []byte(d.HCL)}}, Catalogue: catalogue})
		if d.Compiled, err = roceplan.Compile(t, f, roceplan.CompileOptions{}); err != nil {
			return draft{}, err
		}
		d.sources = f.Sources
		if w.Alpha == "" {
			first = d
		}
		if wrong := d.Findings.HasErrors(); wrong && w.Alpha == "" || !wrong && d.Verdict() <= verify.Conditional {
			return d, nil
		}
	}
	return first, nil
}

// writeDesign writes what was wished for, once it compiles.
func writeDesign(t *terminal, file string, w design.Wish, catalogue *chips.Catalogue) error {
	compiled, err := drafted(t, file, w, catalogue)
	if err != nil {
		return err
	}
	text := compiled.Text
	result := newFabric{Diagnostics: nonNil(compiled.Findings), Size: text.Size}
	if !t.json {
		if err := t.report(compiled.Findings, compiled.sources); err != nil {
			return err
		}
	}
	if compiled.Findings.HasErrors() {
		if t.json {
			return cmp.Or(t.printJSON(result), errFindings)
		}
		t.errorf("%s: nothing was written: the lines above refer to the text that was not written", file)
		return errFindings
	}
	if file == "-" && !t.json {
		_, err := t.out.WriteString(text.HCL)
		return err
	}
	if err := whole.Write(t.disk, file, []byte(text.HCL)); err != nil {
		return err
	}
	result.Written, result.Verdict = file, compiled.Verdict().String()
	if t.json {
		return t.printJSON(result)
	}
	t.linef("wrote %s: %s, room for %d NICs; verdict: %s; try: roceplan compile %s", file, text.Size, text.Size.Capacity(), result.Verdict, file)
	return nil
}
