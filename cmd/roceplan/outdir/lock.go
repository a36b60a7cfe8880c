package outdir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/internal/filelock"
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
// directory, which might not be there yet, and is locked by the kernel: the lock of a run
// that was killed is gone, whatever its file says. held is false where there is no such lock.
func lock(dir string) (release func(), held bool, err error) {
	dir = filepath.Clean(dir)
	path := filepath.Join(filepath.Dir(dir), ".roceplan-"+filepath.Base(dir)+".lock")
	if whole, err := filepath.Abs(dir); err == nil {
		path = filepath.Join(filepath.Dir(whole), ".roceplan-"+filepath.Base(whole)+".lock")
	}
	f, taken, err := filelock.Take(path)
	switch {
	case errors.As(err, new(*fs.PathError)):
		return func() {}, false, nil // nobody can write beside it; whether dir itself can be written is told later
	case err != nil:
		return nil, false, err
	case !taken:
		defer f.Close()
		return nil, false, &Busy{dir, writtenPID(f)}
	}
	if err := f.Truncate(0); err == nil {
		fmt.Fprintln(f, os.Getpid()) // for the message of others: the lock holds without it
	}
	return func() {
		os.Remove(path)
		f.Close()
	}, filelock.Works, nil
}

func writtenPID(f *os.File) int {
	text, err := io.ReadAll(io.LimitReader(f, 32))
	if err != nil {
		return 0
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return pid
}
