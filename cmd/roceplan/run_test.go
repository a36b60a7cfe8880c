package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// closedPipe is a reader that has gone.
type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}
}

// A reader that has seen enough is not a fault: nothing is said of it, and the exit code is
// that of the command.
func TestClosedPipe(t *testing.T) {
	folder := t.TempDir()
	fabric, out := filepath.Join(folder, "fabric.hcl"), filepath.Join(folder, "out")
	var quiet strings.Builder
	none := func(string) string { return "" }
	if code := run([]string{"init", fabric}, strings.NewReader(""), &quiet, &quiet, none); code != exitFine {
		t.Fatal(quiet.String())
	}
	for _, test := range []struct {
		args []string
		want int
	}{
		{[]string{"chips"}, exitFine},
		{[]string{"compile", "--check", fabric, "-o", out}, exitFindings},
		{[]string{"compile", fabric, "-o", out}, exitFine},
		{[]string{"explain", fabric, "tor-01", "--json"}, exitFine},
	} {
		var said strings.Builder
		if code := run(test.args, strings.NewReader(""), closedPipe{}, &said, none); code != test.want || strings.Contains(said.String(), "roceplan:") {
			t.Errorf("%v: exit %d, want %d\n%s", test.args, code, test.want, said.String())
		}
	}
}
