package model_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/plan"
)

func slicesOf(t *testing.T, sw *plan.Switch, chip *chips.Chip) (counted []int, in [2]int) {
	t.Helper()
	config, err := model.Buffer(sw, chip)
	if err != nil {
		t.Fatal(err)
	}
	for i := range config.Ports {
		if sw.Ports[i].QoS != nil {
			counted = append(counted, config.Ports[i].Slice)
			in[config.Ports[i].Slice]++
		}
	}
	return counted, in
}

// Rows of ports that are down, anywhere in the file, move no other port: 64 ports in two
// slices are 32 in each.
func TestPortsThatAreDownDoNotCount(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("tomahawk5")
	sw := measured{chip: "tomahawk5", ports: 64, pool: 165660324, headroom: 29520896, reserved: 18796, xoff: 300990}.switchOf()
	for i := range 32 {
		sw.Ports = append(sw.Ports, plan.Port{Name: fmt.Sprintf("down%d", i)})
	}
	if _, in := slicesOf(t, sw, chip); in != [2]int{32, 32} {
		t.Errorf("ports that are down come last: %v in the slices", in)
	}
	r := rand.New(rand.NewPCG(1, 1))
	r.Shuffle(len(sw.Ports), func(i, j int) { sw.Ports[i], sw.Ports[j] = sw.Ports[j], sw.Ports[i] })
	if _, in := slicesOf(t, sw, chip); in != [2]int{32, 32} {
		t.Errorf("ports that are down lie between: %v in the slices", in)
	}
}

// facts of Broadcom's SDK: pipes 0, 1, 6 and 7 of a Tomahawk 3 write to ITM 0, 2 to 5 to
// ITM 1. 32 lanes are a pipe.
func TestPipesPlacePorts(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("tomahawk3")
	sw := measured{chip: "tomahawk3", ports: 4, pool: 66394076, headroom: 8644128, reserved: 2540, xoff: 117348}.switchOf()
	for i, lane := range []int{1, 33, 65, 193} {
		sw.Ports[i].Lanes = []int{lane}
	}
	if got, _ := slicesOf(t, sw, chip); fmt.Sprint(got) != "[0 0 1 0]" {
		t.Errorf("pipes 0, 1, 2 and 6: slices %v", got)
	}
}
