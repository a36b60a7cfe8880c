package repair

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/diag"
)

// Edits that replace one value or one name.

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

// lacksPorts is what a clos block says of a group that is too small for its switches, and oneRange a range of ports.
var (
	lacksPorts = regexp.MustCompile(`needs ([0-9]+) ports for its links, and .* has ([0-9]+)$`)
	oneRange   = regexp.MustCompile(`\[([0-9]{1,5})\.\.([0-9]{1,5})(/([1-9][0-9]{0,3}))?\]`)
)

// grow gives a group as many ports as the switches of the other tier need. Where their number is to blame, it was raised and the ports
// were forgotten, rather than raised by mistake.
func (b *builder) grow() {
	said := lacksPorts.FindStringSubmatch(b.d.Message)
	if b.d.Code != "clos-ports" || said == nil || b.files.at(b.d.Subject).attr != nil {
		return
	}
	need, _ := strconv.Atoi(said[1])
	has, _ := strconv.Atoi(said[2])
	for _, n := range b.d.Related {
		text := b.text(n.Range)
		m := oneRange.FindAllStringSubmatchIndex(text, 2)
		if p := b.files.at(n.Range); len(m) != 1 || p.attr == nil || p.attr.Name != "ports" {
			continue
		}
		of := oneRange.FindStringSubmatch(text)
		from, _ := strconv.Atoi(of[1])
		to, _ := strconv.Atoi(of[2])
		step, _ := strconv.Atoi(cmp.Or(of[4], "1"))
		if (to-from)/step+1 == has {
			b.add(n.Range, text[:m[0][4]]+strconv.Itoa(from+(need-1)*step)+text[m[0][5]:], costMeant-1)
		}
	}
}

// related tries values at the other places that belong to the finding.
func (b *builder) related(cost int) {
	for _, n := range b.d.Related {
		if b.texts[n.Range.Filename] != nil {
			b.values(n.Range, cost)
		}
	}
}

// mentioned tries values of the attributes that the finding advises to change, wherever they are.
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
			if b.d.Code == "clos-ports" {
				return // its name is not at fault
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
	if p.attr.Name == "headroom_sharing" {
		cost += costMove // each value promises how many groups pause at once, and a verdict rests on it
	}
	if b.d.Code == "peer-unwired" && b.mutual(p) {
		return // a NIC there would end the warning, but the cables are missing
	}
	if b.long(p) {
		return
	}
	words := b.d.Code == "unknown-value" && holds(at, b.d.Subject)
	if words && b.d.Meant != "" {
		return
	} else if words && p.attr.Name == "os" { // what is bought is none of a list
		for _, value := range b.elsewhere(p) {
			b.add(at, written(was, value), costValue)
		}
		return
	}
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
	odd := func(value string) bool { // a rate that no other place has is the mistake
		return p.attr.Name == "speed" && !slices.Contains(usual()["speed"], strings.Trim(value, `"`))
	}
	for _, value := range slices.DeleteFunc(b.agreeing(p), odd) {
		agrees := costValue - 1
		if p.attr.Name == "medium" { // the other end of a cable knows its kind
			agrees = costMeant - costOther
		}
		b.add(at, written(was, value), agrees)
	}
	for _, value := range usual()[p.attr.Name] {
		if p.attr.Name == "mtu" {
			cost = min(cost, 0)
		}
		if b.d.Code == "wrong-type" { // a text for a number
			b.add(at, value, cost+costValue+2)
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
		} else if strings.HasSuffix(string(b.d.Code), "-name") { // of ports
			b.add(at, name, cost-costPorts-costOther)
		}
		b.add(at, name, cost+costValue+3)
	}
	if !product { // a digit makes another one of it
		b.slips(at, cost)
	}
}

// named returns the names of other blocks in the place of one: of those of its type, and patterns of switches; of
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
		width := 0
		if was[m[2]] == '0' {
			width = m[3] - m[2]
		}
		step, _ := strconv.Atoi(strings.TrimPrefix(portRange.FindStringSubmatch(was)[3], "/"))
		said, isLabel := numbers.FindAllString(b.d.Fix, 6), b.files.at(at).attr == nil
		if m := devices().FindStringSubmatch(b.d.Fix); isLabel && m != nil {
			said = m[1:] // not how many links, and those that were there first
		}
		for _, few := range append(said, b.wired(at)...) {
			if n, err := strconv.Atoi(few); err == nil {
				last, _ := strconv.Atoi(was[m[4]:m[5]])
				b.add(at, was[:m[4]]+fmt.Sprintf("%0*d", width, first+(n-1)*max(step, 1))+was[m[5]:], cost+costValue-1)
				if isLabel {
					continue
				}
				if from := last - (n-1)*max(step, 1); from >= 0 {
					b.add(at, was[:m[2]]+fmt.Sprintf("%0*d", width, from)+was[m[3]:], cost+costValue-1)
				}
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

// long reports whether a cable is a long one and no slip of its unit: the finding allows more than half of its length. A
// shorter one is another fabric.
func (b *builder) long(p place) bool {
	m := longest().FindStringSubmatch(b.d.Fix)
	if m == nil || p.attr.Name != "cable" {
		return false
	}
	most, _ := strconv.ParseFloat(m[1], 64)
	length, err := strconv.ParseFloat(strings.TrimSuffix(strings.Trim(b.value(p.attr), `"`), "km"), 64)
	return err == nil && 2*most > length
}

// wired returns the number of ports of a port group for the links of clos blocks.
func (b *builder) wired(at diag.Range) (counts []string) {
	p := b.files.at(at)
	if p.attr == nil || p.attr.Name != "ports" || p.outer == nil || len(p.outer.Labels) != 1 || len(p.block.Labels) != 1 {
		return nil
	}
	b.files.each(func(clos *hclsyntax.Block) {
		is := func(name, value string) bool {
			attr := clos.Body.Attributes[name]
			return attr != nil && b.value(attr) == value
		}
		for side, other := range map[string]string{"lower": "upper", "upper": "lower"} {
			far, per := clos.Body.Attributes[other], clos.Body.Attributes["links_per_pair"]
			if far == nil || !is(side, "switch."+stem(p.outer.Labels[0])) || !is(side+"_ports", strconv.Quote(p.block.Labels[0])) {
				continue
			}
			n := 1
			if per != nil {
				n, _ = strconv.Atoi(b.value(per))
			}
			b.files.each(func(sw *hclsyntax.Block) {
				if sw.Type != "switch" || len(sw.Labels) != 1 || b.value(far) != "switch."+stem(sw.Labels[0]) {
					return
				}
				many := 1
				if m := portRange.FindStringSubmatch(sw.Labels[0]); m != nil {
					first, _ := strconv.Atoi(m[1])
					last, _ := strconv.Atoi(m[2])
					many += last - first
				}
				counts = append(counts, strconv.Itoa(n*many))
			})
		}
	})
	return counts
}

// elsewhere returns the values of the attribute in other blocks of the same type.
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

// agreeing returns the values that an attribute has where its block is as people write it: a lossless class
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

// stem returns the name by which others refer to the switches of a label: without its ranges.
func stem(label string) string {
	name, _, ranges := strings.Cut(label, "[")
	if ranges {
		name = strings.TrimRight(name, "-_")
	}
	return name
}

// mutual reports whether the groups at the other end of a peer name this one's switch, and have no cables either.
func (b *builder) mutual(p place) bool {
	return slices.ContainsFunc(b.found, func(d diag.Diagnostic) bool {
		end := b.files.at(d.Subject)
		return d.Code == b.d.Code && end.outer != nil && p.outer != nil && b.text(b.d.Subject) == "switch."+stem(end.outer.Labels[0]) && b.text(d.Subject) == "switch."+stem(p.outer.Labels[0])
	})
}

// atOtherEnd returns the values of an attribute of a port group in the groups of the switches that are its peer.
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

// siblings returns the values of an attribute in all blocks of a type.
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

// value returns the value as which an attribute is written.
func (f *finder) value(attr *hclsyntax.Attribute) string {
	r := attr.Expr.Range()
	return string(f.texts[r.Filename][r.Start.Byte:r.End.Byte])
}

var advice = regexp.MustCompile(`\b([a-z_]+) = ("[^"…]*"|[^\s,;:…"]+)`)

// advised does what a finding says to write, at its place or at one that belongs to it.
func (b *builder) advised() {
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
