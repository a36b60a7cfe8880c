package chips_test

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
)

// CHIPS.md is what the schema says; -update rewrites it.
func TestReferenceIsUpToDate(t *testing.T) {
	diagtest.Golden(t, "../CHIPS.md", chips.Reference())
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
