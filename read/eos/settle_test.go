package eos

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
)

// A line of a buffer profile, a policy or a port channel acts on what obeys it: on nothing, on the
// ports that use it, or on the whole switch. What nothing obeys needs no warning, but is wrong all the same.
func TestWhatLinesActOn(t *testing.T) {
	const buffer = "platform trident mmu queue profile M\n   ingress drop-precedence 1\n   ingress priority-group 9 reserved bytes 5\n"
	const apply = "platform trident mmu queue profile M apply\n"
	const port = "interface Ethernet1\n"
	const idle = "drop-precedence 1: neutral by unused; !warning[eos-read-not-modelled]; error["
	const policies = "ip access-list L1\n   10 permit udp any any eq 4791 dscp 26\nip access-list L2\n   10 permit udp any any eq 4791 dscp 27\n" +
		"class-map type qos match-any C1\n   match ip access-group L1\nclass-map type qos match-any C2\n   match ip access-group L2\n" +
		"policy-map type quality-of-service A\n   class C1\n      set traffic-class 3\npolicy-map type quality-of-service B\n   class C2\n      set traffic-class 4\n"
	const one = port + "   no qos trust\n   service-policy type qos input A\n"
	const two = "interface Ethernet2\n   no qos trust\n   service-policy type qos input B\n"
	const unheld = ": not modelled: it is part of a policy that classifies packets, which is modelled only on untrusted ports; touches ports "
	of := func(n, what string) string { // each line of list, class-map and policy n
		policy := map[string]string{"1": "A", "2": "B"}[n]
		return strings.Join([]string{"ip access-list L" + n, "class-map type qos match-any C" + n, "match ip access-group L" + n, "quality-of-service " + policy, ") class C" + n}, what+"; ") + what
	}
	const channels = "interface Port-Channel5\n   mtu 9000\n   qos trust dscp\ninterface Port-Channel6\n   mtu 9000\n   qos trust dscp\n"
	readtest.Tales(t, Format(), []readtest.Tale{
		{"a buffer profile that is not applied", buffer + port, idle},
		{"one of another name", buffer + strings.Replace(apply, " M ", " N ", 1) + port, idle},
		{"one without a port", buffer + apply, idle},
		{"one that is applied", buffer + apply + port, "drop-precedence 1: not modelled; !touches; !unused; warning[eos-read-not-modelled]; error["},
		{"a policy that the plan holds", policies + one, of("1", ": modelled") + "; " + of("2", ": neutral by unused") + "; !touches"},
		{"two policies", policies + one + two, of("1", ": modelled") + "; " + of("2", unheld+"[Ethernet2]")},
		{"a policy of a port that trusts", policies + strings.Replace(one, "no qos trust", "qos trust dscp", 1), of("1", unheld+"[Ethernet1]") + "; " + of("2", ": neutral by unused")},
		{"a class of two policies", policies + "policy-map type quality-of-service B\n   class C1\n      set traffic-class 5\n" + one + two, "10:4-12(278) class C1: modelled; 13:4-12(353) class C2" + unheld + "[Ethernet2]"},
		{"a bundle and its member have two MTUs", "interface Port-Channel5\n   no switchport\n   mtu 1500\n" + port + "   mtu 9214\n   channel-group 5 mode active\n", "interface Ethernet1: not modelled: the port is a member of Port-Channel5, and the two have different MTUs"},
		{"a routed bundle says no MTU", "interface Port-Channel5\n   no switchport\n" + port + "   mtu 9214\n   channel-group 5 mode active\n", "interface Ethernet1: not modelled: the port is a member of Port-Channel5, which is routed and has no MTU line"},
		{"a bundle has the default MTU", "interface defaults\n   mtu 9214\ninterface Port-Channel5\n   no switchport\n" + port + "   mtu 9214\n   channel-group 5 mode active\n", "!not modelled"},
		{"a bundle and its member agree", "interface Port-Channel5\n   no switchport\n   mtu 9214\n" + port + "   mtu 9214\n   channel-group 5 mode active\n", "!not modelled; Ports[0].MTU = 9232B"},
		{"the bundle alone says it", "interface Port-Channel5\n   no switchport\n   mtu 9214\n" + port + "   channel-group 5 mode active\n", "!not modelled; Ports[0].MTU = 9232B"},
		{"port channels, with a member and without", channels + port + "   channel-group 5 mode active\n",
			"2:4-12(27) mtu 9000: modelled; 3:4-18(39) qos trust dscp: not modelled: settings of a port channel act on its members, which is not accounted for; touches ports [Ethernet1]; 5:4-12(81) mtu 9000: neutral by unused; 6:4-18(93) qos trust dscp: neutral by unused"},
	})
}
