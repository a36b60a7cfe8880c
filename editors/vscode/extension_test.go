package vscode

import (
	"archive/zip"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

var update = flag.Bool("update", false, "write the grammar anew")

// amounts are the units that stand behind a number in a text.
var amounts = []string{"B", "kB", "MB", "GB", "KiB", "MiB", "GiB", "bps", "kbps", "Mbps", "Gbps", "Tbps", "ps", "ns", "us", "ms", "s", "mm", "cm", "m", "km", "%"}

// The grammar is grammar.json with the names of the language in the place of the words in capitals.
func TestGrammarHasTheLanguage(t *testing.T) {
	blocks, attributes, words := map[string]bool{}, map[string]bool{}, map[string]bool{}
	var walk func([]policy.Block)
	walk = func(list []policy.Block) {
		for _, b := range list {
			blocks[b.Name] = true
			for _, a := range b.Attributes {
				attributes[a.Name] = true
				for _, w := range a.Words() {
					words[w] = true
				}
			}
			walk(b.Blocks)
		}
	}
	walk(policy.Schema())
	for _, constant := range []string{"true", "false", "null"} {
		delete(words, constant)
	}
	if len(blocks) < 10 || len(attributes) < 50 || len(words) < 10 {
		t.Fatalf("%d blocks, %d attributes and %d words are too few to be the language", len(blocks), len(attributes), len(words))
	}
	either := func(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), "|") }
	template, err := os.ReadFile("grammar.json")
	check(t, err)
	got := strings.NewReplacer("BLOCKS", either(blocks), "ATTRIBUTES", either(attributes), "WORDS", either(words),
		"REFERENCES", "nic|traffic_class|switch|var|local|each|count", "UNITS", strings.Join(amounts, "|")).Replace(string(template))
	if !json.Valid([]byte(got)) {
		t.Error("the grammar is no JSON")
	}
	const path = "syntaxes/roceplan.tmLanguage.json"
	if *update {
		check(t, os.MkdirAll(filepath.Dir(path), 0o777))
		check(t, os.WriteFile(path, []byte(got), 0o666))
	}
	want, err := os.ReadFile(path)
	check(t, err)
	must.NoDiffIn(t, cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")), "%s is not of this language (-file +language); -update:", path)
}

// What the grammar shows as an amount, the language reads.
func TestAmountsAreRead(t *testing.T) {
	for _, unit := range amounts {
		read := 0
		for _, parse := range []func(string) error{
			func(s string) error { _, err := units.ParseBytes(s); return err },
			func(s string) error { _, err := units.ParseBitRate(s); return err },
			func(s string) error { _, err := units.ParseTime(s); return err },
			func(s string) error { _, err := units.ParseLength(s); return err },
			func(s string) error { _, err := units.ParseRatio(s); return err },
		} {
			if parse("1"+unit) == nil {
				read++
			}
		}
		if read != 1 {
			t.Errorf("1%s is an amount of %d kinds", unit, read)
		}
	}
}

// The extension is built and packed; in it the client starts the program, which answers; the
// examples are coloured as what they are.
func TestExtension(t *testing.T) {
	if os.Getenv("CI") == "" {
		t.Skip("it takes modules from the network: npm ci && npm test && npm run package")
	}
	npm := oracle.Command(t, "npm", "npm")
	dir := t.TempDir()
	program := filepath.Join(dir, "roceplan")
	command(t, ".", nil, "go", "build", "-o", program, "../../cmd/roceplan")
	work := filepath.Join(dir, "vscode")
	check(t, os.CopyFS(work, os.DirFS(".")))
	check(t, os.RemoveAll(filepath.Join(work, "node_modules")))
	examples, err := filepath.Abs("../../examples")
	check(t, err)
	env := []string{"ROCEPLAN=" + program, "EXAMPLES=" + examples, "npm_config_update_notifier=false"}
	command(t, work, env, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	command(t, work, env, npm, "test")
	command(t, work, env, npm, "run", "package")
	packed, err := zip.OpenReader(filepath.Join(work, "roceplan.vsix"))
	check(t, err)
	defer packed.Close()
	var files []string
	for _, f := range packed.File {
		if name, ok := strings.CutPrefix(f.Name, "extension/"); ok {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	want := []string{"LICENSE.txt", "README.md", "language-configuration.json", "out/extension.js", "package.json", "syntaxes/roceplan.tmLanguage.json"}
	must.NoDiffIn(t, cmp.Diff(want, files), "files of the package (-want +got):")
}

func command(t *testing.T, dir string, env []string, name string, args ...string) {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir, c.Env = dir, append(os.Environ(), env...)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	must.Do(t, err)
}
