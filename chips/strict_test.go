package chips_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
)

// Each archive of golden/chips holds chip files of a user. A finding is announced on its
// line: # want error[code] "regexp of message and fix", several after one another.
func TestStrictness(t *testing.T) {
	archives, err := filepath.Glob("../golden/chips/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var files []chips.Source
			var wants []want
			for _, f := range archive.Files {
				files = append(files, chips.Source{Name: f.Name, Text: f.Data})
				wants = append(wants, announced(t, f)...)
			}
			_, found := chips.Load(files...)
			compare(t, wants, found)
		})
	}
}

type want struct {
	place, what string // "my.hcl:5", "error[chip-value]"
	says        *regexp.Regexp
}

var (
	wantComment = regexp.MustCompile(`# want (.*)$`)
	wantOne     = regexp.MustCompile(`^((?:error|warning)\[[a-z-]+\]) ("(?:[^"\\]|\\.)*")\s*`)
)

// announced collects the findings that a file expects.
func announced(t *testing.T, f txtar.File) []want {
	t.Helper()
	var wants []want
	for i, line := range strings.Split(string(f.Data), "\n") {
		comment := wantComment.FindStringSubmatch(line)
		if comment == nil {
			continue
		}
		for rest := comment[1]; rest != ""; {
			one := wantOne.FindStringSubmatch(rest)
			if one == nil {
				t.Fatalf("%s:%d: what is expected cannot be read: %s", f.Name, i+1, rest)
			}
			text, err := strconv.Unquote(one[2])
			if err != nil {
				t.Fatal(err)
			}
			wants = append(wants, want{fmt.Sprintf("%s:%d", f.Name, i+1), one[1], regexp.MustCompile(text)})
			rest = rest[len(one[0]):]
		}
	}
	return wants
}

// compare demands that each finding is announced, and each announced one found.
func compare(t *testing.T, wants []want, found diag.List) {
	t.Helper()
	for _, d := range found {
		place := fmt.Sprintf("%s:%d", d.Subject.Filename, d.Subject.Start.Line)
		what := fmt.Sprintf("%s[%s]", d.Severity, d.Code)
		says := d.Message + "; " + d.Fix
		matched := false
		for i, w := range wants {
			if w.place == place && w.what == what && w.says.MatchString(says) {
				wants = append(wants[:i], wants[i+1:]...)
				matched = true
				break
			}
		}
		if !matched {
			t.Errorf("unexpected: %s: %s: %s", place, what, says)
		}
	}
	for _, w := range wants {
		t.Errorf("missing: %s: %s %q", w.place, w.what, w.says)
	}
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
	archives, err := filepath.Glob("../golden/chips/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
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
