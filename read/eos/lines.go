package eos

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
)

// A line is one command: its words, and where they stand.
type line struct {
	words []string
	src   []byte     // from the first word to the last
	at    diag.Range // the same
}

// word is where a word of the line stands, the line where it is not one.
func (l line) word(w string) diag.Range {
	for from := 0; ; {
		i := bytes.Index(l.src[from:], []byte(w))
		if i < 0 || w == "" {
			return l.at
		}
		i += from
		if from = i + len(w); (i == 0 || l.src[i-1] <= ' ') && (from == len(l.src) || l.src[from] <= ' ') {
			at := l.at
			at.Start.Byte += i
			at.Start.Column += utf8.RuneCount(l.src[:i])
			at.End = at.Start
			at.End.Byte += len(w)
			at.End.Column += utf8.RuneCountInString(w)
			return at
		}
	}
}

// text is the line with single blanks, shortened for messages.
func (l line) text() string { return clip(strings.Join(l.words, " ")) }

func clip(s string) string {
	if len(s) > 80 {
		s = strings.ToValidUTF8(s[:80], "") + "…"
	}
	return strings.ToValidUTF8(s, "�")
}

// after returns the words behind a prefix, and whether the line has it.
func (l line) after(prefix ...string) ([]string, bool) {
	if len(l.words) < len(prefix) {
		return nil, false
	}
	for i, p := range prefix {
		if l.words[i] != p {
			return nil, false
		}
	}
	return l.words[len(prefix):], true
}

// A block is what reads the lines that stand deeper than its own line. A nil block
// passes them over.
type block func(line) block

// lines walks the file. EOS shows depth by indentation: a line belongs to the nearest
// line above it that stands further left.
func (r *reader) lines(src []byte) {
	type level struct {
		indent int
		block  block
	}
	stack := []level{{-1, r.global}}
	banner := false
	for number, offset := 1, 0; offset < len(src); number++ {
		end := bytes.IndexByte(src[offset:], '\n')
		if end < 0 {
			end = len(src) - offset
		}
		raw := bytes.TrimRight(src[offset:offset+end], " \t\r")
		start := offset
		offset += end + 1
		trimmed := bytes.TrimLeft(raw, " \t")
		indent := len(raw) - len(trimmed)
		if banner {
			banner = string(trimmed) != "EOF"
			continue
		}
		if len(trimmed) == 0 || trimmed[0] == '!' {
			if number <= headerLines {
				r.header(trimmed)
			}
			continue
		}
		for stack[len(stack)-1].indent >= indent {
			stack = stack[:len(stack)-1]
		}
		banner = indent == 0 && bytes.HasPrefix(trimmed, []byte("banner "))
		parent := stack[len(stack)-1].block
		if parent == nil {
			continue // below a line that is passed over
		}
		var child block
		if interesting(trimmed) {
			l := newLine(r.file, trimmed, number, start, indent)
			if child = parent(l); r.tooMuch(l) {
				return
			}
		}
		stack = append(stack, level{indent, child})
	}
}

// tooMuch tells whether the file goes beyond all bounds at this line.
func (r *reader) tooMuch(l line) bool {
	if r.objects <= maxObjects && len(r.list) <= maxFindings {
		return false
	}
	r.list.Errorf(TooMany, l.at, "more than %d objects or %d findings come up to this line; the rest is not read", maxObjects, maxFindings)
	return true
}

// interesting tells by the first letter whether any block could want the line, so that
// routes and users cost nothing. Lines longer than any command are not wanted.
func interesting(trimmed []byte) bool {
	return len(trimmed) < 1<<16 && strings.IndexByte("0123456789bcdehimnpqrstu", trimmed[0]) >= 0
}

func newLine(file string, trimmed []byte, number, start, indent int) line {
	pos := func(column, at int) hcl.Pos { return hcl.Pos{Line: number, Column: column, Byte: at} }
	return line{
		words: strings.Fields(string(trimmed)),
		src:   trimmed,
		at: diag.Range{
			Filename: file, Start: pos(indent+1, start+indent),
			End: pos(indent+1+utf8.RuneCount(trimmed), start+indent+len(trimmed)),
		},
	}
}

// headerLines is within how many lines the device says what it is.
const headerLines = 5

// header reads the model from what `show running-config` prints first:
// "! device: leaf-1 (DCS-7060X6-64PE, EOS-4.36.1F)".
func (r *reader) header(first []byte) {
	_, rest, ok := strings.Cut(string(first), " (")
	if model, _, found := strings.Cut(rest, ","); ok && found && strings.HasPrefix(string(first), "! device: ") {
		r.model = clip(model)
	}
}

// once adds a finding that is said once for each text.
func (r *reader) once(severity diag.Severity, code diag.Code, at diag.Range, message, fix string) {
	if r.told[message] {
		return
	}
	r.told[message] = true
	r.list = append(r.list, diag.Diagnostic{Severity: severity, Code: code, Subject: at, Message: message, Fix: fix})
}

func (r *reader) unknown(l line) block {
	r.once(diag.Warning, Unknown, l.at, "the form of this line is not known: "+l.text(), "")
	return nil
}

func (r *reader) notModelled(l line, what string) block {
	r.once(diag.Warning, NotModelled, l.at, what+" is not accounted for", "")
	return nil
}

func (r *reader) wrong(l line, fix string) block {
	r.list.Errorf(Wrong, l.at, "EOS does not take %q", l.text()).Fix = fix
	return nil
}
