package adopt

import (
	"fmt"
	"slices"
	"strings"

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
		common = stable.Delete(common, func(one pin) bool { return !slices.Contains(pins, one) })
	}
	whole := stable.Delete(slices.Concat(p[ofSwitch], common), func(one pin) bool { return s.plain(one) != "" })
	if len(whole) > 0 {
		all = append(all, &layer{pins: whole})
	}
	known := map[string]*layer{}
	for i := range ports {
		name := ports[i].Name
		rest := stable.Delete(slices.Clone(p[name]), func(one pin) bool { return slices.Contains(common, one) })
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

// plain returns the attribute of a switch that runs which says what a pin does; empty: there is none.
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

// write writes a layer as a block: on one line, if it has one attribute.
func (l *layer) write(w writer, named bool) {
	lines := linesOf(l.pins)
	if len(lines) == 1 && lines[0].kind == "" && !named {
		w.apart()
		w.oneLine("pinned", lines[0])
		return
	}
	inside := w.block("pinned")
	if named {
		inside.texts("ports", fold(l.ports))
	}
	for _, p := range lines {
		if p.kind == "" {
			inside.raw(p.attribute, p.value)
			continue
		}
		inside.oneLine(p.head(), p)
	}
}

// oneLine writes a block with one attribute.
func (w writer) oneLine(head string, p *pinLine) {
	text := fmt.Sprintf("%s { %s = %s }\n", head, p.attribute, p.value)
	w.AppendUnstructuredTokens(hclwrite.Tokens{{Type: hclsyntax.TokenIdent, Bytes: []byte(text)}})
}

// A pinLine is a line within a pinned block: an attribute, or a block with one attribute, of all groups or queues that have it.
type pinLine struct {
	pin
	kind string // empty: an attribute
	ids  []uint8
}

// head returns the kind of the block and its label.
func (p *pinLine) head() string {
	switch {
	case p.ids != nil:
		return fmt.Sprintf("%s %q", p.kind, plan.Ranges(p.ids))
	case p.name != "":
		return fmt.Sprintf("%s %q", p.kind, p.name)
	}
	return p.kind
}

// linesOf makes lines of pins: attributes, then blocks, each of as many groups or queues as have the same. So a value is
// adopted by deleting its line.
func linesOf(all []pin) (lines []*pinLine) {
	for _, p := range all {
		line := &pinLine{pin: p}
		switch p.of {
		case policy.PinnedPort, policy.PinnedMaps:
		case policy.PinnedPG, policy.PinnedQueue:
			line.kind, line.ids, line.id = string(p.of), []uint8{p.id}, 0
		default:
			line.kind = string(p.of)
		}
		i := slices.IndexFunc(lines, func(o *pinLine) bool { return o.pin == line.pin })
		if i < 0 {
			lines = append(lines, line)
			continue
		}
		lines[i].ids = append(lines[i].ids, line.ids...)
		slices.Sort(lines[i].ids)
	}
	stable.Sort(lines, func(a, b *pinLine) int { return strings.Compare(a.kind, b.kind) })
	return lines
}
