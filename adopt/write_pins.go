package adopt

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

// A layer is what is pinned of some ports; without ports, of a switch and all of its ports.
type layer struct {
	ports []string
	pins  []pin
}

// layers divides what is pinned of a block: what all its ports have in common, and what some have.
func (s *sketch) layers(b *block) (all []*layer) {
	p := s.pins[b.shapes[0]]
	var common []pin
	ports := b.shape.Said.Ports
	for i := range ports {
		pins := p[ports[i].Name]
		if i == 0 {
			common = slices.Clone(pins)
		}
		common = slices.DeleteFunc(common, func(one pin) bool { return !slices.Contains(pins, one) })
	}
	whole := slices.DeleteFunc(slices.Concat(p[ofSwitch], common), func(one pin) bool { return s.plain(one) != "" })
	if len(whole) > 0 {
		all = append(all, &layer{pins: whole})
	}
	known := map[string]*layer{}
	for i := range ports {
		name := ports[i].Name
		rest := slices.DeleteFunc(slices.Clone(p[name]), func(one pin) bool { return slices.Contains(common, one) })
		if len(rest) == 0 {
			continue
		}
		key := fmt.Sprint(rest)
		if known[key] == nil {
			known[key] = &layer{pins: rest}
			all = append(all, known[key])
		}
		known[key].ports = append(known[key].ports, name)
	}
	return all
}

// plain is the attribute of a switch that runs which says what a pin does; empty: there is none.
func (s *sketch) plain(p pin) string {
	if !s.running || p.of != policy.PinnedPool || p.name != plan.LosslessPool {
		return ""
	}
	return map[string]string{"size": "shared_pool", "headroom": "headroom_pool"}[p.attribute]
}

// of reports whether a layer is of all ports of a group, and of no others.
func (l *layer) of(g *group) bool {
	if len(l.ports) != len(g.ports) {
		return false
	}
	return !slices.ContainsFunc(g.ports, func(p *plan.Port) bool { return !slices.Contains(l.ports, p.Name) })
}

// write writes a layer as a block.
func (l *layer) write(w writer, named bool) {
	inside := w.block("pinned")
	if named {
		inside.texts("ports", fold(l.ports))
	}
	for _, p := range partsOf(l.pins) {
		switch {
		case p.kind == "":
			inside.raw(p.lines[0].attribute, p.lines[0].value)
		case len(p.lines) == 1:
			inside.oneLine(p)
		default:
			part := writer{inside.AppendNewBlock(p.kind, p.labels).Body()}
			for _, line := range p.lines {
				part.raw(line.attribute, line.value)
			}
		}
	}
}

// oneLine writes a block with one attribute.
func (w writer) oneLine(p *part) {
	text := p.kind
	for _, label := range p.labels {
		text += fmt.Sprintf(" %q", label)
	}
	text += fmt.Sprintf(" { %s = %s }\n", p.lines[0].attribute, p.lines[0].value)
	w.AppendUnstructuredTokens(hclwrite.Tokens{{Type: hclsyntax.TokenIdent, Bytes: []byte(text)}})
}

// A part is a block within a pinned block, or an attribute of that itself.
type part struct {
	kind   string // empty: an attribute
	labels []string
	ids    []uint8
	first  pin
	lines  []pin
}

// partsOf makes lines of pins: attributes, then blocks of one line, then others. Groups and queues that have the same
// lines are one block.
func partsOf(all []pin) (parts []*part) {
	for _, p := range all {
		line := pin{attribute: p.attribute, value: p.value}
		if p.of == policy.PinnedPort || p.of == policy.PinnedMaps {
			parts = append(parts, &part{first: p, lines: []pin{line}})
			continue
		}
		i := slices.IndexFunc(parts, func(o *part) bool { return o.first.of == p.of && o.first.id == p.id && o.first.name == p.name })
		if i < 0 {
			i = len(parts)
			parts = append(parts, &part{kind: string(p.of), first: p, ids: []uint8{p.id}})
		}
		parts[i].lines = append(parts[i].lines, line)
	}
	var joined []*part
	for _, p := range shared(parts) {
		switch p.first.of {
		case policy.PinnedPG, policy.PinnedQueue:
			same := func(o *part) bool { return o.first.of == p.first.of && slices.Equal(o.lines, p.lines) }
			if i := slices.IndexFunc(joined, same); i >= 0 {
				p.ids = append(joined[i].ids, p.ids...)
				slices.Sort(p.ids)
				joined = slices.Delete(joined, i, i+1)
			}
			p.labels = []string{plan.Ranges(p.ids)}
		case policy.PinnedPool, policy.PinnedPortPool:
			p.labels = []string{p.first.name}
		}
		joined = append(joined, p)
	}
	rank := func(p *part) int {
		switch {
		case p.kind == "":
			return 0
		case len(p.lines) == 1:
			return 1
		}
		return 2
	}
	stable.Sort(joined, func(a, b *part) int { return rank(a) - rank(b) })
	return joined
}

// mostAlike is how many groups or queues may repeat a line before it is written once for all of them.
const mostAlike = 2

// shared takes lines that many groups or queues have out of them: they become parts of their own.
func shared(parts []*part) (all []*part) {
	type line struct {
		of   policy.PinnedOf
		line pin
	}
	ids := map[line][]uint8{}
	for _, p := range parts {
		for _, l := range p.lines {
			ids[line{p.first.of, l}] = append(ids[line{p.first.of, l}], p.ids...)
		}
	}
	common, whole := map[string]*part{}, map[*part]bool{}
	for _, p := range parts {
		whole[p] = p.first.of != policy.PinnedPG && p.first.of != policy.PinnedQueue || alike(parts, p)
	}
	for _, p := range parts {
		p.lines = slices.DeleteFunc(p.lines, func(l pin) bool {
			of := ids[line{p.first.of, l}]
			if whole[p] || len(of) <= mostAlike {
				return false
			}
			key := fmt.Sprint(p.first.of, of)
			if common[key] == nil {
				common[key] = &part{kind: p.kind, first: p.first, ids: of}
				all = append(all, common[key])
			}
			if own := common[key]; !slices.Contains(own.lines, l) {
				own.lines = append(own.lines, l)
			}
			return true
		})
		if len(p.lines) > 0 {
			all = append(all, p)
		}
	}
	return all
}

// alike reports whether all groups or queues that share a line with one have the same lines as it: they are one part.
func alike(parts []*part, p *part) bool {
	return !slices.ContainsFunc(parts, func(o *part) bool {
		shares := slices.ContainsFunc(o.lines, func(l pin) bool { return slices.Contains(p.lines, l) })
		return o.first.of == p.first.of && shares && !slices.Equal(o.lines, p.lines)
	})
}
