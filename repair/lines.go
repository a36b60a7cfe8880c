package repair

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/diag"
)

// Edits that add and remove lines.

var addition = regexp.MustCompile(`\b(?:add|give it|needs|say|set|write) (?:an? )?([a-z_]+)(?: = ("[^"…]*"|[^\s,;:…"]+)(?:[\s,;:]|$))?`)

var listExample = regexp.MustCompile(`\[[0-9, ]+\]`)

// insertions add the attributes that the finding asks for, with the value that it names or that alike
// blocks have.
func (b *builder) insertions() {
	p := b.files.at(b.d.Subject)
	if p.block == nil {
		return
	}
	if len(p.block.Labels) == 0 && p.attr == nil {
		b.labels(p.block)
	}
	for _, m := range addition.FindAllStringSubmatch(b.d.Fix+" "+b.d.Message, -1) {
		if p.block.Body.Attributes[m[1]] != nil {
			continue
		}
		values := append(b.siblings(p.block.Type, m[1]), usual()[m[1]]...)
		if with := p.block.Body.Attributes[agree()[m[1]]]; with != nil {
			values = append([]string{b.value(with)}, values...)
		}
		if strings.Contains(b.d.Fix, "0 to 7") {
			values = append(values, "0", "1", "2", "3", "4", "5", "6", "7")
		}
		switch {
		case m[1] == "lower" || m[1] == "upper" || m[1] == "peer":
			b.files.each(func(other *hclsyntax.Block) {
				if other.Type == "switch" && len(other.Labels) == 1 {
					values = append(values, "switch."+stem(other.Labels[0]))
				}
			})
		case strings.HasSuffix(m[1], "_ports"):
			b.files.each(func(other *hclsyntax.Block) {
				if other.Type == "port_group" && len(other.Labels) == 1 {
					values = append(values, strconv.Quote(other.Labels[0]))
				}
			})
		case m[2] == "": // an example is better than nothing
			for _, q := range inQuotes().FindAllStringSubmatch(b.d.Fix, 3) {
				b.insert(p.block, m[1]+" = "+strconv.Quote(q[1]), costValue)
			}
		}
		for _, list := range listExample.FindAllString(b.d.Fix, 1) {
			b.insert(p.block, m[1]+" = "+list, costInsert+1)
		}
		for i, value := range values {
			if m[1] == "dscp" && numbers.FindString(value) == value {
				value = "[" + value + "]" // the list form of the code points of CNPs
			}
			b.insert(p.block, m[1]+" = "+value, costInsert+i)
		}
		if m[2] != "" {
			b.insert(p.block, m[1]+" = "+m[2], costInsert)
		}
	}
}

// labels gives a block that has none a label: a name that is used and that nothing has, or any.
func (b *builder) labels(block *hclsyntax.Block) {
	at := block.OpenBraceRange
	at.End = at.Start
	for _, name := range b.used(block.Type) {
		b.add(at, `"`+name+`" `, costInsert)
	}
	b.add(at, `"name" `, costInsert+20)
}

// used returns the labels by which a fabric refers to blocks of a type.
func (b *builder) used(block string) (names []string) {
	pattern := `\b` + block + `\.([A-Za-z0-9_-]+)`
	if block == "port_group" {
		pattern = `_ports += *"([^"]+)"`
	}
	used := regexp.MustCompile(pattern)
	for _, name := range b.files.names {
		for _, m := range used.FindAllStringSubmatch(string(b.texts[name]), -1) {
			names = append(names, m[1])
		}
	}
	return names
}

// insert adds a line behind the brace that opens a block.
func (b *builder) insert(block *hclsyntax.Block, line string, cost int) {
	b.list = append(b.list, candidate{[]diag.Edit{within(block, line)}, cost, unrelated})
}

// within adds lines behind the brace that opens a block.
func within(block *hclsyntax.Block, lines ...string) diag.Edit {
	at := block.OpenBraceRange
	at.Start = at.End
	indent := "\n" + strings.Repeat(" ", block.TypeRange.Start.Column+1)
	return diag.Edit{Range: at, Text: indent + strings.Join(lines, indent)}
}

// removals take away the attribute or the block of the finding, where it says that this is a way, or
// where it is there twice.
func (b *builder) removals() {
	p := b.files.at(b.d.Subject)
	if p.outer != nil && len(p.block.Labels) == 0 { // blocks that can be left out as a whole
		b.list = append(b.list, candidate{[]diag.Edit{{Range: b.lines(p.block.Range())}}, costBlock, unrelated})
	}
	for _, w := range b.found { // a block that another finding removes may be the cause
		if q := b.files.at(w.Subject); w.Severity == diag.Warning && q.attr != nil && strings.HasPrefix(w.Fix, "remove "+q.attr.Name) {
			b.add(b.lines(q.attr.SrcRange), "", costRemove)
		}
	}
	advised := strings.HasPrefix(string(b.d.Code), "duplicate-") || strings.Contains(b.d.Fix, "remove") || strings.Contains(b.d.Fix, "leave it out")
	switch {
	case p.attr != nil && (strings.HasPrefix(b.d.Fix, "remove "+p.attr.Name) || strings.HasPrefix(b.d.Fix, "remove it,")):
		b.add(b.lines(p.attr.SrcRange), "", costMeant-20)
	case !advised && p.attr != nil && p.attr.Name != "pfc" && !references.MatchString(b.value(p.attr)): // a value that cannot be is no value
		b.list = append(b.list, candidate{[]diag.Edit{{Range: b.lines(p.attr.SrcRange)}}, costRemove + 2, unrelated})
	case !advised:
	case p.attr != nil:
		b.add(b.lines(p.attr.SrcRange), "", costRemove)
	case p.block != nil && holds(p.block.DefRange(), b.d.Subject):
		b.add(b.lines(p.block.Range()), "", costBlock)
	}
}

// lines widens a range to whole lines.
func (b *builder) lines(r diag.Range) diag.Range {
	text := b.texts[r.Filename]
	from := bytes.LastIndexByte(text[:r.Start.Byte], '\n') + 1
	r.Start.Column -= r.Start.Byte - from
	r.Start.Byte = from
	to := len(text)
	if i := bytes.IndexByte(text[r.End.Byte:], '\n'); i >= 0 {
		to = r.End.Byte + i + 1
	}
	r.End.Byte, r.End.Line, r.End.Column = to, r.End.Line+1, 1
	return r
}
