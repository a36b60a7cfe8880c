package adopt_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/adopt"
	"github.com/roceplan/roceplan/cabling"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
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

// lacking is by how much each obligation and inequality that does not hold outright breaks, the most of those with one
// name, and the errors of rules by code.
func lacking(t *testing.T, c *chips.Catalogue, r *adopt.Result) (short map[string]int64, errors map[diag.Code]int) {
	t.Helper()
	p := must.Sound(loaded(t, c, r))(t)
	made, _ := target.Find("sonic")
	out, _ := made.Forms[0].Emit(p.Switches[0])
	s := must.Get(verify.New(verify.Options{Catalogue: c, Fabric: &verify.Fabric{Plan: p, Targets: target.All()}}).Rendered(p.Switches[0], "sonic", out[0], nil))(t)
	if s.Proof == nil {
		t.Fatal("nothing is proved")
	}
	short, errors = map[string]int64{}, map[diag.Code]int{}
	for _, o := range s.Proof.Obligations {
		if o.Verdict != proof.Holds {
			where := regexp.MustCompile(`\([0-9]+ × `).ReplaceAllString(o.Where, "(")
			short[o.ID+" "+where] = max(short[o.ID+" "+where], -o.Slack())
		}
	}
	for _, check := range p.Switches[0].Checks {
		if check.ID == "newcomer-guarantee" && !check.Holds { // of the shared buffer: no pin divides it
			slack := must.Get(units.ParseBytes(strings.TrimPrefix(check.Slack, "-")))(t)
			short[check.ID+" "+check.Where] = int64(slack)
		}
	}
	chip, _ := c.Find(p.Switches[0].Chip)
	for _, d := range lint.Switch(s.Plan, chip) {
		if d.Severity == diag.Error {
			errors[d.Code]++
		}
	}
	return short, errors
}

// What does not hold with the values that run is no shorter with the values that are adopted, and no rule has an error
// that it had not. Spectrum-1 had alpha 2 in place of 1, so that a class with its pinned kmin gets a half less; Spectrum-2 had
// headroom for 26 of 128 groups at once in place of 52.
func TestWhatIsShortDoesNotGetShorter(t *testing.T) {
	c := catalogue(t)
	some := regexp.MustCompile("^shipped_sonic/(ACS-MSN2010|Mellanox-SN3800-C64)@")
	for _, f := range publicFiles(t) {
		if !some.MatchString(f.Name) {
			continue
		}
		text := must.Get(f.Read())(t)
		o := adopt.Options{Name: "pod", Catalogue: c, Targets: target.All(), LosslessFrame: 4096}
		before := adopt.Import(gather(t, []verify.File{verify.Text(f.Name, text)}), o)
		o.AdoptSafe = true
		after := adopt.Import(gather(t, []verify.File{verify.Text(f.Name, text)}), o)
		was, had := lacking(t, c, before)
		is, has := lacking(t, c, after)
		for what, bytes := range is {
			if bytes > was[what] {
				t.Errorf("%s: %s is short by %d, and was by %d", f.Name, what, bytes, was[what])
			}
		}
		for code, n := range has {
			if n > had[code] {
				t.Errorf("%s: %d errors %s, and %d before", f.Name, n, code, had[code])
			}
		}
		if after.Adopted == 0 {
			t.Errorf("%s: nothing is adopted", f.Name)
		}
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

// Groups 3 and 4 of a shipped profile share lines: at 25 Gb/s 15680 B of headroom with 5 m of cable, at other ports 38816 B. The
// larger one is adopted by itself, group by group, though the line stays until both have left it.
func TestValuesOfOneLineAreAdopted(t *testing.T) {
	c := catalogue(t)
	for _, f := range publicFiles(t) {
		if !strings.HasPrefix(f.Name, "shipped_sonic/Wistron_sw_to3200k_104x1025_6x100@") {
			continue
		}
		text := must.Get(f.Read())(t)
		after := adopt.Import(gather(t, []verify.File{verify.Text(f.Name, text)}), adopt.Options{Name: "pod", Catalogue: c, Targets: target.All(), LosslessFrame: 4096, AdoptSafe: true})
		if _, of := judged(t, c, after); of[proof.Fails] > 0 {
			t.Errorf("%v", of)
		}
		if strings.Contains(string(after.HCL), "38816B") || !strings.Contains(string(after.HCL), "15680B") {
			t.Errorf("%s", after.HCL)
		}
	}
}

// standsAs returns the verdict on what a result compiles to, and the obligations of each, for the system of
// its files.
func standsAs(t *testing.T, c *chips.Catalogue, r *adopt.Result, system string) (verify.Verdict, map[proof.Verdict]int, *plan.Switch, []byte) {
	t.Helper()
	p, found := loaded(t, c, r)
	if p == nil || found.HasErrors() {
		t.Fatalf("%v\n%s", found, r.HCL)
	}
	made, _ := target.Find(system)
	out, wrong := made.Forms[0].Emit(p.Switches[0])
	if len(out) == 0 {
		t.Fatalf("%v\n%s", wrong, r.HCL)
	}
	s := must.Get(verify.New(verify.Options{Catalogue: c, Fabric: &verify.Fabric{Plan: p, Targets: target.All()}}).Rendered(p.Switches[0], system, out[0], nil))(t)
	of := map[proof.Verdict]int{}
	if s.Proof != nil {
		for _, o := range s.Proof.Obligations {
			of[o.Verdict]++
		}
	}
	return s.Verdict, of, p.Switches[0], out[0].Body.AppendFor(nil, p.Switches[0].Names[0])
}

// What is adopted of the configurations of other systems compiles, makes no verdict worse and fails no further obligation, and a second
// import of what it compiles to adopts nothing more.
func TestAdoptedOfOtherSystems(t *testing.T) {
	c := catalogue(t)
	all := must.Get(txtar.ParseFile("testdata/others.txtar"))(t).Files
	for _, f := range publicFiles(t) {
		of := map[string]string{"eos_configs": "trident3", "nxos": "trident3", "nxos_azure": "trident3", "srlinux_labs": "tomahawk4", "junos": "trident3"}[filepath.Dir(f.Name)]
		for model, chip := range chipOfModel {
			if strings.Contains(f.Name, model) {
				of = chip
			}
		}
		if of != "" {
			all = append(all, txtar.File{Name: of + "/" + filepath.Base(f.Name), Data: must.Get(f.Read())(t)})
		}
	}
	adopted := 0
	for _, f := range all {
		t.Run(f.Name, func(t *testing.T) {
			chip, _ := c.Find(filepath.Dir(f.Name))
			options := func(shapes []*adopt.Shape, safe bool) adopt.Options {
				var seen strings.Builder
				seen.WriteString("switch,port,far,metres,speed\n")
				for _, port := range shapes[0].Said.Ports {
					speed := cmp.Or(port.Speed, 100*units.Gbps)
					fmt.Fprintf(&seen, "%s,%s,,3,%s\n", shapes[0].Names[0], port.Name, speed)
				}
				sightings, _ := cabling.Read("cables.csv", []byte(seen.String()))
				return adopt.Options{Name: "pod", Catalogue: c, Targets: target.All(), Chips: []adopt.Choice{{Chip: chip}}, Sightings: sightings, AdoptSafe: safe}
			}
			read := func(text []byte, safe bool) (*adopt.Result, *adopt.Shape) {
				shapes := gather(t, []verify.File{verify.Text(f.Name, text)})
				r := adopt.Import(shapes, options(shapes, safe))
				r.Cables = openLength.ReplaceAll(r.Cables, []byte(",3,$1"))
				return r, shapes[0]
			}
			before, shape := read(f.Data, false)
			if before.HCL == nil || len(before.Holes) > 0 {
				return
			}
			after, _ := read(f.Data, true)
			was, had, _, _ := standsAs(t, c, before, shape.As.Name)
			is, has, _, text := standsAs(t, c, after, shape.As.Name)
			if is > was || has[proof.Fails] > had[proof.Fails] || has[proof.Unjudged] > had[proof.Unjudged] {
				t.Errorf("%v and %v before, %v and %v after\n%s", was, had, is, has, after.HCL)
			}
			adopted += after.Adopted
			if again, _ := read(text, true); again.Adopted > 0 {
				t.Errorf("a second import adopts %d more\n%s\n%s", again.Adopted, after.HCL, again.HCL)
			}
		})
	}
	if adopted == 0 {
		t.Error("nothing is adopted")
	}
}

// A shipped profile whose headroom differs by speed adopts all that is harmless at once: with a table of headroom in place of pins
// a second import adopted two values more.
func TestSecondImportAdoptsNothing(t *testing.T) {
	c := catalogue(t)
	for _, f := range publicFiles(t) {
		if !strings.HasPrefix(f.Name, "shipped_sonic/Arista-7060X6-64PE-B-P32V128@") {
			continue
		}
		text := must.Get(f.Read())(t)
		for _, more := range []bool{true, false} {
			r := adopt.Import(gather(t, []verify.File{verify.Text(f.Name, text)}), adopt.Options{Name: "pod", Catalogue: c, Targets: target.All(), LosslessFrame: 4096, AdoptSafe: true})
			if r.Adopted > 0 != more {
				t.Errorf("%d adopted\n%s", r.Adopted, r.HCL)
			}
			_, _, _, text = standsAs(t, c, r, "sonic")
		}
	}
}
