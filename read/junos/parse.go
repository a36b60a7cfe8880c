package junos

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/read"
)

// A word of the file, with its place.
type word struct {
	text string
	at   diag.Range
}

// A statement is one complete path of words: what `show | display set` prints as a line,
// apart from the word set. Text in braces is flattened to it, so both forms are read by
// one interpreter. A list of values in brackets becomes a statement for each.
type statement struct {
	words    []word
	at       diag.Range
	entry    read.Statement
	inactive bool   // a deactivate command names it, or what it is below
	verb     string // deactivate, protect or replace:, of what sets nothing itself
}

// text returns the statement with single blanks.
func (s *statement) text() string {
	var all []string
	for _, w := range s.words {
		all = append(all, w.text)
	}
	return clip(strings.Join(all, " "))
}

func clip(s string) string {
	if len(s) > 80 {
		s = s[:80]
	}
	return strings.ToValidUTF8(s, "?")
}

// Bounds of what is read. A configuration of a QFX has some ten thousand statements.
const (
	maxDepth      = 64
	maxStatements = 1 << 20
	maxWords      = 256
)

// A parser turns text into statements.
type parser struct {
	file       string
	src        []byte
	at         hcl.Pos
	found      *diag.List
	statements []*statement
	most       int  // statements there may be
	failed     bool // a bound is broken: nothing more is read
}

// parse reads either form. A file whose first word is set, delete, deactivate,
// activate or protect consists of commands, one on a line.
func parse(file string, src []byte, found *diag.List) []*statement {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	p := &parser{file: file, src: src, at: hcl.InitialPos, found: found, most: maxStatements}
	if isCommands(src) {
		p.commands()
		p.deactivate()
	} else {
		p.section(nil, 0, word{})
	}
	p.expand()
	return p.statements
}

// isCommands reports whether the first line that says something is a command.
func isCommands(src []byte) bool {
	for src = bytes.TrimSpace(src); bytes.HasPrefix(src, []byte("/*")); src = bytes.TrimSpace(src) {
		_, src, _ = bytes.Cut(src, []byte("*/"))
	}
	for line := range bytes.Lines(src) {
		fields := bytes.Fields(line)
		if len(fields) == 0 || fields[0][0] == '#' {
			continue
		}
		switch string(fields[0]) {
		case "set", "delete", "deactivate", "activate", "protect", "configure":
			return true
		}
		return false
	}
	return false
}

// section reads statements up to the brace that closes it.
func (p *parser) section(path []word, depth int, opened word) {
	if depth > maxDepth {
		p.refuse(opened.at, "statements are nested deeper than %d levels", maxDepth)
		return
	}
	var words []word
	replaces := false // the tag precedes this statement
	for !p.failed {
		w, ok := p.next()
		if replaces && len(words) > 0 && (w.text == "{" || w.text == ";" || w.text == "[") && !w.quoted() {
			p.replace(join(path, words))
			replaces = false
		}
		switch {
		case !ok:
			p.end(words, depth, opened)
			return
		case w.text == "{" && !w.quoted():
			before := len(p.statements)
			p.section(join(path, words), depth+1, w)
			if n := len(words); len(p.statements) == before && n > 1 && words[n-2].text == "neighbor" {
				p.add(join(path, words)) // it is an entry of a list, which is there without anything in it
			}
			words = nil
		case w.text == "}" && !w.quoted():
			if len(words) > 0 {
				p.found.Errorf(Syntax, words[0].at, "the statement %q does not end: a semicolon or a section in braces is missing", clip(words[0].text)).Fixf("end it with a semicolon, or open its section with a brace")
			}
			if depth == 0 {
				p.found.Errorf(Syntax, w.at, "this brace closes nothing").Fixf("remove it, or add the brace that opens its section")
				continue
			}
			return
		case w.text == ";" && !w.quoted():
			if len(words) > 0 {
				p.add(join(path, words))
			}
			words = nil
		case w.text == "[" && !w.quoted():
			p.list(join(path, words), w)
			words = nil
		case w.text == "protect:" && !w.quoted(): // says nothing to the device
		case w.text == "replace:" && !w.quoted():
			replaces = true
		default:
			words = append(words, w)
		}
		if len(path)+len(words) > maxWords {
			p.refuse(words[0].at, "a statement has more than %d words", maxWords)
		}
	}
}

// replace notes a tag that takes out what the file has of a path so far, if there is something.
func (p *parser) replace(path []word) {
	begins := func(s *statement) bool {
		return len(s.words) >= len(path) && slices.EqualFunc(s.words[:len(path)], path, func(a, b word) bool { return a.text == b.text })
	}
	if !slices.ContainsFunc(p.statements, begins) {
		return
	}
	p.add(path)
	last := p.statements[len(p.statements)-1]
	last.verb = "replace:"
	last.entry.Text = clip(last.verb + " " + last.entry.Text)
	last.entry.Why = "load replace takes out what the file has of it above, and load merge does not"
}

// end reports what is still open where the text is over.
func (p *parser) end(words []word, depth int, opened word) {
	if len(words) > 0 {
		p.found.Errorf(Syntax, words[0].at, "the statement %q does not end: a semicolon is missing", clip(words[0].text)).Fixf("end it with a semicolon")
	}
	if depth > 0 {
		p.found.Errorf(Syntax, opened.at, "this brace is never closed").Fixf("close the section with a brace at its end")
	}
}

// list reads values up to the closing bracket; each makes a statement.
func (p *parser) list(path []word, opened word) {
	for !p.failed {
		w, ok := p.next()
		if !ok || w.text == ";" || w.text == "}" || w.text == "{" {
			p.found.Errorf(Syntax, opened.at, "the list of values in brackets is never closed").Fixf("close the list with ]")
			return
		}
		if w.text == "]" {
			return
		}
		p.add(join(path, []word{w}))
	}
}

// commands reads one command on each line.
func (p *parser) commands() {
	line, words := 0, []word(nil)
	flush := func() {
		if len(words) > 0 {
			p.command(words)
		}
		words = nil
	}
	open := []word(nil) // the words before a bracket
	for !p.failed {
		w, ok := p.next()
		if !ok {
			break
		}
		if w.at.Start.Line != line {
			flush()
			line, open = w.at.Start.Line, nil
		}
		switch {
		case w.text == "[" && !w.quoted():
			open, words = words, nil
		case w.text == "]" && !w.quoted():
			open = nil
		case open != nil:
			p.command(join(open, []word{w}))
		default:
			words = append(words, w)
		}
		if len(words) > maxWords {
			p.refuse(words[0].at, "a command has more than %d words", maxWords)
		}
	}
	flush()
}

// command takes the verb off.
func (p *parser) command(words []word) {
	switch words[0].text {
	case "set":
		if len(words) > 1 {
			p.add(words[1:])
		}
	case "configure", "commit": // of the session in which they are typed
	case "deactivate", "protect":
		if len(words) > 1 {
			p.add(words[1:])
			last := p.statements[len(p.statements)-1] // there is one: a refusal comes after the first million
			last.verb = words[0].text
			last.entry.Text = clip(last.verb + " " + last.entry.Text)
		}
	case "delete", "activate":
		p.found.Errorf(Syntax, words[0].at, "%s changes another configuration, so the result cannot be read from this file", words[0].text).
			Fixf("give the configuration as `show configuration` or `show configuration | display set` prints it")
	default:
		p.found.Errorf(Syntax, words[0].at, "a command begins with set, not %q", clip(words[0].text)).Fixf("write the commands as `show configuration | display set` prints them")
	}
}

// deactivate marks what the commands of that name take out of force: `show | display set`
// prints one below the set commands of what a text in braces calls inactive.
func (p *parser) deactivate() {
	off := map[string]bool{}
	for _, s := range p.statements {
		if s.verb == "deactivate" {
			off[joined(s)] = true
		}
	}
	for _, s := range p.statements {
		path := ""
		for i, w := range s.words {
			if i > 0 {
				path += " "
			}
			path += w.text
			if s.verb == "" && off[path] {
				s.inactive = true
			}
		}
	}
}

// join makes a path of its own, so that siblings do not share memory.
func join(path, words []word) []word {
	return append(append(make([]word, 0, len(path)+len(words)), path...), words...)
}

func (p *parser) add(words []word) {
	if len(p.statements) >= p.most {
		p.refuse(words[0].at, "the file has more than %d statements", p.most)
		return
	}
	last := words[len(words)-1].at
	first := last
	for i := len(words) - 1; i >= 0 && words[i].at.Start.Line == last.Start.Line; i-- {
		first = words[i].at
	}
	s := &statement{words: words, at: hcl.RangeBetween(first, last)}
	s.entry = read.Statement{At: s.at, Text: s.text(), Why: "its effect on the device is not known here"}
	p.statements = append(p.statements, s)
}

func (p *parser) refuse(at diag.Range, format string, args ...any) {
	p.failed = true
	p.found.Errorf(Syntax, at, format, args...)
}

// quoted reports whether a word was in quotes, so that it is not punctuation.
func (w word) quoted() bool { return w.at.End.Byte-w.at.Start.Byte > len(w.text) }

// next returns the next word or mark, without comments.
func (p *parser) next() (word, bool) {
	for p.at.Byte < len(p.src) {
		c := p.src[p.at.Byte]
		rest := p.src[p.at.Byte:]
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			p.advance(1)
		case bytes.HasPrefix(rest, []byte("/*")):
			p.remark(rest)
		case c == '#':
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			p.advance(end)
		case c == '"':
			return p.quote(rest), true
		case strings.IndexByte("{};[]", c) >= 0:
			return p.take(1, string(c)), true
		default:
			end := bytes.IndexAny(rest, " \t\r\n{};[]\"")
			if c == '<' { // a pattern may have brackets
				end = bytes.IndexAny(rest, " \t\r\n{};\"")
			}
			if end < 0 {
				end = len(rest)
			}
			return p.take(end, string(bytes.ToValidUTF8(rest[:end], []byte("?")))), true
		}
	}
	return word{}, false
}

// remark skips a remark. "/*/" opens one alone. Text after one that does not end is not part of the
// configuration, against the author's intent.
func (p *parser) remark(rest []byte) {
	_, after, closed := bytes.Cut(rest[2:], []byte("*/"))
	if !closed {
		p.found.Errorf(Syntax, p.take(2, "").at, "this comment is never closed, so nothing after it is read").Fixf("close it with */")
		p.advance(len(rest) - 2)
		return
	}
	p.advance(len(rest) - len(after))
}

// quote reads a text in double quotes; a backslash keeps what follows.
func (p *parser) quote(rest []byte) word {
	end := 1
	for end < len(rest) && rest[end] != '"' && rest[end] != '\n' {
		if rest[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(rest))
	text := string(bytes.ToValidUTF8(rest[1:end], []byte("?")))
	closed := end < len(rest) && rest[end] == '"'
	w := p.take(min(end+1, len(rest)), text)
	if !closed {
		p.found.Errorf(Syntax, w.at, "this text in quotes is never closed").Fixf("close it with a quote on the same line")
	}
	return w
}

// take returns the next n bytes as a word.
func (p *parser) take(n int, text string) word {
	start := p.at
	p.advance(n)
	return word{text, diag.Range{Filename: p.file, Start: start, End: p.at}}
}

func (p *parser) advance(n int) {
	for n = min(n, len(p.src)-p.at.Byte); n > 0; {
		_, size := utf8.DecodeRune(p.src[p.at.Byte:])
		if p.src[p.at.Byte] == '\n' {
			p.at.Line, p.at.Column = p.at.Line+1, 0
		}
		p.at.Column++
		p.at.Byte += size
		n -= size
	}
}
