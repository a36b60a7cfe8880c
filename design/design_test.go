package design_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/design"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

var every = flag.Bool("every", false, "design for every chip of the catalogue under every system")

// known are the chips, with the NICs that are usual there, under the systems that run on them.
var known = []struct {
	os, chip string
	nic      units.BitRate
}{
	{"sonic", "tomahawk5", 400}, {"sonic", "tomahawk4", 200}, {"sonic", "tomahawk3", 100}, {"sonic", "trident3", 25},
	{"sonic", "spectrum4", 400}, {"sonic", "spectrum3", 200}, {"sonic", "teralynx10", 400},
	{"eos", "tomahawk5", 400}, {"eos", "tomahawk3", 100}, {"cumulus", "spectrum4", 400}, {"cumulus", "spectrum2", 100},
	{"junos", "tomahawk5", 400}, {"srlinux", "tomahawk5", 400}, {"openconfig", "tomahawk5", 400},
}

// left are the codes that fabrics of a system keep: what the system has no words for, whatever the fabric says.
var left = map[string]string{"sonic": "none", "eos": "eos-", "cumulus": "nvue-", "junos": "junos-", "srlinux": "srlinux-", "openconfig": "openconfig-"}

// expected reports whether a finding is of what a system has no words for. SR Linux has none for dynamic thresholds, and the
// static limits of many groups hold less than what arrives before the first rate cut.
func expected(os string, d *diag.Diagnostic) bool {
	return d.Severity != diag.Error && (strings.HasPrefix(string(d.Code), left[os]) || os == "srlinux" && d.Code == calc.OvershootPaused)
}

// compile gives what was found in a text, and the worst verdict.
func compile(t *testing.T, catalogue *chips.Catalogue, text string) (diag.List, verify.Verdict) {
	t.Helper()
	in := roceplan.Input{Files: []roceplan.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Catalogue: catalogue}
	compiled := must.Get(roceplan.Compile(context.Background(), roceplan.Load(in), roceplan.CompileOptions{}))(t)
	return compiled.Findings, compiled.Verdict()
}

// What is written compiles without a finding but for what the system has no words for, and on SONiC, up to 400G, is proved.
func TestWhatIsWrittenCompiles(t *testing.T) {
	catalogue, _ := chips.Load()
	for _, k := range known {
		for _, n := range []int{64, 512, -96} {
			w := design.Wish{GPUs: n, NIC: k.nic * units.Gbps, Leaf: k.chip, Spine: k.chip, OS: k.os}
			if n < 0 {
				w.GPUs, w.Hosts = 0, -n
			}
			t.Run(fmt.Sprint(k.os, " ", k.chip, " ", n), func(t *testing.T) {
				t.Parallel()
				text := must.Get(design.Write(w, catalogue))(t)
				found, verdict := compile(t, catalogue, text.HCL)
				for i := range found {
					if !expected(k.os, &found[i]) {
						t.Errorf("%s: %s\n%s", found[i].Code, found[i].Message, text.HCL)
					}
				}
				if k.os == "sonic" && verdict != verify.Proved || verdict > verify.Conditional {
					t.Errorf("the verdict is %v", verdict)
				}
			})
		}
	}
}

// Numbers of switches, by hand. Tomahawk 5 has 128 ports of 400G, so a leaf takes 64 NICs and 64 uplinks.
//
//	512 GPUs of 8 a server: 64 servers, 8 rails of 64 NICs: 8 leaves; 8 · 64 uplinks in spines of 128: 4, with 64 / 4 links
//	1,024: 16 leaves in two groups, 8 spines, 8 links
//	8,192: 128 leaves of 64, one link to each of 64 spines of 128 ports: as many as two tiers hold
//	96 hosts of 100G on Tomahawk 3, whose 32 cages are four ports of 100G or one of 400G: 4 NICs for an uplink make 64 below
//	16 above; two leaves of 48, 12 uplinks each; one spine has room for them, and two may fail one at a time
//	128 GPUs without spines: one switch of 128 ports
func TestSizes(t *testing.T) {
	catalogue, _ := chips.Load()
	for _, c := range []struct {
		wish                                  design.Wish
		leaves, perLeaf, spines, links, rails int
	}{
		{design.Wish{GPUs: 512, NIC: 400 * units.Gbps, Leaf: "tomahawk5", Spine: "tomahawk5"}, 8, 64, 4, 16, 8},
		{design.Wish{GPUs: 1024, NIC: 400 * units.Gbps, Leaf: "tomahawk5", Spine: "tomahawk5"}, 16, 64, 8, 8, 8},
		{design.Wish{GPUs: 8192, NIC: 400 * units.Gbps, Leaf: "tomahawk5", Spine: "tomahawk5"}, 128, 64, 64, 1, 8},
		{design.Wish{Hosts: 96, NIC: 100 * units.Gbps, Leaf: "tomahawk3", Spine: "tomahawk3"}, 2, 48, 2, 6, 1},
		{design.Wish{GPUs: 128, NIC: 400 * units.Gbps, Leaf: "tomahawk5"}, 1, 128, 0, 0, 1},
	} {
		c.wish.OS = "sonic"
		text, err := design.Write(c.wish, catalogue)
		if err != nil {
			t.Error(err)
			continue
		}
		s := text.Size
		if s.Leaves != c.leaves || s.PerLeaf != c.perLeaf || s.Spines != c.spines || s.Links != c.links || s.Rails != c.rails {
			t.Errorf("%+v: %+v", c, s)
		}
	}
}

// What does not fit is refused with the numbers.
func TestRefused(t *testing.T) {
	catalogue, _ := chips.Load()
	gpus := func(n int, nic units.BitRate, chip string) design.Wish {
		return design.Wish{GPUs: n, NIC: nic * units.Gbps, Leaf: chip, Spine: chip, OS: "sonic"}
	}
	for _, c := range []struct {
		wish design.Wish
		want string
	}{
		{gpus(8200, 400, "tomahawk5"), "8200 GPUs do not fit two tiers: with 64 NICs of 400Gbps at each leaf that is 136 leaves, and a spine has 128 ports of 400Gbps, one for each leaf; tomahawk5 and tomahawk5 hold 8192 at most"},
		{gpus(500, 400, "tomahawk5"), "500 GPUs are not whole servers of 8: the next are 496 and 504"},
		{gpus(64, 800, "trident3"), "trident3 under sonic has no ports of 800Gbps"},
		{gpus(64, 400, "tomahawk9"), `there is no chip and no platform "tomahawk9"`},
		{gpus(64, 400, "qfx5240"), `there is no chip and no platform "qfx5240" under sonic; Juniper QFX5240-64OD has the chip tomahawk5 and runs junos: write the chip, or --os junos`},
		{gpus(64, 400, "400"), `there is no chip and no platform "400": `},
		{design.Wish{NIC: units.Gbps, Leaf: "tomahawk5", OS: "sonic"}, "a fabric is for GPUs or for hosts"},
		{design.Wish{GPUs: 8, NIC: 400 * units.Gbps, Leaf: "tomahawk5", OS: "sonic", Uplink: 100 * units.Gbps}, "links of 100Gbps between switches are slower than the NICs, which have 400Gbps"},
		{design.Wish{GPUs: 8, NIC: 400 * units.Gbps, Leaf: "tomahawk5", OS: "sonic", NICModel: "connectx-5"}, "connectx-5 has no port of 400Gbps"},
		{design.Wish{GPUs: 512, NIC: 400 * units.Gbps, Leaf: "tomahawk5", Spine: "tomahawk5", OS: "sonic", Spines: 3}, "8 leaves and 3 spines do not fit: each leaf has 64 ports to NICs of 400Gbps and needs 64 uplinks of 400Gbps"},
		{gpus(64, 400, "jericho2"), "jericho2 has virtual output queues"},
		{design.Wish{GPUs: 8, NIC: 400 * units.Gbps, Leaf: "spectrum4", OS: "junos"}, "no box with the chip spectrum4 is known to run junos: there are tomahawk3 (Juniper QFX5220-32CD)"},
	} {
		text, err := design.Write(c.wish, catalogue)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q\n%v", c.wish, err, c.want, text)
		}
	}
}

// A model of the system is as good as its chip.
func TestModels(t *testing.T) {
	catalogue, _ := chips.Load()
	for name, of := range map[string][2]string{"qfx5240": {"junos", "tomahawk5"}, "QFX5220-32CD": {"junos", "tomahawk3"}, "7060X6": {"eos", "tomahawk5"}, "sn5600": {"cumulus", "spectrum4"}, "7220 IXR-H4": {"srlinux", "tomahawk4"}} {
		wish := func(leaf string) design.Wish {
			return design.Wish{GPUs: 16, NIC: 100 * units.Gbps, Leaf: leaf, Spine: leaf, OS: of[0]}
		}
		model, err := design.Write(wish(name), catalogue)
		chip, errChip := design.Write(wish(of[1]), catalogue)
		if err != nil || errChip != nil || model.HCL != chip.HCL {
			t.Errorf("%s: %v %v", name, err, errChip)
		}
	}
}

// Every preset has its source in the text, and compiles.
func TestPresets(t *testing.T) {
	catalogue, _ := chips.Load()
	for _, p := range design.Presets() {
		text, err := design.Write(p.Wish, catalogue)
		if err != nil {
			t.Fatal(p.Name, err)
		}
		if !strings.Contains(text.HCL, "# The design is published: https://") {
			t.Errorf("%s has no source:\n%s", p.Name, text.HCL)
		}
		found, verdict := compile(t, catalogue, text.HCL)
		for i := range found {
			if !expected(p.Wish.OS, &found[i]) {
				t.Errorf("%s: %s: %s", p.Name, found[i].Code, found[i].Message)
			}
		}
		if verdict > verify.Conditional {
			t.Errorf("%s: the verdict is %v", p.Name, verdict)
		}
	}
}

// Of all chips and systems: what is not refused, by its numbers or by the compiler, has no finding but those of the system.
// Without -every one in seventeen is drawn, by turns.
func TestEveryChip(t *testing.T) {
	catalogue, _ := chips.Load()
	written, turn := 0, 0
	for _, os := range slices.Sorted(maps.Keys(left)) {
		for _, chip := range catalogue.Names() {
			for _, nic := range []units.BitRate{25, 100, 200, 400, 800} {
				for _, n := range []int{64, 512, 2048} {
					if turn++; !*every && turn%17 != 0 {
						continue
					}
					text, err := design.Write(design.Wish{GPUs: n, NIC: nic * units.Gbps, Leaf: chip, Spine: chip, OS: os}, catalogue)
					if err != nil {
						continue
					}
					found, verdict := compile(t, catalogue, text.HCL)
					name := fmt.Sprint(os, " ", chip, " ", n, " ", nic*units.Gbps)
					if found.HasErrors() {
						t.Logf("%s is refused: %s", name, found[0].Message)
						continue
					}
					written++
					for i := range found {
						if !expected(os, &found[i]) {
							t.Errorf("%s: %s: %s", name, found[i].Code, found[i].Message)
						}
					}
					if verdict == verify.Refuted || verdict > verify.Conditional && os == "sonic" {
						t.Errorf("%s: the verdict is %v", name, verdict)
					} else if verdict > verify.Conditional {
						t.Logf("%s: the verdict is %v", name, verdict) // an attack's budget was spent
					}
				}
			}
		}
	}
	t.Logf("%d fabrics", written)
}
