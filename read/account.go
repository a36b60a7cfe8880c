package read

import (
	"cmp"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/internal/posjson"
)

// Doubt notes that a device does more by a value, and by all below it, than the plan holds.
func (d *Document) Doubt(n *posjson.Node, why string, scope Scope) {
	if n == nil {
		return
	}
	d.sorted[n] = Statement{Sort: Unmodelled, Why: why, Touches: scope}
	for i := range n.Members {
		d.Doubt(&n.Members[i].Value, why, scope)
	}
	for i := range n.Items {
		d.Doubt(&n.Items[i], why, scope)
	}
}

// Pass notes that a neutral rule skips a leaf.
func (d *Document) Pass(n *posjson.Node, rule string) {
	d.sorted[n] = Statement{Sort: Neutral, Rule: rule} // a nil value has no effect
}

// An Accounting says how the leaves of a document are accounted for.
type Accounting struct {
	// Outer is the depth, in words, down to which lists are those whose entries Sort receives.
	Outer int
	// Sort sorts a leaf without a note. words are the members that lead to it; entry is the
	// interface-id or name of the entry of the nearest outer list.
	Sort func(n *posjson.Node, words []string, entry string) Statement
	// Ways are the kinds of leaves that lead packets elsewhere, by the first member, the outermost entry, the other members,
	// the value, and the routing neighbour or group of them whose entry has the leaf.
	Ways WayKinds
}

// Ledger accounts for every leaf below root.
func (d *Document) Ledger(root *posjson.Node, how Accounting) (l Ledger) {
	d.account(&l, how, root, nil, within{})
	return l
}

// within are the names of the entries of lists around a leaf.
type within struct {
	outermost, entry string
	peer             string // a routing neighbour, a group of them, or an address
}

func (d *Document) account(l *Ledger, how Accounting, n *posjson.Node, words []string, in within) {
	for m := range n.All() {
		d.account(l, how, &m.Value, append(words[:len(words):len(words)], m.Key), in)
	}
	for i := range n.Items {
		item, own := &n.Items[i], in
		for _, key := range []string{"name", "interface-id"} {
			if k := item.Get(key); k != nil && len(words) < how.Outer {
				own.entry = k.Text
			}
		}
		for _, key := range []string{"peer-group-name", "group-name", "neighbor-address", "peer-address", "ip"} {
			if k := item.Get(key); k != nil {
				own.peer = k.Text
			}
		}
		own.outermost = cmp.Or(in.outermost, own.entry)
		d.account(l, how, item, words, own)
	}
	if len(n.Members) > 0 || len(n.Items) > 0 {
		return
	}
	s, ok := d.sorted[n]
	if !ok {
		s = how.Sort(n, words, in.entry)
	}
	s.At = d.At(n)
	if len(words) > 0 && how.Ways[words[0]] != nil {
		l.Lead(how.Ways, slices.Concat(words[:1], []string{in.outermost}, words[1:], []string{n.Text, in.peer}), s.At)
	}
	s.Text = ending(strings.TrimSpace(strings.Join(words, " ") + " " + n.Text))
	l.Statements = append(l.Statements, s)
}

// ending bounds the text of a statement by its beginning: of a path the end says what it is.
func ending(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return "…" + strings.ToValidUTF8(s[len(s)-most+len("…"):], "")
}

// A PathRule is a neutral rule for everything below some paths, whatever its value.
type PathRule struct {
	NeutralRule
	Covers []string // the words of a path, with blanks between
}

// PathRules are those of a format.
type PathRules []PathRule

// Rules lists them without their paths.
func (all PathRules) Rules() (rules []NeutralRule) {
	for _, p := range all {
		rules = append(rules, p.NeutralRule)
	}
	return rules
}

// Of finds the rule that covers a path.
func (all PathRules) Of(words []string) (id string, ok bool) {
	for _, p := range all {
		for _, path := range p.Covers {
			if Under(words, path) {
				return p.ID, true
			}
		}
	}
	return "", false
}

// Under reports whether words are a path, with blanks between its own, or lead to what is below it.
func Under(words []string, path string) bool {
	for want := range strings.FieldsSeq(path) {
		if len(words) == 0 || words[0] != want {
			return false
		}
		words = words[1:]
	}
	return true
}
