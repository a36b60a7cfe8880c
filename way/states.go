package way

import (
	"crypto/sha256"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/verify"
)

// judged is the result of a state.
type judged struct {
	name   string // of the certificate, once a state has it; empty: nothing is lossless
	faults map[string]bool
	needs  map[string]int64
	read   *plan.Switch
	found  *verify.Switch // nil once it has a name
	file   string
	text   []byte
}

// switches proves the states of a class, and looks at their ports.
func (b *Builder) switches(c *class) error {
	for i, s := range c.states {
		views := map[string]int{}
		c.views = append(c.views, views)
		c.proofs = append(c.proofs, nil)
		if s.sw == nil || s.Phase != "" && b.drained[s.Step][c.devices[0]] != "" {
			continue
		}
		j, err := b.judge(c, s, c.facts[i], 0)
		if err != nil {
			return err
		}
		c.proofs[i] = j
		sw := s.sw
		if s.config != nil {
			sw = j.read
		}
		v := newViewer(sw)
		for p := range sw.Ports {
			port := &sw.Ports[p]
			view := v.view(port)
			if s.config != nil {
				b.fill(s, port.Name, &view)
			}
			views[port.Name] = b.intern(view)
		}
	}
	return b.tolerate(c)
}

// fill gives the view of a configuration what it leaves out.
func (b *Builder) fill(s *tracked, name string, v *View) {
	for _, sw := range []*plan.Switch{s.from, s.sw} {
		if sw == nil {
			continue
		}
		if p := b.portNamed(sw, name); p != nil {
			if v.Speed == 0 {
				v.Speed = p.Speed
			}
			if v.Frame == 0 {
				v.Frame = p.MTU
			}
			if v.FEC == "" {
				v.FEC = p.FEC
			}
		}
	}
}

func (b *Builder) intern(v View) int {
	i, ok := b.index[v]
	if !ok {
		i = len(b.raw)
		b.index[v] = i
		b.raw = append(b.raw, v)
	}
	return i
}

// judge proves a state with what it can meet, while no packets of some code points are under way. States of one text and the same facts are one.
func (b *Builder) judge(c *class, s *tracked, facts map[string]fact, silent uint64) (*judged, error) {
	system, file, text, generic := rendered(s, c.devices[0])
	planned := b.met(s, facts)
	digest := sha256.New()
	fmt.Fprintf(digest, "%s %s %s %s %s %v %d", s.sw.Chip, s.sw.Platform, s.sw.HwSKU, system, generic, s.sw.PausedPGs, silent)
	for i := range planned.Ports {
		p := &planned.Ports[i]
		a := p.Assumed
		fmt.Fprintf(digest, "%s %v %v %v %v %v %v %v %v %v\n", p.Name, p.Cable, p.Gearbox, p.Speed, p.MTU, p.Group, a.Declared, a.Response.Value, a.LosslessFrame.Value, a.SmallPackets.Value)
	}
	if f, ok := verify.FormatOf(system); ok && f.Silent != "" { // the plan has the settings that the text does not hold
		fmt.Fprintf(digest, "%p", s.sw)
	}
	key := [sha256.Size]byte(digest.Sum(nil))
	if j := b.judged[key]; j != nil {
		return j, nil
	}
	j := &judged{file: file, text: text}
	b.judged[key] = j
	if text == nil {
		j.faults = map[string]bool{unwritten: true}
		return j, nil
	}
	sw, err := b.verifier.State(planned, system, c.devices[0], text, func(sw *plan.Switch) {
		sw.Ports = stable.Delete(sw.Ports, func(p plan.Port) bool {
			other := !slices.ContainsFunc(planned.Ports, func(o plan.Port) bool { return o.Name == p.Name })
			if other && p.QoS != nil && p.QoS.PFC != 0 {
				b.others[p.Name] = append(b.others[p.Name], c.devices...)
			}
			return other
		})
		unused(sw, silent)
	})
	if err != nil {
		return nil, err
	}
	j.faults, j.needs, j.read, j.found = sw.Faults(), sw.Needs(), sw.Plan, sw
	return j, nil
}

const (
	sonicFile = "config_db.json"
	unwritten = "its configuration cannot be written"
)

// rendered returns the first file of a switch that holds all of it, for its system: with the name of a device, and
// with one for all. text is nil where none can be written.
func rendered(s *tracked, device string) (system, file string, text, generic []byte) {
	if s.config != nil {
		return "sonic", sonicFile, *s.config, *s.config
	}
	sw := s.sw
	for _, name := range sw.Targets {
		files, found := target.Render(sw, target.Forms(name, []string{"overlay"}))
		if found.HasErrors() {
			continue
		}
		for _, f := range files {
			if t, whole := target.Whole(f); t != name && (whole || name != "sonic") {
				continue
			}
			if file = path.Base(f.Path); name == "sonic" {
				file = sonicFile
			}
			return name, file, f.Body.AppendFor(nil, device), f.Body.AppendFor(nil, "DEVICE")
		}
	}
	return "", "", nil, nil
}

// keep gives what was judged a name and a certificate, those of the first state that needs it.
func (b *Builder) keep(j *judged, c *class, s *tracked) {
	switch {
	case j.name != "":
	case j.faults[unwritten]:
		j.name = b.lack(c, s, unwritten)
	case j.found == nil || len(j.found.Groups) == 0 && len(j.faults) == 0: // nothing is lossless
	default:
		j.name = b.name(c, s)
		name := path.Join(j.name, j.file)
		if cert := j.found.Certificate(j.name, name, j.text); cert != nil {
			b.proofs.Devices, b.proofs.Shapes = append(b.proofs.Devices, j.name), append(b.proofs.Shapes, cert)
			b.files = append(b.files, File{name, j.text})
		} else {
			b.lack(c, s, j.found.Unproved())
		}
	}
	j.found = nil
}

// lack notes a state without a certificate.
func (b *Builder) lack(c *class, s *tracked, because string) string {
	name := b.name(c, s)
	b.proofs.Devices = append(b.proofs.Devices, name)
	b.proofs.Lacks = append(b.proofs.Lacks, verify.Lack{Device: name, Because: because})
	return name
}

// name returns the name of a state.
func (b *Builder) name(c *class, s *tracked) string {
	when := "00-before"
	if s.Step > 0 {
		when = b.names[s.Step-1]
	}
	number, _, _ := strings.Cut(s.Phase, " ")
	if number != "" {
		when += "." + number
	}
	return c.devices[0] + "-" + when
}

// met returns a switch whose ports have what they can meet. Between patches it has the ports of both sides.
func (b *Builder) met(s *tracked, facts map[string]fact) *plan.Switch {
	own := *s.sw
	own.Ports = slices.Clone(s.sw.Ports)
	if s.config != nil && s.from != nil {
		for _, p := range s.from.Ports {
			if b.portNamed(s.sw, p.Name) == nil {
				own.Ports = append(own.Ports, p)
			}
		}
	}
	for i := range own.Ports {
		p := &own.Ports[i]
		f := facts[p.Name]
		p.Cable, p.Assumed = f.cable, &f.assumed
	}
	return &own
}

// unused takes away the priority groups that no packet enters: they are there before the class is, or its packets are stopped.
func unused(sw *plan.Switch, silent uint64) {
	v := newViewer(sw)
	var used [8]bool
	for _, q := range v.kinds {
		for d := range uint8(64) {
			tc, _ := v.classed(q, d)
			used[sw.Maps.TCToPG[tc&7]&7] = used[sw.Maps.TCToPG[tc&7]&7] || silent>>d&1 == 0
		}
	}
	if t := sw.Tunnel; t != nil {
		for _, pg := range t.TCToPG {
			used[pg&7] = true
		}
	}
	for _, q := range v.kinds {
		q.PGs = stable.Delete(slices.Clone(q.PGs), func(g plan.PG) bool { return !used[g.ID&7] })
	}
}
