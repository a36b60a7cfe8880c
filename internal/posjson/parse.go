package posjson

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
)

// A Dialect describes a reader's files: their bounds and the codes of their findings.
type Dialect struct {
	MaxSize  int // bytes
	MaxDepth int // levels of objects and arrays
	MaxNodes int // values
	// Key gives the name of a member from how it is written; nil: as written.
	Key func(string) string

	Invalid, TooLarge, TooDeep, Duplicate, InvalidUTF8 diag.Code
}

// A Reporter takes what is found. A [diag.List] is one.
type Reporter interface {
	Errorf(code diag.Code, at diag.Range, format string, args ...any) *diag.Diagnostic
}

// Parse reads a file that is one document. The node is nil after a fault that leaves no
// document.
func (d *Dialect) Parse(name string, src []byte, found Reporter) (*File, *Node) {
	s := d.scanner(name, src, found)
	var root Node
	if s == nil {
		return &File{Name: name, lines: []int32{0}}, nil
	}
	if !s.value(&root, 0) {
		return s.file, nil
	}
	s.space()
	if s.at < len(s.src) {
		s.fail(d.Invalid, "remove what follows the end of the document", "the document ends before this %s", s.here())
		return s.file, nil
	}
	return s.file, &root
}

// ParseAll reads documents one after another, up to the first fault.
func (d *Dialect) ParseAll(name string, src []byte, found Reporter) (*File, []Node) {
	s := d.scanner(name, src, found)
	if s == nil {
		return &File{Name: name, lines: []int32{0}}, nil
	}
	var all []Node
	for s.space(); s.at < len(s.src); s.space() {
		var n Node
		if !s.value(&n, 0) {
			break
		}
		all = append(all, n)
	}
	return s.file, all
}

// A scanner is a JSON parser that knows where it is.
type scanner struct {
	*Dialect
	file  *File
	src   string
	at    int
	nodes int
	found Reporter
	open  []Member // of the objects and arrays that have begun
	free  []Member // space for members of the next objects
}

// scanner returns nil where the file is too large.
func (d *Dialect) scanner(name string, src []byte, found Reporter) *scanner {
	s := &scanner{Dialect: d, file: &File{Name: name, lines: []int32{0}}, found: found}
	if len(src) > d.MaxSize {
		found.Errorf(d.TooLarge, s.file.Between(0, 0), "the file has %d bytes; more than %d are not read", len(src), d.MaxSize).Fixf("give roceplan the file of one switch at a time")
		return nil
	}
	s.src = string(src)
	const mark = "\ufeff" // editors of Windows put it there, and SONiC's reader skips it
	if strings.HasPrefix(s.src, mark) {
		s.at = len(mark)
		s.file.widen(int32(s.at), int32(s.at))
	}
	return s
}

// fail reports a fault at the present place, with what to change, and says that parsing
// cannot go on.
func (s *scanner) fail(code diag.Code, fix, format string, args ...any) bool {
	end := s.at
	if s.at < len(s.src) {
		_, size := utf8.DecodeRuneInString(s.src[s.at:])
		end += size
	}
	at := s.file.Between(int32(s.at), int32(end))
	at.End.Column = min(at.End.Column, at.Start.Column+1)
	s.found.Errorf(code, at, format, args...).Fix = fix
	return false
}

// here describes the text at the present place.
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
			s.file.lines = append(s.file.lines, int32(s.at+1))
		case ' ', '\t', '\r':
		default:
			return
		}
		s.at++
	}
}

// value reads one value into n and reports whether parsing can go on.
func (s *scanner) value(n *Node, depth int) bool {
	s.space()
	n.Start = int32(s.at)
	if s.at >= len(s.src) {
		return s.fail(s.Invalid, "give the whole file: its end is missing", "the file ends where a value is expected")
	}
	if s.nodes++; s.nodes > s.MaxNodes {
		return s.fail(s.TooLarge, "give the file of one device at a time", "there are more than %d values", s.MaxNodes)
	}
	ok := true
	switch c := s.src[s.at]; {
	case (c == '{' || c == '[') && depth >= s.MaxDepth:
		return s.fail(s.TooDeep, "remove the innermost values: no device writes so many levels", "values are nested deeper than %d levels", s.MaxDepth)
	case c == '{':
		n.Kind = Object
		ok = s.object(n, depth)
	case c == '[':
		n.Kind = Array
		ok = s.array(n, depth)
	case c == '"':
		n.Kind = Text
		n.Text, ok = s.string()
	default:
		n.Kind = Other
		n.Text, ok = s.literal()
	}
	n.End = int32(s.at)
	return ok
}

func (s *scanner) object(n *Node, depth int) bool {
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

func (s *scanner) member(depth int) (m Member, ok bool) {
	s.space()
	if s.at >= len(s.src) || s.src[s.at] != '"' {
		return m, s.fail(s.Invalid, "write the key in double quotes, or remove the comma before", "a key in double quotes is expected, not %s", s.here())
	}
	m.Start = int32(s.at)
	if m.Key, ok = s.string(); !ok {
		return m, false
	}
	m.End = int32(s.at)
	if s.Key != nil {
		m.Key = s.Key(m.Key)
	}
	s.space()
	if s.at >= len(s.src) || s.src[s.at] != ':' {
		return m, s.fail(s.Invalid, "write a colon and a value", "a colon is expected after the key %q, not %s", Clip(m.Key), s.here())
	}
	s.at++
	ok = s.value(&m.Value, depth+1)
	return m, ok
}

// close gives an object the members that are open since base, each key once.
func (s *scanner) close(n *Node, base int) {
	all := s.open[base:]
	n.Members = s.room(len(all))
	for i := range all {
		m := &all[i]
		if first := n.Find(m.Key); first >= 0 {
			old := &n.Members[first]
			s.found.Errorf(s.Duplicate, s.file.KeyAt(m), "the key %q occurs twice in one object, and the last value counts", Clip(m.Key)).
				Fixf("remove one of the two").Notef(s.file.KeyAt(old), "the first one")
			*old = *m
			continue
		}
		n.Add(*m)
	}
	s.open = s.open[:base]
}

// room returns an empty slice with space for n members, cut from a larger piece:
// ConfigDB has thousands of rows with one or two fields.
func (s *scanner) room(n int) []Member {
	const piece = 256
	if n > len(s.free) {
		if n > piece/4 {
			return make([]Member, 0, n)
		}
		s.free = make([]Member, piece)
	}
	room := s.free[:0:n]
	s.free = s.free[n:]
	return room
}

// more steps over a comma or the closing bracket.
func (s *scanner) more(closing byte, any bool) (done, ok bool) {
	if s.at >= len(s.src) {
		return false, s.fail(s.Invalid, "give the whole file: its end is missing", "the file ends where %q or more is expected", closing)
	}
	if s.src[s.at] == closing {
		s.at++
		return true, true
	}
	if !any {
		return false, true
	}
	if s.src[s.at] != ',' {
		return false, s.fail(s.Invalid, "write a comma between values", "a comma or %q is expected, not %s", closing, s.here())
	}
	s.at++
	return false, true
}

func (s *scanner) array(n *Node, depth int) bool {
	s.at++
	base := len(s.open)
	for {
		s.space()
		done, ok := s.more(']', len(s.open) > base)
		if !ok {
			return false
		}
		if done {
			n.Items = make([]Node, len(s.open)-base)
			for i := range n.Items {
				n.Items[i] = s.open[base+i].Value
			}
			s.open = s.open[:base]
			return true
		}
		var item Member
		if !s.value(&item.Value, depth+1) {
			return false
		}
		s.open = append(s.open, item)
	}
}

func (s *scanner) literal() (string, bool) {
	from := s.at
	for s.at < len(s.src) && (strings.IndexByte("+-.", s.src[s.at]) >= 0 || alphanumeric(s.src[s.at])) {
		s.at++
	}
	word := s.src[from:s.at]
	if !json.Valid([]byte(word)) {
		s.at = from
		return "", s.fail(s.Invalid, "write a value, or remove the comma before", "a value is expected, not %s", s.here())
	}
	return word, true
}

func alphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// columns counts grapheme clusters.
func columns(token string) int {
	scan := hcl.NewRangeScanner([]byte(token), "", func(data []byte, _ bool) (int, []byte, error) { return len(data), data, nil })
	if !scan.Scan() {
		return len(token)
	}
	return scan.Range().End.Column - 1
}

// Clip shortens a text of the file for a message.
//
//go:noinline
func Clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
