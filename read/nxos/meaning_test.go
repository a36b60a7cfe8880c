package nxos_test

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read/nxos"
)

// What each line of a configuration with every statement that is read, and each number in it,
// means to the reader.
func TestWhatLinesMean(t *testing.T) {
	readtest.HoldFiles(t, "../../golden/ledger/meaning-nxos.txt", nxos.Format(), "testdata/everything.cfg")
}

// What is made of each form of a line. What is never applied, or belongs to a class that drops,
// changes nothing. Numbers are those that Cisco's guides and NX-API give as the least and the
// most, and one beyond.
func TestForms(t *testing.T) {
	const (
		qos, network, out, in = "policy-map type qos P\n class C", "policy-map type network-qos P\n class type network-qos c-8q-nq3", "policy-map type queuing P\n class type queuing c-out-8q-q3", "policy-map type queuing P\n class type queuing c-in-q3"
		class                 = qos + "\nclass-map type qos match-any C"
		used                  = "system qos\n service-policy type network-qos P\n service-policy type queuing output P\n service-policy type queuing input P\ninterface Ethernet1/9\n service-policy type qos input P\n"
		port, system          = "interface Ethernet1/1", "system qos"
		curve                 = "random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability "
		unknown, number       = "u nxos-read-unknown", "u nxos-read-number"
		notModelled, wrong    = "u nxos-read-not-modelled", "m nxos-read-wrong"
	)
	readtest.Forms(t, "testdata/forms.txt", nxos.Format(), used, []readtest.Form{
		{"", "feature qos", wrong}, {"", "hardware qos ecn x", wrong}, {"", "hardware qos ns-buffer-profile burst", "u"}, {"", "mls qos", wrong},
		{"", "system qos", "m"}, {"", "no system qos", "u"}, {"", "class-map", unknown}, {"", "class-map type qos A B", unknown}, {"", "class-map type other A", unknown},
		{"", "class-map type network-qos A", notModelled}, {"", "class-map type control-plane A", "n"}, {"", "class-map type queuing c-out-8q-q7", "n"},
		{"", "class-map type queuing c-out-8q-q8", "u"}, {"", "class-map type queuing c-out-8q-q-default", "n"}, {"", "class-map type queuing c-x", "u"}, {"", "no class-map A", "m"},
		{"", "policy-map type qos A B", unknown}, {"", "policy-map type other A", unknown}, {"", "policy-map A", "n"}, {"", "policy-map type control-plane A", "n"}, {"", "no policy-map A", "m"},
		{"", "priority-flow-control watch-dog-interval on", "m"}, {"", "priority-flow-control watch-dog-interval off", "m"}, {"", "no priority-flow-control watch-dog-interval on", "m"},
		{"", "priority-flow-control watch-dog-interval 100", wrong}, {"", "priority-flow-control watch-dog-interval", unknown}, {"", "priority-flow-control watch-dog on", wrong},
		{"", "priority-flow-control fixed-restore multiplier 100", "m"}, {"", "priority-flow-control fixed-restore multiplier 101", number}, {"", "priority-flow-control auto-restore multiplier 0", "m"},
		{"", "priority-flow-control auto-restore multiplier -1", number}, {"", "no priority-flow-control auto-restore multiplier 5", "m"}, {"", "priority-flow-control mode on", "u"},
		{"", "priority-flow-control auto-restore multiplier", unknown}, {"", "priority-flow-control other 5", unknown},
		{class, "match dscp 63", "m"}, {class, "match dscp 64", number}, {class, "match dscp 26-24", number}, {class, "match dscp", unknown}, {class, "match precedence 7", "m"}, {class, "match precedence 8", number},
		{class, "match cos 7", "u"}, {class, "match cos 8", number}, {class, "match access-group name A", "u"}, {class, "match protocol x", "u"}, {class, "match packet length 5", "u"}, {class, "match other 5", unknown},
		{class, "no match dscp 26", "m"},
		{qos, "set qos-group 7", "m"}, {qos, "set qos-group 8", number}, {qos, "set qos-group", unknown}, {qos, "no set qos-group 3", "m"}, {qos, "police cir 5 mbps", notModelled}, {qos, "no police cir 5 mbps", "u"},
		{network, "mtu 576", "n"}, {network, "mtu 575", number}, {network, "mtu 9216", "n"}, {network, "mtu 9217", number}, {network, "no mtu", "m"}, {network, "mtu", unknown}, {network, "pause pfc-cos 7", "m"},
		{network, "pause pfc-cos 8", number}, {network, "no pause", "m"}, {network, "pause no-drop", notModelled}, {network, "congestion-control tail-drop", "n"}, {network, "no congestion-control random-detect", "n"},
		{network, "congestion-control random-detect", notModelled},
		{out, "bandwidth percent 100", "m"}, {out, "bandwidth remaining percent 101", number}, {out, "bandwidth percent -1", number}, {out, "bandwidth 5", unknown}, {out, "no bandwidth remaining percent 5", "m"},
		{out, "priority level 1", "m"}, {out, "priority level 2", notModelled}, {out, "priority level 8", notModelled}, {out, "priority level 9", number}, {out, "priority level 0", number}, {out, "priority high", unknown},
		{out, "priority rank 1", unknown}, {out, "no priority", "m"}, {out, curve + "100 weight 0 ecn", "m nxos-read-not-modelled"}, {out, curve + "101 weight 0 ecn", number}, {out, curve + "7 weight 15 ecn", notModelled},
		{out, curve + "7 weight 16 ecn", number}, {out, curve + "7 weight 1 ecn", notModelled}, {out, curve + "7 weight 0", notModelled}, {out, curve + "7 weight 0 other", unknown}, {out, curve + "7 weight 0 ecn x", unknown},
		{out, curve + "7", unknown}, {out, "random-detect ecn", wrong}, {out, "random-detect threshold burst-optimized ecn", notModelled}, {out, "no random-detect x", "m"}, {out, strings.ReplaceAll(curve, "kbytes", "packets") + "7 weight 0 ecn", unknown},
		{out, "shape max 0 kbps", "m"}, {out, "shape max 5 bps", "m"}, {out, "shape min 0 gbps max 100 gbps", "m"}, {out, "shape max 100000 gbps", "m"}, {out, "shape max 100001 gbps", notModelled}, {out, "shape max 100000000000 kbps", "m"},
		{out, "shape max 100000000001 kbps", number}, {out, "shape max 5 percent", notModelled}, {out, "shape average 5", notModelled}, {out, "shape mean 0 gbps max 100 gbps", notModelled}, {out, "no afd queue-desired 5 bytes", "u"}, {out, "no queue-limit 5", "u"},
		{out, "shape percent 10", notModelled}, {out, "no shape percent 10", "m"}, {out, "queue-limit 5", notModelled}, {out, "afd queue-desired 5 bytes", notModelled},
		{out, "pause buffer-size 5000 pause-threshold 4999 resume-threshold 4999", wrong},
		{in, "pause buffer-size 5000 pause-threshold 4999 resume-threshold 4999", "m"}, {in, "pause buffer-size 5000 pause-threshold 5000 resume-threshold 4999", "m nxos-read-thresholds"},
		{in, "pause buffer-size 5000 pause-threshold 4998 resume-threshold 4999", "m nxos-read-thresholds"}, {in, "pause buffer-size 4999 pause-threshold 1 resume-threshold 0", number},
		{in, "pause buffer-size 268435456 pause-threshold 1 resume-threshold 0", "m"}, {in, "pause buffer-size 268435457 pause-threshold 1 resume-threshold 0", number}, {in, "pause buffer-size 5000 pause-threshold 1", unknown},
		{in, "no pause buffer-size 5000 pause-threshold 1 resume-threshold 0", "m"},
		{system, "service-policy type qos output P", notModelled}, {system, "service-policy type qos", unknown}, {port, "service-policy type network-qos N", unknown}, {system, "service-policy type network-qos N X", unknown}, {system, "no service-policy type network-qos N", "m"},
		{port, "mtu 9216", "m"}, {port, "mtu 9217", number}, {port, "mtu 576", "m"}, {port, "mtu 575", number}, {port, "mtu", unknown}, {port, "no mtu", "m"}, {port, "speed 10", "m"}, {port, "speed 9", number},
		{port, "speed 1600000", "m"}, {port, "speed 1600001", number}, {port, "speed", unknown}, {port, "speed auto", "m"}, {port, "no speed", "m"}, {port, "speed auto 100", "m"}, {port, "speed 100000 x", unknown},
		{port, "switchport", "m"}, {port, "no switchport", "m"}, {port, "priority-flow-control mode on", "m"}, {port, "priority-flow-control mode auto send-tlv", "m"}, {port, "priority-flow-control mode auto x", unknown},
		{port, "priority-flow-control mode", unknown}, {port, "priority-flow-control mode on send-tlv x", unknown}, {port, "priority-flow-control mode maybe", wrong}, {port, "no priority-flow-control mode", "m"}, {port, "priority-flow-control x", unknown},
		{port, "fec", unknown}, {port, "fec rs-fec x", unknown}, {port, "fec rs-fec", "m"}, {port, "fec RS-FEC", "m"}, {port, "fec off", "m"}, {port, "fec x", notModelled}, {port, "no fec rs-fec", "m"},
		{port, "flowcontrol receive on", "u"}, {port, "flowcontrol receive off", "n"}, {port, "no flowcontrol receive on", "n"}, {port, "channel-group 5", "n"}, {port, "storm-control unicast level 1", "u"}, {port, "storm-control broadcast level 1", "n"},
		{port, "ip access-group A in", "u"}, {port, "no ip access-group A in", "u"}, {port, "ip port access-group A in", "u"}, {port, "ip verify unicast source reachable-via rx", "u"}, {port, "macsec keychain K policy P", "u"}, {port, "inherit port-profile P", "u"},
		{"interface Vlan5", "mtu 9216", "n"}, {"interface Vlan5", "mtu 9215", "u"}, {"interface Vlan5", "no mtu 9216", "u"}, {"interface Vlan5", "service-policy type qos input P", "u"}, {"interface Vlan5", "priority-flow-control mode on", "u"},
		{"", "interface Ethernet1/1.5", "n"}, {"", "interface port-channel5.100", "n"}, {"", "interface loopback0.1", "n"}, {"", "interface mgmt0", "n"}, {"", "interface loopback0", "n"}, {"", "interface breakout module 1 port 1 map 100g-4x", "n"}, {"", "interface", unknown},
		{"interface Ethernet1/9", "service-policy type qos input P no-stats", "m"}, {"interface Ethernet1/9", "service-policy type qos input P stats", unknown},
		{"", "interface Ethernet1/1-1", "m"}, {"", "interface Ethernet 1/1-1/2", "m"}, {"", "interface Ethernet1/1-2/54", number}, {"", "interface Ethernet1/1/1-1/1/2", "m"}, {"", "interface Ethernet1/2-1", number}, {"", "interface Ethernet1/1, port-channel 2", number}, {"", "interface Ethernet1", number}, {"", "interface port-channel 4096", "n"},
		{"", "interface port-channel 4097", "u nxos-read-number"}, {"", "interface port-channel 0", "u nxos-read-number"}, {"", "no interface Ethernet1/1", "m"},
	})
}
