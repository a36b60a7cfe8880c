package srlinux

import (
	"cmp"
	"strings"
	"sync"

	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/read"
)

// ways are the rows of read/ways/srlinux.txt.
var ways = sync.OnceValue(func() read.WayKinds { return read.Ways("srlinux") })

// neighbours notes whom BGP accepts, and neighbours of other systems that get or give no routes: those with neither a policy
// nor the word false at reject-all, which is true by default, and those whose policies accept nothing (Nokia, Routing
// Protocols Guide, "Applying a default policy to eBGP sessions"; srl_nokia-bgp, ebgp-default-policy).
func (r *reader) neighbours(l *read.Ledger, root *posjson.Node) {
	l.Policies.Tree(root.Get("routing-policy", "prefix-set"), root.Get("routing-policy", "policy"))
	instances := root.Get("network-instance")
	r.domains(l, root, instances)
	for i := range instances.Len() {
		in := &instances.Items[i]
		bgp, name := in.Get("protocols", "bgp"), in.Get("name").Word()
		dynamic := bgp.Get("dynamic-neighbors")
		if name != "mgmt" {
			name = "network-instance " + name + " protocols bgp "
			r.neighbour(l, root, bgp, bgp.Get("neighbor"), "peer-address", name)
			r.neighbour(l, root, bgp, dynamic.Get("interface"), "interface-name", name)
			r.neighbour(l, root, bgp, dynamic.Get("accept", "match"), "prefix", name)
		}
	}
}

// neighbour notes what a list says of neighbours.
func (r *reader) neighbour(l *read.Ledger, root, bgp, list *posjson.Node, by, text string) {
	for i := range list.Len() {
		n := &list.Items[i]
		key := n.Get(by).Word()
		port, _, _ := strings.Cut(key, ".")
		if by == "interface-name" {
			key = port
		}
		group := named(bgp.Get("group"), "group-name", n.Get("peer-group").Word())
		us := cmp.Or(n.Get("local-as", "as-number"), group.Get("local-as", "as-number"), bgp.Get("autonomous-system")).Word()
		peer := cmp.Or(n.Get("peer-as"), group.Get("peer-as")).Word()
		if allowed := n.Get("allowed-peer-as"); allowed.Len() == 1 {
			peer = allowed.Items[0].Text
		} else if allowed.Len() > 1 {
			peer = "any"
		}
		for _, kind := range [][2]string{{"export-policy", read.GivesBy}, {"import-policy", read.TakesBy}} {
			names := cmp.Or(n.Get(kind[0]), group.Get(kind[0]), bgp.Get(kind[0]))
			for i := range max(names.Len(), 1) {
				one := names
				if names.Len() > 0 {
					one = &names.Items[i]
				}
				if one != nil {
					l.Ends = append(l.Ends, read.Way{At: r.At(one), Text: text + kind[0], Why: kind[1], Bundle: key, Value: one.Text})
				}
			}
		}
		way := read.Way{At: r.At(n), Text: text + key, Why: read.PeerAS, Bundle: key, Value: cmp.Or(peer, "any")}
		if by != "peer-address" {
			l.Ends = append(l.Ends, way)
		}
		if by == "prefix" {
			way.Why, way.Value = read.Listens, key
			l.Ends = append(l.Ends, way)
			way.Bundle = ""
		}
		if us == "" || peer == "" || peer == us {
			continue
		}
		if without := closed(n, group, bgp, root); without != "" {
			way.Why, way.Text = read.WayRejected, way.Text+without
			if by == "interface-name" {
				way.Port = port
			}
			l.Ways = append(l.Ways, way)
		}
	}
}

// closed returns the words for a missing policy of a neighbour of another system, or for one that accepts nothing: " without
// export-policy", " import-policy". It returns none where the neighbour gets and gives routes.
func closed(n, group, bgp, root *posjson.Node) string {
	for _, key := range []string{"export-policy", "import-policy"} {
		open := bgp.Get("ebgp-default-policy", key[:len("export")]+"-reject-all").Word() == "false"
		names := cmp.Or(n.Get(key), group.Get(key), bgp.Get(key))
		switch {
		case names != nil:
			if names.Len() == 1 {
				names = &names.Items[0]
			}
			p := named(root.Get("routing-policy", "policy"), "name", names.Text) // of several any may accept
			if p != nil && !says(p, "accept") && (!open || says(p.Get("default-action"), "reject")) {
				return " " + key
			}
		case !open && !says(n, key) && !says(group, key) && !says(bgp.Get("afi-safi"), key):
			return " without " + key
		}
	}
	return ""
}

// says reports whether a word is below a node.
func says(n *posjson.Node, word string) bool {
	if n == nil {
		return false
	}
	for i := range n.Members {
		if m := &n.Members[i]; m.Key == word || says(&m.Value, word) {
			return true
		}
	}
	for i := range n.Items {
		if says(&n.Items[i], word) {
			return true
		}
	}
	return n.Text == word
}

// named returns the entry of a list that has a name at a key.
func named(list *posjson.Node, key, name string) *posjson.Node {
	for i := range list.Len() {
		if list.Items[i].Get(key).Word() == name {
			return &list.Items[i]
		}
	}
	return nil
}
