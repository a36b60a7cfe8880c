package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/oracle"
)

func TestWithoutGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	err := checkout(&terminal{Context: context.Background()}, "HEAD", ".", t.TempDir())
	if want := "--git needs the program git, which is not installed"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// Files of a revision cannot be written outside of a folder.
func TestUnpackStaysInside(t *testing.T) {
	for _, files := range [][]blob{
		{{name: "../out", text: []byte("x")}},
		{{name: "link", link: true, text: []byte("..")}, {name: "link/out", text: []byte("x")}},
	} {
		parent := t.TempDir()
		into := filepath.Join(parent, "in")
		check(t, os.Mkdir(into, 0o777))
		if err := unpack(files, into); err == nil || !strings.Contains(err.Error(), "escapes") {
			t.Errorf("%s: %v", files[0].name, err)
		}
		if _, err := os.Stat(filepath.Join(parent, "out")); err == nil {
			t.Errorf("%s got out", files[0].name)
		}
	}
}

// What the configuration of a repository names is not run.
func TestGitRunsNothing(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		oracle.Missing(t, "git is not installed")
	}
	folder := t.TempDir()
	repo, canary := filepath.Join(folder, "repo"), filepath.Join(folder, "canary")
	for name, text := range map[string]string{"fabric.hcl": watchedPod, ".gitattributes": "*.hcl filter=evil diff=evil export-subst\n"} {
		check(t, os.MkdirAll(repo, 0o777))
		check(t, os.WriteFile(filepath.Join(repo, name), []byte(text), 0o666))
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		cmd.Dir = repo
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "before")
	for _, name := range []string{"core.fsmonitor", "core.pager", "core.sshCommand", "core.gitProxy", "diff.external", "diff.evil.textconv", "diff.evil.command", "filter.evil.smudge", "filter.evil.clean", "filter.evil.process", "tar.tar.command"} {
		git("config", name, "touch '"+canary+"'; cat")
	}
	fabric := filepath.Join(repo, "fabric.hcl")
	if out, err := output(t, "diff", "--git", "HEAD", fabric); err != nil || !strings.Contains(out, "no difference") {
		t.Errorf("%s, %v", out, err)
	}
	if _, err := os.Stat(canary); err == nil {
		t.Error("git ran a program that the repository names")
	}
	// A file that the repository lacks is not fetched.
	git("config", "extensions.partialClone", "evil")
	git("config", "remote.evil.url", "ssh://nowhere.invalid/x")
	git("config", "remote.evil.promisor", "true")
	objects, err := filepath.Glob(filepath.Join(repo, ".git", "objects", "??", "*"))
	check(t, err)
	for _, object := range objects {
		kind, err := exec.Command("git", "-C", repo, "cat-file", "-t", filepath.Base(filepath.Dir(object))+filepath.Base(object)).Output()
		check(t, err)
		if strings.TrimSpace(string(kind)) == "blob" {
			check(t, os.Remove(object))
		}
	}
	if _, err := output(t, "diff", "--git", "HEAD", fabric); err == nil {
		t.Error("a fabric that is not there is compared")
	}
	if _, err := os.Stat(canary); err == nil {
		t.Error("git fetched by a program that the repository names")
	}
}

// How the switches and ports of a fabric are spread over blocks is not a difference.
func TestRegroupingIsNoDifference(t *testing.T) {
	example := filepath.Join("../..", examples, "ucloud-pod", "fabric.hcl")
	text, err := os.ReadFile(example)
	check(t, err)
	fabric := string(text)
	tors, rest, _ := strings.Cut(fabric, `switch "leaf-[1..8]"`)
	head, tors, _ := strings.Cut(tors, `switch "tor-[01..16]"`)
	servers := tors[strings.Index(tors, `  port_group "servers"`):strings.Index(tors, `  port_group "uplinks"`)]
	for name, text := range map[string]string{
		"two blocks of switches": head + `switch "tor-[01..08]"` + tors + `switch "tor-[09..16]"` + tors + `switch "leaf-[1..8]"` + rest,
		"two groups of ports": strings.Replace(fabric, servers,
			strings.Replace(servers, "0..31", "0..15", 1)+strings.Replace(strings.Replace(servers, "0..31", "16..31", 1), `"servers"`, `"more"`, 1), 1),
		"other names of groups": strings.ReplaceAll(strings.ReplaceAll(fabric, `"uplinks"`, `"up"`), `"tors"`, `"down"`),
	} {
		var stdout, stderr strings.Builder
		code := run([]string{"diff", example, "-"}, strings.NewReader(text), &stdout, &stderr, func(string) string { return "" })
		if code != exitFine || text == fabric {
			t.Errorf("%s: exit code %d\n%s%s", name, code, stdout.String(), stderr.String())
		}
	}
}

// What a fabric compiles to is not a difference from it, for all targets and in both directions,
// though no format holds all that a fabric says.
func TestFilesAreNoDifferenceFromTheirFabric(t *testing.T) {
	t.Chdir("../..")
	for _, example := range fabrics(t, examples) {
		fabric, configs := filepath.Join(examples, example), filepath.Join(t.TempDir(), example)
		var out strings.Builder
		if code := run([]string{"compile", fabric, "-o", configs, "--no-verify"}, strings.NewReader(""), &out, &out, func(string) string { return "" }); code != exitFine {
			t.Fatalf("%s: exit code %d\n%s", example, code, out.String())
		}
		for _, sides := range [][2]string{{configs, fabric}, {fabric, configs}} {
			out.Reset()
			code := run([]string{"diff", sides[0], sides[1]}, strings.NewReader(""), &out, &out, func(string) string { return "" })
			if code != exitFine || !strings.HasPrefix(out.String(), "no difference on ") {
				t.Errorf("%s: exit code %d\n%.2000s", example, code, out.String())
			}
		}
	}
}
