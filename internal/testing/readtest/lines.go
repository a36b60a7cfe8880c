// Package readtest edits every line of a file and looks whether a reader notices: a
// statement that is gone, said twice, taken back or of another number has to change the
// switch, give a finding, or be one that the ledger names. Only tests import it.
package readtest

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/read"
)

// A Language has the properties of files of lines that the harness needs.
type Language struct {
	Format  read.Format
	Options read.Options
	// Statement reports whether a line is one, and not a remark.
	Statement func(line string) bool
	// Undone are the ways to take a line back: "no X", "default X".
	Undone func(line string) []string
	// SectionEnd is the number of the line before which a line stands that is added to the
	// end of the section of line i.
	SectionEnd func(lines []string, i int) int
}

// An Edit is one change of one line.
type Edit struct {
	Kind  string // "deleted", "doubled", "doubled at the end", "undone", "number"
	lines []string
	at    int // the changed line in the edited file, or the deleted one in the original
	gone  bool
}

// Shown says in which part of the reader's result an edit shows.
type Shown string

const (
	InPlan       Shown = "plan"         // the switch that is read differs
	InFindings   Shown = "finding"      // the findings differ
	AsNeutral    Shown = "neutral"      // the line is neutral in the ledger
	AsUnmodelled Shown = "not modelled" // the ledger names the line, or differs in what it names
	Nowhere      Shown = "same"
)

// A Trial is an edit of a line, and what came of it.
type Trial struct {
	Line   string // without blanks around
	Edited string // what stands there after the edit; empty where nothing does
	Kind   string
	Shown  Shown
	// Statement is the line's entry in the ledger of the file as it was.
	Statement read.Statement
}

// Try makes every edit of a file, one at a time.
func (l Language) Try(name string, text []byte, visit func(Trial)) {
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	before := l.read(name, lines)
	offsets := starts(lines)
	for i, line := range lines {
		if !l.Statement(line) {
			continue
		}
		for _, e := range l.edits(lines, i) {
			after := l.read(name, e.lines)
			t := Trial{Line: strings.TrimSpace(line), Kind: e.Kind, Shown: shown(before, after, e, offsets), Statement: entryAt(before, offsets[i+1])}
			if !e.gone {
				t.Edited = strings.TrimSpace(e.lines[e.at])
			}
			visit(t)
		}
	}
}

func (l Language) read(name string, lines []string) read.Result {
	return l.Format.Read(name, []byte(strings.Join(lines, "\n")+"\n"), l.Options)
}

// starts returns the offsets of lines.
func starts(lines []string) []int {
	out := make([]int, len(lines)+1)
	for i, line := range lines {
		out[i+1] = out[i] + len(line) + 1
	}
	return out
}

func (l Language) edits(lines []string, i int) (out []Edit) {
	line := lines[i]
	out = append(out, Edit{"deleted", slices.Delete(slices.Clone(lines), i, i+1), i, true})
	end := l.SectionEnd(lines, i)
	out = append(out, Edit{"doubled", slices.Insert(slices.Clone(lines), end, line), end, false})
	if end != len(lines) {
		out = append(out, Edit{"doubled at the end", append(slices.Clone(lines), line), len(lines), false})
	}
	for _, undone := range l.Undone(line) {
		out = append(out, Edit{"undone", replaced(lines, i, undone), i, false})
	}
	for _, other := range renumbered(line) {
		out = append(out, Edit{"number", replaced(lines, i, other), i, false})
	}
	return out
}

func replaced(lines []string, i int, by string) []string {
	out := slices.Clone(lines)
	out[i] = by
	return out
}

// renumbered are copies of a line in which one number is larger by one.
func renumbered(line string) (out []string) {
	for from := 0; from < len(line); {
		digits := len(line[from:]) - len(strings.TrimLeft(line[from:], "0123456789"))
		if digits == 0 {
			from++
			continue
		}
		if n, err := strconv.ParseUint(line[from:from+digits], 10, 63); err == nil {
			out = append(out, line[:from]+strconv.FormatUint(n+1, 10)+line[from+digits:])
		}
		from += digits
	}
	return out
}

func shown(before, after read.Result, e Edit, offsets []int) Shown {
	if !Same(before.Switch, after.Switch) {
		return InPlan
	}
	if !slices.Equal(messages(before.Found), messages(after.Found)) {
		return InFindings
	}
	s := read.Statement{}
	if e.gone {
		s = entryAt(before, offsets[e.at+1])
	} else {
		s = entryAt(after, starts(e.lines)[e.at+1])
	}
	switch {
	case s.Sort == read.Unmodelled, !slices.Equal(unmodelled(before), unmodelled(after)):
		return AsUnmodelled
	case s.Sort == read.Neutral:
		return AsNeutral
	}
	return Nowhere
}

// entryAt returns the entry of a ledger that accounts for a line: the last that begins before
// the line ends.
func entryAt(r read.Result, end int) read.Statement {
	all := r.Ledger.Statements
	i := sort.Search(len(all), func(i int) bool { return all[i].At.Start.Byte >= end })
	if i == 0 {
		return read.Statement{Why: "no entry of the ledger"}
	}
	return all[i-1]
}

// messages returns the messages of a list, without places.
func messages(list diag.List) (out []string) {
	for _, d := range list {
		out = append(out, string(d.Code)+" "+d.Message)
	}
	slices.Sort(out)
	return out
}

// unmodelled returns the statements that a ledger names as not modelled.
func unmodelled(r read.Result) (out []string) {
	for _, s := range r.Ledger.Unmodelled() {
		out = append(out, s.Text+"\x00"+s.Why+"\x00"+strings.Join(s.Touches.Ports, " "))
	}
	slices.Sort(out)
	return out
}
