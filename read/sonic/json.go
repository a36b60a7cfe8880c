package sonic

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/roceplan/roceplan/diag"
)

// Bounds on a file. The ConfigDB of the largest chassis has some megabytes and four
// levels of nesting.
const (
	maxSize  = 16 << 20 // bytes
	maxDepth = 32       // levels
)

// kind is the sort of a JSON value.
type kind uint8

const (
	object kind = iota
	array
	text
	other // number, true, false or null, as spelt
)

// pos is a place in the file, as [diag.Range] counts.
type pos struct{ line, column, byte int32 }

// A node is a JSON value with its place. Of arrays nothing is kept: no value that
// matters here is one.
type node struct {
	kind       kind
	start, end pos
	text       string // of text and other
	members    []member
	index      map[string]int // of members by key, where they are many
}

// A member is a field of an object. A key that occurs twice is kept once, with the
// last value, as every JSON library that SONiC uses does.
type member struct {
	key        string
	start, end pos // of the key
	value      node
}

// get returns the value of a key, nil where there is none.
func (n *node) get(key string) *node {
	if i := n.find(key); i >= 0 {
		return &n.members[i].value
	}
	return nil
}

// find returns the place of a key among the members, -1 where there is none.
func (n *node) find(key string) int {
	if n.index != nil {
		if i, ok := n.index[key]; ok {
			return i
		}
		return -1
	}
	for i := range n.members {
		if n.members[i].key == key {
			return i
		}
	}
	return -1
}

// A scanner is a JSON parser that knows where it is. encoding/json tells neither
// places nor duplicate keys.
type scanner struct {
	file  string
	src   string
	at    int
	line  int32
	start int // first byte of the line
	wide  int // bytes of the line before at that do not begin a column
	found *findings
	open  []member // of the objects that have begun
	free  []member // space for members of the next objects
}

// parse reads a document. It returns nil after a fault that leaves no document.
func parse(file string, src []byte, found *findings) *node {
	s := &scanner{file: file, line: 1, found: found}
	if len(src) > maxSize {
		found.Errorf(TooLarge, s.rangeOf(s.pos(), s.pos()), "the file has %d bytes; more than %d are not read", len(src), maxSize)
		return nil
	}
	s.src = string(src)
	var root node
	if !s.value(&root, 0) {
		return nil
	}
	s.space()
	if s.at < len(s.src) {
		s.fail(JSONInvalid, "the document ends before this %s", s.here())
		return nil
	}
	return &root
}

func (s *scanner) pos() pos {
	return pos{s.line, int32(s.at - s.start - s.wide + 1), int32(s.at)}
}

func (s *scanner) rangeOf(start, end pos) diag.Range { return rangeIn(s.file, start, end) }

func rangeIn(file string, start, end pos) diag.Range {
	return diag.Range{Filename: file, Start: start.hcl(), End: end.hcl()}
}

func (p pos) hcl() hcl.Pos {
	return hcl.Pos{Line: int(p.line), Column: int(p.column), Byte: int(p.byte)}
}

// fail reports a fault at the present place and says that parsing cannot go on.
func (s *scanner) fail(code diag.Code, format string, args ...any) bool {
	start := s.pos()
	end := start
	if s.at < len(s.src) {
		_, size := utf8.DecodeRuneInString(s.src[s.at:])
		end.column++
		end.byte += int32(size)
	}
	s.found.Errorf(code, s.rangeOf(start, end), format, args...)
	return false
}

// here says what stands at the present place.
func (s *scanner) here() string {
	if s.at >= len(s.src) {
		return "end of the file"
	}
	r, _ := utf8.DecodeRuneInString(s.src[s.at:])
	return fmt.Sprintf("%q", r)
}

func (s *scanner) space() {
	for s.at < len(s.src) {
		switch s.src[s.at] {
		case '\n':
			s.line++
			s.start, s.wide = s.at+1, 0
		case ' ', '\t', '\r':
		default:
			return
		}
		s.at++
	}
}

// value reads one value into n and tells whether parsing can go on.
func (s *scanner) value(n *node, depth int) bool {
	s.space()
	n.start = s.pos()
	if s.at >= len(s.src) {
		return s.fail(JSONInvalid, "the file ends where a value is wanted")
	}
	ok := true
	switch c := s.src[s.at]; {
	case (c == '{' || c == '[') && depth >= maxDepth:
		return s.fail(TooDeep, "objects are nested deeper than %d levels", maxDepth)
	case c == '{':
		n.kind = object
		ok = s.object(n, depth)
	case c == '[':
		n.kind = array
		ok = s.array(depth)
	case c == '"':
		n.kind = text
		n.text, ok = s.string()
	default:
		n.kind = other
		n.text, ok = s.literal()
	}
	n.end = s.pos()
	return ok
}

func (s *scanner) object(n *node, depth int) bool {
	s.at++
	base := len(s.open)
	for {
		s.space()
		done, ok := s.more('}', len(s.open) > base)
		if !ok {
			return false
		}
		if done {
			s.close(n, base)
			return true
		}
		m, ok := s.member(depth)
		if !ok {
			return false
		}
		s.open = append(s.open, m)
	}
}

func (s *scanner) member(depth int) (m member, ok bool) {
	s.space()
	if s.at >= len(s.src) || s.src[s.at] != '"' {
		return m, s.fail(JSONInvalid, "a key in double quotes is wanted, not %s", s.here())
	}
	m.start = s.pos()
	if m.key, ok = s.string(); !ok {
		return m, false
	}
	m.end = s.pos()
	s.space()
	if s.at >= len(s.src) || s.src[s.at] != ':' {
		return m, s.fail(JSONInvalid, "a colon is wanted after the key %q, not %s", clip(m.key), s.here())
	}
	s.at++
	return m, s.value(&m.value, depth+1)
}

// close gives an object the members that are open since base, each key once.
func (s *scanner) close(n *node, base int) {
	const few = 16
	all := s.open[base:]
	n.members = s.room(len(all))
	if len(all) > few {
		n.index = make(map[string]int, len(all))
	}
	for i := range all {
		m := &all[i]
		if first := n.find(m.key); first >= 0 {
			old := &n.members[first]
			s.found.Errorf(DuplicateKey, s.rangeOf(m.start, m.end), "the key %q stands twice in one object; SONiC takes the last", clip(m.key)).
				Fixf("remove one of the two").Notef(s.rangeOf(old.start, old.end), "the first one")
			*old = *m
			continue
		}
		if n.index != nil {
			n.index[m.key] = len(n.members)
		}
		n.members = append(n.members, *m)
	}
	s.open = s.open[:base]
}

// room returns an empty slice with space for n members, cut from a larger piece:
// ConfigDB has thousands of rows with one or two fields.
func (s *scanner) room(n int) []member {
	const piece = 256
	if n > len(s.free) {
		if n > piece/4 {
			return make([]member, 0, n)
		}
		s.free = make([]member, piece)
	}
	room := s.free[:0:n]
	s.free = s.free[n:]
	return room
}

// more steps over a comma or the closing bracket.
func (s *scanner) more(closing byte, any bool) (done, ok bool) {
	if s.at >= len(s.src) {
		return false, s.fail(JSONInvalid, "the file ends where %q or more is wanted", closing)
	}
	if s.src[s.at] == closing {
		s.at++
		return true, true
	}
	if !any {
		return false, true
	}
	if s.src[s.at] != ',' {
		return false, s.fail(JSONInvalid, "a comma or %q is wanted, not %s", closing, s.here())
	}
	s.at++
	return false, true
}

func (s *scanner) array(depth int) bool {
	s.at++
	for count := 0; ; count++ {
		s.space()
		if done, ok := s.more(']', count > 0); done || !ok {
			return ok
		}
		var item node
		if !s.value(&item, depth+1) {
			return false
		}
	}
}

// string reads a string in quotes. Its text is a part of the source where there is
// nothing to decode.
func (s *scanner) string() (string, bool) {
	start, from := s.pos(), s.at
	escaped, wide := false, false
	for s.at++; s.at < len(s.src); s.at++ {
		switch c := s.src[s.at]; {
		case c == '"':
			s.at++
			return s.decode(start, s.src[from:s.at], escaped, wide)
		case c == '\\':
			escaped = true
			s.at++
		case c < ' ':
			return "", s.fail(JSONInvalid, "a string holds the control character %q, which has to be escaped", c)
		case c >= utf8.RuneSelf:
			wide = true
		}
	}
	s.at = from
	return "", s.fail(JSONInvalid, "the file ends within this string")
}

func (s *scanner) decode(start pos, quoted string, escaped, wide bool) (string, bool) {
	value := quoted[1 : len(quoted)-1]
	if wide {
		s.wide += len(quoted) - columns(quoted)
		if !utf8.ValidString(value) {
			s.found.Errorf(InvalidUTF8, s.rangeOf(start, s.pos()), "the string is not valid UTF-8")
			value = strings.ToValidUTF8(value, "\uFFFD")
			quoted = `"` + value + `"`
		}
	}
	if escaped {
		return s.unescape(start, quoted)
	}
	return value, true
}

// unescape is apart so that only escaped strings are copied.
func (s *scanner) unescape(start pos, quoted string) (value string, ok bool) {
	if err := json.Unmarshal([]byte(quoted), &value); err != nil {
		s.found.Errorf(JSONInvalid, s.rangeOf(start, s.pos()), "the string cannot be decoded: %v", err)
		return "", false
	}
	return value, true
}

// columns counts grapheme clusters.
func columns(token string) int {
	scan := hcl.NewRangeScanner([]byte(token), "", func(data []byte, _ bool) (int, []byte, error) { return len(data), data, nil })
	if !scan.Scan() {
		return len(token)
	}
	return scan.Range().End.Column - 1
}

func (s *scanner) literal() (string, bool) {
	from := s.at
	for s.at < len(s.src) && (strings.IndexByte("+-.", s.src[s.at]) >= 0 || alphanumeric(s.src[s.at])) {
		s.at++
	}
	word := s.src[from:s.at]
	if !json.Valid([]byte(word)) {
		s.at = from
		return "", s.fail(JSONInvalid, "a value is wanted, not %s", s.here())
	}
	return word, true
}

func alphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// clip shortens a text of the file for a message.
func clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
