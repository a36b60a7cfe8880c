package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read/sonic"
	"github.com/roceplan/roceplan/units"
)

// What the switch computes from a file in the dynamic model is what the fabric was planned
// with, for every port and pool, without the fabric file. The bound of the lossy egress pool
// is in the file.
func TestDynamicBuffers(t *testing.T) {
	t.Chdir("../..")
	w := newWorkshop(t, "spectrum4-storage")
	for _, device := range []string{"leaf-01", "spine-1"} {
		planned := w.v.planned[device]
		text, err := os.ReadFile(filepath.Join(golden, "spectrum4-storage", device, "config_db.json"))
		check(t, err)
		sw, found := sonic.Read("config_db.json", text)
		if found.HasErrors() {
			t.Fatal(found)
		}
		chip, _ := w.v.catalogue.Find(planned.Chip)
		useChip(sw, chip)
		if err := computeBuffers(sw, chip); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(figuresOf(planned), figuresOf(sw)); diff != "" {
			t.Errorf("%s (-planned +computed):\n%s", device, diff)
		}
	}
}

// Without the fabric file too, such a file is proved and probed.
func TestDynamicIsProved(t *testing.T) {
	file := filepath.Join("..", "..", golden, "spectrum4-storage", "leaf-01", "config_db.json")
	if told := mustRun(t, "audit", file, "--chip", "spectrum-4"); !strings.Contains(told, "leaf-01: spectrum4, SONiC, 78 ports: lossless") {
		t.Errorf("audit says:\n%s", told)
	}
	if told := mustRun(t, "probe", file, "--chip", "spectrum-4", "--port", "Ethernet0", "--pg", "3"); !strings.Contains(told, "272 cells of its own") {
		t.Errorf("probe says:\n%s", told)
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
