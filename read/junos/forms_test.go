package junos_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/read/junos"
)

// What is made of each form of a statement. Numbers are the least and the most that Juniper's CLI
// reference gives, and one beyond: queues from 0 to 11, of which 0 to 7 are unicast, priorities
// from 0 to 7, per cent from 0 to 100, thresholds from 0 to 10. The largest packet of RoCEv2 has
// 4,184 B, and in a frame with one VLAN tag, of which the MTU of an interface does not count the
// FCS, 6 + 6 + 4 + 2 more.
func TestForms(t *testing.T) {
	const number = " junos-read-number"
	var all []readtest.Form
	forms := map[string][][2]string{
		"class-of-service/forwarding-classes": {
			{"class a queue-num 11", "m"}, {"class a queue-num 12", "m" + number}, {"class a queue-num -1", "m" + number}, {"class a queue-num 0 no-loss pfc-priority 7", "m"}, {"class a queue-num 3 no-loss pfc-priority 8", "m" + number},
			{"class a spu-priority high", "u"}, {"queue 3 a", "u"},
		},
		"class-of-service/classifiers": {
			{"dscp d forwarding-class a loss-priority low code-points 111111", "m"}, {"dscp d forwarding-class a loss-priority low code-points 1111111", "m" + number}, {"dscp d forwarding-class a loss-priority low code-points 11111", "m" + number},
			{"dscp d forwarding-class a loss-priority low code-points 000002", "m" + number}, {"dscp d forwarding-class a loss-priority low code-points cs7", "m"}, {"dscp d forwarding-class a loss-priority low code-points cs8", "m" + number},
			{"dscp d forwarding-class a loss-priority low code-points cs0", "m" + number}, {"dscp d forwarding-class a loss-priority low code-points af43", "m"}, {"dscp d forwarding-class a loss-priority low code-points af44", "m" + number},
			{"dscp d forwarding-class a loss-priority low code-points af53", "m" + number}, {"dscp d forwarding-class a loss-priority low code-points af03", "m" + number}, {"dscp d forwarding-class a loss-priority low code-points af40", "m" + number},
			{"dscp d forwarding-class a loss-priority low code-points xs1", "m" + number}, {"dscp d forwarding-class a loss-priority low code-points xf11", "m" + number}, {"dscp d forwarding-class a loss-priority low code-points nc2", "m"},
			{"dscp d forwarding-class a loss-priority high code-points 000001", "u"}, {"dscp d import default", "u"}, {"ieee-802.1 d forwarding-class a loss-priority low code-points 001", "u"}, {"dscp-ipv6 d import default", "u"},
		},
		"class-of-service/rewrite-rules": {
			{"dscp d forwarding-class a loss-priority low code-point 111111", "m"}, {"dscp d forwarding-class a loss-priority low code-point 1111110", "m" + number}, {"dscp d forwarding-class a loss-priority high code-point 000001", "m"}, // no packet has it
			{"dscp d import default", "m"}, {"dscp d import other", "u"}, {"ieee-802.1 d import default", "u"},
		},
		"class-of-service/congestion-notification-profile/p": {
			{"input cable-length 1", "m"}, {"input cable-length 0", "m" + number}, {"input cable-length 1000000", "m"}, {"input cable-length 1000001", "m" + number}, {"input dscp code-point 011010 pfc", "m"}, {"input dscp code-point 0110100 pfc", "m" + number},
			{"input dscp code-point 011010 mru 64", "m"}, {"input dscp code-point 011010 mru 63", "m" + number}, {"input dscp code-point 011010 mru 65535", "m"}, {"input dscp code-point 011010 mru 65536", "m" + number},
			{"input dscp code-point 011010 xon 1", "m"}, {"input dscp code-point 011010 xon 0", "m" + number}, {"input dscp code-point 011010 xon 100000", "m"}, {"input dscp code-point 011010 xon 100001", "m" + number}, {"input dscp code-point 011010 x 1", "u"},
			{"input ieee-802.1 code-point 011 pfc", "m"}, {"input ieee-802.1 code-point 0111 pfc", "m" + number}, {"output ieee-802.1 code-point 111 flow-control-queue 7", "m"}, {"output ieee-802.1 code-point 111 flow-control-queue 8", "m" + number}, {"output ieee-802.1 code-point 0111 flow-control-queue 7", "m" + number},
			{"output ieee-802.1 code-point 11 flow-control-queue 7", "m" + number}, {"output ieee-802.1 code-point 112 flow-control-queue 7", "m" + number}, {"output ieee-802.1 code-point 011 x 7", "u"}, {"x", "u"},
			{"pfc-watchdog poll-interval 1", "m"}, {"pfc-watchdog poll-interval 0", "m" + number}, {"pfc-watchdog poll-interval 65535", "m"}, {"pfc-watchdog poll-interval 65536", "m" + number}, {"pfc-watchdog detection 1", "m"}, {"pfc-watchdog detection 0", "m" + number},
			{"pfc-watchdog recovery 1", "m"}, {"pfc-watchdog recovery 0", "m" + number}, {"pfc-watchdog recovery 65535", "m"}, {"pfc-watchdog recovery 65536", "m" + number}, {"pfc-watchdog watchdog-action drop", "m"}, {"pfc-watchdog watchdog-action x", "m" + number},
			{"pfc-watchdog x 1", "u"}, {"pfc-watchdog", "m"},
		},
		"class-of-service/shared-buffer": {
			{"ingress percent 100", "m"}, {"ingress percent 99", "u"}, {"ingress percent 101", "m" + number}, {"egress percent 0", "u"}, {"egress buffer-partition lossless dynamic-threshold 10", "m"},
			{"egress buffer-partition lossy dynamic-threshold 0", "m"}, {"egress buffer-partition lossy dynamic-threshold 11", "m" + number}, {"egress buffer-partition lossy percent 101", "m" + number}, {"egress buffer-partition lossy x 1", "u"},
			{"egress buffer-partition lossless-headroom percent 1", "u"}, {"egress buffer-partition multicast percent 1", "u"}, {"ingress buffer-partition x percent 1", "u"}, {"x percent 1", "u"}, {"ingress x", "u"},
		},
		"class-of-service/schedulers/s": {
			{"transmit-rate percent 0", "m"}, {"transmit-rate percent 100", "m"}, {"transmit-rate percent 101", "m" + number}, {"transmit-rate percent 5 exact", "u"}, {"transmit-rate 5m", "u"}, {"shaping-rate 8g", "m"}, {"shaping-rate 500m", "m"},
			{"shaping-rate 1", "m"}, {"shaping-rate 0", "m" + number}, {"shaping-rate 10000g", "m"}, {"shaping-rate 10001g", "m" + number}, {"shaping-rate 10000000000000", "m"}, {"shaping-rate 10000000000001", "m" + number}, {"shaping-rate fast", "m" + number},
			{"priority strict-high", "m"}, {"priority low", "m"}, {"priority high", "u"}, {"drop-profile-map loss-priority any protocol any drop-profile d", "m"}, {"drop-profile-map loss-priority low protocol any drop-profile d", "m"},
			{"drop-profile-map loss-priority high protocol any drop-profile d", "u"}, {"explicit-congestion-notification", "m"}, {"buffer-dynamic-threshold 10", "m"}, {"buffer-dynamic-threshold 11", "m" + number}, {"buffer-size percent 5", "n"},
			{"buffer-size percent 5 exact", "u"}, {"x", "u"},
		},
		"class-of-service/drop-profiles/d": {
			{"interpolate fill-level 100", "m"}, {"interpolate fill-level 101", "m" + number}, {"interpolate drop-probability 100", "m"}, {"interpolate drop-probability 101", "m" + number}, {"fill-level 5 drop-probability 5", "u"},
		},
		"class-of-service/interfaces": {
			{"ae0 scheduler-map m", "u"}, {"et-0/0/0 scheduler-map m", "m junos-read-undefined"}, {"et-0/0/0 unit 0 classifiers dscp d", "m junos-read-undefined"}, {"et-0/0/0 unit 0 rewrite-rules dscp d", "m junos-read-undefined"}, {"et-0/0/0 x", "u"},
			{"et-0/0/0 congestion-notification-profile p", "m junos-read-undefined"}, {"et-0/0/0 unit 0 classifiers ieee-802.1 d", "m junos-read-undefined"}, {"et-0/0/0 unit 0 classifiers ieee-802.1 default", "m"}, {"et-0/0/0 forwarding-class-set s output-traffic-control-profile t", "m"},
		},
		"interfaces": {
			{"et-0/0/0 speed 400g", "m"}, {"et-0/0/0 speed 1G", "m"}, {"et-0/0/0 speed 0g", "u"}, {"et-0/0/0 speed 100m", "u"}, {"et-0/0/0 speed auto", "u"}, {"et-0/0/0 unit 0 family inet filter input f", "u"}, {"et-0/0/0 unit 0 family inet policer input p", "u"},
			{"et-0/0/0 unit 0 family inet address 192.0.2.1/31", "n"}, {"et-0/0/0 ether-options auto-negotiation", "n"}, {"et-0/0/0 ether-options no-auto-negotiation", "n"}, {"et-0/0/0 ether-options flow-control", "u"}, {"et-0/0/0 x", "u"},
			{"et-0/0/0 unit 0 family inet mtu 4184", "n"}, {"et-0/0/0 unit 0 family inet mtu 4183", "u"}, {"irb unit 5 family inet6 mtu 4184", "n"}, {"irb unit 5 family inet6 mtu 4183", "u"}, {"irb mtu 4202", "n"}, {"irb mtu 4201", "u"},
		},
	}
	for _, part := range slices.Sorted(maps.Keys(forms)) {
		for _, form := range forms[part] {
			levels := append(strings.Split(part, "/"), form[0])
			all = append(all, readtest.Form{"", strings.Join(levels, " { ") + ";" + strings.Repeat(" }", len(levels)-1), form[1]})
		}
	}
	readtest.Forms(t, "testdata/forms.txt", junos.Format(), "", all)
}
