package main

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// stagedFile is a file that is written beside its place, and put there when it is whole.
type stagedFile struct {
	*bufio.Writer
	path string
	file *os.File
}

// stage begins a file.
func stage(path string) (*stagedFile, error) {
	file, err := os.CreateTemp(filepath.Dir(path), ".roceplan-*")
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		failed.Path = path // whoever reads it knows nothing of the temporary name
	}
	if err != nil {
		return nil, err
	}
	return &stagedFile{bufio.NewWriter(file), path, file}, nil
}

// writeWhole writes a file whole or not at all. A link in its place is not followed.
func writeWhole(path string, text []byte) error {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("this is no regular file")}
	}
	f, err := stage(path)
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		discard([]*stagedFile{f})
		return err
	}
	return commit([]*stagedFile{f})
}

// commit puts files into their places if all of them can be written, and none otherwise; a
// rename that fails leaves those before it.
func commit(files []*stagedFile) error {
	for _, f := range files {
		mode := os.FileMode(0o644)
		if old, err := os.Stat(f.path); err == nil {
			mode = old.Mode().Perm()
		}
		if err := errors.Join(f.Flush(), f.file.Chmod(mode), f.file.Close()); err != nil {
			discard(files)
			return err
		}
	}
	for _, f := range files {
		if err := os.Rename(f.file.Name(), f.path); err != nil {
			discard(files)
			return err
		}
	}
	return nil
}

// discard removes what was begun; after commit there is nothing to remove.
func discard(files []*stagedFile) {
	for _, f := range files {
		f.file.Close()
		os.Remove(f.file.Name())
	}
}
