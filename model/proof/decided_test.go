package proof_test

import (
	"os"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model/proof"
)

// deciding is a chip of which it is known with which byte of a packet it decides to pause.
func deciding(t *testing.T, name, decided string) *chips.Chip {
	t.Helper()
	text, err := os.ReadFile("testdata/decided.hcl")
	if err != nil {
		t.Fatal(err)
	}
	source := strings.NewReplacer("CHIP", name, "DECIDED", decided).Replace(string(text))
	c, list := chips.Load(chips.Source{Name: "decided.hcl", Text: []byte(source)})
	if list.HasErrors() {
		t.Fatal(list)
	}
	chip, _ := c.Find(name)
	return chip
}

// A chip that decides with the last byte needs a largest frame more in every headroom, and
// one of which nothing is known is said to be taken for one that decides with the first.
func TestDecided(t *testing.T) {
	for example, fabric := range compiled(t) {
		sw := fabric.Switches[0]
		unknown, _ := catalogue(t).Find(sw.Chip)
		usual := prove(t, sw, unknown, proof.Context{})
		if len(usual.Assumptions) != 1 {
			t.Errorf("%s: assumed is %q", example, usual.Assumptions)
		}
		start, end := prove(t, sw, deciding(t, sw.Chip, "start"), proof.Context{}), prove(t, sw, deciding(t, sw.Chip, "end"), proof.Context{})
		if len(start.Assumptions)+len(end.Assumptions) > 0 {
			t.Errorf("%s: what is known is assumed: %q, %q", example, start.Assumptions, end.Assumptions)
		}
		for i := range usual.Obligations {
			if was, o := &start.Obligations[i], &end.Obligations[i]; o.ID == proof.Headroom {
				least, most := more(o)
				if got := o.Left.Value - was.Left.Value; got < least || got > most || was.Left != usual.Obligations[i].Left {
					t.Errorf("%s: %v needs %d cells more than %v, want %d to %d", example, o, got, was, least, most)
				}
			}
		}
		for _, err := range proof.Recheck(proof.Certify(end, sw.Names, sw.Chip, nil), nil) {
			t.Errorf("%s: %v", example, err)
		}
	}
}

// more tells by how many cells what is needed may grow: by those of a largest frame, and
// where the share of small packets is bounded by a few that come with it.
func more(o *proof.Obligation) (least, most int64) {
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
