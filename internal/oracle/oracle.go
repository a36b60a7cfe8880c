// Package oracle finds what tests hold roceplan against: published tables, YANG
// models, validators. They are not part of the project, because most of them are
// other people's files. Beside a checkout lies a folder shared/ with them, or
// ROCEPLAN_SHARED names it.
//
// A laptop without them skips the test and says why. Continuous integration (CI
// set in the environment) fails it: there, a test that did not run is a lie.
package oracle

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// Data returns the path of a file below shared/data, or ends the test.
func Data(t testing.TB, name string) string { return Shared(t, filepath.Join("data", name)) }

// Shared returns the path of a file or folder below shared/, or ends the test.
func Shared(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(folder(), name)
	if _, err := os.Stat(path); err != nil {
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

func folder() string {
	if dir := os.Getenv("ROCEPLAN_SHARED"); dir != "" {
		return dir
	}
	_, self, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(self), "..", "..", "..", "shared")
}

// Missing ends a test that lacks something of the machine that it runs on.
func Missing(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(why)
	}
	t.Skip(why)
}
