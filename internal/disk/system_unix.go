//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Locks reports whether Lock keeps others out.
const Locks = true

// direct has the kernel refuse a link, and not wait for the other end of a pipe.
const direct = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

func rename(from, to string) error { return syscall.Rename(from, to) }

func lock(f *os.File) (taken bool, err error) {
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// secondName reports whether a file is another's too: what is written into it changes that.
func secondName(f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return true
	}
	sys, ok := info.Sys().(*syscall.Stat_t)
	return ok && sys.Nlink > 1
}

// unsupported returns the error of a call that file systems may refuse on principle.
func unsupported(err error) error {
	for _, refused := range []error{syscall.ENOSYS, syscall.EINVAL, syscall.ENOTSUP, syscall.EPERM, syscall.EXDEV, syscall.EBUSY, syscall.EMLINK, syscall.EACCES} {
		if errors.Is(err, refused) {
			return errors.Join(errors.ErrUnsupported, err)
		}
	}
	return err
}

// cannotSync forgives a file system that has nothing to sync of a folder.
func cannotSync(err error) error {
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}

// alike reports whether a new folder belongs to those whom a model belongs to, and has no
// attributes less.
func alike(path string, have fs.FileInfo, model string, want fs.FileInfo) bool {
	a, ok1 := have.Sys().(*syscall.Stat_t)
	b, ok2 := want.Sys().(*syscall.Stat_t)
	return ok1 && ok2 && a.Uid == b.Uid && a.Gid == b.Gid && a.Dev == b.Dev && attributes(path) == attributes(model)
}

func oneDevice(x, y fs.FileInfo) bool {
	a, ok1 := x.Sys().(*syscall.Stat_t)
	b, ok2 := y.Sys().(*syscall.Stat_t)
	return ok1 && ok2 && a.Dev == b.Dev
}
