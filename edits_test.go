package roceplan_test

import (
	"context"
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/design"
	"github.com/roceplan/roceplan/internal/testing/must"
)

// An edit may not make another fabric of what its author built: a longer cable is no slip of its unit if nearly all of it
// fits, a system that nothing is written for is none of those that are, a word that a message proposes is the one of its edit, and more leaves are neither fewer nor others. edit is
// the line after the edit, empty where none is right.
func TestEditsKeepTheFabric(t *testing.T) {
	catalogue, _ := chips.Load()
	pods := map[string]string{}
	for os, wish := range map[string]design.Wish{
		"sonic":   {Hosts: 96, NIC: 100_000_000_000, Leaf: "tomahawk3", Spine: "tomahawk3", OS: "sonic"},
		"srlinux": {GPUs: 64, NIC: 400_000_000_000, Leaf: "tomahawk5", Spine: "tomahawk5", OS: "srlinux"},
	} {
		pods[os] = must.Get(design.Write(wish, catalogue))(t).HCL
	}
	for name, c := range map[string]struct{ os, was, is, edit string }{
		"long cables":                {"sonic", `"50m"`, `"3km"`, ""},
		"a unit":                     {"sonic", `"50m"`, `"500km"`, `cable  = "500m"`},
		"a system that is not built": {"srlinux", "= srlinux", "= nxos", ""},
		"a system beside its ports":  {"srlinux", "= srlinux", "= sonik", "os   = sonic"},
		"more leaves":                {"sonic", `"leaf-[1..2]"`, `"leaf-[1..4]"`, `switch "leaf-[1..2]" {`},
	} {
		text := strings.ReplaceAll(pods[c.os], c.was, c.is)
		if text == pods[c.os] {
			t.Fatalf("%s: no %s in\n%s", name, c.was, text)
		}
		in := roceplan.Input{Files: []roceplan.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Catalogue: catalogue}
		found := must.Get(roceplan.Check(context.Background(), roceplan.Load(in)))(t)
		if !found.HasErrors() {
			t.Errorf("%s: no error", name)
		}
		edits := ""
		for _, d := range must.Get(roceplan.Repair(context.Background(), in, found))(t) {
			for _, e := range d.Edits {
				edits += e.Shown([]byte(text)) + "\n"
			}
		}
		if c.edit == "" && edits != "" || !strings.Contains(edits, c.edit) {
			t.Errorf("%s: edits %q, want %q: %v", name, edits, c.edit, found[0].Message)
		}
	}
}
