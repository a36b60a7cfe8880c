package adopt_test

import (
	"path/filepath"
	"regexp"
	"strings"
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

// A difference that several priority groups share names them by their numbers.
func TestDifferenceOfTwoGroups(t *testing.T) {
	const text = `nv set interface swp1-4 link speed 400G
nv set qos mapping default-global trust l3
nv set qos pfc default-global switch-priority 3,5
nv set qos pfc default-global port-buffer 200000
nv set qos pfc default-global xoff-threshold 20000
nv set qos advance-buffer-config default-global ingress-lossless-buffer shared-alpha alpha_0
`
	c := catalogue(t)
	chip, _ := c.Find("spectrum4")
	r := adopt.Import(gather(t, []verify.File{verify.Text("leaf1/nvue.sh", []byte(text))}), adopt.Options{Name: "imported", Catalogue: c, Targets: target.All(), Chips: []adopt.Choice{{Chip: chip}}})
	for _, d := range r.Found {
		if d.Code == adopt.Differs && strings.HasPrefix(d.Message, "PG 3, 5 limit on swp[1..4] is 0B") {
			return
		}
	}
	t.Errorf("no difference of PG 3, 5: %v", r.Found)
}
