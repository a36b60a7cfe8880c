package model_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

func slicesOf(t *testing.T, sw *plan.Switch, chip *chips.Chip) (counted []int, in [2]int) {
	t.Helper()
	config := must.Get(model.Buffer(sw, chip))(t)
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

// Where the pipes are not known, ports lie as they fill one part most. A Tomahawk 5 switches
// 51.2 Tb/s with two parts, so 25.6 Tb/s come in at the pipes of one: 32 ports of 800G.
func TestPortsOfUnknownPipesLieWhereTheyFillMost(t *testing.T) {
	catalogue, _ := chips.Load()
	five, _ := catalogue.Find("tomahawk5")
	ports := func(n int, rate units.BitRate, load units.Bytes) (list []chips.PortLoad) {
		for range n {
			list = append(list, chips.PortLoad{Rate: rate, Load: load})
		}
		return list
	}
	sums := func(chip *chips.Chip, list []chips.PortLoad) map[int]units.Bytes {
		placed, known := chip.Places(list)
		if known {
			t.Errorf("%s: %v of ports without lanes is known", chip.Name, placed)
		}
		sums := map[int]units.Bytes{}
		for i, part := range placed {
			sums[part] += list[i].Load
		}
		return sums
	}
	for _, c := range []struct {
		what string
		list []chips.PortLoad
		want map[int]units.Bytes
	}{
		{"half of the ports", ports(32, 800*units.Gbps, 10), map[int]units.Bytes{0: 320}},
		{"all ports", ports(64, 800*units.Gbps, 10), map[int]units.Bytes{0: 320, 1: 320}},
		{"33 ports, the last with the longest cable", append(ports(32, 800*units.Gbps, 10), ports(1, 800*units.Gbps, 50)...), map[int]units.Bytes{0: 31*10 + 50, 1: 10}},
		{"lossy ports beside lossless ones", append(ports(32, 800*units.Gbps, 0), ports(32, 800*units.Gbps, 10)...), map[int]units.Bytes{0: 320, 1: 0}},
		// 31 of 800G and two of 400G fill 32 places; with the third of 400G, which loads each of its
		// lanes more, a place of 800G would stay half empty: 30 x 16 + 3 x 9 are less
		{"no lane stays empty", append(ports(40, 800*units.Gbps, 16), ports(3, 400*units.Gbps, 9)...), map[int]units.Bytes{0: 31*16 + 2*9, 1: 9*16 + 9}},
		// 400G of 10 B load a lane with 2.5 B, 800G of 16 B with 2 B
		{"the load of each lane decides", append(ports(32, 800*units.Gbps, 16), ports(64, 400*units.Gbps, 10)...), map[int]units.Bytes{0: 640, 1: 512}},
	} {
		if got := sums(five, c.list); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
	// XPE 0 and 1 of a Tomahawk take the same pipes, and so do 2 and 3: 32 ports of 100G are 16
	// at the pipes of each pair, and all that they bring in may lie in one of the two.
	one, _ := catalogue.Find("tomahawk")
	if got := sums(one, ports(32, 100*units.Gbps, 10)); fmt.Sprint(got) != fmt.Sprint(map[int]units.Bytes{0: 160, 2: 160}) {
		t.Errorf("a full Tomahawk: %v", got)
	}
}

// Lanes 1 to 32 of a Tomahawk are pipe 0, 33 to 64 pipe 1, and so on: OpenBCM sdk-6.5.27
// tomahawk.c:1813-1862 has pipes 0 and 3 write to XPE 0 and 1, pipes 1 and 2 to XPE 2 and 3.
func TestPipesOfTwoParts(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("tomahawk")
	var list []chips.PortLoad
	for _, lane := range []int{1, 33, 65, 97} {
		list = append(list, chips.PortLoad{Lanes: []int{lane}})
	}
	if got, known := chip.Places(list); !known || fmt.Sprint(got) != "[0 2 2 0]" {
		t.Errorf("pipes 0 to 3: %v, known %v", got, known)
	}
}
