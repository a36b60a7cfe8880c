// Package posjson parses JSON into a tree in which every value has its place and records whether it
// was read. encoding/json reports neither places nor duplicate keys.
package posjson

import (
	"iter"

	"github.com/roceplan/roceplan/diag"
)

// Kind is the sort of a JSON value.
type Kind uint8

const (
	Object Kind = iota
	Array
	Text
	Other // number, true, false or null, as spelt
)

// A Node is a JSON value with its place in bytes of the file.
type Node struct {
	Kind       Kind
	Used       bool // set by the reader of the value; the parser leaves it unset
	Start, End int32
	Text       string   // of Text, decoded, and of Other, as spelt
	Members    []Member // of an Object, each key once
	Items      []Node   // of an Array
	index      map[string]int
}

// A Member is a field of an object. Of a key that occurs twice the last value is kept, as
// most libraries do.
type Member struct {
	Key        string
	Start, End int32 // of the key
	Value      Node
}

// Get follows keys from object to object. It returns nil where one is missing, and of a
// nil node.
//
//go:noinline
func (n *Node) Get(path ...string) *Node {
	for _, key := range path {
		i := -1
		if n != nil {
			i = n.Find(key)
		}
		if i < 0 {
			return nil
		}
		n = &n.Members[i].Value
	}
	return n
}

// All returns the members of an object, in their order; none of a nil node.
func (n *Node) All() iter.Seq[*Member] {
	return func(yield func(*Member) bool) {
		for i := 0; n != nil && i < len(n.Members) && yield(&n.Members[i]); i++ {
		}
	}
}

// Find returns the place of a key among the members, -1 where there is none.
//
//go:noinline
func (n *Node) Find(key string) int {
	if n.index != nil {
		if i, ok := n.index[key]; ok {
			return i
		}
		return -1
	}
	for i := range n.Members {
		if n.Members[i].Key == key {
			return i
		}
	}
	return -1
}

// few is the largest number of members that are found without an index.
const few = 16

// Add appends a member whose key is not among them yet.
func (n *Node) Add(m Member) {
	if n.index == nil && len(n.Members) == few {
		n.index = make(map[string]int, max(2*few, cap(n.Members)))
		for i := range n.Members {
			n.index[n.Members[i].Key] = i
		}
	}
	if n.index != nil {
		n.index[m.Key] = len(n.Members)
	}
	n.Members = append(n.Members, m)
}

// Len returns how many entries an array has, 0 of a nil node.
func (n *Node) Len() int {
	if n == nil {
		return 0
	}
	return len(n.Items)
}

// Word returns the text of a scalar; empty of another node, or of a nil one.
func (n *Node) Word() string {
	if n == nil {
		return ""
	}
	return n.Text
}

// Scalar reports whether the value is neither object nor array. A nil node is none.
func (n *Node) Scalar() bool { return n != nil && n.Kind >= Text }

// Use marks the value and all below it as read.
func (n *Node) Use() {
	n.Used = true
	for i := range n.Members {
		n.Members[i].Value.Use()
	}
	for i := range n.Items {
		n.Items[i].Use()
	}
}

// At returns the place of a value; the start of the file of a nil node.
func (f *File) At(n *Node) diag.Range {
	if n == nil {
		return f.Between(0, 0)
	}
	return f.Between(n.Start, n.End)
}

// KeyAt returns the place of a key.
func (f *File) KeyAt(m *Member) diag.Range { return f.Between(m.Start, m.End) }
