package scenario

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/plantest"
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

// narrow returns the pod with two links of 100 Gb/s above the 16 hosts of each leaf, instead of 16.
func narrow(t *testing.T, control string) []pattern.Job {
	t.Helper()
	catalogue, _ := chips.Load()
	text := strings.NewReplacer("%s", control, "[64..124/4]", "[64..68/4]", "[0..124/4]", "[0..12/4]", "links_per_pair = 8", "links_per_pair = 1").Replace(pod)
	f, p := plantest.Text(t, catalogue, text)
	list := slices.DeleteFunc(Traces(nil).All(f), func(s pattern.Scenario) bool {
		return !slices.Contains([]string{"incast-4-to-2", "opposite", "permutation", "all-to-all"}, s.Name)
	})
	return jobs(t, p, whole, list, 500*units.Microsecond)
}

// Messages that fill ports are judged by throughput, however many receivers there are and
// whatever links lie between: by what these carry. Without congestion control PFC keeps a full
// link full. Where all hosts send over the two links of their leaf, nearly all of it is carried until
// the first one is done; where a hash leaves less of them, no run carries more.
func TestSeveralReceiversAreJudged(t *testing.T) {
	for _, o := range run(t, narrow(t, "none")) {
		if !o.Judged || o.Throughput <= 0.7 || o.Throughput > 1 {
			t.Errorf("%s: judged %v, throughput %.3f", o.Pattern, o.Judged, o.Throughput)
		}
		if s := o.Steady; o.Pattern == "opposite" && (!s.Settled || s.Throughput < 0.9 || s.Throughput > 1) {
			t.Errorf("%s: %+v", o.Pattern, s)
		}
		k := slices.IndexFunc(o.Bounds, func(b pattern.Bound) bool { return b.Kind == pattern.ECMPCollisions })
		if (o.Pattern == "permutation") != (k >= 0 && o.Throughput > 0.95*o.Bounds[k].Value) && o.Pattern != "all-to-all" {
			t.Errorf("%s: %.3f of what the links carry: %+v", o.Pattern, o.Throughput, o.Bounds)
		}
		if k >= 0 && o.Throughput > o.Bounds[k].Value {
			t.Errorf("%s: %.3f is above %+v", o.Pattern, o.Throughput, o.Bounds[k])
		}
	}
}
