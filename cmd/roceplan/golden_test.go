package main

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	examples = "../../examples"
	golden   = "../../golden"
)

// notExamples are the folders of golden/ that belong to other tests.
var notExamples = []string{"diag", "script", "chips"}

// Every example compiles to what golden/<example> holds, to the byte. An example
// without a golden fails, and so does a golden without an example.
func TestExamples(t *testing.T) {
	names := folders(t, examples)
	for _, name := range folders(t, golden) {
		if !slices.Contains(notExamples, name) && !slices.Contains(names, name) {
			if *update {
				check(t, os.RemoveAll(filepath.Join(golden, name)))
				continue
			}
			t.Errorf("golden/%s belongs to no example; is the example gone, or is it another test's folder?", name)
		}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) { testExample(t, name) })
	}
}

func testExample(t *testing.T, name string) {
	out := filepath.Join(t.TempDir(), "out")
	if *update {
		out = filepath.Join(golden, name)
	}
	// The first run writes, the second has nothing to say: output is stable, and what
	// is written is what --check compares with.
	compile(t, filepath.Join(examples, name), out)
	compile(t, filepath.Join(examples, name), out, "--check")
	want, err := tree(filepath.Join(golden, name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("there is no golden/%s; run go test ./cmd/roceplan -update and read what it wrote", name)
	}
	check(t, err)
	got, err := tree(out)
	check(t, err)
	for _, path := range slices.Sorted(maps.Keys(got)) {
		if diff := cmp.Diff(lines(want[path]), lines(got[path])); diff != "" {
			t.Errorf("golden/%s/%s (-golden +compiled):\n%s", name, path, diff)
		}
		delete(want, path)
	}
	for path := range want {
		t.Errorf("golden/%s/%s is not compiled any more", name, path)
	}
}

// compile runs the command on a folder and fails on an exit code other than 0.
func compile(t testing.TB, example, out string, flags ...string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args := append([]string{"compile", example, "-o", out}, flags...)
	if code := run(args, nil, &stdout, &stderr, func(string) string { return "" }); code != exitFine {
		t.Fatalf("roceplan %s: exit code %d\n%s%s", strings.Join(args, " "), code, &stdout, &stderr)
	}
}

// tree reads all files below a folder.
func tree(root string) (map[string]string, error) {
	files := make(map[string]string)
	return files, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		below, _ := filepath.Rel(root, path)
		files[filepath.ToSlash(below)] = string(text)
		return err
	})
}

func folders(t *testing.T, root string) []string {
	entries, err := os.ReadDir(root)
	check(t, err)
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

func lines(s string) []string { return strings.SplitAfter(s, "\n") }

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
