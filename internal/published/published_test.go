package published

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// fabric has leaves with servers at 100 Gb/s and a spine; extra is the body of its class.
func fabric(t *testing.T, chip, extra string) (*chips.Catalogue, *plan.Plan) {
	t.Helper()
	catalogue, found := chips.Load()
	if len(found) > 0 {
		t.Fatal(found)
	}
	text := strings.NewReplacer("CHIP", chip, "EXTRA", extra).Replace(`
fabric "f" {
  mtu = "9216B"
}
traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
}
traffic_class "rdma" {
  dscp   = [26]
  queue  = 3
  pfc    = 3
  weight = 60
  EXTRA
}
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 40
}
nic "cx" {
  model    = "connectx-7"
  roce_mtu = "4096B"
}
switch "leaf-[1..2]" {
  chip = "CHIP"
  os   = sonic
  role = "leaf"
  port_group "servers" {
    ports = "Ethernet[0..28/4]"
    speed = "100Gbps"
    cable = "3m"
    peer  = nic.cx
  }
  port_group "spines" {
    ports = "Ethernet[32..36/4]"
    speed = "400Gbps"
    cable = "30m"
    peer  = switch.spine
  }
}
switch "spine" {
  chip = "CHIP"
  os   = sonic
  role = "spine"
  port_group "leaves" {
    ports = "Ethernet[0..12/4]"
    speed = "400Gbps"
    cable = "30m"
    peer  = switch.leaf
  }
}
`)
	_, p := plantest.Text(t, catalogue, text)
	return catalogue, p
}

// rdma returns the queue and the group of the lossless class at the first port of a group of ports.
func rdma(t *testing.T, p *plan.Plan, role, group string) (*plan.Queue, *plan.PG) {
	t.Helper()
	for _, sw := range p.Switches {
		for i := range sw.Ports {
			if port := &sw.Ports[i]; sw.Role == role && port.Group == group {
				var q *plan.Queue
				var pg *plan.PG
				for k := range port.QoS.Queues {
					if port.QoS.Queues[k].ID == 3 {
						q = &port.QoS.Queues[k]
					}
				}
				for k := range port.QoS.PGs {
					if port.QoS.PGs[k].ID == 3 {
						pg = &port.QoS.PGs[k]
					}
				}
				return q, pg
			}
		}
	}
	t.Fatalf("no port of %s", group)
	return nil, nil
}

func curveOf(q *plan.Queue) chips.Curve {
	return chips.Curve{KMin: q.ECN.KMin.Value, KMax: q.ECN.KMax.Value, PMax: q.ECN.PMax.Value}
}

// Curves by the speed of the port and the place of the switch, alpha, and constants of the NICs; the plan itself, its
// headroom and its lossy queues stay as they were.
func TestLay(t *testing.T) {
	catalogue, p := fabric(t, "tomahawk5", "")
	before, _ := rdma(t, p, "leaf", "servers")
	was := curveOf(before)
	lay := func(name string) *plan.Plan {
		t.Helper()
		c, _ := catalogue.Configuration(name)
		o := must.Get(Lay(p, c, catalogue.Find))(t)
		return o.Plan
	}
	const kB = units.Bytes(1000)
	for _, c := range []struct {
		name, role, group string
		low, high         units.Bytes
	}{
		{"nvidia-roce", "leaf", "servers", 150 * kB, 1500 * kB}, {"nvidia-roce", "spine", "leaves", 150 * kB, 1500 * kB},
		{"hpcc-simulator", "leaf", "servers", 400 * kB, 1600 * kB}, {"hpcc-simulator", "leaf", "spines", 1600 * kB, 6400 * kB},
		{"arista-reference", "leaf", "spines", 256 * kB, 512 * kB}, {"arista-reference", "spine", "leaves", 512 * kB, 768 * kB},
	} {
		q, pg := rdma(t, lay(c.name), c.role, c.group)
		_, own := rdma(t, p, c.role, c.group)
		if got := curveOf(q); got.KMin != c.low || got.KMax != c.high || q.ECN.KMin.Why == nil {
			t.Errorf("%s, %s: %v", c.name, c.group, got)
		}
		must.Equalf(t, pg.Headroom.Value, own.Headroom.Value, "%s: headroom", c.name)
	}
	_, pg := rdma(t, lay("juniper-jvd"), "leaf", "servers")
	must.Equalf(t, pg.Limit.Value, plan.Limit{Dynamic: true, Alpha: 3}, "limit")
	// 5 and 50 Mb/s at 25 Gb/s are 20 and 200 at 100; EWMA_GAIN 1/256 keeps 1020 of 1024.
	r := lay("hpcc-simulator").Hosts[0].Reaction
	if r.AIRate.Value != 20*units.Mbps || r.HAIRate.Value != 200*units.Mbps || r.G.Value != 1020 || r.G.Why == nil || r.GD.Value != p.Hosts[0].Factory.GD.Value {
		t.Errorf("%+v", r)
	}
	r = lay("dcqcn-paper").Hosts[0].Reaction
	if r.AIRate.Value != 40*units.Mbps || r.Threshold.Value != 5 || r.TimeReset.Value != 55*units.Microsecond || r.ByteReset.Value != 10_000_000 || !bool(r.ClampTarget.Value) || r.CNPInterval.Value != 50*units.Microsecond {
		t.Errorf("%+v", r)
	}
	if r := lay("nvidia-roce").Hosts[0].Reaction; !reflect.DeepEqual(r, p.Hosts[0].Factory) {
		t.Errorf("%+v", r)
	}
	if after, _ := rdma(t, p, "leaf", "servers"); curveOf(after) != was {
		t.Errorf("the plan itself has changed to %v", curveOf(after))
	}
	for _, sw := range lay("nvidia-roce").Switches {
		for i := range sw.Ports {
			for _, q := range sw.Ports[i].QoS.Queues {
				if q.ID != 3 && q.ECN != nil {
					t.Errorf("queue %d marks", q.ID)
				}
			}
		}
	}
}

// Of a queue that may hold α·pool/(1+α) = 8/9 of the pool, 55 and 90 %.
func TestShareOfQueue(t *testing.T) {
	catalogue, p := fabric(t, "tomahawk5", "")
	c, _ := catalogue.Configuration("juniper-jvd")
	o := must.Get(Lay(p, c, catalogue.Find))(t)
	q, pg := rdma(t, o.Plan, "leaf", "servers")
	for _, pool := range o.Plan.Switches[0].Pools {
		if pool.Name != pg.Pool {
			continue
		}
		most := int64(pool.Size.Value) * 8 / 9
		if got := curveOf(q); int64(got.KMin) != most*55/100 || int64(got.KMax) != most*90/100 {
			t.Errorf("%v of %d", got, most)
		}
		return
	}
	t.Fatal("no pool")
}

// What a chip cannot do is said.
func TestLeftOut(t *testing.T) {
	catalogue, p := fabric(t, "tomahawk3", "") // whose probabilities have steps: 10 %, then 25 %
	c, _ := catalogue.Configuration("hpcc-paper")
	o, err := Lay(p, c, catalogue.Find)
	if err != nil || len(o.LeftOut) != 1 || !strings.Contains(o.LeftOut[0], "pmax 20% is no step of tomahawk3: 10% replaces it") {
		t.Fatalf("%v, %v", o, err)
	}
	if q, _ := rdma(t, o.Plan, "leaf", "servers"); q.ECN.PMax.Value != 10*units.Percent {
		t.Errorf("%v", q.ECN.PMax.Value)
	}
}

func TestForeign(t *testing.T) {
	catalogue, p := fabric(t, "tomahawk3", "")
	for name, want := range map[string]string{
		"nvidia-roce": "", "cisco-ai-blueprint": "", "dcqcn-paper": "servers at 40Gbps", "sonic-tomahawk5": "tomahawk5",
	} {
		c, _ := catalogue.Configuration(name)
		must.Equalf(t, Foreign(p, c), want, "%s:", name)
	}
}

// A fabric that does not mark has no curve to replace.
func TestNothingMarks(t *testing.T) {
	catalogue, p := fabric(t, "tomahawk3", "congestion_control = swift")
	c, _ := catalogue.Configuration("nvidia-roce")
	if _, err := Lay(p, c, catalogue.Find); !errors.Is(err, ErrNoMarks) {
		t.Error(err)
	}
}
