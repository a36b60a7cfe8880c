package observe

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// A site is a port of the fabric: its settings, and their reasons.
type site struct {
	end   plan.LinkEnd
	sw    *plan.Switch
	port  *plan.Port
	shape *policy.Switch
	group *policy.PortGroup
	far   *site // the port at the other end; nil: a server, or unknown
}

// at returns the line of findings on the port.
func (s *site) at() diag.Range { return s.group.Range }

func (s *site) String() string { return s.end.Switch + ":" + s.end.Port }

// toNIC reports whether the other end is a server.
func (s *site) toNIC() bool { return s.far == nil && len(s.group.PeerSwitches) == 0 }

// pfcOf returns the PFC priority that pauses a group, and the queue that its pauses stop.
func (s *site) pfcOf(pg uint8) (priority, queue uint8, ok bool) {
	for _, c := range s.sw.Classes {
		if c.Lossless && c.PG == pg {
			queue = s.port.QoS.QueueOf(&c)
			return c.PFC, queue, true
		}
	}
	return 0, 0, false
}

// A pod is all sites of a fabric.
type pod struct {
	fabric   *policy.Fabric
	sites    []*site // by switch and port, in the order of the plan
	byEnd    map[plan.LinkEnd]*site
	bySwitch map[string][]*site
	names    map[string]string // a device by how it may be spelt
}

// ofPriorities makes counts of all priorities of a port those of its one PFC priority, where it has one. With
// several the count of each is unknown, and the row stays as it is.
func (d *pod) ofPriorities(rows []Row) []Row {
	for i := range rows {
		row := &rows[i]
		of, together := map[Counter]func(uint8) Counter{PausesReceived: PFCReceived, PausesSent: PFCSent}[row.Counter]
		s := d.byEnd[plan.LinkEnd{Switch: row.Device, Port: row.Object.Name}]
		if together && s != nil && s.port.QoS != nil && bits.OnesCount8(s.port.QoS.PFC) == 1 {
			row.Counter = of(uint8(bits.TrailingZeros8(s.port.QoS.PFC)))
		}
	}
	return rows
}

func newPod(f *policy.Fabric, p *plan.Plan) *pod {
	d := &pod{fabric: f, byEnd: map[plan.LinkEnd]*site{}, bySwitch: map[string][]*site{}, names: map[string]string{}}
	shapes := map[string]*policy.Switch{}
	for _, shape := range f.Switches {
		for _, name := range shape.Names {
			shapes[name] = shape
		}
	}
	for _, sw := range p.Switches {
		for _, name := range sw.Names {
			d.names[spelling(name)] = name
			if shape := shapes[name]; shape != nil {
				d.add(sw, name, shape)
			}
		}
	}
	for _, l := range p.Links {
		if a, b := d.byEnd[l.A], d.byEnd[l.B]; a != nil && b != nil {
			a.far, b.far = b, a
		}
	}
	return d
}

func (d *pod) add(sw *plan.Switch, name string, shape *policy.Switch) {
	for j := range sw.Ports {
		port := &sw.Ports[j]
		g := slices.IndexFunc(shape.Groups, func(g *policy.PortGroup) bool { return g.Name == port.Group })
		if g < 0 || port.QoS == nil {
			continue
		}
		s := &site{end: plan.LinkEnd{Switch: name, Port: port.Name}, sw: sw, port: port, shape: shape, group: shape.Groups[g]}
		d.sites = append(d.sites, s)
		d.byEnd[s.end] = s
		d.bySwitch[name] = append(d.bySwitch[name], s)
	}
}

// spelling is how names of devices are compared: without case and domain.
func spelling(device string) string {
	host, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(device)), ".")
	return host
}

// known gives rows the names that the fabric has for devices and ports, where it has one:
// ports may be called by their alias.
func (d *pod) known(rows []Row) []Row {
	aliases := map[plan.LinkEnd]string{}
	for _, s := range d.sites {
		if s.port.Alias != "" {
			aliases[plan.LinkEnd{Switch: s.end.Switch, Port: s.port.Alias}] = s.end.Port
		}
	}
	known := slices.Clone(rows)
	for i := range known {
		row := &known[i]
		if name, ok := d.names[spelling(row.Device)]; ok {
			row.Device = name
		}
		end := plan.LinkEnd{Switch: row.Device, Port: row.Object.Name}
		if port, ok := aliases[end]; ok && d.byEnd[end] == nil && row.Object.Kind <= Queue {
			row.Object.Name = port
		}
	}
	return known
}

// lossless returns the lossless groups of a port.
func (s *site) lossless() (pgs []plan.PG) {
	for _, pg := range s.port.QoS.PGs {
		if pg.Lossless {
			pgs = append(pgs, pg)
		}
	}
	return pgs
}

// need returns the most that may come in after a pause, by the worst case of package calc/headroom
// with what the fabric declares, except for a cable and a response of the caller's. A response of 0
// is that of the fabric or of IEEE 802.3.
func (d *pod) need(s *site, cable units.Length, response units.Time) (units.Bytes, bool) {
	method, err := worst(s.shape.Chip)
	if err != nil {
		return 0, false
	}
	in := calc.HeadroomInput(d.fabric, s.group, cable, method)
	if response > 0 {
		in.PeerResponse = response
	}
	r, err := method.Compute(in)
	return r.XOff, err == nil
}

// worst binds the worst case to a chip.
func worst(chip *chips.Chip) (headroom.Method, error) { return headroom.For(chip, "worst-case") }
