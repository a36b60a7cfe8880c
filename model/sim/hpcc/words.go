package hpcc

import (
	"errors"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/regular"
)

// word is a stretch of a file without white space.
type word struct {
	text string
	at   diag.Range
}

// reader collects what reading several files finds.
type reader struct {
	found   diag.List
	sources diag.Sources
}

// words reads a file word by word. A fault is reported once, at its place; readers then go on with
// zero values. Unlike the HPCC simulator it skips comments, from a word that begins with # to the
// end of the line.
//
// Words are found as they are asked for: a list of all would take eighty times the file.
type words struct {
	*reader
	name, text string
	at         hcl.Pos // behind first
	first      word    // the next one, if have is set
	have       bool
	end        diag.Range // after the last word so far
}

// open reads a file that a word of the configuration names, relative to its folder. A file outside
// of the folder is refused, also behind a link.
func (r *reader) open(folder string, name word) *words {
	inside := name.text
	if filepath.IsAbs(inside) {
		if rel, err := filepath.Rel(folder, inside); err == nil {
			inside = rel
		}
	}
	if !filepath.IsLocal(inside) {
		r.found.Errorf(Unreadable, name.at, "%s lies outside of the configuration's folder", name.text).Fixf("name it relative to the folder")
		return nil
	}
	text, err := readInside(folder, filepath.ToSlash(filepath.Clean(inside)))
	if err != nil {
		r.found.Errorf(Unreadable, name.at, "cannot read %s: %v", name.text, errors.Unwrap(err)).Fixf("name a file that can be read, relative to the configuration")
		return nil
	}
	return r.words(filepath.Join(folder, inside), text)
}

func readInside(folder, name string) ([]byte, error) {
	root, err := regular.Folder(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return regular.ReadFS(root.FS(), name)
}

func (r *reader) words(name string, text []byte) *words {
	r.sources[name] = text
	w := &words{reader: r, name: name, text: string(text), at: hcl.Pos{Line: 1, Column: 1}}
	w.end = diag.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
	return w
}

// more reports whether there is another word, and finds it.
func (w *words) more() bool {
	for !w.have && w.at.Byte < len(w.text) {
		rest := w.text[w.at.Byte:]
		n := strings.IndexAny(rest, " \t\r\n")
		switch {
		case n == 0:
			if w.at.Column++; rest[0] == '\n' {
				w.at.Line, w.at.Column = w.at.Line+1, 1
			}
			w.at.Byte++
		case rest[0] == '#':
			if n = strings.IndexByte(rest, '\n'); n < 0 {
				n = len(rest)
			}
			w.at.Byte, w.at.Column = w.at.Byte+n, w.at.Column+n
		default:
			if n < 0 {
				n = len(rest)
			}
			from := w.at
			w.at.Byte, w.at.Column = w.at.Byte+n, w.at.Column+n
			w.first, w.have = word{rest[:n], diag.Range{Filename: w.name, Start: from, End: w.at}}, true
		}
	}
	return w.have
}

// next takes the next word; what says what it should be.
func (w *words) next(what string) (word, bool) {
	if !w.more() {
		w.found.Errorf(BadValue, w.end, "the file ends where %s should be", what).Fixf("add the missing values: the counts in the first line say how many there are")
		return word{at: w.end}, false
	}
	w.have = false
	w.end.Start, w.end.End = w.at, w.at
	return w.first, true
}

// each calls read n times, but says only once that the file ends too early.
func (w *words) each(n int64, what string, read func()) {
	for range n {
		if !w.more() {
			w.next(what)
			return
		}
		read()
	}
}

// skipLine drops the words up to the end of a line.
func (w *words) skipLine(line int) {
	for w.more() && w.first.at.Start.Line == line {
		w.next("a word")
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
		w.found.Errorf(BadValue, text.at, "%s is %d, which is outside of %d to %d", what, v, least, most).Fixf("write a whole number from %d to %d", least, most)
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
		w.found.Errorf(BadValue, text.at, "%s is %v, which is outside of %v to %v", what, v, least, most).Fixf("write a number from %v to %v", least, most)
		return least, text
	}
	return v, text
}

func (w *words) bad(at word, what, expected string) {
	w.found.Errorf(BadValue, at.at, "%s is %q, which is not %s", what, short(at.text), expected).Fixf("write %s", expected)
}

// short returns a word as messages show it.
func short(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}
