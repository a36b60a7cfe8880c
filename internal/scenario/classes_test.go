package scenario

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/units"
)

// Both of two lossless classes carry messages of a traffic that names none. The second one's run
// the congestion control that it names, where that is another one and the scenario asks for none.
func TestTwoLosslessClasses(t *testing.T) {
	for _, c := range []struct {
		control, asked string
		own            bool
	}{{"dctcp", "", true}, {"dcqcn", "", false}, {"dctcp", "dctcp", false}} {
		f, p := compiled(t, "dcqcn", `
traffic_class "storage" {
  dscp               = [34]
  queue              = 4
  pfc                = 4
  weight             = 10
  congestion_control = "`+c.control+`"
}
scenario "both" {
  permutation {
    message = "64KB"
  }
}`)
		list := Traces(nil).All(f)[:1]
		list[0].CongestionControl = c.asked
		all := jobs(t, p, fabric.Size{Edges: 2, HostsPerEdge: 4}, list, 100*units.Microsecond)
		sc := &all[0].Network.Scenario
		var own []sim.Algorithm
		for _, control := range sc.Classes {
			if control != nil {
				own = append(own, control.Algorithm)
			}
		}
		first := sim.UseDCQCN
		if c.asked != "" {
			first = sim.UseDCTCP
		}
		if c.own != slices.Equal(own, []sim.Algorithm{sim.UseDCTCP}) || !c.own && len(own) != 0 || sc.Congestion.Algorithm != first {
			t.Errorf("%s, asked %q: %v, and classes run %v", c.control, c.asked, sc.Congestion.Algorithm, own)
		}
		// No note says that a control that runs does not.
		if notes := strings.Join(pattern.Notes(all[0].Network, all), "\n"); strings.Contains(notes, "not simulated") {
			t.Errorf("%s, asked %q: %s", c.control, c.asked, notes)
		}
		all[0].Detailed = true
		o := run(t, all)[0]
		busy := 0
		for _, class := range o.Classes {
			// 8 messages of 64 KB: half of them in each class, at least 16 packets each.
			if class.Packets >= 4*16 {
				busy++
			}
		}
		if busy != 2 || o.Unfinished != 0 || o.LosslessDrops != 0 {
			t.Errorf("%s: classes %+v, %d unfinished, %d lost", c.control, o.Classes, o.Unfinished, o.LosslessDrops)
		}
	}
}
