package resp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func small() Bounds { return Bounds{Text: 16, Elements: 8, Depth: 2, Total: 4096} }

// The examples are those of Redis's own documentation of the protocol.
func TestRead(t *testing.T) {
	bulk := func(text string) Value { return Value{Kind: Bulk, Text: text} }
	for text, want := range map[string]Value{
		"+OK\r\n":                              {Kind: Simple, Text: "OK"},
		"-ERR unknown command\r\n":             {Kind: Error, Text: "ERR unknown command"},
		":1000\r\n":                            {Kind: Integer, Text: "1000"},
		"$5\r\nhello\r\n":                      bulk("hello"),
		"$0\r\n\r\n":                           bulk(""),
		"$2\r\n\r\n\r\n":                       bulk("\r\n"),
		"$-1\r\n":                              {Kind: Bulk, Null: true},
		"*0\r\n":                               {Kind: Array},
		"*-1\r\n":                              {Kind: Array, Null: true},
		"*2\r\n$5\r\nhello\r\n$5\r\nworld\r\n": {Kind: Array, Items: []Value{bulk("hello"), bulk("world")}},
		"*2\r\n*1\r\n:1\r\n*2\r\n+Hello\r\n-World\r\n": {Kind: Array, Items: []Value{{Kind: Array, Items: []Value{{Kind: Integer, Text: "1"}}}, {Kind: Array, Items: []Value{{Kind: Simple, Text: "Hello"}, {Kind: Error, Text: "World"}}}}},
	} {
		for name, in := range map[string]io.Reader{"at once": strings.NewReader(text), "byte by byte": iotest.OneByteReader(strings.NewReader(text))} {
			r := NewReader(in, small())
			if got, err := r.Read(); err != nil || !cmp.Equal(got, want) {
				t.Errorf("%q %s: %+v, %v, want %+v", text, name, got, err, want)
			}
			if v, err := r.Read(); !errors.Is(err, io.EOF) {
				t.Errorf("%q %s: then %+v, %v", text, name, v, err)
			}
		}
	}
}

// Each bound holds to the unit: what reaches it is read, one more is not.
func TestBounds(t *testing.T) {
	list := func(n int, item string) string { return fmt.Sprintf("*%d\r\n", n) + strings.Repeat(item, n) }
	for text, fits := range map[string]bool{
		"$16\r\n" + strings.Repeat("a", 16) + "\r\n": true,
		"$17\r\n" + strings.Repeat("a", 17) + "\r\n": false,
		list(7, ":1\r\n"):                            true, // the list is an element
		list(8, ":1\r\n"):                            false,
		list(1, list(6, ":1\r\n")):                   true,
		list(1, list(7, ":1\r\n")):                   false,
		list(1, list(1, "*0\r\n")):                   false, // three lists deep
		"+" + strings.Repeat("a", mostLine) + "\r\n": false,
	} {
		if v, err := NewReader(strings.NewReader(text), small()).Read(); (err == nil) != fits {
			t.Errorf("%q: %+v, %v", text, v, err)
		}
	}
	many := NewReader(strings.NewReader(strings.Repeat("$16\r\naaaaaaaaaaaaaaaa\r\n", 100)), small())
	for read := 0; ; read++ {
		if _, err := many.Read(); err != nil {
			if want := small().Total / (overhead + 16); read != want {
				t.Errorf("%d replies were read, want %d", read, want)
			}
			break
		}
	}
	refused := errors.New("refused")
	r := NewReader(strings.NewReader("$5\r\nhello\r\n"), small())
	r.Charge = func(bytes int) error {
		if bytes < len("hello") {
			t.Errorf("%d bytes are charged", bytes)
		}
		return refused
	}
	if _, err := r.Read(); !errors.Is(err, refused) {
		t.Error(err)
	}
}

// What a client sends is a list of texts, which a reader reads.
func TestAppendCommand(t *testing.T) {
	const want = "*3\r\n$4\r\nSCAN\r\n$0\r\n\r\n$3\r\n\r\n*\r\n"
	if got := AppendCommand(nil, "SCAN", "", "\r\n*"); string(got) != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// write does the inverse of reading.
func (v Value) write(to *bytes.Buffer) {
	switch {
	case v.Null:
		fmt.Fprintf(to, "%c-1\r\n", v.Kind)
	case v.Kind == Bulk:
		fmt.Fprintf(to, "$%d\r\n%s\r\n", len(v.Text), v.Text)
	case v.Kind == Array:
		fmt.Fprintf(to, "*%d\r\n", len(v.Items))
		for _, item := range v.Items {
			item.write(to)
		}
	default:
		fmt.Fprintf(to, "%c%s\r\n", v.Kind, v.Text)
	}
}

// No bytes make the reader panic, and what it reads is what was sent: written again it is
// read as the same.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"+OK\r\n", "$5\r\nhello\r\n", "*2\r\n$1\r\n0\r\n*1\r\n$1\r\na\r\n", "$9000000000000000000\r\n", "*1000000000000\r\n", "*-1\r\n", "$-2\r\n", ":\r\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		bounds := Bounds{Text: 1 << 10, Elements: 64, Depth: 4, Total: 1 << 16}
		v, err := NewReader(bytes.NewReader(text), bounds).Read()
		if err != nil {
			return
		}
		var again bytes.Buffer
		v.write(&again)
		if got, err := NewReader(&again, bounds).Read(); err != nil || !cmp.Equal(got, v) {
			t.Errorf("%q is read as %+v, and that as %+v, %v", text, v, got, err)
		}
	})
}
