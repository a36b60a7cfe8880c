package repair

import (
	"bytes"
	"cmp"
	"fmt"
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
	costOther  = 6 // at another place than the finding's
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
		b.told()
		b.names()
		b.values(d.Subject, 0)
		b.insertions()
		b.exchanges()
		b.apart()
		b.beside(costOther)
		b.mentioned()
		if d.Severity == diag.Error || strings.Contains(d.Fix, "remove ") {
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

// places are that of the finding and those that belong to it.
func (b *builder) places() []diag.Range {
	all := []diag.Range{b.d.Subject}
	for _, n := range b.d.Related {
		if b.texts[n.Range.Filename] != nil {
			all = append(all, n.Range)
		}
	}
	return all
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
		if p.block != nil && strings.HasPrefix(b.text(at), `"`) && b.d.Severity == diag.Error { // a label
			if strings.Contains(b.text(at), "..") || b.d.Code == "bad-name" || b.d.Code == "bad-range" {
				b.slips(at, cost)
			}
			for _, name := range b.used(p.block.Type) {
				b.add(at, `"`+name+`"`, cost+costValue)
			}
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
	if p.attr.Name == "ports" && b.d.Severity == diag.Warning {
		return // fewer ports are another fabric
	}
	// twinax reaches 3 m at 25 and 50 Gb/s a lane (IEEE 802.3, clauses 110 and 136)
	if p.attr.Name == "cable" && (b.d.Code == "cable-reach" || b.d.Code == "bad-quantity") {
		b.add(at, `"3m"`, cost+costValue+2)
	}
	words := b.d.Code == "unknown-value"
	product := slices.Contains([]string{"chip", "model", "platform", "hwsku"}, p.attr.Name)
	if p.attr.Name == "ports" && b.d.Code != "clos-ports" {
		cost += costPorts
	} else if product && cost > 0 && !strings.Contains(b.d.Fix, p.attr.Name+" = ") {
		for _, value := range b.elsewhere(p) { // what is bought is no slip in what is configured, but for what all others have
			b.add(at, value, cost+costValue)
		}
		return
	}
	for _, d := range b.found {
		if d.Subject == b.d.Subject || b.standsFor(at, d.Subject) { // each names a bound of its own
			for _, value := range said(d) {
				if !alike(was, value) || references.MatchString(was) && !references.MatchString(value) {
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
		if p.attr.Name == "mtu" {
			cost = min(cost, 0)
		}
		b.add(at, written(was, value), cost+costValue+2)
	}
	for _, value := range b.elsewhere(p) {
		if words { // of words those that are in use are likelier than those that are alike
			cost = min(cost, -levenshtein.Distance(was, value, nil))
		}
		b.add(at, written(was, value), cost+costValue+2)
	}
	for _, name := range b.named(was, p) {
		if strings.HasPrefix(string(b.d.Code), "unknown-") {
			b.add(at, name, cost-costOther)
		}
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
	reference := references.MatchString(was)
	b.files.each(func(block *hclsyntax.Block) {
		for _, label := range block.Labels {
			switch {
			case reference && (strings.HasPrefix(was, block.Type+".") || block.Type == "switch" || block.Type == "nic" && p.attr.Name == "peer"):
				names = append(names, block.Type+"."+stem(label))
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
	if m := portRange.FindStringSubmatchIndex(was); m != nil { // so many as the finding names
		first, _ := strconv.Atoi(was[m[2]:m[3]])
		step, _ := strconv.Atoi(strings.TrimPrefix(portRange.FindStringSubmatch(was)[3], "/"))
		for _, few := range numbers.FindAllString(b.d.Fix, 6) {
			if n, err := strconv.Atoi(few); err == nil {
				b.add(at, was[:m[4]]+fmt.Sprintf("%0*d", m[5]-m[4], first+(n-1)*max(step, 1))+was[m[5]:], cost+costValue-1)
			}
		}
	}
	first := strings.IndexAny(was, "123456789")
	for _, value := range digits(was) {
		far := 0
		if len(value) == len(was) && len(was) > 1 && first >= 0 && value[first] != was[first] {
			far = costBound // a number of another size is seldom what was meant
		}
		b.add(at, value, cost+costValue+3+far)
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

// agree are attributes that most have the value of another one of their block.
func agree() map[string]string {
	return map[string]string{"queue": "pfc", "pfc": "queue", "gpus": "nics", "nics": "gpus"}
}

// agreeing are the values that an attribute has where its block is as people write it: a lossless class
// has the queue of its PFC priority.
func (b *builder) agreeing(p place) []string {
	if p.attr.Name == "breakout" && p.block != nil && p.block.Body.Attributes["speed"] != nil {
		speed := strings.NewReplacer(`"`, "", "bps", "").Replace(b.value(p.block.Body.Attributes["speed"]))
		return []string{"1x" + speed, "2x" + speed, "4x" + speed, "8x" + speed}
	}
	with := agree()[p.attr.Name]
	if p.block == nil || p.block.Body.Attributes[with] == nil {
		return b.atOtherEnd(p)
	}
	return []string{b.value(p.block.Body.Attributes[with])}
}

// stem is what others call the switches of a label: without its ranges.
func stem(label string) string {
	name, _, ranges := strings.Cut(label, "[")
	if ranges {
		name = strings.TrimRight(name, "-_")
	}
	return name
}

// atOtherEnd are the values of an attribute of a port group in the groups of the switches that are its peer.
func (b *builder) atOtherEnd(p place) (values []string) {
	if p.outer == nil || p.block.Body.Attributes["peer"] == nil || len(p.outer.Labels) != 1 {
		return nil
	}
	peer, own := b.value(p.block.Body.Attributes["peer"]), "switch."+stem(p.outer.Labels[0])
	b.files.each(func(sw *hclsyntax.Block) {
		if sw.Type != "switch" || len(sw.Labels) != 1 || peer != "switch."+stem(sw.Labels[0]) {
			return
		}
		for _, group := range sw.Body.Blocks {
			back, attr := group.Body.Attributes["peer"], group.Body.Attributes[p.attr.Name]
			if back != nil && attr != nil && b.value(back) == own {
				values = append(values, b.value(attr))
			}
		}
	})
	return values
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
		values := b.siblings(p.block.Type, m[1])
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
				value = "[" + value + "]" // that of CNPs
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

// used are the labels by which a fabric refers to blocks of a type.
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

var advice = regexp.MustCompile(`\b([a-z_]+) = ("[^"…]*"|[^\s,;:…"]+)`)

// told does what a finding says to write, at its place or at one that belongs to it.
func (b *builder) told() {
	places := b.places()
	for _, m := range advice.FindAllStringSubmatch(commands.ReplaceAllString(b.d.Fix, ""), 4) {
		for i, at := range places {
			p := b.files.at(at)
			switch {
			case p.attr != nil && p.attr.Name == m[1]:
				b.add(p.attr.Expr.Range(), written(b.value(p.attr), m[2]), min(i, 1)*costOther)
			case p.attr == nil && i > 0 && p.block != nil && p.block.Body.Attributes[m[1]] == nil && holds(p.block.DefRange(), at):
				b.insert(p.block, m[1]+" = "+m[2], costValue)
			}
		}
	}
}

// below is -1 where the lower switches of a clos block have the role of upper ones, else 1.
func (b *builder) below(lower *hclsyntax.Attribute) int {
	order := 1
	b.files.each(func(sw *hclsyntax.Block) {
		role := sw.Body.Attributes["role"]
		if sw.Type == "switch" && len(sw.Labels) == 1 && role != nil && lower != nil && b.value(lower) == "switch."+stem(sw.Labels[0]) && strings.Contains(b.value(role), "spine") {
			order = -1
		}
	})
	return order
}

// names replaces the name of an attribute or a block that there is none of: by one that is missing in its block, by one
// that alike blocks have, and of blocks by the usual ones. An attribute that another block misses may belong there.
func (b *builder) names() {
	p := b.files.at(b.d.Subject)
	switch {
	case b.d.Code == "unknown-block":
		for _, name := range []string{"port_group", "switch", "nic", "traffic_class", "clos", "server", "link"} {
			b.add(b.d.Subject, name, costOther-min(len(name), 3))
		}
	case b.d.Code == "unknown-attribute" && p.attr != nil:
		line := b.text(p.attr.SrcRange)
		for _, d := range b.found {
			lacks := d.Code == "attribute-missing" && d.Subject.Filename == b.d.Subject.Filename
			m := addition.FindStringSubmatch(d.Fix)
			if !lacks || m == nil {
				continue
			}
			other := b.files.at(d.Subject)
			if other.block != nil && other.block == p.block {
				b.add(b.d.Subject, m[1], costMeant-20)
			} else if other.block != nil && m[1] == p.attr.Name {
				b.list = append(b.list, candidate{[]diag.Edit{{Range: b.lines(p.attr.SrcRange)}, within(other.block, line)}, costMeant - 20, unrelated})
			}
		}
		b.files.each(func(other *hclsyntax.Block) {
			for _, name := range slices.Sorted(maps.Keys(other.Body.Attributes)) {
				if p.block != nil && other.Type == p.block.Type && p.block.Body.Attributes[name] == nil {
					b.add(b.d.Subject, name, costOther)
				}
			}
		})
	}
}

// exchanges gives two attributes each other's value: those of a block whose names differ in one part, as lower and
// upper, and that of the finding with the same one of a block beside.
func (b *builder) exchanges() {
	for _, at := range b.places() {
		if p := b.files.at(at); p.block != nil && p.attr != nil {
			b.exchange(p)
		}
	}
}

func (b *builder) exchange(p place) {
	put := func(x, y *hclsyntax.Attribute, cost int) {
		if a, c := b.value(x), b.value(y); a != c && x.Expr.Range().Filename == y.Expr.Range().Filename {
			b.list = append(b.list, candidate{[]diag.Edit{{Range: x.Expr.Range(), Text: c}, {Range: y.Expr.Range(), Text: a}}, cost, unrelated})
		}
	}
	for i, name := range []string{"lower_ports", "lower"} {
		x, y := p.block.Body.Attributes[name], p.block.Body.Attributes["upper"+name[len("lower"):]]
		if x == nil || y == nil {
			continue
		}
		put(x, y, costValue+i*b.below(p.block.Body.Attributes["lower"]))
		for _, end := range []*hclsyntax.Attribute{x, y} {
			for _, other := range b.named(b.value(end), place{block: p.block, attr: end}) {
				b.add(end.Expr.Range(), other, costOther)
			}
		}
	}
	b.files.each(func(other *hclsyntax.Block) {
		if y := other.Body.Attributes[p.attr.Name]; y != nil && other != p.block && other.Type == "port_group" && p.block.Type == other.Type {
			put(p.attr, y, costOther)
		}
	})
}

var portName = regexp.MustCompile(`^"[A-Za-z/-]*`)

var portRange = regexp.MustCompile(`\[([0-9]+)\.\.([0-9]+)(/[0-9]+)?\]`)

// apart lets the ports of one place begin behind those of another one that the finding names.
func (b *builder) apart() {
	places := b.places()
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
			if first, _ := strconv.Atoi(before[1]); first > 0 {
				step, _ = strconv.Atoi(strings.TrimPrefix(portRange.FindStringSubmatch(text)[3], "/"))
				b.add(mine, text[:was[4]]+strconv.Itoa(first-max(step, 1))+text[was[5]:], costValue)
			}
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
	p := b.files.at(b.d.Subject)
	told := strings.HasPrefix(string(b.d.Code), "duplicate-") || strings.Contains(b.d.Fix, "remove") || strings.Contains(b.d.Fix, "leave it out")
	switch {
	case p.attr != nil && strings.HasPrefix(b.d.Fix, "remove "+p.attr.Name):
		b.add(b.lines(p.attr.SrcRange), "", costMeant-20)
	case !told && p.attr != nil && !references.MatchString(b.value(p.attr)): // a value that cannot be is no value
		b.list = append(b.list, candidate{[]diag.Edit{{Range: b.lines(p.attr.SrcRange)}}, costRemove + 2, unrelated})
	case !told:
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
