package policy_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/policy"
)

// LANGUAGE.md is what the decoder's tables say; -update rewrites it.
func TestLanguageIsUpToDate(t *testing.T) {
	const file = "../LANGUAGE.md"
	if *update {
		if err := os.WriteFile(file, []byte(policy.Reference()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(text), policy.Reference()); diff != "" {
		t.Errorf("LANGUAGE.md is out of date, `go test ./policy -update` rewrites it (-file +tables):\n%s", diff)
	}
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
	if want := 16*2*2 + 2; len(f.Links) != want {
		t.Errorf("%d links, want %d", len(f.Links), want)
	}
	if text, _ := policy.Format(src); string(text) != all.String() {
		t.Errorf("not laid out as fmt does:\n%s", cmp.Diff(all.String(), string(text)))
	}
}
