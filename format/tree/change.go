package tree

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// A Request is a gNMI SetRequest as gnmic reads it: gnmic set --request-file. A device makes all
// of it or nothing, deletes first (gNMI specification 0.10, section 3.4.3).
type Request struct {
	Deletes  []string `json:"deletes,omitempty"`
	Replaces []Value  `json:"replaces,omitempty"`
	Updates  []Value  `json:"updates,omitempty"` // merged into what is there
}

// A Value is one of a request.
type Value struct {
	Path     string          `json:"path"`
	Encoding string          `json:"encoding"`
	Value    json.RawMessage `json:"value"`
}

// Text returns the request, indented; nil where nothing is different.
func (r Request) Text() []byte {
	if r.Deletes == nil && r.Replaces == nil && r.Updates == nil {
		return nil
	}
	out, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		panic("tree: " + err.Error())
	}
	return append(out, '\n')
}

// A part is a leaf, container or entry that a request replaces as one.
type part struct {
	path   string
	text   json.RawMessage
	shared bool
}

// Change makes the request that changes one document into another, in the order of rows. It leaves
// alone what neither document has.
func Change(from, to *Tree) (r Request) {
	old, next := from.root.parts(nil, ""), to.root.parts(nil, "")
	had, stays := map[string]json.RawMessage{}, map[string]bool{}
	for _, p := range old {
		had[p.path] = p.text
	}
	for _, p := range next {
		stays[p.path] = true
		switch v := (Value{p.path, "json_ietf", p.text}); {
		case bytes.Equal(had[p.path], p.text):
		case p.shared:
			r.Updates = append(r.Updates, v)
		default:
			r.Replaces = append(r.Replaces, v)
		}
	}
	for _, p := range old {
		if !stays[p.path] && !p.shared {
			r.Deletes = append(r.Deletes, p.path)
		}
	}
	return r
}

// parts takes a document apart: leaves, and what rows have as a whole. Keys are in the paths.
func (n *node) parts(all []part, path string) []part {
	whole := n.row != nil && n.row.Whole && !n.list
	if whole || n.value != nil {
		var text bytes.Buffer
		n.write(&text, same)
		return append(all, part{path, text.Bytes(), n.row != nil && n.row.Shared})
	}
	for _, c := range n.children[len(n.keys):] {
		below := path + "/" + c.name
		if n.list {
			below = path + c.keyed(n.row.Keys())
		}
		all = c.parts(all, below)
	}
	return all
}

// keyed returns the name of an entry in a path: "[slot=1]".
func (n *node) keyed(names []string) string {
	var out strings.Builder
	for i, name := range names {
		fmt.Fprintf(&out, "[%s=%v]", name, n.keys[i])
	}
	return out.String()
}
