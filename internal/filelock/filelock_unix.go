//go:build unix

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// Works: Try keeps others out.
const Works = true

// Try takes the lock of a file or folder; taken is false where another process has it.
func Try(f *os.File) (taken bool, err error) {
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
