// Package readtest edits configuration files one statement at a time, and demands of a
// reader that none of the edits passes in silence.
package readtest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/read"
)

// A JSON is a reader of JSON under test.
type JSON struct {
	Read func(text []byte) read.Result
	// Class names what a value is by the keys that lead to it: values of one class are
	// tried once for each file. Empty: not tried.
	Class func(path []string) string
	// Default reports whether a value is what a device does without the line, so that
	// deleting it may change nothing.
	Default func(class, value string) bool
}

// A JSONReport says what became of edits: by class and kind of edit, the outcomes.
type JSONReport map[string]map[string]map[string]bool

// Add notes an outcome.
func (r JSONReport) Add(class, edit, outcome string) {
	if r[class] == nil {
		r[class] = make(map[string]map[string]bool)
	}
	if r[class][edit] == nil {
		r[class][edit] = make(map[string]bool)
	}
	r[class][edit][outcome] = true
}

// String is one line for each class: kinds of edit with the same outcomes together.
func (r JSONReport) String() string {
	var b strings.Builder
	for _, class := range slices.Sorted(maps.Keys(r)) {
		by := make(map[string][]string)
		for edit, outcomes := range r[class] {
			key := strings.Join(slices.Sorted(maps.Keys(outcomes)), " or ")
			by[key] = append(by[key], edit)
		}
		fmt.Fprintf(&b, "%s\n", class)
		for _, outcome := range slices.Sorted(maps.Keys(by)) {
			slices.Sort(by[outcome])
			fmt.Fprintf(&b, "    %s: %s\n", strings.Join(by[outcome], ", "), outcome)
		}
	}
	return b.String()
}

// Rules returns the neutral rules that the report names.
func (r JSONReport) Rules() map[string]bool {
	rules := make(map[string]bool)
	for _, edits := range r {
		for _, outcomes := range edits {
			for outcome := range outcomes {
				if id, ok := strings.CutPrefix(outcome, "neutral "); ok {
					rules[id] = true
				}
			}
		}
	}
	return rules
}

// Edit tries every edit of every class of values in a file, and adds what became of them.
func (j *JSON) Edit(t *testing.T, name string, text []byte, into JSONReport) {
	t.Helper()
	e := &jsonEdit{JSON: j, t: t, name: name, text: text, into: into, tried: make(map[string]bool)}
	e.base = e.look(text)
	e.walk(nil, e.base.root)
}

type jsonEdit struct {
	*JSON
	t     *testing.T
	name  string
	text  []byte
	base  *looked
	into  JSONReport
	tried map[string]bool
}

// looked is a reader's result for a text.
type looked struct {
	file  *posjson.File
	root  *posjson.Node
	print uint64
	found map[string]int
	at    map[int]read.Statement
}

func (e *jsonEdit) look(text []byte) *looked {
	l := &looked{found: make(map[string]int), at: make(map[int]read.Statement)}
	var faults diag.List
	d := &posjson.Dialect{MaxSize: 1 << 30, MaxDepth: 64, MaxNodes: 1 << 24}
	l.file, l.root = d.Parse(e.name, text, &faults)
	result := e.Read(text)
	l.print = Fingerprint(result.Switch)
	for _, f := range result.Found {
		l.found[string(f.Code)+f.Message]++
	}
	for _, s := range result.Ledger.Statements {
		l.at[s.At.Start.Byte] = s
	}
	return l
}

// walk tries edits of all members below a node.
func (e *jsonEdit) walk(path []string, n *posjson.Node) {
	for i := range n.Members {
		m := &n.Members[i]
		below := append(slices.Clip(path), m.Key)
		e.walk(below, &m.Value)
		class := e.Class(below)
		if class == "" || e.tried[class] {
			continue
		}
		e.tried[class] = true
		e.member(below, class, n, i)
	}
}

// member tries edits of one member.
func (e *jsonEdit) member(path []string, class string, n *posjson.Node, i int) {
	m := &n.Members[i]
	e.try(path, class, "deleted", m.Value.Text, e.without(n, i))
	if m.Value.Kind == posjson.Object {
		if len(m.Value.Members) > 0 && m.Value.Members[0].Value.Kind == posjson.Text {
			v := &m.Value.Members[0].Value
			row := string(e.text[m.Start:v.Start]) + strconv.Quote(other(v.Text)) + string(e.text[v.End:m.Value.End])
			e.try(path, class, "doubled", "", e.splice(m.Value.End, m.Value.End, ","+row))
		}
		return
	}
	set := func(edit, value string) {
		if value != m.Value.Text {
			e.try(path, class, edit, value, e.splice(m.Value.Start, m.Value.End, strconv.Quote(value)))
		}
	}
	number, err := strconv.ParseInt(m.Value.Text, 10, 64)
	if err != nil {
		set("replaced", other(m.Value.Text))
		return
	}
	set("+1", strconv.FormatInt(number+1, 10))
	set("x2", strconv.FormatInt(number*2, 10))
	set("0", "0")
}

// other is another value of the same kind.
func other(value string) string {
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		return strconv.FormatInt(n+1, 10)
	}
	return value + "x"
}

func (e *jsonEdit) splice(from, to int32, with string) []byte {
	return slices.Concat(e.text[:from], []byte(with), e.text[to:])
}

// without removes a member with the comma beside it.
func (e *jsonEdit) without(n *posjson.Node, i int) []byte {
	from, to := n.Members[i].Start, n.Members[i].Value.End
	switch {
	case i+1 < len(n.Members):
		to = n.Members[i+1].Start
	case i > 0:
		from = n.Members[i-1].Value.End
	}
	return e.splice(from, to, "")
}

// try judges one edit.
func (e *jsonEdit) try(path []string, class, edit, value string, text []byte) {
	now := e.look(text)
	outcome := e.outcome(path, now)
	if outcome == "" && e.Default(class, value) {
		outcome = "default"
	}
	if outcome == "" {
		outcome = "SILENT"
		e.t.Errorf("%s: %s %s to %q: no difference in the plan, no finding, and the ledger calls it modelled", e.name, strings.Join(path, "|"), edit, value)
	}
	e.into.Add(class, edit, outcome)
}

func (e *jsonEdit) outcome(path []string, now *looked) string {
	if now.print != e.base.print {
		return "plan"
	}
	for found, n := range now.found {
		if n > e.base.found[found] {
			return "finding"
		}
	}
	for _, l := range []*looked{e.base, now} {
		switch s, ok := l.statement(path); {
		case ok && s.Sort == read.Neutral:
			return "neutral " + s.Rule
		case ok && s.Sort == read.Unmodelled:
			return "not modelled"
		}
	}
	return ""
}

// statement finds what the ledger says of the value at a path, or of what it stands in.
func (l *looked) statement(path []string) (read.Statement, bool) {
	for n := len(path); n > 0; n-- {
		in := l.root.Get(path[:n-1]...)
		if in == nil {
			continue
		}
		if i := in.Find(path[n-1]); i >= 0 {
			if s, ok := l.at[int(in.Members[i].Start)]; ok {
				return s, true
			}
		}
	}
	return read.Statement{}, false
}
