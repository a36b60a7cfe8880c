package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// System is the file system of the operating system.
type System struct{}

var _ FS = System{}

func (System) Lstat(path string) (fs.FileInfo, error)     { return os.Lstat(path) }
func (System) ReadDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(path) }
func (System) Mkdir(path string) error                    { return os.Mkdir(path, 0o777) }
func (System) Remove(path string) error                   { return os.Remove(path) }
func (System) SameFile(a, b fs.FileInfo) bool             { return os.SameFile(a, b) }
func (System) Link(from, to string) error                 { return unsupported(os.Link(from, to)) }

// Rename is rename(2), which replaces an empty folder; os.Rename refuses to.
func (System) Rename(from, to string) error {
	if err := rename(from, to); err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

func (System) Exchange(a, b string) error {
	if err := exchange(a, b); err != nil {
		return unsupported(&os.LinkError{Op: "exchange", Old: a, New: b, Err: err})
	}
	return nil
}

// Movable compares the devices, where the system does not know of mounts.
func (System) Movable(folder string) bool {
	if root, known := mounted(folder); known {
		return !root
	}
	own, err1 := os.Lstat(folder)
	above, err2 := os.Lstat(filepath.Dir(folder))
	return err1 == nil && err2 == nil && oneDevice(own, above)
}

func (System) Open(path string) (File, error) { return regular(path, os.O_RDONLY) }

func (System) Create(path string, perm fs.FileMode) (File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
}

// regular opens a regular file, and never blocks.
func regular(path string, how int) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	f, err := os.OpenFile(path, how|direct, 0o666)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, errors.Join(err, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular})
	}
	return f, nil
}

// Lock takes the kernel's lock of a file. It is gone with its process, however that ended, so
// that no process waits for one that ended. The path still names the file when Lock returns:
// its last holder may have moved it away in between.
func (System) Lock(path string) (File, bool, error) {
	for {
		f, err := regular(path, os.O_RDWR|os.O_CREATE)
		if err != nil {
			return nil, false, err
		}
		taken, err := lock(f)
		if err == nil && secondName(f) {
			err = &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
		}
		if err != nil {
			f.Close()
			return nil, false, err
		}
		if !taken || names(path, f) {
			return f, taken, nil
		}
		f.Close()
	}
}

// names reports whether a path is that of a file.
func names(path string, f *os.File) bool {
	have, err1 := f.Stat()
	named, err2 := os.Lstat(path)
	return err1 == nil && err2 == nil && os.SameFile(have, named)
}

func (s System) MkdirLike(path, model string) error {
	want, err := os.Lstat(model)
	if err != nil {
		return err
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		return err
	}
	have, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !alike(path, have, model, want) {
		return &fs.PathError{Op: "mkdir", Path: path, Err: errors.ErrUnsupported}
	}
	return os.Chmod(path, want.Mode()&(fs.ModePerm|fs.ModeSetgid|fs.ModeSticky))
}

// Sync syncs a folder, where the system can.
func (System) Sync(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(cannotSync(f.Sync()), f.Close())
}

// few is the largest number of files that are synced one by one. On ext4 a thousand take three
// seconds so, and half a second when the file system is synced once; but that waits for what others
// wrote too.
const few = 16

func (s System) SyncTree(folder string) error {
	var files, folders []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			folders = append(folders, path)
		case d.Type().IsRegular():
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(files)+len(folders) > few {
		if err := syncAll(folder); !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
	}
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			return err
		}
	}
	for _, path := range folders {
		if err := s.Sync(path); err != nil {
			return err
		}
	}
	return nil
}
