package tune

import (
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// hcl returns the text to write into the blocks of the fabric; an attribute of the same name is replaced.
func (s *space) hcl(p *Point) string {
	text := &strings.Builder{}
	block := func(kind, name, body string) {
		if body != "" {
			fmt.Fprintf(text, "%s %q {\n%s}\n", kind, name, body)
		}
	}
	if p.Balancing != "" {
		block("fabric", s.fabric.Name, fmt.Sprintf("  load_balancing = %q\n", p.Balancing))
	}
	for _, class := range s.classes {
		block("traffic_class", class.Name, p.Marks.hcl())
	}
	for k, c := range p.NICs {
		block("nic", s.nics[k].Name, c.hcl())
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

// hcl returns the body of a block traffic_class.
func (m *Marks) hcl() string {
	alpha, curve := "", ""
	if m.OwnAlpha {
		alpha = fmt.Sprintf("  alpha = %v\n", m.Alpha)
	}
	if m.KMax != 0 {
		curve = fmt.Sprintf("  ecn {\n    kmin = %q\n    kmax = %q\n    pmax = %q\n  }\n", m.KMin, m.KMax, m.PMax)
	}
	return apart(alpha, curve)
}

// write puts a point into the fabric; the returned function restores the old values.
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
		p.Marks.write(class)
	}
	for k, c := range p.NICs {
		nic := s.nics[k]
		saved := *nic
		undo = append(undo, func() { *nic = saved })
		for _, r := range c.registers() {
			r.write(nic)
		}
	}
	return func() {
		for _, u := range undo {
			u()
		}
	}
}

// write puts marks into the block of a class.
func (m *Marks) write(c *policy.Class) {
	at := c.Range
	if m.KMax != 0 {
		c.ECN = policy.Opt[string]{Value: "given", Set: true, Range: at}
		c.CurvesAt = nil
		c.Curve = curveOf(m, at)
	}
	if m.OwnAlpha {
		c.Alpha = policy.Opt[units.Alpha]{Value: m.Alpha, Set: true, Range: at}
	}
}

func curveOf(m *Marks, at diag.Range) policy.Curve {
	return policy.Curve{
		KMin: policy.Opt[units.Bytes]{Range: at}, KMax: policy.Opt[units.Bytes]{Range: at},
		KMinDelay: policy.Opt[units.Time]{Value: m.KMin, Set: true, Range: at},
		KMaxDelay: policy.Opt[units.Time]{Value: m.KMax, Set: true, Range: at},
		PMax:      policy.Opt[units.Ratio]{Value: m.PMax, Set: true, Range: at},
	}
}
