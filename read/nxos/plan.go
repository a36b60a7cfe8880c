package nxos

import (
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// assemble puts together what the lines said.
func (r *reader) assemble() *plan.Switch {
	s := &plan.Switch{OS: "nxos"}
	if r.host != "" {
		s.Names = []string{r.host}
	}
	a := &assembler{reader: r}
	r.inherit()
	a.joinChannels()
	a.network = a.applied("network-qos", r.system.network)
	a.lossless()
	a.classify(s)
	stable.Sort(r.interfaces, func(x, y *port) int { return natural.Compare(x.name, y.name) })
	for _, p := range r.interfaces {
		s.Ports = append(s.Ports, a.port(p))
	}
	if a.watching {
		s.Watchdog = &plan.Watchdog{Poll: read.From(poll, "poll", r.watched.at), Restoration: r.restore, Action: plan.WatchdogDrop, Range: r.watched.at}
	}
	a.lossyClasses()
	a.settle()
	return s
}

// An assembler joins interfaces with the policies that they and the switch apply.
type assembler struct {
	*reader
	network  *policy
	pauses   [8]uint8 // PFC priorities of each qos-group, as bits
	chosen   *policy  // of type qos, that the plan's code points are of
	sends    [8]bool  // queues that some code point leads to
	watching bool
}

// applied finds a policy that a line applies, nil where none is. Names that begin with
// "default-" are built in, and pause nothing.
func (a *assembler) applied(kind string, u use) *policy {
	if u.name == "" || strings.HasPrefix(u.name, "default-") {
		return nil
	}
	p := a.policies[policyKey{kind, u.name}]
	if p == nil {
		a.Once(diag.Error, Undefined, u.at, fmt.Sprintf("there is no policy-map %q of type %s", u.name, kind),
			fmt.Sprintf("define it with: policy-map type %s %s; or apply another one", kind, u.name))
	}
	return p
}

// lossless finds the paused groups. A group that two priorities pause, or a priority that
// pauses two groups, is more than the plan holds of one group.
func (a *assembler) lossless() {
	if a.network == nil {
		return
	}
	var taken uint8
	for _, c := range a.network.classes {
		if !c.paused {
			continue
		}
		if c.pause&(c.pause-1) != 0 || c.pause&taken != 0 {
			a.Once(diag.Warning, NotModelled, c.pauseAt, "a class with several priorities, or a priority of several classes, is not accounted for", "give each class one priority")
			a.doubt(c.pauseAt, "a class with several priorities, or a priority of several classes, is not accounted for", c.queue)
		}
		taken |= c.pause
		a.pauses[c.queue] |= c.pause
	}
}

// doubt turns the statement at a place into one that is not modelled.
func (a *assembler) doubt(at diag.Range, why string, queue uint8) {
	for i := range a.ledger {
		if a.ledger[i].At == at {
			a.ledger[i].Sort, a.ledger[i].Why, a.ledger[i].Touches = read.Unmodelled, why, read.Scope{Queues: 1 << queue}
		}
	}
}

// qosOf returns the use of a policy of type qos that decides a port's classes.
func (a *assembler) qosOf(p *port) use { return firstUse(p.qos, a.system.qos) }

// firstUse returns the first use that names a policy.
func firstUse(own, system use) use {
	if own.name != "" {
		return own
	}
	return system
}

// classify fills the maps: those of the first port, in the order of the file, that has a
// policy and is not shut. Ports with another are named.
func (a *assembler) classify(s *plan.Switch) {
	var first use
	for _, p := range a.interfaces {
		if u := a.qosOf(p); u.name != "" && !p.shut {
			first = u
			break
		}
	}
	if first.name == "" {
		first = a.system.qos
	}
	a.chosen = a.applied("qos", first)
	for _, p := range a.interfaces {
		u := a.qosOf(p)
		if u.name == first.name || p.shut {
			continue
		}
		row := p.entry
		if u.name != "" {
			row = u.entry
			a.applied("qos", u)
		}
		a.mark(row, fmt.Sprintf("packets that arrive here are not classified by %s, but a plan has only one map for the switch", first.name), p.name)
	}
	m := &s.Maps
	for g := range uint8(8) {
		m.TCToQueue[g], m.PFCToQueue[g] = g, g
	}
	for g := range uint8(8) {
		for prio := range uint8(8) {
			if a.pauses[g]>>prio&1 != 0 {
				m.TCToPG[g], m.PFCToPG[prio], m.PFCToQueue[prio] = g, g, g
			}
		}
	}
	names := a.codePoints(s)
	for _, g := range m.DSCPToTC {
		a.sends[g] = true
	}
	for g := range uint8(8) {
		c := plan.Class{Name: names[g], TrafficClass: g, Queue: g, DSCPs: m.DSCPsOf(g)}
		if c.Name == "" && c.DSCPs == nil && a.pauses[g] == 0 {
			continue
		}
		if c.Name == "" {
			c.Name = fmt.Sprintf("qos-group-%d", g)
		}
		for prio := range uint8(8) {
			if a.pauses[g]>>prio&1 != 0 {
				c.Lossless, c.PFC, c.PG = true, prio, g
			}
		}
		s.Classes = append(s.Classes, c)
	}
}

// mark turns an entry of the ledger into one that is not modelled, for one port more.
func (a *assembler) mark(row int, why, port string) {
	s := &a.ledger[row]
	if s.Sort != read.Unmodelled || s.Why != why {
		s.Sort, s.Rule, s.Why, s.Touches = read.Unmodelled, "", why, read.Scope{}
	}
	a.owners[row] = nil
	s.Touches.Ports = append(s.Touches.Ports, port)
}

// codePoints fills the DSCP map and returns how people call the groups: by the first class
// that leads there. The first class that takes a packet decides.
func (a *assembler) codePoints(s *plan.Switch) (names [8]string) {
	if a.chosen == nil {
		return names
	}
	var rest uint8
	free := ^uint64(0)
	for _, c := range a.chosen.classes {
		if c.name == "class-default" {
			if c.group != nil {
				rest = *c.group
			}
			continue
		}
		class := a.classes[c.name]
		if class == nil {
			a.Once(diag.Error, Undefined, c.at, fmt.Sprintf("there is no class-map %q", c.name), "define it, or take its class out of the policy-map")
			continue
		}
		if c.group == nil {
			continue
		}
		if names[*c.group] == "" {
			names[*c.group] = c.name
		}
		take := class.dscps() & free
		free &^= take
		for d := range s.Maps.DSCPToTC {
			if take>>d&1 != 0 {
				s.Maps.DSCPToTC[d], s.Places.DSCPToTC[d] = *c.group, c.at
			}
		}
	}
	for d := range s.Maps.DSCPToTC {
		if free>>d&1 != 0 {
			s.Maps.DSCPToTC[d] = rest
		}
	}
	return names
}

// port makes a port of the plan.
func (a *assembler) port(p *port) plan.Port {
	out := plan.Port{Name: p.name, Range: p.at, Speed: p.speed, FEC: p.fec, MTU: p.mtu.Value, Routed: p.routed == nil || *p.routed}
	if p.mtu.Why != nil {
		out.MTURange = p.mtu.Why.Range
	}
	q := &plan.PortQoS{Range: p.modeAt}
	if p.mode == pfcOn {
		for _, bits := range a.pauses {
			q.PFC |= bits
		}
	} else if p.mode == pfcAuto && !p.shut {
		a.negotiated(p)
	}
	q.Watchdog = q.PFC != 0 && p.watched.on && a.watched.on
	a.watching = a.watching || q.Watchdog
	a.halfWatched(p)
	in := a.applied("queuing", firstUse(p.in, a.system.in))
	for g := range uint8(8) {
		if q.PFC&a.pauses[g] != 0 {
			q.PGs = append(q.PGs, group(g, in))
		}
	}
	q.Queues = a.queues(a.output(firstUse(p.out, a.system.out)))
	a.classMTU(out)
	out.QoS = q
	return out
}

// negotiated marks a port whose PFC depends on its peer.
func (a *assembler) negotiated(p *port) {
	if a.network == nil || a.pauses == [8]uint8{} {
		return
	}
	row, at := p.entry, p.at
	if !p.modeAt.Empty() {
		row, at = p.modeRow, p.modeAt
	}
	a.Once(diag.Warning, Negotiated, at, "PFC is negotiated on this port: it is off if the peer does not answer by DCBX", "write: priority-flow-control mode on")
	a.mark(row, "PFC is negotiated here, and the peer's answer is not in the file", p.name)
}

// halfWatched warns of a watchdog that is on for the switch or for the port alone.
func (a *assembler) halfWatched(p *port) {
	if p.watched.on && !a.watched.on {
		a.Once(diag.Warning, Unwatched, p.watched.at, "the watchdog is on for this port but not for the switch, so it watches nothing", "write at the left edge: priority-flow-control watch-dog-interval on")
	}
}

// classMTU marks paused classes whose frames may be smaller than a port's: what becomes of
// larger ones is not known.
func (a *assembler) classMTU(p plan.Port) {
	if a.network == nil {
		return
	}
	for _, c := range a.network.classes {
		switch {
		case !c.paused:
		case c.mtu == 0 && p.MTU > defaultMTU+frameOverhead:
			a.mark(c.row, "the class has no MTU, and it is not known whether frames larger than 1500 B are dropped", p.Name)
		case c.mtu > 0 && c.mtu+frameOverhead < p.MTU:
			a.mark(c.mtuRow, "the class has a smaller MTU than the port, and it is not known whether larger frames are dropped", p.Name)
		}
	}
}

// lossyClasses notes that classes which are not paused touch no lossless packet.
func (a *assembler) lossyClasses() {
	for _, p := range a.policies {
		for _, c := range p.classes {
			if p.kind != "network-qos" || c.paused {
				continue
			}
			a.pass(c.row, "lossy-class")
			if c.mtu > 0 {
				a.pass(c.mtuRow, "lossy-class")
			}
		}
	}
}

// pass turns a statement that was understood into one that a neutral rule covers.
func (a *assembler) pass(row int, rule string) {
	if s := &a.ledger[row]; s.Sort == read.Modelled {
		s.Sort, s.Rule = read.Neutral, rule
	}
}

// group makes a paused group; its buffer is absent where no policy sets it.
func group(id uint8, in *policy) plan.PG {
	g := plan.PG{ID: id, Lossless: true}
	if in == nil {
		return g
	}
	for _, c := range in.classes {
		if b := c.buffer; b != nil && c.queue == id {
			g.Limit = read.From(plan.Limit{Static: b.pause}, "limit", b.at)
			g.Headroom = read.From(max(b.size-b.pause, 0), "headroom", b.at)
			g.XOn = read.From(b.resume, "xon", b.at)
			g.Reserved = read.From(units.Bytes(0), "reserve", b.at)
			g.Range = b.at
		}
	}
	return g
}

// output returns the policy of the queues of a port. Where no line applies one, a switch that has eight queues
// and a lossless class has default-8q-out-policy: queue 7 is strict, and queue 0 has all that remains (output
// of `show policy-map interface` on a Nexus 9000, Cisco Nexus 9000 QoS guide, System-Defined Type queuing
// Policy Maps).
func (a *assembler) output(u use) *policy {
	if p := a.applied("queuing", u); p != nil || a.pauses == [8]uint8{} || u.name != "" && u.name != eightQueues ||
		len(a.network.classes) == 0 || !strings.HasPrefix(a.network.classes[0].name, "c-8q-") {
		return p
	}
	at := a.network.at
	if u.name != "" {
		at = u.at
	}
	p := &policy{replaced: " in " + eightQueues + ", which no line replaces"}
	for g := range uint8(8) {
		c := &policyClass{queue: g, at: at, strict: g == 7, weightGiven: g != 7}
		c.weight.Why = &plan.Why{Kind: plan.ReadBack, Name: "weight", Range: at}
		if g == 0 {
			c.weight.Value = 100
		}
		p.classes = append(p.classes, c)
	}
	return p
}

// eightQueues is the policy of type queuing that NX-OS has by itself.
const eightQueues = "default-8q-out-policy"

// queues lists the queues that a policy names and that send something.
func (a *assembler) queues(out *policy) (all []plan.Queue) {
	if out == nil {
		return nil
	}
	for _, c := range out.classes {
		q := plan.Queue{ID: c.queue, ECN: c.ecn, Range: c.at, Scheduler: plan.Scheduler{Strict: c.strict, MaxRate: c.rate, Range: c.at}}
		if !c.strict {
			q.Scheduler.Weight = c.weight
		}
		if a.pauses[c.queue] != 0 && c.weightGiven && c.weight.Value == 0 && !c.strict {
			a.Once(diag.Warning, NoShare, c.weight.Why.Range, fmt.Sprintf("queue %d sends a lossless class and has no share of the bandwidth%s", c.queue, out.replaced), "give it a share: bandwidth remaining percent N")
		} else if a.idle(c) {
			continue
		}
		all = append(all, q)
	}
	stable.Sort(all, func(x, y plan.Queue) int { return int(x.ID) - int(y.ID) })
	return all
}

// idle reports whether a policy gives a queue that no packet reaches nothing, as policies do
// with queues that are not used: NX-OS wants all eight named.
func (a *assembler) idle(c *policyClass) bool {
	return c.weightGiven && c.weight.Value == 0 && !c.strict && c.ecn == nil && !a.sends[c.queue]
}
