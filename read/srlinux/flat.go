package srlinux

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	row "github.com/roceplan/roceplan/format/srlinux"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/read"
)

// This file reads what `info flat` prints, and people paste: one `set /` line for each leaf. The
// lines become the document that `info | as json` would have printed.

// keysOf are the keys of the lists that the reader looks into, by their path; a line gives the
// first key without its name. leafLists are leaves with several values.
var keysOf, leafLists = read.KeysOf(row.Rows), read.LeafLists(row.Rows)

// A flatWord is a word of a line, with its place in bytes.
type flatWord struct {
	text       string
	start, end int32
}

// firstSet returns the first line of a text that sets a leaf, nil where none does.
func firstSet(text []byte) []byte {
	for line := range bytes.Lines(text) {
		if isSet(line) {
			return bytes.TrimSpace(line)
		}
	}
	return nil
}

func isSet(line []byte) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(line, " \t"), []byte("set "))
	return ok && bytes.HasPrefix(bytes.TrimLeft(rest, " "), []byte("/"))
}

// A maker makes a document of parts.
type maker struct {
	*read.Document
	entries map[string]*entries // of lists, by their place and their keys
}

// entries are the places of a list's entries by the values of their keys.
type entries struct {
	of   map[string]int
	done int // of the entries are in it
}

func newMaker(d *read.Document) *maker { return &maker{d, map[string]*entries{}} }

// flat makes the document of set lines.
func flat(document *read.Document, text []byte) *posjson.Node {
	d, root := newMaker(document), &posjson.Node{Kind: posjson.Object}
	const mostLines = 1 << 18
	at, lines := int32(0), 0
	for line := range bytes.Lines(text) {
		words := wordsOf(line, at)
		at += int32(len(line))
		switch {
		case len(words) == 0 || strings.HasPrefix(words[0].text, "#") || strings.HasPrefix(words[0].text, "--{") || strings.HasPrefix(words[0].text, "A:"):
		case isSet(line):
			if lines++; lines > mostLines {
				d.Errorf(TooLarge, d.Between(words[0].start, words[0].end), "the file has more than %d lines", mostLines).Fixf("give the file of one switch at a time")
				return root
			}
			words[1].text, words[1].start = strings.TrimPrefix(words[1].text, "/"), words[1].start+1
			if words = words[1:]; words[0].text == "" {
				words = words[1:]
			}
			d.setLine(root, words)
		case len(words) <= 2 && (words[0].text == "enter" || words[0].text == "commit"):
		default:
			d.Errorf(Shape, d.Between(words[0].start, words[len(words)-1].end), "this line does not set a leaf, so its effect cannot be read from this file").
				Fixf("give the output of `info flat` or `info | as json` for the running configuration")
		}
	}
	return root
}

// nested is a line that begins a block of SR Linux alone: Junos names no port in such a line, and ends leaves with a semicolon.
var nested = regexp.MustCompile(`(?m)^(interface (ethernet-[0-9/]+|mgmt0|lag[0-9]+|irb[0-9]+|system0)|network-instance \S+) \{[ \t\r]*$`)

// info makes the document of what `info` prints: blocks in braces.
func info(document *read.Document, text []byte) *posjson.Node {
	d, root := newMaker(document), &posjson.Node{Kind: posjson.Object}
	type block struct {
		words []flatWord // from the root
		empty bool
	}
	stack, list := []block{{empty: true}}, []flatWord(nil)
	at, last := int32(0), flatWord{}
	for line := range bytes.Lines(text) {
		words := wordsOf(line, at)
		at += int32(len(line))
		if len(words) == 0 || strings.HasPrefix(words[0].text, "#") || strings.HasPrefix(words[0].text, "--{") || strings.HasPrefix(words[0].text, "A:") {
			continue
		}
		last = words[len(words)-1]
		top := &stack[len(stack)-1]
		full := func(more []flatWord) []flatWord { return slices.Concat(top.words, more) }
		switch {
		case list != nil:
			list = append(list, words...)
			if last.text == "]" {
				d.setLine(root, list)
				list = nil
			}
		case last.text == "{":
			if len(stack) > read.MaxDepth {
				d.tooDeep(last)
				return root
			}
			top.empty = false
			stack = append(stack, block{full(words[:len(words)-1]), true})
		case len(words) == 1 && last.text == "}" && len(stack) > 1:
			if top.empty {
				d.setLine(root, top.words)
			}
			stack = stack[:len(stack)-1]
		case last.text == "[":
			top.empty, list = false, full(words)
		default:
			top.empty = false
			d.setLine(root, full(words))
		}
	}
	if len(stack) > 1 || list != nil {
		d.Errorf(Shape, d.Between(last.start, last.end), "a block is open at the end of the file: it is cut off").Fixf("give the whole output of `info`")
	}
	return root
}

// wordsOf splits a line; a text in quotes is one word without them.
func wordsOf(line []byte, at int32) (words []flatWord) {
	for i := 0; i < len(line); {
		switch line[i] {
		case ' ', '\t', '\r', '\n':
			i++
			continue
		}
		start := i
		if line[i] == '"' {
			var text []byte
			for i++; i < len(line) && line[i] != '"'; i++ {
				if line[i] == '\\' && i+1 < len(line) {
					i++
				}
				text = append(text, line[i])
			}
			i = min(i+1, len(line))
			words = append(words, flatWord{strings.ToValidUTF8(string(text), "?"), at + int32(start), at + int32(i)})
			continue
		}
		for i < len(line) && !strings.ContainsRune(" \t\r\n", rune(line[i])) {
			i++
		}
		words = append(words, flatWord{strings.ToValidUTF8(string(line[start:i]), "?"), at + int32(start), at + int32(i)})
	}
	return words
}

// setLine puts the leaf of a line into the document.
func (d *maker) setLine(n *posjson.Node, words []flatWord) {
	path, place := "", ""
	for i, level := 0, 1; i < len(words); level++ {
		w := words[i]
		if level > read.MaxDepth {
			d.tooDeep(w)
			return
		}
		path = strings.TrimPrefix(path+" "+w.text, " ")
		place = below(place, w.text)
		rest := words[i+1:]
		keys := strings.Fields(keysOf[path])
		switch {
		case len(keys) > 0:
			used := 0
			if n, place, used = d.listEntry(member(n, w, posjson.Array), place, keys, rest); n == nil {
				d.Errorf(Shape, d.Between(w.start, words[len(words)-1].end), "the line names no entry of the list %s", posjson.Clip(w.text)).Fixf("give its keys: %s", strings.Join(keys, ", "))
				return
			}
			i += 1 + used
			continue
		case leafLists[path] || len(rest) > 1 && rest[0].text == "[":
			list := member(n, w, posjson.Array)
			for _, v := range rest {
				if v.text != "[" && v.text != "]" {
					list.Items = append(list.Items, text(v))
				}
			}
			return
		case len(rest) == 1 && keysOf[path+" "+rest[0].text] == "":
			d.leaf(n, path, w, rest[0])
			return
		}
		n = member(n, w, posjson.Object)
		i++
	}
}

func (d *maker) tooDeep(w flatWord) {
	d.Errorf(TooLarge, d.Between(w.start, w.end), "the path has more than %d levels", read.MaxDepth).Fixf("give the output of the device, which has fewer")
}

func text(w flatWord) posjson.Node {
	return posjson.Node{Kind: posjson.Text, Text: w.text, Start: w.start, End: w.end}
}

// member returns the value of a name, which is made where it is not there. One that a line had for a
// leaf, since it could not know better, becomes what a later line says.
func member(n *posjson.Node, w flatWord, kind posjson.Kind) *posjson.Node {
	i := n.Find(w.text)
	if i < 0 {
		i = len(n.Members)
		n.Add(posjson.Member{Key: w.text, Start: w.start, End: w.end, Value: posjson.Node{Kind: kind, Start: w.start, End: w.end}})
	}
	v := &n.Members[i].Value
	if v.Kind != kind && v.Kind == posjson.Text {
		was := *v
		*v = posjson.Node{Kind: kind, Start: was.Start, End: was.End}
		if kind == posjson.Object {
			v.Members = []posjson.Member{{Key: was.Text, Start: was.Start, End: was.End, Value: posjson.Node{Kind: posjson.Object, Start: was.Start, End: was.End}}}
		}
	}
	return v
}

// leaf gives a leaf its value. A second value is another entry of a list where no reader knows which
// lists there are, and elsewhere an error.
func (d *maker) leaf(n *posjson.Node, path string, name, value flatWord) {
	switch i := n.Find(name.text); {
	case i < 0:
		n.Add(posjson.Member{Key: name.text, Start: name.start, End: name.end, Value: text(value)})
	case n.Members[i].Value.Kind == posjson.Text && mayBeList(path):
		if was := n.Members[i].Value; was.Text != value.text {
			n.Members[i].Value = posjson.Node{Kind: posjson.Object, Start: was.Start, End: was.End, Members: []posjson.Member{entry(was), entry(text(value))}}
		}
	case n.Members[i].Value.Kind == posjson.Text:
		if n.Members[i].Value.Text != value.text {
			d.Errorf(Duplicate, d.Between(name.start, value.end), "%q is given a second value", posjson.Clip(name.text)).Fixf("remove one of the two lines")
		}
	default:
		if of := &n.Members[i].Value; of.Find(value.text) < 0 {
			of.Add(entry(text(value)))
		}
	}
}

// entry is an entry of a list that is known by its name alone.
func entry(name posjson.Node) posjson.Member {
	return posjson.Member{Key: name.Text, Start: name.Start, End: name.End, Value: name}
}

// mayBeList reports whether a name can be that of a list that [keysOf] does not have: "network-instance
// default interface" is one. Of what the reader looks into all lists are known.
func mayBeList(path string) bool {
	words := strings.Fields(path)
	known := words[0] == "qos" || words[0] == "interface" && !slices.Contains(words, "subinterface")
	return !known && !strings.HasSuffix(path, "mtu")
}

// listEntry finds or makes the entry of a list with the keys that a line gives, says its place and
// counts their words; nil where one is missing.
func (d *maker) listEntry(list *posjson.Node, place string, keys []string, rest []flatWord) (entry *posjson.Node, at string, used int) {
	var values []flatWord
	var texts []string
	for k, key := range keys {
		if used < len(rest) && rest[used].text == key && (k > 0 || len(keys) > 1) {
			used++
		}
		if used >= len(rest) {
			return nil, "", 0
		}
		values, texts = append(values, rest[used]), append(texts, rest[used].text)
		used++
	}
	if list.Kind != posjson.Array {
		return nil, "", 0
	}
	known, id := d.entriesOf(list, place, keys), joinedKeys(texts)
	at = below(place, id)
	if i, ok := known.of[id]; ok {
		return &list.Items[i], at, used
	}
	own := posjson.Node{Kind: posjson.Object, Start: values[0].start, End: values[len(values)-1].end}
	for k, key := range keys {
		own.Add(posjson.Member{Key: key, Start: values[k].start, End: values[k].end, Value: text(values[k])})
	}
	list.Items = append(list.Items, own)
	return &list.Items[len(list.Items)-1], at, used
}

// entriesOf indexes the entries of a list that came since it was last asked.
func (d *maker) entriesOf(list *posjson.Node, place string, keys []string) *entries {
	name := below(place, joinedKeys(keys))
	known := d.entries[name]
	if known == nil {
		known = &entries{of: map[string]int{}}
		d.entries[name] = known
	}
	for ; known.done < len(list.Items); known.done++ {
		var texts []string
		for _, key := range keys {
			if v := list.Items[known.done].Get(key); v != nil {
				texts = append(texts, v.Text)
			}
		}
		id := joinedKeys(texts)
		if _, ok := known.of[id]; !ok && len(texts) == len(keys) {
			known.of[id] = known.done
		}
	}
	return known
}

// below is a place below another one.
func below(place, name string) string { return place + "\x00" + name }

func joinedKeys(texts []string) string { return strings.Join(texts, "\x00") }
