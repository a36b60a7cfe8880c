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
			return read.InVXLAN
		}
	case "network-instance":
		switch {
		case has("policy-forwarding"):
			return read.ByPolicy
		case has("mpls"), has("ldp"), has("static-mpls"), has("segment-routing"), has("traffic-engineering"):
			return read.Labelled
		}
	case "system":
		switch {
		case has("mtu"):
			if last != "min-path-mtu" {
				return harmOfMTU(n, last)
			}
		case has("mirroring"):
			return read.Mirrored
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
		return read.NoRouteBack
	case slices.Contains(words, "acl"):
		return "a filter of the port may drop packets, or mark them otherwise"
	case slices.Contains(words, "local-mirror-destination"):
		return read.Mirrored
	case last == "ip-mtu" || last == "l2-mtu" || last == "mpls-mtu":
		return harmOfMTU(n, last)
	}
	return ""
}

// harmOfMTU returns the same for an MTU: those of IP and of labels count no Ethernet header.
func harmOfMTU(n *posjson.Node, leaf string) string {
	around := read.FrameHeader
	if strings.HasSuffix(leaf, "ip-mtu") || strings.HasSuffix(leaf, "mpls-mtu") {
		around = 0
	}
	if read.DropsRoCE(n.Text, around) {
		return read.SmallMTU
	}
	return ""
}
