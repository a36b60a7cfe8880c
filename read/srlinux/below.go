package srlinux

import (
	"slices"
	"strings"

	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/read"
)

// harmBelow says of a leaf below a neutral path what it does to packets of data all the same.
func harmBelow(n *posjson.Node, words []string) string {
	has := func(word string) bool { return slices.Contains(words, word) }
	last := words[len(words)-1]
	switch words[0] {
	case "interface":
		return harmOfSubinterface(n, words)
	case "tunnel-interface":
		if has("vxlan-interface") {
			return "packets in VXLAN have a DSCP inside and one outside, and are longer"
		}
	case "network-instance":
		switch {
		case has("policy-forwarding"):
			return "a policy may drop packets, or put them into a tunnel"
		case has("mpls"), has("ldp"), has("static-mpls"), has("segment-routing"), has("traffic-engineering"):
			return "packets with labels are classified by their label, not by their DSCP"
		}
	case "system":
		switch {
		case has("mtu"):
			if last != "min-path-mtu" {
				return harmOfMTU(n, last)
			}
		case has("mirroring"):
			return "copies of packets take buffer and bandwidth of a port"
		case has("event-handler"):
			return "a script that changes the configuration by itself"
		}
	}
	return ""
}

func harmOfSubinterface(n *posjson.Node, words []string) string {
	last := words[len(words)-1]
	switch {
	case slices.Contains(words, "unicast-reverse-path-forwarding"), slices.Contains(words, "urpf"):
		return "packets whose source has no route back are dropped"
	case slices.Contains(words, "local-mirror-destination"):
		return "copies of packets take buffer and bandwidth of a port"
	case last == "ip-mtu" || last == "l2-mtu" || last == "mpls-mtu":
		return harmOfMTU(n, last)
	}
	return ""
}

// harmOfMTU is the same for an MTU: those of IP and of labels count no Ethernet header.
func harmOfMTU(n *posjson.Node, leaf string) string {
	around := read.FrameHeader
	if strings.HasSuffix(leaf, "ip-mtu") || strings.HasSuffix(leaf, "mpls-mtu") {
		around = 0
	}
	if read.DropsRoCE(n.Text, around) {
		return "an MTU that the largest packets of RoCE do not fit"
	}
	return ""
}
