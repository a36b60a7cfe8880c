package goldentest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/must"
)

const manifest = `{"shapes": [{"files": ["a.cfg", "b/c.json"], "switches": ["leaf-1", "leaf-10"]}, {"files": ["a.cfg"], "switches": ["spine"]}]}`

func compiled() Files {
	return Files{
		".roceplan.json":    manifest,
		"leaf-1/a.cfg":      "hostname leaf-1\npeer my-leaf-1 leaf-11 spine\n",
		"leaf-1/b/c.json":   `{"name": "leaf-1"}`,
		"leaf-10/a.cfg":     "hostname leaf-10\npeer my-leaf-1 leaf-11 spine\n",
		"leaf-10/b/c.json":  `{"name": "leaf-10"}`,
		"spine/a.cfg":       "hostname spine\n",
		"hosts/cx7/roce.sh": "#!/bin/sh\n",
	}
}

// write puts files into a folder of their own.
func write(t *testing.T, files Files) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, text := range files {
		to := filepath.Join(folder, name)
		must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(to), 0o777), os.WriteFile(to, []byte(text), 0o666)))
	}
	return folder
}

func TestFoldedAndWhole(t *testing.T) {
	folded := must.Get(compiled().Folded())(t)
	if len(folded) != 5 { // without two files of leaf-10
		t.Errorf("folded: %v", folded)
	}
	whole := must.Get(Whole(write(t, folded)))(t)
	must.NoDiffIn(t, cmp.Diff(compiled(), whole), "-compiled +stored:")
}

// A stored folder that says something twice, or lacks something, is refused.
func TestStoredFolderThatIsWrong(t *testing.T) {
	for want, change := range map[string]func(Files){
		"stored twice":                func(f Files) { f["leaf-10/a.cfg"] = "hostname leaf-10\n" },
		"missing":                     func(f Files) { delete(f, "leaf-1/a.cfg") },
		".roceplan.json":              func(f Files) { delete(f, ".roceplan.json") },
		"a shape needs files":         func(f Files) { f[".roceplan.json"] = `{"shapes": [{"files": ["a.cfg"]}]}` },
		"unexpected end of JSON":      func(f Files) { f[".roceplan.json"] = "{" },
		"needs files and switches: {": func(f Files) { f[".roceplan.json"] = `{"shapes": [{"switches": ["leaf-1"]}]}` },
	} {
		stored := must.Get(compiled().Folded())(t)
		change(stored)
		if _, err := Whole(write(t, stored)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q: %v", want, err)
		}
	}
	if _, err := Whole(filepath.Join(t.TempDir(), "gone")); !os.IsNotExist(err) {
		t.Errorf("a folder that is not there: %v", err)
	}
}
