package threshold

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// node is a JSON value that remembers its place, so that a complaint about it can name line and
// column.
type node struct {
	offset  int    // of its first byte
	raw     []byte // the value as written
	members []member
	items   []node
}

type member struct {
	key    string
	offset int
	value  node
}

func (n *node) isObject() bool { return n.raw[0] == '{' }
func (n *node) isArray() bool  { return n.raw[0] == '[' }
func (n *node) isNull() bool   { return n.raw[0] == 'n' }

// maxDepth bounds the recursion; the form is five deep.
const maxDepth = 32

// parser builds a tree with the tokens of encoding/json.
type parser struct {
	text    []byte
	decoder *json.Decoder
}

// Problem is a fault of the input file, at a place.
type Problem struct {
	// Line and Column count from 1, columns in bytes.
	Line, Column int
	// Path is the place in the document, such as [3].config.pg.
	Path    string
	Message string
}

func (p Problem) Error() string {
	if p.Path == "" {
		return fmt.Sprintf("%d:%d: %s", p.Line, p.Column, p.Message)
	}
	return fmt.Sprintf("%d:%d: %s: %s", p.Line, p.Column, p.Path, p.Message)
}

// problemAt places a message at a byte of the text.
func problemAt(text []byte, offset int, path, format string, args ...any) Problem {
	before := text[:min(offset, len(text))]
	return Problem{
		Line:   1 + bytes.Count(before, []byte("\n")),
		Column: len(before) - bytes.LastIndexByte(before, '\n'),
		Path:   path, Message: fmt.Sprintf(format, args...),
	}
}

// parse reads one JSON document. The error is a [Problem].
func parse(text []byte) (node, error) {
	p := parser{text, json.NewDecoder(bytes.NewReader(text))}
	p.decoder.UseNumber()
	root, err := p.value(0)
	if err == nil {
		if at := p.next(); at < len(text) {
			err = problemAt(text, at, "", "something follows the end of the document")
		}
	}
	return root, err
}

// next skips to where the next token begins.
func (p *parser) next() int {
	at := int(p.decoder.InputOffset())
	for at < len(p.text) && bytes.IndexByte([]byte(" \t\r\n,:"), p.text[at]) >= 0 {
		at++
	}
	return at
}

func (p *parser) token() (json.Token, int, error) {
	at := p.next()
	token, err := p.decoder.Token()
	if err == nil {
		return token, at, nil
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, at, problemAt(p.text, len(p.text), "", "not JSON: the document ends too early")
	}
	return nil, at, problemAt(p.text, at, "", "not JSON: %s", err)
}

func (p *parser) value(depth int) (node, error) {
	token, at, err := p.token()
	n := node{offset: at}
	switch {
	case err != nil:
	case depth > maxDepth:
		err = problemAt(p.text, at, "", "nested more than %d deep", maxDepth)
	case token == json.Delim('{'):
		err = p.object(&n, depth)
	case token == json.Delim('['):
		err = p.array(&n, depth)
	}
	if err != nil {
		return node{}, err
	}
	n.raw = p.text[at:p.decoder.InputOffset()]
	return n, nil
}

func (p *parser) object(n *node, depth int) error {
	for p.decoder.More() {
		key, at, err := p.token()
		if err != nil {
			return err
		}
		value, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.members = append(n.members, member{key.(string), at, value})
	}
	_, _, err := p.token()
	return err
}

func (p *parser) array(n *node, depth int) error {
	for p.decoder.More() {
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.items = append(n.items, item)
	}
	_, _, err := p.token()
	return err
}
