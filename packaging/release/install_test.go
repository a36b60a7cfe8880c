package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// What a proxy would serve of the tagged revision is a module that go install takes, and the
// program knows its version by it.
func TestGoInstall(t *testing.T) {
	if os.Getenv("CI") == "" && !*full {
		t.Skip("it needs git and modules of the network: make release-check")
	}
	proxy, err := filepath.Abs(t.TempDir())
	check(t, err)
	publish(t, clone(t, "../..", "a"), proxy)
	if !*full {
		return // what it refuses is found by then; to build the program once more takes a minute
	}
	bin := t.TempDir()
	// The modules that are here already, in a cache of its own, so that nothing of ours stays in the user's.
	here := strings.TrimSpace(command(t, ".", "go", "env", "GOMODCACHE"))
	c := exec.Command("go", "install", "-trimpath", "github.com/roceplan/roceplan/cmd/roceplan@latest")
	c.Dir = bin
	c.Env = append(os.Environ(), "GOBIN="+bin, "GOMODCACHE="+t.TempDir(), "GOFLAGS=-modcacherw", "GOSUMDB=off",
		"GOPROXY=file://"+proxy+",file://"+filepath.Join(here, "cache/download"))
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := command(t, bin, "./roceplan", "--version"); !strings.HasPrefix(got, "roceplan v1.2.3 go") {
		t.Errorf("the program says that it is %s", got)
	}
}

// publish lays out the one version of a repository as a module proxy does: https://go.dev/ref/mod#goproxy-protocol.
func publish(t *testing.T, repository, proxy string) {
	t.Helper()
	version := module.Version{Path: "github.com/roceplan/roceplan", Version: "v1.2.3"}
	var archive bytes.Buffer
	check(t, zip.CreateFromVCS(&archive, version, repository, version.Version, ""))
	requirements, err := os.ReadFile(filepath.Join(repository, "go.mod"))
	check(t, err)
	parsed, err := modfile.Parse("go.mod", requirements, nil)
	check(t, err)
	if n := len(parsed.Replace); n > 0 {
		t.Fatalf("go install takes no module with a replace directive, and this one has %d", n)
	}
	dir := filepath.Join(proxy, version.Path, "@v")
	check(t, os.MkdirAll(dir, 0o777))
	for name, data := range map[string][]byte{
		"list": []byte(version.Version + "\n"), version.Version + ".zip": archive.Bytes(), version.Version + ".mod": requirements,
		version.Version + ".info": []byte(`{"Version": "v1.2.3", "Time": "2026-01-02T03:04:05Z"}`),
	} {
		check(t, os.WriteFile(filepath.Join(dir, name), data, 0o666))
	}
}
