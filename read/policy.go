package read

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/internal/posjson"
)

// Policies are those of a file by their names. The name of a list of prefixes has "list " before it.
type Policies map[string]*Policy

// A Policy accepts or rejects routes by the first of its terms that fits and decides.
type Policy struct {
	Terms   []*Term
	Default Decision // where none decides
	Sets    bool     // other attributes of routes than communities
}

// A Term is a part of a policy. What it does not name it does not ask for.
type Term struct {
	Name   string // a number where the terms are numbered
	Result Decision
	Ranges []Range
	Lists  []string // of prefixes: one of them, or of the ranges, has to have the prefix
	Loose  bool     // the lists have longer prefixes too
	From   []string // protocols, of which Direct and BGPRoutes have these names in all systems
	Other  bool     // a condition that is not modelled
}

// A Range is the prefixes within one whose lengths are between two bounds.
type Range struct {
	Prefix      netip.Prefix
	Least, Most int
}

// A Decision is what becomes of a route.
type Decision uint8

const (
	Next Decision = iota
	Accept
	Reject
	Unsure // it depends on what is not modelled
)

// The protocols that routes to hosts are of: where the hosts are, and elsewhere.
const (
	Direct    = "direct"
	BGPRoutes = "bgp"
)

// Decisions are what systems call them.
var Decisions = map[string]Decision{"permit": Accept, "accept": Accept, "ACCEPT_ROUTE": Accept, "deny": Reject, "reject": Reject, "REJECT_ROUTE": Reject}

// Policy returns the policy of a name, which is new if there was none.
//
//go:noinline
func (all *Policies) Policy(name string, otherwise Decision) *Policy {
	if *all == nil {
		*all = Policies{}
	}
	p := (*all)[name]
	if p == nil {
		p = &Policy{Default: otherwise}
		(*all)[name] = p
	}
	return p
}

// Term returns the term of a name, which is the last one if there was none. Devices print numbered terms in their order.
//
//go:noinline
func (p *Policy) Term(name string) *Term {
	for i := len(p.Terms) - 1; i >= 0; i-- {
		if p.Terms[i].Name == name {
			return p.Terms[i]
		}
	}
	t := &Term{Name: name}
	p.Terms = append(p.Terms, t)
	return t
}

// Within adds the prefixes within one that have some lengths; a text that is none makes the term unsure. Lengths are "24..32",
// or that of the prefix itself.
//
//go:noinline
func (t *Term) Within(prefix, lengths string) {
	p, err := netip.ParsePrefix(prefix)
	t.Other = t.Other || err != nil
	r := Range{p, p.Bits(), p.Bits()}
	if low, high, ok := strings.Cut(lengths, ".."); ok {
		r.Least, _ = strconv.Atoi(low)
		r.Most, _ = strconv.Atoi(high)
	}
	t.Ranges = append(t.Ranges, r)
}

// Lead notes a line of "ip prefix-list" or "route-map", as running-configs have them.
func (all *Policies) Lead(words []string) {
	switch {
	case len(words) > 3 && words[0] == "ip" && words[1] == "prefix-list":
		rest, name := words[3:], ""
		if rest[0] == "seq" && len(rest) > 3 {
			name, rest = rest[1], rest[2:]
		}
		if result := Decisions[rest[0]]; result != Next && len(rest) > 1 {
			t := all.Policy("list "+words[2], Reject).Term(name + " " + rest[1])
			t.Result = result
			t.Within(rest[1], "")
			own := &t.Ranges[len(t.Ranges)-1]
			for bounds := rest[2:]; len(bounds) > 1; bounds = bounds[2:] {
				n, _ := strconv.Atoi(bounds[1])
				switch bounds[0] {
				case "eq":
					own.Least, own.Most = n, n
				case "ge":
					own.Least, own.Most = n, max(n, 32)
				case "le":
					own.Most = n
				default:
					t.Other = true
				}
			}
		}
	case len(words) > 3 && words[0] == "route-map":
		t := all.Policy(words[1], Reject).Term(words[3])
		t.Result = Decisions[words[2]]
		if rest := words[4:]; len(rest) > 4 && slices.Equal(rest[:4], []string{"match", "ip", "address", "prefix-list"}) {
			for _, name := range rest[4:] {
				t.Lists = append(t.Lists, "list "+name)
			}
		} else if len(rest) > 1 && rest[0] == "set" {
			all.Policy(words[1], Reject).Sets = (*all)[words[1]].Sets || rest[1] != "community"
		} else if len(rest) > 0 && rest[0] != "description" {
			t.Other = true
		}
	}
}

// Tree notes sets of prefixes and policies, as OpenConfig and SR Linux have them.
func (all *Policies) Tree(sets, policies *posjson.Node) {
	for i := range sets.Len() {
		set := &sets.Items[i]
		t := all.Policy("list "+set.Get("name").Word(), Reject).Term("")
		t.Result = Accept
		prefixes := cmp.Or(set.Get("prefixes", "prefix"), set.Get("prefix"))
		for k := range prefixes.Len() {
			p := &prefixes.Items[k]
			t.Within(p.Get("ip-prefix").Word(), cmp.Or(p.Get("masklength-range"), p.Get("mask-length-range")).Word())
		}
	}
	for i := range policies.Len() {
		policy := &policies.Items[i]
		p := all.Policy(policy.Get("name").Word(), Next)
		p.Default = Decisions[policy.Get("default-action", "policy-result").Word()]
		statements := cmp.Or(policy.Get("statements", "statement"), policy.Get("statement"))
		for k := range statements.Len() {
			s, t := &statements.Items[k], p.Term(strconv.Itoa(k))
			actions := cmp.Or(s.Get("actions"), s.Get("action"))
			t.Result = Decisions[cmp.Or(actions.Get("config", "policy-result"), actions.Get("policy-result")).Word()]
			p.Sets = p.Sets || actions != nil && len(actions.Members) > 1
			for m := range cmp.Or(s.Get("conditions"), s.Get("match")).All() {
				t.asks(m.Key, &m.Value)
			}
		}
	}
}

// asks notes a condition of a term.
func (t *Term) asks(key string, n *posjson.Node) {
	set := cmp.Or(n.Get("config", "prefix-set"), n.Get("prefix-set"))
	switch {
	case key == "protocol":
		_, name, _ := strings.Cut(":"+n.Word(), "common:")
		t.From = append(t.From, strings.Replace(cmp.Or(name, n.Word()), "local", Direct, 1))
	case key == "prefix-set":
		t.Lists = append(t.Lists, "list "+n.Word())
	case set != nil && n.Get("config", "match-set-options").Word() != "INVERT":
		t.Lists = append(t.Lists, "list "+set.Word())
	default:
		t.Other = true
	}
}

// Text returns what the policy of a name says, with the lists that it asks. Equal texts decide alike.
func (all Policies) Text(name string) string {
	var b strings.Builder
	write := func(name string) (lists []string) {
		p := all[name]
		if p == nil {
			fmt.Fprintln(&b, name, "is not here")
			return nil
		}
		fmt.Fprintln(&b, p.Default)
		for _, t := range p.Terms {
			fmt.Fprintln(&b, t.Result, t.Ranges, len(t.Lists), t.Loose, t.From, t.Other)
			lists = append(lists, t.Lists...)
		}
		return lists
	}
	for _, list := range write(name) {
		write(list)
	}
	return b.String()
}

// Of returns what the policy of a name decides on a route.
func (all Policies) Of(name string, route netip.Prefix, from string) Decision {
	p := all[name]
	if p == nil {
		return Unsure
	}
	var maybe [Unsure + 1]bool
	result := p.Default
	for _, t := range p.Terms {
		fits, sure := all.fits(t, route, from)
		if !fits || t.Result == Next {
			continue
		}
		if sure {
			result = t.Result
			break
		}
		maybe[t.Result] = true
	}
	if maybe[Unsure] || result != Accept && maybe[Accept] || result != Reject && maybe[Reject] {
		return Unsure
	}
	return result
}

// fits reports whether a term may fit a route, and whether that is sure.
func (all Policies) fits(t *Term, route netip.Prefix, from string) (fits, sure bool) {
	if len(t.From) > 0 && !slices.Contains(t.From, from) {
		return false, true
	}
	sure = !t.Other
	if len(t.Ranges)+len(t.Lists) == 0 {
		return true, sure
	}
	within := func(of Range) bool {
		return of.Prefix.Contains(route.Addr()) && of.Least <= route.Bits() && (route.Bits() <= of.Most || t.Loose)
	}
	fits = slices.ContainsFunc(t.Ranges, within)
	for _, list := range t.Lists {
		switch {
		case fits:
		case all[list] != nil && slices.ContainsFunc(all[list].Terms, func(of *Term) bool { return len(of.Lists) > 0 }):
			fits, sure = true, false // a policy that is called as a list is: it may ask itself
		case t.Loose && all[list] != nil:
			fits = slices.ContainsFunc(all[list].Terms, func(of *Term) bool { return slices.ContainsFunc(of.Ranges, within) })
		default:
			result := all.Of(list, route, from)
			fits, sure = result != Reject, sure && result != Unsure
		}
	}
	return fits, sure
}
