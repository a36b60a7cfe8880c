package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The manifests of examples/cluster say nothing that batch/v1 does not have, by the types that Kubernetes publishes, and a
// field that is written otherwise is found.
func TestManifests(t *testing.T) {
	if os.Getenv("CI") == "" {
		t.Skip("in CI only: it downloads and builds k8s.io/api")
	}
	manifests, err := filepath.Glob("../../examples/cluster/*.yaml")
	if check(t, err); len(manifests) < 2 {
		t.Fatalf("%v", manifests)
	}
	program := filepath.Join(t.TempDir(), "manifests")
	if out, err := exec.Command("go", "-C", "../../internal/manifests", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	validate := func(files ...string) (string, error) {
		out, err := exec.Command(program, files...).CombinedOutput()
		return string(out), err
	}
	if out, err := validate(manifests...); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for was, is := range map[string]string{"completionMode:": "completionmode_:", "completions: 8": "completions: many", "volumeMounts:": "mounts:"} {
		text, err := os.ReadFile(manifests[0])
		check(t, err)
		broken := filepath.Join(t.TempDir(), "broken.yaml")
		check(t, os.WriteFile(broken, []byte(strings.Replace(string(text), was, is, 1)), 0o666))
		if out, err := validate(broken); err == nil || !strings.Contains(out, "document 1") {
			t.Errorf("%s: %v, %s", is, err, out)
		}
	}
}
