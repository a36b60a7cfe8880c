package verify

import (
	"cmp"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// sessions reports two ends of a link whose BGP speakers find no session: one expects another AS (RFC 4271, 6.2: Bad Peer
// AS), both have one identifier (Bad BGP Identifier), one has a password (RFC 2385, 2: segments without it are dropped), or
// only one has the other as its neighbour.
func sessions(a, b *speaker, files map[string]diag.Range) (found diag.List) {
	for _, ends := range [][2]*speaker{{a, b}, {b, a}} {
		own, peer := ends[0], ends[1]
		for _, key := range own.keys {
			back := peer.keyFor(own, key)
			w := own.of(key, read.PeerAS)
			found = append(found, expects(own, peer, key, back)...)
			if !slices.Contains(peer.keys, back) {
				found = append(found, expects(peer, own, back, key)...) // a range of neighbours
			}
			if group := own.of(key, read.PeerIn); w != nil && group != nil {
				kind := own.of(group.Value, read.PeerAS)
				if n, number := asNumber(w.Value); number && kind != nil && kind.Value == "internal" && refused(w.Value, nil, own.in(key)) {
					found.Errorf(LinkEndsDiffer, w.At, "%v has the AS %d for a neighbour that is in a group of its own AS: no session comes up, so the link carries no routes", own, n).
						Fixf("give the neighbour a group of type external").Notef(kind.At, "the group")
				}
			}
			if w := own.of(key, read.Secured); w != nil && back != "" {
				if peer.of(back, read.Secured) == nil {
					found.Errorf(LinkEndsDiffer, w.At, "%v %s, and its neighbour %v has none: no session comes up, so the link carries no routes", own, read.Secured, peer).
						Fixf("set the same password at both ends").Notef(peer.at(back, files), "the other end")
				}
			}
			found = append(found, own.unanswered(peer, key, back, files)...)
			found = append(found, own.misplaced(peer, key, back, files)...)
			if a, err := netip.ParseAddr(key); err == nil && !peer.has(a) && len(peer.device[read.Addressed]) > 0 {
				found.Errorf(LinkEndsDiffer, own.at(key, files), "%v has the neighbour %s, and %v does not have that address: no session comes up, so the link carries no routes", own, key, peer).
					Fixf("give the other end the address, or the neighbour that of the other end").Notef(peer.at("", files), "the other end")
			} else if back == "" && peer.routes() {
				found.Errorf(LinkEndsDiffer, own.at(key, files), "%v has the neighbour %s, but %v has no neighbour at the address that the session would come from: no session comes up, so the link carries no routes", own, key, peer).
					Fixf("give each end the address of the other as its neighbour").Notef(peer.at("", files), "the other end")
			}
		}
	}
	one, other := identity(a.device), identity(b.device)
	if one.Value != "" && one.Value == other.Value {
		found.Errorf(LinkEndsDiffer, one.At, "%s and its neighbour %s have one router id, %s: they accept no routes of each other", a.Switch, b.Switch, one.Value).
			Fixf("give each switch a router id of its own").Notef(other.At, "the other one")
	}
	return found
}

// unanswered reports a neighbour that waits as the speaker does, that is not watched at its end, or whose routes the speaker does not
// take: those of a neighbour without an address have a next hop of IPv6 (RFC 8950).
func (own *speaker) unanswered(peer *speaker, key, back string, files map[string]diag.Range) (found diag.List) {
	if len(own.device[read.Waits])+len(own.device[read.Watches])+len(own.device[read.Unbound])+len(own.port[read.Unbound]) == 0 {
		return nil
	}
	if w, other := own.of(key, read.Waits), peer.of(back, read.Waits); w != nil && other != nil {
		found.Errorf(LinkEndsDiffer, w.At, "%v %s, and so does its neighbour %v: no session comes up, so the link carries no routes", own, read.Waits, peer).
			Fixf("let one end begin").Notef(other.At, "the other end")
	}
	on := func(w *read.Way) bool {
		return w != nil && !slices.Contains([]string{"off", "false", "disabled"}, w.Value)
	}
	if w := own.of(key, read.Watches); on(w) && back != "" && !on(peer.of(back, read.Watches)) {
		found.Warnf(LinkEndsDiffer, w.At, "%v %s, and its neighbour %v does not: no session of BFD comes up, so packets are lost for as long as BGP does not notice a failure", own, read.Watches, peer).
			Fixf("set the same at both ends").Notef(peer.at(back, files), "the other end")
	}
	if w := cmp.Or(own.of(key, read.Unbound), first(own.port[read.Unbound])); w != nil && key == own.Port {
		found.Errorf(LinkEndsDiffer, w.At, "%v %s, and its neighbour %v has no other: the link carries no routes", own, read.Unbound, peer).
			Fixf("take next hops with addresses of IPv6 there").Notef(peer.at(back, files), "the other end")
	}
	return found
}

// misplaced reports a session that is sent from an address of another port, or of none: bgpcfgd of SONiC waits until an
// interface has it (sonic-bgpcfgd, managers_bgp.py), and other systems send from it what the neighbour takes for another session;
// and BFD that a neighbour is to be watched by, and that is not on at the port, or that is on there without one.
func (own *speaker) misplaced(peer *speaker, key, back string, files map[string]diag.Range) (found diag.List) {
	near := func() bool {
		a, err := netip.ParseAddr(key)
		return err == nil && slices.ContainsFunc(own.addresses, func(p netip.Prefix) bool { return p.Contains(a) })
	}
	if w := own.of(key, read.Source); w != nil && len(own.addresses) > 0 {
		if a, err := netip.ParseAddr(w.Value); err == nil && !own.has(a) && near() &&
			!slices.ContainsFunc(prefixes(own.device[read.Loopback]), func(p netip.Prefix) bool { return p.Addr() == a }) {
			found.Errorf(LinkEndsDiffer, w.At, "%v has a session with %s from %s, which is not an address of this port: no session comes up on the link, or another one", own, key, w.Value).
				Fixf("send it from the address of the port").Notef(peer.at(back, files), "the other end")
		}
	}
	if len(own.device[read.Probes]) == 0 {
		return found
	}
	on := func(w *read.Way) bool { return w != nil && w.Value != "false" && w.Value != "disable" }
	w, here := own.of(key, read.Watches), first(own.port[read.Probes])
	switch {
	case on(w) && !on(here):
		found.Warnf(LinkEndsDiffer, w.At, "%v %s, and BFD is not on at the port: no session of BFD comes up, so packets are lost for as long as BGP does not notice a failure", own, read.Watches).
			Fixf("turn on BFD at the subinterface").Notef(peer.at(back, files), "the other end")
	case on(here) && !on(w):
		found.Warnf(LinkEndsDiffer, here.At, "BFD is on at %v, and no neighbour of BGP behind it uses it: a failure is noticed only when BGP does", own).
			Fixf("let the neighbour be watched by BFD, or turn it off").Notef(peer.at(back, files), "the other end")
	}
	return found
}

func first(all []*read.Way) *read.Way {
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

// expects reports a speaker that expects another AS than its neighbour is in.
func expects(own, peer *speaker, key, back string) (found diag.List) {
	is := peer.in(back)
	if w := own.of(key, read.PeerAS); w != nil && refused(w.Value, own.in(key), is) {
		found.Errorf(LinkEndsDiffer, w.At, "%v expects the AS %s of its neighbour, and %v is in AS %s: no session comes up, so the link carries no routes", own, w.Value, peer, is[0].Value).
			Fixf("give the neighbour the AS that it is in").Notef(is[0].At, "the AS of the neighbour")
	}
	return found
}

// A speaker is a BGP speaker at one end of a link.
type speaker struct {
	plan.LinkEnd
	device, port ending
	addresses    []netip.Prefix // of the port
	keys         []string       // of its neighbours behind the port: addresses, the port, or the group of a range
	all          map[plan.LinkEnd]ending
	peers        *sessionPeers
}

func (s *speaker) String() string { return s.Switch + " " + s.Port }

// speakersOf returns the speakers at the ends of all links.
func speakersOf(p *plan.Plan, says map[plan.LinkEnd]ending) map[plan.LinkEnd]*speaker {
	all, devices := make(map[plan.LinkEnd]*speaker, 2*len(p.Links)), map[string]*sessionPeers{}
	for _, link := range p.Links {
		for _, ends := range [][2]plan.LinkEnd{{link.A, link.B}, {link.B, link.A}} {
			s := &speaker{LinkEnd: ends[0], device: says[plan.LinkEnd{Switch: ends[0].Switch}], port: says[ends[0]], all: says}
			if s.peers = devices[s.Switch]; s.peers == nil {
				s.peers = peersOf(s.device)
				devices[s.Switch] = s.peers
			}
			s.addresses = prefixes(s.port[read.Addressed])
			s.keys = s.peers.behind(s.Port, s.addresses, prefixes(says[ends[1]][read.Addressed]))
			all[ends[0]] = s
		}
	}
	return all
}

// sessionPeers are the BGP neighbours of a device by their keys, in the order of its file.
type sessionPeers struct {
	keys    []string
	at      map[string]int
	addrs   map[netip.Addr]int
	callers []caller
	single  map[netip.Addr]int // the first caller with an address
	others  []int              // callers that have none
	said    map[aboutPeer]*read.Way
	// policies of routes, which apply one after another
	policies map[aboutPeer][]*read.Way
}

// An aboutPeer is a kind of statement on the neighbour of a key.
type aboutPeer struct{ why, key string }

// A caller is a neighbour, or a range of them, whose sessions a device takes.
type caller struct {
	*read.Way
	from  netip.Prefix
	known bool
}

func peersOf(device ending) *sessionPeers {
	n := &sessionPeers{at: map[string]int{}, addrs: map[netip.Addr]int{}, single: map[netip.Addr]int{}, said: map[aboutPeer]*read.Way{}, policies: map[aboutPeer][]*read.Way{}}
	for _, why := range []string{read.PeerAS, read.PeerIn, read.LocalAS, read.Secured, read.Source, read.Waits, read.Watches, read.Unbound} {
		list := device[why]
		for i := range list {
			if key := (aboutPeer{why, list[i].Bundle}); n.said[key] == nil && key.key != "" {
				n.said[key] = list[i]
			}
		}
	}
	for _, why := range []string{read.TakesBy, read.GivesBy} {
		for _, w := range device[why] {
			key := aboutPeer{why, w.Bundle}
			n.policies[key] = append(n.policies[key], w)
		}
	}
	for _, list := range [][]*read.Way{device[read.PeerAS], device[read.PeerIn], device[read.Listens]} {
		for _, w := range list {
			c := callerOf(w)
			if _, known := n.single[c.from.Addr()]; !c.known || !c.from.IsSingleIP() {
				n.others = append(n.others, len(n.callers))
			} else if !known {
				n.single[c.from.Addr()] = len(n.callers)
			}
			n.callers = append(n.callers, c)
			if _, known := n.at[w.Bundle]; known || w.Why == read.Listens {
				continue
			}
			n.at[w.Bundle] = len(n.keys)
			if a, err := netip.ParseAddr(w.Bundle); err == nil {
				n.addrs[a] = len(n.keys)
			}
			n.keys = append(n.keys, w.Bundle)
		}
	}
	return n
}

func callerOf(w *read.Way) caller {
	at := w.Bundle
	if w.Why == read.Listens {
		at = w.Value
	}
	if a, err := netip.ParseAddr(at); err == nil {
		return caller{w, netip.PrefixFrom(a, a.BitLen()), true}
	}
	p, err := netip.ParsePrefix(at)
	return caller{w, p, err == nil}
}

// behind returns the keys of neighbours behind a port: the port, an address of the other end, or one in a subnet of the port.
func (n *sessionPeers) behind(port string, own, theirs []netip.Prefix) (keys []string) {
	var found []int
	if i, ok := n.at[port]; ok {
		found = append(found, i)
	}
	for _, p := range theirs {
		if i, ok := n.addrs[p.Addr()]; ok {
			found = append(found, i)
		}
	}
	for _, p := range own {
		found = n.within(p, found)
	}
	slices.Sort(found)
	for _, i := range slices.Compact(found) {
		keys = append(keys, n.keys[i])
	}
	return keys
}

// within adds the neighbours with another address in a subnet. Subnets of links between switches have a few addresses, and
// those are looked up.
func (n *sessionPeers) within(p netip.Prefix, found []int) []int {
	if few := p.Addr().BitLen() - p.Bits(); few <= 3 {
		for a, left := p.Masked().Addr(), 1<<few; left > 0; a, left = a.Next(), left-1 {
			if i, ok := n.addrs[a]; ok && a != p.Addr() {
				found = append(found, i)
			}
		}
		return found
	}
	for a, i := range n.addrs {
		if a != p.Addr() && p.Contains(a) {
			found = append(found, i)
		}
	}
	return found
}

// of finds what is said of a neighbour, or of the group that it is in.
//
//go:noinline
func (s *speaker) of(key, why string) *read.Way {
	return s.peers.inherited(key, func(key string) *read.Way { return s.peers.said[aboutPeer{why, key}] })
}

// inherited returns the first statement that is found for a neighbour, its group, or those that this one inherits from: a
// neighbour of NX-OS has a template of a peer, which can have one of sessions, which can have another.
func (n *sessionPeers) inherited(key string, find func(key string) *read.Way) *read.Way {
	for range 4 {
		if w := find(key); w != nil {
			return w
		}
		in := n.said[aboutPeer{read.PeerIn, key}]
		if in == nil {
			break
		}
		key = in.Value
	}
	return nil
}

// in returns the AS that a neighbour sees the speaker in.
func (s *speaker) in(key string) []*read.Way {
	if w := s.of(key, read.LocalAS); w != nil {
		return []*read.Way{w}
	}
	return s.device[read.OwnAS]
}

// keyFor returns the key that a speaker has for one that calls it key; empty: it has none.
func (s *speaker) keyFor(peer *speaker, key string) string {
	from := peer.addresses
	if w := peer.of(key, read.Source); w != nil {
		from = peer.source(w.Value)
	}
	from = stable.Delete(slices.Clone(from), func(p netip.Prefix) bool {
		a, err := netip.ParseAddr(key)
		return err == nil && a.Is4() != p.Addr().Is4()
	})
	if s.peers.said[aboutPeer{read.PeerAS, s.Port}] != nil {
		return s.Port
	}
	if len(from) > 0 {
		return s.peers.taking(from, s.Port)
	}
	for _, w := range s.peers.callers {
		if w.Why == read.Listens || w.Bundle == s.Port || key != peer.Port && w.known { // from an address that is not in the file
			return cmp.Or(w.Bundle, "a range")
		}
	}
	return ""
}

// taking returns the key of the first caller of some addresses, or of any at the port; empty: there is none.
func (n *sessionPeers) taking(from []netip.Prefix, port string) string {
	first := len(n.callers)
	for _, f := range from {
		if i, ok := n.single[f.Addr()]; ok {
			first = min(first, i)
		}
	}
	for _, i := range n.others {
		w := n.callers[i]
		if i < first && (w.known && slices.ContainsFunc(from, func(f netip.Prefix) bool { return w.from.Contains(f.Addr()) }) || !w.known && (w.Why == read.Listens || w.Bundle == port)) {
			first = i
		}
	}
	if first == len(n.callers) {
		return ""
	}
	return cmp.Or(n.callers[first].Bundle, "a range")
}

// source returns the addresses that a session is sent from: an address, or those of a port.
func (s *speaker) source(from string) []netip.Prefix {
	if a, err := netip.ParseAddr(from); err == nil {
		return []netip.Prefix{netip.PrefixFrom(a, a.BitLen())}
	}
	own := prefixes(s.all[plan.LinkEnd{Switch: s.Switch, Port: from}][read.Addressed])
	if strings.HasPrefix(strings.ToLower(from), "lo") {
		own = append(own, prefixes(s.device[read.Loopback])...)
	}
	return own
}

// routes reports whether the file of a speaker has neighbours, so that one that is not there is missing.
func (s *speaker) routes() bool {
	return len(s.device[read.PeerAS])+len(s.device[read.PeerIn])+len(s.addresses) > 0
}

// has reports whether the port has an address.
func (s *speaker) has(a netip.Addr) bool {
	return slices.ContainsFunc(s.addresses, func(p netip.Prefix) bool { return p.Addr() == a })
}

// at returns the line of a neighbour, or that of the AS, or the file.
func (s *speaker) at(key string, files map[string]diag.Range) diag.Range {
	for _, why := range []string{read.PeerAS, read.PeerIn} {
		if w := s.of(key, why); w != nil {
			return w.At
		}
	}
	if as := s.device[read.OwnAS]; len(as) > 0 {
		return as[0].At
	}
	return files[s.Switch]
}

// prefixes returns the addresses of a port. OpenConfig has the length of the prefix as the value, and its address as the key.
func prefixes(all []*read.Way) (own []netip.Prefix) {
	for _, w := range all {
		if p, err := netip.ParsePrefix(addressOf(w)); err == nil {
			own = append(own, p)
		}
	}
	return own
}

func addressOf(w *read.Way) string {
	if w.Bundle != "" {
		return w.Bundle + "/" + w.Value
	}
	return w.Value
}

// refused reports whether a neighbour is in no AS that is expected. A switch may have several.
func refused(want string, own, peer []*read.Way) bool {
	if len(peer) == 0 {
		return false
	}
	in := func(all []*read.Way, as int64) bool {
		return slices.ContainsFunc(all, func(w *read.Way) bool { n, ok := asNumber(w.Value); return !ok || n == as })
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
	for _, w := range slices.Concat(says[read.Loopback][:min(1, len(says[read.Loopback]))], says[read.RouterID]) {
		text, _, _ := strings.Cut(w.Value, "/")
		if a, err := netip.ParseAddr(text); err == nil && a.Is4() {
			id = *w
			id.Value = text
		}
	}
	return id
}
