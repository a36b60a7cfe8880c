package sonic

import (
	"slices"
	"strings"
	"sync"

	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/read"
)

// ways are the rows of read/ways/sonic.txt.
var ways = sync.OnceValue(func() read.WayKinds { return read.Ways("sonic") })

// accountWays notes the fields of a table that lead packets elsewhere.
func (r *reader) accountWays(l *read.Ledger, root *posjson.Node, table *posjson.Member) {
	if ways()[table.Key] == nil && table.Key != "PREFIX" {
		return
	}
	for row := range table.Value.All() {
		words := append([]string{table.Key}, strings.Split(row.Key, "|")...)
		if table.Key == "PORTCHANNEL_MEMBER" && root.Get("PORTCHANNEL", words[1], "static").Word() == "true" {
			words = append(words, "static")
		}
		if table.Key == "BGP_GLOBALS" && row.Value.Get("local_asn") != nil && row.Value.Get("load_balance_mp_relax").Word() != "true" {
			l.Lead(ways(), append(words, "without", "load_balance_mp_relax"), r.doc.KeyAt(row))
		}
		if len(row.Value.Members) == 0 {
			l.Lead(ways(), words, r.doc.KeyAt(row))
		}
		if table.Key == schema.TablePort && row.Value.Get("lanes") != nil && row.Value.Get("admin_status") == nil {
			l.Lead(ways(), append(words, "without", "admin_status"), r.doc.KeyAt(row))
		}
		hash := hashOfRoCE(&row.Value)
		for f := range row.Value.All() {
			values := f.Value.Items
			if len(values) == 0 {
				values = []posjson.Node{f.Value}
			}
			ported := f.Key != hash
			for i := range values {
				ported = ported || values[i].Text == "L4_SRC_PORT" || values[i].Text == "RDMA_BTH_DEST_QP"
				l.Lead(ways(), slices.Concat(words, []string{f.Key, values[i].Text}), r.doc.KeyAt(f))
				policy(&l.Policies, words, f.Key, values[i].Text)
			}
			if !ported {
				l.Lead(ways(), append(words, "without", "L4_SRC_PORT"), r.doc.KeyAt(f))
			}
		}
	}
}

// hashOfRoCE returns the key of the hash by which packets of RoCEv2 choose among equal paths: that of their type goes before
// the one of all packets (sonic-mgmt, GH-packet-type-enhancement-test-plan.md, 2.1).
func hashOfRoCE(row *posjson.Node) string {
	for _, key := range []string{"ecmp_hash_ipv4_rdma", "ecmp_hash_ipv4"} {
		if row.Get(key) != nil {
			return key
		}
	}
	return "ecmp_hash"
}

// policy notes what a field of a route map or of a list of prefixes says (sonic-route-map, sonic-routing-policy-sets).
func policy(all *read.Policies, words []string, key, value string) {
	n := len(words)
	switch {
	case words[0] == "PREFIX" && n > 3 && key == "action":
		t := all.Policy("list "+words[1], read.Reject).Term(strings.Join(words[2:], " "))
		t.Within(words[n-2], words[n-1])
		t.Result = read.Decisions[value]
	case words[0] == "ROUTE_MAP" && n == 3:
		t := all.Policy(words[1], read.Reject).Term(words[2])
		switch {
		case key == "route_operation":
			t.Result = read.Decisions[value]
		case key == "match_prefix_set":
			t.Lists = append(t.Lists, "list "+value)
		case strings.HasPrefix(key, "set_"):
			p := all.Policy(words[1], read.Reject)
			p.Sets = p.Sets || !strings.HasPrefix(key, "set_community")
		default:
			t.Other = true
		}
	}
}
