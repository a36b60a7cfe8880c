package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

// print writes a quantity and the tree of its reasons. A reason that several terms
// share is written once.
func (e explanation) print(t *terminal, place string, q quantity) {
	where := ""
	if q.class != "" {
		where = " (" + q.class + ")"
	}
	t.printf("%s.%s%s: %s\n", place, q.names[0], where, q.value)
	w := treeWriter{explanation: e, t: t, seen: map[*plan.Why]bool{}}
	for i, root := range q.roots {
		w.branch("", root, i == len(q.roots)-1)
	}
}

type treeWriter struct {
	explanation
	t    *terminal
	seen map[*plan.Why]bool
}

// branch writes one term, what it rests on, and its own terms below it.
func (w treeWriter) branch(indent string, term plan.Term, last bool) {
	fork, below := "├─ ", indent+"│  "
	if last {
		fork, below = "└─ ", indent+"   "
	}
	why := term.Why
	w.t.printf("%s%s%s\n", indent, fork, headline(term))
	repeated := w.seen[why] && len(why.Terms) > 0
	w.seen[why] = true
	bar := below
	if len(why.Terms) > 0 && !repeated {
		bar += "│  "
	}
	if repeated {
		w.t.printf("%s(derived above)\n", bar)
		return
	}
	for _, line := range w.authority(why) {
		w.t.printf("%s%s\n", bar, line)
	}
	for i, child := range why.Terms {
		w.branch(below, child, i == len(why.Terms)-1)
	}
}

// headline is "symbol = value", and what the symbol means where that adds something.
func headline(term plan.Term) string {
	line := fmt.Sprintf("%s = %s", term.Symbol, valueText(term.Why))
	if name := term.Why.Name; name != "" && name != term.Symbol {
		line += "   " + name
	}
	return line
}

func valueText(why *plan.Why) string {
	if why.Value == nil {
		return "?"
	}
	return why.Value.String()
}

// authority is what a value rests on, in lines.
func (e explanation) authority(why *plan.Why) []string {
	var lines []string
	add := func(label, text string) {
		if text != "" {
			lines = append(lines, strings.TrimSpace(label+" "+text))
		}
	}
	switch why.Kind {
	case plan.Given, plan.ReadBack:
		add(why.Kind.String()+":", e.line(why.Range))
	case plan.Default:
		add("default:", why.Source)
	case plan.Catalogue:
		add("catalogue, "+why.ID+":", why.Source)
	case plan.Standard:
		add("standard:", why.Source)
	case plan.Rounding:
		add("rounded:", strings.TrimSpace(why.ID+" "+why.Source))
	case plan.Formula:
		f := e.formula(why)
		add("formula "+why.ID+":", f.title)
		add(" ", f.expression)
		add(" =", f.numbers)
		for _, source := range f.sources {
			add("source:", source)
		}
		add("source:", why.Source)
	}
	add("note:", why.Note)
	return lines
}

// line is a place and what the file says there.
func (e explanation) line(at diag.Range) string {
	if at.Filename == "" {
		return ""
	}
	if flag := e.asked.flagAt(at); flag != "" {
		return flag
	}
	text := fmt.Sprintf("%s:%d", at.Filename, at.Start.Line)
	src := e.sources[at.Filename]
	if lines := strings.SplitN(string(src), "\n", at.Start.Line+1); at.Start.Line >= 1 && at.Start.Line <= len(lines) {
		text += ": " + strings.TrimSpace(lines[at.Start.Line-1])
	}
	return text
}

// formulaText is a formula as it is printed.
type formulaText struct {
	title, expression, numbers string
	sources                    []string
}

var identifier = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// formula looks up the document of a formula and puts the numbers into it. A formula
// that has no document is shown by its terms alone.
func (e explanation) formula(why *plan.Why) formulaText {
	doc, ok := e.book.Find(why.ID)
	if !ok {
		return formulaText{title: why.Name}
	}
	f := formulaText{title: doc.Title, expression: strings.Join(strings.Fields(doc.Expression), " ")}
	values := make(map[string]string, len(why.Terms))
	for _, term := range why.Terms {
		values[term.Symbol] = valueText(term.Why)
	}
	f.numbers = identifier.ReplaceAllStringFunc(f.expression, func(symbol string) string {
		if v, ok := values[symbol]; ok {
			return v
		}
		return symbol
	})
	for _, s := range doc.Sources {
		f.sources = append(f.sources, strings.TrimRight(s.Document+", "+s.Locator, ", "))
	}
	return f
}
