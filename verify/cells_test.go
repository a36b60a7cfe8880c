package verify

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/emit/eos"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/units"
)

// A fabric of two chips with EOS, whose cells are 256 B and 208 B.
const twoCells = `
fabric "pod" {
  mtu = "9216B"
}

traffic_class "rdma" {
  dscp   = [26]
  queue  = 3
  pfc    = 3
  weight = 60
}

traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 40
}

switch "leaf" {
  chip = "trident3"
  os   = eos

  port_group "all" {
    ports = "Ethernet[1..16]/1"
    speed = "100Gbps"
    cable = "3m"
  }
}

switch "spine" {
  chip = "tomahawk2"
  os   = eos

  port_group "all" {
    ports = "Ethernet[1..16]/1"
    speed = "100Gbps"
    cable = "50m"
  }
}
`

// inCells gives the amounts of EOS's buffer in cells.
func inCells(t *testing.T, text string, cell units.Bytes) string {
	t.Helper()
	amount := regexp.MustCompile(`(ingress headroom|headroom-pool limit) (\d+)`)
	if !amount.MatchString(text) {
		t.Fatalf("no headroom in\n%.2000s", text)
	}
	return amount.ReplaceAllStringFunc(text, func(s string) string {
		m := amount.FindStringSubmatch(s)
		n, _ := strconv.ParseInt(m[2], 10, 64)
		if n%int64(cell) != 0 {
			t.Fatalf("%s is not divisible into cells of %v", s, cell)
		}
		return fmt.Sprintf("%s cells %d", m[1], n/int64(cell))
	})
}

// Amounts in cells count those of the switch's own chip: that of the fabric's switch, or that of
// the model that the file names.
func TestCellsOfTheOwnChip(t *testing.T) {
	catalogue, _ := chips.Load()
	_, p := plantest.Text(t, catalogue, twoCells)
	for device, cell := range map[string]units.Bytes{"leaf": 256, "spine": 208} {
		planned := plannedSwitch(t, p, device)
		files := must.Sound(eos.Emit(planned))(t)
		text := string(files[0].Body.AppendFor(nil, device))
		name := device + "/eos.cfg"
		options := Options{Catalogue: catalogue, Fabric: &Fabric{Plan: p}}
		inBytes := judge(t, options, Text(name, []byte(text))).Switches[0]
		counted := judge(t, options, Text(name, []byte(inCells(t, text, cell)))).Switches[0]
		if diff := cmp.Diff(outcome(inBytes), outcome(counted)); diff != "" || counted.Plan.Cell != cell {
			t.Errorf("%s has cells of %v (-in bytes +in cells):\n%s", device, counted.Plan.Cell, diff)
		}
	}
	for model, chip := range map[string]string{"DCS-7050CX3-32S": "trident3", "DCS-7050CX3-32S-F": "trident3", "DCS-7060X6-64PE-B": "tomahawk5"} {
		text := "! device: l (" + model + ", EOS-4.34.2F)\nhostname l\nplatform trident mmu headroom-pool limit cells 9600\ninterface Ethernet1/1\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
		s := judge(t, Options{Catalogue: catalogue}, Text("running-config", []byte(text))).Switches[0]
		want, _ := catalogue.Find(chip)
		pool := s.Plan.Pools[0].Headroom.Value
		if s.Chip != chip || pool != 9600*want.CellSize.Or(0) {
			t.Errorf("%s: chip %q, headroom pool %v", model, s.Chip, pool)
		}
	}
}
