package adopt_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/adopt"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

// A file of SONiC without speeds has those of its HwSKU: sonic-buildimage device/…/port_config.ini. The shipped files of these
// boxes show which they are, and no port is tried with another one.
func TestSpeedsOfTheHwSKU(t *testing.T) {
	c := catalogue(t)
	for _, name := range []string{
		"Force10-S6000-Q32@x86_64-dell_s6000_s1220-r0", "Arista-7050-QX32-Flex@x86_64-arista_7050_qx32",
		"Arista-7260CX3-C64@x86_64-arista_7260cx3_64", "Arista-7260CX3-D108C10@x86_64-arista_7260cx3_64",
		"DellEMC-Z9264f-C8D112@x86_64-dellemc_z9264f_c3538-r0", "DellEMC-Z9332f-M-O16C64@x86_64-dellemc_z9332f_d1508-r0",
	} {
		t.Run(name, func(t *testing.T) {
			text := must.Get(os.ReadFile(oracle.Data(t, "shipped_sonic/"+name+".json")))(t)
			var tables map[string]any
			must.Do(t, json.Unmarshal(text, &tables))
			speeds := map[string]string{}
			for port, fields := range tables["PORT"].(map[string]any) {
				speeds[port] = fmt.Sprint(fields.(map[string]any)["speed"])
				delete(fields.(map[string]any), "speed")
			}
			without := must.Get(json.Marshal(tables))(t)
			shapes := gather(t, []verify.File{{Name: "leaf-1.json", Read: func() ([]byte, error) { return without, nil }}})
			r := adopt.Import(shapes, adopt.Options{Name: "imported", Catalogue: c, Targets: target.All()})
			if len(r.Holes) > 0 || r.Found.HasErrors() {
				t.Errorf("holes %v, %v", r.Holes, r.Found)
			}
			p, found := loaded(t, c, r)
			if found.HasErrors() || strings.Contains(string(r.HCL), "speed    = var.") {
				t.Fatal(found)
			}
			for _, port := range p.Switches[0].Ports {
				if got := fmt.Sprint(int64(port.Speed) / 1_000_000); got != speeds[port.Name] {
					t.Errorf("%s has %s Mb/s, want %s", port.Name, got, speeds[port.Name])
				}
			}
		})
	}
}

// SONiC finds a transceiver by the index of its port, so numbers of a box that the catalogue does not have are carried, and those
// that differ from the catalogue's. So are the parts of a cage that is split.
func TestIndicesOfTheFile(t *testing.T) {
	const ports = `"Ethernet0": {"alias": "etp1", "index": "101", "lanes": "1,2,3,4", "mtu": "9100", "speed": "100000"},
  "Ethernet4": {"alias": "etp2", "index": "102", "lanes": "5,6,7,8", "mtu": "9100", "speed": "100000"},
  "Ethernet8": {"alias": "etp3a", "index": "107", "lanes": "9,10", "mtu": "9100", "speed": "50000", "subport": "1"},
  "Ethernet10": {"alias": "etp3b", "index": "107", "lanes": "11,12", "mtu": "9100", "speed": "50000", "subport": "2"}`
	for name, text := range map[string]string{
		"no box": `{"DEVICE_METADATA": {"localhost": {"hostname": "a", "hwsku": "Own", "platform": "x86_64-own-r0"}}, "PORT": {` + ports + `}, "BREAKOUT_CFG": {"Ethernet8": {"brkout_mode": "2x50G"}}}`,
		"a box with others": `{"DEVICE_METADATA": {"localhost": {"hostname": "a", "hwsku": "ACS-MSN2700", "platform": "x86_64-mlnx_msn2700-r0"}}, "PORT": {
  "Ethernet0": {"alias": "etp1", "index": "5", "lanes": "0,1,2,3", "speed": "100000"}, "Ethernet4": {"alias": "etp2", "index": "6", "lanes": "4,5,6,7", "speed": "100000"}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			c := catalogue(t)
			chip, _ := c.Find("tomahawk")
			if name != "no box" {
				chip, _ = c.Find("spectrum")
			}
			shapes := gather(t, []verify.File{verify.Text("config_db.json", []byte(text))})
			r := adopt.Import(shapes, adopt.Options{Name: "imported", Catalogue: c, Targets: target.All(), Chips: []adopt.Choice{{Chip: chip}}})
			p, found := loaded(t, c, r)
			if found.HasErrors() {
				t.Fatalf("%v\n%s", found, r.HCL)
			}
			for i, got := range p.Switches[0].Ports {
				want := shapes[0].Said.Ports[i]
				if got.Name != want.Name || got.Index != want.Index || !got.Numbered || want.Cage.Mode != "" && got.Cage != want.Cage {
					t.Errorf("%s: %d %v %v, want %s: %d %v\n%s", got.Name, got.Index, got.Numbered, got.Cage, want.Name, want.Index, want.Cage, r.HCL)
				}
			}
		})
	}
}

// What cannot be carried is named: an index that the file does not have, and a mode that the fabric cannot say.
func TestIndicesThatDiffer(t *testing.T) {
	for text, want := range map[string]string{
		`"hwsku": "ACS-MSN2700", "platform": "x86_64-mlnx_msn2700-r0"}}, "PORT": {"Ethernet0": {"alias": "etp1", "lanes": "0,1,2,3", "speed": "100000"}}}`: "index on Ethernet0 is none in the file, but compile writes 1",
		`"hwsku": "Own", "platform": "x86_64-own-r0"}}, "PORT": {"Ethernet0": {"index": "1", "lanes": "0,1", "speed": "50000", "subport": "1"}},
  "BREAKOUT_CFG": {"Ethernet0": {"brkout_mode": "1x50G(2)+1x25G(2)"}}}`: "cage on Ethernet0 is Ethernet0 1x50G(2)+1x25G(2) 1 in the file, but compile writes none",
	} {
		c := catalogue(t)
		chip, _ := c.Find("spectrum")
		shapes := gather(t, []verify.File{verify.Text("config_db.json", []byte(`{"DEVICE_METADATA": {"localhost": {"hostname": "a", `+text))})
		r := adopt.Import(shapes, adopt.Options{Name: "imported", Catalogue: c, Targets: target.All(), Chips: []adopt.Choice{{Chip: chip}}})
		if !slices.ContainsFunc(r.Found, func(d diag.Diagnostic) bool { return strings.Contains(d.Message, want) }) {
			t.Errorf("no %q: %v", want, r.Found)
		}
	}
}

// Ports of different lanes cannot have the same speed: where nothing gives it, each kind has a variable of its own.
func TestUnknownSpeedsByLanes(t *testing.T) {
	text := must.Get(os.ReadFile(oracle.Data(t, "shipped_sonic/ACS-MSN2010@x86_64-mlnx_msn2010-r0.json")))(t)
	var tables map[string]any
	must.Do(t, json.Unmarshal(text, &tables))
	lanes := map[string]int{} // by port
	for port, fields := range tables["PORT"].(map[string]any) {
		delete(fields.(map[string]any), "speed")
		lanes[port] = len(strings.Split(fields.(map[string]any)["lanes"].(string), ","))
	}
	without := must.Get(json.Marshal(tables))(t)
	shapes := gather(t, []verify.File{{Name: "leaf-1.json", Read: func() ([]byte, error) { return without, nil }}})
	r := adopt.Import(shapes, adopt.Options{Name: "imported", Catalogue: catalogue(t), Targets: target.All()})
	if r.Found.HasErrors() || len(r.Holes) == 0 {
		t.Fatal(r.Found)
	}
	f, _, found := compile(t, catalogue(t), nil, []policy.Source{{Name: "fabric.hcl", Text: r.HCL}}, r.Holes...)
	if f == nil {
		t.Fatal(found)
	}
	for _, g := range f.Switches[0].Groups {
		for _, port := range g.Ports {
			if lanes[port] != lanes[g.Ports[0]] {
				t.Errorf("%s has %d and %s %d lanes", g.Ports[0], lanes[g.Ports[0]], port, lanes[port])
			}
		}
	}
}

// Ports of NX-OS keep their largest frame in the design for EOS, which takes no more than 9214 B behind `mtu`: 9232 B with
// header and tag. One without a line takes 1500 B, with header, tag and FCS 1522 B (Cisco Nexus 9000 Interfaces guide, MTU).
func TestFramesOfNXOS(t *testing.T) {
	const text = "!Command: show running-config\nhostname leaf-1\nclass-map type qos match-any R\n  match dscp 26\npolicy-map type qos P\n  class R\n    set qos-group 3\n" +
		"policy-map type network-qos N\n  class type network-qos c-8q-nq3\n    mtu 9216\n    pause pfc-cos 3\nsystem qos\n  service-policy type network-qos N\n  service-policy type qos input P\n" +
		"interface Ethernet1/1\n  mtu 9216\n  priority-flow-control mode on\ninterface Ethernet1/2\n  mtu 9216\n  priority-flow-control mode on\n" +
		"interface Ethernet1/3\n  priority-flow-control mode on\ninterface Ethernet1/4\n  mtu 4200\n  priority-flow-control mode on\n"
	c := catalogue(t)
	chip, _ := c.Find("tomahawk2")
	shapes := gather(t, []verify.File{{Name: "leaf-1.cfg", Read: func() ([]byte, error) { return []byte(text), nil }}})
	r := adopt.Import(shapes, adopt.Options{Name: "imported", Catalogue: c, Targets: target.All(), Chips: []adopt.Choice{{Chip: chip}}})
	p, found := loaded(t, c, r)
	if found.HasErrors() {
		t.Fatal(found)
	}
	for _, port := range p.Switches[0].Ports {
		want := map[string]units.Bytes{"Ethernet1/1": 9232, "Ethernet1/2": 9232, "Ethernet1/3": 1522, "Ethernet1/4": 4222}[port.Name]
		must.Equalf(t, port.MTU, want, "%s takes", port.Name)
	}
}
