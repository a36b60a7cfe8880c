package nxos

import (
	"strings"

	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/cli"
)

// A mode is a place of the CLI for lines of one kind.
type mode struct {
	name  string // as the table of neutral lines calls it
	read  func(cli.Line) verdict
	owner *owner // whose lines these are; nil: the switch's
	// queues are what lines of the mode can touch, as bits; 0: anything.
	queues uint16
	// section is set where all lines below belong to one entry of the ledger.
	section bool
}

// A verdict is what the reader makes of a line. A line that no mode took has the zero verdict.
type verdict struct {
	took  bool
	sort  read.Sort
	rule  string
	why   string
	child *mode // what reads the lines below
	// harmless is under which condition a line that is not modelled changes nothing.
	harmless *read.Assumption
}

func modelled() verdict             { return verdict{took: true, sort: read.Modelled} }
func neutral(rule string) verdict   { return verdict{took: true, sort: read.Neutral, rule: rule} }
func unmodelled(why string) verdict { return verdict{took: true, why: why} }
func opens(m *mode) verdict         { return verdict{took: true, sort: read.Modelled, child: m} }

// understood returns the verdict on a line whose value was read or, with a finding, was not.
func understood(ok bool) verdict {
	if !ok {
		return unmodelled("its value is not understood")
	}
	return modelled()
}

// A walker goes through the lines of a file. NX-OS takes a command in the mode that is open if that
// mode knows it, or else in one around it. A running-config shows the modes by indentation; a list
// of commands, as people paste it, does not. So a line as deep as the one that opened a mode may
// belong to the mode, unless other lines there are deeper.
type walker struct {
	*reader
	stack []level
	until string // what ends a banner; empty outside of one
}

type level struct {
	indent   int
	indented bool // lines of the mode are deeper
	mode     *mode
}

func (r *reader) lines(src string) {
	w := walker{reader: r, stack: []level{{-1, true, &mode{name: "global", read: r.global}}}}
	var trail cli.Trail
	var led read.Ledger
	cli.Lines(r.file, src, func(_ int, l cli.Line) bool {
		if w.until != "" {
			if strings.Contains(l.Src, w.until) {
				w.until = ""
			}
			return true
		}
		if l.Src == "" || l.Src[0] == '!' || l.Src[0] == '#' { // remarks; NetApp's reference configurations have them behind #
			return true
		}
		words := trail.Words(l)
		led.Lead(ways(), words, l.At)
		led.Policies.Lead(words)
		w.line(l)
		return !r.tooMuch(l)
	})
	r.ways, r.ends, r.routes = led.Ways, led.Ends, led.Policies
}

// line finds the mode that a line acts in, and enters it into the ledger.
func (w *walker) line(l cli.Line) {
	for w.top().indent > l.Indent || w.top().indent == l.Indent && w.top().indented {
		w.stack = w.stack[:len(w.stack)-1]
	}
	top := w.top()
	if l.Indent > top.indent {
		top.indented = true
		if top.mode.section && !escapes(l) {
			return // part of an entry
		}
	}
	for i := len(w.stack) - 1; i >= 0; i-- {
		if v := w.ask(w.stack[i].mode, l); v.took {
			w.stack = w.stack[:i+1]
			w.enter(l, v)
			return
		}
	}
	w.enter(l, unmodelled("the effect of this line in NX-OS is not known"))
}

// escapes reports whether a line below one that is a whole entry cannot belong to it. NX-OS
// does not look at indentation, and no protocol, VLAN or user has such lines.
func escapes(l cli.Line) bool {
	if len(l.Words) == 0 {
		return false
	}
	switch l.Words[0] {
	case "priority-flow-control", "policy-map", "class-map":
		return true
	case "system":
		return len(l.Words) == 2 && l.Words[1] == "qos"
	case "interface":
		kind, _ := kindOfInterface(strings.Join(l.Words[1:], ""))
		return kind == ethernet
	}
	return false
}

func (w *walker) top() *level { return &w.stack[len(w.stack)-1] }

// ask offers a line to a mode and to the table of neutral lines.
func (w *walker) ask(m *mode, l cli.Line) (v verdict) {
	if len(l.Words) == 0 {
		return v
	}
	if m.read != nil {
		v = m.read(l)
	}
	if !v.took {
		if rule := w.table.Find(m.name, l); rule != "" {
			return neutral(rule)
		}
	}
	return v
}

// enter puts a line into the ledger and opens its mode.
func (w *walker) enter(l cli.Line, v verdict) {
	in := w.top().mode
	s := read.Statement{At: l.At, Text: l.Text(), Sort: v.sort, Rule: v.rule, Why: v.why, Harmless: v.harmless}
	owner := in.owner
	if v.child != nil && v.child.owner != nil {
		owner = v.child.owner
	}
	if s.Sort == read.Unmodelled {
		s.Touches = read.Scope{Queues: in.queues}
	}
	w.ledger, w.owners = append(w.ledger, s), append(w.owners, owner)
	child := v.child
	if child == nil {
		// Below a line that opens no mode of ours, lines belong to its entry.
		child = &mode{owner: in.owner, section: true}
	}
	w.stack = append(w.stack, level{indent: l.Indent, mode: child})
	if len(l.Words) > 2 && l.Words[0] == "banner" && l.Undo == cli.Plain {
		w.banner(l)
	}
}

// banner skips the text behind `banner motd #`, up to the same sign.
func (w *walker) banner(l cli.Line) {
	text := strings.TrimSpace(l.Src[strings.Index(l.Src, l.Words[2]):])
	if sign := text[:1]; !strings.Contains(text[1:], sign) {
		w.until = sign
	}
}

// tooMuch reports whether the file goes beyond all bounds at this line.
func (r *reader) tooMuch(l cli.Line) bool {
	if r.objects <= maxObjects && len(r.Found) <= maxFindings && len(r.ledger) < maxStatements {
		return false
	}
	r.Found.Errorf(TooMany, l.At, "more than %d objects, %d statements or %d findings precede this line; the rest is not read", maxObjects, maxStatements, maxFindings).Fixf("give roceplan the running-config of one switch at a time")
	r.ledger = append(r.ledger, read.Statement{At: l.At, Text: l.Text(), Why: "this line and all below are not read"})
	r.owners = append(r.owners, nil)
	return true
}
