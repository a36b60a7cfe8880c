package eos_test

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read/eos"
)

// What is made of each form of a line. Numbers are the least and the most that the EOS manual and
// AVD's schema give, and one beyond: classes, groups and queues from 0 to 7, per cent from 1 to
// 100, an MTU from 68 to 65,535 B, thresholds from 1/128 to 8 in powers of two, timers of the
// watchdog from 0.01 to 60 s and its poll from 0.005 to 30 s; amounts of buffer up to a TiB. The
// largest packet of RoCEv2 has 40 + 8 + 12 + 4 + 16 + 4 + 4,096 + 4 = 4,184 B.
func TestForms(t *testing.T) {
	const (
		mmu, profile = "platform trident mmu queue profile P", "qos profile P"
		queue        = profile + "\n   uc-tx-queue 3"
		port         = "interface Ethernet1/1"
		classMap     = "class-map type qos match-any C"
		class        = "policy-map type quality-of-service M\n   class C"
		list         = "ip access-list L"
		watchdog     = "priority-flow-control pause watchdog "
		curve        = "random-detect ecn minimum-threshold 150 kbytes maximum-threshold 3000 kbytes"

		unknown, number    = "u eos-read-unknown", "u eos-read-number"
		notModelled, wrong = "u eos-read-not-modelled", "m eos-read-wrong"

		used = "platform trident mmu queue profile P apply\ninterface Ethernet9/1\n   service-profile P\n" + class + "\n      set traffic-class 3\n" + classMap +
			"\n   match ip access-group L\ninterface Ethernet8/1\n   no qos trust\n   service-policy type qos input M\n"
	)
	readtest.Forms(t, "testdata/forms.txt", eos.Format(), used, []readtest.Form{
		{"", "hostname x", "m"}, {"", "no hostname", "m"}, {"", "agent Sysdb shutdown", "u"}, {"", "no agent Sysdb shutdown", "n"}, {"", "agent Sysdb", "n"},
		{"", "mac address-table static 0000.0000.0001 vlan 1 drop", "u"}, {"", "mac address-table static 0000.0000.0001 vlan 1 interface Ethernet1", "n"}, {"", "mac address-table aging-time 5", "n"},
		{"", "switchport default mode routed", "m"}, {"", "no switchport default mode routed", "m"}, {"", "ip access-list L", "n"}, {"", "no ip access-list L", "n"},
		{"", "ip hardware fib load-balance distribution dynamic", "m"}, {"", "ip hardware fib load-balance distribution dynamic flow-set-size 3", "n"}, {"", "ip routing", "n"},
		{"", "interface", unknown}, {"", "interface Ethernet1/1/1", "m"}, {"", "interface et1", "m"}, {"", "no interface Ethernet1", "u"}, {"", "default interface Ethernet1", "m"}, {"", "interface Ethernet1/1/1/1", "u"},
		{"", "interface Ethernet12345", "u"}, {"", "interface Port-Channel5", "n"}, {"", "no interface Port-Channel5", "n"}, {"", "interface Ethernet1.100", "n"}, {"", "interface Port-Channel1.100", "n"},
		{"", "interface Loopback0", "n"}, {"", "interface Management1", "n"}, {"", "interface Vlan5", "n"}, {"", "interface Vxlan1", "n"}, {"", "interface Tunnel1", "n"}, {"", "interface Dps1", "n"}, {"", "interface Fabric1", "u"},
		{"interface Vlan5", "qos trust dscp", "u"}, {"interface Vlan5", "shape rate 5 kbps", "u"}, {"interface Vlan5", "priority-flow-control on", "u"}, {"interface Vlan5", "tx-queue 3", "u"}, {"interface Vlan5", "mtu 4184", "n"}, {"interface Vlan5", "mtu 4183", "u"}, {"interface Vlan5", "no mtu", "u"},
		{"interface Vlan5", "service-profile P", "u"}, {"interface Vlan5", "ip address 192.0.2.1/24", "n"},

		{"", "priority-flow-control all off", "m"}, {"", "no priority-flow-control all off", "m"}, {"", "priority-flow-control on", "u"}, {"", "priority-flow-control priority 3 no-drop", "u"}, {"", "priority-flow-control pause watchdog", "u"},
		{"", "priority-flow-control pause watchdog port timer x", "u"}, {"", "priority-flow-control x", wrong}, {"", watchdog + "x", wrong},
		{"", watchdog + "default timeout 0.01", "m"}, {"", watchdog + "default timeout 0.009", number}, {"", watchdog + "default timeout 60", "m"}, {"", watchdog + "default timeout 60.001", number}, {"", watchdog + "default timeout 0.0100", number},
		{"", watchdog + "default timeout 1 2", unknown}, {"", "no " + watchdog + "default timeout", "m"}, {"", watchdog + "default recovery-time 0.01 forced", unknown}, {"", watchdog + "default recovery-time 60", "m"},
		{"", watchdog + "default recovery-time 0.009", number}, {"", watchdog + "default polling-interval 0.005", "m"}, {"", watchdog + "default polling-interval 0.004", number}, {"", watchdog + "default polling-interval 30", "m"},
		{"", watchdog + "default polling-interval 30.001", number}, {"", watchdog + "action drop", "m"}, {"", watchdog + "action notify-only", "m"}, {"", watchdog + "action errdisable", notModelled}, {"", watchdog + "action x", wrong},
		{"", "no " + watchdog + "action", "m"}, {"", watchdog + "override action drop", "m"}, {"", "no " + watchdog + "override action", "m"}, {"", watchdog + "override action x", wrong},

		{"", "platform trident mmu queue profile P", "n eos-read-unapplied"}, {"", "platform trident mmu queue profile P apply", "m eos-read-undefined"}, {"", "no platform trident mmu queue profile P apply", "m"}, {"", "no platform trident mmu queue profile P", "n"},
		{"", "platform trident mmu headroom-pool limit bytes 5", "m"}, {"", "platform trident mmu headroom-pool limit 5", "m"}, {"", "platform trident mmu headroom-pool limit cells 5", "u eos-read-cells"}, {"", "no platform trident mmu headroom-pool limit", "m"},
		{"", "platform trident mmu headroom-pool limit 1099511627776", "m"}, {"", "platform trident mmu headroom-pool limit 1099511627777", number}, {"", "platform trident mmu headroom-pool limit", unknown}, {"", "platform trident mmu x", unknown},
		{mmu, "ingress headroom 5", "m"}, {mmu, "ingress headroom bytes 5", "m"}, {mmu, "ingress headroom kbytes 5", unknown}, {mmu, "ingress headroom -1", number}, {mmu, "no ingress headroom", "m"}, {mmu, "ingress resume 5", "m"},
		{mmu, "ingress reserved 5", "m"}, {mmu, "ingress threshold 1", "m"}, {mmu, "ingress priority-group 7 reserved 5", "m"}, {mmu, "ingress priority-group 8 reserved 5", number}, {mmu, "ingress priority-group 3 threshold 1/128", "m"},
		{mmu, "ingress priority-group 3 threshold 1/256", number}, {mmu, "ingress priority-group 3 threshold 8", "m"}, {mmu, "ingress priority-group 3 threshold 16", number}, {mmu, "ingress priority-group 3 threshold 3", number},
		{mmu, "ingress priority-group 3 threshold 1 2", unknown}, {mmu, "no ingress priority-group 3 threshold", "m"}, {mmu, "ingress priority-group 3 x", unknown}, {mmu, "ingress priority-group 3", unknown}, {mmu, "ingress", unknown},
		{mmu, "egress unicast queue 7 reserved 5", "m"}, {mmu, "egress unicast queue 8 reserved 5", number}, {mmu, "egress unicast queue 3 threshold 1/4", "m"}, {mmu, "egress unicast queue 3 drop-precedence 1 drop-threshold 5", notModelled},
		{mmu, "egress unicast queue 3", unknown}, {mmu, "egress multicast queue 3 reserved 0", "n"}, {mmu, "egress multicast queue 3 reserved 1", notModelled}, {mmu, "no egress multicast queue 3 reserved 0", notModelled}, {mmu, "egress multicast queue 3 threshold 1", "n"},

		{"", "qos", unknown}, {"", "qos profile", unknown}, {"", "qos profile A B", unknown}, {"", "no qos profile A", "n"}, {"", "qos map dscp 26 to traffic-class 7", "m"}, {"", "qos map dscp 26 to traffic-class 8", number},
		{"", "qos map dscp 63 to traffic-class 3", "m"}, {"", "qos map dscp 64 to traffic-class 3", number}, {"", "qos map dscp af31 to traffic-class 3", "m"}, {"", "qos map dscp 24-26,30 to traffic-class 3", "m"}, {"", "qos map dscp 24-64 to traffic-class 3", number}, {"", "qos map dscp 26-24 to traffic-class 3", number}, {"", "qos map dscp 26-26 to traffic-class 3", "m"},
		{"", "no qos map dscp 26", "m"}, {"", "no qos map dscp 26 to traffic-class 3", "m"}, {"", "no qos map dscp 26 to", "m"}, {"", "qos map dscp 26", unknown}, {"", "qos map dscp 26 to traffic-class", unknown}, {"", "qos map dscp to traffic-class 3", unknown},
		{"", "qos map dscp 26 to traffic-class 3 drop-precedence 1", notModelled}, {"", "qos map traffic-class 7 to tx-queue 7", "m"}, {"", "qos map traffic-class 8 to tx-queue 7", number}, {"", "qos map traffic-class 3 to tx-queue 8", number},
		{"", "qos map traffic-class 3 to tx-queue 3 4", "u"}, {"", "no qos map traffic-class 3 to tx-queue 3", "m"}, {"", "qos map traffic-class 3 to uc-tx-queue 3", wrong}, {"", "qos map traffic-class 3 to mc-tx-queue 3", wrong},
		{"", "qos map traffic-class 3 to dscp 26", "u"}, {"", "qos map traffic-class 3 to dscp 64", number}, {"", "no qos map traffic-class 3 to dscp 26", "m"}, {"", "qos map cos 3 to traffic-class 3", "n"}, {"", "qos map exp 3 to traffic-class 3", "n"},
		{"", "qos map traffic-class 3 to cos 3", "n"}, {"", "qos map x 3 to y 3", unknown}, {"", "qos traffic-class 3 name X", "m"}, {"", "no qos traffic-class 3 name", "m"}, {"", "qos traffic-class 8 name X", number}, {"", "qos traffic-class 3", unknown},
		{"", "qos list 3", wrong}, {"", "qos tx-queue 3 name X", "n"}, {"", "qos tx-queue 8 name X", number}, {"", "qos mc-tx-queue 3 x", "n"}, {"", "qos tx-queue 3 x", notModelled}, {"", "qos rewrite cos", "n"}, {"", "qos rewrite dscp", notModelled},
		{"", "no qos rewrite dscp", "m"}, {"", "qos random-detect ecn allow non-ect", "n"}, {"", "qos random-detect ecn global-buffer x", unknown}, {"", "qos x", unknown},

		{queue, "priority strict", "m"}, {queue, "no priority", "m"}, {queue, "default priority", "m"}, {queue, "priority x", "u"}, {queue, "bandwidth percent 1", "m"}, {queue, "bandwidth percent 0", number}, {queue, "bandwidth percent 100", "m"},
		{queue, "bandwidth percent 101", number}, {queue, "no bandwidth percent", "m"}, {queue, "bandwidth guaranteed percent 1", "n"}, {queue, "bandwidth guaranteed percent 0", number}, {queue, "bandwidth guaranteed percent 100", "n"},
		{queue, "bandwidth guaranteed percent 101", number}, {queue, "bandwidth guaranteed 1", "n"}, {queue, "bandwidth guaranteed 0", number}, {queue, "bandwidth guaranteed 1099511627776", "n"}, {queue, "bandwidth guaranteed 1099511627777", number}, {queue, "bandwidth guaranteed 1 2 3", unknown}, {queue, "no bandwidth guaranteed", "n"},
		{queue, "shape rate 1 kbps", "m"}, {queue, "shape rate 0 kbps", number}, {queue, "shape rate 5 percent", notModelled}, {queue, "shape rate kbps", unknown}, {queue, "no shape rate", "m"}, {queue, curve, "m"},
		{queue, curve + " max-mark-probability 1", "m"}, {queue, curve + " max-mark-probability 0", number}, {queue, curve + " max-mark-probability 100", "m"}, {queue, curve + " max-mark-probability 101", number}, {queue, curve + " weight 0", "m"},
		{queue, curve + " weight 1", notModelled}, {queue, curve + " weight 15", notModelled}, {queue, curve + " weight 16", number}, {queue, curve + " x 1", unknown}, {queue, curve + " x", unknown}, {queue, "random-detect ecn count", "n"},
		{queue, "random-detect ecn delay threshold 5", notModelled}, {queue, "no random-detect ecn delay", "n"}, {queue, "no random-detect ecn", "m"}, {queue, "random-detect ecn minimum-threshold 5 segments maximum-threshold 6 segments", "u eos-read-unit"},
		{queue, "random-detect ecn minimum-threshold 5 bytes maximum-threshold 6 mbytes", "m"}, {queue, "random-detect ecn minimum-threshold 5 bytes maximum-threshold 1099511 mbytes", "m"}, {queue, "random-detect ecn minimum-threshold 5 bytes maximum-threshold 1099512 mbytes", number}, {queue, "random-detect drop x", notModelled},
		{queue, "no random-detect drop", "n"}, {queue, "scheduler profile responsive", notModelled}, {profile, "uc-tx-queue 7", "m"}, {profile, "uc-tx-queue 8", number}, {profile, "uc-tx-queue", unknown}, {profile, "no uc-tx-queue 3", "m"}, {profile, "mc-tx-queue 3", "n"},

		{port, "mtu 68", "m"}, {port, "mtu 67", number}, {port, "mtu 65535", "m"}, {port, "mtu 65536", number}, {port, "no mtu", "m"}, {port, "mtu", "u"}, {port, "switchport", "m"}, {port, "no switchport", "m"}, {port, "default switchport", "m"},
		{port, "switchport mode trunk", "n"}, {port, "speed 400g-8", "m"}, {port, "speed 400g-3", number}, {port, "speed forced 100gfull", "m"}, {port, "speed auto", "m"}, {port, "speed auto 100gfull", "m"}, {port, "speed 100g-2 x", unknown}, {port, "speed", unknown},
		{port, "no speed", "m"}, {port, "speed 1000full", "m"}, {port, "speed 1000", number}, {port, "speed 25g", "m"}, {port, "speed 100mhalf", "m"}, {port, "speed 30gfull", number}, {port, "error-correction encoding reed-solomon", "m"},
		{port, "error-correction encoding fire-code", "m"}, {port, "error-correction encoding x", unknown}, {port, "no error-correction encoding", "m"}, {port, "no error-correction encoding fire-code", "u"}, {port, "default error-correction encoding", "m"},
		{port, "channel-group 5 mode active", "n"}, {port, "qos trust dscp", "m"}, {port, "no qos trust", "m"}, {port, "default qos trust", "m"}, {port, "qos trust cos", "u"}, {port, "qos cos 7", "n"}, {port, "qos cos 8", number}, {port, "qos dscp 63", "n"},
		{port, "qos dscp 64", number}, {port, "qos cos", unknown}, {port, "no qos cos", "n"}, {port, "qos list 3", wrong}, {port, "qos list", wrong}, {port, "service-policy type qos input M X", "u"}, {port, "service-policy type tx-queue output M", "u"}, {port, "service-policy type quality-of-service input M", "u"}, {port, "shape rate 5 kbps", notModelled}, {port, "no shape rate", "n"},
		{port, "dcbx mode ieee", "n"}, {port, "dcbx pfc x", wrong}, {port, "priority-flow-control on", "m"}, {port, "no priority-flow-control", "m"}, {port, "default priority-flow-control", "m"}, {port, "priority-flow-control", wrong},
		{port, "priority-flow-control priority 7 no-drop", "m"}, {port, "priority-flow-control priority 8 no-drop", number}, {port, "priority-flow-control priority 3 drop", "m"}, {port, "priority-flow-control priority 3 x", wrong},
		{port, "priority-flow-control priority 3", wrong}, {port, "no priority-flow-control priority 3", "m"}, {port, "no priority-flow-control priority", wrong}, {port, "priority-flow-control pause watchdog", "m"}, {port, "no priority-flow-control pause watchdog", "m"},
		{port, "priority-flow-control pause watchdog port x", notModelled}, {port, "no priority-flow-control pause watchdog port x", "n"}, {port, "priority-flow-control mode on", wrong}, {port, "priority-flow-control x", wrong},
		{port, "random-detect ecn x", notModelled}, {port, "flowcontrol receive on", "u"}, {port, "flowcontrol receive off", "n"}, {port, "no flowcontrol receive on", "n"}, {port, "shutdown", "n"}, {port, "mac security profile X", "u"}, {port, "no mac security", "n"},
		{port, "ip access-group A in", "u"}, {port, "no ip access-group A in", "n"}, {port, "ipv6 verify unicast source", "u"}, {port, "traffic-policy input X", "u"}, {port, "storm-control unicast level 1", "u"}, {port, "storm-control broadcast level 1", "n"},
		{port, "storm-control multicast level 1", "n"}, {port, "profile X", "u"}, {port, "ip address 192.0.2.1/24", "n"},

		{classMap, "match dscp 26", "m"}, {classMap, "match dscp 64", number}, {classMap, "no match dscp 26", "m"}, {classMap, "match ip access-group L", "m"}, {classMap, "match vlan 5", notModelled}, {classMap, "match dscp 26 ecn 1", notModelled},
		{class, "set traffic-class 7", "m"}, {class, "set traffic-class 8", number}, {class, "set traffic-class", unknown}, {class, "no set traffic-class", "m"}, {class, "set dscp 63", "m"}, {class, "set dscp 64", number}, {class, "set dscp", unknown},
		{class, "no set dscp", "m"}, {class, "set cos 3", "n"}, {class, "police rate 5 kbps", notModelled}, {class, "no police rate 5 kbps", "m"}, {class, "bandwidth percent 5", notModelled}, {class, "no bandwidth percent 5", "m"}, {class, "priority level 1", notModelled}, {class, "shape rate 5 kbps", notModelled}, {class, "queue 5", notModelled},
		{class, "set traffic-class 3 4", unknown}, {class, "set dscp 26 27", unknown}, {class, "set other", notModelled}, {class, "nothing of this", "u"}, {"", "policy-map type tx-queue X", wrong}, {"", "policy-map type qos X", "n"}, {"", "policy-map type copp X", "n"},
		{list, "10 permit udp any any eq 4791 dscp 26", "m"}, {list, "permit ip any any dscp af31", "m"}, {list, "permit udp any any eq 0 dscp 26", notModelled}, {list, "permit udp any any eq 65535 dscp 26", "m"},
		{list, "permit udp any any eq 65536 dscp 26", notModelled}, {list, "permit tcp any any dscp 26", notModelled}, {list, "deny ip any any dscp 26", notModelled}, {list, "permit ip host 192.0.2.1 any dscp 26", notModelled}, {list, "remark x", "n"},
		{list, "no 10", "m"}, {list, "no permit ip any any dscp 26", "u"}, {list, "permit ip any any dscp 64", notModelled}, {list, "permit ip any any", notModelled},
	})
}
