package adopt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// CablesFile and TableFile are the files beside the fabric that it refers to.
const (
	CablesFile = "cables.csv"
	TableFile  = "headroom.ini"
)

// text writes the sketch as a person would.
func (s *sketch) text() []byte {
	f := hclwrite.NewEmptyFile()
	w := writer{f.Body()}
	s.writeVariables(w)
	s.writeFabric(w)
	for _, c := range s.classes {
		s.writeClass(w, c)
	}
	s.writeMarking(w)
	s.writeWatchdog(w)
	for _, n := range s.nics {
		b := w.block("nic", n.name)
		b.text("model", n.model)
	}
	for _, b := range s.blocks {
		s.writeBlock(w, b)
	}
	for _, c := range s.clos {
		s.writeClos(w, c)
	}
	s.writeLinks(w)
	return hclwrite.Format(f.Bytes())
}

// A writer writes into one body.
type writer struct{ *hclwrite.Body }

// block begins a block after an empty line.
func (w writer) block(kind string, labels ...string) writer {
	if len(w.Blocks()) > 0 || len(w.Attributes()) > 0 {
		w.AppendNewline()
	}
	return writer{w.AppendNewBlock(kind, labels).Body()}
}

func (w writer) text(name, value string)     { w.SetAttributeValue(name, cty.StringVal(value)) }
func (w writer) number(name string, n int64) { w.SetAttributeValue(name, cty.NumberIntVal(n)) }

// refer writes a reference such as nic.cx7.
func (w writer) refer(name, root, attr string) {
	w.SetAttributeTraversal(name, hcl.Traversal{hcl.TraverseRoot{Name: root}, hcl.TraverseAttr{Name: attr}})
}

// word writes a bare word.
func (w writer) word(name, word string) {
	w.SetAttributeTraversal(name, hcl.Traversal{hcl.TraverseRoot{Name: word}})
}

// raw writes an expression as it stands.
func (w writer) raw(name, expression string) {
	w.SetAttributeRaw(name, hclwrite.Tokens{{Type: hclsyntax.TokenIdent, Bytes: []byte(expression)}})
}

// comment writes lines that people read, broken at the usual width.
func (w writer) comment(text string) {
	for _, line := range broken(text, 92) {
		w.AppendUnstructuredTokens(hclwrite.Tokens{{Type: hclsyntax.TokenComment, Bytes: []byte("# " + line + "\n")}})
	}
}

func broken(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// texts writes patterns: one as a text, several as a list.
func (w writer) texts(name string, all []string) {
	if len(all) == 1 {
		w.text(name, all[0])
		return
	}
	var values []cty.Value
	for _, s := range all {
		values = append(values, cty.StringVal(s))
	}
	w.SetAttributeValue(name, cty.ListVal(values))
}

func (w writer) numbers(name string, all []uint8) {
	var values []cty.Value
	for _, n := range all {
		values = append(values, cty.NumberIntVal(int64(n)))
	}
	w.SetAttributeValue(name, cty.TupleVal(values))
}

// writeVariables begins with what nobody said, and what several groups share.
func (s *sketch) writeVariables(w writer) {
	hole := func(name, about string) {
		b := w.block("variable", name)
		b.word("type", "string")
		b.text("description", about)
	}
	for _, b := range s.blocks {
		if b.chipHole != "" {
			hole(b.chipHole, fmt.Sprintf("TO FILL IN: the chip of %s, which no file names; see roceplan chips", b.label))
		}
		for _, g := range b.groups {
			if g.speedHole != "" {
				hole(g.speedHole, fmt.Sprintf("TO FILL IN: the speed of %s of %s, which no file tells", g.name, b.label))
			}
		}
	}
	for _, v := range s.shared {
		b := w.block("variable", v.name)
		b.word("type", "string")
		b.text("default", v.length.String())
		b.text("description", v.about)
	}
}

func (s *sketch) writeFabric(w writer) {
	b := w.block("fabric", s.name)
	if s.mtu > 0 {
		b.text("mtu", s.mtu.String())
	}
	if s.losslessFrame > 0 {
		b.text("lossless_frame", s.losslessFrame.String())
	}
	if s.delays != (delays{}) {
		b.text("expected_delay", s.delays.expected.String())
		b.text("tolerable_delay", s.delays.tolerable.String())
	}
	if s.smallPackets != nil {
		b.text("small_packets", s.smallPackets.String())
	}
	if s.method != "" {
		b.text("headroom_method", s.method)
	}
	if s.table != nil {
		b.raw("headroom_table", fmt.Sprintf("file(%q)", TableFile))
	}
}

func (s *sketch) writeClass(w writer, c *class) {
	b := w.block("traffic_class", c.Name)
	if c.rest {
		b.word("dscp", "rest")
	} else {
		b.numbers("dscp", c.DSCPs)
	}
	b.number("queue", int64(c.Queue))
	if c.TrafficClass != c.Queue {
		b.number("traffic_class", int64(c.TrafficClass))
	}
	usual := uint8(0)
	if c.Lossless {
		b.number("pfc", int64(c.PFC))
		usual = c.PFC
	}
	if c.PG != usual {
		b.number("priority_group", int64(c.PG))
	}
	if c.scheduler.Strict {
		b.word("scheduling", "strict")
	} else {
		b.number("weight", max(1, c.scheduler.Weight.Value))
	}
	if rate := c.scheduler.MaxRate.Value; rate > 0 && s.caps {
		b.text("max_rate", rate.String())
	}
	if c.alpha != nil && s.alpha {
		b.text("alpha", c.alpha.String())
	}
	s.writeCurve(b, c)
}

// writeCurve says how a class marks, where compile would do otherwise: it derives curves of
// lossless classes.
func (s *sketch) writeCurve(b writer, c *class) {
	switch {
	case c.curve == nil && c.Lossless:
		b.word("ecn", "off")
	case c.curve == nil, s.curves == curvesDerived && c.Lossless && c.delays == s.delays:
	default:
		e := b.block("ecn")
		if s.curves != curvesInBytes && c.delays != (delays{}) {
			e.text("kmin", c.delays.expected.String())
			e.text("kmax", c.delays.tolerable.String())
		} else {
			e.text("kmin", c.curve.KMin.Value.String())
			e.text("kmax", c.curve.KMax.Value.String())
		}
		e.text("pmax", c.curve.PMax.Value.String())
	}
}

func (s *sketch) writeMarking(w writer) {
	m := s.marking
	if m == nil {
		return
	}
	b := w.block("marking")
	if port := udpPort(m); port > 0 {
		b.number("udp_port", int64(port))
	}
	b.number("rewrite", int64(m.Default))
	for _, rule := range m.Rules {
		r := b.block("rule")
		r.number("dscp", int64(rule.DSCP))
	}
}

func udpPort(m *plan.Marking) uint16 {
	for _, rule := range m.Rules {
		if rule.UDPPort > 0 {
			return rule.UDPPort
		}
	}
	return 0
}

func (s *sketch) writeWatchdog(w writer) {
	switch d := s.watchdog; {
	case s.watchdogOff:
		w.block("pfc_watchdog").SetAttributeValue("enabled", cty.False)
	case d != nil && s.give.watchdog:
		b := w.block("pfc_watchdog")
		for _, timer := range []struct {
			name string
			time units.Time
		}{{"detection", d.Detection.Value}, {"restoration", d.Restoration.Value}, {"poll", d.Poll.Value}} {
			if timer.time > 0 {
				b.text(timer.name, timer.time.String())
			}
		}
		if d.Action != "" && d.Action != plan.WatchdogDrop {
			b.word("action", string(d.Action))
		}
	}
}

// osOf is what the language calls the system that a format is of.
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
	body.text("os", osOf(b.shape.Format.Name))
	if len(b.shape.Also) > 0 {
		targets := append([]string{b.shape.Format.Name}, b.shape.Also...)
		slices.Sort(targets)
		body.texts("targets", targets)
	}
	sw := b.shape.Said
	for _, a := range [][2]string{{"platform", sw.Platform}, {"hwsku", sw.HwSKU}, {"role", sw.Role}} {
		if a[1] != "" {
			body.text(a[0], a[1])
		}
	}
	if model := sw.BufferModel; b.shape.Format.Name == "sonic" && model != "" && model != usualModel(b) {
		body.text("buffer_model", string(model))
	}
	for _, g := range b.groups {
		s.writeGroup(body, g)
	}
}

func (s *sketch) writeGroup(w writer, g *group) {
	b := w.block("port_group", g.name)
	names := make([]string, len(g.ports))
	for i, p := range g.ports {
		names[i] = p.Name
	}
	b.texts("ports", fold(names))
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
	if g.marking {
		b.word("trust", "marking")
	}
	if s.rooms && g.headroom > 0 {
		b.text("headroom", g.headroom.String())
	}
	if s.lanes {
		writeLanes(b, g)
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
		b.texts("aliases", foldInOrder(aliases))
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

func (s *sketch) writeClos(w writer, c clos) {
	b := w.block("clos", c.name)
	b.side("lower", c.lower.block)
	b.side("upper", c.upper.block)
	b.text("lower_ports", c.lower.name)
	b.text("upper_ports", c.upper.name)
	if c.perPair > 1 {
		b.number("links_per_pair", int64(c.perPair))
	}
}

// side names a block, or its devices where it has no name that can be referred to.
func (w writer) side(name string, b *block) {
	if isName(b.ref()) {
		w.refer(name, "switch", b.ref())
		return
	}
	w.texts(name, fold(b.shape.Names))
}

// writeLinks lets the table of cables drive the links. A row whose length is not filled in
// says where the cable leads, and leaves the length open.
func (s *sketch) writeLinks(w writer) {
	if len(s.rows) == 0 {
		return
	}
	open := slices.ContainsFunc(s.rows, func(c cable) bool { return c.length == 0 })
	if open {
		w.AppendNewline()
		w.comment(fmt.Sprintf("TO FILL IN: lengths that no file tells, in the column metres of %s. What the present headroom allows stands beside it, in at_most.", CablesFile))
	}
	b := writer{w.AppendNewBlock("link", nil).Body()}
	if !open {
		b = writer{b.Body}
	}
	b.raw("for_each", fmt.Sprintf("{ for c in csvdecode(file(%q)) : \"${c.switch}:${c.port}\" => c }", CablesFile))
	b.raw("a", "each.key")
	b.raw("b", `each.value.far != "" ? each.value.far : null`)
	b.raw("cable", `each.value.metres != "" ? "${each.value.metres}m" : null`)
}

// table is the table of cables.
func (s *sketch) csv(fill bool) []byte {
	var b strings.Builder
	b.WriteString("switch,port,far,metres,at_most\n")
	for _, c := range s.rows {
		far := ""
		if c.b.Switch != "" {
			far = c.b.Switch + ":" + c.b.Port
		}
		length := ""
		if c.length > 0 {
			length = strings.TrimSuffix(metres(c.length), "m")
		} else if fill {
			length = "1"
		}
		fmt.Fprintf(&b, "%s,%s,%s,%s,%s\n", c.a.Switch, c.a.Port, far, length, c.most)
	}
	return []byte(b.String())
}

// metres writes a length in metres, with three places at the most.
func metres(l units.Length) string {
	whole, rest := l/units.Metre, l%units.Metre
	if rest == 0 {
		return fmt.Sprintf("%dm", int64(whole))
	}
	return strings.TrimRight(fmt.Sprintf("%d.%03d", int64(whole), int64(rest)), "0") + "m"
}
