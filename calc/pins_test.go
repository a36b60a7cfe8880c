package calc_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

const pinnedFabric = `
fabric "pod" {
  mtu = "9216B"
}
traffic_class "rdma" {
  dscp   = [26]
  queue  = 3
  pfc    = 3
  weight = 50
  #CLASS
}
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 50
}
switch "leaf-1" {
  chip = "trident3"
  os   = sonic
  port_group "storage" {
    ports = "Ethernet[0..31]"
    speed = "25Gbps"
    cable = "5m"
    #GROUP
  }
  #SWITCH
}
`

// pinnedPlan returns the switch of the fabric with lines in place of its marks.
func pinnedPlan(t *testing.T, class, group, ofSwitch string) *plan.Switch {
	t.Helper()
	text := strings.NewReplacer("#CLASS", class, "#GROUP", group, "#SWITCH", ofSwitch).Replace(pinnedFabric)
	p := must.Sound(compute(t, text, ""))(t)
	return p.Switches[0]
}

// sample is a value that nothing derives, as it is written.
func sample(zero any) (value any, written string) {
	switch zero.(type) {
	case units.Bytes:
		return units.Bytes(12_345), `"12345B"`
	case plan.Limit:
		return plan.Limit{Static: 12_345}, `"12345B"`
	case units.BitRate:
		return 7 * units.Gbps, `"7Gbps"`
	case units.Time:
		return 700 * units.Millisecond, `"700ms"`
	case units.Ratio:
		return 7 * units.Percent, `"7%"`
	case int64:
		return int64(7), "7"
	case plan.PerCent:
		return plan.PerCent(7), "7"
	case bool:
		return true, "true"
	case string:
		return "other_pool", `"other_pool"`
	case plan.WatchdogAction:
		return plan.WatchdogAlert, "alert"
	case plan.Direction:
		return plan.Egress, "egress"
	case plan.Priorities:
		return plan.Priorities(1<<2 | 1<<5), "[2, 5]"
	case plan.Rewrite:
		return plan.Rewrite{TCs: 0b1111, DSCP: [8]uint8{7, 7, 7, 26}}, `{ "0-2" = 7, "3" = 26 }`
	case plan.FEC:
		return plan.FEC("fc"), "fc"
	case plan.Levels:
		return plan.Levels("0% at 55%, 100% at 90%"), `"0% at 55%, 100% at 90%"`
	}
	return nil, ""
}

// Whatever can be pinned arrives in the plan, with the line as its reason, and nothing else of the part changes
// that was there.
func TestWhatIsPinnedArrives(t *testing.T) {
	pool := func(s *plan.Switch) any {
		return &s.Pools[slices.IndexFunc(s.Pools, func(p plan.Pool) bool { return p.Name == "egress_lossy_pool" })]
	}
	for _, c := range []struct {
		block string
		all   []plan.Attribute
		part  func(*plan.Switch) any
	}{
		{"", plan.PortAttributes(), func(s *plan.Switch) any { return s.Ports[0].QoS }},
		{"", plan.PhysicalAttributes(), func(s *plan.Switch) any { return &s.Ports[0] }},
		{`priority_group "0"`, plan.PGAttributes(), func(s *plan.Switch) any { return &s.Ports[0].QoS.PGs[0] }},
		{`queue "3"`, plan.QueueAttributes(), func(s *plan.Switch) any { return &s.Ports[0].QoS.Queues[1] }},
		{`pool "egress_lossy_pool"`, plan.PoolAttributes(), pool},
		{`port_pool "egress_lossy_pool"`, plan.PortPoolAttributes(), func(s *plan.Switch) any { return &s.Ports[0].QoS.Pools[0] }},
		{"watchdog", plan.WatchdogAttributes(), func(s *plan.Switch) any { return s.Watchdog }},
	} {
		before := pinnedPlan(t, "", "", fmt.Sprintf("pinned {\n%s {\n}\n}", orPool(c.block)))
		for _, a := range c.all {
			if a.Pin == "" {
				continue
			}
			want, written := sample(a.Zero)
			line := fmt.Sprintf("%s = %s", a.Pin, written)
			if c.block != "" {
				line = fmt.Sprintf("%s {\n%s\n}", c.block, line)
			}
			sw := pinnedPlan(t, "", "", "pinned {\n"+line+"\n}")
			got, why := a.Get(c.part(sw))
			must.Equalf(t, got, want, "%s %s:", c.block, a.Pin)
			if a.Derived && (why == nil || why.Kind != plan.Pinned || why.Range.Filename != "fabric.hcl") {
				t.Errorf("%s %s: its reason is %+v", c.block, a.Pin, why)
			}
			for _, other := range c.all {
				is, _ := other.Get(c.part(sw))
				shortened := a.Name == "kmax" && other.Name == "kmin"                                   // a curve is derived so that marks act before pauses: it need not be cut then
				replaced := a.Pin == "fill_levels" && other.Without != nil && other.Without(c.part(sw)) // it is the curve instead
				if was, _ := other.Get(c.part(before)); other.Name != a.Name && is != was && !shortened && !replaced {
					t.Errorf("%s %s changes %s from %v to %v", c.block, a.Pin, other.Name, was, is)
				}
			}
		}
	}
}

// A watchdog that a pin brings about has the timers that are derived: one that polls is checked against these.
func TestPinnedWatchdogHasTimers(t *testing.T) {
	text := strings.NewReplacer("#CLASS", "", "#GROUP", "", "#SWITCH", "pinned {\nwatchdog {\npoll = \"150ms\"\n}\n}", "traffic_class \"rdma\"", "pfc_watchdog {\nenabled = false\n}\ntraffic_class \"rdma\"").Replace(pinnedFabric)
	p, found := compute(t, text, "")
	if w := p.Switches[0].Watchdog; w == nil || w.Detection.Value != 200*units.Millisecond || w.Poll.Value != 150*units.Millisecond {
		t.Errorf("%+v", w)
	}
	if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool {
		return d.Code == calc.PinnedBreaks && strings.Contains(d.Message, "two polling intervals take 300ms")
	}) {
		t.Error(found)
	}
}

// orPool is a block that is made where there is none, so that both plans have the part.
func orPool(block string) string {
	if block == "" {
		return `port_pool "other"`
	}
	return block
}

// The later of two blocks goes before the earlier one, that of a port group before that of its switch, and both
// before that of the class. What is under the reason is what nothing pinned would give.
func TestNearerPinsGoFirst(t *testing.T) {
	pin := func(headroom string) string {
		return fmt.Sprintf("pinned {\npriority_group \"3\" {\nheadroom = %q\n}\n}", headroom)
	}
	ofClass := fmt.Sprintf("pinned {\npriority_group {\nheadroom = %q\n}\n}", "40960B")
	derived := pinnedPlan(t, "", "", "").Ports[0].QoS.PGs[1].Headroom.Value
	for _, c := range []struct {
		class, group, ofSwitch string
		want                   units.Bytes
	}{
		{ofClass, "", "", 40_960},
		{ofClass, "", pin("50176B"), 50_176},
		{ofClass, "", pin("50176B") + "\n" + pin("51200B"), 51_200},
		{ofClass, pin("60416B"), pin("50176B"), 60_416},
	} {
		pg := pinnedPlan(t, c.class, c.group, c.ofSwitch).Ports[0].QoS.PGs[1]
		must.Equalf(t, pg.Headroom.Value, c.want, "%+v:", c)
		if w := pg.Headroom.Why; len(w.Terms) != 1 || w.Terms[0].Why.Value != derived {
			t.Errorf("%+v: under it is %+v, want %v", c, w.Terms, derived)
		}
	}
}

// Blocks name ports: others keep what is derived. Parts that are pinned away are gone, entries of
// tables are what the block says, and a queue need not mark.
func TestPinsOfSomePorts(t *testing.T) {
	sw := pinnedPlan(t, "", "", `pinned {
  ports = "Ethernet[4..5]"
  priority_group "0,3" {
    configured = false
  }
  queue "3" {
    ecn = off
  }
  queue "7" {
    alpha = "1/4"
  }
}
pinned {
  ports = "Ethernet6"
  qos   = false
}
pinned {
  dscp_to_tc = { "0-2,26" = 5 }
  pool "egress_lossless_pool" {
    configured = false
  }
  watchdog {
    configured = false
  }
}`)
	for i, p := range sw.Ports[:7] {
		switch q := p.QoS; {
		case i == 6:
			if q != nil {
				t.Errorf("%s has %+v", p.Name, q)
			}
		case i >= 4:
			if len(q.PGs) != 0 || len(q.Queues) != 3 || q.Queues[1].ECN != nil || q.Queues[2].Limit.Value != (plan.Limit{Dynamic: true, Alpha: -2}) {
				t.Errorf("%s: %+v", p.Name, q)
			}
		case len(q.PGs) != 2 || len(q.Queues) != 2 || q.Queues[1].ECN == nil:
			t.Errorf("%s: %+v", p.Name, q)
		}
	}
	for dscp, tc := range sw.Maps.DSCPToTC {
		want := uint8(0)
		if dscp <= 2 || dscp == 26 {
			want = 5
		}
		must.Equalf(t, tc, want, "DSCP %d:", dscp)
	}
	if sw.Watchdog != nil || slices.ContainsFunc(sw.Pools, func(p plan.Pool) bool { return p.Name == "egress_lossless_pool" }) {
		t.Errorf("%+v %+v", sw.Watchdog, sw.Pools)
	}
}

// A device that chooses its buffers has no headroom of 0: what it has is not known, which is said once.
func TestBuffersOfTheDeviceAreNotJudged(t *testing.T) {
	text := strings.NewReplacer("#SWITCH", "buffers = device", "#CLASS", "", "#GROUP", "").Replace(strings.Replace(pinnedFabric, "os   = sonic", "os   = eos", 1))
	text = strings.NewReplacer("Ethernet[0..31]", "Ethernet[1..32]").Replace(text)
	_, found := compute(t, text, "")
	var said []string
	for _, d := range found {
		if d.Code == calc.PinnedBreaks {
			said = append(said, d.Message)
		}
	}
	if len(said) != 1 || !strings.Contains(said[0], "the device chooses its buffers") || !strings.Contains(said[0], "not judged") {
		t.Errorf("%q", said)
	}
}
