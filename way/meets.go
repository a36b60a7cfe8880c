package way

import (
	"cmp"

	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A fact describes a cable and a peer that a port can meet while a state lasts.
type fact struct {
	cable   units.Length
	assumed plan.Assumed
}

// peers returns the other ends of all cables of both plans.
func (b *Builder) peers() map[plan.LinkEnd]plan.LinkEnd {
	ends := map[plan.LinkEnd]plan.LinkEnd{}
	for _, p := range []*plan.Plan{b.before, b.after} {
		for _, l := range p.Links {
			if l.B.Switch != "" {
				ends[l.A], ends[l.B] = l.B, l.A
			}
		}
	}
	return ends
}

// meet adds the cables of a device to what its class can meet.
func (b *Builder) meet(c *class, device string, ends map[plan.LinkEnd]plan.LinkEnd) {
	chain := Chain{}
	for _, s := range c.states {
		chain.States = append(chain.States, s.State)
	}
	for i, s := range c.states {
		if s.sw == nil {
			continue
		}
		first, last := max(1, s.Step), chain.until(i, len(b.names))
		for _, sw := range []*plan.Switch{s.sw, s.from} {
			if sw == nil {
				continue
			}
			for p := range sw.Ports {
				port := &sw.Ports[p]
				f, was := c.facts[i][port.Name]
				end := plan.LinkEnd{Switch: device, Port: port.Name}
				for step := first; step <= max(first, last); step++ {
					f.cable = max(f.cable, b.cable(end, ends[end], step))
				}
				if !was {
					f.assumed = b.assumed(device, port, first, last)
				}
				c.facts[i][port.Name] = f
			}
		}
	}
}

// meetEnds adds the cables of a device to what its class meets before all steps, or after them.
func (b *Builder) meetEnds(c *class, device string, ends map[plan.LinkEnd]plan.LinkEnd) {
	for i, step := range []int{0, len(b.names) + 1} {
		sw := c.states[0].sw
		if i == 1 {
			sw = c.states[len(c.states)-1].sw
		}
		if sw == nil {
			continue
		}
		for p := range sw.Ports {
			port := &sw.Ports[p]
			f, end := c.ends[i][port.Name], plan.LinkEnd{Switch: device, Port: port.Name}
			f.cable = max(f.cable, b.cable(end, ends[end], step))
			if port.Assumed != nil {
				f.assumed = *port.Assumed
			}
			c.ends[i][port.Name] = f
		}
	}
}

// cable returns the longest that a port can have during a step.
func (b *Builder) cable(end, other plan.LinkEnd, step int) units.Length {
	var was, is units.Length
	at, changes := b.cables[end]
	for _, e := range []plan.LinkEnd{end, other} {
		if e.Switch == "" {
			continue
		}
		x, y := b.portOf(e)
		was, is = max(was, x), max(is, y)
	}
	if other.Switch != "" && !changes {
		at, changes = b.cables[other]
	}
	switch { // a port to which nothing is connected is taken as it will be, or was
	case changes && step < at && was > 0:
		return was
	case changes && step > at && is > 0:
		return is
	}
	return max(was, is)
}

// portOf returns the cable of a port before and after the change.
func (b *Builder) portOf(e plan.LinkEnd) (was, is units.Length) {
	t := b.tracks[e.Switch]
	if t == nil {
		return 0, 0
	}
	find := func(s *tracked) units.Length {
		if s.sw == nil {
			return 0
		}
		if p := b.portNamed(s.sw, e.Port); p != nil {
			return p.Cable
		}
		return 0
	}
	if t.states[0].Step == 0 {
		was = find(t.states[0])
	}
	return was, find(t.states[len(t.states)-1])
}

// portNamed returns a port of a switch, nil where it has none of the name.
func (b *Builder) portNamed(sw *plan.Switch, name string) *plan.Port {
	if b.ports[sw] == nil {
		b.ports[sw] = sw.PortsByName()
	}
	return b.ports[sw][name]
}

// assumed returns the declarations about the peer of a port, the worst of them between two steps: those of NICs change
// with them.
func (b *Builder) assumed(device string, port *plan.Port, first, last int) plan.Assumed {
	var both [2]*plan.Assumed
	for i, s := range []*tracked{b.tracks[device].states[0], b.tracks[device].states[len(b.tracks[device].states)-1]} {
		if s.sw != nil {
			if p := b.portNamed(s.sw, port.Name); p != nil {
				both[i] = p.Assumed
			}
		}
	}
	at := 0
	for i, step := range b.rollout.Steps {
		for _, n := range step.NICs {
			if n.Is != nil && n.Is.Name == port.Peer && step.Action == diff.Host {
				at = i + 1
			}
		}
	}
	switch {
	case both[0] == nil && both[1] == nil:
		return plan.Assumed{}
	case both[0] == nil || at > 0 && first > at:
		return *cmp.Or(both[1], both[0])
	case both[1] == nil || at > 0 && last < at:
		return *cmp.Or(both[0], both[1])
	}
	return worse(*both[0], *both[1])
}

// worse returns an assumption no better than either.
func worse(a, b plan.Assumed) plan.Assumed {
	if !b.Declared || a.Declared && b.Response.Value > a.Response.Value {
		a.Response, a.Declared = b.Response, b.Declared && a.Declared
	}
	if b.LosslessFrame.Value == 0 || a.LosslessFrame.Value != 0 && b.LosslessFrame.Value > a.LosslessFrame.Value {
		a.LosslessFrame = b.LosslessFrame
	}
	if b.SmallPackets.Value == 0 || a.SmallPackets.Value != 0 && b.SmallPackets.Value > a.SmallPackets.Value {
		a.SmallPackets = b.SmallPackets
	}
	return a
}
