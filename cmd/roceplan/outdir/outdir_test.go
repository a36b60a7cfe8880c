package outdir

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// tree has one shape of the given devices with one file that says text.
func tree(text string, names ...string) Tree {
	body := emit.NewBody([]byte("hostname " + emit.Mark + "\n" + text + "\n"))
	return Tree{Fabric: "pod", Shapes: []Shape{{names, func() ([]emit.File, error) {
		return []emit.File{{Path: "eos.cfg", Body: body}}, nil
	}}}}
}

func write(t *testing.T, tree Tree, dir string) Changes {
	t.Helper()
	changes := must.Get(tree.Write(t.Context(), dir, nil))(t)
	return changes
}

// contents reads all files below dir.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	must.Do(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		if rel != ManifestName {
			files[rel] = string(text)
		}
		return err
	}))
	return files
}

func TestWriteThenChange(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "out")
	steps := []struct {
		tree Tree
		want Changes
	}{
		{tree("one", "a", "b", "c"), Changes{Created: 3}},
		{tree("one", "a", "b", "c"), Changes{Unchanged: 3}},
		{tree("two", "a", "b", "d"), Changes{Created: 1, Changed: 2, Removed: 1}},
		{tree("two", "b"), Changes{Unchanged: 1, Removed: 2}},
	}
	for i, step := range steps {
		foreseen, err := step.tree.Diff(t.Context(), dir, new(strings.Builder), nil)
		if err != nil || foreseen != step.want {
			t.Errorf("step %d: Diff foresees %v, %v, want %v", i, foreseen, err, step.want)
		}
		must.Equalf(t, write(t, step.tree, dir), step.want, "step %d: Write tells", i)
	}
	must.NoDiff(t, cmp.Diff(map[string]string{"b/eos.cfg": "hostname b\ntwo\n"}, contents(t, dir)))
	if left, _ := filepath.Glob(filepath.Join(dir, ".roceplan-*")); left != nil {
		t.Errorf("staging folders are left: %v", left)
	}
}

func TestWriteLeavesOtherFilesAlone(t *testing.T) {
	dir := t.TempDir()
	write(t, tree("one", "a", "b"), dir)
	for _, path := range []string{"notes.txt", "a/notes.txt"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, path), []byte("mine"), 0o666))
	}
	write(t, tree("one", "b"), dir)
	want := map[string]string{"notes.txt": "mine", "a/notes.txt": "mine", "b/eos.cfg": "hostname b\none\n"}
	must.NoDiff(t, cmp.Diff(want, contents(t, dir)))
}

func TestUnchangedFileIsNotTouched(t *testing.T) {
	dir := t.TempDir()
	write(t, tree("one", "a"), dir)
	for _, name := range []string{"a/eos.cfg", ManifestName} {
		before := must.Get(os.Stat(filepath.Join(dir, name)))(t)
		write(t, tree("one", "a"), dir)
		after, err := os.Stat(filepath.Join(dir, name))
		if err != nil || !os.SameFile(before, after) || before.ModTime() != after.ModTime() {
			t.Errorf("%s was written again", name)
		}
	}
}

func TestBadNamesWriteNothing(t *testing.T) {
	for _, name := range []string{"", ".", "..", "../a", "a/b", "/a", ".hidden"} {
		dir := filepath.Join(t.TempDir(), "out")
		if _, err := tree("one", "ok", name).Write(t.Context(), dir, nil); err == nil {
			t.Errorf("a device called %q was accepted", name)
		}
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("after %q the output directory exists", name)
		}
	}
	if _, err := tree("one", "a", "a").Write(t.Context(), t.TempDir(), nil); err == nil {
		t.Error("two devices of one name were accepted")
	}
}

func TestManifestCannotReachOutside(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "out")
	write(t, tree("one", "a"), dir)
	victim := filepath.Join(root, "victim")
	must.Do(t, os.WriteFile(victim, []byte("mine"), 0o666))
	forged := manifest{Version: 1, Shapes: []manifestShape{
		{[]string{"victim"}, []string{".."}}, {[]string{"../../victim"}, []string{"a"}},
	}}
	must.Do(t, os.WriteFile(filepath.Join(dir, ManifestName), forged.encode(), 0o666))
	write(t, tree("one", "a"), dir)
	if _, err := os.Stat(victim); err != nil {
		t.Error(err)
	}
}

func TestErrorsWriteNothing(t *testing.T) {
	dir := t.TempDir()
	write(t, tree("one", "a", "b"), dir)
	must.Do(t, os.Mkdir(filepath.Join(dir, "c"), 0o777))
	must.Do(t, os.Mkdir(filepath.Join(dir, "c", "eos.cfg"), 0o777))
	before := contents(t, dir)
	if _, err := tree("two", "a", "b", "c").Write(t.Context(), dir, nil); err == nil {
		t.Error("a directory in the place of a file was accepted")
	}
	faults := tree("two", "a")
	rendered := 0
	for _, name := range []string{"x", "y"} {
		faults.Shapes = append(faults.Shapes, Shape{[]string{name}, func() ([]emit.File, error) {
			rendered++
			return nil, errors.New("cannot say it")
		}})
	}
	if _, err := faults.Diff(t.Context(), dir, new(strings.Builder), nil); err == nil || rendered != 2 {
		t.Errorf("two shapes that cannot be rendered gave %v after %d calls", err, rendered)
	}
	if _, err := faults.Write(t.Context(), dir, nil); err == nil {
		t.Error("a shape that cannot be rendered was accepted")
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := tree("two", "a", "b").Write(stopped, dir, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled run gave %v", err)
	}
	must.NoDiff(t, cmp.Diff(before, contents(t, dir)))
	if left, _ := filepath.Glob(filepath.Join(dir, ".roceplan-*")); left != nil {
		t.Errorf("staging folders are left: %v", left)
	}
}

func TestDiffIsUnified(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, tree("one", "a", "gone"), "out")
	var out strings.Builder
	must.Get(tree("two", "a", "new").Diff(t.Context(), "out", &out, nil))(t)
	want := `--- out/a/eos.cfg
+++ out/a/eos.cfg
@@ -1,2 +1,2 @@
 hostname a
-one
+two
--- /dev/null
+++ out/new/eos.cfg
@@ -0,0 +1,2 @@
+hostname new
+two
--- out/gone/eos.cfg
+++ /dev/null
@@ -1,2 +0,0 @@
-hostname gone
-one
`
	must.NoDiff(t, cmp.Diff(want, out.String()))
}

// BenchmarkWrite writes fresh directories of three files per device, 100 kB each.
func BenchmarkWrite(b *testing.B) {
	text := strings.Repeat("interface Ethernet1/1 is told what it was told before\n", 1900)
	body := emit.NewBody([]byte("hostname " + emit.Mark + "\n" + text))
	t := Tree{Fabric: "pod", Shapes: []Shape{{nil, func() ([]emit.File, error) {
		return []emit.File{{Path: "config_db.json", Body: body}, {Path: "eos.cfg", Body: body}, {Path: "openconfig.json", Body: body}}, nil
	}}}}
	for i := range 1000 {
		t.Shapes[0].Names = append(t.Shapes[0].Names, fmt.Sprintf("leaf-%04d", i))
	}
	for b.Loop() {
		dir := filepath.Join(b.TempDir(), "out")
		must.Get(t.Write(b.Context(), dir, nil))(b)
		b.StopTimer()
		must.Do(b, os.RemoveAll(dir))
		b.StartTimer()
	}
}

// A file that is not ours and in the way stops everything, unless it says the same
// already, or is to be replaced.
func TestForeignFiles(t *testing.T) {
	dir := t.TempDir()
	mine := map[string]string{filepath.Join("a", "eos.cfg"): "mine\n", filepath.Join("b", "eos.cfg"): "hostname b\none\n"}
	for path, text := range mine {
		must.Do(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o777))
		must.Do(t, os.WriteFile(filepath.Join(dir, path), []byte(text), 0o666))
	}
	all := tree("one", "a", "b", "c")
	foreign := new(Foreign)
	_, err := all.Write(t.Context(), dir, nil)
	if !errors.As(err, &foreign) || !cmp.Equal(foreign.Paths, []string{filepath.Join(dir, "a", "eos.cfg")}) {
		t.Errorf("%v, want a/eos.cfg refused", err)
	}
	must.NoDiffIn(t, cmp.Diff(mine, contents(t, dir)), "a refused Write changed the directory:")
	all.Force = true
	must.Equal(t, write(t, all, dir), Changes{Created: 1, Changed: 1, Unchanged: 1})
	// They are ours from now on.
	must.Equal(t, write(t, tree("two", "a", "b", "c"), dir), Changes{Changed: 3})
}

// A difference leads from one text to the other, as lines and as a unified diff, and no shorter one does: the
// fewest lines that come and go are all that are not in the longest common part.
func TestLineEdits(t *testing.T) {
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "{\n", "}\n"}), 0, 12).Draw(t, "lines"), "") + rapid.SampledFrom([]string{"", "a", "x"}).Draw(t, "end")
	})
	rapid.Check(t, func(t *rapid.T) {
		was, is := text.Draw(t, "was"), text.Draw(t, "is")
		edits := lineEdits(was, is)
		if got, err := udiff.Apply(was, edits); err != nil || got != is {
			t.Fatalf("%q becomes %q, not %q: %v", was, got, is, err)
		}
		a, b := linesOf(was), linesOf(is)
		if want := len(a) + len(b) - 2*common(a, b); len(edits) != want {
			t.Fatalf("from %q to %q %d lines come or go, want %d", was, is, len(edits), want)
		}
	})
}

// common is how long the longest common part of two texts is, by its definition.
func common(a, b []string) int {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	if a[0] == b[0] {
		return 1 + common(a[1:], b[1:])
	}
	return max(common(a[1:], b), common(a, b[1:]))
}

// Of a file of 20,000 lines with 172 others, 172 come and 172 go.
func TestManyLineEdits(t *testing.T) {
	var was, is strings.Builder
	for i := range 20_000 {
		line := strings.Repeat("x", i%7) + "\n"
		was.WriteString(line)
		if i%116 == 58 && i < 172*116 {
			line = "other\n"
		}
		is.WriteString(line)
	}
	if edits := lineEdits(was.String(), is.String()); len(edits) != 2*172 {
		t.Errorf("%d lines come or go, want %d", len(edits), 2*172)
	}
}

// The folder of a device that is a link is refused, and nothing is written, neither here
// nor where the link leads.
func TestLinkedFolderIsRefused(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(dir, "a")); err != nil {
		oracle.Missing(t, "no symbolic links here: "+err.Error())
	}
	_, err := tree("one", "a", "b").Write(t.Context(), dir, nil)
	if err == nil || !strings.Contains(err.Error(), "symbolic link") {
		t.Errorf("a linked folder gives %v", err)
	}
	for _, folder := range []string{elsewhere, filepath.Join(dir, "b")} {
		if left, _ := os.ReadDir(folder); len(left) > 0 {
			t.Errorf("%s holds %v", folder, left)
		}
	}
}

// So are folders below it, and those of devices that are gone: a file would be written, or
// removed, elsewhere.
func TestLinksOnTheWay(t *testing.T) {
	body := emit.NewBody([]byte("x\n"))
	nested := Tree{Shapes: []Shape{{[]string{"hosts"}, func() ([]emit.File, error) {
		return []emit.File{{Path: "cx7/roce.sh", Body: body}}, nil
	}}}}
	for what, next := range map[string]Tree{"written": nested, "removed": tree("one", "a")} {
		dir, elsewhere := t.TempDir(), t.TempDir()
		write(t, nested, dir)
		linked := filepath.Join(dir, "hosts", "cx7")
		script := filepath.Join(elsewhere, "roce.sh")
		for _, err := range []error{os.RemoveAll(linked), os.WriteFile(script, []byte("mine\n"), 0o600), os.Symlink(elsewhere, linked)} {
			if err != nil {
				oracle.Missing(t, err.Error())
			}
		}
		_, err := next.Write(t.Context(), dir, nil)
		if err == nil || !strings.Contains(err.Error(), "symbolic link") {
			t.Errorf("%s: a link on the way gives %v", what, err)
		}
		if text, err := os.ReadFile(script); err != nil || string(text) != "mine\n" {
			t.Errorf("%s: elsewhere is %q, %v", what, text, err)
		}
	}
}
