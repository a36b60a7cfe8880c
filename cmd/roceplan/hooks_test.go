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
	"github.com/roceplan/roceplan/internal/testing/must"
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
			expect("roceplan-audit", file, slices.Contains([]string{emit.Full, "overlay", "cable-length"}, form.Name))
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

// A hook is one of .pre-commit-hooks.yaml, or what a repository configures of it.
type hook struct {
	ID            string   `yaml:"id"`
	Entry         string   `yaml:"entry"`
	Args          []string `yaml:"args"`
	Files         string   `yaml:"files"`
	PassFilenames *bool    `yaml:"pass_filenames"`
}

func hooks(t *testing.T) (list []hook) {
	text, err := os.ReadFile(".pre-commit-hooks.yaml")
	check(t, err)
	check(t, yaml.Load(text, &list))
	return list
}

// hookPatterns returns the patterns of files by the hooks' IDs.
func hookPatterns(t *testing.T) map[string]*regexp.Regexp {
	patterns := map[string]*regexp.Regexp{}
	for _, h := range hooks(t) {
		patterns[h.ID] = regexp.MustCompile(h.Files)
	}
	return patterns
}

// The configuration that docs/using.md shows works in a repository as it does under pre-commit: a
// commit of a fabric with what it compiles to passes, and one that spoils either fails in the
// hook that is there for it.
func TestHooksInARepository(t *testing.T) {
	t.Chdir("../..")
	configured := configuredHooks(t)
	fabric, err := os.ReadFile(filepath.Join(examples, "ucloud-pod", "fabric.hcl"))
	check(t, err)
	t.Chdir(t.TempDir())
	check(t, os.Mkdir("pod1", 0o777))
	check(t, os.WriteFile("pod1/fabric.hcl", fabric, 0o666))
	if out, code := shell("roceplan compile pod1 -o configs"); code != exitFine {
		t.Fatal(out)
	}
	commit := func(want string, changed ...string) {
		t.Helper()
		var failed []string
		for _, h := range configured {
			if out, code := h.run(changed); code != exitFine {
				failed = append(failed, h.ID)
				t.Logf("%s: exit code %d\n%.300s", h.ID, code, out)
			}
		}
		must.Equalf(t, strings.Join(failed, " "), want, "a commit of %v fails in", changed)
	}
	spoil := func(file, old, new string) (fix func()) {
		text, err := os.ReadFile(file)
		check(t, err)
		changed := strings.Replace(string(text), old, new, 1)
		if changed == string(text) {
			t.Fatalf("%s has no %s", file, old)
		}
		check(t, os.WriteFile(file, []byte(changed), 0o666))
		return func() { check(t, os.WriteFile(file, text, 0o666)) }
	}
	device := "configs/tor-01/config_db.json"
	commit("", "pod1/fabric.hcl", device)
	fix := spoil("pod1/fabric.hcl", `cable  = "15m"`, `cable  = "25m"`)
	commit("roceplan-compile", "pod1/fabric.hcl")
	fix()
	fix = spoil("pod1/fabric.hcl", `cable  = "15m"`, `cable = "15"`)
	commit("roceplan-fmt roceplan-check roceplan-compile", "pod1/fabric.hcl")
	fix()
	fix = spoil(device, `"xoff": "25088"`, `"xoff": "2508"`)
	commit("roceplan-compile roceplan-audit", device)
	fix()
	commit("", "notes.txt") // which is none of theirs
}

// configuredHooks returns the hooks of the configuration in docs/using.md, as pre-commit joins them with
// the repository's.
func configuredHooks(t *testing.T) (list []hook) {
	text, err := os.ReadFile("docs/using.md")
	check(t, err)
	_, after, _ := strings.Cut(string(text), "```yaml\nrepos:") // there are workflows too
	block, _, _ := strings.Cut(after, "```")
	var config struct {
		Repos []struct {
			Hooks []hook `yaml:"hooks"`
		} `yaml:"repos"`
	}
	check(t, yaml.Load([]byte("repos:"+block), &config))
	for _, own := range config.Repos[0].Hooks {
		i := slices.IndexFunc(hooks(t), func(h hook) bool { return h.ID == own.ID })
		if i < 0 {
			t.Fatalf("there is no hook %s", own.ID)
		}
		h := hooks(t)[i]
		if own.Args != nil {
			h.Args = own.Args
		}
		list = append(list, h)
	}
	if len(list) < 4 {
		t.Fatalf("%d hooks are configured", len(list))
	}
	return list
}

// run does what pre-commit does with the changed files of a commit: a hook none of whose files
// changed is skipped, and the others get them behind their arguments, unless they do not
// want them. One that changes a file fails.
func (h hook) run(changed []string) (printed string, code int) {
	pattern := regexp.MustCompile(h.Files)
	seen := slices.DeleteFunc(slices.Clone(changed), func(file string) bool { return !pattern.MatchString(file) })
	if len(seen) == 0 {
		return "", exitFine
	}
	words := append(strings.Fields(h.Entry), h.Args...)
	if h.PassFilenames == nil || *h.PassFilenames {
		words = append(words, seen...)
	}
	before, _ := shell("cat " + strings.Join(seen, " "))
	printed, code = shell(strings.Join(words, " "))
	if after, _ := shell("cat " + strings.Join(seen, " ")); after != before {
		code = exitFindings
	}
	return printed, code
}
