package whole

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/internal/disk"
)

// Busy is the error of a folder that another run is writing.
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

// lock keeps other runs out of a folder until it is released. The file is next to the folder,
// which might not be there yet, and is locked by the kernel: the lock of a run that was killed is
// gone, whatever its file says. held is false where there is no such lock.
func lock(d disk.FS, dir, whole string) (release func(), held bool, err error) {
	path := filepath.Join(filepath.Dir(whole), ".roceplan-"+filepath.Base(whole)+".lock")
	f, taken, err := d.Lock(path)
	switch {
	case errors.Is(err, disk.ErrNotRegular):
		return nil, false, err
	case errors.As(err, new(*fs.PathError)):
		return func() {}, false, nil // no other run can write there; the write to dir itself is checked later
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
		d.Remove(path)
		f.Close()
	}, disk.Locks, nil
}

func writtenPID(f io.Reader) int {
	text, err := io.ReadAll(io.LimitReader(f, 32))
	if err != nil {
		return 0
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return pid
}
