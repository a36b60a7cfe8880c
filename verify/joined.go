package verify

import (
	"maps"
	"math/bits"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/read"
)

// apartFrom reports two ends of a link that do not find each other, though each of the files is sound.
func (v *Verifier) apartFrom(a, b *speaker, files map[string]diag.Range) (found diag.List) {
	for _, one := range a.port.of(read.Bundled) {
		for _, other := range b.port.of(read.Bundled) {
			if why := unbundled(one.Value, other.Value); why != "" {
				found.Errorf(LinkEndsDiffer, one.At, "%v is in a bundle of links with %s, and its peer %v in one with %s: %s", a, lacp[one.Value], b, lacp[other.Value], why).
					Fixf("set LACP to active at both ends").Notef(other.At, "the other end")
			}
		}
	}
	if one, other, why := unreached(a.port.of(read.Addressed), b.port.of(read.Addressed)); why != "" {
		found.Errorf(LinkEndsDiffer, one.At, "%v has the address %s, and its peer %v has %s: %s", a, addressOf(one), b, addressOf(other), why).
			Fixf("give the ends two addresses of one subnet").Notef(other.At, "the other end")
	}
	return slices.Concat(found, v.elsewhere(a, files), v.elsewhere(b, files))
}

var lacp = map[string]string{read.Active: "active LACP", read.Passive: "passive LACP", read.Static: "no LACP"}

// unbundled is why two bundles do not come up with each other (IEEE 802.1AX-2020, 6.4.1: of two systems that
// are passive neither begins).
func unbundled(a, b string) string {
	switch {
	case lacp[a] == "" || lacp[b] == "":
	case a == read.Passive && b == read.Passive:
		return "neither begins, so the bundle has no link"
	case (a == read.Static) != (b == read.Static):
		return "the end with LACP leaves the link out, and the other end still sends packets into it"
	}
	return ""
}

// unreached finds two ends that have addresses of one family, none of which the other end can reach.
func unreached(ours, theirs []*read.Way) (one, other *read.Way, why string) {
	for _, w := range ours {
		for _, peer := range theirs {
			a, errA := netip.ParsePrefix(addressOf(w))
			b, errB := netip.ParsePrefix(addressOf(peer))
			switch {
			case errA != nil || errB != nil || a.Addr().Is4() != b.Addr().Is4() || byItself(a, b):
			case a.Addr() == b.Addr():
				return w, peer, "both ends have one address, so no routing neighbours meet on the link"
			case a.Addr().Is4() && a.IsSingleIP() != b.IsSingleIP():
				one, other, why = w, peer, "the subnet of one end is its address alone, so it has no route to the other end"
			case a.Contains(b.Addr()) && b.Contains(a.Addr()):
				return one, other, ""
			default:
				one, other, why = w, peer, "neither is in the subnet of the other, so no routing neighbours meet on the link"
			}
		}
	}
	return one, other, why
}

// byItself reports whether an address says nothing of that of its neighbour: one that holds on the link alone, or those that
// ports without a subnet borrow. Of IPv6 one of them suffices, as ports have an address of the link too.
func byItself(a, b netip.Prefix) bool {
	return a.Addr().IsLinkLocalUnicast() || b.Addr().IsLinkLocalUnicast() || a.IsSingleIP() && b.IsSingleIP() || a.Addr().Is6() && (a.IsSingleIP() || b.IsSingleIP())
}

// elsewhere reports an end whose file names another switch of the fabric at the other end of the cable, or another
// port of that switch. The fabric may have other names than the files: a name that it does not have says nothing.
func (v *Verifier) elsewhere(own *speaker, files map[string]diag.Range) (found diag.List) {
	names, ports, peer := own.port.of(read.Neighbour), own.port.of(read.Opposite), own.peer
	report := func(w *read.Way, what string) {
		found.Errorf(LinkEndsDiffer, w.At, "by its file the neighbour of %v is %s, but by the cabling %v", own, what, peer).
			Fixf("correct the cable, the cabling of the fabric, or the file").Notef(files[peer.Switch], "the neighbour by the cabling")
	}
	if len(names) == 0 {
		return nil
	}
	host, _, _ := strings.Cut(names[0].Value, ".") // of host.domain
	switch is := func(device string) bool { return strings.EqualFold(host, device) }; {
	case !is(peer.Switch):
		if slices.ContainsFunc(slices.Collect(maps.Keys(v.planned)), is) {
			report(names[0], names[0].Value)
		}
	case len(ports) > 0 && ports[0].Value != peer.Port && v.has(peer.Switch, ports[0].Value):
		report(ports[0], names[0].Value+" "+ports[0].Value)
	}
	return found
}

// has reports whether a switch of the fabric has a port of that name.
func (v *Verifier) has(device, port string) bool {
	sw := v.planned[device]
	return sw != nil && v.ports[sw][port]
}

// portsOf returns the port that a statement is about, and the members of the bundle that it is about.
func (s *Switch) portsOf(w *read.Way) (ports []string, members int) {
	ports = []string{w.Port}
	for i := range s.shape.Ledger.Ends {
		if e := &s.shape.Ledger.Ends[i]; e.Why == read.Bundled && e.Bundle != "" && (e.Bundle == w.Port || strings.HasSuffix(strings.ToLower(w.Port), "channel"+e.Bundle)) {
			ports = append(ports, e.Port)
		}
	}
	return ports, len(ports) - 1
}

// enough reports whether a bundle has as many members as it demands.
func enough(w *read.Way, members int) bool {
	if w.Why != read.WayFew {
		return false
	}
	least, err := strconv.Atoi(w.Value)
	return err == nil && members >= least
}

// split reports cages that a file splits into another number of parts than the fabric. Without a speed in the file,
// parts share that of the cage (Cumulus Linux 5.14, Switch Port Attributes, Breakout Ports).
func (v *Verifier) split(s *Switch) (found diag.List) {
	for i := range s.shape.Ledger.Ends {
		w := &s.shape.Ledger.Ends[i]
		if w.Why != read.Split {
			continue
		}
		number, rest, ok := strings.Cut(w.Value, "x")
		n, err := strconv.Atoi(number)
		if !ok || err != nil || rest != "" {
			continue // with a speed, it is compared
		}
		for _, name := range s.Names {
			parts := 0
			if sw := v.planned[name]; sw != nil {
				for i := range sw.Ports {
					if part, ok := strings.CutPrefix(sw.Ports[i].Name, w.Port+"s"); ok {
						last, err := strconv.Atoi(part)
						parts = max(parts, last+1, map[bool]int{true: 2}[err == nil])
					}
				}
			}
			if parts > 0 && n != 1<<bits.Len(uint(parts-1)) {
				found.Errorf(lint.FabricPortDiffers, w.At, "the file splits %s %s into %d parts, but the fabric into %d: the parts have another speed", name, w.Port, n, parts).
					Fixf("split the port as the fabric does")
				break
			}
		}
	}
	return found
}
