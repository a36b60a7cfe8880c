package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/target"
)

// The hooks of pre-commit run when a file is edited that the command reads or wrote, and not
// for those that it takes for no configuration.
func TestHooksSeeTheFiles(t *testing.T) {
	t.Chdir("../..")
	hooks := hookPatterns(t)
	expect := func(hook, file string, want bool) {
		t.Helper()
		pattern, ok := hooks[hook]
		if !ok {
			t.Fatalf("there is no hook %s", hook)
		}
		if pattern.MatchString(file) != want {
			t.Errorf("%s sees %s: %v, want %v", hook, file, !want, want)
		}
	}
	written := []string{"leaf-1/" + roceplan.ModelFile}
	for _, target := range target.All() {
		for _, form := range target.Forms {
			file := "configs/leaf-1/" + form.File
			written = append(written, file)
			expect("roceplan-audit", file, form.Name == emit.Full || form.Name == "overlay")
		}
	}
	err := fs.WalkDir(os.DirFS(golden), ".", func(path string, d fs.DirEntry, err error) error {
		if top, _, _ := strings.Cut(path, "/"); err == nil && !d.IsDir() && slices.Contains(fabrics(t, examples), top) {
			written = append(written, path)
		}
		return err
	})
	check(t, err)
	for _, file := range written {
		expect("roceplan-compile", file, true)
	}
	for _, file := range glob(t, filepath.Join(examples, "*", "*")) {
		if ext := filepath.Ext(file); ext == ".hcl" || ext == ".csv" {
			expect("roceplan-check", file, true)
			expect("roceplan-compile", file, true)
			expect("roceplan-fmt", file, ext == ".hcl")
		}
	}
	for _, table := range []string{"rack.json", "rack.yaml", "rack.yml"} { // jsondecode, yamldecode
		expect("roceplan-check", table, true)
		expect("roceplan-compile", table, true)
	}
	expect("roceplan-audit", "running-config", true)
	expect("roceplan-audit", roceplan.ModelFile, false)
}

// hookPatterns are the patterns of files by the hooks' IDs.
func hookPatterns(t *testing.T) map[string]*regexp.Regexp {
	text, err := os.ReadFile(".pre-commit-hooks.yaml")
	check(t, err)
	var list []struct {
		ID    string `yaml:"id"`
		Files string `yaml:"files"`
	}
	check(t, yaml.Load(text, &list))
	patterns := map[string]*regexp.Regexp{}
	for _, hook := range list {
		patterns[hook.ID] = regexp.MustCompile(hook.Files)
	}
	return patterns
}
