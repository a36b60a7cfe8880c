package repair

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/diag"
)

// Edits of two places at once.

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

// exchanges gives two attributes each other's value: those of a block whose names differ in one
// part, as lower and upper, and that of the finding with the same one of a neighbouring block.
func (b *builder) exchanges() {
	for _, at := range b.places() {
		if p := b.files.at(at); p.block != nil && p.attr != nil && !b.long(p) {
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
		if other == p.block || other.Type != "port_group" || p.block.Type != other.Type {
			return
		}
		names := []string{p.attr.Name}
		if strings.HasPrefix(string(b.d.Code), "platform-") && p.attr.Name != "ports" {
			names = append(names, "ports")
		}
		for _, name := range names {
			if x, y := p.block.Body.Attributes[name], other.Body.Attributes[name]; x != nil && y != nil {
				put(x, y, costOther)
			}
		}
	})
}

var portName = regexp.MustCompile(`^"[A-Za-z/-]*(?:[0-9]+/)*`)

var portRange = regexp.MustCompile(`\[([0-9]+)\.\.([0-9]+)(/[0-9]+)?\]`)

// apart lets the ports of one place begin behind those of another one: of the finding, or of the same switch.
func (b *builder) apart() {
	places := b.places()
	if p := b.files.at(b.d.Subject); p.outer != nil && p.attr != nil && p.attr.Name == "ports" && b.d.Code != "bad-range" {
		for _, group := range p.outer.Body.Blocks {
			if ports := group.Body.Attributes["ports"]; ports != nil && group != p.block {
				places = append(places, ports.Expr.Range())
			}
		}
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
			if first, _ := strconv.Atoi(before[1]); first > 0 {
				step, _ = strconv.Atoi(strings.TrimPrefix(portRange.FindStringSubmatch(text)[3], "/"))
				b.add(mine, text[:was[4]]+strconv.Itoa(first-max(step, 1))+text[was[5]:], costValue)
			}
		}
	}
}
