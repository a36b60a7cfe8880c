// Package whole writes files whole or not at all, and through no link: text goes to a file
// beside the place, and is renamed into it when all of it is there.
//
// The file beside has a name of its own for each place, so what a killed run left is used
// again by the next, and nothing piles up.
package whole

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/roceplan/roceplan/internal/filelock"
)

// A File is written beside its place until [Commit].
type File struct {
	*bufio.Writer
	path, beside string
	file         *os.File
}

// Begin begins a file. What stands in its place must be a regular file.
func Begin(path string) (*File, error) {
	for _, p := range []string{path, beside(path)} {
		if info, err := os.Lstat(p); err == nil && !info.Mode().IsRegular() {
			return nil, &fs.PathError{Op: "write", Path: p, Err: errors.New("this is not a regular file")}
		}
	}
	file, taken, err := filelock.Take(beside(path))
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		failed.Path = path // the reader has not heard of the temporary name
	}
	if err != nil {
		return nil, err
	}
	if !taken {
		file.Close()
		return nil, fmt.Errorf("another roceplan is writing %s; wait until it is done", path)
	}
	f := &File{bufio.NewWriter(file), path, beside(path), file}
	if err := file.Truncate(0); err != nil {
		Discard(f)
		return nil, err
	}
	return f, nil
}

// beside is where the text for a place is written first.
func beside(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".roceplan")
}

// Write writes a file.
func Write(path string, text []byte) error {
	f, err := Begin(path)
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		Discard(f)
		return err
	}
	return Commit(f)
}

// Commit puts files into their places if all of them can be written, and none otherwise; a
// rename that fails leaves those before it. A file that was there gives its permissions.
func Commit(files ...*File) error {
	for _, f := range files {
		err := f.Flush()
		if old, gone := os.Lstat(f.path); gone == nil {
			err = errors.Join(err, f.file.Chmod(old.Mode().Perm()))
		}
		if err = errors.Join(err, f.file.Sync()); err != nil {
			Discard(files...)
			return err
		}
	}
	for _, f := range files {
		if !filelock.Works {
			f.file.Close() // where there are no such locks, open files cannot be renamed either
		}
		if err := os.Rename(f.beside, f.path); err != nil {
			Discard(files...)
			return err
		}
		f.beside = ""
		f.file.Close() // with it goes the lock
	}
	return nil
}

// Discard removes what was begun; after Commit there is nothing to remove.
func Discard(files ...*File) {
	for _, f := range files {
		if f.beside != "" {
			os.Remove(f.beside)
			f.file.Close()
		}
	}
}
