// Package resp speaks RESP, the protocol of Redis, in its version 2, as a client that does not
// trust the server (Redis documentation, "Redis serialization protocol specification").
//
// A length that the server declares is a promise and no reason to take memory: texts and lists
// grow as their bytes arrive, and every bound is checked before what it bounds is read. How long
// a reply may take is for the deadline of the connection.
package resp

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// Bounds of what a server may send. A reply beyond one of them is an error.
type Bounds struct {
	Text     int // bytes of one text
	Elements int // of one reply, those of lists in lists included
	Depth    int // of lists in lists; 1: a list of texts
	Total    int // bytes of memory of all replies of a Reader together, see [Reader.Charge]
}

// mostLine is the bytes of a simple text, an error or a number, with its first byte. Redis writes
// none that is longer than some hundred.
const mostLine = 4 << 10

// overhead is the memory of a value without its text: its header, and the slack of lists that grow.
const overhead = 128

// A Kind is the first byte of a reply.
type Kind byte

const (
	Simple  Kind = '+'
	Error   Kind = '-'
	Integer Kind = ':'
	Bulk    Kind = '$' // a text of any bytes
	Array   Kind = '*'
)

// A Value is a reply, or an element of one.
type Value struct {
	Kind  Kind
	Null  bool    // of Bulk and Array: there is none
	Text  string  // of Integer its digits; empty of Array
	Items []Value // of Array
}

// A Reader reads replies.
type Reader struct {
	// Charge is called before memory is taken, with the bytes; its error ends the reply. Nil: only
	// the bounds count.
	Charge func(bytes int) error

	in     *bufio.Reader
	bounds Bounds
	taken  int
}

// NewReader reads replies within bounds.
func NewReader(in io.Reader, bounds Bounds) *Reader {
	return &Reader{in: bufio.NewReaderSize(in, mostLine), bounds: bounds}
}

// errProtocol is that a server speaks something else.
var errProtocol = errors.New("the answer is not Redis's protocol")

// Read reads the next reply. After an error the connection is of no use: it is not known where the
// next reply begins. That the server refuses a command is no error of Read but a value of Kind Error.
func (r *Reader) Read() (Value, error) {
	elements := r.bounds.Elements
	return r.value(&elements, r.bounds.Depth)
}

// value reads a value of a reply that has so many elements left, below which lists may be so deep.
func (r *Reader) value(elements *int, depth int) (Value, error) {
	if *elements--; *elements < 0 {
		return Value{}, fmt.Errorf("a reply of more than %d elements is not read", r.bounds.Elements)
	}
	line, err := r.line()
	if err != nil {
		return Value{}, err
	}
	v := Value{Kind: Kind(line[0])}
	switch v.Kind {
	case Simple, Error, Integer:
		v.Text = string(line[1:])
		return v, r.charge(overhead + len(v.Text))
	case Bulk:
		return r.bulk(line)
	case Array:
		return r.array(line, elements, depth)
	}
	return Value{}, errProtocol
}

// line reads to the end of a line, and gives it without that. It is valid until the next reading.
func (r *Reader) line() ([]byte, error) {
	line, err := r.in.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, fmt.Errorf("a line of more than %d bytes is not read", mostLine)
	case errors.Is(err, io.EOF) && len(line) > 0:
		return nil, io.ErrUnexpectedEOF
	case err != nil:
		return nil, err
	case len(line) < len("+\r\n") || line[len(line)-2] != '\r':
		return nil, errProtocol
	}
	return line[:len(line)-2], nil
}

// length returns the length that a line announces: -1 for nothing.
func length(line []byte) (int, error) {
	n, err := strconv.ParseInt(string(line[1:]), 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange) && line[1] != '-':
		return math.MaxInt, nil // which is beyond every bound
	case err != nil || n < -1:
		return 0, errProtocol
	}
	return int(min(n, math.MaxInt)), nil
}

func (r *Reader) bulk(line []byte) (Value, error) {
	size, err := length(line)
	switch {
	case err != nil:
		return Value{}, err
	case size < 0:
		return Value{Kind: Bulk, Null: true}, r.charge(overhead)
	case size > r.bounds.Text:
		return Value{}, fmt.Errorf("a text of %d bytes is not read, %d are the most", size, r.bounds.Text)
	}
	text, err := r.text(size)
	return Value{Kind: Bulk, Text: text}, err
}

// text reads so many bytes and the end of a line.
func (r *Reader) text(size int) (string, error) {
	if err := r.charge(overhead + size); err != nil {
		return "", err
	}
	if with := size + len("\r\n"); with <= r.in.Size() { // as most are
		text, err := r.in.Peek(with)
		if err != nil {
			return "", noEOF(err)
		}
		if text[size] != '\r' || text[size+1] != '\n' {
			return "", errProtocol
		}
		whole := string(text[:size])
		_, err = r.in.Discard(with)
		return whole, err
	}
	text := make([]byte, 0, mostLine)
	for len(text) < size {
		have := len(text)
		text = append(text, make([]byte, min(size-have, max(have, mostLine)))...)
		if _, err := io.ReadFull(r.in, text[have:]); err != nil {
			return "", noEOF(err)
		}
	}
	var end [2]byte
	if _, err := io.ReadFull(r.in, end[:]); err != nil {
		return "", noEOF(err)
	}
	if end != [2]byte{'\r', '\n'} {
		return "", errProtocol
	}
	return string(text), nil
}

func (r *Reader) array(line []byte, elements *int, depth int) (Value, error) {
	size, err := length(line)
	switch {
	case err != nil:
		return Value{}, err
	case size < 0:
		return Value{Kind: Array, Null: true}, r.charge(overhead)
	case depth == 0:
		return Value{}, fmt.Errorf("lists in lists are not read below %d levels", r.bounds.Depth)
	case size > *elements:
		return Value{}, fmt.Errorf("a reply of more than %d elements is not read", r.bounds.Elements)
	}
	v := Value{Kind: Array}
	for range size {
		item, err := r.value(elements, depth-1)
		if err != nil {
			return Value{}, noEOF(err)
		}
		v.Items = append(v.Items, item)
	}
	return v, r.charge(overhead)
}

// charge counts memory before it is taken.
func (r *Reader) charge(bytes int) error {
	if r.taken += bytes; r.taken > r.bounds.Total {
		return fmt.Errorf("the answers take more than %d bytes", r.bounds.Total)
	}
	if r.Charge != nil {
		return r.Charge(bytes)
	}
	return nil
}

// noEOF returns the error of an end where there must be more.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// AppendCommand appends a command as a list of texts.
func AppendCommand(to []byte, words ...string) []byte {
	to = fmt.Appendf(to, "*%d\r\n", len(words))
	for _, word := range words {
		to = fmt.Appendf(to, "$%d\r\n%s\r\n", len(word), word)
	}
	return to
}
