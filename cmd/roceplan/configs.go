package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/cabling"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/observe/intake"
	"github.com/roceplan/roceplan/verify"
)

// configFiles returns the configuration files that arguments name. Of a folder these are all
// files below it that look like configuration; a file that is named is taken as it is.
func configFiles(t *terminal, args []string) (files []verify.File, err error) {
	seen := named{}
	take := func(f verify.File) error {
		if seen.first(f.Name) {
			files = append(files, f)
		}
		return nil
	}
	err = eachArgument(t, args, take, func(folder string) error {
		below, err := configsBelow(folder)
		if err == nil && len(below) == 0 {
			err = fmt.Errorf("the folder %s holds no configuration: %s", folder, noConfigs)
		}
		for _, f := range below {
			if seen.first(f.Name) {
				files = append(files, f)
			}
		}
		return err
	})
	return files, err
}

// noConfigs says what was looked for below folders: see [verify.Below].
const noConfigs = "no *.json, *.cfg, *.conf, *.cli, *.set, *.config, nvue.yaml, nvue.sh or startup.yaml; name other files one by one"

// named are the files that arguments have named, so that one that is named twice, by itself and by
// its folder say, is read once.
type named map[string]bool

// first reports whether a path is the first one of its file. Links are files of their own.
func (n named) first(path string) bool {
	whole, err := filepath.Abs(path)
	if err != nil {
		whole = filepath.Clean(path)
	}
	known := n[whole]
	n[whole] = true
	return !known
}

// eachArgument calls file or folder for each argument, in order; - is standard input. It ends with
// the first error.
func eachArgument(t *terminal, args []string, file func(verify.File) error, folder func(path string) error) error {
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case arg == "-":
			var text []byte
			if text, err = regular.Stream(t.in, standardInput); err == nil {
				err = file(verify.Text(standardInput, text))
			}
		case errors.Is(err, fs.ErrNotExist):
			err = fmt.Errorf("there is no file or folder %s", arg)
		case err != nil:
		case info.IsDir():
			err = folder(arg)
		default:
			err = file(fileAt(arg))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// configsBelow returns the files below a folder that look like configuration, without those of cables
// or counters, which other commands read.
func configsBelow(folder string) (files []verify.File, err error) {
	below, err := verify.Below(os.DirFS(folder), ".", roceplan.NotConfigs()...)
	for _, f := range below {
		f = fileAt(filepath.Join(folder, filepath.FromSlash(f.Name)))
		if forPeople(f.Name) || measured(f) {
			continue
		}
		files = append(files, f)
	}
	return files, within(folder, err)
}

// ignoredFiles reports files in the folders that arguments name which hold configuration and are not
// called like it.
func ignoredFiles(args []string) (found diag.List, err error) {
	for _, folder := range args {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			continue
		}
		below, err := verify.Beside(os.DirFS(folder), ".", roceplan.NotConfigs()...)
		if err != nil {
			return nil, within(folder, err)
		}
		for _, d := range below {
			d.Subject.Filename = filepath.Join(folder, filepath.FromSlash(d.Subject.Filename))
			found = append(found, d)
		}
	}
	return found, nil
}

// measured reports whether a file holds cables or counters and no configuration. One that cannot be
// read is for its reader to report.
func measured(f verify.File) bool {
	if slices.Contains(verify.UsualNames(), filepath.Base(f.Name)) {
		return false
	}
	text, err := f.Read()
	return err == nil && tellsOfMeasurements(text)
}

// tellsOfMeasurements reports whether a text is of cables or counters. Dumps of SONiC's databases
// are like ConfigDB, and no table of ConfigDB is of either.
func tellsOfMeasurements(text []byte) bool {
	isJSON := bytes.HasPrefix(bytes.TrimLeft(text, "\ufeff \t\r\n"), []byte("{"))
	return (isJSON || !verify.Recognizes(text)) && (cabling.Recognizes(text) || intake.Recognizes(text))
}

// forPeople reports whether a file below a folder was not written by a device: pages, scripts and
// fabric files among the data.
func forPeople(path string) bool {
	name := filepath.Base(path)
	if slices.Contains(verify.UsualNames(), name) {
		return false
	}
	before, _, _ := strings.Cut(name, ".")
	return slices.Contains([]string{"README", "LICENSE", "LICENCE", "NOTICE", "COPYING", "CHANGELOG", "Makefile"}, before) ||
		slices.Contains([]string{".md", ".hcl", ".sh", ".py", ".html", ".svg", ".png", ".pdf"}, filepath.Ext(name))
}

// dataBelow takes all files below a folder that may hold measurements of devices. Configuration,
// and Files for people are skipped. A file that is not recognized is a finding of its reader.
func dataBelow(folder string, take func(verify.File) error) error {
	names, err := filesBelow(folder)
	others := roceplan.NotConfigs()
	for i := 0; i < len(names) && err == nil; i++ {
		if !forPeople(names[i]) && !slices.Contains(others, filepath.Base(names[i])) {
			err = take(fileAt(names[i]))
		}
	}
	return err
}

// fileAt returns a file of the system. Only regular files are read.
func fileAt(path string) verify.File {
	folder, name := filepath.Split(path)
	if folder == "" {
		folder = "."
	}
	f := verify.In(os.DirFS(folder), name)
	return verify.File{Name: path, Read: func() ([]byte, error) {
		text, err := f.Read()
		return text, within(folder, err)
	}}
}

// within gives the path of an error the folder that it is in.
func within(folder string, err error) error {
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return &fs.PathError{Op: failed.Op, Path: filepath.Join(folder, failed.Path), Err: failed.Err}
	}
	return err
}
