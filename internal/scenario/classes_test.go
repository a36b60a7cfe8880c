package scenario

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/units"
)

// Both of two lossless classes carry messages of a traffic that names none. That the hosts of
// the second one name another congestion control is said, and only then.
func TestTwoLosslessClasses(t *testing.T) {
	for _, c := range []struct {
		control, asked string
		told           bool
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
		list := All(f)[:1]
		list[0].CongestionControl = c.asked
		all := jobs(t, p, fabric.Size{Edges: 2, HostsPerEdge: 4}, list, 100*units.Microsecond)
		notes := strings.Join(pattern.Notes(all[0].Network, all), "\n")
		if want := "the congestion control of class storage, dctcp, is not simulated: its messages run dcqcn"; strings.Contains(notes, want) != c.told || strings.Contains(notes, "the congestion control of class") != c.told {
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
