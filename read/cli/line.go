// Package cli has what readers of running-configs share: a configuration that is the list
// of the commands that make it, one in each line, with the modes shown by indentation.
package cli

import (
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
)

// A Line is one command: its words, and their places.
type Line struct {
	Words  []string // without a leading "no" or "default"; none where the line is too long
	Undo   Undo
	Indent int        // blanks to the left
	Src    string     // from the first word to the last
	At     diag.Range // the same
}

// Undo is how a line begins that takes another back.
type Undo uint8

const (
	Plain   Undo = iota
	No           // "no …": off, or not said, by command
	Restore      // "default …": as if nothing had been said
)

// longest is more than any command that is understood, in bytes.
const longest = 1 << 16

// Lines calls each with every line of a text until it returns false. Empty lines and
// remarks come with no words and with their text.
func Lines(file, src string, each func(number int, l Line) bool) {
	for number, offset := 1, 0; offset < len(src); number++ {
		raw, _, _ := strings.Cut(src[offset:], "\n")
		start := offset
		offset += len(raw) + 1
		raw = strings.TrimRight(raw, " \t\r")
		if !each(number, newLine(file, raw, number, start)) {
			return
		}
	}
}

func newLine(file, raw string, number, start int) Line {
	text := strings.TrimLeft(raw, " \t")
	indent := len(raw) - len(text)
	pos := func(column, at int) hcl.Pos { return hcl.Pos{Line: number, Column: column, Byte: at} }
	l := Line{
		Src: text, Indent: indent,
		At: diag.Range{
			Filename: file, Start: pos(indent+1, start+indent),
			End: pos(indent+1+utf8.RuneCountInString(text), start+indent+len(text)),
		},
	}
	if len(text) > longest || text == "" || text[0] == '!' {
		return l
	}
	if l.Words = strings.Fields(text); len(l.Words) == 0 {
		return l // blanks of another kind
	}
	switch l.Words[0] {
	case "no":
		l.Undo, l.Words = No, l.Words[1:]
	case "default":
		l.Undo, l.Words = Restore, l.Words[1:]
	}
	return l
}

// Word returns the place of a word of the line, the line where it is not one.
func (l Line) Word(w string) diag.Range {
	for from := 0; ; {
		i := strings.Index(l.Src[from:], w)
		if i < 0 || w == "" {
			return l.At
		}
		i += from
		if from = i + len(w); (i == 0 || l.Src[i-1] <= ' ') && (from == len(l.Src) || l.Src[from] <= ' ') {
			at := l.At
			at.Start.Byte += i
			at.Start.Column += utf8.RuneCountInString(l.Src[:i])
			at.End = at.Start
			at.End.Byte += len(w)
			at.End.Column += utf8.RuneCountInString(w)
			return at
		}
	}
}

// Last returns the place of the word that ends the line, also where the line has the word twice.
func (l Line) Last(w string) diag.Range {
	i := strings.LastIndex(l.Src, w)
	rest := l
	rest.Src = l.Src[max(i, 0):]
	rest.At.Start.Byte += max(i, 0)
	rest.At.Start.Column += utf8.RuneCountInString(l.Src[:max(i, 0)])
	return rest.Word(w)
}

// Text returns the line with single blanks, shortened for messages.
func (l Line) Text() string {
	if len(l.Src) <= maxText && !strings.Contains(l.Src, "  ") && !strings.Contains(l.Src, "\t") {
		return Clip(l.Src)
	}
	return Clip(strings.Join(strings.Fields(l.Src), " "))
}

// maxText is how much of a line messages and the ledger hold, in bytes.
const maxText = 80

// Clip shortens a text for messages, and replaces what is not UTF-8.
func Clip(s string) string {
	cut := len(s) > maxText
	if cut {
		s = s[:maxText]
	}
	if s = strings.ToValidUTF8(s, "�"); cut || len(s) > maxText {
		s = strings.ToValidUTF8(s[:min(len(s), maxText-len("…"))], "") + "…"
	}
	return s
}

// After returns the words behind a prefix, and whether the line has it.
func (l Line) After(prefix ...string) ([]string, bool) {
	if !Begins(l.Words, prefix...) {
		return nil, false
	}
	return l.Words[len(prefix):], true
}

// Begins reports whether words start with others.
//
//go:noinline
func Begins(words []string, with ...string) bool {
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
