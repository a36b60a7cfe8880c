package repair

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/stable"
)

// near are the lines in which a slip may be, relative to the line of the finding, the nearest first: the parser notices
// a slip late.
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
	if m := redefined.FindStringSubmatch(b.d.Message); m != nil {
		first, _ := strconv.Atoi(m[2])
		b.moved(name, m[1], starts, first-1, here)
	}
	for line := here; line >= 0; line-- {
		b.needless(name, text, starts, line)
	}
	if strings.Contains(b.d.Message, "brac") || strings.Contains(b.d.Message, "block") {
		for line := here; line < len(starts); line++ {
			b.brace(name, text, starts[line], line)
		}
	}
}

var redefined = regexp.MustCompile(`the argument "([a-z_]+)" was already set at .*:([0-9]+),`)

// moved moves one of two lines of an attribute to the block before theirs that has none, the first one rather.
func (b *builder) moved(file, attribute string, starts []int, first, second int) {
	for i, line := range []int{first, second} {
		if line < 0 || line+1 >= len(starts) {
			continue
		}
		at := diag.Range{Filename: file}
		at.Start.Byte, at.Start.Line, at.Start.Column = starts[line], line+1, 1
		at.End.Byte, at.End.Line, at.End.Column = starts[line+1], line+2, 1
		mine := b.files.at(at).block
		b.files.each(func(other *hclsyntax.Block) {
			if mine != nil && other.Type == mine.Type && other != mine && other.Body.Attributes[attribute] == nil && other.TypeRange.Filename == file {
				edits := []diag.Edit{{Range: at}, within(other, strings.TrimSpace(b.text(at)))}
				b.list = append(b.list, candidate{edits, costMove + i, unrelated})
			}
		})
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
	for _, instead := range b.rewritten(name, string(text[from:end])) {
		b.parsing(name, from, line, from, end, instead, far)
	}
	if end < len(text) {
		b.parsing(name, from, line, from, end+1, "", far+4)
		if rest := bytes.TrimLeft(text[end:], " \n"); bytes.HasPrefix(rest, []byte("{")) {
			b.parsing(name, from, line, end, len(text)-len(rest), " ", far)
		}
	}
}

// needless tries to do without a closing brace that is alone in its line, first of those that follow another one of
// the same indent.
func (b *builder) needless(name string, text []byte, starts []int, line int) {
	of := func(line int) string {
		if line < 0 || line+1 >= len(starts) {
			return ""
		}
		return string(text[starts[line]:starts[line+1]])
	}
	if brace := of(line); strings.TrimSpace(brace) == "}" {
		far := 8
		if of(line-1) == brace {
			far = 0
		}
		b.parsing(name, starts[line], line, starts[line], starts[line+1], "", far)
	}
}

var (
	otherQuotes  = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‘", `"`, "’", `"`, "'", `"`, "`", `"`)
	bareLabel    = regexp.MustCompile(`^( *[a-z_]+ )([^"{= ]+)( \{)$`)
	bareValue    = regexp.MustCompile(`^( *[a-z_]+ *= *)([^"\[{ ]+)()$`)
	bareBreakout = regexp.MustCompile(`^( *breakout *= *)([0-9]+x[0-9]+)G?$`)
	otherList    = regexp.MustCompile(`^( *[a-z_]+ *= *)[({](.*)[)}]$`)
	otherDot     = regexp.MustCompile(`(= *(?:nic|switch|local|var))[ :/_-]+([a-z])`)
	otherEquals  = regexp.MustCompile(`^( *[a-z_]+ *)->`)
	literals     = regexp.MustCompile(`"[^"\n]+"|\b[0-9]+\b`)
	noValue      = regexp.MustCompile(`^ *([a-z_]+) *=? *$`)
)

// rewritten are a line as it should be where more than one sign of it is wrong: with other quotes, without quotes, with
// other brackets, or without its value, which is then that of such an attribute elsewhere.
func (b *builder) rewritten(name, line string) (all []string) {
	all = []string{
		otherQuotes.Replace(line), bareLabel.ReplaceAllString(line, `$1"$2"$3`), bareValue.ReplaceAllString(line, `$1"$2"`),
		bareBreakout.ReplaceAllString(line, `$1"${2}G"`), otherDot.ReplaceAllString(line, "$1.$2"), otherList.ReplaceAllString(line, "$1[$2]"), otherEquals.ReplaceAllString(line, "$1="),
	}
	if m := noValue.FindStringSubmatch(line); m != nil {
		sample := `"`
		for _, other := range regexp.MustCompile(`(?m)^ *`+m[1]+` *= *([^ \n].*)$`).FindAllSubmatch(b.texts[name], 9) {
			if !strings.HasPrefix(sample, "[") {
				sample = string(other[1])
			}
			all = append(all, strings.TrimRight(line, " =")+" = "+string(other[1]))
		}
		for _, value := range append(usual()[m[1]], "3m") { // the reach of twinax
			all = append(all, strings.TrimRight(line, " =")+" = "+written(sample, value))
		}
		text := b.texts[name]
		at := bytes.Index(text, []byte("\n"+line+"\n"))
		from, to := max(0, at-400), min(len(text), at+400)
		for _, value := range literals.FindAllString(string(text[from:to]), 24) { // of lines around
			all = append(all, strings.TrimRight(line, " =")+" = "+value)
		}
	}
	return stable.Delete(all, func(s string) bool { return s == line })
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

// mostParsed is the number of bytes that are parsed to try signs for one finding, a choice: it takes some
// seven seconds, and a fabric of 10 kB is never cut short by it.
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
	if b.parses(diag.Apply(name, b.texts[name], []diag.Edit{{Range: at, Text: sign}}), name) {
		b.add(at, sign, costSyntax+2*cost)
	}
}

func letter(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
