package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/calc/formulas"
)

// formulaPages returns one page for each document: the formula as the program evaluates it, drawn.
func formulaPages() []page {
	pages := []page{{at: "reference/formulas/", title: "Formulas and inequalities", weight: 4,
		about: "The formulas with their inputs, sources and worked examples. All numbers are integers in base units.",
		body:  "\n⌈x⌉ and ⌊x⌋ round up and down to a whole number, with an index s to a multiple of s. `roceplan explain` shows a formula with the values of your fabric.\n"}}
	for i, doc := range formulas.Load().Docs() {
		pages = append(pages, page{at: "reference/formulas/" + doc.ID, title: doc.Title, weight: i + 1, about: "`" + doc.ID + "`", body: formulaBody(doc)})
	}
	return pages
}

func formulaBody(doc *formulas.Doc) string {
	var out strings.Builder
	what := "Formula"
	if doc.Inequality() {
		what = "Inequality"
	}
	fmt.Fprintf(&out, "\n%s `%s`, in %s.\n\n<div class=\"formula\">%s</div>\n\n%s\n", what, doc.ID, unitName(doc.Unit), doc.MathML(), plain(doc.Text))
	out.WriteString("\n## Inputs\n\n| symbol | unit | meaning | from | to |\n|---|---|---|---:|---:|\n")
	for _, in := range doc.Inputs {
		fmt.Fprintf(&out, "| `%s` | %s | %s | %d | %d |\n", in.Symbol, unitName(in.Unit), cell(plain(in.Text)), in.Min, in.Max)
	}
	out.WriteString("\n## As it is evaluated\n\n")
	if doc.Inequality() {
		fmt.Fprintf(&out, "    %s\n      <= %s\n", unindented(doc.Left), unindented(doc.Right))
	} else {
		fmt.Fprintf(&out, "    %s\n", unindented(doc.Expression))
	}
	out.WriteString("\n## Sources\n\n")
	for _, s := range doc.Sources {
		text := plain(s.Document)
		if s.URL != "" {
			text = fmt.Sprintf("[%s](%s)", text, s.URL)
		}
		if s.Locator != "" {
			text += ": " + plain(s.Locator)
		}
		fmt.Fprintf(&out, "- %s\n", text)
	}
	for i, e := range doc.Examples {
		if i == 0 {
			out.WriteString("\n## Worked examples\n\n")
		}
		var inputs []string
		for _, symbol := range slices.Sorted(maps.Keys(e.Inputs)) {
			inputs = append(inputs, fmt.Sprintf("%s = %d", symbol, e.Inputs[symbol]))
		}
		fmt.Fprintf(&out, "- `%s` gives **%d**: %s\n", strings.Join(inputs, ", "), e.Result, plain(e.Source))
	}
	return out.String()
}

// unitName returns the unit of an input for people.
func unitName(unit string) string {
	switch unit {
	case "ppb":
		return "parts in 10⁹"
	case "bps":
		return "bit/s"
	case "count":
		return "number"
	}
	return unit
}

// unindented puts an expression of several lines on one.
func unindented(text string) string { return strings.Join(strings.Fields(text), " ") }

// plain keeps what a text holds from being read as Markdown.
func plain(text string) string {
	return strings.NewReplacer("*", `\*`, "_", `\_`, "<", "&lt;", "[", `\[`, "~", `\~`, "`", "\\`").Replace(text)
}
