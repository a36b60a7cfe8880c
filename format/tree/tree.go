// Package tree writes documents of leaves and lists in the order of the rows of a system, and the
// request that changes one document into another.
package tree

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/internal/stable"
)

// A Tree is a document that is being written.
type Tree struct {
	rows    map[string]*format.Row // by path
	modules map[string]string
	// inConfig is set where an entry of a list has its keys a second time in a container config, and
	// members and entries are in the order of their names: see [OpenConfig].
	inConfig bool
	root     node
}

// A node is a container, a list, an entry of a list or a leaf.
type node struct {
	name     string
	row      *format.Row // with the path of the node; nil for a container without a row
	place    int         // in the order of its parent
	keys     []any       // of an entry of a list, in the order of its row's
	list     bool
	value    any // of a leaf; nil: it has children
	children []*node
}

// New begins a document. modules are the YANG modules of names at its top; others have none.
func New(rows format.Rows, modules map[string]string) *Tree {
	t := &Tree{rows: map[string]*format.Row{}, modules: modules}
	for i := range rows {
		t.rows[rows[i].Path] = &rows[i]
	}
	return t
}

// OpenConfig begins a document of OpenConfig's models. By their style guide each entry of a list has
// its keys also in its container config.
func OpenConfig(rows format.Rows, modules map[string]string) *Tree {
	t := New(rows, modules)
	t.inConfig = true
	return t
}

// Put writes a leaf. The keys are those of the lists around it, from the outermost on.
func (t *Tree) Put(row *format.Row, value any, keys ...any) {
	if row.Wide {
		value = fmt.Sprint(value)
	}
	t.At(row, keys...).value = value
}

// At makes the container or the list of a row, though it may stay empty. With the keys of a list it
// makes the entry.
func (t *Tree) At(row *format.Row, keys ...any) *node {
	n := &t.root
	for from := 0; from <= len(row.Path); {
		end := len(row.Path)
		if length := strings.IndexByte(row.Path[from:], '/'); length >= 0 {
			end = from + length
		}
		name, _, list := strings.Cut(row.Path[from:end], "[")
		n = n.child(name, t.rows[row.Path[:end]], row.Place())
		if n.list = list; list && len(keys) > 0 {
			count := len(n.row.Keys())
			n, keys = n.entry(keys[:count], t.inConfig), keys[count:]
		}
		from = end + 1
	}
	return n
}

// child finds or makes a member.
func (n *node) child(name string, row *format.Row, place int) *node {
	for _, c := range n.children {
		if c.name == name {
			return c
		}
	}
	c := &node{name: name, row: row, place: place}
	at := len(n.children)
	for at > 0 && n.children[at-1].place > place {
		at--
	}
	n.children = slices.Insert(n.children, at, c)
	return c
}

// entry finds or makes an entry of a list; it is mostly the last one.
func (n *node) entry(keys []any, inConfig bool) *node {
	for _, e := range slices.Backward(n.children) {
		if slices.Equal(e.keys, keys) {
			return e
		}
	}
	e := &node{row: n.row, keys: keys}
	for i, key := range keys {
		e.children = append(e.children, &node{name: n.row.Keys()[i], value: key, place: -1})
	}
	if inConfig {
		e.children = append(e.children, &node{name: "config", children: slices.Clone(e.children)})
	}
	n.children = append(n.children, e)
	return e
}

// Text returns the document, indented.
func (t *Tree) Text() []byte {
	var compact, out bytes.Buffer
	if t.inConfig {
		t.root.sort()
	}
	t.root.write(&compact, func(name string) string {
		if module := t.modules[name]; module != "" {
			return module + ":" + name
		}
		return name
	})
	if err := json.Indent(&out, compact.Bytes(), "", "  "); err != nil {
		panic("tree: " + err.Error())
	}
	out.WriteByte('\n')
	return out.Bytes()
}

func same(name string) string { return name }

// sort puts members and entries in the order of their names.
func (n *node) sort() {
	name := func(n *node) string {
		if n.keys != nil {
			return fmt.Sprint(n.keys[0])
		}
		return n.name
	}
	stable.Sort(n.children, func(a, b *node) int { return strings.Compare(name(a), name(b)) })
	for _, c := range n.children {
		c.sort()
	}
}

// write prints a value. called is the name of members of the top.
func (n *node) write(out *bytes.Buffer, called func(string) string) {
	open, end := "{", "}"
	switch {
	case n.value != nil:
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(n.value); err != nil {
			panic("tree: " + err.Error())
		}
		out.Truncate(out.Len() - 1) // the end of the line
		return
	case n.list:
		open, end = "[", "]"
	}
	out.WriteString(open)
	for i, c := range n.children {
		if i > 0 {
			out.WriteByte(',')
		}
		if !n.list {
			fmt.Fprintf(out, "%q:", called(c.name))
		}
		c.write(out, same)
	}
	out.WriteString(end)
}
