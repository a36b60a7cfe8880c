package adopt

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// osOf returns the language's name of the system of a format.
func osOf(format string) string {
	if format == "nvue" {
		return "cumulus"
	}
	return format
}

func (s *sketch) writeBlock(w writer, b *block) {
	body := w.block("switch", b.label)
	for _, note := range b.notes {
		body.comment(note)
	}
	if len(b.names) > 0 {
		body.texts("name", b.names)
	}
	if b.chipHole != "" {
		body.refer("chip", "var", b.chipHole)
	} else {
		body.text("chip", b.chip.Name)
	}
	os := osOf(b.shape.As.Name)
	body.text("os", os)
	if len(b.shape.Also) > 0 {
		targets := append([]string{b.shape.As.Name}, b.shape.Also...)
		slices.Sort(targets)
		body.texts("targets", targets)
	}
	sw := b.shape.Said
	for _, a := range [][2]string{{"platform", sw.Platform}, {"hwsku", sw.HwSKU}, {"role", sw.Role}} {
		if a[1] != "" {
			body.text(a[0], a[1])
		}
	}
	if model := sw.BufferModel; os == "sonic" && model != "" && model != calc.UsualBufferModel(b.chip, os) {
		body.text("buffer_model", string(model))
	}
	if sw.Tunnel != nil && slices.ContainsFunc(b.groups, func(g *group) bool { return g.sentBack }) {
		body.text("tunnel", sw.Tunnel.Name)
	}
	if size := lossyPool(sw); s.lossy && size > 0 {
		body.text("lossy_pool", size.String())
	}
	if alpha, ok := b.alpha(true); ok && s.alpha && slices.ContainsFunc(s.classes, func(c *class) bool { return c.alpha != nil && *c.alpha != alpha }) {
		body.text("alpha", alpha.String())
	}
	if alpha, ok := b.alpha(false); ok && s.groups {
		body.text("lossy_alpha", alpha.String())
	}
	if s.device && devicesBuffers(sw) {
		body.word("buffers", "device")
	}
	if s.onePool {
		body.SetAttributeValue("one_egress_pool", cty.True)
	}
	for _, p := range s.pins[b.shapes[0]][ofSwitch] {
		if name := s.plain(p); name != "" {
			body.raw(name, p.value)
		}
	}
	layers := s.layers(b)
	for _, g := range b.groups {
		inside := s.writeGroup(body, g)
		layers = stable.Delete(layers, func(l *layer) bool {
			own := l.of(g)
			if own {
				l.write(inside, false)
			}
			return own
		})
	}
	for _, l := range layers {
		l.write(body, l.ports != nil)
	}
}

// alpha returns the threshold of all lossless priority groups of a block, or of all others, where they have
// one: tiers often have one each. ok is false where they differ.
func (b *block) alpha(lossless bool) (alpha units.Alpha, ok bool) {
	var alphas tally[units.Alpha]
	for _, shape := range b.shapes {
		for i := range shape.Said.Ports {
			q := shape.Said.Ports[i].QoS
			if q == nil {
				continue
			}
			for _, g := range q.PGs {
				if g.Lossless == lossless && g.Limit.Value.Dynamic {
					alphas.add(g.Limit.Value.Alpha, 1)
				}
			}
		}
	}
	alpha, ok = alphas.usual()
	return alpha, ok && len(alphas.order) == 1
}

// lossyPool returns the pool of lossy queues by the name that SONiC and compile give it, 0 where
// there is none.
func lossyPool(sw *plan.Switch) units.Bytes {
	for _, p := range sw.Pools {
		if p.Name == calc.EgressLossyPool && p.Direction == plan.Egress {
			return p.Size.Value
		}
	}
	return 0
}

func (s *sketch) writeGroup(w writer, g *group) writer {
	b := w.block("port_group", g.name)
	b.texts("ports", fold(portNames(g.ports)))
	switch {
	case g.speedHole != "":
		b.refer("speed", "var", g.speedHole)
	case g.breakout > 1:
		b.text("breakout", fmt.Sprintf("%dx%dG", g.breakout, int64(g.speed/units.Gbps)))
	default:
		b.text("speed", g.speed.String())
	}
	switch {
	case g.cableVar != "":
		b.refer("cable", "var", g.cableVar)
	case g.cable > 0:
		b.text("cable", g.cable.String())
	}
	if g.medium != "" {
		b.word("medium", g.medium)
	}
	switch {
	case g.nic != "":
		b.refer("peer", "nic", g.nic)
	case g.to != nil && isName(g.to.ref()):
		b.refer("peer", "switch", g.to.ref())
	}
	if !g.lossless && s.anyLossless() {
		b.SetAttributeValue("lossless", cty.False)
	}
	if g.sentBack {
		b.SetAttributeValue("sent_back", cty.True)
	}
	if g.routed {
		b.SetAttributeValue("routed", cty.True)
	}
	if g.marking {
		b.word("trust", "marking")
	}
	if fec := g.ports[0].FEC; s.fec && !slices.ContainsFunc(g.ports, func(p *plan.Port) bool { return p.FEC != fec }) {
		b.word("fec", cmp.Or(fec, "device"))
	}
	if g.mtu > 0 {
		b.text("mtu", g.mtu.String())
	}
	if s.rooms && g.headroom > 0 {
		b.text("headroom", g.headroom.String())
	}
	if s.lanes {
		writeLanes(b, g)
	}
	if s.indices && !slices.ContainsFunc(g.ports, func(p *plan.Port) bool { return !p.Numbered }) {
		var list []cty.Value
		for _, p := range g.ports {
			list = append(list, cty.NumberIntVal(int64(p.Index)))
		}
		b.SetAttributeValue("index_list", cty.TupleVal(list))
	}
	if g.curves != "" && !s.bare {
		s.writeCurves(b, g.ports[0])
	}
	if g.ownQueues {
		s.writeQueues(b, g)
	}
	return b
}

// writeQueues says which classes leave ports from queues of others. The language cannot express a
// mix of lossless with lossy traffic; such a difference is reported.
func (s *sketch) writeQueues(w writer, g *group) {
	carries := func(c *class) bool { return c.Lossless && g.lossless && (!c.sentBack || g.sentBack) }
	for _, c := range s.classes {
		queue := g.leave[c.TrafficClass&7]
		if queue == c.Queue || carries(c) {
			continue
		}
		of := slices.IndexFunc(s.classes, func(o *class) bool { return o.Queue == queue && (c.Lossless || !carries(o)) })
		if of >= 0 {
			b := w.block("queue")
			b.refer("class", "traffic_class", c.Name)
			b.refer("of", "traffic_class", s.classes[of].Name)
		}
	}
}

// writeCurves says how the queues of a port mark: once where all do alike.
func (s *sketch) writeCurves(w writer, p *plan.Port) {
	var marking []*class
	alike := true
	for _, c := range s.classes {
		if e := curveOf(p, c.Queue); e != nil && c.curve != nil {
			marking = append(marking, c)
			alike = alike && said(e) == said(curveOf(p, marking[0].Queue))
		}
	}
	for i, c := range marking {
		if alike && i > 0 {
			break
		}
		b := w.block("ecn")
		if !alike {
			b.refer("class", "traffic_class", c.Name)
		}
		said(curveOf(p, c.Queue)).write(b)
	}
}

func (s *sketch) anyLossless() bool {
	return slices.ContainsFunc(s.classes, func(c *class) bool { return c.Lossless })
}

// writeLanes says labels and lanes as the files have them.
func writeLanes(b writer, g *group) {
	var aliases []string
	var lanes []cty.Value
	for _, p := range g.ports {
		if p.Alias != "" {
			aliases = append(aliases, p.Alias)
		}
		if len(p.Lanes) > 0 {
			var list []cty.Value
			for _, lane := range p.Lanes {
				list = append(list, cty.NumberIntVal(int64(lane)))
			}
			lanes = append(lanes, cty.TupleVal(list))
		}
	}
	if len(aliases) == len(g.ports) {
		b.texts("aliases", diff.Patterns(aliases))
	}
	if len(lanes) != len(g.ports) {
		return
	}
	if first, ok := consecutive(g.ports); ok {
		b.number("lanes", int64(len(g.ports[0].Lanes)))
		b.number("first_lane", int64(first))
		return
	}
	b.SetAttributeValue("lane_list", cty.TupleVal(lanes))
}

// consecutive reports whether lanes count up from port to port, each with as many.
func consecutive(ports []*plan.Port) (first int, ok bool) {
	next := ports[0].Lanes[0]
	for _, p := range ports {
		if len(p.Lanes) != len(ports[0].Lanes) {
			return 0, false
		}
		for _, lane := range p.Lanes {
			if lane != next {
				return 0, false
			}
			next++
		}
	}
	return ports[0].Lanes[0], true
}
