package chips_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/units"
)

func TestPublishedHaveSources(t *testing.T) {
	all := own(t).Configurations()
	if len(all) < 15 {
		t.Fatalf("%d configurations are too few to compare anything with", len(all))
	}
	for _, c := range all {
		if c.Title == "" || c.Vendor == "" || len(c.Facts()) < 3 {
			t.Errorf("%s: %q of %q, %d facts", c.Name, c.Title, c.Vendor, len(c.Facts()))
		}
		for _, f := range c.Facts() {
			if len(f.Source) < 20 || f.Text == "" {
				t.Errorf("%s.%s: %q from %q", c.Name, f.Name, f.Text, f.Source)
			}
		}
	}
	if c, ok := own(t).Configuration("NVIDIA-RoCE"); !ok || c.Name != "nvidia-roce" {
		t.Errorf("%+v", c)
	}
	if c, ok := own(t).Configuration("nobody"); ok {
		t.Errorf("nobody is %s", c.Name)
	}
}

// Bytes as their sources have them. HPCC's run.py gives 100*bw/25 and 400*bw/25 KB: four times as much at 100G. Of
// 1,000,000 B that a queue may hold, Juniper's 55 and 90 % are 550,000 and 900,000; 2,000 segments of 254 B are 508,000.
func TestPublishedCurves(t *testing.T) {
	const kB, pc = units.Bytes(1000), units.Percent
	for _, c := range []struct {
		name  string
		speed units.BitRate
		above bool
		want  chips.Curve
	}{
		{"nvidia-roce", 400 * units.Gbps, false, chips.Curve{KMin: 150 * kB, KMax: 1500 * kB, PMax: 100 * pc}},
		{"cisco-ai-blueprint", 100 * units.Gbps, true, chips.Curve{KMin: 150 * kB, KMax: 3000 * kB, PMax: 7 * pc}},
		{"microsoft-azure-local", 25 * units.Gbps, false, chips.Curve{KMin: 300 * kB, KMax: 300 * kB, PMax: 100 * pc}},
		{"hpcc-paper", 25 * units.Gbps, false, chips.Curve{KMin: 100 * kB, KMax: 400 * kB, PMax: 20 * pc}},
		{"hpcc-paper", 100 * units.Gbps, true, chips.Curve{KMin: 400 * kB, KMax: 1600 * kB, PMax: 20 * pc}},
		{"dcqcn-paper", 40 * units.Gbps, false, chips.Curve{KMin: 5 * kB, KMax: 200 * kB, PMax: 1 * pc}},
		{"juniper-jvd", 400 * units.Gbps, false, chips.Curve{KMin: 550 * kB, KMax: 900 * kB, PMax: 100 * pc}},
		{"amd-rocm-eos", 200 * units.Gbps, false, chips.Curve{KMin: 508 * kB, KMax: 2540 * kB, PMax: 20 * pc}},
		{"arista-reference", 100 * units.Gbps, false, chips.Curve{KMin: 256 * kB, KMax: 512 * kB, PMax: 100 * pc}},
		{"arista-reference", 100 * units.Gbps, true, chips.Curve{KMin: 512 * kB, KMax: 768 * kB, PMax: 100 * pc}},
	} {
		from, ok := own(t).Configuration(c.name)
		if !ok {
			t.Errorf("no %s", c.name)
			continue
		}
		if got, err := from.Curve(c.speed, c.above, 254, 1_000_000); err != nil || got != c.want {
			t.Errorf("%s at %v: %v, %v; want %v", c.name, c.speed, got, err, c.want)
		}
	}
}

// What SONiC ships is what its templates render to.
func TestPublishedOfSONiC(t *testing.T) {
	boxes := map[string]string{
		"ACS-MSN4410": "sonic-azure-lossless", "Arista-7050CX3-32C-C28S4": "sonic-azure-lossless", "Arista-7060CX-32S-C32-T1": "sonic-tomahawk", "Arista-7050SX3-48C8": "sonic-tomahawk",
		"Arista-7260CX3-C64": "sonic-deep", "Arista-7280DR3A-36": "sonic-deep", "Mellanox-SN4600C-C64": "sonic-deep", "Arista-7060X6-16PE-384C-O128S2-FANOUT": "sonic-tomahawk5",
	}
	seen := map[string]bool{}
	for _, row := range oracle.Rows(t, "sonic_ecn.csv") {
		name := boxes[row["hwsku"]]
		if name == "" || !strings.Contains(row["wred_profile"], "LOSSLESS") {
			continue
		}
		seen[row["hwsku"]] = true
		c, _ := own(t).Configuration(name)
		curve, err := c.Curve(100*units.Gbps, false, 254, 0)
		low, _ := units.ParseBytes(row["green_min_threshold"] + "B")
		high, _ := units.ParseBytes(row["green_max_threshold"] + "B")
		share, _ := units.ParseRatio(row["green_drop_probability"] + "%")
		if want := (chips.Curve{KMin: low, KMax: high, PMax: share}); err != nil || curve != want {
			t.Errorf("%s: %v, %v; SONiC has %v on %s", name, curve, err, want, row["hwsku"])
		}
	}
	must.Equalf(t, len(seen), len(boxes), "of %d boxes the table has", len(boxes))
}

const minimal = `published "x" {
  title  = "X"
  vendor = "Y"
  kmin {
    value      = ["1kB"]
    confidence = "assumed"
    source     = "a guess"
  }
  kmax {
    value      = ["2kB"]
    confidence = "assumed"
    source     = "a guess"
  }
  pmax {
    value      = ["5%"]
    confidence = "assumed"
    source     = "a guess"
  }
}
`

// block is a datum with a value.
func block(name, value string) string {
	return name + " {\n value = " + value + "\n confidence = \"assumed\"\n source = \"a guess\"\n}\n"
}

func TestPublishedFilesAreChecked(t *testing.T) {
	with := func(more string) string {
		return strings.Replace(minimal, "vendor = \"Y\"\n", "vendor = \"Y\"\n"+more, 1)
	}
	for text, want := range map[string]string{
		strings.Replace(minimal, "1kB", "3kB", 1):                         "chip-contradiction",
		strings.Replace(minimal, `["1kB"]`, `["1kB", "1kB"]`, 1):          "chip-contradiction",
		strings.Replace(minimal, `["5%"]`, `["5%", "6%"]`, 1):             "chip-contradiction",
		strings.Replace(minimal, `"Y"`, `""`, 1):                          "chip-missing",
		strings.Replace(minimal, "pmax {", "pmix {", 1):                   "chip-unknown-name",
		strings.Replace(minimal, `"x"`, `"nvidia-roce"`, 1):               "chip-replaced",
		with(block("kmin_cells", "[1]")):                                  "chip-missing",
		with(block("kmin_above", `["1kB"]`)):                              "chip-missing",
		with(block("kmin_fill", `["5%"]`) + block("kmax_fill", `["6%"]`)): "chip-missing", // two curves
		with(block("for_chips", `["tomahawk99"]`)):                        "chip-undefined",
		with(block("alpha", `"1/3"`)):                                     "chip-value",
		minimal + strings.Replace(minimal, `"x"`, `"X"`, 1):               "chip-duplicate",
	} {
		if _, found := chips.Load(chips.Source{Name: "x.hcl", Text: []byte(text)}); len(found) != 1 || string(found[0].Code) != want {
			t.Errorf("%s\n%+v, want %s", text, found, want)
		}
	}
}

// A user's configuration is one more in the catalogue, may name chips of the same file, and has curves by speed.
func TestOwnPublished(t *testing.T) {
	text := strings.NewReplacer(`["1kB"]`, `["1kB", "3kB"]`, `["2kB"]`, `["2kB", "4kB"]`, `["5%"]`, `["5%", "6%"]`, "vendor = \"Y\"\n", "vendor = \"Y\"\n"+block("curve_speeds", `["25Gbps", "100Gbps"]`)+block("for_chips", `["mine"]`)).Replace(minimal) +
		`chip "mine" {
			extends = "tomahawk5"
		}`
	c, found := chips.Load(chips.Source{Name: "x.hcl", Text: []byte(text)})
	if len(found) > 0 {
		t.Fatalf("%+v", found)
	}
	x, ok := c.Configuration("x")
	if !ok || len(c.Configurations()) != len(own(t).Configurations())+1 || !slices.Equal(x.Chips.Or(nil), []string{"mine"}) {
		t.Fatalf("%+v", x)
	}
	if got, err := x.Curve(100*units.Gbps, false, 1, 0); err != nil || got != (chips.Curve{KMin: 3000, KMax: 4000, PMax: 6 * units.Percent}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := x.Curve(50*units.Gbps, false, 1, 0); !errors.Is(err, chips.ErrNoCurve) {
		t.Errorf("%v", err)
	}
}
