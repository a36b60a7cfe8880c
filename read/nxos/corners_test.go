package nxos

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read/cli"
	"github.com/roceplan/roceplan/units"
)

// NX-OS takes the letters of an interface in any case and as short as they are clear; the rest is
// where it sits.
func TestKindOfInterface(t *testing.T) {
	for name, want := range map[string][2]string{
		"Ethernet1/1": {"Ethernet", "1/1"}, "e1/1": {"Ethernet", "1/1"}, "ETH1/1": {"Ethernet", "1/1"}, "port-channel5": {"port-channel", "5"}, "po5": {"port-channel", "5"}, "p5": {"p", "5"},
		"Vlan5": {"vlan", "5"}, "ethernets1/1": {"ethernets", "1/1"}, "loopback0.1": {"loopback", "0.1"}, "mgmt0": {"mgmt", "0"}, "nve": {"nve", ""}, "1/1": {"Ethernet", "1/1"},
	} {
		if kind, rest := kindOfInterface(name); kind != want[0] || rest != want[1] {
			t.Errorf("%s is a %q at %q, want %q", name, kind, rest, want)
		}
	}
}

// Amounts are at most a TiB in their unit; a list of numbers holds each that it names.
func TestAmounts(t *testing.T) {
	line := cli.Line{Src: "x", Words: []string{"x"}}
	for text, want := range map[string]units.Bytes{
		"0 bytes": 0, "1099511627776 bytes": 1 << 40, "1099511627777 bytes": -1, "1099511627 kbytes": 1_099_511_627_000, "1099511628 kbytes": -1, "1099511 mbytes": 1_099_511_000_000, "1099512 mbytes": -1, "-1 bytes": -1, "x bytes": -1, "5 packets": -1,
	} {
		r := &reader{}
		words := strings.Fields(text)
		if got, ok := r.depth(line, words[0], words[1]); ok != (want >= 0) || ok && got != want || !ok && got != 0 {
			t.Errorf("%s are %v, %t", text, got, ok)
		}
	}
	for text, want := range map[string]string{"3": "1000", "18,20 - 21": "1101000000000000000000", "0-1,5": "100011", "7-8": "", "8": "", "3-2": "", "x": "", "3-x": "", "x-3": "", "256": "", "": ""} {
		r := &reader{}
		most := uint8(7)
		if strings.HasPrefix(text, "18") {
			most = 63
		}
		got, ok := r.set(line, strings.Fields(text), most, plainNumber)
		if ok != (want != "") || ok && fmt.Sprintf("%b", got) != want || !ok && got != 0 {
			t.Errorf("%q is %b, %t, want %s", text, got, ok, want)
		}
	}
	for word, want := range map[string]int{"0": 0, "255": 255, "256": -1, "-1": -1, "x": -1} {
		if n, ok := plainNumber(word); ok != (want >= 0) || ok && int(n) != want {
			t.Errorf("%s is %d, %t", word, n, ok)
		}
	}
}

// Lines that mean something by where they stand, and by how many words they have.
func TestCorners(t *testing.T) {
	const port = "interface Ethernet1/1\n  "
	many := func(last int) string {
		return fmt.Sprintf("interface Ethernet1/1-999,Ethernet2/1-%d\n  mtu 9216\n", last)
	}
	const network = "policy-map type network-qos N\n  class type network-qos c-8q-nq3\n    pause pfc-cos 3\nsystem qos\n  service-policy type network-qos N\n"
	const form = ": not modelled: its form is not known"
	readtest.Tales(t, Format(), []readtest.Tale{
		{"a watchdog without a word", port + "priority-flow-control watch-dog-interval\n", "priority-flow-control watch-dog-interval" + form},
		{"of the switch", "priority-flow-control watch-dog-interval\n", "priority-flow-control watch-dog-interval" + form},
		{"two words of storm control", port + "storm-control unicast\n", "storm-control unicast: not modelled: packets to stations"},
		{"one", port + "storm-control\n", "!packets to stations"},
		{"a filter without a name", port + "ip access-group\n", "ip access-group: not modelled: a filter may drop"},
		{"and of the port", port + "ip port access-group\n", "ip port access-group: not modelled: a filter may drop"},
		{"another of the port", port + "ip port other\n", "!a filter may drop"},
		{"pauses of the whole link", port + "flowcontrol send on\n", "pause frames of the whole link stop all classes"},
		{"ports of a list", many(25), "Ports[1023].MTU = 9238B; !error"},
		{"one too many", many(26), "error[nxos-read-number]; is not a range of at most 1024 ports"},
		{"a class that a policy has twice", "class-map type qos R\n  match cos 3\npolicy-map type qos P\n  class R\n    set qos-group 3\n  class class-default\n  class R\n" + port + "service-policy type qos input P\n", "touches ports [Ethernet1/1]"},
		// A frame of 1,500 B and what is around it is what such a class takes.
		{"a class without an MTU, and frames of 1500 B", network + "interface Ethernet1/1\n  mtu 1500\n", "!the class has no MTU"},
		{"and of a byte more", network + "interface Ethernet1/1\n  mtu 1501\n", "the class has no MTU"},
		{"a line behind a section", "router bgp 1\n  neighbor 192.0.2.1\n  policy-map type qos P\n", "policy-map type qos P: neutral"},
	})
}

// A port channel's lines are those of its members. Of policies Cisco's Nexus 9000 QoS guide, Attaching
// and Detaching a QoS Policy Action, says that those of a channel take effect also where its members
// have some, and those of a port only while it is in no channel. pause-threshold 33280 B of 101920 B
// leave 68640 B of headroom.
func TestMembersObeyTheirChannel(t *testing.T) {
	const (
		policies = "class-map type qos match-any RDMA\n  match dscp 26\npolicy-map type qos P\n  class RDMA\n    set qos-group 3\n" +
			"policy-map type network-qos N\n  class type network-qos c-8q-nq3\n    pause pfc-cos 3\n    mtu 9216\n" +
			"policy-map type queuing IN\n  class type queuing c-in-q3\n    pause buffer-size 101920 pause-threshold 33280 resume-threshold 19968\n" +
			"policy-map type queuing OUT\n  class type queuing c-out-8q-q3\n    bandwidth remaining percent 50\n" +
			"policy-map type queuing OTHER\n  class type queuing c-out-8q-q3\n    bandwidth remaining percent 70\n" +
			"priority-flow-control watch-dog-interval on\nsystem qos\n  service-policy type network-qos N\n  service-policy type qos input P\n"
		on     = "  priority-flow-control mode on\n"
		member = "interface Ethernet1/1\n  channel-group 5 mode active\n"
	)
	channel := func(lines, ofMember string) string {
		return policies + "interface port-channel5\n" + lines + member + ofMember
	}
	const elsewhere = "not modelled: a policy of a port does not count while it is a member of a port channel; touches ports [Ethernet1/1]"
	const twice = "priority-flow-control mode %s: not modelled: the port channel has another mode than its member; touches ports [Ethernet1/1]"
	readtest.Tales(t, Format(), []readtest.Tale{
		{"PFC", channel(on, ""), "Ports[0].QoS.PFC = 8; !not modelled"},
		{"PFC of both", channel(on, "  priority-flow-control mode on send-tlv\n"), "Ports[0].QoS.PFC = 8; !not modelled"},
		{"PFC of the channel alone is off", channel("  priority-flow-control mode off\n", ""), "!Ports[0].QoS.PFC; !negotiated"},
		{"PFC that is off at the channel", channel("  priority-flow-control mode off\n", on), fmt.Sprintf(twice, "off")},
		{"PFC that is on at the channel", channel(on, "  priority-flow-control mode off\n"), fmt.Sprintf(twice, "on")},
		{"PFC of a member", channel("", on), "Ports[0].QoS.PFC = 8; !not modelled"},
		{"PFC of nobody", channel("", ""), "interface Ethernet1/1: not modelled: PFC is negotiated here"},
		{"PFC that the channel negotiates", channel("  priority-flow-control mode auto\n", ""), "priority-flow-control mode auto: not modelled: PFC is negotiated here"},
		{"a watchdog", channel(on+"  priority-flow-control watch-dog-interval on\n", ""), "Ports[0].QoS.Watchdog = true"},
		{"headroom", channel(on+"  service-policy type queuing input IN\n", ""), "PGs[0].Headroom = 68640B"},
		{"queues", channel(on+"  service-policy type queuing output OUT\n", ""), "Queues[0].Scheduler.Weight = 50"},
		{"queues of both", channel(on+"  service-policy type queuing output OUT\n", "  service-policy type queuing output OTHER\n"),
			"Queues[0].Scheduler.Weight = 50; service-policy type queuing output OTHER: " + elsewhere},
		{"queues of a member", channel(on, "  service-policy type queuing output OTHER\n"), "!Weight = 70; service-policy type queuing output OTHER: " + elsewhere},
		{"the same queues of both", channel(on+"  service-policy type queuing output OUT\n", "  service-policy type queuing output OUT\n"), "Queues[0].Scheduler.Weight = 50; !not modelled"},
		{"classes of both", channel(on+"  service-policy type qos input P\n", "  service-policy type qos input OTHER\n"), "service-policy type qos input OTHER: " + elsewhere},
		{"speed, error correction and size", channel("  speed 100000\n  fec rs-fec\n  mtu 9000\n  no switchport\n", on), "Ports[0].Speed = 100Gbps; Ports[0].FEC = rs; Ports[0].MTU = 9022B; Ports[0].Routed = true"},
		{"those of the member", channel("  speed 100000\n  fec rs-fec\n  mtu 9000\n", on+"  speed 400000\n  fec off\n  mtu 9216\n"), "Ports[0].Speed = 400Gbps; Ports[0].FEC = none; Ports[0].MTU = 9238B"},
		{"a channel that is shut", channel("  shutdown\n", ""), "!negotiated"},
		{"another channel", policies + "interface port-channel6\n" + on + member, "!Ports[0].QoS.PFC; PFC is negotiated here"},
	})
}
