// Package whole writes files and folders whole or not at all, and through no link. Text goes to a
// file next to the named one, is synced, and replaces it by one rename.
//
// A [File] is written next to its place and renamed into it. A [Stage] does that for a folder: the
// folder is exchanged for one that holds all of the new files, so a reader finds all old files or
// all new ones.
package whole

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/roceplan/roceplan/internal/disk"
)

// A File is written next to its place until Commit. The temporary file has one name for each place,
// so the next run reuses what a killed run left, and nothing piles up.
type File struct {
	*bufio.Writer
	d            disk.FS
	path, beside string
	file         disk.File
}

// Begin begins a file. An existing file at path must be a regular one.
func Begin(d disk.FS, path string) (*File, error) {
	if err := disk.Direct(d, path); err != nil {
		return nil, err
	}
	if info, err := d.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "write", Path: path, Err: disk.ErrNotRegular}
	}
	beside := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".roceplan")
	file, taken, err := d.Lock(beside)
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) && !errors.Is(err, disk.ErrNotRegular) {
		failed.Path = path // the reader has not heard of the temporary name
	}
	if err != nil {
		return nil, err
	}
	if !taken {
		file.Close()
		return nil, fmt.Errorf("another roceplan is writing %s; wait until it is done", path)
	}
	f := &File{bufio.NewWriter(file), d, path, beside, file}
	if err := file.Truncate(0); err != nil {
		f.Discard()
		return nil, err
	}
	return f, nil
}

// Write writes a file.
func Write(d disk.FS, path string, text []byte) error {
	f, err := Begin(d, path)
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		f.Discard()
		return err
	}
	return f.Commit()
}

// Commit puts a file into its place. A file that was there gives its permissions. When it returns
// an error, the place holds what it held, or all of the file.
func (f *File) Commit() error {
	err := f.Flush()
	if old, gone := f.d.Lstat(f.path); gone == nil {
		err = errors.Join(err, f.file.Chmod(old.Mode().Perm()))
	}
	err = errors.Join(err, f.file.Sync())
	if !disk.Locks {
		err = errors.Join(err, f.file.Close()) // where there are no such locks, open files cannot be renamed either
	}
	if err == nil {
		err = f.d.Rename(f.beside, f.path)
	}
	if err != nil {
		f.Discard()
		return err
	}
	f.beside = ""
	return errors.Join(f.d.Sync(filepath.Dir(f.path)), f.close()) // with it goes the lock
}

// Discard removes what was begun; after Commit there is nothing to remove.
func (f *File) Discard() {
	if f.beside != "" {
		f.d.Remove(f.beside) // the next run uses what cannot be removed
		f.close()
		f.beside = ""
	}
}

func (f *File) close() error {
	if !disk.Locks {
		return nil
	}
	return f.file.Close()
}
