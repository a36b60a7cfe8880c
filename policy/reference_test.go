package policy_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/packed"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/policy"
)

// LANGUAGE.md is what the decoder's tables say; -update rewrites it.
func TestLanguageIsUpToDate(t *testing.T) {
	const file = "../LANGUAGE.md"
	if *update {
		must.Do(t, os.WriteFile(file, []byte(policy.Reference()), 0o644))
		return
	}
	text := must.Get(os.ReadFile(file))(t)
	must.NoDiffIn(t, cmp.Diff(string(text), policy.Reference()), "LANGUAGE.md is out of date, `go test ./policy -update` rewrites it (-file +tables):")
}

// The examples of the reference are one fabric without a finding, laid out as fmt does.
func TestExamplesOfTheReference(t *testing.T) {
	var all strings.Builder
	for _, m := range regexp.MustCompile("(?s)```hcl\n(.*?)```").FindAllStringSubmatch(policy.Reference(), -1) {
		all.WriteString(m[1])
	}
	cables := "switch,port,metres,far\ntor-02,Ethernet48,130,spine-b:Ethernet32/1\ntor-02,Ethernet0,1,\n"
	src := policy.Source{Name: "examples.hcl", Text: []byte(all.String())}
	f, found := policy.Load(policy.Options{
		Files: []policy.Source{src}, Catalogue: catalogue(t),
		Root: fstest.MapFS{"cables.csv": {Data: []byte(cables)}},
	})
	if len(found) > 0 {
		t.Fatalf("unexpected findings:\n%s", render(found, src))
	}
	must.Equalf(t, len(f.Links), 16*2*2+2, "links:")
	if text, _ := policy.Format(src); string(text) != all.String() {
		t.Errorf("not laid out as fmt does:\n%s", cmp.Diff(all.String(), string(text)))
	}
}

// TestLibrary: the scenarios that come with the program are sound, which is a panic else, have
// names of their own, in order, and say what they are.
func TestLibrary(t *testing.T) {
	var names []string
	for _, s := range policy.Library() {
		names = append(names, s.Name)
		if s.Doc.Value == "" {
			t.Errorf("%s says nothing of itself", s.Name)
		}
	}
	if len(names) == 0 || !slices.IsSortedFunc(names, natural.Compare) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("names %v", names)
	}
}

// library.flate is library.hcl, compressed; -update writes it.
func TestLibraryFile(t *testing.T) {
	text := must.Get(os.ReadFile("library.hcl"))(t)
	if *update {
		file := must.Get(packed.Pack(string(text)))(t)
		must.Do(t, os.WriteFile("library.flate", file, 0o666))
	}
	file := must.Get(os.ReadFile("library.flate"))(t)
	if packed.Text(string(file)) != string(text) {
		t.Error("library.flate is not library.hcl; -update packs it")
	}
}
