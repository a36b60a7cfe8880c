package outdir

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Busy is the error of a directory that another run is writing.
type Busy struct {
	Dir string
	PID int // of the other run, 0 where it has not said it yet
}

func (b *Busy) Error() string {
	other := "another roceplan"
	if b.PID != 0 {
		other += fmt.Sprintf(" (process %d)", b.PID)
	}
	return fmt.Sprintf("%s is writing %s; wait until it is done", other, b.Dir)
}

// lock keeps other runs out of a directory until it is released. The file lies beside the
// directory, which may not be there yet, and is locked by the kernel: the lock of a run
// that was killed is gone, whatever its file says. held is false where there is no such lock.
func lock(dir string) (release func(), held bool, err error) {
	dir = filepath.Clean(dir)
	path := filepath.Join(filepath.Dir(dir), ".roceplan-"+filepath.Base(dir)+".lock")
	if whole, err := filepath.Abs(dir); err == nil {
		path = filepath.Join(filepath.Dir(whole), ".roceplan-"+filepath.Base(whole)+".lock")
	}
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return func() {}, false, nil // nobody can write beside it; whether dir itself can be written is told later
		}
		taken, err := tryLock(f)
		if err != nil {
			f.Close()
			return nil, false, err
		}
		if !taken {
			defer f.Close()
			return nil, false, &Busy{dir, writtenPID(f)}
		}
		if !stillThere(f, path) {
			f.Close() // the run that held it has removed it in between
			continue
		}
		if err := f.Truncate(0); err == nil {
			fmt.Fprintln(f, os.Getpid()) // for the message of others: the lock holds without it
		}
		return func() {
			os.Remove(path)
			f.Close()
		}, kernelLocks, nil
	}
}

func writtenPID(f *os.File) int {
	text, err := io.ReadAll(f)
	if err != nil {
		return 0
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return pid
}

// stillThere tells whether the path is still the name of the file.
func stillThere(f *os.File, path string) bool {
	have, err1 := f.Stat()
	named, err2 := os.Stat(path)
	return err1 == nil && err2 == nil && os.SameFile(have, named)
}
