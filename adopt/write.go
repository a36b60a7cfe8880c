package adopt

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/roceplan/roceplan/internal/plain"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// CablesFile and TableFile are the files that the fabric refers to.
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
	return []byte(plain.Text(string(hclwrite.Format(f.Bytes())))) // its escapes are those of HCL
}

// A writer writes into one body.
type writer struct{ *hclwrite.Body }

// apart leaves a line empty before a block.
func (w writer) apart() {
	if len(w.Blocks()) > 0 || len(w.Attributes()) > 0 {
		w.AppendNewline()
	}
}

// block begins a block after an empty line.
func (w writer) block(kind string, labels ...string) writer {
	w.apart()
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

// raw writes an expression as it is.
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

// writeVariables begins with unknown values, and those that several groups share.
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
				hole(g.speedHole, fmt.Sprintf("TO FILL IN: the speed of %s of %s, which no file gives", g.name, b.label))
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
	if s.running {
		b.SetAttributeValue("running", cty.True)
	}
	if s.losslessFrame > 0 {
		b.text("lossless_frame", s.losslessFrame.String())
	}
	if s.loadBalancing != "" {
		b.word("load_balancing", s.loadBalancing)
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
	if s.sharing > 0 {
		b.text("headroom_sharing", fmt.Sprintf("%d groups", s.sharing))
	}
	if s.margin > 0 {
		b.text("headroom_margin", s.margin.String())
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
	if c.scheduler.Strict || s.strict && s.unscheduled(c) {
		b.word("scheduling", "strict")
	} else {
		b.number("weight", max(1, c.scheduler.Weight.Value))
	}
	if rate := c.scheduler.MaxRate.Value; rate > 0 && !s.bare {
		b.text("max_rate", rate.String())
	}
	if c.sentBackAs != nil {
		b.refer("sent_back_as", "traffic_class", c.sentBackAs.Name)
	}
	if len(c.kept) > 0 {
		b.numbers("keep_dscp", c.kept)
	}
	if c.alpha != nil && s.alpha {
		b.text("alpha", c.alpha.String())
	}
	if c.byFill && s.fills && !s.bare {
		b.text("fill_levels", string(c.fill))
	}
	if s.rewrite.TCs&(1<<c.TrafficClass) != 0 {
		b.number(policy.PinRewrite, int64(s.rewrite.DSCP[c.TrafficClass]))
	}
	s.writeCurve(b, c)
}

// writeCurve says how a class marks, where compile would do otherwise: it derives curves of
// lossless classes.
func (s *sketch) writeCurve(b writer, c *class) {
	switch {
	case s.bare, c.byFill:
	case c.curve == nil && c.Lossless:
		b.word("ecn", "off")
	case c.curve == nil, s.curves == curvesDerived && c.Lossless && c.delays == s.delays:
	default:
		e := b.block("ecn")
		if s.curves != curvesInBytes && c.delays != (delays{}) {
			e.text("kmin", c.delays.expected.String())
			e.text("kmax", c.delays.tolerable.String())
			e.text("pmax", c.curve.PMax.Value.String())
			return
		}
		said(c.curve).write(e)
		for _, other := range c.curvesAt {
			e := b.block("ecn")
			e.text("speed", other.speed.String())
			other.curve.write(e)
		}
	}
}

func (e curve) write(w writer) {
	w.text("kmin", e.kmin.String())
	w.text("kmax", e.kmax.String())
	w.text("pmax", e.pmax.String())
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
	case d == nil:
		w.block("pfc_watchdog").SetAttributeValue("enabled", cty.False)
	case s.give.watchdog:
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
