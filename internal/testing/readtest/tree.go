package readtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// A Tree is a file of leaves: YAML, or JSON, which is YAML too.
type Tree struct {
	root *yaml.Node
	json bool
}

// ParseTree reads a file. Of the entries of a mapping or list called interface that
// differ by their names alone, the first and the last stay: readers treat names alike.
func ParseTree(text []byte) (*Tree, error) {
	t := &Tree{json: bytes.HasPrefix(bytes.TrimSpace(text), []byte("{"))}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	t.root = doc.Content[0]
	plain(t.root)
	thin(t.root)
	return t, nil
}

// plain takes comments and styles away, which differ between what is written and read.
func plain(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	n.Style &= yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle
	for _, kid := range n.Content {
		plain(kid)
	}
}

func thin(n *yaml.Node) {
	for i := 0; i+1 < len(n.Content) && n.Kind == yaml.MappingNode; i += 2 {
		if name := n.Content[i].Value; name == "interface" || strings.HasSuffix(name, ":interface") {
			n.Content[i+1].Content = firstAndLast(n.Content[i+1])
		}
	}
	for _, kid := range n.Content {
		thin(kid)
	}
}

// firstAndLast returns the entries that stay of a mapping or a list.
func firstAndLast(n *yaml.Node) (stay []*yaml.Node) {
	step, groups := 1, map[string][]int{}
	if n.Kind == yaml.MappingNode {
		step = 2
	}
	for i := 0; i+step <= len(n.Content); i += step {
		entry := n.Content[i+step-1]
		name := n.Content[i].Value
		if step == 1 {
			name = named(entry)
		}
		text, _ := yaml.Marshal(entry)
		key := strings.ReplaceAll(string(text), name, "*")
		groups[key] = append(groups[key], i)
	}
	for i := 0; i+step <= len(n.Content); i += step {
		for _, all := range groups {
			if i == all[0] || i == all[len(all)-1] {
				stay = append(stay, n.Content[i:i+step]...)
			}
		}
	}
	return stay
}

// named returns the first scalar of an entry that is called name or interface-id.
func named(n *yaml.Node) string {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := n.Content[i].Value; key == "name" || key == "interface-id" {
			return n.Content[i+1].Value
		}
	}
	return "\x00"
}

// Text returns the tree as a file, each leaf on a line of its own.
func (t *Tree) Text() []byte {
	if !t.json {
		text, err := yaml.Marshal(t.root)
		if err != nil {
			panic(err)
		}
		return text
	}
	var out bytes.Buffer
	writeJSON(&out, t.root, "\n")
	out.WriteByte('\n')
	return out.Bytes()
}

func writeJSON(out *bytes.Buffer, n *yaml.Node, newline string) {
	step, brackets := 1, "[]"
	switch n.Kind {
	case yaml.MappingNode:
		step, brackets = 2, "{}"
	case yaml.ScalarNode:
		if n.Style&yaml.DoubleQuotedStyle == 0 {
			out.WriteString(n.Value)
			return
		}
		text, _ := json.Marshal(n.Value)
		out.Write(text)
		return
	}
	out.WriteByte(brackets[0])
	for i := 0; i+step <= len(n.Content); i += step {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(newline + "  ")
		if step == 2 {
			writeJSON(out, n.Content[i], "")
			out.WriteString(": ")
		}
		writeJSON(out, n.Content[i+step-1], newline+"  ")
	}
	if len(n.Content) > 0 {
		out.WriteString(newline)
	}
	out.WriteByte(brackets[1])
}

// A Leaf is a scalar or an empty container, with the keys that lead to it.
type Leaf struct {
	Words []string
	Value string // of a scalar
	At    Lines  // in the whole file
}

// Leaves returns all of a tree, in the order of the file.
func (t *Tree) Leaves() (all []Leaf) {
	at := lines(t.Text())
	var walk func(n *yaml.Node, words []string, way []int)
	walk = func(n *yaml.Node, words []string, way []int) {
		if len(n.Content) == 0 {
			all = append(all, Leaf{words, n.Value, at[fmt.Sprint(way)]})
			return
		}
		for i, kid := range n.Content {
			switch below := append(slices.Clone(way), i); {
			case n.Kind != yaml.MappingNode:
				walk(kid, words, below)
			case i%2 == 1:
				walk(kid, append(slices.Clone(words), n.Content[i-1].Value), below)
			}
		}
	}
	walk(t.root, nil, nil)
	return all
}

// A TreeEdit is one change of one leaf or container.
type TreeEdit struct {
	What string // "delete", "double", "number", "text", "rename"
	Path string // "qos pfc x tx", numbers and names of ports as *
	Text []byte
	// Before and After are the lines of what is changed, in the whole file and in Text;
	// After is the zero Lines where it is deleted.
	Before, After Lines
}

// Edits changes every leaf and every key, one after the other.
func (t *Tree) Edits() iter.Seq[TreeEdit] {
	before := lines(t.Text())
	return func(yield func(TreeEdit) bool) {
		t.edit(t.root, nil, nil, func(what string, words []string, at []int, deleted bool) bool {
			e := TreeEdit{What: what, Path: normal(words), Text: t.Text(), Before: before[fmt.Sprint(at)]}
			if !deleted { // one value for another and a copy behind the others move no line of it
				e.After = e.Before
			}
			return yield(e)
		})
	}
}

// edit goes through the nodes below one, and reports each change while it is made. at is
// the way to a node by the positions in its parents.
func (t *Tree) edit(n *yaml.Node, words []string, at []int, done func(what string, words []string, at []int, deleted bool) bool) bool {
	step := 1
	if n.Kind == yaml.MappingNode {
		step = 2
	}
	for i := 0; i+step <= len(n.Content) && n.Kind != yaml.ScalarNode; i += step {
		value := n.Content[i+step-1]
		here, way := words, append(slices.Clone(at), i+step-1)
		if step == 2 {
			here = append(slices.Clone(words), n.Content[i].Value)
		}
		whole := n.Content
		try := func(what string, content []*yaml.Node, deleted bool) bool {
			n.Content = content
			ok := done(what, here, way, deleted)
			n.Content = whole
			return ok
		}
		if !try("delete", slices.Concat(whole[:i], whole[i+step:]), true) {
			return false
		}
		// An operation that is done twice does the same: those are the items of a list at the top.
		if (n != t.root || step == 2) && !try("double", slices.Concat(whole, whole[i:i+step]), false) {
			return false
		}
		if step == 2 && !changed(n.Content[i], func() bool { return done("rename", here, way, false) }) {
			return false
		}
		if value.Kind == yaml.ScalarNode && !changed(value, func() bool { return done(kindOf(value), here, way, false) }) {
			return false
		}
		if !t.edit(value, here, way, done) {
			return false
		}
	}
	return true
}

func kindOf(n *yaml.Node) string {
	if _, err := strconv.ParseInt(n.Value, 10, 64); err == nil {
		return "number"
	}
	return "text"
}

// changed gives a scalar other values, one after the other.
func changed(n *yaml.Node, done func() bool) bool {
	was := *n
	defer func() { *n = was }()
	for _, v := range otherValues(was.Value) {
		n.Value = v
		if !done() {
			return false
		}
	}
	return true
}

// opposites are words that mean the contrary.
var opposites = map[string]string{
	"enable": "disable", "disable": "enable", "true": "false", "false": "true", "on": "off", "off": "on",
	"dwrr": "strict", "strict": "dwrr", "dynamic": "static", "l3": "port", "IPV4": "IPV6", "IPV6": "IPV4",
}

func otherValues(v string) (all []string) {
	if n, err := strconv.ParseInt(v, 10, 64); err == nil {
		for _, other := range []int64{n + 1, 2 * n, 0, n * 100_000} {
			if other != n && other >= 0 && !slices.Contains(all, strconv.FormatInt(other, 10)) {
				all = append(all, strconv.FormatInt(other, 10))
			}
		}
		return all
	}
	if other := opposites[v]; other != "" {
		all = append(all, other)
		if v == "true" || v == "false" {
			return all // anything else is not JSON
		}
	}
	if module, name, ok := strings.Cut(v, ":"); ok {
		return append(all, module+":x"+name)
	}
	return append(all, "x"+v)
}

// Lines are some lines of a file.
type Lines struct{ From, To int }

// lines returns the lines of all nodes of a file, by the way to them.
func lines(text []byte) map[string]Lines {
	var doc yaml.Node
	at := map[string]Lines{}
	if yaml.Unmarshal(text, &doc) != nil || len(doc.Content) == 0 {
		return at
	}
	var walk func(n *yaml.Node, way []int) int
	walk = func(n *yaml.Node, way []int) int {
		last := n.Line
		for i, kid := range n.Content {
			last = max(last, walk(kid, append(slices.Clone(way), i)))
		}
		at[fmt.Sprint(way)] = Lines{n.Line, last}
		return last
	}
	walk(doc.Content[0], nil)
	return at
}

// normal is a path for a report: numbers and ports are any.
func normal(words []string) string {
	out := slices.Clone(words)
	for i, w := range out {
		if strings.ContainsAny(w, "0123456789") && !strings.Contains(w, "ipv") && !strings.Contains(w, "q-") {
			out[i] = "*"
		}
	}
	return strings.Join(out, " ")
}
