package ci

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
)

// A release is installed if its archive has the digest that the release lists, and not otherwise.
func TestInstall(t *testing.T) {
	for _, tool := range []string{"bash", "curl", "tar"} {
		oracle.Command(t, tool, tool)
	}
	served := t.TempDir()
	server := httptest.NewServer(http.FileServer(http.Dir(served)))
	defer server.Close()
	name := fmt.Sprintf("roceplan_1.2.3_%s_%s", runtime.GOOS, runtime.GOARCH)
	write(t, filepath.Join(served, name, "roceplan"), "the program")
	archive := filepath.Join(served, "v1.2.3", name+".tar.gz")
	must.Do(t, os.MkdirAll(filepath.Dir(archive), 0o777))
	if out, err := exec.Command("tar", "-czf", archive, "-C", served, name).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// gh replaces GitHub's program: it accepts what the test says.
	tools := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(tools, "gh"), []byte("#!/bin/sh\ntest \"$1 $2 $4 $5\" = 'attestation verify --repo roceplan/roceplan' && exit \"$ATTESTED\"\nexit 3\n"), 0o700))
	digest := fmt.Sprintf("%x", sha256.Sum256([]byte(read(t, archive))))
	wrong := fmt.Sprintf("%x", sha256.Sum256(nil))
	for sums, fine := range map[string]bool{
		digest + "  " + name + ".tar.gz\n":                              true,
		wrong + "  other.tar.gz\n" + digest + "  " + name + ".tar.gz\n": true,
		wrong + "  " + name + ".tar.gz\n":                               false,
		digest + "  other.tar.gz\n":                                     false,
		"":                                                              false,
	} {
		write(t, filepath.Join(served, "v1.2.3", "SHA256SUMS"), sums)
		to := filepath.Join(t.TempDir(), "bin")
		c := exec.Command("./install", to, "v1.2.3")
		c.Env = append(os.Environ(), "ROCEPLAN_RELEASES="+server.URL, "PATH="+tools+":"+os.Getenv("PATH"), "ATTESTED=0")
		out, err := c.CombinedOutput()
		_, missing := os.Stat(filepath.Join(to, "roceplan"))
		if (err == nil) != fine || (missing == nil) != fine {
			t.Errorf("digests %q: %v, %v\n%s", sums, err, missing, out)
		}
	}
	// Digests that fit are not enough: the attestation is another's to give, and a digest that is pinned.
	write(t, filepath.Join(served, "v1.2.3", "SHA256SUMS"), digest+"  "+name+".tar.gz\n")
	alone := t.TempDir() // the tools without gh
	for _, tool := range []string{"bash", "curl", "tar", "gzip", "uname", "mkdir", "mktemp", "rm", "grep", "sha256sum", "shasum", "perl"} {
		if path, err := exec.LookPath(tool); err == nil {
			must.Do(t, os.Symlink(path, filepath.Join(alone, tool)))
		}
	}
	for _, tried := range []struct {
		path, attested, pinned string
		fine                   bool
	}{
		{tools + ":" + os.Getenv("PATH"), "1", "", false},
		{tools + ":" + os.Getenv("PATH"), "1", digest, true},
		{tools + ":" + os.Getenv("PATH"), "0", wrong, false},
		{alone, "", "", false},
		{alone, "", wrong, false},
		{alone, "", digest, true},
	} {
		to := filepath.Join(t.TempDir(), "bin")
		c := exec.Command("./install", to, "v1.2.3")
		c.Env = append(os.Environ(), "ROCEPLAN_RELEASES="+server.URL, "PATH="+tried.path, "ATTESTED="+tried.attested, "ROCEPLAN_SHA256="+tried.pinned)
		out, err := c.CombinedOutput()
		if _, missing := os.Stat(filepath.Join(to, "roceplan")); (err == nil) != tried.fine || (missing == nil) != tried.fine {
			t.Errorf("%+v: %v, %v\n%s", tried, err, missing, out)
		}
	}
}
