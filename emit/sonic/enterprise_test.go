package sonic_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// enterpriseTor is tor with priority 3 for lossless traffic, as Enterprise SONiC has it.
func enterpriseTor() *plan.Switch {
	sw := tor()
	m := &sw.Maps
	for i, tc := range m.DSCPToTC {
		if tc == 5 {
			m.DSCPToTC[i] = 3
		}
	}
	m.TCToPG[5], m.TCToPG[3] = 0, 3
	sw.Classes = []plan.Class{{Name: "rdma", TrafficClass: 3, Queue: 3, PG: 3, PFC: 3, Lossless: true}}
	for _, p := range sw.Ports {
		p.QoS.PFC, p.QoS.PGs[1].ID, p.QoS.Queues[1].ID = 1<<3, 3, 3
	}
	return sw
}

// enterpriseLines are the lines that public sources show, each with its source.
var enterpriseLines = []struct{ pattern, from string }{
	{`configure terminal|end| exit`, "Dell SONiC user guide, CLI"},
	{`buffer init lossless`, "Dell running-config in dellemc.enterprise_sonic @9851e680, sonic_qos_buffer"},
	{`qos map (dscp-tc|tc-queue|tc-pg|pfc-priority-queue) \S+`, "SONiC_ROCEv2_support.md, 4.1; sonic_qos_maps"},
	{` dscp \d+ traffic-class [0-7]`, "the same: dscp 26 traffic-class 3"},
	{` traffic-class [0-7] (queue|priority-group) [0-7]`, "the same: traffic-class 3 queue 3, traffic-class 3 priority-group 3"},
	{` pfc-priority [0-7] queue [0-7]`, "the same: pfc-priority 3 queue 3"},
	{`qos wred-policy \S+`, "SONiC_ROCEv2_support.md, 4.1; sonic_qos_wred"},
	{` green minimum-threshold \d+ maximum-threshold \d+ drop-probability \d+`, "the same: green minimum-threshold 1048 maximum-threshold 2097 drop-probability 5"},
	{` ecn all`, "the same"},
	{`qos scheduler-policy \S+`, "SONiC_ROCEv2_support.md, 4.1; sonic_qos_scheduler"},
	{` queue [0-7]|  type (dwrr|strict)|  weight \d+`, "the same"},
	{`buffer pool ingress_lossless_pool shared-headroom-size \d+`, "sonic_qos_buffer, running-config"},
	{`buffer profile \S+ ingress_lossless_pool \d+ dynamic-threshold -?\d pause pause-threshold \d+`, "sonic_qos_buffer, running-config"},
	{`interface Ethernet\d+`, "sonic_qos_interfaces, running-config"},
	{` qos-map (dscp-tc|tc-queue|tc-pg|pfc-priority-queue) \S+`, "sonic_qos_interfaces, running-config: qos-map dscp-tc N, and the others"},
	{` scheduler-policy \S+| queue [0-7] wred-policy \S+`, "sonic_qos_interfaces, running-config"},
	{` priority-flow-control priority [0-7]`, "sonic_qos_interfaces, running-config"},
	{` priority-flow-control watchdog (action (drop|forward|alert)|on detect-time \d+|on restore-time \d+)`, "sonic_qos_interfaces, running-config"},
	{`priority-flow-control watchdog polling-interval \d+`, "SONiC_ROCEv2_support.md; sonic_qos_pfc"},
	{` no qos default-lossless-buffer-profile| qos buffer priority-group \d \S+`, "sonic_qos_buffer; SONiC_ROCEv2_support.md"},
}

func TestEnterprise(t *testing.T) {
	files := must.Sound(sonic.EmitEnterprise(enterpriseTor()))(t)
	text := files[0].Body.AppendFor(nil, "tor-01")
	used := map[int]bool{}
	for line := range bytes.Lines(text) {
		line := strings.TrimSuffix(string(line), "\n")
		at := slices.IndexFunc(enterpriseLines, func(l struct{ pattern, from string }) bool {
			return regexp.MustCompile("^(?:" + l.pattern + ")$").MatchString(line)
		})
		if at < 0 && !strings.HasPrefix(line, "!") {
			t.Errorf("no source shows the line %q", line)
		}
		used[at] = true
	}
	for i, l := range enterpriseLines {
		if !used[i] {
			t.Errorf("nothing prints %s", l.pattern)
		}
	}
	// 408 cells of 256 B; 98 cells are less than the least, 46,080 B. 400,128 B and 1.6 MB
	// are 400 and 1600 kB. The lossless class is in group 3, all others in 7.
	for _, want := range []string{"pause-threshold 104448\n", "pause-threshold 46080\n", "minimum-threshold 400 maximum-threshold 1600 ", " traffic-class 3 priority-group 3\n", " traffic-class 0 priority-group 7\n", "shared-headroom-size 6291456\n",
		"\nqos map dscp-tc ", "\nqos map tc-queue ", "\nqos map tc-pg ", "\nqos map pfc-priority-queue "} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("it does not say %q", want)
		}
	}
}

// A pool of headroom of a byte is said, of none or of another side nothing.
func TestEnterprisePoolOfHeadroom(t *testing.T) {
	for _, c := range []struct {
		bytes units.Bytes
		side  plan.Direction
		want  bool
	}{{0, plan.Ingress, false}, {1, plan.Ingress, true}, {1, plan.Egress, false}} {
		sw := enterpriseTor()
		sw.Pools = []plan.Pool{{Name: "x", Direction: c.side, Headroom: of(c.bytes)}, {Name: "ingress_lossless_pool"}}
		files, found := sonic.EmitEnterprise(sw)
		if len(files) != 1 {
			t.Fatal(found)
		}
		must.Equalf(t, bytes.Contains(files[0].Body.AppendFor(nil, "tor-01"), []byte("shared-headroom-size 1\n")), c.want, "%+v:", c)
	}
}

// What becomes of plans that Enterprise SONiC cannot hold as they are.
func TestEnterpriseFindings(t *testing.T) {
	var got bytes.Buffer
	for _, c := range []struct {
		name   string
		change func(*plan.Switch)
	}{
		{"as it is", func(*plan.Switch) {}},
		{"another chip", func(sw *plan.Switch) { sw.Chip = "tomahawk5" }},
		{"another priority", func(sw *plan.Switch) { sw.Classes[0].PFC = 5 }},
		{"the dynamic model", func(sw *plan.Switch) { sw.BufferModel = plan.DynamicModel }},
		{"a slow watchdog", func(sw *plan.Switch) { sw.Watchdog.Detection = of(6 * units.Second) }},
		{"a watchdog that polls after it should have noticed", func(sw *plan.Switch) { sw.Watchdog.Poll = of(201 * units.Millisecond) }},
		{"a watchdog in half milliseconds", func(sw *plan.Switch) { sw.Watchdog.Detection = of(250_500 * units.Microsecond) }},
		{"marks in fractions of a per cent", func(sw *plan.Switch) { sw.Ports[0].QoS.Queues[1].ECN.PMax = of(19 * units.Percent / 10) }},
		{"alpha", func(sw *plan.Switch) { sw.Ports[0].QoS.PGs[1].Limit = alpha(4) }},
		{"much headroom", func(sw *plan.Switch) { sw.Ports[0].QoS.PGs[1].Headroom = of(9 * units.MiB) }},
		{"rules of the edge, flowlets, packets that are cut or sent back", func(sw *plan.Switch) {
			sw.Tunnel = &plan.Tunnel{Name: "MuxTunnel0"}
			sw.Marking, sw.LoadBalancing, sw.Trim = &plan.Marking{}, "flowlet", &plan.Trim{Size: of(units.Bytes(256))}
		}},
	} {
		sw := enterpriseTor()
		c.change(sw)
		files, found := sonic.EmitEnterprise(sw)
		if found.HasErrors() != (files == nil) {
			t.Errorf("%s: files and errors at once, or neither", c.name)
		}
		got.WriteString("# " + c.name + "\n")
		must.Do(t, (diag.Text{}).Write(&got, found))
	}
	compare(t, "enterprise.txt", got.Bytes())
}
