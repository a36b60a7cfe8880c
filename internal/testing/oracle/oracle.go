// Package oracle finds what tests compare roceplan with: published tables, YANG
// models, validators.
//
// Figures, which are numbers and names, are part of the project (folder figures). Other
// people's files are not: a folder shared/ beside the checkout has them, or the one that
// ROCEPLAN_SHARED names; .ci/fetch-truth gets those that are public.
//
// A laptop without them skips the test and says why. Continuous integration (CI
// set in the environment) fails it: there, a test that did not run is a lie. Only what
// the folder's own list ABSENT says cannot be had is skipped there too.
package oracle

import (
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Figures returns the path of a table of figures, which every clone has.
func Figures(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(root(), "internal", "testing", "oracle", "figures", name)
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// Rows returns the lines of a CSV table of figures by the names of its columns.
func Rows(t testing.TB, name string) []map[string]string {
	t.Helper()
	file, err := os.Open(Figures(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	rows := make([]map[string]string, len(lines)-1)
	for i, line := range lines[1:] {
		rows[i] = make(map[string]string, len(line))
		for j, column := range lines[0] {
			rows[i][column] = line[j]
		}
	}
	return rows
}

// Data returns the path of a file below shared/data, or ends the test.
func Data(t testing.TB, name string) string { return Shared(t, filepath.Join("data", name)) }

// Shared returns the path of a file or folder below shared/, or ends the test.
func Shared(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(folder(), name)
	if _, err := os.Stat(path); err != nil {
		if why, ok := absent(name); ok {
			t.Skip(why)
		}
		Missing(t, "outside truth "+name+" is not here; set ROCEPLAN_SHARED to the folder that holds it")
	}
	return path
}

// Command returns the path of a program that a test compares with, or ends the test.
func Command(t testing.TB, name, debianPackage string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(t, name+" is not installed (Debian: "+debianPackage+")")
	}
	return path
}

// absent looks a file up in the list of what the folder cannot have: each line a path, a
// tab and the reason. A path covers what is below it.
func absent(name string) (why string, ok bool) {
	list, err := os.ReadFile(filepath.Join(folder(), "ABSENT"))
	if err != nil {
		return "", false
	}
	for line := range strings.Lines(string(list)) {
		path, why, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if ok && (name == path || strings.HasPrefix(name, path+"/")) {
			return "outside truth " + name + " is not here: " + why, true
		}
	}
	return "", false
}

func folder() string {
	if dir := os.Getenv("ROCEPLAN_SHARED"); dir != "" {
		return dir
	}
	return filepath.Join(root(), "..", "shared")
}

// InModule returns the path of a file of the module.
func InModule(name string) string { return filepath.Join(root(), filepath.FromSlash(name)) }

// root returns the folder of the module. Built with -trimpath, this file does not know where it stands; then
// it is the first folder with a go.mod above the one that a test runs in.
func root() string {
	if _, self, _, _ := runtime.Caller(0); filepath.IsAbs(self) {
		return filepath.Join(filepath.Dir(self), "..", "..", "..")
	}
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
	}
}

// Missing ends a test that lacks something of the machine that it runs on.
func Missing(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(why)
	}
	t.Skip(why)
}
