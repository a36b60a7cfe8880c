package junos

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read"
)

// A port without a classifier goes by Junos' default one, and a plan has one map for all ports: that is
// told once, of all ports without a profile too. Where no port has a classifier the plan has no map either.
func TestPortsWithoutClassifier(t *testing.T) {
	const (
		classes = "class-of-service { classifiers { dscp roce { forwarding-class rdma { loss-priority low code-points 011010; } } } forwarding-classes { class rdma queue-num 3; } interfaces { et-0/0/0 { unit 0 { classifiers { dscp roce; } } } } }\n"
		bare    = "interfaces { et-0/0/1 { mtu 9000; } et-0/0/2 { mtu 9000; } }\n"
		down    = "interfaces { et-0/0/1 { disable; } }\n"
		told    = "Junos' default classifier"
	)
	readtest.Tales(t, Format(), []readtest.Tale{
		{"two ports", classes + bare, "warning[junos-read-not-modelled] 2 ports without a classifier, et-0/0/1 et-0/0/2: " + told + "; !error"},
		{"every port has one", classes, "!" + told},
		{"a wildcard gives it to them", classes + bare + "class-of-service { interfaces { et-* { unit 0 { classifiers { dscp roce; } } } } }\n", "!" + told},
		{"no port has one", bare, "!" + told},
		{"a port of class-of-service alone", classes + "class-of-service { interfaces { et-0/0/5; } }\n", "2:1-41(228) warning[junos-read-not-modelled] 1 port without a classifier, et-0/0/5"},
		{"a port that is shut", classes + down, "!" + told},
	})
}

// Which packets choose their way by load, and how often load is measured, is not in the plan and touches no
// lossless packet: it was called modelled. What is written in place of a known word is not known.
func TestBalancingThatThePlanDoesNotHold(t *testing.T) {
	const dlb = "set forwarding-options enhanced-hash-key ecmp-dlb "
	readtest.Tales(t, Format(), []readtest.Tale{
		{"Ethernet types", dlb + "ether-type ipv4\n", "ether-type ipv4: neutral"},
		{"samples", dlb + "sampling-rate 1000\n", "sampling-rate 1000: neutral"},
		{"weights", dlb + "egress-quantization rate 10\n", "egress-quantization rate 10: neutral"},
		{"flowlets", dlb + "flowlet inactivity-interval 128\n", "inactivity-interval 128: modelled; LoadBalancing = flowlet"},
		{"flowlets by default", dlb + "flowlet\n", "ecmp-dlb flowlet: modelled; LoadBalancing = flowlet"},
		{"a table of flowlets", dlb + "flowlet flowset-table-size 2048\n", "flowset-table-size 2048: neutral; LoadBalancing = flowlet"},
		{"flowlets that move", dlb + "flowlet reassignment quality-delta 6\n", "reassignment quality-delta: neutral"},
		{"flowlets otherwise", dlb + "flowlet x\n", "flowlet x: not modelled"},
		{"packets", dlb + "per-packet\n", "per-packet: modelled; LoadBalancing = adaptive"},
		{"another word", dlb + "ether-types ipv4\n", "ether-types ipv4: not modelled"},
	})
}

// Junos without partitions divides as its CLI reference says, buffer-partition: 9, 45 and 46 per cent at ingress, 50 and
// 31 at egress. Junos Evolved has other defaults. Which of the two wrote a file its version says, or where it
// classifies.
func TestDefaultPartitionsByRelease(t *testing.T) {
	const port = "interfaces { et-0/0/0 { mtu 9216; } }\n"
	for text, want := range map[string][5]int64{ // lossless and lossy at egress; lossless, headroom and lossy at ingress
		"version 23.4R2-S3.2;\n" + port:   {50, 31, 9, 45, 46},
		"version 23.4R2-S3-EVO;\n" + port: {20, 70, 20, 10, 70},
		port:                              {20, 70, 20, 10, 70},
		port + "class-of-service { classifiers { dscp c { forwarding-class f { loss-priority low code-points 011010; } } } interfaces { et-0/0/0 { classifiers { dscp c; } } } }\n": {50, 31, 9, 45, 46},
	} {
		p := Format().Read("junos.conf", []byte(text), read.Options{}).Switch.Pools
		must.Equalf(t, [5]int64{p[0].Percent, p[1].Percent, p[2].Percent, p[2].HeadroomPercent, p[3].Percent}, want, "%s:", text)
	}
}

// Junos' own table of code points, and rewriting by loss priority. The table: Juniper, Class of Service User Guide, Applying
// Default Rewrite Rules, table 1 (best-effort be = 0, expedited-forwarding ef = 46, assured-forwarding af11 = 10 and, of high
// loss priority, af12 = 12, network-control nc1 = 48).
func TestRewriting(t *testing.T) {
	const classes = "set class-of-service forwarding-classes class best-effort queue-num 0\nset class-of-service forwarding-classes class assured-forwarding queue-num 1\n" +
		"set class-of-service classifiers dscp c forwarding-class best-effort loss-priority low code-points be\nset class-of-service classifiers dscp c forwarding-class best-effort loss-priority low code-points cs1\n" +
		"set class-of-service classifiers dscp c forwarding-class assured-forwarding loss-priority LEVEL code-points af31\nset class-of-service classifiers dscp c forwarding-class assured-forwarding loss-priority LEVEL code-points af32\n" +
		"set class-of-service interfaces et-0/0/0 unit 0 classifiers dscp c\n"
	const own = "set class-of-service rewrite-rules dscp r forwarding-class assured-forwarding loss-priority low code-point af41\nset class-of-service rewrite-rules dscp r forwarding-class assured-forwarding loss-priority high code-point af43\nset class-of-service interfaces et-0/0/0 unit 0 rewrite-rules dscp r\n"
	const byDefault = "set class-of-service interfaces et-0/0/0 unit 0 rewrite-rules dscp default\n"
	at := func(level string) string { return strings.ReplaceAll(classes, "LEVEL", level) }
	const both = "set class-of-service classifiers dscp c forwarding-class assured-forwarding loss-priority high code-points af33\n"
	readtest.Tales(t, Format(), []readtest.Tale{
		{"the system's table", at("low") + byDefault, "Ports[0].QoS.Rewritten.Rewrite.TCs = 3; Ports[0].QoS.Rewritten.Rewrite.DSCP = 0-0: 0, 1-1: 10, 2-7: 0; !undefined"},
		{"its high loss priority", at("high") + byDefault, "DSCP = 0-0: 0, 1-1: 12, 2-7: 0"},
		{"a rule that begins with it", at("low") + own + "set class-of-service rewrite-rules dscp r import default\n", "DSCP = 0-0: 0, 1-1: 34, 2-7: 0; !code points are not in the file"},
		{"low packets", at("low") + own, "DSCP = 0-0: 0, 1-1: 34, 2-7: 0; !a rewriting by loss priority"},
		{"high packets", at("high") + own, "DSCP = 0-0: 0, 1-1: 38, 2-7: 0; !a rewriting by loss priority"},
		{"packets of both", at("low") + both + own, "DSCP = 0-0: 0, 1-1: 34, 2-7: 0; 10:5-113(869) class-of-service rewrite-rules dscp r forwarding-class assured-forwarding loss-p: not modelled: a rewriting by loss priority"},
		{"the priority of VLAN tags", at("low") + "set class-of-service interfaces et-0/0/0 unit 0 rewrite-rules ieee-802.1 default\n", "not modelled: it rewrites the priority of VLAN tags"},
	})
}
