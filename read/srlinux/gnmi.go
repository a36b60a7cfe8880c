package srlinux

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/read"
)

// This file reads what clients of gNMI and JSON-RPC print and send: values, each with the path
// that it is at. They become the one document that they are parts of.

// envelope begins the lists of such texts.
var envelope = regexp.MustCompile(`"(updates?|replace|result|commands)"\s*:\s*\[`)

// nokias are words that the models of SR Linux have and no other format that is read.
var nokias = regexp.MustCompile(`srl_nokia-|"/?qos[/"\[]|"/?interface\[name=ethernet-|pfc-mapping-profile|buffer-allocation-profile|queue-management-profile`)

// isEnvelope reports whether a text is one of a client, with values of SR Linux. Its lists come
// behind a few words of who sent it and when; every file of every device is asked, and a look at
// all of one takes longer than to read it.
func isEnvelope(head []byte) bool {
	return envelope.Match(head[:min(len(head), 2048)]) && nokias.Match(head) && !bytes.Contains(head, []byte(`"openconfig-`))
}

// A part is a value at a path.
type part struct {
	path  *posjson.Node // nil: that of the whole document
	value *posjson.Node
}

// unwrapped returns the document whose parts an answer or a request has, or root itself.
func unwrapped(document *read.Document, root *posjson.Node) *posjson.Node {
	var parts []part
	gather(document, root, &parts)
	if len(parts) == 0 {
		return root
	}
	d, whole := newMaker(document), &posjson.Node{Kind: posjson.Object, Start: root.Start, End: root.End}
	for _, p := range parts {
		to, place, words := whole, "", elements(p.path)
		if len(words) > read.MaxDepth {
			d.tooDeep(words[read.MaxDepth].name)
			continue
		}
		if len(words) > 0 && p.value.Kind == posjson.Object && len(p.value.Members) == 1 && p.value.Members[0].Key == lastName(words) {
			p.value = &p.value.Members[0].Value // gnmic repeats the name
		}
		for _, w := range words {
			to, place = d.step(to, place, w)
		}
		d.merge(to, p.value)
	}
	return whole
}

// gather finds the parts of an answer of gNMI as gnmic prints it, of a SetRequest, or of JSON-RPC.
func gather(d *read.Document, n *posjson.Node, parts *[]part) {
	for i := range n.Items {
		gather(d, &n.Items[i], parts)
	}
	if n.Kind != posjson.Object {
		return
	}
	for _, name := range []string{"updates", "update", "replace", "commands"} {
		if list := n.Get(name); list != nil && list.Kind == posjson.Array {
			for i := range list.Items {
				one(d, &list.Items[i], parts)
			}
		}
	}
	if list := n.Get("result"); list != nil && list.Kind == posjson.Array {
		for i := range list.Items {
			*parts = append(*parts, part{nil, &list.Items[i]})
		}
	}
	gatherDeleted(d, n)
	if params := n.Get("params"); params != nil {
		gather(d, params, parts)
	}
}

// gatherDeleted refuses requests that take something away.
func gatherDeleted(d *read.Document, n *posjson.Node) {
	if list := n.Get("delete"); list != nil && len(list.Items) > 0 {
		d.Errorf(Shape, d.At(list), "the request deletes settings that it does not contain, so the result cannot be read from this file").Fixf("give the running configuration: `info from running / | as json`")
	}
}

func one(d *read.Document, n *posjson.Node, parts *[]part) {
	path := n.Get("Path")
	if path == nil {
		path = n.Get("path")
	}
	if values := n.Get("values"); values != nil && len(values.Members) > 0 {
		for i := range values.Members {
			*parts = append(*parts, part{path, &values.Members[i].Value})
		}
		return
	}
	value := n.Get("value")
	if value == nil {
		value = n.Get("val")
	}
	if value == nil || path == nil {
		d.Errorf(Shape, d.At(n), "an update with a path and a value is expected here").Fixf("give the output of `gnmic get --encoding json_ietf`")
		return
	}
	*parts = append(*parts, part{path, value})
}

// An element is a name of a path, with the keys of an entry.
type element struct {
	name flatWord
	keys [][2]string
}

// elements splits a path: /qos/interfaces/interface[interface-id=ethernet-1/1].
func elements(path *posjson.Node) (all []element) {
	if path == nil {
		return nil
	}
	place := flatWord{start: path.Start, end: path.End}
	flush := func(name string) {
		bare, rest, _ := strings.Cut(name, "[")
		if _, after, ok := strings.Cut(bare, ":"); ok {
			bare = after
		}
		if bare == "" { // before the first stroke there may be a module alone
			return
		}
		e := element{name: flatWord{bare, place.start, place.end}}
		for rest != "" {
			own, more, _ := strings.Cut(rest, "]")
			key, value, _ := strings.Cut(own, "=")
			e.keys = append(e.keys, [2]string{key, value})
			rest = strings.TrimPrefix(more, "[")
		}
		all = append(all, e)
	}
	from, inKey := 0, false
	for i := range len(path.Text) {
		switch c := path.Text[i]; {
		case c == '/' && !inKey:
			flush(path.Text[from:i])
			from = i + 1
		case c == '[':
			inKey = true
		case c == ']':
			inKey = false
		}
	}
	flush(path.Text[from:])
	return all
}

func lastName(words []element) string { return words[len(words)-1].name.text }

// step goes from a value to the one below it that an element names, and makes it where it is not
// there.
func (d *maker) step(n *posjson.Node, place string, e element) (*posjson.Node, string) {
	place = below(place, e.name.text)
	if len(e.keys) == 0 {
		return member(n, e.name, posjson.Object), place
	}
	list := member(n, e.name, posjson.Array)
	var keys []string
	var values []flatWord
	for _, k := range e.keys {
		keys, values = append(keys, k[0]), append(values, flatWord{k[1], e.name.start, e.name.end})
	}
	if entry, at, _ := d.listEntry(list, place, keys, values); entry != nil {
		return entry, at
	}
	return &posjson.Node{Kind: posjson.Object}, place
}

// merge puts a value where others of the document may be. A leaf has one, as in lines: see leaf.
func (d *maker) merge(to, value *posjson.Node) {
	switch {
	case to.Kind == posjson.Object && value.Kind == posjson.Object:
		for m := range value.All() {
			k := to.Find(m.Key)
			if k < 0 {
				to.Add(posjson.Member{Key: m.Key, Start: m.Start, End: m.End, Value: copied(&m.Value)})
				continue
			}
			d.merge(&to.Members[k].Value, &m.Value)
		}
	case to.Kind == posjson.Array && value.Kind == posjson.Array:
		to.Items = append(to.Items, value.Items...)
	case to.Kind == posjson.Object && len(to.Members) == 0:
		*to = copied(value)
	case to.Kind != value.Kind || to.Text != value.Text:
		d.Errorf(Duplicate, d.At(value), "this is given a second value").Fixf("remove one of the two updates")
	}
}

// copied is a value to which members can be added.
func copied(n *posjson.Node) posjson.Node {
	own := posjson.Node{Kind: n.Kind, Start: n.Start, End: n.End, Text: n.Text, Items: n.Items}
	for m := range n.All() {
		own.Add(posjson.Member{Key: m.Key, Start: m.Start, End: m.End, Value: copied(&m.Value)})
	}
	return own
}
