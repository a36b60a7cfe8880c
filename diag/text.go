package diag

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/roceplan/roceplan/internal/plain"
)

// Sources are the texts that ranges point into, by the name they were read under.
type Sources map[string][]byte

// Text writes findings for a person: the place, the line with carets below the subject, the fix and
// the related places. Control characters are escaped.
//
//	fabric.hcl:12:13: error[unit-missing]: "100" is not a length: the unit is missing
//	   12 |   cable = "100"
//	      |           ^^^^^
//	      = fix: write it like "100m"
type Text struct {
	Sources Sources
	Colour  bool
}

const (
	red, yellow, blue, bold, usual = "\x1b[31m", "\x1b[33m", "\x1b[34m", "\x1b[1m", "\x1b[0m"
)

// Write prints the findings in the order they are given.
func (t Text) Write(w io.Writer, list List) error {
	var out bytes.Buffer
	for _, d := range list {
		t.one(&out, d)
	}
	_, err := w.Write(out.Bytes())
	return err
}

func (t Text) one(out *bytes.Buffer, d Diagnostic) {
	shade := red
	if d.Severity == Warning {
		shade = yellow
	}
	fmt.Fprintf(out, "%s%s%s\n", place(d.Subject), t.paint(shade, fmt.Sprintf("%s[%s]", d.Severity, d.Code)), t.paint(bold, ": "+plain.Line(d.Message)))
	t.excerpt(out, d.Subject, shade)
	if d.Fix != "" {
		fmt.Fprintf(out, "      = fix: %s\n", plain.Line(d.Fix))
	}
	for _, e := range d.Edits {
		if text, known := t.Sources[e.Range.Filename]; known {
			fmt.Fprintf(out, "      = edit %s\n", plain.Line(e.Shown(text)))
		}
	}
	for _, n := range d.Related {
		fmt.Fprintf(out, "      = see %s%s\n", place(n.Range), plain.Line(n.Message))
		t.excerpt(out, n.Range, blue)
	}
}

func (t Text) paint(shade, s string) string {
	if !t.Colour {
		return s
	}
	return shade + s + usual
}

func place(r Range) string {
	if r.Filename == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d: ", plain.Line(r.Filename), r.Start.Line, r.Start.Column)
}

// excerpt prints the first line of the range with carets below the part that it
// covers. A line longer than any screen is left out: carets could not be seen.
func (t Text) excerpt(out *bytes.Buffer, r Range, shade string) {
	line, start, ok := lineAt(t.Sources[r.Filename], r.Start.Byte)
	if !ok || len(line) > 400 {
		return
	}
	end := min(max(r.End.Byte-start, r.Start.Byte-start+1), len(line))
	before := line[:r.Start.Byte-start]
	marked := 1
	if end > len(before) {
		marked = max(1, utf8.RuneCountInString(expand(line[len(before):end])))
	}
	fmt.Fprintf(out, "%5d | %s\n", r.Start.Line, expand(line))
	fmt.Fprintf(out, "      | %s%s\n", strings.Repeat(" ", utf8.RuneCountInString(expand(before))), t.paint(shade, strings.Repeat("^", marked)))
}

func expand(b []byte) string {
	return plain.Line(strings.ReplaceAll(string(b), "\t", "    "))
}

// lineAt returns the line that holds byte at, without its end, and where it starts.
func lineAt(src []byte, at int) (line []byte, start int, ok bool) {
	if src == nil || at < 0 || at > len(src) {
		return nil, 0, false
	}
	start = bytes.LastIndexByte(src[:at], '\n') + 1
	end := len(src)
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		end = at + i
	}
	return bytes.TrimSuffix(src[start:end], []byte("\r")), start, true
}
