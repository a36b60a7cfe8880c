package repair

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
)

// near are the lines in which a slip may be, from the line of the finding on, the nearest first: what does not parse is
// noticed late.
var near = []int{0, -1, 1, -2, -3, -4}

// listed are numbers from one to another as HCL has no way to write them.
var listed = regexp.MustCompile(`\[ *([0-9]{1,4}) *(?:\.\.|-) *([0-9]{1,4}) *\]`)

// syntax tries single signs more or fewer near the place where the text does not parse, and keeps
// those with which it does.
func (b *builder) syntax() {
	name := b.d.Subject.Filename
	text := b.texts[name]
	var starts []int // of lines
	for i := 0; i >= 0 && i <= len(text); {
		starts = append(starts, i)
		next := bytes.IndexByte(text[i:], '\n')
		if next < 0 {
			break
		}
		i += next + 1
	}
	here := b.d.Subject.Start.Line - 1
	for _, by := range near {
		if line := here + by; line >= 0 && line < len(starts) {
			b.signs(name, text, starts[line], line, max(by, -by))
		}
	}
	if strings.Contains(b.d.Message, "brac") || strings.Contains(b.d.Message, "block") {
		for line := here; line < len(starts); line++ {
			b.brace(name, text, starts[line], line)
		}
	}
}

// signs tries one sign more or less in a line; far is how many lines it is from the finding.
func (b *builder) signs(name string, text []byte, from, line, far int) {
	end := len(text)
	if i := bytes.IndexByte(text[from:], '\n'); i >= 0 {
		end = from + i
	}
	for at := from; at <= end; at++ {
		if at < end && (!letter(text[at]) || at == from || at+1 == end) {
			b.parsing(name, from, line, at, at+1, "", far)
		}
		if at < end && text[at] == ':' {
			b.parsing(name, from, line, at, at+1, "=", far)
		}
		edge := at == from || at == end || letter(text[at-1]) != letter(text[min(at, len(text)-1)])
		if !edge {
			continue
		}
		for _, sign := range []string{`"`, "=", " = ", "{", " {", "}", "[", "]", ",", "(", ")", "\n"} {
			if sign != "{" || at == from || text[at-1] == ' ' {
				b.parsing(name, from, line, at, at, sign, far)
			}
		}
	}
	if m := listed.FindSubmatchIndex(text[from:end]); m != nil {
		first, _ := strconv.Atoi(string(text[from+m[2] : from+m[3]]))
		last, _ := strconv.Atoi(string(text[from+m[4] : from+m[5]]))
		b.parsing(name, from, line, from+m[0], from+m[1], fmt.Sprintf("range(%d, %d)", first, last+1), far)
	}
	if end < len(text) {
		b.parsing(name, from, line, from, end+1, "", far+4)
	}
}

// brace tries a closing brace on a line of its own before a line.
func (b *builder) brace(name string, text []byte, from, line int) {
	rest := text[from:]
	indent := len(rest) - len(bytes.TrimLeft(rest, " "))
	b.parsing(name, from, line, from, from, strings.Repeat(" ", indent)+"}\n", 1)
	if from == len(text) {
		b.parsing(name, from, line, from, from, "}\n", 1)
	}
}

// mostParsed is how many bytes are parsed to try signs for one finding, a choice: it takes some seven seconds,
// and a fabric of 10 kB is never cut short by it.
const mostParsed = 64 << 20

// parsing adds an edit with which the file parses.
func (b *builder) parsing(name string, lineStart, line, from, to int, sign string, cost int) {
	at := diag.Range{Filename: name}
	at.Start.Byte, at.Start.Line, at.Start.Column = from, line+1, from-lineStart+1
	at.End.Byte, at.End.Line, at.End.Column = to, line+1, to-lineStart+1
	if to > from && b.texts[name][to-1] == '\n' {
		at.End.Line, at.End.Column = line+2, 1
	}
	if b.parsed+len(b.texts[name]) > mostParsed {
		return
	}
	b.parsed += len(b.texts[name])
	if parses(diag.Apply(name, b.texts[name], []diag.Edit{{Range: at, Text: sign}})) {
		b.add(at, sign, costSyntax+2*cost)
	}
}

func letter(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
