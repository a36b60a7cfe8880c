//go:build unix

package outdir

import (
	"errors"
	"os"
	"syscall"
)

// kernelLocks: tryLock keeps others out.
const kernelLocks = true

// tryLock takes the kernel's lock of a file; taken is false where another process has it.
func tryLock(f *os.File) (taken bool, err error) {
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
