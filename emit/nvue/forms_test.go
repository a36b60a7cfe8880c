package nvue

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// text prints a switch that can be told.
func text(t testing.TB, s *plan.Switch, print func(*plan.Switch) ([]emit.File, diag.List)) string {
	t.Helper()
	files, list := print(s)
	if len(files) != 1 {
		t.Fatalf("%v", list)
	}
	return string(files[0].Body.AppendFor(nil, s.Names[0]))
}

// Where a form of command is shown.
const (
	guide     = "Cumulus Linux 5.14 user guide, Quality of Service: "
	reference = "NVUE command reference, QoS: "
	ports     = `(swp\d+(s\d+)?(-\d+)?)(,swp\d+(s\d+)?(-\d+)?)*`
	numbers   = `\d+(,\d+)*`
	alphas    = `alpha_(1_128|1_64|1_32|1_16|1_8|1_4|1_2|1|2|4|8|16|32|64|infinity)`
	name      = `[A-Za-z][A-Za-z0-9_-]*`
)

// forms is every command that this emitter may print, with what shows it.
var forms = []struct{ pattern, from string }{
	{`qos roce mode lossless`, "Cumulus Linux 5.14 user guide, RDMA over Converged Ethernet: nv set qos roce mode lossless"},
	{`qos roce cable-length \d+`, reference + "nv set qos roce cable-length 1000"},
	{`qos mapping (default-global|edge) trust l3`, guide + "nv set qos mapping customer1 trust l3"},
	{`qos mapping (default-global|edge) dscp ` + numbers + ` switch-priority [0-7]`, guide + "nv set qos mapping default-global dscp 10,21,36 switch-priority 0"},
	{`interface ` + ports + ` qos mapping profile edge`, guide + "nv set interface swp1,swp4,swp6 qos mapping profile customer1"},
	{`qos remark edge rewrite l3`, guide + "nv set qos remark remark_port_group1 rewrite l3"},
	{`qos remark (edge|fabric) switch-priority ` + numbers + ` dscp \d+`, guide + "nv set qos remark remark_port_group2 switch-priority 0 dscp 37"},
	{`interface ` + ports + ` qos remark profile (edge|fabric)`, guide + "nv set interface swp1 qos remark profile remark_port_group1"},
	{`qos egress-queue-mapping default-global switch-priority ` + numbers + ` traffic-class [0-7]`, guide + "nv set qos egress-queue-mapping default-global switch-priority 2 traffic-class 7"},
	{`qos pfc ` + name + ` switch-priority ` + numbers, guide + "nv set qos pfc my_pfc_ports switch-priority 3,5"},
	{`qos pfc ` + name + ` (tx|rx) enable`, guide + "nv set qos pfc my_pfc_ports2 tx enable"},
	{`qos pfc ` + name + ` (cable-length|port-buffer|xoff-threshold|xon-threshold) \d+`, guide + "nv set qos pfc my_pfc_ports2 port-buffer 2000, and the others beside it"},
	{`interface ` + ports + ` qos pfc profile ` + name, guide + "nv set interface swp1-4,swp6 qos pfc profile my_pfc_ports"},
	{`qos congestion-control ` + name + ` traffic-class ` + numbers + ` (min-threshold|max-threshold|probability) \d+`, guide + "nv set qos congestion-control my-red-profile traffic-class 1,2 min-threshold 40000"},
	{`interface ` + ports + ` qos congestion-control profile ` + name, guide + "nv set interface swp1,swp2 qos congestion-control profile my-red-profile"},
	{`qos egress-scheduler ` + name + ` traffic-class ` + numbers + ` mode (dwrr|strict)`, guide + "nv set qos egress-scheduler list2 traffic-class 2,5,6 mode dwrr"},
	{`qos egress-scheduler ` + name + ` traffic-class ` + numbers + ` bw-percent \d+`, guide + "nv set qos egress-scheduler list2 traffic-class 2,5 bw-percent 50"},
	{`interface ` + ports + ` qos egress-scheduler profile ` + name, guide + "nv set interface swp1,swp3,swp18 qos egress-scheduler profile list2"},
	{`qos egress-shaper ` + name + ` traffic-class ` + numbers + ` max-rate \d+`, guide + "nv set qos egress-shaper shaper1 traffic-class 2 max-rate 500"},
	{`interface ` + ports + ` qos egress-shaper profile ` + name, guide + "nv set interface swp1,swp2,swp3,swp5 qos egress-shaper profile shaper1"},
	{`qos advance-buffer-config default-global (ingress|egress)-lossless-buffer service-pool \d`, reference + "nv set qos advance-buffer-config default-global ingress-lossless-buffer service-pool 3"},
	{`qos advance-buffer-config default-global (ingress|egress)-lossless-buffer shared-alpha ` + alphas, guide + "nv set qos advance-buffer-config default-global ingress-lossless-buffer shared-alpha alpha_2"},
	{`qos advance-buffer-config default-global ((ingress|egress)-lossless-buffer|ingress-lossy-buffer priority-group (bulk|service[1-7])|egress-lossy-buffer traffic-class ` + numbers + `) shared-bytes \d+`, reference + "nv set qos advance-buffer-config default-global ingress-lossless-buffer shared-bytes; guide, Advanced Buffer Tuning, Buffer Regions: bytes are for static pools"},
	{`qos advance-buffer-config default-global egress-lossless-buffer reserved \d+`, reference + "nv set qos advance-buffer-config default-global egress-lossless-buffer reserved 10000"},
	{`qos advance-buffer-config default-global ingress-lossy-buffer priority-group (bulk|service[1-7]) (service-pool \d|reserved \d+|shared-alpha ` + alphas + `|switch-priority ` + numbers + `)`, reference + "nv set qos advance-buffer-config default-global ingress-lossy-buffer priority-group service1 …"},
	{`qos advance-buffer-config default-global egress-lossy-buffer traffic-class ` + numbers + ` (service-pool \d|reserved \d+|shared-alpha ` + alphas + `)`, reference + "nv set qos advance-buffer-config <profile-id> egress-lossy-buffer traffic-class; guide, Advanced Buffer Tuning"},
	{`qos advance-buffer-config default-global (ingress|egress)-service-pool \d (mode (dynamic|static)|infinite true|memory-percent \d+|reserved \d+|shared-alpha ` + alphas + `|shared-bytes \d+)`, reference + "nv set qos advance-buffer-config default-global egress-service-pool 3 infinite true, and the others"},
	{`qos pfc-watchdog (polling-interval|robustness) \d+`, guide + "nv set qos pfc-watchdog polling-interval 200"},
	{`interface ` + ports + ` qos pfc-watchdog state enable`, reference + "nv set interface swp1 qos pfc-watchdog state enable"},
	{`qos congestion-control \S+ traffic-class ` + numbers + ` ecn disable`, guide + "nv set qos congestion-control default-global traffic-class 0 ecn disable"},
	{`router adaptive-routing state enabled`, "NVUE command reference, Adaptive Routing: nv set router adaptive-routing state enabled"},
	{`interface ` + ports + ` router adaptive-routing state enabled`, "NVUE command reference, Adaptive Routing: nv set interface swp1 router adaptive-routing state enabled"},
	{`interface ` + ports + ` link mtu \d+`, "Cumulus Linux 5.14 user guide, Switch Port Attributes: nv set interface swp1 link mtu 1500"},
}

// Every command has a form that a public document shows, and every form occurs.
func TestEveryCommandHasASource(t *testing.T) {
	used := make(map[int]bool)
	look := func(t tester, script string) {
		for line := range strings.Lines(script) {
			command, ok := strings.CutPrefix(strings.TrimSpace(line), "nv set ")
			if !ok {
				continue
			}
			i := slices.IndexFunc(forms, func(f struct{ pattern, from string }) bool {
				return regexp.MustCompile(`^(?:` + f.pattern + `)$`).MatchString(command)
			})
			if i < 0 {
				t.Errorf("no source shows: nv set %s", command)
			}
			used[i] = true
		}
	}
	edge := leaf()
	edge.Marking = &plan.Marking{Rules: []plan.MarkRule{{DSCP: 26, TC: 3}}}
	edge.Ports[0].QoS.Trust = plan.TrustNone
	for _, p := range edge.Ports {
		p.QoS.Queues[1].Reserved = given(units.Bytes(1024))
	}
	for _, s := range []*plan.Switch{leaf(), roceSwitch(), staticLeaf(), edge} {
		look(t, commandsOf(t, s))
	}
	rapid.Check(t, func(t *rapid.T) {
		files, list := EmitCommands(anySwitch(t))
		if !list.HasErrors() {
			look(t, string(files[0].Body.AppendFor(nil, "x")))
		}
	})
	for i, f := range forms {
		if !used[i] {
			t.Errorf("nothing prints %s", f.pattern)
		}
	}
}
