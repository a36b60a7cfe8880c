package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/verify"
)

const (
	modelGolden  = "golden/model.json" // of one switch; the others are held to what they say
	modelExample = "mixed-cabling"
	modelDevice  = "leaf-1"
)

// The examples that files and fabric prove without conditions. The others rest on what their systems decide
// themselves, or on a peer that responds sooner than IEEE 802.3 allows.
var unconditional = []string{"cumulus-storage", "spectrum4-storage", "tomahawk5-ai-pod"}

// Every example compiles to files that verify proves, certificates of which stand up to
// arithmetic, beside models that say so.
func TestExamplesAreProved(t *testing.T) {
	t.Chdir("../..")
	for _, name := range fabrics(t, examples) {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			compile(t, filepath.Join(examples, name), out)
			certificate := filepath.Join(t.TempDir(), "c.json")
			told := mustRun(t, "verify", out, "--fabric", filepath.Join(examples, name), "--certificate", certificate)
			if !strings.Contains(told, "errors: 0;") {
				t.Errorf("verify has errors:\n%s", told)
			}
			if slices.Contains(unconditional, name) && !strings.Contains(told, "conditional: 0; not judged: 0; refuted: 0;") {
				t.Errorf("verify has conditions:\n%s", told)
			}
			if told := mustRun(t, "verify", "--recheck", certificate); !strings.Contains(told, "all hold; problems 0") {
				t.Errorf("the certificates do not stand up: %s", told)
			}
			models := glob(t, filepath.Join(out, "*", roceplan.ModelFile))
			if len(models) == 0 {
				t.Error("no model was written")
			}
			for _, path := range models {
				checkModel(t, path)
			}
			if name == modelExample {
				compareModel(t, filepath.Join(out, modelDevice, roceplan.ModelFile))
			}
		})
	}
}

func checkModel(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	check(t, err)
	var m proof.Model
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	check(t, dec.Decode(&m))
	if m.Schema != proof.ModelSchema || m.Verdict == proof.Fails || m.Switch != filepath.Base(filepath.Dir(path)) {
		t.Errorf("%s: schema %q, verdict %v, switch %q", path, m.Schema, m.Verdict, m.Switch)
	}
	if m.Buffer == nil || len(m.Ports) != len(m.Buffer.Ports) || len(m.Ports) == 0 {
		t.Errorf("%s has %d ports", path, len(m.Ports))
	}
}

func compareModel(t *testing.T, path string) {
	got, err := os.ReadFile(path)
	check(t, err)
	if *update {
		check(t, os.WriteFile(modelGolden, got, 0o666))
	}
	want, err := os.ReadFile(modelGolden)
	check(t, err)
	must.NoDiffIn(t, cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")), "%s (-golden +compiled):", modelGolden)
}

// mustRun runs a command that has to succeed and returns what it printed.
func mustRun(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(args, nil, &stdout, &stderr, func(string) string { return "" }); code != exitFine {
		t.Fatalf("roceplan %s: exit code %d\n%s%s", strings.Join(args, " "), code, &stdout, &stderr)
	}
	return stdout.String()
}

// A certificate tells the file and line of every figure that a file gives: on the line of
// headroom stands xoff, on that of a cable its length.
func TestCertificatePlaces(t *testing.T) {
	t.Chdir("../..")
	out, path := filepath.Join(t.TempDir(), "out"), filepath.Join(t.TempDir(), "c.json")
	compile(t, filepath.Join(examples, "ucloud-pod"), out)
	mustRun(t, "verify", out, "--fabric", filepath.Join(examples, "ucloud-pod"), "--certificate", path)
	text, err := os.ReadFile(path)
	check(t, err)
	list, err := verify.ParseCertificates(text)
	check(t, err)
	seen := map[string]int{}
	for _, c := range list.Shapes {
		for _, o := range c.Obligations {
			if o.ID != proof.Headroom {
				continue
			}
			for symbol, at := range o.Lines {
				if want := map[string]string{"H": `"xoff": `, "L": `m"`, "R": `"Ethernet`, "A": `"mtu": `}[symbol]; want != "" {
					seen[symbol]++
					if line := lineAt(t, at); !strings.Contains(line, want) {
						t.Errorf("%s of %s is at %s: %s", symbol, o.Where, at, line)
					}
				}
			}
		}
	}
	must.Equalf(t, len(seen), 4, "terms with places: %v:", seen)
}

// lineAt returns the text of "file:line".
func lineAt(t *testing.T, at string) string {
	t.Helper()
	file, number, _ := strings.Cut(at, ".json:")
	n, err := strconv.Atoi(number)
	check(t, err)
	text, err := os.ReadFile(file + ".json")
	check(t, err)
	lines := strings.Split(string(text), "\n")
	if n < 1 || n > len(lines) {
		t.Fatalf("%s: there are %d lines", at, len(lines))
	}
	return lines[n-1]
}
