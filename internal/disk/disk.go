// Package disk is the way by which roceplan writes: all calls of the file system that change
// something go through an [FS]. That of the operating system is [System]; tests have one that
// fails, ends the run, or loses what was not synced, at every call.
//
// Nothing is opened through a link: the folder that roceplan writes may come from a repository that
// others wrote.
package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// An FS is a file system. Its errors are those of package os; a call that it does not have gives
// [errors.ErrUnsupported].
type FS interface {
	Lstat(path string) (fs.FileInfo, error)
	ReadDir(path string) ([]fs.DirEntry, error)
	// Open opens a regular file to be read. A link, a pipe or a folder is an error.
	Open(path string) (File, error)
	// Create makes a file with the permissions that the umask leaves of perm; that one is there already
	// is an error.
	Create(path string, perm fs.FileMode) (File, error)
	// Lock opens a regular file, which is made if need be, and locks it until it is closed or the
	// process ends. taken is false where another process has the lock; the file can be read then.
	Lock(path string) (f File, taken bool, err error)
	Mkdir(path string) error
	// MkdirLike makes a folder with the permissions and the owner of another.
	MkdirLike(path, model string) error
	// Link gives a file, or a symbolic link, a second name.
	Link(from, to string) error
	// Rename puts something into a place. A file there, or an empty folder, is replaced.
	Rename(from, to string) error
	// Movable reports whether a folder is no place where a file system is mounted: things can be
	// renamed between it and the folder above it.
	Movable(folder string) bool
	// Exchange swaps two folders in one step.
	Exchange(a, b string) error
	// Remove removes a file, a link or an empty folder.
	Remove(path string) error
	// Sync returns when the names in a folder are where a power failure leaves them.
	Sync(folder string) error
	// SameFile reports whether two files are one.
	SameFile(a, b fs.FileInfo) bool
	// SyncTree does the same for a folder and all that is below it, texts too.
	SyncTree(folder string) error
}

// A File is open.
type File interface {
	io.ReadWriteCloser
	Stat() (fs.FileInfo, error)
	Chmod(fs.FileMode) error
	Truncate(size int64) error
	// Sync returns when the text is where a power failure leaves it.
	Sync() error
}

// ErrLink is the error of a place that is reached through a symbolic link.
var ErrLink = errors.New("this is a symbolic link; name the place that it leads to")

// ErrNotRegular is the error of what is in the place of a file.
var ErrNotRegular = errors.New("this is not a regular file; remove it")

// Direct returns an error for a place that is a symbolic link or is reached through one. Of a path
// that begins above the folder that the program runs in, the last element is looked at alone: the
// system has links of its own there.
func Direct(d FS, path string) error {
	path = filepath.Clean(path)
	if here, err := os.Getwd(); err == nil && filepath.IsAbs(path) {
		if below, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(below) {
			path = below
		}
	}
	for {
		if info, err := d.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return &fs.PathError{Op: "write", Path: path, Err: ErrLink}
		}
		folder := filepath.Dir(path)
		if filepath.IsAbs(path) || folder == "." || folder == path || filepath.Base(folder) == ".." {
			return nil
		}
		path = folder
	}
}

// MkdirAll makes a folder and those above it, through no link.
func MkdirAll(d FS, folder string) error {
	if err := Direct(d, folder); err != nil {
		return err
	}
	return mkdirAll(d, filepath.Clean(folder))
}

func mkdirAll(d FS, folder string) error {
	info, err := d.Lstat(folder)
	switch {
	case err == nil && info.Mode()&fs.ModeSymlink != 0 && isFolder(d, folder), err == nil && info.IsDir():
		return nil // a link can only be above what Direct looks at
	case err == nil:
		return &fs.PathError{Op: "mkdir", Path: folder, Err: errors.New("this is not a directory")}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if parent := filepath.Dir(folder); parent != folder {
		if err := mkdirAll(d, parent); err != nil {
			return err
		}
	}
	if err := d.Mkdir(folder); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

func isFolder(d FS, path string) bool {
	_, err := d.ReadDir(path)
	return err == nil
}

// RemoveAll removes what a path names, and what is below it. That nothing is there is no error.
func RemoveAll(d FS, path string) error {
	info, err := d.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.IsDir() {
		entries, err := d.ReadDir(path)
		for _, e := range entries {
			err = errors.Join(err, RemoveAll(d, filepath.Join(path, e.Name())))
		}
		if err != nil {
			return err
		}
	}
	if err := d.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Put makes a file with a text, and with the permissions that the umask leaves of perm.
func Put(d FS, path string, text []byte, perm fs.FileMode) error {
	return put(d, path, text, perm, func(File) error { return nil })
}

// PutSynced makes a file with a text, and returns when a power failure leaves the text. The name is
// for [FS.Sync].
func PutSynced(d FS, path string, text []byte) error {
	return put(d, path, text, 0o666, File.Sync)
}

func put(d FS, path string, text []byte, perm fs.FileMode, sync func(File) error) error {
	f, err := d.Create(path, perm)
	if err != nil {
		return err
	}
	if _, err = f.Write(text); err == nil {
		err = sync(f)
	}
	return errors.Join(err, f.Close())
}

// Text reads a regular file of most bytes at most.
func Text(d FS, path string, most int64) ([]byte, error) {
	f, err := d.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Rest(f, path, most)
}

// Rest reads what is left of a file, of most bytes at most.
func Rest(f File, path string, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		err = &fs.PathError{Op: "read", Path: path, Err: errors.New("it is longer than it can be")}
	}
	return text, err
}
