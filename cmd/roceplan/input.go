package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

// sourceFlags say where a fabric's inputs lie besides its own files.
type sourceFlags struct {
	Var     map[string]string `placeholder:"NAME=VALUE" mapsep:"none" help:"Value of a variable; may be repeated."`
	VarFile []string          `placeholder:"FILE" sep:"none" help:"File of NAME = VALUE lines; may be repeated, the last wins."`
	Chips   []string          `placeholder:"DIR" sep:"none" help:"Folder with chips and platforms of your own (*.hcl); may be repeated."`
}

// standardInput is how findings name what was read from there.
const standardInput = "<stdin>"

// loaded is a fabric with the texts that its ranges point into.
type loaded struct {
	fabric  *policy.Fabric
	found   diag.List
	sources diag.Sources
	vars    map[string]string // of --var

	catalogue *chips.Catalogue
}

// load reads a fabric. Its faults are in found; the error is of files that cannot be
// read.
func (c sourceFlags) load(t *terminal, files []string) (*loaded, error) {
	texts, err := readFabric(t, files)
	if err != nil {
		return nil, err
	}
	folder := "" // standard input has no place
	if files[0] != "-" {
		folder = folderOf(files[0])
	}
	return c.understand(texts, folder)
}

// understand reads a fabric from texts. What file() reads lies in folder, if there is one.
func (c sourceFlags) understand(texts []policy.Source, folder string) (*loaded, error) {
	catalogue, sources, found, err := loadChips(c.Chips)
	if err != nil {
		return nil, err
	}
	opts := policy.Options{Files: texts, Vars: c.Var, Catalogue: catalogue}
	for _, path := range c.VarFile {
		text, err := regular.Read(path)
		if err != nil {
			return nil, err
		}
		opts.VarFiles = append(opts.VarFiles, policy.Source{Name: path, Text: text})
	}
	for _, src := range append(texts, opts.VarFiles...) {
		sources[src.Name] = src.Text
	}
	if folder != "" {
		root, err := os.OpenRoot(folder)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		opts.Root = root.FS()
	}
	fabric, more := policy.Load(opts)
	return &loaded{fabric, append(found, more...), sources, c.Var, catalogue}, nil
}

// compute plans the fabric if it can be understood, and returns all findings so far.
func (l *loaded) compute() (*plan.Plan, diag.List) {
	if l.found.HasErrors() {
		return &plan.Plan{}, l.found.Sorted()
	}
	p, found := calc.Compute(l.fabric)
	return p, append(l.found, found...).Sorted()
}

// planned plans the fabric and tells what was found; an error ends the command.
func (l *loaded) planned(t *terminal) (*plan.Plan, diag.List, error) {
	p, found := l.compute()
	if t.json && found.HasErrors() {
		return nil, nil, failWith(t, found)
	}
	if err := t.report(found, l.sources); err != nil {
		return nil, nil, err
	}
	if found.HasErrors() {
		return nil, nil, errFindings
	}
	return p, found, nil
}

func folderOf(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return path
	}
	return filepath.Dir(path)
}

// readFabric reads what the arguments of a command name: files, all *.hcl of folders,
// standard input.
func readFabric(t *terminal, names []string) ([]policy.Source, error) {
	var texts []policy.Source
	for _, name := range names {
		if name == "-" {
			text, err := regular.Stream(t.in, standardInput)
			if err != nil {
				return nil, err
			}
			texts = append(texts, policy.Source{Name: standardInput, Text: text})
			continue
		}
		paths, err := expand(name)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			text, err := regular.Read(path)
			if err != nil {
				return nil, err
			}
			texts = append(texts, policy.Source{Name: path, Text: text})
		}
	}
	return texts, nil
}

// expand gives the file itself, or all *.hcl files of a folder in order.
func expand(name string) ([]string, error) {
	entries, err := os.ReadDir(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file or folder %s", name)
	case errors.Is(err, syscall.ENOTDIR):
		return []string{name}, nil
	case err != nil:
		return nil, err
	}
	var paths []string
	for _, entry := range entries {
		if !entry.IsDir() && filepath.Ext(entry.Name()) == ".hcl" {
			paths = append(paths, filepath.Join(name, entry.Name()))
		}
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("the folder %s holds no *.hcl file", name)
	}
	return paths, nil
}

// loadChips reads the catalogue with the chips of the given folders over it.
func loadChips(folders []string) (*chips.Catalogue, diag.Sources, diag.List, error) {
	sources := make(diag.Sources)
	var extra []chips.Source
	for _, folder := range folders {
		paths, err := expand(folder)
		if err != nil {
			return nil, nil, nil, err
		}
		for _, path := range paths {
			text, err := regular.Read(path)
			if err != nil {
				return nil, nil, nil, err
			}
			extra = append(extra, chips.Source{Name: path, Text: text})
			sources[path] = text
		}
	}
	catalogue, found := chips.Load(extra...)
	return catalogue, sources, found, nil
}
