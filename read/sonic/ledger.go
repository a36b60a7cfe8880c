package sonic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/read"
)

// Every value of the file is accounted for by construction: what reads a value marks it,
// and where the reader knows more it leaves a claim. At the end the ledger walks the
// whole file. A value without a mark or a claim is neutral where a rule covers it, and
// otherwise not modelled.

// A claim is what the reader says of a value itself, stronger than its mark.
type claim struct {
	sort    read.Sort
	rule    string
	why     string
	touches read.Scope
	sides   bool
}

func (c claim) same(o claim) bool {
	a, b := c.touches, o.touches
	return c.sort == o.sort && c.rule == o.rule && c.why == o.why && c.sides == o.sides && slices.Equal(a.Ports, b.Ports) &&
		a.Queues == b.Queues && a.PGs == b.PGs && a.TCs == b.TCs && a.DSCPs == b.DSCPs
}

// unmodelled says that a device obeys a value, and the plan does not hold what it does.
func (r *reader) unmodelled(n *posjson.Node, touches read.Scope, format string, args ...any) {
	if n != nil {
		r.claims[n] = claim{sort: read.Unmodelled, why: fmt.Sprintf(format, args...), touches: touches}
	}
}

// otherSides says that what a reference means depends on whether the chip's pools account both sides.
func (r *reader) otherSides(n *posjson.Node, touches read.Scope, format string, args ...any) {
	if n != nil {
		r.claims[n] = claim{sort: read.Unmodelled, why: fmt.Sprintf(format, args...), touches: touches, sides: true}
	}
}

// neutral says that a value changes nothing, by a rule.
func (r *reader) neutral(n *posjson.Node, rule string) {
	if n != nil {
		r.claims[n] = claim{sort: read.Neutral, rule: rule}
	}
}

// A leafEntry is a value of a row with what is made of it.
type leafEntry struct {
	at   diag.Range
	text func() string // nil: the row
	claim
}

// account sorts every value of the file.
func (r *reader) account(root *posjson.Node) read.Ledger {
	rules := newRuleBook()
	var l read.Ledger
	for m := range root.All() {
		r.accountWays(&l, root, m)
		switch name, rule := m.Key, rules.table(m.Key); {
		case rule != "":
			l.Statements = append(l.Statements, read.Statement{At: r.doc.KeyAt(m), Text: excerpt(name), Sort: read.Neutral, Rule: rule})
			r.accountBelow(&l, m)
		case m.Value.Kind == posjson.Object:
			for j := range m.Value.Members {
				r.accountRow(&l, rules, name, &m.Value.Members[j])
			}
		default:
			l.Statements = append(l.Statements, read.Statement{At: r.doc.KeyAt(m), Text: excerpt(name), Why: "a table is an object of rows"})
		}
	}
	return l
}

// accountRow adds one statement where all values of a row are sorted alike, and otherwise
// one for each.
func (r *reader) accountRow(l *read.Ledger, rules *ruleBook, name string, m *posjson.Member) {
	key, t := m.Key, r.tables[name]
	var whole *claim
	if t != nil {
		whole = r.ofRow(t.row(key))
	}
	leaves := r.leaves(rules, name, key, &m.Value, whole)
	if len(leaves) == 0 {
		leaves = []leafEntry{{claim: r.ofEmptyRow(rules, name, key, whole)}}
	}
	alike := !slices.ContainsFunc(leaves, func(e leafEntry) bool { return !e.same(leaves[0].claim) })
	if alike {
		leaves = leaves[:1]
		leaves[0].at, leaves[0].text = r.doc.KeyAt(m), nil
	}
	for _, e := range leaves {
		text := name + "|" + key
		if e.text != nil {
			text += e.text()
		}
		l.Statements = append(l.Statements, read.Statement{At: e.at, Text: excerpt(text), Sort: e.sort, Rule: e.rule, Why: e.why, Touches: e.touches, Sides: e.sides})
	}
}

// ofRow claims a whole row that no other row refers to: it has no effect.
func (r *reader) ofRow(w *row) *claim {
	if w != nil && !w.used && referenced[w.table] {
		return &claim{sort: read.Neutral, rule: ruleUnreferenced}
	}
	return nil
}

// ofEmptyRow returns the claim on a row without fields: some tables mean their rows alone.
func (r *reader) ofEmptyRow(rules *ruleBook, name, key string, whole *claim) claim {
	if whole != nil {
		return *whole
	}
	if rule := rules.find(name, key, "", ""); rule != "" {
		return claim{sort: read.Neutral, rule: rule}
	}
	if t := r.tables[name]; t != nil && t.row(key) != nil {
		return claim{sort: read.Modelled}
	}
	return claim{why: unknownTable(name)}
}

// leaves sorts the values below a row.
func (r *reader) leaves(rules *ruleBook, name, key string, row *posjson.Node, whole *claim) (all []leafEntry) {
	if row.Kind != posjson.Object {
		return []leafEntry{{r.doc.At(row), nil, r.sortLeaf(rules, name, key, "", row, whole)}}
	}
	for f := range row.All() {
		text := func() string { return fmt.Sprintf(" %s: %q", f.Key, f.Value.Text) }
		all = append(all, leafEntry{r.doc.KeyAt(f), text, r.sortLeaf(rules, name, key, f.Key, &f.Value, whole)})
	}
	return all
}

func (r *reader) sortLeaf(rules *ruleBook, name, key, field string, n *posjson.Node, whole *claim) claim {
	if whole != nil {
		return *whole
	}
	if c, ok := r.claims[n]; ok {
		return c
	}
	if n.Used {
		return claim{sort: read.Modelled}
	}
	if rule := rules.find(name, key, field, n.Text); rule != "" {
		return claim{sort: read.Neutral, rule: rule}
	}
	if r.tables[name] == nil {
		return claim{why: unknownTable(name)}
	}
	return claim{why: fmt.Sprintf("the effect of the field %s of %s is not known", posjson.Clip(field), name), touches: r.scopeOf(name, key, field)}
}

// unknownTable is why a table that no rule covers may change anything.
func unknownTable(name string) string {
	if why := alive[name]; why != "" {
		return why
	}
	return fmt.Sprintf("the effect of the table %s is not known", posjson.Clip(name))
}

// excerpt shortens to what a statement may hold, on one line.
func excerpt(s string) string {
	const most = 80
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most-3], "") + "…"
	}
	return s
}
