package verify

import (
	"cmp"
	"iter"
	"math"
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
			if w := own.of(key, read.Secured); w != nil && back != "" && peer.of(back, read.Secured) == nil {
				found.Errorf(LinkEndsDiffer, w.At, "%v %s, and its neighbour %v has none: no session comes up, so the link carries no routes", own, read.Secured, peer).
					Fixf("set the same password at both ends").Notef(peer.at(back, files), "the other end")
			}
			if w := own.of(key, read.Guarded); w != nil && back != "" && peer.of(back, read.Guarded) == nil {
				found.Errorf(LinkEndsDiffer, w.At, "%v %s, and its neighbour %v does not send as this demands: no session comes up, so the link carries no routes", own, read.Guarded, peer).
					Fixf("set the same at both ends").Notef(peer.at(back, files), "the other end")
			}
			found = append(found, own.unanswered(peer, key, back, files)...)
			found = append(found, own.misplaced(peer, key, back, files)...)
			if a, err := netip.ParseAddr(key); err == nil && !peer.has(a) && len(peer.device.of(read.Addressed)) > 0 {
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
	if len(own.device.of(read.Waits))+len(own.device.of(read.Watches))+len(own.device.of(read.Unbound))+len(own.port.of(read.Unbound)) == 0 {
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
	if w := cmp.Or(own.of(key, read.Unbound), first(own.port.of(read.Unbound))); w != nil && key == own.Port {
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
			!slices.ContainsFunc(prefixes(own.device.of(read.Loopback)), func(p netip.Prefix) bool { return p.Addr() == a }) {
			found.Errorf(LinkEndsDiffer, w.At, "%v has a session with %s from %s, which is not an address of this port: no session comes up on the link, or another one", own, key, w.Value).
				Fixf("send it from the address of the port").Notef(peer.at(back, files), "the other end")
		}
	}
	if len(own.device.of(read.Probes)) == 0 {
		return found
	}
	on := func(w *read.Way) bool { return w != nil && w.Value != "false" && w.Value != "disable" }
	w, here := own.of(key, read.Watches), first(own.port.of(read.Probes))
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
	peer         *speaker // at the other end
	device, port *ending
	addresses    []netip.Prefix // of the port
	keys         []string       // of its neighbours behind the port: addresses, the port, or the group of a range
	all          map[plan.LinkEnd]*ending
	peers        *sessionPeers
}

func (s *speaker) String() string { return s.Switch + " " + s.Port }

// speakersOf returns the speakers at the ends A and B of each link, one after the other.
func speakersOf(p *plan.Plan, says map[plan.LinkEnd]*ending) []speaker {
	all, devices := make([]speaker, 2*len(p.Links)), map[string]*sessionPeers{}
	for i, link := range p.Links {
		for k, end := range []plan.LinkEnd{link.A, link.B} {
			s := &all[2*i+k]
			*s = speaker{LinkEnd: end, peer: &all[2*i+1-k], device: says[plan.LinkEnd{Switch: end.Switch}], port: says[end], all: says, peers: devices[end.Switch]}
			if s.peers == nil {
				s.peers = peersOf(s.device)
				devices[end.Switch] = s.peers
			}
			s.addresses = prefixes(s.port.of(read.Addressed))
		}
	}
	for i := range all {
		all[i].keys = all[i].peers.behind(all[i].Port, all[i].addresses, all[i].peer.addresses)
	}
	return all
}

// sessionPeers are the BGP neighbours of a device, and the groups that they are in.
type sessionPeers struct {
	all        []sessionPeer // neighbours first, in the order of the file
	neighbours int
	at         map[string]int32     // by key
	addresses  map[netip.Addr]int32 // of neighbours
	others     []caller
}

// A sessionPeer is what a device says of a neighbour, or of a group: the first statement of each kind, and all policies of routes,
// which apply one after another.
type sessionPeer struct {
	key  string
	said []*read.Way
}

func (p *sessionPeer) first(why string) *read.Way {
	if p != nil {
		for _, w := range p.said {
			if w.Why == why {
				return w
			}
		}
	}
	return nil
}

func (p *sessionPeer) all(why string) (found []*read.Way) {
	if p != nil {
		for _, w := range p.said {
			if w.Why == why {
				found = append(found, w)
			}
		}
	}
	return found
}

// A caller is a neighbour without an address, or a range of neighbours, whose sessions a device takes.
type caller struct {
	*read.Way
	at    int // its place among the neighbours, behind which ranges are
	from  netip.Prefix
	known bool
}

func peersOf(device *ending) *sessionPeers {
	n := &sessionPeers{at: map[string]int32{}, addresses: map[netip.Addr]int32{}}
	for _, list := range [][]*read.Way{device.of(read.PeerAS), device.of(read.PeerIn)} {
		for _, w := range list {
			before := len(n.all)
			if n.note(w); len(n.all) == before {
				continue
			}
			if a, err := netip.ParseAddr(w.Bundle); err != nil {
				n.others = append(n.others, callerOf(w, w.Bundle, before))
			} else if _, known := n.addresses[a]; !known {
				n.addresses[a] = int32(before)
			}
		}
	}
	n.neighbours = len(n.all)
	for i, w := range device.of(read.Listens) {
		n.others = append(n.others, callerOf(w, w.Value, n.neighbours+i))
	}
	for _, why := range []string{read.LocalAS, read.Secured, read.Guarded, read.Source, read.Waits, read.Watches, read.Unbound, read.TakesBy, read.GivesBy} {
		for _, w := range device.of(why) {
			n.note(w)
		}
	}
	n.all = slices.Clone(n.all) // without room for more
	return n
}

// note adds a statement to what is said of its neighbour or group.
func (n *sessionPeers) note(w *read.Way) {
	i, known := n.at[w.Bundle]
	if !known {
		i = int32(len(n.all))
		n.at[w.Bundle], n.all = i, append(n.all, sessionPeer{key: w.Bundle})
	}
	policy := w.Why == read.TakesBy || w.Why == read.GivesBy
	if p := &n.all[i]; policy || w.Bundle != "" && p.first(w.Why) == nil {
		p.said = append(p.said, w)
	}
}

func callerOf(w *read.Way, from string, at int) caller {
	if a, err := netip.ParseAddr(from); err == nil {
		return caller{w, at, netip.PrefixFrom(a, a.BitLen()), true}
	}
	p, err := netip.ParsePrefix(from)
	return caller{w, at, p, err == nil}
}

// behind returns the keys of neighbours behind a port: the port, an address of the other end, or one in a subnet of the port.
func (n *sessionPeers) behind(port string, own, theirs []netip.Prefix) (keys []string) {
	var found []int32
	if i, ok := n.at[port]; ok && int(i) < n.neighbours {
		found = append(found, i)
	}
	for _, p := range theirs {
		if i, ok := n.addresses[p.Addr()]; ok {
			found = append(found, i)
		}
	}
	for _, p := range own {
		found = n.within(p, found)
	}
	slices.Sort(found)
	for _, i := range slices.Compact(found) {
		keys = append(keys, n.all[i].key)
	}
	return keys
}

// within adds the neighbours with another address in a subnet. Subnets of links between switches have a few addresses, and
// those are looked up.
func (n *sessionPeers) within(p netip.Prefix, found []int32) []int32 {
	if few := p.Addr().BitLen() - p.Bits(); few <= 3 {
		for a, left := p.Masked().Addr(), 1<<few; left > 0; a, left = a.Next(), left-1 {
			if i, ok := n.addresses[a]; ok && a != p.Addr() {
				found = append(found, i)
			}
		}
		return found
	}
	for a, i := range n.addresses {
		if a != p.Addr() && p.Contains(a) {
			found = append(found, i)
		}
	}
	return found
}

// of finds what is said of a neighbour, or of the group that it is in.
func (s *speaker) of(key, why string) *read.Way {
	for _, p := range s.peers.inherited(key) {
		if w := p.first(why); w != nil {
			return w
		}
	}
	return nil
}

// inherited returns a neighbour, its group, and those that this one inherits from, by their keys: a neighbour of NX-OS has a
// template of a peer, which can have one of sessions, which can have another.
func (n *sessionPeers) inherited(key string) iter.Seq2[string, *sessionPeer] {
	return func(yield func(string, *sessionPeer) bool) {
		for range 4 {
			var p *sessionPeer
			if i, ok := n.at[key]; ok {
				p = &n.all[i]
			}
			in := p.first(read.PeerIn)
			if !yield(key, p) || in == nil {
				return
			}
			key = in.Value
		}
	}
}

// in returns the AS that a neighbour sees the speaker in.
func (s *speaker) in(key string) []*read.Way {
	if w := s.of(key, read.LocalAS); w != nil {
		return []*read.Way{w}
	}
	return s.device.of(read.OwnAS)
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
	if i, ok := s.peers.at[s.Port]; ok && s.peers.all[i].first(read.PeerAS) != nil {
		return s.Port
	}
	if len(from) > 0 {
		return s.peers.taking(from, s.Port)
	}
	// From an address that is not in the file.
	for _, p := range s.peers.all[:s.peers.neighbours] {
		if p.key == s.Port || key != peer.Port && isAddress(p.key) {
			return cmp.Or(p.key, "a range")
		}
	}
	if w := first(s.device.of(read.Listens)); w != nil {
		return cmp.Or(w.Bundle, "a range")
	}
	return ""
}

// isAddress reports whether the key of a neighbour is an address or a range of them.
func isAddress(key string) bool {
	_, err := netip.ParseAddr(key)
	if err != nil {
		_, err = netip.ParsePrefix(key)
	}
	return err == nil
}

// taking returns the key of the first caller of some addresses, or of any at the port; empty: there is none.
func (n *sessionPeers) taking(from []netip.Prefix, port string) string {
	at, key := math.MaxInt, ""
	for _, f := range from {
		if i, ok := n.addresses[f.Addr()]; ok && int(i) < at {
			at, key = int(i), n.all[i].key
		}
	}
	for _, w := range n.others {
		if w.at < at && (w.known && slices.ContainsFunc(from, func(f netip.Prefix) bool { return w.from.Contains(f.Addr()) }) || !w.known && (w.Why == read.Listens || w.Bundle == port)) {
			at, key = w.at, cmp.Or(w.Bundle, "a range")
		}
	}
	return key
}

// source returns the addresses that a session is sent from: an address, or those of a port.
func (s *speaker) source(from string) []netip.Prefix {
	if a, err := netip.ParseAddr(from); err == nil {
		return []netip.Prefix{netip.PrefixFrom(a, a.BitLen())}
	}
	own := prefixes(s.all[plan.LinkEnd{Switch: s.Switch, Port: from}].of(read.Addressed))
	if strings.HasPrefix(strings.ToLower(from), "lo") {
		own = append(own, prefixes(s.device.of(read.Loopback))...)
	}
	return own
}

// routes reports whether the file of a speaker has neighbours, so that one that is not there is missing.
func (s *speaker) routes() bool {
	return len(s.device.of(read.PeerAS))+len(s.device.of(read.PeerIn))+len(s.addresses) > 0
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
	if as := s.device.of(read.OwnAS); len(as) > 0 {
		return as[0].At
	}
	return files[s.Switch]
}

// prefixes returns the addresses of a port. OpenConfig has the length of the prefix as the value, and its address as the key.
func prefixes(all []*read.Way) (own []netip.Prefix) {
	for _, w := range all {
		if p, err := netip.ParsePrefix(addressOf(w)); err == nil && !slices.Contains(own, p) {
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
func identity(says *ending) (id read.Way) {
	for _, w := range slices.Concat(says.of(read.Loopback)[:min(1, len(says.of(read.Loopback)))], says.of(read.RouterID)) {
		text, _, _ := strings.Cut(w.Value, "/")
		if a, err := netip.ParseAddr(text); err == nil && a.Is4() {
			id = *w
			id.Value = text
		}
	}
	return id
}
