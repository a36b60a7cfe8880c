package dcb

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sort"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
)

// Bounds on a file. All that dcb prints of a NIC are some kilobytes, three levels deep.
const (
	maxSize  = 1 << 20
	maxDepth = 16
)

// A node is a JSON value with its place.
type node struct {
	at      diag.Range
	value   any // string, bool, json.Number or nil; of an object and an array nothing
	members []member
	items   []node
	array   bool
	object  bool
}

type member struct {
	key   string
	value node
}

// A scanner reads JSON values, one after another. encoding/json does the reading and
// tells where each token ends; the start is found by stepping over what lies between.
type scanner struct {
	file  string
	src   []byte
	dec   *json.Decoder
	lines []int // offset of the start of each line
	found *diag.List
}

func newScanner(file string, src []byte, found *diag.List) *scanner {
	s := &scanner{file: file, src: src, dec: json.NewDecoder(bytes.NewReader(src)), lines: []int{0}, found: found}
	s.dec.UseNumber()
	for i, c := range src {
		if c == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	return s
}

// pos is a place as [diag.Range] counts. Columns count characters: dcb prints ASCII.
func (s *scanner) pos(offset int) hcl.Pos {
	line := sort.SearchInts(s.lines, offset+1) - 1
	return hcl.Pos{Line: line + 1, Column: utf8.RuneCount(s.src[s.lines[line]:offset]) + 1, Byte: offset}
}

func (s *scanner) rangeOf(from, to int) diag.Range {
	return diag.Range{Filename: s.file, Start: s.pos(from), End: s.pos(to)}
}

// start is where the next token begins.
func (s *scanner) start() int {
	i := int(s.dec.InputOffset())
	for i < len(s.src) && bytes.IndexByte([]byte(" \t\r\n,:"), s.src[i]) >= 0 {
		i++
	}
	return i
}

// next reads one value. It returns false at the end of the text and after a fault.
func (s *scanner) next() (node, bool) {
	from := s.start()
	token, err := s.dec.Token()
	if errors.Is(err, io.EOF) && from >= len(s.src) {
		return node{}, false
	}
	return s.value(token, err, from, 0)
}

func (s *scanner) value(token json.Token, err error, from, depth int) (node, bool) {
	if err != nil {
		return node{}, s.fail(from, err)
	}
	n := node{value: token}
	delim, open := token.(json.Delim)
	if !open {
		n.at = s.rangeOf(from, int(s.dec.InputOffset()))
		return n, true
	}
	if depth == maxDepth {
		s.found.Errorf(JSON, s.rangeOf(from, from+1), "values are nested deeper than %d levels", maxDepth)
		return n, false
	}
	n.value, n.array, n.object = nil, delim == '[', delim == '{'
	for s.dec.More() {
		ok := true
		if n.object {
			ok = s.member(&n, depth)
		} else {
			ok = s.item(&n, depth)
		}
		if !ok {
			return n, false
		}
	}
	if _, err := s.dec.Token(); err != nil {
		return n, s.fail(s.start(), err)
	}
	n.at = s.rangeOf(from, int(s.dec.InputOffset()))
	return n, true
}

func (s *scanner) member(n *node, depth int) bool {
	from := s.start()
	key, err := s.dec.Token()
	if err != nil {
		return s.fail(from, err)
	}
	name, _ := key.(string) // the decoder admits nothing else here
	from = s.start()
	token, err := s.dec.Token()
	value, ok := s.value(token, err, from, depth+1)
	n.members = append(n.members, member{name, value})
	return ok
}

func (s *scanner) item(n *node, depth int) bool {
	from := s.start()
	token, err := s.dec.Token()
	value, ok := s.value(token, err, from, depth+1)
	n.items = append(n.items, value)
	return ok
}

func (s *scanner) fail(at int, err error) bool {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at = min(max(int(syntax.Offset)-1, 0), len(s.src))
	}
	at = min(at, len(s.src))
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		at = len(s.src)
		err = errors.New("the file ends within a value")
	}
	s.found.Errorf(JSON, s.rangeOf(at, min(at+1, len(s.src))), "this is not JSON: %v", err).
		Fixf("give what `dcb -j` printed, unchanged")
	return false
}
