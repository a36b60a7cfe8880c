package outdir

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/roceplan/roceplan/cmd/roceplan/whole"
	"github.com/roceplan/roceplan/internal/disk"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// While one run writes, another one reports who does, and changes nothing.
func TestOneWriterAtATime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	stage := must.Get(whole.Open(disk.System{}, dir, ManifestName))(t)
	var busy *whole.Busy
	if _, err := tree("a", "leaf").Write(t.Context(), dir, nil); !errors.As(err, &busy) || busy.PID != os.Getpid() {
		t.Fatalf("%v", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the other run has written")
	}
	must.Do(t, stage.Close())
	write(t, tree("a", "leaf"), dir)
	left, err := filepath.Glob(filepath.Join(filepath.Dir(dir), ".roceplan*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%v is left behind, %v", left, err)
	}
}

// Of many runs at once each writes all or nothing: the directory is one of their trees.
func TestManyWriters(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	texts := []string{"a", "b", "c", "d"}
	var group sync.WaitGroup
	for _, text := range texts {
		group.Go(func() {
			for range 5 {
				var busy *whole.Busy
				if _, err := tree(text, "leaf-1", "leaf-2", "leaf-3").Write(t.Context(), dir, nil); err != nil && !errors.As(err, &busy) {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	files := contents(t, dir)
	if len(files) != 3 {
		t.Fatalf("%v", files)
	}
	one, other := files[filepath.Join("leaf-1", "eos.cfg")], files[filepath.Join("leaf-2", "eos.cfg")]
	if one[len("hostname leaf-1"):] != other[len("hostname leaf-2"):] {
		t.Errorf("two trees are mixed:\n%s\n%s", one, other)
	}
}

// On the system's own file system: a reader who knows nothing of the runs always finds its files,
// and one who holds the folder finds the files of one run, or that the folder is gone.
func TestReaderOfTheSystem(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	write(t, tree("text 0", "leaf-1", "leaf-2"), dir)
	if !exchanges(t, filepath.Dir(dir)) {
		oracle.Missing(t, "this file system cannot exchange two folders")
	}
	var over atomic.Bool
	var group sync.WaitGroup
	read := 0
	group.Go(func() {
		for ; !over.Load() || read < 1000; read++ {
			for _, name := range []string{"leaf-1", "leaf-2"} {
				if _, err := os.ReadFile(filepath.Join(dir, name, "eos.cfg")); err != nil {
					t.Errorf("read %d: %v", read, err)
					return
				}
			}
			root, err := os.OpenRoot(dir)
			if err != nil {
				t.Error(err)
				return
			}
			one, err1 := root.ReadFile("leaf-1/eos.cfg")
			other, err2 := root.ReadFile("leaf-2/eos.cfg")
			root.Close()
			if err1 == nil && err2 == nil && string(one[len("hostname leaf-1"):]) != string(other[len("hostname leaf-2"):]) {
				t.Errorf("one folder has files of two runs:\n%s%s", one, other)
			}
		}
	})
	for i := range 30 {
		write(t, tree([]string{"one text", "another text"}[i%2], "leaf-1", "leaf-2"), dir)
	}
	over.Store(true)
	group.Wait()
}

func exchanges(t *testing.T, dir string) bool {
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for _, err := range []error{os.Mkdir(a, 0o700), os.Mkdir(b, 0o700)} {
		must.Do(t, err)
	}
	err := disk.System{}.Exchange(a, b)
	return errors.Join(err, os.Remove(a), os.Remove(b)) == nil
}

// Where the folder cannot be exchanged for another, the files are renamed one after another: the
// program runs in it, it holds a folder of others, or its owner is another.
func TestFileByFile(t *testing.T) {
	for name, prepare := range map[string]func(dir string) error{
		"in use":     func(dir string) error { t.Chdir(dir); return nil },
		"others":     func(dir string) error { return os.Mkdir(filepath.Join(dir, "docs"), 0o700) },
		"unreadable": func(dir string) error { return os.Chmod(filepath.Dir(dir), 0o500) },
	} {
		dir := filepath.Join(t.TempDir(), "parent", "out")
		write(t, tree("one", "leaf-1", "gone"), dir)
		before, err := os.Stat(dir)
		must.Do(t, errors.Join(err, prepare(dir)))
		write(t, tree("two", "leaf-1", "leaf-2"), dir)
		after, err := os.Stat(dir)
		must.Do(t, errors.Join(err, os.Chmod(filepath.Dir(dir), 0o700)))
		if name != "unreadable" && !os.SameFile(before, after) { // root may write anywhere
			t.Errorf("%s: the folder is another one", name)
		}
		got := contents(t, dir)
		if len(got) != 2 || got["leaf-1/eos.cfg"] != "hostname leaf-1\ntwo\n" || got["leaf-2/eos.cfg"] != "hostname leaf-2\ntwo\n" {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Permissions of the folder and of those in it stay.
func TestPermissionsStay(t *testing.T) {
	if !disk.Locks {
		oracle.Missing(t, "this system has no permissions")
	}
	dir := filepath.Join(t.TempDir(), "out")
	write(t, tree("one", "leaf-1", "leaf-2"), dir)
	for path, mode := range map[string]os.FileMode{"": 0o750, "leaf-1": 0o711, "leaf-2": 0o700} {
		must.Do(t, os.Chmod(filepath.Join(dir, path), mode))
	}
	write(t, tree("two", "leaf-1", "leaf-2"), dir)
	for path, mode := range map[string]os.FileMode{"": 0o750, "leaf-1": 0o711, "leaf-2": 0o700} {
		if info, err := os.Stat(filepath.Join(dir, path)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%q is %v, %v", path, info.Mode(), err)
		}
	}
}

// A file that is not as the manifest lists it is reported: changed by hand, missing.
func TestIntact(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	write(t, tree("one", "a", "b", "c"), dir)
	if list, err := Intact(t.Context(), disk.System{}, dir, 4); err != nil || len(list) > 0 {
		t.Errorf("a fresh directory: %v, %v", list, err)
	}
	must.Do(t, errors.Join(os.WriteFile(filepath.Join(dir, "a", "eos.cfg"), []byte("mine"), 0o600), os.Remove(filepath.Join(dir, "c", "eos.cfg"))))
	list, err := Intact(t.Context(), disk.System{}, dir, 4)
	if err != nil || Sum(list) != filepath.Join("a", "eos.cfg")+" was changed, "+filepath.Join("c", "eos.cfg")+" is missing" {
		t.Errorf("%q, %v", Sum(list), err)
	}
	if list, err := Intact(t.Context(), disk.System{}, t.TempDir(), 4); err != nil || len(list) > 0 {
		t.Errorf("a directory of others: %v, %v", list, err)
	}
}
