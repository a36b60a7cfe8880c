package chips_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/must"
)

// What is wrong with a user's chip file is said at its line.
func TestStrictness(t *testing.T) {
	diagtest.Run(t, "../golden/chips", 9, func(_ *testing.T, archive *txtar.Archive) diag.List {
		var files []chips.Source
		for _, f := range archive.Files {
			if f.Name != "want.txt" {
				files = append(files, chips.Source{Name: f.Name, Text: f.Data})
			}
		}
		_, found := chips.Load(files...)
		return found
	})
}

func TestUserChipExtendsOwn(t *testing.T) {
	c, found := chips.Load(chips.Source{Name: "my.hcl", Text: []byte(`
		chip "tomahawk4" {
		  extends = "TH4"
		  slices {
		    value      = 1
		    confidence = "measured"
		    source     = "a test of ours"
		  }
		}
		chip "th4-lab" {
		  extends = "tomahawk4"
		  title   = "Tomahawk 4 of the laboratory"
		}`)})
	if len(found) > 0 {
		t.Fatalf("unexpected findings: %+v", found)
	}
	for _, name := range []string{"th4", "tomahawk4"} {
		chip, ok := c.Find(name)
		if !ok || chip.Slices.Or(0) != 1 || chip.CellSize.Or(0) != 254 || chip.Title != "Broadcom Tomahawk 4 (BCM56990)" {
			t.Errorf("%s = %+v", name, chip)
		}
	}
	lab, ok := c.Find("th4-lab")
	if !ok || lab.Slices.Or(0) != 2 || lab.Title != "Tomahawk 4 of the laboratory" {
		t.Errorf("th4-lab = %+v", lab)
	}
	if _, err := lab.Spectrum.TileDelay.Get(); err == nil || !strings.Contains(err.Error(), "th4-lab") {
		t.Errorf("asking th4-lab for what it lacks: %v", err)
	}
}

// No text makes Load panic, and what it takes can be asked for everything.
func FuzzLoad(f *testing.F) {
	archives := must.Get(filepath.Glob("../golden/chips/*.txtar"))(f)
	for _, name := range archives {
		archive := must.Get(txtar.ParseFile(name))(f)
		for _, file := range archive.Files {
			f.Add(file.Data)
		}
	}
	f.Add([]byte("chip \"big\" {\n slices {\n value = 1e999999999\n }\n}"))
	own := own(f).Names()
	f.Fuzz(func(t *testing.T, text []byte) {
		c, _ := chips.Load(chips.Source{Name: "fuzz.hcl", Text: text})
		for _, name := range c.Names() {
			if slices.Contains(own, name) {
				continue
			}
			if chip, ok := c.Find(name); ok {
				chip.Facts()
				chip.Unknown()
			}
		}
	})
}
