package outdir

import (
	"os"
	"path/filepath"
	"testing"
)

// What a killed run left behind goes with the next one; what only looks like it stays.
func TestSweep(t *testing.T) {
	for _, fresh := range []bool{true, false} {
		parent := t.TempDir()
		dir := filepath.Join(parent, "out")
		at := parent
		if !fresh {
			write(t, tree("a", "leaf"), dir)
			at = dir
		}
		make := func(name, of string, more ...string) string {
			folder := filepath.Join(at, name)
			check := func(err error) {
				if err != nil {
					t.Fatal(err)
				}
			}
			check(os.Mkdir(folder, 0o777))
			check(os.WriteFile(filepath.Join(folder, "file"), []byte("x"), 0o666))
			if of != "" {
				check(mark(folder, of))
			}
			for _, m := range more {
				check(os.Mkdir(filepath.Join(folder, m), 0o777))
			}
			return folder
		}
		dead := make(".roceplan-999999-0", dir)
		stay := []string{
			make(".roceplan-999999-1", ""),                           // of nobody we know
			make(".roceplan-999999-2", filepath.Join(parent, "two")), // of another directory
			make(".roceplan-999999-3", dir, attic),                   // may hold the only copy
			make(".roceplan-backup", dir),                            // no name of ours
		}
		write(t, tree("b", "leaf"), dir)
		if _, err := os.Lstat(dead); err == nil {
			t.Errorf("fresh %v: %s is left behind", fresh, dead)
		}
		for _, folder := range stay {
			if _, err := os.Lstat(filepath.Join(folder, "file")); err != nil {
				t.Errorf("fresh %v: %v", fresh, err)
			}
		}
		if _, err := os.Lstat(filepath.Join(dir, marker)); err == nil {
			t.Errorf("fresh %v: the marker is among the output", fresh)
		}
	}
}
