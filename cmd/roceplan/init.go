package main

import (
	_ "embed"
	"fmt"

	"github.com/roceplan/roceplan/cmd/roceplan/whole"
)

//go:embed init.hcl
var startingFile []byte

type initCmd struct {
	File string `arg:"" optional:"" default:"fabric.hcl" help:"Where to write; - is standard output."`
}

func (initCmd) Help() string {
	return "A description of a small fabric with comments, ready to be compiled and changed:\n\n    roceplan init\n    roceplan compile fabric.hcl"
}

// Run writes the starting file. It never replaces one.
func (c initCmd) Run(t *terminal) error {
	if c.File == "-" {
		_, err := t.out.Write(startingFile)
		return err
	}
	if _, err := t.disk.Lstat(c.File); err == nil {
		return fmt.Errorf("%s is there already, and stays as it is", c.File)
	}
	if err := whole.Write(t.disk, c.File, startingFile); err != nil {
		return err
	}
	if t.json {
		return t.printJSON(writtenFile{c.File})
	}
	t.printf("wrote %s; try: roceplan compile %s\n", c.File, c.File)
	return nil
}

// writtenFile is what init --json prints.
type writtenFile struct {
	Written string `json:"written"`
}
