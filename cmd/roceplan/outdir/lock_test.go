package outdir

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// While one run writes, another one is told who does, and leaves everything alone.
func TestOneWriterAtATime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	release, _, err := lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	var busy *Busy
	if _, err := tree("a", "leaf").Write(t.Context(), dir, nil); !errors.As(err, &busy) || busy.PID != os.Getpid() {
		t.Fatalf("%v", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the other run has written")
	}
	release()
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
			for range 20 {
				var busy *Busy
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
