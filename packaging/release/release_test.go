package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xeipuuv/gojsonschema"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

var (
	full      = flag.Bool("full", false, "make the release for all platforms")
	platforms = map[bool]string{false: "linux/amd64", true: everywhere}
)

// Two clones in folders of different names, in different time zones, give the same release to the
// byte; it says of itself what it is; and what is in it can be installed, used and taken away.
func TestRelease(t *testing.T) {
	if os.Getenv("CI") == "" && !*full {
		t.Skip("it takes minutes and modules from the network: make release-check")
	}
	dist := filepath.Join(t.TempDir(), "dist")
	first := clone(t, "../..", "a")
	makeRelease(t, first, dist)
	t.Run("reproducible", func(t *testing.T) {
		t.Setenv("TZ", "Asia/Tokyo")
		again := filepath.Join(t.TempDir(), "again")
		makeRelease(t, clone(t, first, "another/folder"), again)
		want, got := digests(t, dist), digests(t, again)
		for name, digest := range want {
			must.Equalf(t, got[name], digest, "%s is different the second time:", name)
		}
		if len(got) != len(want) || len(want) < 6 {
			t.Errorf("%d files, and %d the second time", len(want), len(got))
		}
	})
	t.Run("sums", func(t *testing.T) { command(t, dist, "sha256sum", "--check", "--strict", "SHA256SUMS") })
	t.Run("archive", func(t *testing.T) { testArchive(t, dist) })
	t.Run("bill", func(t *testing.T) { testBill(t, filepath.Join(dist, "roceplan_1.2.3_linux_amd64.cdx.json")) })
	t.Run("deb", func(t *testing.T) { testDeb(t, filepath.Join(dist, "roceplan_1.2.3_amd64.deb")) })
	t.Run("rpm", func(t *testing.T) { testRPM(t, filepath.Join(dist, "roceplan-1.2.3-1.x86_64.rpm")) })
	t.Run("image", func(t *testing.T) { testImage(t, filepath.Join(dist, "roceplan_1.2.3_image.tar")) })
}

// A release is of a tag: without one, or with changes, nothing is made.
func TestReleaseNeedsTag(t *testing.T) {
	for version, fine := range map[string]bool{
		"v1.2.3": true, "v1.2.3-rc.1": true, "(devel)": false, "v1.2.3+dirty": false,
		"v0.0.0-20261122104604-96e2311aaaaa": false, "v1.2.4-0.20261122104604-96e2311aaaaa": false,
	} {
		must.Equalf(t, tagged.MatchString(version) && !pseudo.MatchString(version), fine, "%s may be released:", version)
	}
}

// clone makes a repository with one commit of the files as they are in another, tagged v1.2.3.
func clone(t *testing.T, from, name string) string {
	oracle.Command(t, "git", "git")
	dir := filepath.Join(t.TempDir(), name)
	list := command(t, from, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	for _, path := range strings.Split(strings.TrimRight(list, "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(from, path))
		if os.IsNotExist(err) {
			continue // removed, and not committed yet
		}
		check(t, err)
		to := filepath.Join(dir, path)
		check(t, os.MkdirAll(filepath.Dir(to), 0o777))
		check(t, os.WriteFile(to, text, 0o666))
	}
	for _, name := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+name+"_NAME", "nobody")
		t.Setenv("GIT_"+name+"_EMAIL", "nobody@example.org")
		t.Setenv("GIT_"+name+"_DATE", "2026-01-02T03:04:05Z")
	}
	command(t, dir, "git", "init", "-q", "-b", "main")
	command(t, dir, "git", "add", "-A")
	command(t, dir, "git", "commit", "-q", "-m", "all")
	command(t, dir, "git", "tag", "v1.2.3")
	return dir
}

func makeRelease(t *testing.T, source, out string) {
	t.Helper()
	r := release{source: source, out: out}
	for _, name := range strings.Split(platforms[*full], ",") {
		os, arch, _ := strings.Cut(name, "/")
		r.platforms = append(r.platforms, platform{os, arch})
	}
	check(t, r.make())
}

// mostBytes is what the program stays below: people fetch it in hooks and in CI. The goal is 28,000,000, which it
// kept until published configurations, the watch of devices over TLS and recognition came. Since then SSH for apply
// has cost 0.95 MB, pins and import 0.4, rows of formats 0.15, offers of edits 0.08, runs as flows 0.15, rollouts from
// any state 0.15, certificates of all devices 0.13, more counters and neighbours 0.06, servers that apply changes 0.06,
// sweeps 0.05, import of NX-OS and SR Linux 0.05, checks of routes, links and repairs 0.2, and checks of ends that do not
// meet, profiles of interfaces and NCCL's times 0.1, and policies of routes 0.07; the catalogue is 0.16 smaller, and methods of its data 0.12, which were
// compiled for each type of datum. The Model Context Protocol's SDK is the largest part that could go, 1.7 MB.
const mostBytes = 31_720_000

func testArchive(t *testing.T, dist string) {
	dir := t.TempDir()
	command(t, dir, "tar", "-xzf", filepath.Join(dist, "roceplan_1.2.3_linux_amd64.tar.gz"), "--strip-components=1")
	if got := command(t, dir, "./roceplan", "version"); !strings.HasPrefix(got, "roceplan v1.2.3 go") {
		t.Errorf("the program says that it is %s", got)
	}
	if program, err := os.Stat(filepath.Join(dir, "roceplan")); err != nil || program.Size() >= mostBytes {
		t.Errorf("the program has %d bytes (%v), want fewer than %d: BENCHMARKS.md says what made it smaller before", program.Size(), err, mostBytes)
	}
	for name, want := range map[string]string{
		"LICENSE": "Apache License", "THIRD-PARTY.txt": "Mozilla Public License", "man/man1/roceplan-verify.1": ".TH ROCEPLAN-VERIFY 1 \"2026-01-02\"",
		"completion/roceplan.bash": "complete -o bashdefault",
	} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Contains(text, []byte(want)) {
			t.Errorf("%s has no %q: %v", name, want, err)
		}
	}
}

// testBill checks the bill of materials against CycloneDX's own schema, and what go.mod requires.
func testBill(t *testing.T, path string) {
	var module struct{ Dir string }
	check(t, json.Unmarshal([]byte(command(t, ".", "go", "mod", "download", "-json", "github.com/CycloneDX/cyclonedx-go@v0.12.0")), &module))
	loader := gojsonschema.NewSchemaLoader()
	load := func(name string) gojsonschema.JSONLoader {
		text, err := os.ReadFile(filepath.Join(module.Dir, "schema", name))
		check(t, err)
		return gojsonschema.NewBytesLoader(text)
	}
	const base = "http://cyclonedx.org/schema/"
	check(t, loader.AddSchema(base+"spdx.schema.json", load("spdx.schema.json")))
	check(t, loader.AddSchema(base+"jsf-0.82.schema.json", load("jsf-0.82.schemax.json")))
	schema, err := loader.Compile(load("bom-1.6.schema.json"))
	check(t, err)
	text, err := os.ReadFile(path)
	check(t, err)
	result, err := schema.Validate(gojsonschema.NewBytesLoader(text))
	check(t, err)
	for _, wrong := range result.Errors() {
		t.Error(wrong)
	}
	for _, want := range []string{`"pkg:golang/github.com/hashicorp/hcl/v2@v`, `"pkg:golang/std@1.`, `"pkg:golang/github.com/roceplan/roceplan@v1.2.3"`} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the bill does not name %s", want)
		}
	}
}

// testDeb installs the package below a folder, does what make demo does, and takes it away again.
func testDeb(t *testing.T, deb string) {
	root := newRoot(t)
	dpkg := oracle.Command(t, "dpkg", "dpkg")
	for _, dir := range []string{"info", "updates"} {
		check(t, os.MkdirAll(filepath.Join(root, "var/lib/dpkg", dir), 0o777))
	}
	check(t, os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o666))
	before := tree(t, root)
	command(t, ".", dpkg, "--root="+root, "--install", deb)
	demo(t, root)
	command(t, ".", dpkg, "--root="+root, "--purge", "roceplan")
	if after := tree(t, root); !slices.Equal(before, after) {
		t.Errorf("what was there: %v; what remains: %v", before, after)
	}
}

func testRPM(t *testing.T, rpm string) {
	root := newRoot(t)
	// Folders that a system has; rpm takes away those alone that are the package's own.
	for _, dir := range []string{"bin", "share/doc", "share/man/man1", "share/bash-completion/completions", "share/fish/vendor_completions.d", "share/zsh/site-functions"} {
		check(t, os.MkdirAll(filepath.Join(root, "usr", dir), 0o777))
	}
	program := []string{oracle.Command(t, "rpm", "rpm"), "--root=" + root, "--dbpath=/var/lib/rpm"}
	before := tree(t, root)
	command(t, ".", program[0], append(program[1:], "--install", "--nodeps", rpm)...)
	demo(t, root)
	command(t, ".", program[0], append(program[1:], "--erase", "roceplan")...)
	if after := tree(t, root); !slices.Equal(before, after) {
		t.Errorf("what was there: %v; what remains: %v", before, after)
	}
}

// testImage has the image read by another program, which checks all digests against the content, and
// runs what is in it.
func testImage(t *testing.T, image string) {
	root, dir := newRoot(t), filepath.Join(t.TempDir(), "image")
	command(t, ".", oracle.Command(t, "skopeo", "skopeo"), "--insecure-policy", "--override-os=linux", "--override-arch=amd64", "copy", "--quiet",
		"oci-archive:"+image+":1.2.3", "dir:"+dir)
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	check(t, err)
	var manifest struct{ Layers []struct{ Digest string } }
	check(t, json.Unmarshal(text, &manifest))
	for _, l := range manifest.Layers {
		command(t, root, "tar", "-xzf", filepath.Join(dir, strings.TrimPrefix(l.Digest, "sha256:")))
	}
	compile(t, root)
}

// newRoot is a folder to which a program can be confined, which only root can do.
func newRoot(t *testing.T) string {
	t.Helper()
	oracle.Command(t, "chroot", "coreutils")
	if os.Getuid() != 0 {
		oracle.Missing(t, "only root can install packages")
	}
	return t.TempDir()
}

// demo looks at what was installed, and compiles with it.
func demo(t *testing.T, root string) {
	t.Helper()
	if got := command(t, ".", "chroot", root, "/usr/bin/roceplan", "version"); !strings.HasPrefix(got, "roceplan v1.2.3 go") {
		t.Errorf("the program says that it is %s", got)
	}
	for _, name := range []string{"man/man1/roceplan.1.gz", "doc/roceplan/copyright", "doc/roceplan/THIRD-PARTY.txt", "bash-completion/completions/roceplan"} {
		if _, err := os.Stat(filepath.Join(root, "usr/share", name)); err != nil {
			t.Error(err)
		}
	}
	compile(t, root)
}

// compile does in a root what make demo does, and checks the files against the golden ones.
func compile(t *testing.T, root string) {
	t.Helper()
	work := filepath.Join(root, "pod")
	check(t, os.CopyFS(work, os.DirFS("../../examples/ucloud-pod")))
	command(t, ".", "chroot", root, "/usr/bin/roceplan", "compile", "/pod", "-o", "/pod/out")
	held := 0
	golden := os.DirFS("../../golden/ucloud-pod")
	check(t, fs.WalkDir(golden, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "config_db.json" {
			return err
		}
		want, err := fs.ReadFile(golden, path)
		check(t, err)
		got, err := os.ReadFile(filepath.Join(work, "out", path))
		check(t, err)
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not as in golden/", path)
		}
		held++
		return nil
	}))
	if held == 0 {
		t.Error("no file was compared")
	}
	check(t, os.RemoveAll(work))
}

// tree lists what is below a folder except for the books of dpkg and rpm.
func tree(t *testing.T, root string) (list []string) {
	check(t, fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		if path != "var" {
			list = append(list, path)
			return err
		}
		return fs.SkipDir
	}))
	return list
}

func digests(t *testing.T, dir string) map[string]string {
	all := map[string]string{}
	entries, err := os.ReadDir(dir)
	check(t, err)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		check(t, err)
		all[e.Name()] = fmt.Sprintf("%x", sha256.Sum256(data))
	}
	return all
}

func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir = dir
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, &stderr)
	}
	return string(out)
}

func check(t *testing.T, err error) {
	t.Helper()
	must.Do(t, err)
}
