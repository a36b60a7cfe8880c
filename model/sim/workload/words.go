package workload

import (
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
)

// words reads a text word by word, with places.
type words struct {
	*reader
	name         string
	text         []byte
	at           int // byte
	line, column int // line from 1, column from 0
	broken       bool
}

// next returns the next word; empty at the end.
func (w *words) next() (string, diag.Range) {
	for w.at < len(w.text) && strings.IndexByte(" \t\r\n", w.text[w.at]) >= 0 {
		if w.column++; w.text[w.at] == '\n' {
			w.line, w.column = w.line+1, 0
		}
		w.at++
	}
	from, begin := w.at, hcl.Pos{Line: w.line, Column: w.column + 1, Byte: w.at}
	for w.at < len(w.text) && strings.IndexByte(" \t\r\n", w.text[w.at]) < 0 {
		w.at++
		w.column++
	}
	return string(w.text[from:w.at]), diag.Range{Filename: w.name, Start: begin, End: hcl.Pos{Line: w.line, Column: w.column + 1, Byte: w.at}}
}

// integer returns a whole number in a range. A fault is reported once for the file; then numbers are the
// least.
func (w *words) integer(what string, least, most int64) (int64, diag.Range) {
	text, at := w.next()
	return w.whole(text, at, what, least, most), at
}

func (w *words) whole(text string, at diag.Range, what string, least, most int64) int64 {
	v, err := strconv.ParseInt(text, 10, 64)
	switch {
	case w.broken:
	case text == "":
		w.wrong(at, "the file ends where %s is expected", what).Fixf("add what is missing: the counts before say how many lines follow")
	case err != nil:
		w.wrong(at, "%s is %q, which is not a whole number", what, clip(text)).Fixf("write a whole number from %d to %d", least, most)
	case v < least || v > most:
		w.wrong(at, "%s is %d, which is outside of %d to %d", what, v, least, most).Fixf("write a whole number from %d to %d", least, most)
	default:
		return v
	}
	return least
}

// seconds returns a time as the HPCC simulator writes it, in picoseconds.
func (w *words) seconds(what string) int64 {
	text, at := w.next()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0 && v <= float64(maxTime)/1e12) {
		if !w.broken {
			w.wrong(at, "%s is %q, which is not a number of seconds from 0 to %v", what, clip(text), float64(maxTime)/1e12).Fixf("write the time in seconds, such as 0.001")
		}
		return 0
	}
	return int64(v * 1e12)
}

func (w *words) wrong(at diag.Range, format string, args ...any) *diag.Diagnostic {
	w.broken = true
	return w.found.Errorf(TraceValue, at, format, args...)
}
