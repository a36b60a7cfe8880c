package explain

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/roceplan/roceplan/calc/formulas"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
)

// An Explanation writes derivations.
type Explanation struct {
	// Sources are the texts that places point into: the line of a given value is quoted.
	Sources diag.Sources
	// Named says what a place is called where it is not a line of a file, such as a flag of the
	// command line; it returns "" elsewhere. Nil: all places are lines.
	Named func(diag.Range) string

	book *formulas.Book
}

// New returns an explanation that quotes the sources.
func New(sources diag.Sources) Explanation {
	return Explanation{Sources: sources, book: formulas.Load()}
}

// Answer writes what was asked: a quantity with its reasons, or a line for each that there is.
func (e Explanation) Answer(out io.Writer, a *Asked) {
	for _, q := range a.Quantities {
		if a.Wanted == "" {
			fmt.Fprintf(out, "%s = %s   %s\n", q.Names[0], q.Value, q.Class)
			continue
		}
		e.Write(out, a.Place, q)
	}
}

// Write writes a quantity of a place and the tree of its reasons. A reason that several terms
// share is written once. Faults of the writer are left to the caller, who closes it.
func (e Explanation) Write(out io.Writer, place string, q Quantity) {
	where := ""
	if q.Class != "" {
		where = " (" + q.Class + ")"
	}
	fmt.Fprintf(out, "%s.%s%s: %s\n", place, q.Names[0], where, q.Value)
	w := treeWriter{Explanation: e, out: out, seen: map[*plan.Why]bool{}}
	for i, root := range q.Roots {
		w.branch("", root, i == len(q.Roots)-1)
	}
}

type treeWriter struct {
	Explanation
	out  io.Writer
	seen map[*plan.Why]bool
}

// branch writes one term, what it rests on, and its own terms below it.
func (w treeWriter) branch(indent string, term plan.Term, last bool) {
	fork, below := "├─ ", indent+"│  "
	if last {
		fork, below = "└─ ", indent+"   "
	}
	why := term.Why
	fmt.Fprintf(w.out, "%s%s%s\n", indent, fork, headline(term))
	repeated := w.seen[why] && len(why.Terms) > 0
	w.seen[why] = true
	bar := below
	if len(why.Terms) > 0 && !repeated {
		bar += "│  "
	}
	if repeated {
		fmt.Fprintf(w.out, "%s(derived above)\n", bar)
		return
	}
	for _, line := range w.authority(why) {
		fmt.Fprintf(w.out, "%s%s\n", bar, line)
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

// authority returns the sources on which a value rests, in lines.
func (e Explanation) authority(why *plan.Why) []string {
	var lines []string
	add := func(label, text string) {
		if text != "" {
			lines = append(lines, strings.TrimSpace(label+" "+text))
		}
	}
	switch why.Kind {
	case plan.Given, plan.ReadBack, plan.Pinned:
		add(why.Kind.String()+":", e.line(why.Range))
		if why.Kind == plan.Given {
			add("comment:", e.remark(why.Range))
		}
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

// line returns a place and what the file says there.
func (e Explanation) line(at diag.Range) string {
	if at.Filename == "" {
		return ""
	}
	if name := e.named(at); name != "" {
		return name
	}
	text := fmt.Sprintf("%s:%d", at.Filename, at.Start.Line)
	src := e.Sources[at.Filename]
	if lines := strings.SplitN(string(src), "\n", at.Start.Line+1); at.Start.Line >= 1 && at.Start.Line <= len(lines) {
		text += ": " + strings.TrimSpace(lines[at.Start.Line-1])
	}
	return text
}

// named returns the name of a place where it is not a line.
func (e Explanation) named(at diag.Range) string {
	if e.Named == nil {
		return ""
	}
	return e.Named(at)
}

// formulaText is a formula as it is printed.
type formulaText struct {
	title, expression, numbers string
	sources                    []string
}

var identifier = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// formula looks up the document of a formula and puts the numbers into it. A formula
// that has no document is shown by its terms alone.
func (e Explanation) formula(why *plan.Why) formulaText {
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
