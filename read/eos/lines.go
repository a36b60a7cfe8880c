package eos

import (
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/read"
)

// A line is one command: its words, and where they stand.
type line struct {
	words []string // without a leading "no" or "default"
	undo  undo
	src   string     // from the first word to the last
	at    diag.Range // the same
}

// undo is how a line begins that takes another back.
type undo uint8

const (
	plain   undo = iota
	no           // "no …": off, or not said, by command
	restore      // "default …": as if nothing had been said
)

// word is where a word of the line stands, the line where it is not one.
func (l line) word(w string) diag.Range {
	for from := 0; ; {
		i := strings.Index(l.src[from:], w)
		if i < 0 || w == "" {
			return l.at
		}
		i += from
		if from = i + len(w); (i == 0 || l.src[i-1] <= ' ') && (from == len(l.src) || l.src[from] <= ' ') {
			at := l.at
			at.Start.Byte += i
			at.Start.Column += utf8.RuneCountInString(l.src[:i])
			at.End = at.Start
			at.End.Byte += len(w)
			at.End.Column += utf8.RuneCountInString(w)
			return at
		}
	}
}

// text is the line with single blanks, shortened for messages.
func (l line) text() string {
	if len(l.src) <= maxText && !strings.Contains(l.src, "  ") && !strings.Contains(l.src, "\t") {
		return clip(l.src)
	}
	return clip(strings.Join(strings.Fields(l.src), " "))
}

// maxText is how much of a line messages and the ledger hold.
const maxText = 80

func clip(s string) string {
	cut := len(s) > maxText
	if cut {
		s = s[:maxText]
	}
	if s = strings.ToValidUTF8(s, "�"); cut || len(s) > maxText {
		s = strings.ToValidUTF8(s[:min(len(s), maxText-len("…"))], "") + "…"
	}
	return s
}

// after returns the words behind a prefix, and whether the line has it.
func (l line) after(prefix ...string) ([]string, bool) {
	if !begins(l.words, prefix...) {
		return nil, false
	}
	return l.words[len(prefix):], true
}

// begins reports whether words start with others.
func begins(words []string, with ...string) bool {
	if len(words) < len(with) {
		return false
	}
	for i, w := range with {
		if words[i] != w {
			return false
		}
	}
	return true
}

// A level is a line that opened a mode, and how far it is indented.
type level struct {
	indent int
	mode   *mode
}

// A walker goes through the lines of a file. EOS itself does not look at indentation: a
// command acts in the mode that is open if that mode knows it, or else in one around it.
// A running-config shows the modes by indentation, and the two agree on all that EOS
// prints. Where they do not, the walker does as EOS does with a line that stands as deep
// as the line that opened the mode, because people and scripts write so; a line that
// stands further left has left the mode.
type walker struct {
	*reader
	stack []level
	until string // what ends a text of many lines; empty outside of one
	text  int    // the entry of the line that began it
}

func (r *reader) lines(src string) {
	w := walker{reader: r, stack: []level{{-1, r.globalMode()}}}
	for number, offset := 1, 0; offset < len(src); number++ {
		raw, _, _ := strings.Cut(src[offset:], "\n")
		start := offset
		offset += len(raw) + 1
		raw = strings.TrimRight(raw, " \t\r")
		trimmed := strings.TrimLeft(raw, " \t")
		if w.until != "" {
			if trimmed == w.until {
				w.until = ""
			}
			continue
		}
		if trimmed == "" || trimmed[0] == '!' {
			if number <= headerLines {
				r.header(trimmed)
			}
			continue
		}
		l := newLine(r.file, trimmed, number, start, len(raw)-len(trimmed))
		w.line(l, len(raw)-len(trimmed))
		if r.tooMuch(l) {
			return
		}
	}
	if w.until != "" {
		r.ledger[w.text] = read.Statement{At: r.ledger[w.text].At, Text: r.ledger[w.text].Text, Why: "the text that begins here does not end, and all lines below belong to it"}
	}
}

// line finds the mode that a line acts in, and enters it into the ledger.
func (w *walker) line(l line, indent int) {
	for w.top().indent > indent {
		w.cut(len(w.stack) - 1)
	}
	if m := w.top().mode; m.section && w.top().indent < indent && !escapes(l, m.name) {
		return // part of an entry
	}
	var left *mode // of a line that stands as deep as this one
	for i := len(w.stack) - 1; w.stack[i].indent == indent; i-- {
		m := w.stack[i].mode
		if v := m.ask(l); v.took {
			w.cut(i + 1)
			w.enter(l, indent, v)
			return
		}
		if left == nil && m.read != nil {
			left = m
		}
	}
	if begins(l.words, "exit") && l.undo == plain && len(w.stack) > 1 {
		w.cut(len(w.stack) - 1)
		w.enter(l, indent, neutral("end"))
		return
	}
	for w.top().indent == indent {
		w.cut(len(w.stack) - 1)
	}
	for i := len(w.stack) - 1; i >= 0; i-- {
		v := w.stack[i].mode.ask(l)
		if !v.took && i == len(w.stack)-1 {
			v = w.passed(w.stack[i].mode, l)
		}
		if v.took {
			w.cut(i + 1)
			w.enter(l, indent, v)
			return
		}
	}
	if v := w.passed(left, l); v.took {
		w.enter(l, indent, v)
		return
	}
	w.enter(l, indent, unmodelled("what EOS does with this line is not known").of(w.top().mode.owner))
}

func (w *walker) top() level { return w.stack[len(w.stack)-1] }

func (w *walker) cut(to int) { w.stack = w.stack[:to] }

// enter puts a line into the ledger and opens its mode. Below a line of the switch that is
// neutral or not known, lines belong to its entry; commands of ports and queues open no
// sections but those that the parser knows, so lines below act in the mode around them.
func (w *walker) enter(l line, indent int, v verdict) {
	global := w.top().mode.name == "global"
	entry := w.note(l, v)
	child := v.child
	if child == nil {
		child = &mode{name: v.rule, section: v.sort == read.Unmodelled || v.sort == read.Neutral && v.rule != "end" && (global || begins(l.words, "evpn"))}
	}
	w.stack = append(w.stack, level{indent, child})
	if l.undo == plain && (begins(l.words, "banner") || begins(l.words, "comment") && len(l.words) == 1) {
		w.until, w.text = "EOF", entry
	}
}

// escapes reports whether a line inside of a section that is one entry cannot belong to
// it: no protocol, user or policy of EOS has such lines, so EOS takes them for global.
// Cluster load balancing alone lists interfaces.
func escapes(l line, section string) bool {
	if len(l.words) == 0 {
		return false
	}
	switch l.words[0] {
	case "priority-flow-control", "platform", "policy-map", "class-map":
		return true
	case "qos":
		return len(l.words) > 1 && (l.words[1] == "map" || l.words[1] == "profile" || l.words[1] == "rewrite")
	case "interface":
		kind, rest := kindOfInterface(l.words[1:])
		return section != "path-choice" && kind == "Ethernet" && place.MatchString(rest)
	}
	return false
}

// tooMuch reports whether the file goes beyond all bounds at this line.
func (r *reader) tooMuch(l line) bool {
	if r.objects <= maxObjects && len(r.list) <= maxFindings && len(r.ledger) < maxStatements {
		return false
	}
	r.list.Errorf(TooMany, l.at, "more than %d objects, %d statements or %d findings come up to this line; the rest is not read", maxObjects, maxStatements, maxFindings)
	r.note(l, unmodelled("this line and all below are not read"))
	return true
}

func newLine(file, trimmed string, number, start, indent int) line {
	pos := func(column, at int) hcl.Pos { return hcl.Pos{Line: number, Column: column, Byte: at} }
	l := line{
		src: trimmed,
		at: diag.Range{
			Filename: file, Start: pos(indent+1, start+indent),
			End: pos(indent+1+utf8.RuneCountInString(trimmed), start+indent+len(trimmed)),
		},
	}
	if len(trimmed) > longest {
		return l
	}
	if l.words = strings.Fields(trimmed); len(l.words) == 0 {
		return l // blanks of another kind
	}
	switch l.words[0] {
	case "no":
		l.undo, l.words = no, l.words[1:]
	case "default":
		l.undo, l.words = restore, l.words[1:]
	}
	return l
}

// longest is more than any command that is understood.
const longest = 1 << 16

// headerLines is within how many lines the device says what it is.
const headerLines = 5

// header reads the model from what `show running-config` prints first:
// "! device: leaf-1 (DCS-7060X6-64PE, EOS-4.36.1F)".
func (r *reader) header(first string) {
	_, rest, ok := strings.Cut(first, " (")
	if model, _, found := strings.Cut(rest, ","); ok && found && strings.HasPrefix(first, "! device: ") {
		r.model = clip(model)
	}
}
