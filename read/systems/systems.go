// Package systems finds the network operating system of a configuration by lines that only that
// system writes: the head that a device prints, lines of the configuration, keys of a document.
//
// Running-configs of many vendors look alike: "interface Ethernet1/1" is a line of six systems.
// Such a line is no evidence here. Systems that roceplan cannot read are in the table too, so that
// their files are named and not taken for those of a system that has some of their lines.
package systems

import (
	"bytes"
	"strings"

	"github.com/roceplan/roceplan/internal/posjson"
)

// A System is a network operating system.
type System struct {
	// Format is the name of the reader of its files: "eos". Empty: there is none.
	Format string
	Title  string // as people call it: "Dell OS10"
	// Ask is how its owner gets what a reader does read. Empty: nothing is.
	Ask string

	heads []string // how lines begin that a device prints at the top of a configuration
	lines []string // patterns of other lines: see [mark]
	keys  []string // keys at the top of a JSON document
	tags  []string // how a document in XML begins
}

// Evidence is what a text was recognized by.
type Evidence struct {
	System  *System
	At, End int // bytes of the text that show it
}

// Of finds the system of a text; false where nothing in it is a mark of one system alone. The
// head that a device prints decides. Without it, the system counts that has the most lines of its
// own; of two with as many, the one in front in the table.
func Of(text []byte) (Evidence, bool) {
	table := systems()
	switch first := bytes.TrimLeft(text, "\ufeff \t\r\n"); {
	case len(first) == 0:
		return Evidence{}, false
	case first[0] == '{' || first[0] == '[' && !bytes.HasPrefix(first, []byte("[~")) && !bytes.HasPrefix(first, []byte("[*")): // those are prompts
		return byKey(table, text)
	case first[0] == '<':
		if e, ok := byTag(table, text, len(text)-len(first)); ok { // else a prompt of Huawei or H3C: <HUAWEI>
			return e, true
		}
	}
	return newTally(table).count(text)
}

// byKey looks for a key of a system among those at the top of a document.
func byKey(table []System, text []byte) (Evidence, bool) {
	for _, k := range posjson.TopKeys(text) {
		for i := range table {
			for _, key := range table[i].keys {
				if k.Of(text) == key {
					return Evidence{&table[i], k.At, k.End}, true
				}
			}
		}
	}
	return Evidence{}, false
}

// FirstKey returns the first key at the top of a JSON document; false where the text is none.
func FirstKey(text []byte) (posjson.Key, bool) {
	if first := bytes.TrimLeft(text, "\ufeff \t\r\n"); len(first) == 0 || first[0] != '{' && first[0] != '[' {
		return posjson.Key{}, false
	}
	keys := posjson.TopKeys(text)
	if len(keys) == 0 {
		return posjson.Key{}, false
	}
	return keys[0], true
}

// byTag looks at the elements that a document in XML begins with.
func byTag(table []System, text []byte, from int) (Evidence, bool) {
	const far = 1 << 12 // behind declarations and comments
	head := text[from:min(len(text), from+far)]
	for i := range table {
		for _, tag := range table[i].tags {
			if at := bytes.Index(head, []byte(tag)); at >= 0 {
				return Evidence{&table[i], from + at, from + at + len(tag)}, true
			}
		}
	}
	return Evidence{}, false
}

// A tally counts the marks of each system.
type tally struct {
	table []System
	marks map[string][]mark
	found []Evidence // by system: the first
	lines []int      // by system
}

func newTally(table []System) *tally {
	t := &tally{table: table, marks: map[string][]mark{}, found: make([]Evidence, len(table)), lines: make([]int, len(table))}
	for i := range table {
		for _, pattern := range table[i].lines {
			words := strings.Fields(pattern)
			t.marks[words[0]] = append(t.marks[words[0]], mark{i, words[1:]})
		}
	}
	return t
}

// count goes through a text. Lines are counted without a leading "no" or "undo": the rest is of the
// same system.
func (t *tally) count(text []byte) (Evidence, bool) {
	var shape []byte
	for at := 0; at < len(text); {
		line, _, _ := bytes.Cut(text[at:], []byte("\n"))
		trimmed := bytes.TrimLeft(line, " \t")
		start := at + len(line) - len(trimmed)
		at += len(line) + 1
		trimmed = bytes.TrimRight(trimmed, " \t\r")
		if len(trimmed) == 0 {
			continue
		}
		if e, ok := t.head(trimmed, start); ok {
			return e, true
		}
		shape = appendShape(shape[:0], trimmed)
		t.line(shape, start, start+len(trimmed))
	}
	return t.most()
}

// head looks for how a device begins what it prints.
func (t *tally) head(line []byte, start int) (Evidence, bool) {
	if line[0] >= 'a' && line[0] <= 'z' {
		return Evidence{}, false // costs nothing, and most lines are such
	}
	for i := range t.table {
		for _, head := range t.table[i].heads {
			if begin, with, two := strings.Cut(head, "…"); bytes.HasPrefix(line, []byte(begin)) && (!two || bytes.Contains(line, []byte(with))) {
				return Evidence{&t.table[i], start, start + len(line)}, true
			}
		}
	}
	return Evidence{}, false
}

func (t *tally) line(shape []byte, start, end int) {
	for _, undo := range []string{"no ", "undo "} {
		shape = bytes.TrimPrefix(shape, []byte(undo))
	}
	first, rest, _ := bytes.Cut(shape, []byte(" "))
	for _, m := range t.marks[string(first)] {
		if !m.covers(rest) {
			continue
		}
		if t.lines[m.system] == 0 {
			t.found[m.system] = Evidence{&t.table[m.system], start, end}
		}
		t.lines[m.system]++
		if string(first) == "interface" {
			t.lines[m.system] += portWeight - 1
		}
	}
}

// portWeight is how many other lines one counts as that names a port: of two systems that share words of QoS,
// none has the ports of the other.
const portWeight = 4

// most returns the system with the most lines.
func (t *tally) most() (Evidence, bool) {
	best := 0
	for i, n := range t.lines {
		if n > t.lines[best] {
			best = i
		}
	}
	return t.found[best], t.lines[best] > 0
}

// A mark is a line that one system alone has: its words, in which "#" is a number, "*" for
// any word, "a|b" for one of several, and "…" at the end for any words more.
type mark struct {
	system int
	rest   []string // behind the first word
}

func (m mark) covers(rest []byte) bool {
	for _, want := range m.rest {
		if want == "…" {
			return true
		}
		var word []byte
		word, rest, _ = bytes.Cut(rest, []byte(" "))
		if len(word) == 0 || want != "*" && !oneOf(want, word) {
			return false
		}
	}
	return len(rest) == 0
}

func oneOf(want string, word []byte) bool {
	for w := range strings.SplitSeq(want, "|") {
		if w == string(word) {
			return true
		}
	}
	return false
}

// appendShape appends a line with "#" for each of its numbers and with single blanks.
func appendShape(to, line []byte) []byte {
	for i, c := range line {
		before := byte(' ')
		if i > 0 {
			before = line[i-1]
		}
		digit, blank := c >= '0' && c <= '9', c == ' ' || c == '\t'
		switch {
		case digit && before >= '0' && before <= '9', blank && (before == ' ' || before == '\t'):
		case digit:
			to = append(to, '#')
		case blank:
			to = append(to, ' ')
		default:
			to = append(to, c)
		}
	}
	return to
}
