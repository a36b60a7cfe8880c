package policy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A Block is the documentation of a type of block, for editors.
type Block struct {
	Name       string
	Label      string // the meaning of its label; empty: it has none
	Doc        string
	Attributes []Attribute
	Blocks     []Block // that may be inside
}

// An Attribute is the documentation of one attribute of a block.
type Attribute struct {
	Name     string
	Kind     string // its values in words, with an example
	Default  string // the default, in words; empty: none
	Doc      string
	Required bool
}

// Words returns the words that an attribute may have as its value, as its kind lists them.
func (a Attribute) Words() (list []string) {
	for _, found := range regexp.MustCompile("`([a-z][a-z0-9_-]*)`").FindAllStringSubmatch(a.Kind, -1) {
		if !slices.Contains(list, found[1]) {
			list = append(list, found[1])
		}
	}
	return list
}

// Schema returns the language as the decoder has it: the blocks that a file may hold.
func Schema() []Block { return topLevel.section().block().Blocks }

func (s section) block() Block {
	b := Block{Name: s.name, Doc: s.doc}
	if len(s.labels) > 0 {
		b.Label = s.labels[0]
	}
	for _, l := range s.lines {
		b.Attributes = append(b.Attributes, Attribute{l.name, l.kind, l.fallback, l.doc, l.required})
	}
	for _, inner := range s.inner {
		b.Blocks = append(b.Blocks, inner.block())
	}
	return b
}

// A section is the documentation of a block type.
type section struct {
	name   string
	labels []string
	doc    string
	lines  []attributeDoc
	inner  []section

	example string
	like    string
}

func (k *block[B]) section() section { return k.table().section() }

func (t *table) section() section {
	s := section{name: t.name, labels: t.labels, doc: t.doc, example: t.example, like: t.like}
	for _, f := range t.fields {
		s.lines = append(s.lines, f.attributeDoc)
	}
	for _, n := range t.nested {
		s.inner = append(s.inner, n.docs)
	}
	return s
}

// Reference renders the language as Markdown: every block, attribute, default and
// function, from the tables that the decoder follows.
func Reference() string {
	var out strings.Builder
	out.WriteString(preamble)
	for _, s := range topLevel.section().inner {
		s.write(&out, "", nil)
	}
	writeFunctions(&out)
	return out.String()
}

// leastRepeated is the number of attributes that a block must share with an earlier one of the same parent before the
// reference names them instead of listing them again.
const leastRepeated = 2

// write appends a block. before has the path of the first block of the same parent that lists an attribute.
func (s section) write(out *strings.Builder, parent string, before map[attributeDoc]string) {
	path := strings.TrimPrefix(parent+" › "+s.name, " › ")
	fmt.Fprintf(out, "\n## %s\n\n%s\n", path, s.doc)
	if len(s.labels) > 0 {
		fmt.Fprintf(out, "\nLabel: %s.\n", s.labels[0])
	}
	if s.example != "" {
		fmt.Fprintf(out, "\n```hcl\n%s\n```\n", strings.TrimSpace(s.example))
	}
	if s.like != "" {
		fmt.Fprintf(out, "\nFor the attributes see %s.\n", s.like)
		return
	}
	s.writeLines(out, path, before)
	inside := map[attributeDoc]string{}
	for _, i := range s.inner {
		i.write(out, path, inside)
	}
}

func (s section) writeLines(out *strings.Builder, path string, before map[attributeDoc]string) {
	repeated, order := map[string][]string{}, []string{}
	for _, l := range s.lines {
		if at := before[l]; at != "" {
			if repeated[at] == nil {
				order = append(order, at)
			}
			repeated[at] = append(repeated[at], "`"+l.name+"`")
		}
	}
	heading := "\n| attribute | value | left out | meaning |\n|---|---|---|---|\n"
	for _, l := range s.lines {
		at := before[l]
		if len(repeated[at]) >= leastRepeated {
			continue
		}
		if before != nil && at == "" {
			before[l] = path
		}
		left := l.fallback
		if l.required {
			left = "**required**"
		}
		fmt.Fprintf(out, "%s| `%s` | %s | %s | %s |\n", heading, l.name, cell(l.kind), cell(left), cell(l.doc))
		heading = ""
	}
	for _, at := range order {
		if names := repeated[at]; len(names) >= leastRepeated {
			fmt.Fprintf(out, "\nAs in %s: %s.\n", at, strings.Join(names, ", "))
		}
	}
}

// cell escapes what would end a cell of a Markdown table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

const preamble = `# The language of roceplan

A fabric is a file in HCL, or all ` + "`*.hcl`" + ` files of a folder. The order of files and blocks has no meaning.
Quantities are texts with units: ` + "`\"100m\"`, `\"9216B\"`, `\"32MiB\"`, `\"400Gbps\"`, `\"1.5us\"`, `\"5%\"`" + `.
A bare number where a unit is needed is an error. Words such as ` + "`strict`" + ` need no quotes.
An attribute that is ` + "`null`" + ` counts as left out. Expressions are HCL's: operators, conditionals, ` + "`for`" + `, templates.

Ranges in brackets stand for many names: ` + "`leaf-[01..32]`, `Ethernet[0..124/4]`, `Ethernet[1..8]/[1..4]`, `rack[1,4,7..9]`, `spine-[a..d]`, `tor-[left,right]`" + `.
Blocks refer to each other by ` + "`nic.NAME`, `traffic_class.NAME` and `switch.NAME`" + `. The examples below form one fabric.

This page is generated from the decoder. ` + "`roceplan help language`" + ` prints it.
`
