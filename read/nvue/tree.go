package nvue

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/format"
	row "github.com/roceplan/roceplan/format/nvue"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/read"
)

// A node is a part of the switch's settings after all operations of the file. A nil node is absent,
// and nothing is below it.
//
// Reading marks it: what was read and nothing else has sort Modelled in the end.
type node struct {
	r      *reader
	up     *node
	name   string
	key    diag.Range // where the file has the name; zero in commands
	kids   []*node
	byName map[string]*node // of nodes with many kids

	// The statement of the node itself, where said is not nil.
	said  *statement
	kind  yaml.Kind // scalar, empty mapping, or sequence
	value string
	place diag.Range // of the value, or of the key where there is none
	order int        // order of the statements

	seen    bool
	differs bool   // a reading found other than what holds without it
	rule    string // ID of the neutral rule that reading found
	doubt   *doubt
}

// A doubt is why a statement is not modelled.
type doubt struct {
	why   string
	scope read.Scope
}

// manyKids is from where on a node finds its kids by a map.
const manyKids = 8

func (n *node) there() bool { return n != nil }

// child returns the kid of a name, and makes it; nil where the file says too much.
func (n *node) child(name string) *node {
	if kid := n.kid(name); kid != nil {
		return kid
	}
	if n.r.nodes++; n.r.nodes > maxNodes {
		return nil
	}
	kid := &node{r: n.r, up: n, name: name}
	n.kids = append(n.kids, kid)
	if n.byName == nil && len(n.kids) > manyKids {
		n.byName = make(map[string]*node, len(n.kids))
		for _, k := range n.kids {
			n.byName[k.name] = k
		}
	} else if n.byName != nil {
		n.byName[name] = kid
	}
	return kid
}

//go:noinline
func (n *node) kid(name string) *node {
	if n.byName != nil {
		return n.byName[name]
	}
	for _, k := range n.kids {
		if k.name == name {
			return k
		}
	}
	return nil
}

// remove takes a kid away.
func (n *node) remove(kid *node) {
	delete(n.byName, kid.name)
	n.kids = stable.Delete(n.kids, func(k *node) bool { return k == kid })
}

// words returns the path of a node, as a command says it.
func (n *node) words() (words []string) {
	for ; n != nil && n.up != nil; n = n.up {
		words = append(words, n.name)
	}
	slices.Reverse(words)
	return words
}

// get returns the node at a path.
//
//go:noinline
func (n *node) get(path ...string) *node {
	for _, name := range path {
		if n == nil {
			return nil
		}
		n = n.kid(name)
	}
	return n
}

// each calls f for every key of a mapping.
//
//go:noinline
func (n *node) each(f func(key string, kid *node)) {
	if n == nil {
		return
	}
	for _, kid := range n.kids {
		f(kid.name, kid)
	}
}

// at returns the place of a node: of its value, else of its name, else of the first statement
// below it.
//
//go:noinline
func (n *node) at() diag.Range {
	for n != nil && n.said == nil && len(n.kids) > 0 {
		if n.key.Filename != "" {
			return n.key
		}
		n = n.kids[0]
	}
	if n == nil {
		return diag.Range{}
	}
	return n.place
}

// named returns the place of a node's name.
func (n *node) named() diag.Range {
	if n != nil && n.key.Filename != "" {
		return n.key
	}
	return n.at()
}

// mark notes that what the file says of the node itself is in the plan.
func (n *node) mark() *node { return n.took(false) }

// took notes that a reading has a leaf's value in the plan, and whether the same would be
// there without the leaf.
func (n *node) took(plain bool) *node {
	if n != nil {
		n.seen, n.differs = true, n.differs || !plain
	}
	return n
}

// pass notes that a reader looked at a leaf and that a neutral rule skips it: in
// commands over its value, which is below it.
//
//go:noinline
func (n *node) pass(rule string) {
	if n == nil {
		return
	}
	n.rule = rule
	if n.r.commands && n.said == nil {
		n.each(func(_ string, kid *node) { kid.pass(rule) })
	}
}

// passAll skips everything below a node.
func (n *node) passAll(rule string) {
	n.pass(rule)
	n.each(func(_ string, kid *node) { kid.passAll(rule) })
}

// doubtf notes that a switch does more by a leaf than the plan holds.
func (n *node) doubtf(scope read.Scope, why string) {
	if n != nil && n.doubt == nil {
		n.doubt = &doubt{why, scope}
	}
}

// first returns the first leaf below a node.
func (n *node) first() *node {
	for n != nil && len(n.kids) > 0 {
		n = n.kids[0]
	}
	return n
}

// leaf returns the node that has a leaf's value: in commands the value is a word like any other, and the last
// of several holds.
func (n *node) leaf() *node {
	if n == nil || !n.r.commands || len(n.kids) == 0 {
		return n
	}
	last := n.kids[0]
	for _, kid := range n.kids[1:] {
		if kid.order > last.order {
			last = kid
		}
	}
	for _, kid := range n.kids {
		if kid != last {
			kid.pass(ruleOverridden)
		}
	}
	return last
}

// says returns the value of a node that [node.leaf] returned; false where it has none.
func (n *node) says() (string, bool) {
	if n.r.commands {
		return n.name, n.said != nil && len(n.kids) == 0
	}
	return n.value, n.kind == yaml.ScalarNode && len(n.kids) == 0
}

// text returns the value of a leaf, empty where it is not there.
//
//go:noinline
func (n *node) text() string {
	if n == nil {
		return ""
	}
	text, _ := n.leaf().mark().says()
	return text
}

// row returns the leaf of a row, in the entry of the list around it.
//
//go:noinline
func (n *node) row(id format.ID) *node { return n.get(row.Of(id).Names()...) }

// of reads the leaf of a row, in its own unit; the default of the row where it is not there.
//
//go:noinline
func (n *node) of(id format.ID) int64 { return n.orElse(id, row.Of(id).Absent) }

// quantity reads the leaf of a row, in the plan's unit.
func (n *node) quantity(id format.ID) int64 { return row.Of(id).Means(n.of(id)) }

func (n *node) orElse(id format.ID, otherwise int64) int64 {
	least, most := row.Of(id).Bounds()
	return n.number(least, most, otherwise)
}

// number reads a leaf between two bounds, a default where it is not there.
func (n *node) number(least, most, otherwise int64) int64 {
	if n == nil {
		return otherwise
	}
	leaf := n.leaf()
	text, ok := leaf.says()
	v, err := strconv.ParseInt(text, 10, 64)
	leaf.took(v == otherwise)
	octal := len(text) > 1 && text[0] == '0' // to YAML 1.1, which older parsers are of
	if !ok || err != nil || octal || v < least || v > most {
		n.r.list.Errorf(Number, leaf.at(), "%q is not a number from %d to %d", clip(text), least, most).Fixf("write a number from %d to %d", least, most)
		return otherwise
	}
	return v
}

// word reads a leaf that is one of some words, the first where it is not there; an empty
// first one is not a word.
func (n *node) word(words ...string) string {
	if n == nil {
		return words[0]
	}
	leaf := n.leaf()
	text, ok := leaf.says()
	leaf.took(text == words[0])
	if !ok || text == "" || !slices.Contains(words, text) {
		n.r.list.Errorf(Word, leaf.at(), "%q is none of %s", clip(text), strings.TrimPrefix(strings.Join(words, ", "), ", ")).Fixf("write %s", strings.TrimPrefix(strings.Join(words, " or "), " or "))
		return words[0]
	}
	return text
}

// on reports whether a switch of NVUE is on, in the words of any release; otherwise is
// what holds where the file does not say.
func (n *node) on(otherwise bool) bool {
	if n == nil {
		return otherwise
	}
	on := otherwise
	switch text, _ := n.leaf().says(); text {
	case "on", "enable", "enabled", "true":
		on = true
	case "off", "disable", "disabled", "false":
		on = false
	default:
		n.word("enabled", "disabled", "enable", "disable", "on", "off", "true", "false")
		return otherwise
	}
	n.leaf().took(on == otherwise)
	return on
}

// instances calls f for each number that is a key, such as switch-priority '3'.
func (n *node) instances(most int64, f func(i int, kid *node)) {
	n.each(func(key string, kid *node) {
		i, ok := digits(key)
		if !ok || int64(i) > most {
			n.r.list.Errorf(Number, kid.named(), "%q is not a number from 0 to %d", clip(key), most).Fixf("write a number from 0 to %d", most)
			return
		}
		if f(i, kid); !kid.seen {
			kid.mark()
		}
	})
}

// digits reads a number without a sign.
func digits(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && !strings.ContainsAny(s, "+-")
}

func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
