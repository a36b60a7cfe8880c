package repair

import (
	"bytes"
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/stable"
)

// A candidate is an edit that may help; cost is how much it changes, in slips of a typist.
type candidate struct {
	edits []diag.Edit
	cost  int
	far   int // of two numbers with one unit their difference; unrelated for all other values
}

// unrelated is the distance of values that are no numbers with one unit.
const unrelated = math.MaxInt

// What edits cost beside what they change, by how far they are from what somebody mistyped.
const (
	costMeant  = 0
	costSyntax = 1
	costValue  = 2
	costInsert = 6
	costOther  = 8 // at another place than the finding's
	costBound  = 8 // the least or the most that is allowed is seldom what was meant
	costPorts  = 6 // fewer ports are another fabric
	costRemove = 14
	costBlock  = 24
)

// candidates are edits for a finding, those that change least first, each once.
func (f *finder) candidates(d diag.Diagnostic) []candidate {
	b := &builder{finder: f, d: d}
	if d.Subject.Filename != "" && f.texts[d.Subject.Filename] == nil {
		return nil // a trace or a table of another program: another file is no repair of it
	} else if d.Subject.Filename == "" {
		b.beside(0)
	} else if d.Code == diag.Syntax {
		b.syntax()
	} else {
		b.meant()
		b.values(d.Subject, 0)
		b.insertions()
		b.apart()
		b.beside(costOther)
		b.mentioned()
		if d.Severity == diag.Error {
			b.removals()
		}
	}
	stable.Sort(b.list, func(x, y candidate) int { return cmp.Or(cmp.Compare(x.cost, y.cost), cmp.Compare(x.far, y.far)) })
	return b.list
}

// A builder collects candidates for a finding.
type builder struct {
	*finder
	d      diag.Diagnostic
	list   []candidate
	seen   map[diag.Edit]int // by its place in list
	parsed int               // bytes that were parsed to try signs
}

// add notes an edit that changes something.
func (b *builder) add(at diag.Range, text string, cost int) {
	e := diag.Edit{Range: at, Text: text}
	was := b.text(at)
	if was == text {
		return
	}
	cost += min(levenshtein.Distance(was, text, nil), 20)
	if i, ok := b.seen[e]; ok {
		b.list[i].cost = min(b.list[i].cost, cost)
		return
	}
	if b.seen == nil {
		b.seen = map[diag.Edit]int{}
	}
	b.seen[e] = len(b.list)
	b.list = append(b.list, candidate{[]diag.Edit{e}, cost, distance(was, text)})
}

// distance is how far two numbers with one unit are apart.
func distance(was, text string) int {
	x, y := quantity.FindStringSubmatch(was), quantity.FindStringSubmatch(text)
	if x == nil || y == nil || x[2] != y[2] {
		return unrelated
	}
	from, err := strconv.Atoi(x[1])
	to, err2 := strconv.Atoi(y[1])
	if err != nil || err2 != nil {
		return unrelated
	}
	return max(from-to, to-from)
}

func (b *builder) text(r diag.Range) string {
	text := b.texts[r.Filename]
	if r.Start.Byte > r.End.Byte || r.End.Byte > len(text) {
		return ""
	}
	return string(text[r.Start.Byte:r.End.Byte])
}

// meant replaces a name by the one that was likely meant.
func (b *builder) meant() {
	if b.d.Meant != "" {
		b.add(b.d.Subject, like(b.text(b.d.Subject), b.d.Meant), costMeant-20)
	}
}

// like writes a word as another one is written, in quotes or bare; a reference is bare, and keeps its first part.
func like(was, word string) string {
	if references.MatchString(word) {
		return word
	}
	if root, _, ok := strings.Cut(was, "."); ok && !strings.HasPrefix(was, `"`) && !strings.Contains(word, ".") {
		return root + "." + word
	}
	if strings.HasPrefix(was, `"`) {
		return `"` + word + `"`
	}
	return word
}

// beside tries values at the other places that belong to the finding.
func (b *builder) beside(cost int) {
	for _, n := range b.d.Related {
		if b.texts[n.Range.Filename] != nil {
			b.values(n.Range, cost)
		}
	}
}

// mentioned tries values of the attributes that the finding tells to change, wherever they are.
func (b *builder) mentioned() {
	said := words.FindAllString(commands.ReplaceAllString(b.d.Fix, ""), 40)
	b.files.each(func(block *hclsyntax.Block) {
		for _, name := range slices.Sorted(maps.Keys(block.Body.Attributes)) {
			if slices.Contains(said, name) || slices.Contains(said, name+"s") {
				b.values(block.Body.Attributes[name].Expr.Range(), 2*costOther)
			}
		}
	})
}

// values tries other values in the place of one: those that the finding names, those that alike
// blocks have, and what is one slip away.
func (b *builder) values(at diag.Range, cost int) {
	p := b.files.at(at)
	if p.attr == nil {
		if p.block != nil && strings.HasPrefix(b.text(at), `"`) { // a label
			b.slips(at, cost)
		}
		return
	}
	expr := hclsyntax.Expression(p.attr.Expr)
	if where := b.files.definition(expr); where != nil {
		b.replace(where.Range(), p, cost)
	}
	if at != expr.Range() && holds(expr.Range(), at) {
		b.replace(at, p, cost)
	}
	b.replace(expr.Range(), p, cost)
}

func (b *builder) replace(at diag.Range, p place, cost int) {
	was := b.text(at)
	product := slices.Contains([]string{"chip", "model", "platform", "hwsku"}, p.attr.Name)
	if p.attr.Name == "ports" {
		cost += costPorts
	} else if product && cost > 0 && !strings.Contains(b.d.Fix, p.attr.Name+" = ") {
		return // what is bought is no slip in what is configured
	}
	for _, d := range b.found {
		if d.Subject == b.d.Subject || b.standsFor(at, d.Subject) { // each names a bound of its own
			for _, value := range said(d) {
				if !alike(was, value) {
					continue
				}
				far := 0
				if bound := bounds.FindStringSubmatch(d.Message); slices.Contains(bound, value) {
					far = costBound
				}
				b.add(at, written(was, value), cost+costValue+far)
			}
		}
	}
	for _, value := range b.agreeing(p) {
		b.add(at, written(was, value), costValue-1)
	}
	for _, value := range usual()[p.attr.Name] {
		b.add(at, written(was, value), cost+costValue+2)
	}
	for _, value := range b.elsewhere(p) {
		b.add(at, written(was, value), cost+costValue+2)
	}
	for _, name := range b.named(was, p) {
		b.add(at, name, cost+costValue+3)
	}
	if !product { // a digit makes another one of it
		b.slips(at, cost)
	}
}

// named are the names of other blocks in the place of one: of those of its type, and patterns of switches; of
// ports what other groups call them.
func (b *builder) named(was string, p place) (names []string) {
	if p.attr.Name == "ports" {
		for _, value := range b.elsewhere(p) {
			names = append(names, portName.FindString(value)+strings.TrimPrefix(was, portName.FindString(was)))
		}
		return names
	}
	root, _, reference := strings.Cut(was, ".")
	b.files.each(func(block *hclsyntax.Block) {
		for _, label := range block.Labels {
			switch {
			case reference && block.Type == root && !strings.Contains(label, "["):
				names = append(names, root+"."+label)
			case reference && block.Type == root:
				names = append(names, root+"."+strings.TrimRight(label[:strings.Index(label, "[")], "-_"))
			case strings.HasPrefix(was, `"`) && (block.Type == "switch" && strings.Contains(was, "[") || block.Type == "port_group"):
				names = append(names, `"`+label+`"`)
			}
		}
	})
	return names
}

// slips tries what is one slip away: of signs and units, which people mistake more often than digits.
func (b *builder) slips(at diag.Range, cost int) {
	was := b.text(at)
	for _, value := range append(signs(was), otherUnits(was, b.d.Fix)...) {
		b.add(at, value, cost+costValue)
	}
	for _, value := range digits(was) {
		b.add(at, value, cost+costValue+3)
	}
}

// elsewhere are the values of the attribute in other blocks of the same type.
func (b *builder) elsewhere(p place) (values []string) {
	if p.block == nil {
		return nil
	}
	return b.siblings(p.block.Type, p.attr.Name)
}

// standsFor reports whether a range defines the name that another one holds.
func (b *builder) standsFor(at, name diag.Range) bool {
	p := b.files.at(name)
	if p.attr == nil {
		return false
	}
	def := b.files.definition(p.attr.Expr)
	return def != nil && def.Range() == at
}

// agreeing are the values that an attribute has where its block is as people write it: a lossless class
// has the queue of its PFC priority.
func (b *builder) agreeing(p place) []string {
	with := map[string]string{"queue": "pfc", "pfc": "queue"}[p.attr.Name]
	if p.block == nil || p.block.Body.Attributes[with] == nil {
		return nil
	}
	return []string{b.value(p.block.Body.Attributes[with])}
}

// siblings are the values of an attribute in all blocks of a type.
func (f *finder) siblings(block, name string) (values []string) {
	f.files.each(func(other *hclsyntax.Block) {
		if attr := other.Body.Attributes[name]; attr != nil && other.Type == block {
			values = append(values, f.value(attr))
		}
	})
	f.files.each(func(other *hclsyntax.Block) {
		for _, key := range slices.Sorted(maps.Keys(other.Body.Attributes)) { // cnp_dscp is a dscp
			if strings.HasSuffix(key, "_"+name) {
				values = append(values, f.value(other.Body.Attributes[key]))
			}
		}
	})
	slices.Sort(values)
	return slices.Compact(values)
}

// value is what an attribute is written to be.
func (f *finder) value(attr *hclsyntax.Attribute) string {
	r := attr.Expr.Range()
	return string(f.texts[r.Filename][r.Start.Byte:r.End.Byte])
}

var addition = regexp.MustCompile(`\b(?:add|give it|needs|say|set|write) (?:an? )?([a-z_]+)(?: = ("[^"…]*"|[^\s,;:…"]+)(?:[\s,;:]|$))?`)

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
		for i, value := range b.siblings(p.block.Type, m[1]) {
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
	for _, name := range b.files.names {
		pattern := `\b` + block.Type + `\.([A-Za-z0-9_-]+)`
		if block.Type == "port_group" {
			pattern = `_ports += *"([^"]+)"`
		}
		used := regexp.MustCompile(pattern)
		for _, m := range used.FindAllStringSubmatch(string(b.texts[name]), -1) {
			b.add(at, `"`+m[1]+`" `, costInsert)
		}
	}
	b.add(at, `"name" `, costInsert+20)
}

var portName = regexp.MustCompile(`^"[A-Za-z/-]*`)

var portRange = regexp.MustCompile(`\[([0-9]+)\.\.([0-9]+)(/[0-9]+)?\]`)

// apart lets the ports of one place begin behind those of another one that the finding names.
func (b *builder) apart() {
	places := []diag.Range{b.d.Subject}
	for _, n := range b.d.Related {
		places = append(places, n.Range)
	}
	for _, mine := range places {
		for _, other := range places {
			was, before := portRange.FindStringSubmatchIndex(b.text(mine)), portRange.FindStringSubmatch(b.text(other))
			if mine == other || was == nil || before == nil {
				continue
			}
			step, _ := strconv.Atoi(strings.TrimPrefix(before[3], "/"))
			last, _ := strconv.Atoi(before[2])
			text := b.text(mine)
			b.add(mine, text[:was[2]]+strconv.Itoa(last+max(step, 1))+text[was[3]:], costValue)
		}
	}
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
	if !strings.HasPrefix(string(b.d.Code), "duplicate-") && !strings.Contains(b.d.Fix, "remove") && !strings.Contains(b.d.Fix, "leave it out") {
		return
	}
	p := b.files.at(b.d.Subject)
	switch {
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
