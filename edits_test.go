package roceplan_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/design"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
)

// An edit may not make another fabric of what its author built: a longer cable is no slip of its unit if nearly all of it
// fits, a system without an emitter does not become one that has one, a word that a message proposes is the one of its edit,
// and more leaves do not become fewer or others. edit is the line after the edit, empty where none is right.
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
		"a system next to its ports": {"srlinux", "= srlinux", "= sonik", "os   = sonic"},
		"more leaves":                {"sonic", `"leaf-[1..2]"`, `"leaf-[1..4]"`, `ports  = "Ethernet[0..184/8]"`},
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

// A finding on a value that a system cannot have names the figure that helps: EOS gets a threshold of lossy groups that leaves lossless ones
// room, and SR Linux, whose limits are static, refuses a Kmax above them. The proof, which reads the files, agrees.
func TestAdviceOfSystemsHolds(t *testing.T) {
	catalogue, _ := chips.Load()
	compiled := func(text string) *roceplan.Compiled {
		in := roceplan.Input{Files: []roceplan.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Catalogue: catalogue}
		return must.Get(roceplan.Compile(context.Background(), roceplan.Load(in), roceplan.CompileOptions{}))(t)
	}
	failing := func(c *roceplan.Compiled) (all []string) {
		for _, s := range c.Shapes {
			for _, o := range s.Verdict.Obligations {
				if o.Verdict == proof.Fails {
					all = append(all, o.ID)
				}
			}
		}
		return slices.Compact(all)
	}
	eos := must.Get(design.Write(design.Wish{Hosts: 96, NIC: 100_000_000_000, Leaf: "tomahawk3", Spine: "tomahawk3", OS: "eos"}, catalogue))(t).HCL
	srlinux := must.Get(design.Write(design.Wish{GPUs: 512, NIC: 400_000_000_000, Leaf: "tomahawk5", Spine: "tomahawk5", OS: "srlinux"}, catalogue))(t).HCL
	kmax := func(value string) string {
		return strings.Replace(srlinux, "  pfc                = 3\n", "  pfc                = 3\n  ecn {\n    kmin = \"100kB\"\n    kmax = \""+value+"\"\n    pmax = \"5%\"\n  }\n", 1)
	}
	threshold := func(value string) string {
		return regexp.MustCompile(`(?m)^  os +=.*$`).ReplaceAllString(eos, "$0\n  "+value)
	}
	for name, c := range map[string]struct {
		text    string
		advice  *regexp.Regexp
		advised func(value string) string
		refused bool   // the text is, so that nothing is proved
		gone    string // of the obligations that fail before
	}{
		"eos":     {eos, regexp.MustCompile(`write (lossy_alpha = "[^"]+")`), threshold, false, proof.LossyShare},
		"srlinux": {kmax("4MB"), regexp.MustCompile(`Kmax .*: [0-9]+B > ([0-9]+B)`), kmax, true, proof.MarkingBefore},
	} {
		before := compiled(c.text)
		value := ""
		for _, d := range before.Findings {
			if m := c.advice.FindStringSubmatch(d.Message + d.Fix); m != nil && value == "" {
				value = m[1]
			}
		}
		after := compiled(c.advised(value))
		if got := failing(before); value == "" || before.Findings.HasErrors() != c.refused || !c.refused && !slices.Contains(got, c.gone) {
			t.Errorf("%s: %v fail, and the advice is %q", name, got, value)
		}
		if got := failing(after); after.Findings.HasErrors() || slices.Contains(got, c.gone) {
			t.Errorf("%s: with %s %v fail: %v", name, value, got, after.Findings)
		}
	}
}
