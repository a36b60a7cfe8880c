package chips_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
)

// Whatever a file says of a platform, and whatever is asked of it, the answer is a place
// or an error; and no two ports of a cage share a lane.
func TestAnyPlatformAnswers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
		text := fmt.Sprintf(`
platform "box" {
  title = "Box"
  chip  = "th5"
  names = ["box"]
  cages "a" {
    lanes      = %d
    first_port = %d
    step       = %d
    first_lanes {
      value      = ["%d..%d/%d"]
      confidence = "assumed"
      source     = "a guess"
    }
    breakouts {
      value      = ["1x400G", "%dx100G", "%dx50G(%d)"]
      confidence = "assumed"
      source     = "a guess"
    }
  }
}`, n("lanes", 0, 10), n("first", -1, 9), n("step", 0, 9), n("from", 0, 9), n("to", 0, 99), n("by", 1, 9), n("ports", 1, 9), n("parts", 1, 9), n("of", 1, 9))
		c, _ := chips.Load(chips.Source{Name: "box.hcl", Text: []byte(text)})
		p, ok := c.Platform("box", "")
		if !ok {
			return
		}
		use := chips.Use{Ports: n("use", 0, 9), Lanes: n("use lanes", 0, 9), Speed: rapid.SampledFrom([]units.BitRate{0, 50, 100, 400}).Draw(t, "speed") * units.Gbps}
		owner := map[int]string{}
		for port := -2; port < 40; port++ {
			name := fmt.Sprintf("Ethernet%d", port)
			at, err := p.Place(name, use)
			if err != nil {
				_ = err.Error()
				continue
			}
			if len(at.Lanes) == 0 {
				t.Fatalf("%s has no lanes: %+v", name, at)
			}
			for _, lane := range at.Lanes {
				key := fmt.Sprint(at.Parent)
				if before := owner[lane]; before != "" && before[:len(key)] == key {
					t.Fatalf("lane %d of %s belongs to %s too", lane, name, before)
				}
				owner[lane] = key + " " + name
			}
		}
	})
}
