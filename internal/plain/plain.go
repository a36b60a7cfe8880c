// Package plain shows text that others wrote: names of files and devices, lines of configurations,
// replies. Text that a reader would obey instead of showing it is escaped: a terminal sees no
// control character, and Markdown no mark, link or mention.
package plain

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Text escapes what a terminal obeys: all control characters but newline and tab, those that turn
// the direction of text round, and bytes that are not UTF-8. The escapes are those of JSON, HCL
// and Go, so a string of these languages keeps its meaning.
func Text(s string) string { return escape(s, false) }

// Line is Text of what must be one line: a newline is escaped too.
func Line(s string) string { return escape(s, true) }

func escape(s string, line bool) string {
	if clean(s, line) {
		return s
	}
	var out strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		out.WriteString(show(s[:n], r, n, line))
		s = s[n:]
	}
	return out.String()
}

// clean reports whether nothing of a text is escaped. Most texts are.
func clean(s string, line bool) bool {
	for _, r := range s {
		if r == utf8.RuneError || obeyed(r) || line && r == '\n' {
			return false
		}
	}
	return true
}

func show(s string, r rune, n int, line bool) string {
	switch {
	case r == utf8.RuneError && n == 1:
		return fmt.Sprintf(`\x%02x`, s[0])
	case r == '\r':
		return `\r`
	case r == '\n' && line:
		return `\n`
	case obeyed(r):
		return fmt.Sprintf(`\u%04x`, r)
	}
	return s
}

// obeyed reports whether a character does something in a terminal. U+0080 to U+009F are the controls
// of ISO 6429 in one character: U+009B begins a sequence as ESC [ does. Unicode's bidirectional
// algorithm (UAX #9) has the marks of direction and isolates; U+2028 and U+2029 end lines.
func obeyed(r rune) bool {
	switch {
	case r < 0x20:
		return r != '\n' && r != '\t'
	case r < 0x7f:
		return false
	}
	return r <= 0x9f || r == 0x061c || r == 0x200e || r == 0x200f || 0x2028 <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
}

// A Writer writes Text. Exact lets everything pass as it is: bytes that are a file's.
type Writer struct {
	To    io.Writer
	Exact bool

	rest []byte // the begin of a character that has not come whole
}

// Write writes all of p, but the begin of a character whose end is still to come.
func (w *Writer) Write(p []byte) (int, error) {
	if w.Exact {
		return w.To.Write(p)
	}
	text := append(w.rest, p...)
	end := len(text)
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ {
		if b := text[len(text)-i]; utf8.RuneStart(b) {
			if b >= utf8.RuneSelf && !utf8.FullRune(text[len(text)-i:]) {
				end = len(text) - i
			}
			break
		}
	}
	if _, err := io.WriteString(w.To, Text(string(text[:end]))); err != nil {
		return 0, err
	}
	w.rest = append([]byte(nil), text[end:]...)
	return len(p), nil
}

// End writes what is left: a character that has no end.
func (w *Writer) End() error {
	text := Text(string(w.rest))
	w.rest = nil
	_, err := io.WriteString(w.To, text)
	return err
}

// Markdown escapes text for a cell of a table, a heading or an item of a list in GitHub's and
// GitLab's Markdown: nothing in it is a mark, a link, HTML or a mention.
func Markdown(s string) string {
	s = marks.Replace(Line(s))
	if s != "" && strings.ContainsRune("#>+-=", rune(s[0])) {
		s = `\` + s // the begin of a line may be that of a block
	}
	return s
}

// The end of its text and the next character make a link; a name such as tor-[01..16] has neither.
// An @ with nothing visible behind it is no mention; an entity ends what would be an address.
var marks = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "|", `\|`, "*", `\*`, "_", `\_`, "~", `\~`, "](", `\](`, "][", `\][`,
	"<", "&lt;", ">", "&gt;", "&", "&amp;", "@", "@&#8203;", "://", "&#58;//", "www.", "www&#46;")

// Code returns a text as code in a cell of a table. Nothing in it has a meaning; an empty text is nothing.
func Code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + strings.NewReplacer("`", "'", "|", `\|`).Replace(Line(s)) + "`"
}
