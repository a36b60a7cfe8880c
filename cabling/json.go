package cabling

import (
	"bytes"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/units"
)

// cableKeys are keys at the top of a document, or of the first in a list, that mark it as a list of
// cables: configuration may have the same words below.
var cableKeys = []string{"lldp", "lldpNeighbors", "lldp-neighbors-information", "a_terminations", "termination_a", "vendor_name", "results", "result"}

// listsCables looks at the keys at the top of a document.
func listsCables(doc []byte) bool {
	for _, k := range posjson.TopKeys(doc) {
		key := k.Of(doc)
		if slices.Contains(cableKeys, key) || strings.HasPrefix(key, "LLDP_ENTRY_TABLE") || strings.HasPrefix(key, "TRANSCEIVER_INFO") || strings.HasPrefix(key, "openconfig-lldp:") ||
			key == "updates" && bytes.Contains(doc, []byte("lldp")) {
			return true
		}
	}
	return false
}

func isJSON(head []byte) bool {
	return bytes.HasPrefix(head, []byte("{")) || bytes.HasPrefix(head, []byte("["))
}

// dialect bounds a file: a dump of APPL_DB of a chassis has some 10 MB.
func dialect() *posjson.Dialect {
	return &posjson.Dialect{
		MaxSize: 64 << 20, MaxDepth: 64, MaxNodes: 4 << 20,
		Invalid: Invalid, TooLarge: Invalid, TooDeep: Invalid, Duplicate: Invalid, InvalidUTF8: Invalid,
	}
}

// readJSON finds out what the document is by its keys.
func readJSON(r *reader, text []byte) {
	var root *posjson.Node
	if r.doc, root = dialect().Parse(r.file, text, &r.found); root == nil {
		return
	}
	if result := root.Get("result"); result != nil { // as eAPI answers: one item for each command
		root = result
	}
	before := len(r.seen)
	known := false
	for _, n := range documents(root) {
		switch {
		case n.Get("lldpNeighbors") != nil:
			known = true
			r.eos(n.Get("lldpNeighbors"))
		case n.Get("lldp", "interfaces") != nil:
			known = r.modelled("", n) || known
		case n.Get("lldp") != nil:
			known = true
			r.lldpd(n.Get("lldp"))
		case n.Get("results") != nil:
			for _, cable := range documents(n.Get("results")) {
				known = r.netboxCable(cable) || known
			}
		case n.Get("a_terminations") != nil || n.Get("termination_a") != nil:
			known = r.netboxCable(n) || known
		case n.Get("identifier") != nil && n.Get("vendor_name") != nil:
			known = true
			r.ethtool(n)
		default:
			known = r.redis(n) || r.modelled("", n) || known
		}
	}
	if !known && len(r.seen) == before {
		r.unknown()
	}
}

// documents returns the items of a list, or the one object that replaces a list of one.
func documents(n *posjson.Node) (all []*posjson.Node) {
	switch {
	case n == nil:
	case n.Kind == posjson.Array:
		for i := range n.Items {
			all = append(all, &n.Items[i])
		}
	default:
		all = append(all, n)
	}
	return all
}

// text is a scalar, also as lldpd's json0 and others wrap it: in a list of one, and in an
// object with the field value, or data. Empty where there is none.
func text(n *posjson.Node) string {
	for n != nil && !n.Scalar() {
		if n.Kind == posjson.Array {
			if len(n.Items) == 0 {
				return ""
			}
			n = &n.Items[0]
			continue
		}
		wrapped := n
		if n = wrapped.Get("value"); n == nil {
			n = wrapped.Get("data")
		}
	}
	if n == nil || n.Kind == posjson.Other && n.Text == "null" {
		return ""
	}
	return strings.TrimSpace(n.Text)
}

// metres reads a number of metres as EEPROMs hold the length of an assembly: 0 and 255 say that it
// is not known (SFF-8636 byte 146, CMIS page 00h byte 202).
func metres(s string) units.Length {
	if s == "" || strings.Trim(s, "0123456789.") != "" {
		return 0
	}
	length, err := units.ParseLength(s + "m")
	if err != nil || length >= 255*units.Metre {
		return 0
	}
	return length
}
