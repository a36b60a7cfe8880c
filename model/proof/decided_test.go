package proof_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/units"
)

// deciding is a chip of which it is known with which byte of a packet it decides to pause.
func deciding(t *testing.T, name, decided string) *chips.Chip {
	t.Helper()
	text := must.Get(os.ReadFile("testdata/decided.hcl"))(t)
	source := strings.NewReplacer("CHIP", name, "DECIDED", decided).Replace(string(text))
	c := must.Sound(chips.Load(chips.Source{Name: "decided.hcl", Text: []byte(source)}))(t)
	chip, _ := c.Find(name)
	return chip
}

// A chip that decides with the last byte needs a largest frame more in every headroom. What
// holds on one of which nothing is known holds on either, unless it says on which.
func TestDecided(t *testing.T) {
	for example, fabric := range compiled(t) {
		sw := declare(fabric.Switches[0], units.Microsecond)
		named := catalogued(t, sw.Chip, "")
		usual := prove(t, sw, named, proof.Context{})
		start, end := prove(t, sw, catalogued(t, sw.Chip, "start"), proof.Context{}), prove(t, sw, catalogued(t, sw.Chip, "end"), proof.Context{})
		for i := range usual.Obligations {
			was, o, unknown := &start.Obligations[i], &end.Obligations[i], &usual.Obligations[i]
			if o.ID != proof.Headroom {
				continue
			}
			least, most := moreWith(o)
			if got := o.Left.Value - was.Left.Value; got < least || got > most {
				t.Errorf("%s: %v needs %d cells more than %v, want %d to %d", example, o, got, was, least, most)
			}
			if unknown.Verdict == proof.Holds && (was.Verdict != proof.Holds || o.Verdict != proof.Holds) {
				t.Errorf("%s: %v; with the first byte %v, with the last %v", example, unknown, was, o)
			}
		}
		for _, err := range proof.Recheck(proof.Certify(end, sw.Names, sw.Chip, nil), nil) {
			t.Errorf("%s: %v", example, err)
		}
	}
}

// catalogued is a chip that decides with some byte, or the catalogue's for no byte.
func catalogued(t *testing.T, name, decided string) *chips.Chip {
	t.Helper()
	if decided != "" {
		return deciding(t, name, decided)
	}
	chip, _ := catalogue(t).Find(name)
	return chip
}

// moreWith is by how many cells what is needed may grow: by those of a largest frame, and
// where the share of small packets is bounded by a few that come with it.
func moreWith(o *proof.Obligation) (least, most int64) {
	value := map[string]int64{}
	for _, term := range o.Terms {
		value[term.Symbol] = term.Value
	}
	cells := (value["F"] + value["M"] + value["C"] - 1) / value["C"]
	if _, bounded := value["s"]; bounded {
		return cells, 2 * cells
	}
	return cells, cells
}

// Where the catalogue assumes how much memory a chip has, what fits it does so on a condition.
func TestAssumedMemoryIsACondition(t *testing.T) {
	for _, confidence := range []string{"assumed", "published"} {
		text := fmt.Sprintf("chip \"own\" {\n  extends = \"tomahawk5\"\n  usable_buffer {\n    value = \"170MB\"\n    confidence = %q\n    source = \"a test\"\n  }\n}\n", confidence)
		all, found := chips.Load(chips.Source{Name: "own.hcl", Text: []byte(text)})
		chip, ok := all.Find("own")
		if !ok {
			t.Fatal(found)
		}
		sw, _ := leaf(t, "tomahawk5-ai-pod", "leaf")
		report, got := prove(t, sw, chip, proof.Context{}), false
		for _, c := range report.Conditions() {
			got = got || c.ID == proof.AssumedDatum && c.Declare == "usable_buffer of chip "+sw.Chip
		}
		if got != (confidence == "assumed") {
			t.Errorf("%s: the condition is there: %v; %v", confidence, got, report.Conditions())
		}
		for _, err := range proof.Recheck(proof.Certify(report, sw.Names, sw.Chip, nil), nil) {
			t.Errorf("%s: %v", confidence, err)
		}
	}
}
