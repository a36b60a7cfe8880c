package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/verify"
)

// configFiles are the configuration files that arguments name. Of a folder these are all
// files below it that look like configuration; a file that is named is taken as it is.
func configFiles(t *terminal, args []string) ([]verify.File, error) {
	var files []verify.File
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case arg == "-":
			text, err := regular.Stream(t.in, standardInput)
			if err != nil {
				return nil, err
			}
			files = append(files, verify.Text(standardInput, text))
			continue
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("there is no file or folder %s", arg)
		case err != nil:
			return nil, err
		case !info.IsDir():
			files = append(files, fileAt(arg))
			continue
		}
		below, err := verify.Below(os.DirFS(arg), ".", roceplan.NotConfigs()...)
		if err != nil {
			return nil, within(arg, err)
		}
		if len(below) == 0 {
			return nil, fmt.Errorf("the folder %s holds no configuration: no *.json, *.cfg or *.conf", arg)
		}
		for _, f := range below {
			files = append(files, fileAt(filepath.Join(arg, filepath.FromSlash(f.Name))))
		}
	}
	return files, nil
}

// fileAt is a file of the system. Only regular files are read.
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
