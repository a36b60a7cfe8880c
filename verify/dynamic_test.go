package verify

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// planOf compiles an example.
func planOf(t *testing.T, name string) (*plan.Plan, *chips.Catalogue) {
	t.Helper()
	folder := filepath.Join("..", "examples", name)
	paths, err := filepath.Glob(filepath.Join(folder, "*.hcl"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: %v, %v", folder, paths, err)
	}
	catalogue, _ := chips.Load()
	o := policy.Options{Catalogue: catalogue, Root: os.DirFS(folder)}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		o.Files = append(o.Files, policy.Source{Name: path, Text: text})
	}
	fabric, found := policy.Load(o)
	if found.HasErrors() {
		t.Fatal(found)
	}
	p, found := calc.Compute(fabric)
	if found.HasErrors() {
		t.Fatal(found)
	}
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
		text, err := os.ReadFile(filepath.Join("..", "golden", "spectrum4-storage", device, "config_db.json"))
		if err != nil {
			t.Fatal(err)
		}
		shapes, err := Read([]File{Text("config_db.json", text)}, 0)
		if err != nil || shapes[0].Found.HasErrors() {
			t.Fatal(err, shapes)
		}
		chip, _ := catalogue.Find(planned.Chip)
		if err := Complete(shapes[0].Switch, chip); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(figuresOf(planned), figuresOf(shapes[0].Switch)); diff != "" {
			t.Errorf("%s (-planned +computed):\n%s", device, diff)
		}
	}
}

// figuresOf are the figures that the switch computes, by port and pool.
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
