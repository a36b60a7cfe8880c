package tune

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// Blocks are those of a fabric that a point is written into, by their labels.
type Blocks struct {
	Fabric  string
	Classes []string // that are searched
	NICs    []string // whose constants are
	Above   []Ports  // of switches that lead to no server
}

// Ports are the lossless port groups of a switch.
type Ports struct {
	Switch string
	Groups []string
}

// blocks are those of the space. Switches of one block that links tell apart are there once.
func (s *space) blocks() (b Blocks) {
	b.Fabric = s.fabric.Name
	for _, c := range s.classes {
		b.Classes = append(b.Classes, c.Name)
	}
	for _, n := range s.nics {
		b.NICs = append(b.NICs, n.Name)
	}
	for _, sw := range s.above {
		ports := Ports{Switch: sw.Label}
		for _, g := range lossless(sw) {
			ports.Groups = append(ports.Groups, g.Name)
		}
		if !slices.ContainsFunc(b.Above, func(o Ports) bool { return o.Switch == sw.Label }) {
			b.Above = append(b.Above, ports)
		}
	}
	return b
}

// lossless are the port groups on which lossless classes run.
func lossless(sw *policy.Switch) []*policy.PortGroup {
	return slices.DeleteFunc(slices.Clone(sw.Groups), func(g *policy.PortGroup) bool { return !g.Lossless.Value })
}

// HCL is what to write into the blocks; what stands there of the same name is replaced.
func (p *Point) HCL(b *Blocks) string {
	text := &strings.Builder{}
	block := func(kind, name, body string) {
		if body != "" {
			fmt.Fprintf(text, "%s %q {\n%s}\n", kind, name, body)
		}
	}
	if p.Balancing != "" {
		block("fabric", b.Fabric, fmt.Sprintf("  load_balancing = %q\n", p.Balancing))
	}
	for _, class := range b.Classes {
		control := ""
		if p.Control != "" {
			control = fmt.Sprintf("  congestion_control = %q\n", p.Control)
		}
		block("traffic_class", class, apart(control+p.alpha(), p.curve("  ", "")))
	}
	for _, nic := range b.NICs {
		if constants := p.NIC.hcl(); constants != "" {
			block("nic", nic, "  dcqcn {\n"+constants+"  }\n")
		}
	}
	if p.Above != nil {
		for _, at := range b.Above {
			block("switch", at.Switch, p.Above.ofSwitch(&at, b.Classes))
		}
	}
	return text.String()
}

// apart puts an empty line between two parts of a block.
func apart(a, b string) string {
	if a != "" && b != "" {
		return a + "\n" + b
	}
	return a + b
}

func (m *Marks) alpha() string {
	if !m.OwnAlpha {
		return ""
	}
	return fmt.Sprintf("  alpha = %v\n", m.Alpha)
}

// curve is a block ecn, for one class if that is named.
func (m *Marks) curve(indent, class string) string {
	if m.Derived {
		return ""
	}
	text, wide := indent+"ecn {\n", len("kmin")
	if class != "" {
		wide = len("class")
		text += fmt.Sprintf("%s  class = traffic_class.%s\n", indent, class)
	}
	for _, line := range []struct {
		name  string
		value fmt.Stringer
	}{{"kmin", m.KMin}, {"kmax", m.KMax}, {"pmax", m.PMax}} {
		text += fmt.Sprintf("%s  %-*s = %q\n", indent, wide, line.name, line.value)
	}
	return text + indent + "}\n"
}

// ofSwitch is the same for a switch of its own.
func (m *Marks) ofSwitch(at *Ports, classes []string) string {
	curves := ""
	for _, class := range classes {
		curves += m.curve("    ", class)
	}
	groups := ""
	if curves != "" {
		for _, g := range at.Groups {
			groups = apart(groups, fmt.Sprintf("  port_group %q {\n%s  }\n", g, curves))
		}
	}
	return apart(m.alpha(), groups)
}

// write puts a point into the fabric; what it returns puts back what was there.
func (s *space) write(p *Point) (restore func()) {
	var undo []func()
	at := s.fabric.LoadBalancing
	undo = append(undo, func() { s.fabric.LoadBalancing = at })
	if p.Balancing != "" {
		s.fabric.LoadBalancing = policy.Opt[string]{Value: p.Balancing, Set: true, Range: at.Range}
	}
	for _, class := range s.classes {
		saved := *class
		undo = append(undo, func() { *class = saved })
		p.class(class)
	}
	for _, nic := range s.nics {
		saved := nic.Reaction
		undo = append(undo, func() { nic.Reaction = saved })
		p.NIC.apply(&nic.Reaction, nic.Range)
	}
	if p.Above != nil {
		for _, sw := range s.above {
			undo = append(undo, p.Above.onSwitch(sw, s.classes))
		}
	}
	return func() {
		for _, u := range undo {
			u()
		}
	}
}

// class writes the point into the block of a class.
func (p *Point) class(c *policy.Class) {
	at := c.Range
	if p.Control != "" {
		c.CongestionControl = policy.Opt[string]{Value: p.Control, Set: true, Range: at}
		if c.ECN.Value == "derived" && !c.ECN.Set && p.Control != "dcqcn" && p.Control != "dctcp" {
			c.ECN.Value = "off"
		}
	}
	if !p.Derived {
		c.ECN = policy.Opt[string]{Value: "given", Set: true, Range: at}
		c.CurvesAt = nil
		p.draw(&c.Curve, c)
	}
	if p.OwnAlpha {
		c.Alpha = policy.Opt[units.Alpha]{Value: p.Alpha, Set: true, Range: at}
	}
}

// draw writes the curve.
func (m *Marks) draw(curve *policy.Curve, c *policy.Class) {
	at := c.Range
	curve.KMin, curve.KMax = policy.Opt[units.Bytes]{Range: at}, policy.Opt[units.Bytes]{Range: at}
	curve.KMinDelay = policy.Opt[units.Time]{Value: m.KMin, Set: true, Range: at}
	curve.KMaxDelay = policy.Opt[units.Time]{Value: m.KMax, Set: true, Range: at}
	curve.PMax = policy.Opt[units.Ratio]{Value: m.PMax, Set: true, Range: at}
}

// onSwitch writes marks into the blocks of a switch, and returns what takes them out again.
func (m *Marks) onSwitch(sw *policy.Switch, classes []*policy.Class) (undo func()) {
	alpha := sw.Alpha
	if m.OwnAlpha {
		sw.Alpha = policy.Opt[units.Alpha]{Value: m.Alpha, Set: true, Range: sw.Range}
	}
	if !m.Derived {
		for _, g := range lossless(sw) {
			for _, c := range classes {
				own := policy.PortCurve{Class: c, Range: g.Range}
				m.draw(&own.Curve, c)
				g.Curves = append(g.Curves, own)
			}
		}
	}
	return func() {
		sw.Alpha = alpha
		for _, g := range sw.Groups {
			g.Curves = nil // above has none with its own
		}
	}
}
