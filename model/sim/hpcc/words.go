package hpcc

import (
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
)

// word is a stretch of a file without white space.
type word struct {
	text string
	at   diag.Range
}

// words reads a file word by word. What is wrong is reported once, at its place;
// readers then go on with zero values.
type words struct {
	name  string
	left  []word
	end   diag.Range // the end of the file
	found *diag.List
}

// open splits a file into words. The name is the one to show.
func open(path, name string, by diag.Range, found *diag.List) *words {
	text, err := os.ReadFile(path)
	if err != nil {
		if by.Filename == "" {
			by.Filename = name
		}
		found.Errorf(Unreadable, by, "cannot read %s: %v", name, err)
		return nil
	}
	w := &words{name: name, found: found}
	w.split(string(text))
	return w
}

func (w *words) split(text string) {
	line, column, from := 1, 1, -1
	start := hcl.Pos{}
	for i := 0; i <= len(text); i++ {
		here := hcl.Pos{Line: line, Column: column, Byte: i}
		space := i == len(text) || strings.ContainsRune(" \t\r\n", rune(text[i]))
		if !space && from < 0 {
			from, start = i, here
		}
		if space && from >= 0 {
			w.left = append(w.left, word{text[from:i], diag.Range{Filename: w.name, Start: start, End: here}})
			from = -1
		}
		w.end = diag.Range{Filename: w.name, Start: here, End: here}
		column++
		if i < len(text) && text[i] == '\n' {
			line, column = line+1, 1
		}
	}
}

func (w *words) more() bool { return len(w.left) > 0 }

// next takes the next word; what says what it should be.
func (w *words) next(what string) (word, bool) {
	if len(w.left) == 0 {
		w.found.Errorf(BadValue, w.end, "the file ends where %s should be", what)
		return word{at: w.end}, false
	}
	first := w.left[0]
	w.left = w.left[1:]
	return first, true
}

// skipLine drops the words up to the end of a line.
func (w *words) skipLine(line int) {
	for len(w.left) > 0 && w.left[0].at.Start.Line == line {
		w.left = w.left[1:]
	}
}

// integer takes a whole number between two bounds.
func (w *words) integer(what string, least, most int64) (int64, word) {
	text, ok := w.next(what)
	if !ok {
		return least, text
	}
	v, err := strconv.ParseInt(text.text, 10, 64)
	if err != nil {
		w.bad(text, what, "a whole number")
		return least, text
	}
	if v < least || v > most {
		w.found.Errorf(BadValue, text.at, "%s is %d, which is outside of %d to %d", what, v, least, most)
		return least, text
	}
	return v, text
}

// number takes a decimal number between two bounds.
func (w *words) number(what string, least, most float64) (float64, word) {
	text, ok := w.next(what)
	if !ok {
		return least, text
	}
	v, err := strconv.ParseFloat(text.text, 64)
	if err != nil || math.IsNaN(v) {
		w.bad(text, what, "a number")
		return least, text
	}
	if v < least || v > most {
		w.found.Errorf(BadValue, text.at, "%s is %v, which is outside of %v to %v", what, v, least, most)
		return least, text
	}
	return v, text
}

func (w *words) bad(at word, what, expected string) {
	w.found.Errorf(BadValue, at.at, "%s is %q, which is not %s", what, at.text, expected)
}
