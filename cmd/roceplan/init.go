package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
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
	f, err := os.OpenFile(c.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already, and stays as it is", c.File)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(startingFile)
	if err := errors.Join(err, f.Close()); err != nil {
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
