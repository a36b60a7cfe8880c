package whole_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/internal/disk"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// only demands that a folder holds one thing, and the text that is in it.
func only(t *testing.T, dir, name, text string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	check(t, err)
	got, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil || string(got) != text || len(entries) != 1 {
		t.Errorf("%s holds %v, and %s says %q (%v), want %q alone", dir, entries, name, got, err, text)
	}
}

// A file keeps its permissions; what a killed run left beside it is gone after the next.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "c.json")
	check(t, os.WriteFile(filepath.Join(dir, ".c.json.roceplan"), []byte("half of a long certif"), 0o600))
	check(t, whole.Write(disk.System{}, path, []byte("one")))
	only(t, dir, "c.json", "one")
	check(t, os.Chmod(path, 0o640))
	check(t, whole.Write(disk.System{}, path, []byte("two")))
	only(t, dir, "c.json", "two")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 && disk.Locks {
		t.Errorf("permissions are %v, %v", info.Mode(), err)
	}
}

// Of several files none is written if one cannot be; what was there stays.
func TestAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	check(t, os.WriteFile(path, []byte("old"), 0o600))
	f, err := whole.Begin(disk.System{}, path)
	check(t, err)
	_, err = f.WriteString("new")
	check(t, err)
	f.Discard()
	only(t, dir, "a", "old")
}

// While one run writes a file, another is told so.
func TestTwoWriters(t *testing.T) {
	if !disk.Locks {
		oracle.Missing(t, "this system has no locks that go with their process")
	}
	path := filepath.Join(t.TempDir(), "a")
	f, err := whole.Begin(disk.System{}, path)
	check(t, err)
	if _, err := whole.Begin(disk.System{}, path); err == nil || !strings.Contains(err.Error(), "another roceplan") {
		t.Errorf("the second writer is told %v", err)
	}
	check(t, f.Commit())
	check(t, whole.Write(disk.System{}, path, []byte("after")))
}

// Nothing is written through a link: neither in the place, nor beside it, nor where the lock is.
func TestLinks(t *testing.T) {
	for _, name := range []string{"a", ".a.roceplan", ".roceplan-a.lock"} {
		dir, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "precious")
		check(t, os.WriteFile(elsewhere, []byte("precious"), 0o600))
		if err := os.Symlink(elsewhere, filepath.Join(dir, name)); err != nil {
			oracle.Missing(t, "no symbolic links here: "+err.Error())
		}
		place := filepath.Join(dir, "a")
		refused := 0
		for _, write := range []func() error{
			func() error { return whole.Write(disk.System{}, place, []byte("x")) },
			func() error {
				return errors.Join(os.RemoveAll(place), whole.Folder(disk.System{}, place, []whole.Text{{Path: "b", Text: []byte("x")}}))
			},
		} {
			if write() != nil {
				refused++
			}
			if text, err := os.ReadFile(elsewhere); err != nil || string(text) != "precious" {
				t.Errorf("%s: what the link leads to says %q, %v", name, text, err)
			}
		}
		if refused == 0 {
			t.Errorf("%s is a link, and nothing is said", name)
		}
	}
}

// A staging folder may come from a repository. Nothing behind a link in one is moved, and none of its
// paths leads out of the folder.
func TestForgedStaging(t *testing.T) {
	for name, forged := range map[string]struct{ link, plan string }{
		"tree, file by file":   {"tree", `{"put":["key"]}`},
		"tree, exchanged":      {"tree", `{"exchange":true,"put":["other"]}`},
		"a folder of the tree": {"tree/ssh", `{"put":["ssh/key"]}`},
		"what was replaced":    {"old", `{"put":["a"]}`},
		"what is removed":      {"old", `{"gone":["a"]}`},
		"the plan":             {"plan", ""},
		"a path":               {"", `{"put":["../../elsewhere/key"]}`},
		"a hidden path":        {"", `{"gone":[".git/config"]}`},
	} {
		dir := t.TempDir()
		place, elsewhere, left := filepath.Join(dir, "steps"), filepath.Join(dir, "elsewhere"), filepath.Join(dir, ".roceplan-steps.1-1")
		check(t, errors.Join(os.Mkdir(place, 0o700), os.Mkdir(elsewhere, 0o700), os.MkdirAll(filepath.Join(left, filepath.Dir(forged.link)), 0o700),
			os.WriteFile(filepath.Join(elsewhere, "key"), []byte("precious"), 0o600), os.WriteFile(filepath.Join(place, "a"), []byte("x"), 0o600)))
		if forged.link != "" {
			if err := os.Symlink(elsewhere, filepath.Join(left, forged.link)); err != nil {
				oracle.Missing(t, "no symbolic links here: "+err.Error())
			}
		}
		if forged.plan != "" {
			check(t, os.WriteFile(filepath.Join(left, "plan"), []byte(forged.plan), 0o600))
		}
		if err := whole.Files(disk.System{}, place, []whole.Text{{Path: "b"}}); err == nil {
			t.Errorf("%s: nothing is said", name)
		}
		only(t, elsewhere, "key", "precious")
		only(t, place, "a", "x")
	}
}

// A second name of another file is no lock of ours: the text of that file would be gone.
func TestHardLinks(t *testing.T) {
	dir := t.TempDir()
	precious := filepath.Join(dir, "precious")
	check(t, os.WriteFile(precious, []byte("precious"), 0o600))
	for _, name := range []string{".a.roceplan", ".roceplan-b.lock"} {
		if err := os.Link(precious, filepath.Join(dir, name)); err != nil {
			oracle.Missing(t, "no links here: "+err.Error())
		}
	}
	for _, err := range []error{
		whole.Write(disk.System{}, filepath.Join(dir, "a"), []byte("x")),
		whole.Files(disk.System{}, filepath.Join(dir, "b"), []whole.Text{{Path: "c"}}),
	} {
		if err == nil {
			t.Error("a file with two names is taken for a lock")
		}
	}
	if text, err := os.ReadFile(precious); err != nil || string(text) != "precious" {
		t.Errorf("the file says %q, %v", text, err)
	}
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	place := filepath.Join(dir, "steps")
	files := []whole.Text{{Path: filepath.Join("01", "leaf"), Text: []byte("one")}}
	left := filepath.Join(dir, ".roceplan-steps.1-1") // of a killed run
	check(t, os.Mkdir(left, 0o700))
	check(t, os.WriteFile(filepath.Join(left, "99"), []byte("x"), 0o600))
	check(t, whole.Folder(disk.System{}, place, files))
	only(t, dir+"/steps/01", "leaf", "one")
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("beside the folder lie %v", entries)
	}
	if err := whole.Folder(disk.System{}, place, files); !errors.Is(err, whole.ErrNotEmpty) {
		t.Errorf("a folder with files gives %v", err)
	}
	check(t, os.RemoveAll(filepath.Join(place, "01")))
	files[0].Mode = 0o600
	check(t, whole.Folder(disk.System{}, place, files)) // an empty one is as good as none
	if info, err := os.Stat(filepath.Join(place, "01", "leaf")); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if err := whole.Folder(disk.System{}, filepath.Join(dir, "out"), []whole.Text{{Path: "../escaped"}}); err == nil {
		t.Error("a file leads out of the folder")
	}
	t.Chdir(filepath.Join(dir, "steps", "01"))
	check(t, os.Remove("leaf"))
	if err := whole.Folder(disk.System{}, ".", files); err == nil {
		t.Error("the folder that the program runs in is replaced")
	}
}
