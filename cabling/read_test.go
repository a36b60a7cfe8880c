package cabling

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
)

// Each archive below testdata/formats holds files in one format and, in want.txt, what they
// tell: sightings by our own words, written by hand from the text.
func TestFormats(t *testing.T) {
	names, err := filepath.Glob("testdata/formats/*.txtar")
	if err != nil || len(names) < 8 {
		t.Fatalf("%d archives, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			archive := must.Get(txtar.ParseFile(name))(t)
			var got strings.Builder
			want := ""
			for _, f := range archive.Files {
				if f.Name == "want.txt" {
					want = string(f.Data)
					continue
				}
				if !Recognizes(f.Data) {
					t.Errorf("%s is not recognized", f.Name)
				}
				seen, found := Read(f.Name, f.Data)
				for _, s := range seen {
					fmt.Fprintln(&got, sightingText(s))
				}
				for _, d := range found {
					fmt.Fprintf(&got, "%s: %s[%s]: %s\n", d.Subject.Filename, d.Severity, d.Code, d.Message)
				}
			}
			must.NoDiffIn(t, cmp.Diff(want, got.String()), "(-want +got)")
		})
	}
}

func sightingText(s Sighting) string {
	text := fmt.Sprintf("%s:%s", s.A.Device, s.A.Port)
	if s.B.Device != "" {
		text += fmt.Sprintf(" %s:%s", s.B.Device, s.B.Port)
	}
	if len(s.B.Also) > 0 {
		text += fmt.Sprintf(" also %q", s.B.Also)
	}
	if s.Cable > 0 {
		text += fmt.Sprintf(", %v", s.Cable)
	}
	if s.Speed > 0 {
		text += fmt.Sprintf(", %v", s.Speed)
	}
	if s.Medium != "" {
		text += ", " + s.Medium
	}
	return text
}

// What is configuration, or nothing at all, tells of no cables.
func TestOthersAreNotRecognized(t *testing.T) {
	for name, text := range map[string]string{
		"config_db.json": `{"PORT": {"Ethernet0": {"speed": "100000"}}, "FEATURE": {"lldp": {"state": "enabled"}}}`,
		"eos.cfg":        "hostname leaf-1\ninterface Ethernet1\n   lldp receive\n",
		"empty":          "",
		"table.csv":      "name,value\n1,2\n",
		"list.json":      "[1, 2]",
	} {
		if Recognizes([]byte(text)) {
			t.Errorf("%s is recognized", name)
		}
		if _, found := Read(name, []byte(text)); !found.HasErrors() {
			t.Errorf("%s has no finding", name)
		}
	}
}

// Devices are found with their domain and without, ports by alias and description.
func TestBook(t *testing.T) {
	b := NewBook()
	b.Add([]string{"leaf-1", "leaf-2.dc1.example"}, []plan.Port{{Name: "Ethernet0", Alias: "etp1a"}, {Name: "Ethernet4", Alias: "Ethernet0"}})
	for name, want := range map[string]string{
		"leaf-1": "leaf-1", "LEAF-1.example.com": "leaf-1", "leaf-2": "leaf-2.dc1.example", "leaf-2.dc1.example": "leaf-2.dc1.example", "leaf-3": "",
	} {
		if got, _ := b.Device(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for _, c := range []struct {
		end  End
		want string
	}{
		{End{Port: "Ethernet0"}, "Ethernet0"}, {End{Port: "etp1a"}, "Ethernet0"},
		{End{Port: "00:11:22:33:44:55", Also: portNames("leaf-1:etp1a")}, "Ethernet0"}, {End{Port: "Ethernet8"}, ""},
	} {
		if got, _ := b.Port("leaf-1", c.end); got != c.want {
			t.Errorf("%v is %q, want %q", c.end, got, c.want)
		}
	}
}

// FuzzRead: nothing panics, and every sighting and finding has a place in the file.
func FuzzRead(f *testing.F) {
	names, _ := filepath.Glob("testdata/formats/*.txtar")
	for _, name := range names {
		archive := must.Get(txtar.ParseFile(name))(f)
		for _, file := range archive.Files {
			f.Add(file.Data)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		seen, found := Read("folder/file", text)
		for _, s := range seen {
			if s.At.Filename == "" || s.At.Start.Line < 1 {
				t.Fatalf("%+v has no place", s)
			}
		}
		for _, d := range found {
			if d.Subject.Filename == "" {
				t.Fatalf("%v has no place", d)
			}
		}
		b := NewBook()
		b.Add([]string{"file"}, []plan.Port{{Name: "Ethernet0"}})
		b.Links(seen)
	})
}
