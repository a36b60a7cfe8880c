package main

import (
	"cmp"
	_ "embed"
	"strconv"

	"github.com/roceplan/roceplan/cmd/roceplan/whole"
)

//go:embed init.hcl
var startingFile []byte

type initCmd struct {
	File string `arg:"" optional:"" help:"Where to write; - is standard output (default: fabric.hcl)."`
}

func (initCmd) Help() string {
	return "A description of a small fabric with comments, ready to be compiled and changed:\n\n    roceplan init\n    roceplan compile fabric.hcl\n\n" +
		"On a terminal it asks for how many GPUs the fabric is, for NICs, chip and system, and writes what `roceplan new` writes; without a number of GPUs it is the small fabric."
}

// Run writes the starting file, or what a person asks for. It never replaces one.
func (c initCmd) Run(t *terminal) (err error) {
	if c.File, err = place(t, c.File); err != nil {
		return err
	}
	if t.asks && !t.json {
		if asked := c.ask(t); asked.GPUs != 0 {
			return asked.Run(t)
		}
	}
	if c.File == "-" {
		_, err := t.out.Write(startingFile)
		return err
	}
	if err := whole.Write(t.disk, c.File, startingFile); err != nil {
		return err
	}
	if t.json {
		return t.printJSON(writtenFile{c.File})
	}
	t.linef("wrote %s; try: roceplan compile %s", c.File, c.File)
	return nil
}

// ask asks a person for a pod. An empty answer takes the default in brackets.
func (c initCmd) ask(t *terminal) newCmd {
	gpus := t.answer("How many GPUs, each with a NIC? [none: a small fabric to change] ")
	if gpus == "" {
		return newCmd{}
	}
	asked := newCmd{File: c.File}
	var err error
	if asked.GPUs, err = strconv.Atoi(gpus); err != nil {
		asked.GPUs = -1 // new says which numbers there are
	}
	asked.NIC = cmp.Or(t.answer("Rate or model of the NICs? [400G] "), "400G")
	asked.Leaf = cmp.Or(t.answer("Chip or platform of the switches? [tomahawk5] "), "tomahawk5")
	asked.OS = cmp.Or(t.answer("Their system: sonic, eos, cumulus, junos, srlinux or openconfig? [sonic] "), "sonic")
	return asked
}

// writtenFile is the output of init --json.
type writtenFile struct {
	Written string `json:"written"`
}
