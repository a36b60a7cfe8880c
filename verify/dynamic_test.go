package verify

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// planOf compiles an example.
func planOf(t *testing.T, name string) (*plan.Plan, *chips.Catalogue) {
	t.Helper()
	catalogue, _ := chips.Load()
	_, p := plantest.Folder(t, catalogue, filepath.Join("..", "examples", name))
	return p, catalogue
}

func plannedSwitch(t *testing.T, p *plan.Plan, device string) *plan.Switch {
	t.Helper()
	for _, sw := range p.Switches {
		for _, name := range sw.Names {
			if name == device {
				return sw
			}
		}
	}
	t.Fatalf("no switch %s", device)
	return nil
}

// What the switch computes from a file in the dynamic model is what the fabric was planned
// with, for every port and pool, without the fabric file. The bound of the lossy egress pool
// is in the file.
func TestDynamicBuffers(t *testing.T) {
	p, catalogue := planOf(t, "spectrum4-storage")
	for _, device := range []string{"leaf-01", "spine-1"} {
		planned := plannedSwitch(t, p, device)
		text := must.Get(os.ReadFile(filepath.Join("..", "golden", "spectrum4-storage", device, "config_db.json")))(t)
		shapes, err := Read([]File{Text("config_db.json", text)}, 0)
		if err != nil || shapes[0].Found.HasErrors() {
			t.Fatal(err, shapes)
		}
		chip, _ := catalogue.Find(planned.Chip)
		must.Do(t, Complete(shapes[0].Switch, chip))
		must.NoDiffIn(t, cmp.Diff(figuresOf(planned), figuresOf(shapes[0].Switch)), "%s (-planned +computed):", device)
	}
}

// figuresOf returns the figures that the switch computes, by port and pool.
func figuresOf(sw *plan.Switch) map[string][4]units.Bytes {
	figures := map[string][4]units.Bytes{}
	for _, p := range sw.Pools {
		figures[p.Name] = [4]units.Bytes{p.Size.Value, p.Headroom.Value}
	}
	for _, port := range sw.Ports {
		for _, pg := range port.QoS.PGs {
			if pg.Lossless {
				figures[port.Name] = [4]units.Bytes{pg.Reserved.Value, pg.XOn.Value, pg.XOnOffset.Value, pg.Headroom.Value}
			}
		}
	}
	return figures
}

// Where the file leaves the size of the egress pool open, the switch gives it the shared
// size too, and the proof stands on that. sonic-swss' buffer_pool_mellanox.lua made it
// 141,794,304 B on this leaf, as it was then: headroom computed by the switch itself, and
// 5 m of cable to the servers. The whole buffer would be 158,229,504 B. What we compute may
// differ by a part in a thousand, and the switch's was always the smaller one.
func TestDynamicEgressPool(t *testing.T) {
	p, catalogue := planOf(t, "spectrum4-storage")
	chip, _ := catalogue.Find(plannedSwitch(t, p, "leaf-01").Chip)
	text, err := os.ReadFile(filepath.Join("..", "golden", "spectrum4-storage", "leaf-01", "config_db.json"))
	must.Do(t, err)
	var tables map[string]map[string]map[string]string
	must.Do(t, json.Unmarshal(text, &tables))
	delete(tables["BUFFER_POOL"]["egress_lossless_pool"], "size")
	for _, row := range tables["BUFFER_PG"] {
		if strings.HasPrefix(row["profile"], "pg_override_") {
			row["profile"] = "NULL"
		}
	}
	for port, length := range tables["CABLE_LENGTH"]["AZURE"] {
		if speed := tables["PORT"][port]["speed"]; speed == "200000" && length == "3m" {
			tables["CABLE_LENGTH"]["AZURE"][port] = "5m"
		}
	}
	if text, err = json.Marshal(tables); err != nil {
		t.Fatal(err)
	}
	shapes, err := Read([]File{Text("config_db.json", text)}, 0)
	if err != nil || shapes[0].Found.HasErrors() {
		t.Fatal(err, shapes)
	}
	must.Do(t, Complete(shapes[0].Switch, chip))
	const computed = units.Bytes(141_794_304)
	pools := shapes[0].Switch.Pools
	at := slices.IndexFunc(pools, func(p plan.Pool) bool { return p.Name == "egress_lossless_pool" })
	if at < 0 {
		t.Fatalf("the pools are %v", pools)
	}
	if off := pools[at].Size.Value - computed; max(off, -off) > computed/1000 {
		t.Errorf("the egress pool has %v, the switch made it %v", pools[at].Size.Value, computed)
	}
}

// With every pool's size written as the device computes it, and with those left out that the
// device computes anyway, a file in the dynamic model is judged as the plan is: the same
// verdict on each switch, group and obligation, and the same figures.
func TestDynamicPoolsAsComputed(t *testing.T) {
	p, catalogue := planOf(t, "spectrum4-storage")
	for _, device := range []string{"leaf-01", "spine-1"} {
		planned := plannedSwitch(t, p, device)
		planned.PausedPGs = 0 // what no caller can declare
		text := must.Get(os.ReadFile(filepath.Join("..", "golden", "spectrum4-storage", device, "config_db.json")))(t)
		chip, _ := catalogue.Find(planned.Chip)
		computed := func(text []byte) *plan.Switch {
			shapes, err := Read([]File{Text("config_db.json", text)}, 0)
			if err != nil || shapes[0].Found.HasErrors() {
				t.Fatal(err, shapes)
			}
			must.Do(t, Complete(shapes[0].Switch, chip))
			return shapes[0].Switch
		}
		var tables map[string]map[string]map[string]string
		must.Do(t, json.Unmarshal(text, &tables))
		written := 0
		for _, pool := range computed(text).Pools {
			if row := tables["BUFFER_POOL"][pool.Name]; row["size"] == "" {
				row["size"] = strconv.FormatInt(int64(pool.Size.Value), 10)
				written++
			}
		}
		if written == 0 {
			t.Errorf("%s: the file has all sizes; the test compares nothing", device)
		}
		sized := must.Get(json.Marshal(tables))(t)
		options := declaredBy(t, catalogue, planned, device)
		name := device + "/config_db.json"
		as := outcome(judge(t, options, Text(name, text)).Switches[0])
		must.NoDiffIn(t, cmp.Diff(as, outcome(judge(t, options, Text(name, sized)).Switches[0])), "%s (-as the device computes +as written):", device)
		byPlan := outcome(judge(t, Options{Catalogue: catalogue, Fabric: &Fabric{Plan: p}}, Text(name, text)).Switches[0])
		must.NoDiffIn(t, cmp.Diff(byPlan, as), "%s (-with the plan +as the device computes):", device)
	}
}
