package whole

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/roceplan/roceplan/internal/disk"
)

// A Text is a file of a folder.
type Text struct {
	Path string // below the folder, in the system's spelling
	Text []byte
	Mode fs.FileMode // permissions, of which the umask may take some; 0: 0666
}

// ErrNotEmpty is the error of a folder that holds something already.
var ErrNotEmpty = errors.New("it holds files already")

// Folder writes a new folder. One that is there must be empty, and no link.
func Folder(d disk.FS, path string, files []Text) error {
	if err := Vacant(d, path); err != nil {
		return err
	}
	return Files(d, path, files)
}

// Vacant reports why a new folder cannot be put somewhere; nil where it can.
func Vacant(d disk.FS, path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if err := vacant(d, path); err != nil {
		return &fs.PathError{Op: "write", Path: path, Err: err}
	}
	return nil
}

// Files writes files into a folder, all of them or none. The folder is made where there is none;
// other files of it stay.
func Files(d disk.FS, folder string, files []Text) (err error) {
	s, err := Open(d, folder, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	for _, f := range files {
		if err := s.Put(f); err != nil {
			return err
		}
	}
	return s.Commit(nil, nil)
}

// vacant reports why a folder cannot be put somewhere.
func vacant(d disk.FS, path string) error {
	info, err := d.Lstat(path)
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
	entries, err := d.ReadDir(path)
	if err == nil && len(entries) > 0 {
		err = ErrNotEmpty
	}
	return err
}
