package adopt_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/adopt"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/verify"
)

// importFile imports a configuration, with or without what is proved harmless.
func importFile(t *testing.T, c *chips.Catalogue, text string, safe bool) *adopt.Result {
	t.Helper()
	shapes := gather(t, []verify.File{verify.Text("leaf-1/config_db.json", []byte(text))})
	return adopt.Import(shapes, adopt.Options{Name: "pod", Catalogue: c, Targets: target.All(), LosslessFrame: 1500, AdoptSafe: safe})
}

// judged proves what a fabric compiles to, and counts the obligations of each verdict.
func judged(t *testing.T, c *chips.Catalogue, r *adopt.Result) (verdict verify.Verdict, of map[proof.Verdict]int) {
	t.Helper()
	p := must.Sound(loaded(t, c, r))(t)
	made, _ := target.Find("sonic")
	out, _ := made.Forms[0].Emit(p.Switches[0])
	if len(out) == 0 {
		t.Fatal("no file")
	}
	s := must.Get(verify.New(verify.Options{Catalogue: c, Fabric: &verify.Fabric{Plan: p, Targets: target.All()}}).Rendered(p.Switches[0], "sonic", out[0], nil))(t)
	if s.Proof == nil {
		return s.Verdict, nil
	}
	of = map[proof.Verdict]int{}
	for _, o := range s.Proof.Obligations {
		of[o.Verdict]++
	}
	return s.Verdict, of
}

// A headroom that packets overrun is not pinned where what is derived is proved to suffice.
func TestWhatIsProvedHarmlessIsAdopted(t *testing.T) {
	c := catalogue(t)
	running := strings.ReplaceAll(string(config(t)), `"xoff": "104448"`, `"xoff": "10240"`)
	before, after := importFile(t, c, running, false), importFile(t, c, running, true)
	if !before.Equal || !after.Equal || before.Pinned == 0 || before.Adopted != 0 || after.Adopted == 0 {
		t.Fatalf("%+v\n%+v", before, after)
	}
	if was, _ := judged(t, c, before); was != verify.Refuted {
		t.Errorf("what runs is %v", was)
	}
	if is, of := judged(t, c, after); is == verify.Refuted || of[proof.Fails] > 0 {
		t.Errorf("what is adopted is %v: %v\n%s", is, of, after.HCL)
	}
}

// What is adopted of vendors' shipped profiles makes no verdict worse and fails no obligation. Some pinned amounts are
// adopted, and some are not.
func TestAdoptedStandsNoWorse(t *testing.T) {
	c := catalogue(t)
	adopted, kept := 0, 0
	some := regexp.MustCompile("^shipped_sonic/(Arista-7050SX3-48C8|Mellanox-SN4600C-D112C8|Force10-S6000-Q32|Arista-7050CX3-32C-D48C8)@")
	amounts := regexp.MustCompile(`(priority_group|queue|port_pool|pool) "[^"]*" \{[^}]*\b(headroom|xon|xon_offset|reserved|alpha|limit|size) *= "`)
	for _, f := range publicFiles(t) {
		if !some.MatchString(f.Name) {
			continue
		}
		text := must.Get(f.Read())(t)
		shapes := gather(t, []verify.File{verify.Text(f.Name, text)})
		o := adopt.Options{Name: "pod", Catalogue: c, Targets: target.All()}
		before := adopt.Import(shapes, o)
		o.AdoptSafe = true
		after := adopt.Import(gather(t, []verify.File{verify.Text(f.Name, text)}), o)
		if len(before.Holes) > 0 || !before.Equal {
			continue
		}
		adopted += after.Adopted
		if amounts.Match(after.HCL) {
			kept++
		}
		was, had := judged(t, c, before)
		is, has := judged(t, c, after)
		if is > was || has[proof.Fails] > had[proof.Fails] {
			t.Errorf("%s: %v and %v before, %v and %v after", f.Name, was, had, is, has)
		}
	}
	if adopted == 0 || kept == 0 {
		t.Errorf("%d values are adopted, amounts of %d files are not", adopted, kept)
	}
}

// Groups 3 and 4 of a shipped profile share lines: 30720 B of headroom at some ports, 38912 B at others. The smaller one is
// adopted by itself, group by group, though the line stays until both have left it.
func TestValuesOfOneLineAreAdopted(t *testing.T) {
	c := catalogue(t)
	for _, f := range publicFiles(t) {
		if !strings.HasPrefix(f.Name, "shipped_sonic/ACS-MSN2010@") {
			continue
		}
		text := must.Get(f.Read())(t)
		after := adopt.Import(gather(t, []verify.File{verify.Text(f.Name, text)}), adopt.Options{Name: "pod", Catalogue: c, Targets: target.All(), AdoptSafe: true})
		if _, of := judged(t, c, after); of[proof.Fails] > 0 {
			t.Errorf("%v", of)
		}
		if strings.Contains(string(after.HCL), "30720B") || !strings.Contains(string(after.HCL), "38912B") {
			t.Errorf("%s", after.HCL)
		}
	}
}
