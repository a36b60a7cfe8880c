package openconfig

import (
	"slices"

	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// harmfulLeaf says of a leaf below a neutral path what it does to packets all the same.
func harmfulLeaf(n *posjson.Node, words []string) string {
	if len(words) == 0 { // the document is a number
		return ""
	}
	has := func(word string) bool { return slices.Contains(words, word) }
	last := words[len(words)-1]
	switch words[0] {
	case "interfaces":
		switch {
		case last == "mtu" && read.DropsRoCE(n.Text, counted(words)):
			return "larger IP packets are dropped here"
		case has("urpf") && last == "enabled" && n.Text == "true":
			return read.NoRouteBack
		case has("tunnel"):
			return read.InTunnel
		}
	case "components":
		switch {
		case has("breakout-mode"):
			return "it splits a cage into ports of another number and speed"
		case has("properties") && last == "value":
			return "a hardware property with a vendor's name, whose effect is not known"
		case last == "forwarding-viable" && n.Text == "false":
			return "the chip forwards nothing"
		}
	case "network-instances":
		switch {
		case has("policy-forwarding"):
			return read.ByPolicy
		case has("mpls") && n.Text != "false":
			return read.Labelled
		case has("vxlan"), last == "vni":
			return read.InVXLAN
		}
	}
	return ""
}

// counted returns the overhead that an MTU includes: that of an interface is of frames, that of a
// subinterface or a VLAN of IP.
func counted(words []string) units.Bytes {
	if slices.Contains(words, "ipv4") || slices.Contains(words, "ipv6") {
		return 0
	}
	return read.FrameHeader
}

// above reports whether an interface is one over ports, whose packets pass them: a bundle
// or a VLAN.
func above(i *posjson.Node) bool {
	kind := i.Get("config", "type")
	return kind != nil && slices.Contains([]string{"l3ipvlan", "ieee8023adLag", "iana-if-type:l3ipvlan", "iana-if-type:ieee8023adLag"}, kind.Text)
}
