package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/model/sim/workload"
	"github.com/roceplan/roceplan/plan"
)

// sourceFlags name a fabric's inputs besides its own files.
type sourceFlags struct {
	Var     map[string]string `placeholder:"NAME=VALUE" mapsep:"none" help:"Value of a variable; may be repeated."`
	VarFile []string          `placeholder:"FILE" sep:"none" help:"File of NAME = VALUE lines; may be repeated, the last wins."`
	Chips   []string          `placeholder:"DIR" sep:"none" help:"Folder with chips and platforms of your own (*.hcl); may be repeated."`
}

// standardInput is the file name in findings about standard input.
const standardInput = "<stdin>"

// loaded is a fabric with what the command line says of it.
type loaded struct {
	*roceplan.Fabric
	files    []roceplan.Source  // that it was read from
	vars     map[string]string  // of --var
	workload *workload.Workload // of --workload
}

// traces returns the digests of all traces that are run.
func (l *loaded) traces() (list []string) {
	if l.workload != nil {
		list = append(list, l.workload.Digest)
	}
	for _, s := range l.Scenarios() {
		for i := range s.Traffic {
			if w := s.Traffic[i].Workload; w != nil {
				list = append(list, w.Digest)
			}
		}
	}
	return list
}

// load reads a fabric. The error is of files that cannot be read.
func (c sourceFlags) load(t *terminal, files []string) (*loaded, error) {
	return c.loadFor(t, files, false)
}

// loadTraced is load for a command that runs scenarios or checks them: it reads the files of their
// traces too.
func (c sourceFlags) loadTraced(t *terminal, files []string) (*loaded, error) {
	return c.loadFor(t, files, true)
}

func (c sourceFlags) loadFor(t *terminal, files []string, traces bool) (*loaded, error) {
	var l *loaded
	err := c.withFabric(t, files, traces, func(in roceplan.Input) error {
		l = &loaded{Fabric: roceplan.Load(in), files: in.Files, vars: c.Var}
		return nil
	})
	return l, err
}

// offers returns the edits that make conditions of verdicts needless; names are those that the fabric was
// loaded by.
func (c sourceFlags) offers(t *terminal, names []string, l *loaded) (offers []roceplan.Offer, err error) {
	folder := ""
	if names[0] != "-" {
		folder = folderOf(names[0])
	}
	err = c.withTexts(l.files, folder, false, func(in roceplan.Input) (err error) {
		in.Catalogue = l.Catalogue
		offers, err = roceplan.Offers(t, in)
		return err
	})
	return offers, err
}

// withFabric reads the files of a fabric and hands it on, while what file() reads can be read.
func (c sourceFlags) withFabric(t *terminal, files []string, traces bool, use func(roceplan.Input) error) error {
	texts, err := readFabric(t, files)
	if err != nil {
		return err
	}
	folder := "" // standard input has no place
	if files[0] != "-" {
		folder = folderOf(files[0])
	}
	return c.withTexts(texts, folder, traces, use)
}

// understand reads a fabric from texts. file() reads from folder, if there is one.
func (c sourceFlags) understand(texts []roceplan.Source, folder string, traces bool) (l *loaded, err error) {
	err = c.withTexts(texts, folder, traces, func(in roceplan.Input) error {
		l = &loaded{Fabric: roceplan.Load(in), vars: c.Var}
		return nil
	})
	return l, err
}

// withTexts hands a fabric on while what file() reads can be read.
func (c sourceFlags) withTexts(texts []roceplan.Source, folder string, traces bool, use func(roceplan.Input) error) error {
	own, err := readChips(c.Chips)
	if err != nil {
		return err
	}
	in := roceplan.Input{Files: texts, Vars: c.Var, Chips: own, Traces: traces}
	for _, path := range c.VarFile {
		text, err := regular.Read(path)
		if err != nil {
			return err
		}
		in.VarFiles = append(in.VarFiles, roceplan.Source{Name: path, Text: text})
	}
	if folder != "" {
		root, err := regular.Folder(folder)
		if err != nil {
			return err
		}
		defer root.Close()
		in.Folder = root.FS()
	}
	return use(in)
}

// planned plans the fabric and says what was found; an error ends the command.
func (l *loaded) planned(t *terminal) (*plan.Plan, diag.List, error) {
	p, found := l.Plan()
	if t.json && found.HasErrors() {
		return nil, nil, failWith(t, found)
	}
	if err := t.report(found, l.Sources); err != nil {
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
func readFabric(t *terminal, names []string) ([]roceplan.Source, error) {
	var texts []roceplan.Source
	var several regular.Several
	seen := named{}
	for _, name := range names {
		if name == "-" {
			text, err := regular.Stream(t.in, standardInput)
			if err != nil {
				return nil, err
			}
			texts = append(texts, roceplan.Source{Name: standardInput, Text: text})
			continue
		}
		paths, err := expand(name)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if !seen.first(path) {
				continue
			}
			text, err := several.Read(path)
			if err != nil {
				return nil, err
			}
			texts = append(texts, roceplan.Source{Name: path, Text: text})
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

// readChips reads the files of the folders of --chips.
func readChips(folders []string) (own []roceplan.Source, err error) {
	for _, folder := range folders {
		paths, err := expand(folder)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			text, err := regular.Read(path)
			if err != nil {
				return nil, err
			}
			own = append(own, roceplan.Source{Name: path, Text: text})
		}
	}
	return own, nil
}

// loadChips reads the catalogue with the chips of the given folders over it.
func loadChips(folders []string) (*chips.Catalogue, diag.Sources, diag.List, error) {
	own, err := readChips(folders)
	if err != nil {
		return nil, nil, nil, err
	}
	sources := make(diag.Sources)
	var extra []chips.Source
	for _, src := range own {
		extra = append(extra, chips.Source(src))
		sources[src.Name] = src.Text
	}
	catalogue, found := chips.Load(extra...)
	return catalogue, sources, found, nil
}
