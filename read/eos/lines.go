package eos

import (
	"strings"

	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/cli"
)

// A level is a line that opened a mode, and how far it is indented.
type level struct {
	indent int
	mode   *mode
}

// A walker goes through the lines of a file. EOS itself does not look at indentation: a command
// acts in the mode that is open if that mode knows it, or else in one around it. A running-config
// shows the modes by indentation, and the two agree on all that EOS prints. Where they do not, the
// walker does as EOS does with a line as deep as the line that opened the mode, because people and
// scripts write so; a line further left has left the mode.
type walker struct {
	*reader
	stack []level
	until string // what ends a text of many lines; empty outside of one
	text  int    // the entry of the line that began it
	// ended is the entry, counted from 1, of a line that leaves the configuration; 0: none has.
	ended int
}

func (r *reader) lines(src string) {
	w := walker{reader: r, stack: []level{{-1, r.globalMode()}}}
	var trail cli.Trail
	var led read.Ledger
	var filters read.Filters
	cli.Lines(r.file, src, func(number int, l cli.Line) bool {
		switch {
		case w.until != "":
			if l.Src == w.until {
				w.until = ""
			}
			return true
		case l.Src == "" || l.Src[0] == '!':
			if number <= headerLines {
				r.header(l.Src)
			}
			return true
		}
		if w.ended > 0 {
			w.behindEnd()
		}
		words := trail.Words(l)
		led.Lead(ways(), words, l.At)
		led.Policies.Lead(words)
		filters.Lead(words)
		w.line(l)
		return !r.tooMuch(l)
	})
	r.filtered(&led, filters)
	r.ways, r.ends, r.routes = led.Ways, led.Ends, led.Policies
	if w.until != "" {
		r.ledger[w.text] = read.Statement{At: r.ledger[w.text].At, Text: r.ledger[w.text].Text, Why: "the text that begins here does not end, and all lines below belong to it"}
	}
}

// line finds the mode that a line acts in, and enters it into the ledger.
func (w *walker) line(l cli.Line) {
	indent := l.Indent
	for w.top().indent > indent {
		w.cut(len(w.stack) - 1)
	}
	if m := w.top().mode; m.section && w.top().indent < indent && !escapes(l, m.name) {
		return // part of an entry
	}
	var left *mode // of a line as deep as this one
	stood := w.stack
	for i := len(w.stack) - 1; w.stack[i].indent == indent; i-- {
		m := w.stack[i].mode
		if v := m.ask(l); v.took {
			w.cut(i + 1)
			w.enter(l, indent, v)
			return
		}
		if left == nil && m.read != nil {
			left, stood = m, w.stack[:i+1]
		}
	}
	if leaves := cli.Begins(l.Words, "exit"); l.Undo == cli.Plain && (leaves || cli.Begins(l.Words, "end")) {
		w.leave(l, leaves)
		return
	}
	for w.top().indent == indent {
		w.cut(len(w.stack) - 1)
	}
	for i := len(w.stack) - 1; i >= 0; i-- {
		v := w.stack[i].mode.ask(l)
		if !v.took && i == len(w.stack)-1 {
			v = w.passed(w.stack[i].mode, l)
		}
		if v.took {
			w.cut(i + 1)
			w.enter(l, indent, v)
			return
		}
	}
	if v := w.passed(left, l); v.took {
		w.stack = stood
		w.enter(l, indent, v)
		return
	}
	w.enter(l, indent, unmodelled("the effect of this line in EOS is not known").of(w.top().mode.owner))
}

// leave closes the mode that is open, and with end all of them. The configuration ends with the
// last mode.
func (w *walker) leave(l cli.Line, one bool) {
	open := 0
	if one {
		for i := len(w.stack) - 1; i > open; i-- {
			if m := w.stack[i].mode; m.read != nil || m.section {
				open = i
			}
		}
	}
	w.cut(max(open, 1))
	w.enter(l, l.Indent, neutral("end"))
	if open == 0 {
		w.ended = len(w.ledger)
	}
}

// behindEnd notes that lines follow one that leaves the configuration. They are read all the same:
// whoever put them there meant them.
func (w *walker) behindEnd() {
	s := &w.ledger[w.ended-1]
	s.Sort, s.Rule, s.Why = read.Unmodelled, "", "EOS leaves the configuration here, and reads the lines below as other commands"
}

func (w *walker) top() level { return w.stack[len(w.stack)-1] }

func (w *walker) cut(to int) { w.stack = w.stack[:to] }

// enter puts a line into the ledger and opens its mode. Below a line of the switch that is
// neutral or not known, lines belong to its entry; commands of ports and queues open no
// sections but those that the parser knows, so lines below act in the mode around them.
func (w *walker) enter(l cli.Line, indent int, v verdict) {
	global := w.top().mode.name == "global"
	entry := w.note(l, v)
	child := v.child
	if child == nil {
		child = &mode{name: v.rule, section: v.sort == read.Unmodelled || v.sort == read.Neutral && v.rule != "end" && (global || cli.Begins(l.Words, "evpn"))}
	}
	w.stack = append(w.stack, level{indent, child})
	if l.Undo == cli.Plain && (cli.Begins(l.Words, "banner") || cli.Begins(l.Words, "comment") && len(l.Words) == 1) {
		w.until, w.text = "EOF", entry
	}
}

// escapes reports whether a line inside of a section that is one entry cannot belong to
// it: no protocol, user or policy of EOS has such lines, so EOS takes them for global.
// Cluster load balancing alone lists interfaces.
func escapes(l cli.Line, section string) bool {
	if len(l.Words) == 0 {
		return false
	}
	switch l.Words[0] {
	case "priority-flow-control", "platform", "policy-map", "class-map":
		return true
	case "qos":
		return len(l.Words) > 1 && (l.Words[1] == "map" || l.Words[1] == "profile" || l.Words[1] == "rewrite")
	case "interface":
		kind, rest := kindOfInterface(l.Words[1:])
		return section != "path-choice" && kind == "Ethernet" && (place.MatchString(rest) || portsOf(rest) != nil)
	}
	return false
}

// tooMuch reports whether the file goes beyond all bounds at this line.
func (r *reader) tooMuch(l cli.Line) bool {
	if r.objects <= maxObjects && len(r.Found) <= maxFindings && len(r.ledger) < maxStatements {
		return false
	}
	r.Found.Errorf(TooMany, l.At, "more than %d objects, %d statements or %d findings precede this line; the rest is not read", maxObjects, maxStatements, maxFindings).Fixf("give roceplan the running-config of one switch at a time")
	r.note(l, unmodelled("this line and all below are not read"))
	return true
}

// headerLines is within how many lines the device says what it is.
const headerLines = 5

// header reads the model from what `show running-config` prints first:
// "! device: leaf-1 (DCS-7060X6-64PE, EOS-4.36.1F)".
func (r *reader) header(first string) {
	_, rest, ok := strings.Cut(first, " (")
	if model, _, found := strings.Cut(rest, ","); ok && found && strings.HasPrefix(first, "! device: ") {
		r.model = cli.Clip(model)
	}
}
