package chips_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/units"
)

// device is what these tests need of sonic-buildimage's device folder.
type device struct {
	ASIC string `json:"asic"`
	SKUs map[string]struct {
		Ports  [][]*string `json:"ports"`
		SameAs string      `json:"same_as"`
	} `json:"hwskus"`
}

func devices(t *testing.T) map[string]device {
	t.Helper()
	text := must.Get(os.ReadFile(oracle.Data(t, "platforms.json")))(t)
	var all map[string]device
	must.Do(t, json.Unmarshal(text, &all))
	return all
}

// lines returns the rows of a HwSKU's port_config.ini: name, lanes, alias, index, speed.
func (d device) lines(all map[string]device, sku string) [][]string {
	s := d.SKUs[sku]
	if s.SameAs != "" {
		platform, other, _ := strings.Cut(s.SameAs, "/")
		return all[platform].lines(all, other)
	}
	var rows [][]string
	for _, port := range s.Ports {
		row := make([]string, 5)
		for i, field := range port {
			if field != nil {
				row[i] = *field
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// The first, the middle and the last port of every HwSKU are where its port_config.ini says.
func TestPortsOfEveryHwSKU(t *testing.T) {
	c, skus := own(t), map[string]bool{}
	for _, row := range oracle.Rows(t, "sonic_ports.csv") {
		where := row["platform"] + " " + row["hwsku"]
		p, ok := c.Platform(row["platform"], row["hwsku"])
		if !ok {
			t.Errorf("no platform %s", where)
			continue
		}
		skus[where] = true
		box, _ := c.Box(row["platform"])
		if ports := fmt.Sprint(len(c.Ports(box, row["hwsku"]))); ports != row["ports"] {
			t.Errorf("%s has %s ports, port_config.ini has %s", where, ports, row["ports"])
		}
		holdPort(t, p, where, []string{row["name"], row["lanes"], row["alias"], row["index"], row["speed_mbps"]})
	}
	if len(skus) != 497 { // 511 HwSKUs, of which 14 have no port_config.ini, or are a link to one without
		t.Errorf("%d HwSKUs", len(skus))
	}
}

// holdPort compares a port's place with a line of port_config.ini.
func holdPort(t *testing.T, p *chips.Platform, where string, line []string) (same bool) {
	t.Helper()
	mbps, _ := strconv.Atoi(line[4])
	at, err := p.Place(line[0], chips.Use{Speed: units.BitRate(mbps) * units.Mbps})
	index, _ := strconv.Atoi(line[3])
	lanes := strings.Trim(strings.ReplaceAll(fmt.Sprint(at.Lanes), " ", ","), "[]")
	same = err == nil && lanes == strings.TrimSuffix(line[1], ",") && at.Alias == line[2] && at.Index == index
	if !same {
		t.Errorf("%s: %v is at %+v, %v", where, line, at, err)
	}
	return same
}

// Every port of every HwSKU is where its port_config.ini says.
func TestEveryHwSKUHasItsPorts(t *testing.T) {
	c, all, skus, ports := own(t), devices(t), 0, 0
	for platform, d := range all {
		box, ok := c.Box(platform)
		if !ok {
			t.Fatalf("no box %s", platform)
		}
		for sku := range d.SKUs {
			p, ok := c.Platform(platform, sku)
			if !ok {
				t.Errorf("no platform %s", platform)
				continue
			}
			if !slices.Contains(box.HwSKUs, sku) {
				t.Errorf("%s lacks %s", platform, sku)
			}
			skus++
			for _, line := range d.lines(all, sku) {
				ports++
				if !holdPort(t, p, platform+" "+sku, line) {
					break
				}
			}
		}
	}
	if skus != 511 || ports < 33_000 {
		t.Errorf("%d HwSKUs, %d ports", skus, ports)
	}
}

// The file that is embedded is what its generator makes of the data.
func TestBoxesAreGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the generator")
	}
	cmd := exec.Command("go", "run", "./genboxes", "-chips", "genboxes/chips.txt", oracle.Data(t, "platforms.json"))
	got := must.Get(cmd.Output())(t)
	want := must.Get(os.ReadFile("boxes.bin"))(t)
	if string(got) != string(want) {
		t.Errorf("boxes.bin has %d bytes, the generator writes %d others: go run ./chips/genboxes platforms.json > chips/boxes.bin", len(want), len(got))
	}
}

// families are SONiC's names of families of chips, and ours.
var families = map[string][]chips.Family{
	"broadcom": {chips.XGS}, "broadcom-legacy-th": {chips.XGS}, "broadcom-dnx": {chips.DNX}, "mellanox": {chips.Spectrum},
	"barefoot": {chips.TofinoFam}, "marvell-teralynx": {chips.Teralynx}, "marvell-prestera": {chips.Prestera}, "nephos": {chips.Nephos},
}

// misbuilt is the box whose platform_asic is at odds with SONiC's own list of platforms and with
// its buffers: genboxes/chips.txt has the evidence.
const misbuilt = "x86_64-delta_et-c032if-r0"

// The chip of a box is known to the catalogue, is of the family that SONiC builds for, and
// has the rates of the box's ports.
func TestChipsOfBoxes(t *testing.T) {
	c, known := own(t), 0
	for _, box := range c.Boxes() {
		if box.Chip == "" {
			continue
		}
		chip, ok := c.Find(box.Chip)
		if !ok || chip.Name != box.Chip {
			t.Errorf("%s: no chip %s", box.Name, box.Chip)
			continue
		}
		if !slices.Contains(families[box.ASIC], chip.Family) && box.Name != misbuilt {
			t.Errorf("%s is built for %s, and %s is of %s", box.Name, box.ASIC, chip.Name, chip.Family)
		}
		for _, sku := range box.HwSKUs {
			known++
			for _, row := range c.Ports(box, sku) {
				// a port of 1G or 10G may be one for management
				if speeds := chip.PortSpeeds.Or(nil); row.Speed > 10*units.Gbps && len(speeds) > 0 && !slices.Contains(speeds, row.Speed) {
					t.Errorf("%s %s: %s has %v, %s has %v", box.Name, sku, row.Name, row.Speed, chip.Name, speeds)
					break
				}
			}
		}
	}
	if known < 350 {
		t.Errorf("the chip of %d HwSKUs is known", known)
	}
}

func TestChipOf(t *testing.T) {
	c := own(t)
	for names, want := range map[[2]string]string{
		{"x86_64-arista_7060x6_64pe", ""}:                           "tomahawk5",
		{"x86_64-mlnx_msn2700-r0", "ACS-MSN2700"}:                   "spectrum1",
		{"", "Accton-AS7326-56X"}:                                   "trident3",
		{"", "ACS-MSN2700"}:                                         "spectrum1", // of three platforms
		{"", "Nokia-IXR7250E-36x400G"}:                              "jericho2c+",
		{"x86_64-kvm_x86_64-r0", ""}:                                "",
		{"", ""}:                                                    "",
		{"", "unknown"}:                                             "",
		{"x86_64-cel_e1031-r0", "Celestica-E1031-T48S4"}:            "", // its chip has no catalogue file
		{"X86_64-Accton_AS7326_56X", "whatever the platform knows"}: "trident3",
	} {
		chip, ok := c.ChipOf(names[0], names[1])
		if got := ""; ok != (want != "") || ok && chip.Name != want {
			if ok {
				got = chip.Name
			}
			t.Errorf("ChipOf(%q) = %q, want %q", names, got, want)
		}
	}
}

// The chip of a box that no source names is an assumption, and told as one.
func TestChipAssumed(t *testing.T) {
	c := own(t)
	for names, want := range map[[2]string]bool{
		{"x86_64-ufispace_s9110_32x-r0", ""}:      true,
		{"x86_64-dell_z9100_c2538-r0", ""}:        false, // SONiC's wiki: Tomahawk
		{"x86_64-accton_as7326_56x-r0", ""}:       false, // config.bcm
		{"", "Nokia-IXR7220-H5-32D"}:              true,  // half of Tomahawk 5's buffer ships for it
		{"x86_64-nvidia_sn5600-r0", "ACS-SN5600"}: false,
	} {
		must.Equalf(t, c.ChipAssumed(names[0], names[1]), want, "ChipAssumed(%q) =", names)
	}
	for _, b := range c.Boxes() {
		if known := []string{"", "bcm", "mgmt", "table", "wiki", "published", "assumed"}; !slices.Contains(known, b.Basis) {
			t.Errorf("the chip of %s is known by %q", b.Name, b.Basis)
		}
	}
}

// A cage may be used in each way that platform.json has; a port that is in no file is
// refused.
func TestBoxesOutsideTheirHwSKU(t *testing.T) {
	p, ok := own(t).Platform("x86_64-dellemc_s5248f_c3538-r0", "DellEMC-S5248f-P-25G")
	if !ok {
		t.Fatal("no platform")
	}
	// platform.json: Ethernet48 with lanes 49 to 52 may be 1x100G[50G,40G] or 4x25G[10G]
	at, err := p.Place("Ethernet50", chips.Use{Ports: 4, Speed: 25 * units.Gbps})
	if err != nil || at.Parent != "Ethernet48" || at.Subport != 3 || len(at.Lanes) != 1 {
		t.Errorf("Ethernet50: %+v, %v", at, err)
	}
	var noPort *chips.NotAPort
	if _, err := p.Place("Ethernet999", chips.Use{Speed: 25 * units.Gbps}); !errors.As(err, &noPort) {
		t.Errorf("Ethernet999: %v", err)
	}
	var noMode *chips.NotAMode
	if _, err := p.Place("Ethernet0", chips.Use{Speed: 400 * units.Gbps}); !errors.As(err, &noMode) || len(noMode.Known) == 0 {
		t.Errorf("Ethernet0 at 400G: %v", err)
	}
}

func BenchmarkBoxes(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		c, _ := chips.Load()
		c.Platform("x86_64-arista_7060x6_64pe", "Arista-7060X6-64PE-P64")
	}
}
