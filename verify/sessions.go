package verify

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// sessions reports two ends of a link whose BGP speakers refuse each other: one expects another AS (RFC 4271, 6.2:
// Bad Peer AS), or both have one identifier (Bad BGP Identifier).
func sessions(link plan.Link, says map[plan.LinkEnd]ending) (found diag.List) {
	for _, ends := range [][2]plan.LinkEnd{{link.A, link.B}, {link.B, link.A}} {
		own, peer := says[plan.LinkEnd{Switch: ends[0].Switch}], says[plan.LinkEnd{Switch: ends[1].Switch}]
		for _, w := range expected(own, ends[0].Port, says[ends[1]][read.Addressed]) {
			if refused(w.Value, own[read.OwnAS], peer[read.OwnAS]) {
				is := peer[read.OwnAS][0]
				found.Errorf(LinkEndsDiffer, w.At, "%s %s expects the AS %s of its neighbour, and %s %s is in AS %s: no session comes up, so the link carries no routes", ends[0].Switch, ends[0].Port, w.Value, ends[1].Switch, ends[1].Port, is.Value).
					Fixf("give the neighbour the AS that it is in").Notef(is.At, "the AS of the neighbour")
			}
		}
	}
	one, other := identity(says[plan.LinkEnd{Switch: link.A.Switch}]), identity(says[plan.LinkEnd{Switch: link.B.Switch}])
	if one.Value != "" && one.Value == other.Value {
		found.Errorf(LinkEndsDiffer, one.At, "%s and its neighbour %s have one router id, %s: they accept no routes of each other", link.A.Switch, link.B.Switch, one.Value).
			Fixf("give each switch a router id of its own").Notef(other.At, "the other one")
	}
	return found
}

// expected returns the statements that say which AS the neighbour at a port is in: by the port, by an address
// of the other end, or by the group of either.
func expected(own ending, port string, addresses []read.Way) (all []read.Way) {
	at := func(key string) bool {
		a, err := netip.ParseAddr(key)
		return key == port || err == nil && slices.ContainsFunc(addresses, func(w read.Way) bool {
			p, err := netip.ParsePrefix(w.Value)
			return err == nil && p.Addr() == a
		})
	}
	for _, w := range own[read.PeerAS] {
		if at(w.Bundle) {
			all = append(all, w)
		}
	}
	for _, in := range own[read.PeerIn] {
		for _, w := range own[read.PeerAS] {
			if len(all) == 0 && at(in.Bundle) && w.Bundle == in.Value {
				return []read.Way{w}
			}
		}
	}
	return all
}

// refused reports whether a neighbour is in no AS that is expected. A switch may have several.
func refused(want string, own, peer []read.Way) bool {
	if len(peer) == 0 {
		return false
	}
	in := func(all []read.Way, as int64) bool {
		return slices.ContainsFunc(all, func(w read.Way) bool { n, ok := asNumber(w.Value); return !ok || n == as })
	}
	if n, ok := asNumber(want); ok {
		return !in(peer, n)
	}
	first, ok := asNumber(peer[0].Value)
	if !ok || len(own) != 1 || len(peer) != 1 {
		return false
	}
	return want == "external" && in(own, first) && own[0].Value == peer[0].Value || want == "internal" && !in(own, first)
}

// asNumber reads the number of an AS: "65001", or with a dot (RFC 5396).
func asNumber(text string) (n int64, ok bool) {
	high, low, dotted := strings.Cut(text, ".")
	n, err := strconv.ParseInt(high, 10, 64)
	if !dotted || err != nil {
		return n, err == nil
	}
	m, err := strconv.ParseInt(low, 10, 64)
	return n<<16 + m, err == nil
}

// identity returns the router id of a switch: what it says last of it, or the address of its loopback.
func identity(says ending) (id read.Way) {
	for _, w := range slices.Concat(says[read.Loopback], says[read.RouterID]) {
		text, _, _ := strings.Cut(w.Value, "/")
		if a, err := netip.ParseAddr(text); err == nil && a.Is4() {
			id, id.Value = w, text
		}
	}
	return id
}
