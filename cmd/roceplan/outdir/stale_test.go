package outdir

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		make := func(name, of string) string {
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
			return folder
		}
		dead := make(".roceplan-999999-0", dir)
		stay := []string{
			make(".roceplan-999999-1", ""),                           // of nobody we know
			make(".roceplan-999999-2", filepath.Join(parent, "two")), // of another directory
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

// killed is what a run panics with in the place of being killed.
type killed struct{}

// A run may be killed before any of its renames. The next one ends its work, whatever it is
// to write itself, and nothing else is left; files of the user's stay.
func TestKilledBetweenRenames(t *testing.T) {
	for _, fresh := range []bool{true, false} {
		for after := 0; ; after++ {
			dir := filepath.Join(t.TempDir(), "out")
			if !fresh {
				write(t, tree("one", "a", "b", "gone"), dir)
				mine := filepath.Join(dir, "gone", "notes.txt")
				if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if !dies(t, tree("two", "a", "b", "new"), dir, after) {
				break
			}
			// The next run changes one device back: no file of the last may be foreign to it.
			write(t, tree("three", "a", "new"), dir)
			want := map[string]string{"a/eos.cfg": "hostname a\nthree\n", "new/eos.cfg": "hostname new\nthree\n"}
			if !fresh {
				want["gone/notes.txt"] = "mine"
			}
			if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
				t.Errorf("fresh %v, killed after %d renames: %s", fresh, after, diff)
			}
			left, err := os.ReadDir(filepath.Dir(dir))
			if err != nil || len(left) != 1 {
				t.Errorf("fresh %v, killed after %d renames: beside the output lie %v", fresh, after, left)
			}
		}
	}
}

// dies reports whether a run had more renames to make than it was allowed.
func dies(t *testing.T, tree Tree, dir string, after int) (died bool) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case killed:
			died = true
		default:
			panic(r)
		}
	}()
	tree.rename = func(from, to string) error {
		if after--; after < 0 {
			panic(killed{})
		}
		return os.Rename(from, to)
	}
	write(t, tree, dir)
	return false
}
