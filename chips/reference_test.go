package chips_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/chips"
)

// CHIPS.md is what the schema says; -update rewrites it.
func TestReferenceIsUpToDate(t *testing.T) {
	const file = "../CHIPS.md"
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		if err := os.WriteFile(file, []byte(chips.Reference()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(text), chips.Reference()); diff != "" {
		t.Errorf("CHIPS.md is out of date, `go test ./chips -update` rewrites it (-file +schema):\n%s", diff)
	}
}

// The example loads as it stands, and cites a source of the catalogue.
func TestExampleOfTheReference(t *testing.T) {
	if !strings.Contains(chips.Reference(), chips.Example) {
		t.Error("the reference does not show the example")
	}
	c, found := chips.Load(chips.Source{Name: "example.hcl", Text: []byte(chips.Example)})
	if len(found) > 0 {
		t.Fatalf("unexpected findings: %+v", found)
	}
	th5, _ := c.Find("th5")
	if fact := th5.UsableBuffer.Fact(); th5.UsableBuffer.Or(0) != 160_000_000 || !strings.Contains(fact.Source, "report 7") || !strings.Contains(fact.Source, "qos_params.th5.yaml") {
		t.Errorf("usable_buffer of th5 is %v from %q", th5.UsableBuffer.Or(0), fact.Source)
	}
	if own, ok := c.Find("MC1"); !ok || own.Slices.Or(0) != 2 {
		t.Errorf("mc1 is %+v", own)
	}
}
