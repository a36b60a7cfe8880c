package lint_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read/eos"
	"github.com/roceplan/roceplan/read/nvue"
	"github.com/roceplan/roceplan/read/sonic"
)

const (
	badInputs = "../golden/diag/lint"
	pages     = "../docs/lint"
)

// A comment at the end of a line holds the finding that is expected there. Neither JSON
// nor EOS has such comments, so it is blanked out before the file is read.
var expectation = regexp.MustCompile(`// want .*`)

func blanked(text []byte) []byte {
	return expectation.ReplaceAllFunc(text, func(m []byte) []byte { return bytes.Repeat([]byte{' '}, len(m)) })
}

// read is a file of an archive as a switch.
func read(t *testing.T, f txtar.File) *plan.Switch {
	t.Helper()
	var sw *plan.Switch
	var found diag.List
	switch filepath.Ext(f.Name) {
	case ".json":
		sw, found = readtest.Switch(sonic.Format(), f.Name, blanked(f.Data))
	case ".yaml":
		sw, found = readtest.Switch(nvue.Format(), f.Name, blanked(f.Data))
	default:
		sw, found = readtest.Switch(eos.Format(), f.Name, blanked(f.Data))
	}
	if found.HasErrors() && !slices.ContainsFunc(found, func(d diag.Diagnostic) bool {
		return strings.HasSuffix(string(d.Code), "without-lossless") || strings.HasSuffix(string(d.Code), "without-pfc")
	}) {
		t.Fatalf("%s cannot be read: %v", f.Name, found)
	}
	return sw
}

// chipOf returns the chip that an archive's comment names: "chip: th5".
func chipOf(archive *txtar.Archive) *chips.Chip {
	_, name, ok := strings.Cut(string(archive.Comment), "chip: ")
	if !ok {
		return nil
	}
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find(strings.Fields(name)[0])
	return chip
}

// Each archive holds a switch that breaks one rule, which its name says, and none else.
// Rules about links have two switches, those about the fabric file what it compiles to.
func TestRules(t *testing.T) {
	diagtest.Run(t, badInputs, 50, func(t *testing.T, archive *txtar.Archive) diag.List {
		want := strings.TrimSuffix(filepath.Base(t.Name()), ".txtar")
		found := ruled(want, switchesOf(t, archive), chipOf(archive))
		for _, d := range found {
			if string(d.Code) != want {
				t.Errorf("beside %s there is %s: %s", want, d.Code, d.Message)
			}
		}
		return found
	})
}

// switchesOf are those of an archive.
func switchesOf(t *testing.T, archive *txtar.Archive) (switches []*plan.Switch) {
	for _, f := range archive.Files {
		if f.Name != "want.txt" {
			switches = append(switches, read(t, f))
		}
	}
	return switches
}

// ruled returns the findings of a code's kind of rules about the switches of its archive.
func ruled(code string, switches []*plan.Switch, chip *chips.Chip) diag.List {
	switch of, _, _ := strings.Cut(code, "-"); of {
	case "link":
		return lint.Links(cable, func(device string) *plan.Switch {
			if i := slices.IndexFunc(switches, func(sw *plan.Switch) bool { return slices.Contains(sw.Names, device) }); i >= 0 {
				return switches[i]
			}
			return nil
		})
	case "nic":
		return lint.Hosts(switches[0], []*plan.Host{nic})
	case "fabric":
		return lint.Agree(switches[0], switches[1])
	}
	return lint.Switch(switches[0], chip)
}

// cable is what rules about links are shown with.
var cable = []plan.Link{{A: plan.LinkEnd{Switch: "leaf-1", Port: "Ethernet0"}, B: plan.LinkEnd{Switch: "spine-1", Port: "Ethernet4"}}}

// nic is what rules about NICs are shown with.
var nic = &plan.Host{
	Name: "cx5", MTU: 9118, CNPDSCP: 48, CNPPFC: 6,
	Classes: []plan.HostClass{{Name: "rdma", DSCPs: []uint8{26}, Priority: 3, Lossless: true, Used: true}},
}

// A switch that breaks no rule has no finding, and agrees with itself.
func TestNothingToSay(t *testing.T) {
	archive := must.Get(txtar.ParseFile(filepath.Join(badInputs, "fabric-port-differs.txtar")))(t)
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("tomahawk")
	sw := read(t, archive.Files[1])
	if found := lint.Switch(sw, chip); len(found) > 0 {
		t.Errorf("%v", found)
	}
	if found := lint.Agree(sw, read(t, archive.Files[1])); len(found) > 0 {
		t.Errorf("%v", found)
	}
}

var declared = regexp.MustCompile(`diag\.Code = "([a-z0-9-]+)"`)

// A rule is a code, a page and an input that shows it.
func TestRulesArePages(t *testing.T) {
	text := must.Get(os.ReadFile("codes.go"))(t)
	var codes []string
	for _, m := range declared.FindAllSubmatch(text, -1) {
		code := string(m[1])
		codes = append(codes, code)
		for _, path := range []string{filepath.Join(pages, code+".md"), filepath.Join(badInputs, code+".txtar")} {
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: %v", code, err)
			}
		}
		page, _ := os.ReadFile(filepath.Join(pages, code+".md"))
		for _, part := range []string{"# " + code + "\n", "\n## Why it matters\n", "\n## Example\n", "\n## What to change\n", "\n## Source\n"} {
			if !strings.Contains(string(page), part) {
				t.Errorf("%s.md has no part %q", code, strings.TrimSpace(part))
			}
		}
	}
	if len(codes) < 30 {
		t.Fatalf("%d rules, too few to mean anything", len(codes))
	}
	orphans(t, codes, filepath.Join(pages, "*.md"), "README.md")
	orphans(t, codes, filepath.Join(badInputs, "*.txtar"))
}

// orphans finds pages and inputs without a rule.
func orphans(t *testing.T, codes []string, pattern string, others ...string) {
	paths := must.Get(filepath.Glob(pattern))(t)
	for _, path := range paths {
		name := filepath.Base(path)
		if !slices.Contains(codes, strings.TrimSuffix(name, filepath.Ext(name))) && !slices.Contains(others, name) {
			t.Errorf("%s belongs to no rule", path)
		}
	}
}
