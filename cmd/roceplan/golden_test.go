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

	"github.com/aymanbagabas/go-udiff"

	"github.com/roceplan/roceplan/internal/testing/goldentest"
)

// Below the root of the repository, where these tests run.
const (
	examples = "examples"
	golden   = "golden"
	told     = "golden/diag/examples" // what is said while an example compiles
)

// notExamples are the folders of golden/ that belong to other tests.
var notExamples = []string{"diag", "script", "chips", "proof", "ledger", "schema", "emit", "leaves"}

// Every example compiles to what golden/<example> holds, to the byte and for every device,
// and is commented on as golden/diag/examples says. An example without a golden fails, and
// so does a golden without an example.
func TestExamples(t *testing.T) {
	t.Chdir("../..")
	names := fabrics(t, examples)
	for _, name := range folders(t, golden) {
		if !slices.Contains(notExamples, name) && !slices.Contains(names, name) {
			if *update {
				check(t, os.RemoveAll(filepath.Join(golden, name)))
				continue
			}
			t.Errorf("golden/%s belongs to no example; is the example gone, or is it another test's folder?", name)
		}
	}
	for _, file := range glob(t, filepath.Join(told, "*.txt")) {
		if name := strings.TrimSuffix(filepath.Base(file), ".txt"); !slices.Contains(names, name) {
			t.Errorf("%s belongs to no example", file)
		}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) { testExample(t, name) })
	}
}

func testExample(t *testing.T, name string) {
	out := filepath.Join(t.TempDir(), "out")
	// The buffer models beside the files are the matter of TestExamplesAreProved.
	// The first run writes, the second has nothing to say: output is stable, and what
	// is written is what --check compares with.
	findings := compile(t, filepath.Join(examples, name), out, "--no-verify")
	compile(t, filepath.Join(examples, name), out, "--no-verify", "--check")
	compareFindings(t, filepath.Join(told, name+".txt"), findings)
	if *update {
		got, err := goldentest.ReadAll(out)
		check(t, err)
		folded, err := got.Folded()
		check(t, err)
		check(t, os.RemoveAll(filepath.Join(golden, name)))
		for file, text := range folded {
			to := filepath.Join(golden, name, file)
			check(t, os.MkdirAll(filepath.Dir(to), 0o777))
			check(t, os.WriteFile(to, []byte(text), 0o666))
		}
	}
	compareWithGolden(t, name, out)
}

// compareWithGolden checks a compiled folder against golden/<example>.
func compareWithGolden(t *testing.T, name, out string) {
	t.Helper()
	want, err := goldentest.Whole(filepath.Join(golden, name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("there is no golden/%s; run go test ./cmd/roceplan -update and read what it wrote", name)
	}
	check(t, err)
	got, err := goldentest.ReadAll(out)
	check(t, err)
	compareTrees(t, filepath.Join(golden, name), want, got)
}

// compareTrees shows the first files that differ: those of one shape differ alike.
func compareTrees(t *testing.T, root string, want, got goldentest.Files) {
	t.Helper()
	all := maps.Clone(want)
	maps.Copy(all, got)
	told := 0
	for _, path := range slices.Sorted(maps.Keys(all)) {
		if want[path] == got[path] {
			continue
		}
		if told++; told > 2 {
			t.Errorf("and more files of %s differ", root)
			return
		}
		t.Errorf("%s", udiff.Unified(filepath.Join(root, path), "compiled", want[path], got[path]))
	}
}

func compareFindings(t *testing.T, path, findings string) {
	if *update {
		check(t, os.MkdirAll(filepath.Dir(path), 0o777))
		check(t, os.WriteFile(path, []byte(findings), 0o666))
	}
	want, err := os.ReadFile(path)
	check(t, err)
	if string(want) != findings {
		t.Errorf("%s", udiff.Unified(path, "told", string(want), findings))
	}
}

// compile runs the command on a folder, fails on an exit code other than 0, and returns
// the findings.
func compile(t testing.TB, example, out string, flags ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args := append([]string{"compile", example, "-o", out}, flags...)
	if code := run(args, nil, &stdout, &stderr, func(string) string { return "" }); code != exitFine {
		t.Fatalf("roceplan %s: exit code %d\n%s%s", strings.Join(args, " "), code, &stdout, &stderr)
	}
	return stderr.String()
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

// fabrics returns the folders that hold a fabric; there are examples of other things.
func fabrics(t *testing.T, root string) []string {
	var names []string
	for _, file := range glob(t, filepath.Join(root, "*", "fabric.hcl")) {
		names = append(names, filepath.Base(filepath.Dir(file)))
	}
	return names
}

func glob(t *testing.T, pattern string) []string {
	files, err := filepath.Glob(pattern)
	check(t, err)
	return files
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
