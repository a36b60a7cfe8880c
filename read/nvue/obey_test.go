package nvue

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read"
)

// touched returns the statements of a file that are not modelled, a line each.
func touched(l read.Ledger) string {
	var out strings.Builder
	for _, s := range l.Unmodelled() {
		fmt.Fprintf(&out, "%s: ports %v queues %08b groups %08b classes %08b\n", s.Text, s.Touches.Ports, s.Touches.Queues, s.Touches.PGs, s.Touches.TCs)
	}
	return out.String()
}

// leafSwitch is a file in which nothing is left to the switch.
func leafSwitch(qos, port string) string {
	return under("mapping: {default-global: {trust: l3}}\n"+
		"pfc: {fast: {switch-priority: {'3': {}}, cable-length: 5, port-buffer: 124032, xoff-threshold: 71808, xon-threshold: 52224}}\n"+qos) +
		"    interface:\n      swp1: {link: {mtu: 9000}, qos: {pfc: {profile: fast}" + port + "}}\n      swp2: {qos: {pfc: {profile: fast}}}\n"
}

// What a device obeys is either in the plan or not modelled, with what it may touch. The
// evidence is Cumulus Linux 5.14's user guide, Quality of Service, by section.
func TestNotModelled(t *testing.T) {
	if l := readFile("nvue.yaml", []byte(leafSwitch("", ""))).Ledger; len(l.Unmodelled()) > 0 {
		t.Fatalf("of the plain file this is not modelled: %s", touched(l))
	}
	for _, c := range []struct{ evidence, qos, port, want string }{
		{"Remarking: packets leave with the code point of the egress port's profile",
			"remark: {default-global: {rewrite: l3, switch-priority: {'3': {dscp: 10}}}}\n", "",
			"qos remark default-global switch-priority 3 dscp 10: ports [] queues 00000000 groups 00000000 classes 00001000\n"},
		{"Flow Control: link pause and PFC exclude each other on a port",
			"link-pause: {stop: {tx: enable}}\n", ", link-pause: {profile: stop}",
			"qos link-pause stop tx enable: ports [swp1]\nlink-pause profile stop: ports [swp1]"},
		{"Traffic Pools and Advanced Buffer Tuning: a priority is in one group",
			"advance-buffer-config: {default-global: {ingress-lossy-buffer: {priority-group: {bulk: {switch-priority: {0-7: {}}}}}}}\n", "",
			"priority-group …: ports [] queues 00000000 groups 00001001 classes 00001000"},
		{"Congestion Control: RED drops what is in the queue at random",
			"congestion-control: {drops: {traffic-class: {'3': {red: enable}}}}\n", ", congestion-control: {profile: drops}",
			"traffic-class 3 red enable: ports [swp1] queues 00001000"},
		{"Shaping: a rate for the whole port",
			"egress-shaper: {slow: {port-max-rate: 200000}}\n", ", egress-shaper: {profile: slow}",
			"qos egress-shaper slow port-max-rate 200000: ports [swp1]"},
		{"Advanced Buffer Tuning: shared-bytes are for static pools",
			"advance-buffer-config: {default-global: {ingress-lossless-buffer: {shared-bytes: 9000}}}\n", "",
			"ingress-lossless-buffer shared-bytes…: ports [] queues 00000000 groups 00000000"},
		{"Ingress and Egress Management Buffers: they are taken from the same pools",
			"advance-buffer-config: {default-global: {ingress-mgmt-buffer: {reserved: 45000}}}\n", "",
			"ingress-mgmt-buffer reserved 45000: ports [] queues 00000000 groups 00000000"},
		{"Trust Port: what is not IP has the default priority where DSCP is trusted",
			"mapping: {default-global: {trust: l3, port-default-sp: 3}}\n", "",
			"port-default-sp 3: ports [] queues 00000000 groups 00000000 classes 00001000"},
		{"no document: a leaf that no reader has heard of", "", ", newest: {x: 1}", "interface swp1 qos newest x 1: ports [swp1]"},
		{"no document: a part of QoS that no reader has heard of", "newest: {x: 1}\n", "", "qos newest x 1: ports [] queues 00000000"},
	} {
		text := leafSwitch(c.qos, c.port)
		if strings.HasPrefix(c.qos, "mapping") { // instead of the plain one
			text = strings.Replace(text, "      mapping: {default-global: {trust: l3}}\n", "", 1)
		}
		got := readFile("nvue.yaml", []byte(text))
		for _, want := range strings.Split(strings.TrimSuffix(c.want, "\n"), "\n") {
			if !strings.Contains(touched(got.Ledger), want) {
				t.Errorf("%s: not modelled is\n%sand not %s\n%v", c.evidence, touched(got.Ledger), want, got.Found)
			}
		}
	}
}

// What a device obeys and a plan can hold changes the plan.
func TestModelled(t *testing.T) {
	plain := readFile("nvue.yaml", []byte(leafSwitch("", ""))).Switch
	for _, c := range []struct{ evidence, text string }{
		{"NVUE, unset: removes what set set", leafSwitch("", "") + "- unset: {interface: {swp1: {qos: {pfc: {}}}}}\n"},
		{"Advanced Buffer Tuning, Service Pools: reserved and alpha of a port in a pool",
			leafSwitch("advance-buffer-config: {default-global: {ingress-service-pool: {'0': {shared-alpha: alpha_1}}}}\n", "")},
		{"Switch Port Attributes: link speed", strings.Replace(leafSwitch("", ""), "mtu: 9000", "mtu: 9000, speed: 100G", 1)},
		{"Port Groups: a profile overrides the global settings for its ports",
			leafSwitch("egress-scheduler: {own: {traffic-class: {'3': {mode: strict}}}}\n", ", egress-scheduler: {profile: own}")},
		{"Trust Port: all packets have the port's priority", strings.Replace(leafSwitch("", ""), "trust: l3", "trust: port", 1)},
		{"Default Configuration Files: 802.1p alone is trusted where nothing is said", strings.Replace(leafSwitch("", ""), "trust: l3", "port-default-sp: 0", 1)},
		{"RoCE: lossy mode has no PFC; here its maps", leafSwitch("roce: {mode: lossy}\n", "")},
		{"QoS Settings on Bond Member Interfaces: a bond's QoS is that of its members",
			leafSwitch("", "") + "- set: {interface: {bond1: {bond: {member: {swp3: {}}}, qos: {pfc: {profile: fast}}}}}\n"},
	} {
		got := readFile("nvue.yaml", []byte(c.text))
		if got.Found.HasErrors() || readtest.Same(got.Switch, plain) {
			t.Errorf("%s: the plan is as without it; found %v", c.evidence, got.Found)
		}
	}
}

// Cumulus Linux 5.14, RDMA over Converged Ethernet, its table: PFC is on in lossless mode
// alone; and the mode of trust is both.
func TestRoCEModes(t *testing.T) {
	for mode, pfc := range map[string]uint8{"": 1 << 3, "lossless": 1 << 3, "lossless-single-ipool": 1 << 3, "lossy": 0} {
		roce := "roce: {mode: " + mode + "}\n"
		if mode == "" {
			roce = "roce: {}\n"
		}
		got := readFile("nvue.yaml", []byte(under(roce)+"    interface:\n      swp1: {}\n"))
		if q := got.Switch.Ports[0].QoS; q.PFC != pfc || got.Switch.Maps.DSCPToTC[26] != 3 || len(got.Found) > 0 {
			t.Errorf("mode %q has PFC %08b and sends DSCP 26 to %d; found %v", mode, q.PFC, got.Switch.Maps.DSCPToTC[26], got.Found)
		}
		if unmodelled := got.Ledger.Unmodelled(); len(unmodelled) > 0 {
			t.Errorf("mode %q: not modelled is %s", mode, touched(got.Ledger))
		}
	}
}

// A byte order mark, a document's start and Windows' line ends are not part of it.
func TestMarks(t *testing.T) {
	want := readFile("nvue.yaml", []byte(leafSwitch("", "")))
	for _, text := range []string{"\ufeff" + leafSwitch("", ""), "---\n" + leafSwitch("", ""), "\ufeff---\n" + leafSwitch("", ""), strings.ReplaceAll(leafSwitch("", ""), "\n", "\r\n")} {
		got := readFile("nvue.yaml", []byte(text))
		if !readtest.Same(got.Switch, want.Switch) || len(got.Found) > 0 {
			t.Errorf("%.20q is another switch; found %v", text, got.Found)
		}
		for i, s := range got.Ledger.Statements {
			was := want.Ledger.Statements[i].At
			must.Equalf(t, text[s.At.Start.Byte:s.At.End.Byte], leafSwitch("", "")[was.Start.Byte:was.End.Byte], "%q lies at", s.Text)
		}
	}
}

// Files that say little with many things, or many with little, end soon.
func TestHostile(t *testing.T) {
	for name, text := range map[string]string{
		"aliases":    "- set: &a\n    interface: {swp1-1000: *a, swp1: *a, bond1-900: *a}\n    qos: *a\n    router: *a\n",
		"lists":      "- set:\n    interface:\n" + strings.Repeat("      swp1-1024: {link: {mtu: 9000}}\n", 100_000),
		"commands":   strings.Repeat("nv set interface swp1-1024 link mtu 9000\n", 90_000),
		"ranges":     "- set: {interface: {swp0-99999999999: {}, swp5-1: {}, swp1-9999: {}}}\n",
		"deep":       "- set: " + strings.Repeat("{a: ", 2000) + strings.Repeat("}", 2000) + "\n",
		"huge":       strings.Repeat("#", 5<<20),
		"operations": strings.Repeat("- set: {qos: {}}\n- unset: {qos: {}}\n", 50_000),
	} {
		r := readFile("nvue.yaml", []byte(text))
		if r.Switch == nil || len(r.Switch.Ports) > 2000 {
			t.Errorf("%s: %d ports", name, len(r.Switch.Ports))
		}
	}
}
