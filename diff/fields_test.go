package diff

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// untold are fields whose change is not said, each with the reason.
var untold = []struct{ pattern, why string }{
	{`^(Fabric|Routing|Path.*|Switches.0.\.(Checks.*|PausedPGs)) `, "no device has it"},
	{`^Switches.0.\.EOS`, "no number of the plan depends on it, and readers pass it by"},
	{`^Hosts.*\.(Factory|Tunable)`, "the constants of NICs that are not set"},
	{`^Reaction`, "what is assumed of senders; their own stand in Hosts"},
	{`^Switches.0.\.Classes.*\.(Queue|PG|DSCPs.*) `, "Maps say it"},
	{`^Switches.0.\.Classes.0.\.PFC `, "a lossy class has none"},
	{`^Servers`, "what simulations run on; no device has it"},
	{`^Links`, "which cable is where; a device is told its own ends"},
	{`^Hosts.0.\.Priorities`, "the classes say it"},
	{`^Switches.0.\.Ports.*\.(Index|Numbered|Cage\..*|Group|Gearbox|Server|Assumed.*|HeadroomSum.*) `, "what the box and the other end are, not what the device is told"},
	{`^Switches.0.\.Ports.*\.(PGs.*|Pools.*)\.Limit\.Static `, "the limit is a dynamic one"},
	{`^Switches.0.\.Pools.*\.(Infinite|Both) `, "only files of others have it; no plan is made of it"},
	{`^Switches.0.\.VOQ `, "it follows from the chip"},
	{`^Switches.0.\.Ports.*\.Rewrite\.DSCP.[1-7]. `, "packets of the class keep their code point"},
}

func of[T any](v T) plan.Derived[T] { return plan.Derived[T]{Value: v} }

// populated is a plan in which every field says something.
func populated() *plan.Plan {
	pg := func(id uint8, lossless bool) plan.PG {
		return plan.PG{ID: id, Pool: "in", Lossless: lossless, Reserved: of(units.Bytes(2540)), Limit: of(plan.Limit{Dynamic: true, Alpha: -1}),
			XOn: of(units.Bytes(508)), XOnOffset: of(units.Bytes(762)), Headroom: of(units.Bytes(25400)), Override: true}
	}
	queue := func(id uint8) plan.Queue {
		return plan.Queue{ID: id, Pool: "out", Reserved: of(units.Bytes(254)), Limit: of(plan.Limit{Static: 50800}),
			Scheduler: plan.Scheduler{Weight: of(int64(40)), MaxRate: of(10 * units.Gbps)},
			ECN:       &plan.ECN{KMin: of(units.Bytes(25400)), KMax: of(units.Bytes(101600)), PMax: of(5 * units.Percent)}}
	}
	qos := func() *plan.PortQoS {
		return &plan.PortQoS{PFC: 1 << 3, Watchdog: true, PGs: []plan.PG{pg(0, false), pg(3, true)}, Queues: []plan.Queue{queue(0), queue(3)},
			Pools:     []plan.PortPool{{Pool: "in", Reserved: of(units.Bytes(1016)), Limit: of(plan.Limit{Dynamic: true, Alpha: 1})}},
			Rewritten: plan.Rewritten{Rewrite: &plan.Rewrite{TCs: 1, DSCP: [8]uint8{8}}}}
	}
	port := func(name string, index int) plan.Port {
		return plan.Port{Name: name, Alias: "Eth" + name, Index: index, Lanes: []int{index, index + 1}, Cage: plan.Cage{Port: name, Mode: "1x100G", Subport: 1},
			FEC: "rs", Speed: 100 * units.Gbps, Cable: 5 * units.Metre, Medium: "dac", Peer: "other", Group: "group", MTU: 9216, Routed: true, QoS: qos(),
			Gearbox: units.Nanosecond, Assumed: &plan.Assumed{Response: of(units.Microsecond), LosslessFrame: of(units.Bytes(1024)), SmallPackets: of(50 * units.Percent)}}
	}
	sw := func(name string) *plan.Switch {
		s := &plan.Switch{Names: []string{name}, Chip: "tomahawk5", Cell: 254, OS: "sonic", Targets: []string{"sonic"}, Platform: "platform", HwSKU: "sku",
			Release: "202505", Role: "tor", EOS: &plan.EOS{FlowSetSize: 5, QueueMonitor: true, DCBX: []string{"group"}, Cluster: &plan.Cluster{Hosts: []string{"group"}, Destinations: "vtep", FlowLimit: 64, Aging: units.Second}}, MTU: of(units.Bytes(9216)),
			Classes: []plan.Class{
				{Name: "rest", TrafficClass: 0, DSCPs: []uint8{0}},
				{Name: "rdma", TrafficClass: 3, Queue: 3, PG: 3, PFC: 3, DSCPs: []uint8{26}, Lossless: true, CongestionControl: "dcqcn", Transport: "roce"},
			},
			Pools: []plan.Pool{
				{Name: "in", Dynamic: true, Size: of(units.Bytes(1_000_000)), Percent: 10, HeadroomPercent: 5, Headroom: of(units.Bytes(100_000))},
				{Name: "out", Direction: plan.Egress, Size: of(units.Bytes(2_000_000))},
			},
			Ports:         []plan.Port{port("Ethernet0", 1), port("Ethernet4", 3)},
			BufferModel:   plan.DynamicModel,
			Calculator:    &plan.Calculator{Oversubscribe: of(int64(2)), LosslessFrame: of(units.Bytes(1024)), SmallPackets: of(50 * units.Percent)},
			Watchdog:      &plan.Watchdog{Detection: of(200 * units.Millisecond), Restoration: of(400 * units.Millisecond), Poll: of(100 * units.Millisecond), Action: plan.WatchdogDrop},
			Marking:       &plan.Marking{Rules: []plan.MarkRule{{UDPPort: 4791, DSCP: 26, TC: 3}, {DSCP: 48, TC: 3}}},
			Trim:          &plan.Trim{Size: of(units.Bytes(256)), DSCP: 48, TC: 3, Queue: 3},
			Tunnel:        &plan.Tunnel{Name: "MuxTunnel0", Outer: plan.Rewrite{TCs: 0xff}, Kept: []uint8{33}},
			LoadBalancing: "ecmp", PausedPGs: 2, Checks: []plan.Check{{ID: "sum"}},
		}
		s.Maps.DSCPToTC[26] = 3
		s.Maps.TCToQueue[3], s.Maps.TCToPG[3], s.Maps.PFCToQueue[3], s.Maps.PFCToPG[3] = 3, 3, 3, 3
		return s
	}
	return &plan.Plan{
		Fabric: "fabric", Switches: []*plan.Switch{sw("leaf-1"), sw("leaf-2")},
		Hosts: []*plan.Host{{Name: "nic", Model: "connectx-6", MTU: 9216, Classes: []plan.HostClass{{Name: "rdma", DSCPs: []uint8{26}, Priority: 3, Lossless: true, Share: 50, Used: true, CongestionControl: "dcqcn", ECN: true}},
			CNPDSCP: 48, CNPPFC: 6, AckDSCP: 26, CNPInterval: of(4 * units.Microsecond), RoCEMTU: 4096, Cable: 2 * units.Metre, Speed: 100 * units.Gbps, Buffer: of(units.Bytes(128_000)),
			SendLatency: of(units.Microsecond), ReceiveLatency: of(units.Microsecond)}},
		Servers: []plan.Server{{Name: "gpu-1", GPUs: 8, NICs: []plan.LinkEnd{{Switch: "leaf-1", Port: "Ethernet0"}}, Machine: plan.Machine{NVLink: units.Gbps}}},
		Links:   []plan.Link{{A: plan.LinkEnd{Switch: "leaf-1", Port: "Ethernet4"}, B: plan.LinkEnd{Switch: "leaf-2", Port: "Ethernet4"}}},
	}
}

// Whatever a device is told: where it is another one, the difference says so, and says
// nothing else. The golden file has what it says.
func TestEveryFieldIsTold(t *testing.T) {
	if r := Compare(populated(), populated()); r.Any() {
		t.Fatalf("a plan and itself differ:\n%s", r.Text())
	}
	all := plantest.Edits(populated())
	if len(all) < 250 {
		t.Fatalf("%d edits", len(all))
	}
	var out strings.Builder
	used := map[int]bool{}
	for _, e := range all {
		after := e.Edited(populated())
		name := e.Path + " " + e.How
		r := Compare(populated(), after)
		why := ""
		for i, u := range untold {
			if regexp.MustCompile(u.pattern).MatchString(name) {
				why, used[i] = u.why, true
			}
		}
		if r.Any() == (why != "") {
			t.Errorf("%s is another one, and the difference says so is %v (%s)", name, r.Any(), why)
		}
		for _, c := range r.Changes {
			fmt.Fprintf(&out, "%s: %v %s %s %s at %s\n", name, c.Kind, c.Name(), c.Values(), c.Delta, c.Place())
		}
		for _, step := range r.Rollout.Steps {
			fmt.Fprintf(&out, "    %s\n", step.Title())
		}
		back := Compare(after, populated())
		if len(back.Changes) != len(r.Changes) {
			t.Errorf("%s: %d changes there, %d back", name, len(r.Changes), len(back.Changes))
		}
	}
	if len(used) < len(untold) {
		t.Errorf("%d of %d patterns of fields that are not told match one", len(used), len(untold))
	}
	diagtest.Golden(t, filepath.Join("..", "golden", "diff-fields.txt"), out.String())
}
