package openconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
)

// Bounds on a document. One of a chassis with 5,000 ports has some 10 MB, and the
// models nest some 20 levels.
const (
	maxSize     = 64 << 20 // bytes
	maxDepth    = 64       // levels
	maxNodes    = 2 << 20  // values
	maxFindings = 1000
	blockSize   = 4096 // bytes
)

// A node is a JSON value with its place in bytes. Exactly one of members, items and
// text is meant, by kind: '{', '[', '"' or '1' for every other scalar.
type node struct {
	kind       byte
	start, end int
	text       string
	members    []member
	items      []*node
}

type member struct {
	name  string // without the module
	start int
	value *node
}

// get follows names from object to object, nil where one is missing.
func (n *node) get(path ...string) *node {
	for _, name := range path {
		if n == nil {
			return nil
		}
		var next *node
		for i := range n.members {
			if n.members[i].name == name {
				next = n.members[i].value
			}
		}
		n = next
	}
	return n
}

// A document is the text of a file with the places of its lines.
type document struct {
	file  string
	src   []byte
	lines []int // offsets of their first bytes
	runes []int // before each block
	nodes int
	list  diag.List
}

// at is the place of a node; the start of the file where there is none.
func (d *document) at(n *node) diag.Range {
	if n == nil {
		return diag.Range{Filename: d.file, Start: hcl.InitialPos, End: hcl.InitialPos}
	}
	return d.between(n.start, n.end)
}

func (d *document) between(start, end int) diag.Range {
	return diag.Range{Filename: d.file, Start: d.pos(start), End: d.pos(end)}
}

func (d *document) pos(at int) hcl.Pos {
	line := sort.SearchInts(d.lines, at+1)
	start := 0
	if line > 0 {
		start = d.lines[line-1]
	}
	return hcl.Pos{Line: max(line, 1), Column: 1 + d.runesTo(at) - d.runesTo(start), Byte: at}
}

// runesTo counts the runes that begin before a byte. Documents may be a single line of
// megabytes, so only the last block of the text is counted anew.
func (d *document) runesTo(at int) (n int) {
	at = min(at, len(d.src))
	from := 0
	if block := at / blockSize; block < len(d.runes) {
		n, from = d.runes[block], block*blockSize
	}
	for _, c := range d.src[from:at] {
		if utf8.RuneStart(c) {
			n++
		}
	}
	return n
}

// count notes where lines begin, and how many runes lie before each block.
func (d *document) count() {
	d.lines = []int{0}
	total := 0
	for i, c := range d.src {
		if i%blockSize == 0 {
			d.runes = append(d.runes, total)
		}
		if utf8.RuneStart(c) {
			total++
		}
		if c == '\n' {
			d.lines = append(d.lines, i+1)
		}
	}
	d.runes = append(d.runes, total)
}

// parse reads the whole text, nil where it is not a document.
func (d *document) parse() *node {
	if len(d.src) > maxSize {
		d.list.Errorf(TooLarge, d.at(nil), "the file has %d bytes; more than %d are not read", len(d.src), maxSize)
		return nil
	}
	d.count()
	if !utf8.Valid(d.src) {
		bad := len(d.src) - len(bytes.TrimLeftFunc(d.src, func(r rune) bool { return r != utf8.RuneError }))
		d.list.Errorf(JSON, d.between(bad, min(bad+1, len(d.src))), "the text is not UTF-8 from here on")
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(d.src))
	dec.UseNumber()
	n := d.value(dec, 0)
	if n != nil {
		if _, err := dec.Token(); !errors.Is(err, io.EOF) {
			d.list.Errorf(JSON, d.between(n.end, min(n.end+1, len(d.src))), "something follows the document")
			return nil
		}
	}
	return n
}

// value reads one value, nil after a fault.
func (d *document) value(dec *json.Decoder, depth int) *node {
	token, err := dec.Token()
	end := int(dec.InputOffset())
	if err != nil {
		return d.broken(err, end)
	}
	if d.nodes++; d.nodes > maxNodes {
		d.list.Errorf(TooLarge, d.between(end-1, end), "there are more than %d values", maxNodes)
		return nil
	}
	if depth > maxDepth {
		d.list.Errorf(TooLarge, d.between(end-1, end), "values are nested deeper than %d levels", maxDepth)
		return nil
	}
	switch t := token.(type) {
	case json.Delim:
		n := &node{kind: byte(t), start: end - 1}
		if t == '{' {
			return d.object(dec, n, depth)
		}
		return d.array(dec, n, depth)
	case string:
		return &node{kind: '"', start: d.startOf(end), end: end, text: t}
	case json.Number:
		return &node{kind: '1', start: end - len(t), end: end, text: string(t)}
	case bool:
		text := map[bool]string{true: "true", false: "false"}[t]
		return &node{kind: '1', start: end - len(text), end: end, text: text}
	}
	return &node{kind: '1', start: end - len("null"), end: end, text: "null"}
}

// broken reports a fault of syntax.
func (d *document) broken(err error, at int) *node {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at = int(syntax.Offset) - 1
	}
	at = min(max(at, 0), len(d.src))
	d.list.Errorf(JSON, d.between(at, min(at+1, len(d.src))), "not JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
	return nil
}

// startOf finds the quote that opens the string which ends before a byte.
func (d *document) startOf(end int) int {
	for i := end - 2; i > 0; i-- {
		if d.src[i] != '"' {
			continue
		}
		slashes := 0
		for d.src[i-1-slashes] == '\\' && i-1-slashes > 0 {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
	}
	return 0
}

func (d *document) object(dec *json.Decoder, n *node, depth int) *node {
	have := map[string]bool{}
	for dec.More() {
		key := d.value(dec, depth+1)
		if key == nil {
			return nil
		}
		v := d.value(dec, depth+1)
		if v == nil {
			return nil
		}
		name := key.text
		if have[name] {
			d.report(Duplicate, d.at(key), "the member %q stands twice in one object", clip(name))
		}
		have[name] = true
		if _, bare, ok := strings.Cut(name, ":"); ok {
			name = bare
		}
		n.members = append(n.members, member{name, key.start, v})
	}
	return d.closed(dec, n)
}

func (d *document) array(dec *json.Decoder, n *node, depth int) *node {
	for dec.More() {
		v := d.value(dec, depth+1)
		if v == nil {
			return nil
		}
		n.items = append(n.items, v)
	}
	return d.closed(dec, n)
}

// closed reads the bracket that ends an object or array.
func (d *document) closed(dec *json.Decoder, n *node) *node {
	_, err := dec.Token()
	if n.end = int(dec.InputOffset()); err != nil {
		return d.broken(err, n.end)
	}
	return n
}

// report adds an error, up to a number that nobody reads.
func (d *document) report(code diag.Code, at diag.Range, format string, args ...any) {
	if len(d.list) < maxFindings {
		d.list.Errorf(code, at, format, args...)
	}
}

func clip(s string) string {
	if len(s) > 80 {
		s = strings.ToValidUTF8(s[:80], "") + "…"
	}
	return s
}
