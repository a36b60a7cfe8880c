package adopt_test

import (
	"path/filepath"
	"regexp"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/adopt"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/verify"
)

// openLength is the end of a row of a table of cables without a length, before the longest one that the headroom allows.
var openLength = regexp.MustCompile(`(?m),,([^,\n]*)$`)

// Configurations in forms that guides and generators print come out as they were read, every value of QoS. The chip
// is before the name of a file.
func TestFormsOfOthers(t *testing.T) {
	archive := must.Get(txtar.ParseFile("testdata/others.txtar"))(t)
	c := catalogue(t)
	for _, f := range archive.Files {
		t.Run(f.Name, func(t *testing.T) {
			chip, ok := c.Find(filepath.Dir(f.Name))
			if !ok {
				t.Fatal("no such chip")
			}
			file := verify.Text(f.Name, f.Data)
			shapes := gather(t, []verify.File{file})
			r := adopt.Import(shapes, adopt.Options{Name: "imported", Catalogue: c, Targets: target.All(), Chips: []adopt.Choice{{Chip: chip}}})
			r.Cables = openLength.ReplaceAll(r.Cables, []byte(",3,$1"))
			if own := count(t, c, r, shapes); own.compiled != 1 || own.equal != own.values {
				_, found := loaded(t, c, r)
				for _, d := range append(r.Found, found...) {
					t.Log(d.Severity, d.Code, d.Message)
				}
				t.Errorf("%s\n%s", own, r.HCL)
			}
		})
	}
}
