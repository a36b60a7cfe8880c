package lsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/explain"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// hover says what an attribute or a block means, and what it is worth in the fabric as it is.
func (s *server) hover(a *analysis, path string, p *at) any {
	text := a.texts[path]
	here := a.at(path, offset(text, p.Position))
	if len(here.blocks) == 0 {
		return nil
	}
	block := blockCalled(here.names())
	var parts []string
	var over span
	switch attr := attributeOf(block, attributeName(here)); {
	case attr != nil:
		parts, over = append(parts, page(attr)), spanOf(text, here.attr.SrcRange)
		if attr.Name == "chip" {
			parts = append(parts, chipPage(a, here.attr))
		}
	case here.header && block != nil:
		parts, over = append(parts, "**"+block.Name+"**: "+block.Doc), spanOf(text, here.blocks[len(here.blocks)-1].DefRange())
	default:
		return nil
	}
	if group := portGroup(here); group != nil {
		parts = append(parts, s.worth(a, path, group))
	}
	parts = stable.Delete(parts, func(s string) bool { return s == "" })
	return hover{markdown(strings.Join(parts, "\n\n---\n\n")), &over}
}

func attributeName(p place) string {
	if p.attr == nil {
		return ""
	}
	return p.attr.Name
}

// chipPage returns the catalogue's page on the chip that an attribute names.
func chipPage(a *analysis, attr *hclsyntax.Attribute) string {
	chip, ok := a.fabric.Catalogue.Find(literal(attr.Expr))
	if !ok {
		return ""
	}
	out := "**" + chip.Name + "**"
	for _, datum := range []chips.Datum[units.Bytes]{chip.CellSize, chip.PacketBuffer} {
		if fact := datum.Fact(); fact != nil {
			out += fmt.Sprintf("\n- %s: %v (%s)", datum.Name(), datum.Or(0), fact.Source)
		}
	}
	return out
}

// literal returns the text of an expression that is nothing but text; "" elsewhere.
func literal(e hclsyntax.Expression) string {
	v, found := e.Value(nil)
	if found.HasErrors() || !v.IsWhollyKnown() || v.IsNull() || v.Type().FriendlyName() != "string" {
		return ""
	}
	return v.AsString()
}

// portGroup returns the port_group block around a place, nil elsewhere.
func portGroup(p place) *hclsyntax.Block {
	for _, b := range p.blocks {
		if b.Type == "port_group" {
			return b
		}
	}
	return nil
}

// A planned is a port of a group as it was computed, with its switch.
type planned struct {
	sw   *plan.Switch
	port *plan.Port
}

// portsByGroup lists what was computed of each port_group block: a port for each shape of switch
// and each setting.
func portsByGroup(p *plan.Plan) map[line][]planned {
	type setting struct {
		at  line
		qos *plan.PortQoS
	}
	out, seen := map[line][]planned{}, map[setting]bool{}
	for _, sw := range p.Switches {
		for i := range sw.Ports {
			port := &sw.Ports[i]
			at := line{port.Range.Filename, port.Range.Start.Line}
			if one := (setting{at, port.QoS}); !seen[one] {
				seen[one] = true
				out[at] = append(out[at], planned{sw, port})
			}
		}
	}
	return out
}

// portsOf finds what was computed of a port_group block.
func (a *analysis) portsOf(path string, group *hclsyntax.Block) []planned {
	return a.ports[line{path, group.DefRange().Start.Line}]
}

// worth returns the plan of a port group: headroom with its formula, thresholds and marking, and
// its tightest inequality.
func (s *server) worth(a *analysis, path string, group *hclsyntax.Block) string {
	var out strings.Builder
	for _, at := range a.portsOf(path, group) {
		fmt.Fprintf(&out, "**%s**, ports like %s:\n", plan.Abbreviate(at.sw.Names), at.port.Name)
		for _, q := range explain.Port(at.sw, at.port) {
			name := q.Names[0][strings.LastIndexByte(q.Names[0], '.')+1:]
			if q.Class == "" || !slices.Contains([]string{"headroom", "alpha", "kmin", "kmax", "pmax"}, name) {
				continue
			}
			fmt.Fprintf(&out, "- %s %s: %s", q.Class, name, q.Value)
			if doc, ok := s.book.Find(q.Roots[0].Why.ID); ok {
				fmt.Fprintf(&out, ", by %s", strings.ToLower(doc.Title[:1])+doc.Title[1:])
			}
			out.WriteString("\n")
		}
		if c := tightest(at); c != nil {
			fmt.Fprintf(&out, "- tightest: %s (%s), %v ≤ %v, slack %s\n", c.ID, c.Where, c.Left.Value, c.Right.Value, c.Slack)
		}
	}
	return strings.TrimSpace(out.String())
}

// tightest returns the inequality of a port group that has used most of its right side, or one that
// fails.
func tightest(at planned) *plan.Check {
	var best *plan.Check
	most := -1.0
	for i := range at.sw.Checks {
		c := &at.sw.Checks[i]
		if !strings.HasPrefix(c.Where, at.port.Group+" ") {
			continue
		}
		if !c.Holds {
			return c
		}
		left, right, ok := amounts(c)
		if ok && right > 0 && float64(left)/float64(right) > most {
			best, most = c, float64(left)/float64(right)
		}
	}
	return best
}

// amounts returns both sides of an inequality in one base unit.
func amounts(c *plan.Check) (left, right int64, ok bool) {
	a, one := explain.Number(c.Left.Value)
	b, other := explain.Number(c.Right.Value)
	return a, b, one && other
}

// hints writes behind the cable of a port group what headroom it came to.
func (s *server) hints(a *analysis, path string, p *at) any {
	text := a.texts[path]
	out := []inlayHint{}
	eachBlock(a.bodies[path], func(b *hclsyntax.Block) {
		cable := b.Body.Attributes["cable"]
		if b.Type != "port_group" || cable == nil {
			return
		}
		end := positionOf(text, cable.SrcRange.End.Byte)
		if end.Line < p.Range.Start.Line || end.Line > p.Range.End.Line && p.Range.End != (position{}) {
			return
		}
		var labels []string
		for _, at := range a.portsOf(path, b) {
			for _, pg := range at.port.QoS.PGs {
				label := fmt.Sprintf("%v (%v)", pg.Headroom.Value.CeilCells(at.sw.Cell), pg.Headroom.Value)
				if pg.Lossless && !slices.Contains(labels, label) {
					labels = append(labels, label)
				}
			}
		}
		if labels != nil {
			out = append(out, inlayHint{end, "headroom " + strings.Join(labels, ", "), true})
		}
	})
	return out
}

// eachBlock calls do for all blocks of a file.
func eachBlock(body *hclsyntax.Body, do func(*hclsyntax.Block)) {
	if body == nil {
		return
	}
	for _, b := range body.Blocks {
		do(b)
		eachBlock(b.Body, do)
	}
}
