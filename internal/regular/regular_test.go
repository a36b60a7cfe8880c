//go:build unix

package regular_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// A pipe that nobody writes to, and a file that never ends, are refused at once.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		oracle.Missing(t, "no pipes here: "+err.Error())
	}
	for _, name := range []string{pipe, "/dev/zero", dir} {
		if _, err := regular.Read(name); err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := regular.ReadFS(os.DirFS(dir), "pipe"); err == nil {
		t.Error("a pipe of a folder is read")
	}
	huge := filepath.Join(dir, "huge")
	if err := os.WriteFile(huge, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(huge, regular.Most+1); err != nil { // without blocks on disk
		t.Fatal(err)
	}
	if _, err := regular.Read(huge); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("a huge file: %v", err)
	}
}
