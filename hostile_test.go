//go:build unix

package roceplan_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// In reads regular files only, and no more of them together than of one.
func TestInIsBounded(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.hcl"), 0o600); err != nil {
		oracle.Missing(t, "no pipes here: "+err.Error())
	}
	for _, name := range []string{"pipe.hcl", "."} {
		if _, err := roceplan.In(os.DirFS(dir), name); err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := roceplan.In(os.DirFS("/dev"), "zero"); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a device: %v", err)
	}
	many := t.TempDir()
	for _, name := range []string{"a.hcl", "b.hcl", "c.hcl"} {
		path := filepath.Join(many, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, regular.Most/2); err != nil { // without blocks on disk
			t.Fatal(err)
		}
	}
	if _, err := roceplan.In(os.DirFS(many), "."); err == nil || !strings.Contains(err.Error(), "together") {
		t.Errorf("three files of half the most: %v", err)
	}
}
