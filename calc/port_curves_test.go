package calc_test

import (
	"os"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// edited computes an example after replacements in its text, each of which must be found.
func edited(t *testing.T, example string, pairs ...string) *plan.Plan {
	t.Helper()
	folder := "../examples/" + example
	text := must.Get(os.ReadFile(folder + "/fabric.hcl"))(t)
	hcl := string(text)
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(hcl, pairs[i]) {
			t.Fatalf("%s has no %q", example, pairs[i])
		}
		hcl = strings.Replace(hcl, pairs[i], pairs[i+1], 1)
	}
	p := must.Sound(compute(t, hcl, folder))(t)
	return p
}

// The curve of a port group is that of its ports alone, though others of the switch and of
// the fabric have their speed: 800 Gb/s down to the leaf and up to the spine. The chip counts
// in cells of 254 B: 25,400 B are 100 of them, 508,000 B 2,000. Pmax is a step of the chip.
func TestCurveOfPorts(t *testing.T) {
	const own = `
    ecn {
      class = traffic_class.rdma
      kmin  = "25400B"
      kmax  = "508000B"
      pmax  = "50%"
    }
`
	given := plan.ECN{KMin: plan.Of(units.Bytes(25_400), nil), KMax: plan.Of(units.Bytes(508_000), nil), PMax: plan.Of(50*units.Percent, nil)}
	const purpose, requests = "= training", "= requests" // whose narrow curves leave room for one more
	group := "port_group \"spines\" {\n"
	for _, block := range []string{own, strings.Replace(own, "      class = traffic_class.rdma\n", "", 1)} {
		before, after := edited(t, "tomahawk5-ai-pod", purpose, requests), edited(t, "tomahawk5-ai-pod", purpose, requests, group, group+block)
		seen := 0
		for s, sw := range after.Switches {
			for i := range sw.Ports {
				got, was := marking(t, &sw.Ports[i]), marking(t, &before.Switches[s].Ports[i])
				want := was
				if sw.Role == "leaf" && sw.Ports[i].Speed == 800*units.Gbps {
					want = &given
					seen++
				}
				if got.KMin.Value != want.KMin.Value || got.KMax.Value != want.KMax.Value || got.PMax.Value != want.PMax.Value {
					t.Errorf("%s %s marks from %v to %v, up to %v", sw.Names[0], sw.Ports[i].Name, got.KMin.Value, got.KMax.Value, got.PMax.Value)
				}
			}
		}
		if seen != 32 { // Ethernet256 to Ethernet504, each eighth
			t.Errorf("%d ports have the curve, want 32", seen)
		}
	}
}

func marking(t *testing.T, p *plan.Port) *plan.ECN {
	t.Helper()
	for i := range p.QoS.Queues {
		if q := &p.QoS.Queues[i]; q.ID == 3 {
			return q.ECN
		}
	}
	t.Fatalf("%s has no queue 3", p.Name)
	return nil
}

// A lossy pool that is given is the one that is configured, and thresholds keep what they are
// by the weights: without it the pool was wider already.
func TestLossyPoolGiven(t *testing.T) {
	sizes := func(p *plan.Plan) (all []units.Bytes) {
		for _, pool := range p.Switches[0].Pools {
			all = append(all, pool.Size.Value)
		}
		return all
	}
	before := edited(t, "tomahawk5-ai-pod")
	after := edited(t, "tomahawk5-ai-pod", `role     = "leaf"`, "role = \"leaf\"\nlossy_pool = \"25400000B\"")
	want := sizes(before)
	for i, pool := range before.Switches[0].Pools {
		if pool.Name == "egress_lossy_pool" {
			want[i] = 25_400_000
		}
	}
	got := sizes(after)
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("pools are %v, want %v", got, want)
		}
	}
	if a, b := before.Switches[0].Ports[0].QoS.PGs[0].Limit.Value, after.Switches[0].Ports[0].QoS.PGs[0].Limit.Value; a != b {
		t.Errorf("the group's threshold was %v and is %v", a, b)
	}
}

// The alpha of a switch is that of its lossless groups alone, and those of other switches keep theirs, which
// their class gives or the compiler chooses: 1/16 is a step of the chip, and another than both.
func TestAlphaOfASwitch(t *testing.T) {
	const spine = `  role     = "spine"`
	for _, class := range []string{"", "\n  alpha = 1/8"} {
		given := []string{"pfc                = 3", "pfc                = 3" + class}
		before, after := edited(t, "tomahawk-eos-pod", given...), edited(t, "tomahawk-eos-pod", append(given, spine, spine+"\n  alpha = 1/16")...)
		seen := 0
		for s, sw := range after.Switches {
			for i := range sw.Ports {
				for k := range sw.Ports[i].QoS.PGs {
					pg, was := &sw.Ports[i].QoS.PGs[k], &before.Switches[s].Ports[i].QoS.PGs[k]
					want := was.Limit.Value
					if sw.Role == "spine" && pg.Lossless {
						want = plan.Limit{Dynamic: true, Alpha: -4}
						if seen++; want == was.Limit.Value || pg.Limit.Why.Kind != plan.Given || pg.Limit.Why.Range.Start.Line == 0 {
							t.Errorf("%s: before %v, now by %+v", sw.Names[0], was.Limit.Value, pg.Limit.Why)
						}
					}
					must.Equalf(t, pg.Limit.Value, want, "%s %s PG %d:", sw.Names[0], sw.Ports[i].Name, pg.ID)
				}
			}
		}
		if seen != 16 { // Ethernet1/1 to Ethernet16/1
			t.Errorf("%d groups have it, want 16", seen)
		}
	}
}
