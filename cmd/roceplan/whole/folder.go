package whole

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/roceplan/roceplan/internal/filelock"
)

// A Text is a file of a folder.
type Text struct {
	Path string // below the folder, in the system's spelling
	Text []byte
}

// ErrNotEmpty is the error of a folder that holds something already.
var ErrNotEmpty = errors.New("it holds files already")

// Folder writes a new folder. One that is there must be empty, and no link.
func Folder(path string, files []Text) (err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return err
	}
	if err := vacant(path); err != nil {
		return &fs.PathError{Op: "write", Path: path, Err: err}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	stage, release, err := newStage(path)
	if err != nil {
		return err
	}
	defer release()
	for _, f := range files {
		if !filepath.IsLocal(f.Path) {
			return fmt.Errorf("%q leads out of the folder %s", f.Path, path)
		}
		target := filepath.Join(stage, f.Path)
		if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(target, f.Text, 0o666); err != nil {
			return err
		}
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(stage, path)
}

// vacant reports why a folder cannot be put somewhere.
func vacant(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return errors.New("this is not a folder")
	}
	if here, err := os.Getwd(); err == nil && here == path {
		return errors.New("this is the folder that the program runs in; name a new one")
	}
	entries, err := os.ReadDir(path)
	if err == nil && len(entries) > 0 {
		err = ErrNotEmpty
	}
	return err
}

// newStage makes an empty folder beside the place, and keeps others out of it until release,
// which removes what is left of it.
func newStage(path string) (stage string, release func(), err error) {
	stage = beside(path)
	if err := os.Mkdir(stage, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", nil, err
	}
	if info, err := os.Lstat(stage); err != nil || !info.IsDir() {
		return "", nil, errors.Join(err, fmt.Errorf("%s is in the way", stage))
	}
	lock, err := os.Open(stage)
	if err != nil {
		return "", nil, err
	}
	taken, err := filelock.Try(lock)
	if err == nil && !taken {
		err = fmt.Errorf("another roceplan is writing %s; wait until it is done", path)
	}
	if err == nil {
		err = emptied(stage)
	}
	if err != nil {
		lock.Close()
		return "", nil, err
	}
	if !filelock.Works {
		lock.Close() // where there are no such locks, open folders cannot be renamed either
	}
	return stage, func() {
		os.RemoveAll(stage)
		lock.Close()
	}, nil
}

// emptied removes what a killed run left.
func emptied(folder string) error {
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(folder, e.Name())))
	}
	return err
}
