package diff

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

type qosPair struct{ old, new *plan.PortQoS }

// A portChange has the differences of a port besides its QoS. It is a value that can be compared,
// so that ports of equal changes are found.
type portChange struct {
	qos      qosPair
	old, new portFacts
}

// samePorts are the ports of a change, and the place of the first of them.
type samePorts struct {
	names []string
	at    diag.Range
}

type portFacts struct {
	there                        bool
	speed                        units.BitRate
	cable                        units.Length
	medium, peer, lanes, aliased string
	fec                          string
	routed                       bool
	mtu                          units.Bytes
	ofSwitch                     bool // mtu is that of the whole switch
}

// eachPort compares ports by name and hands over what ports have in common, with them.
func (c *collector) eachPort(a, b *plan.Switch, add func([]finding, *portSet)) {
	groups := map[portChange]*samePorts{}
	var order []portChange
	old := a.PortsByName()
	var last *samePorts // neighbours mostly change alike
	var lastKey portChange
	note := func(name string, at diag.Range, p portChange) {
		p.normalise()
		if last == nil || p != lastKey {
			last, lastKey = groups[p], p
		}
		if last == nil {
			last = &samePorts{at: at}
			groups[p] = last
			order = append(order, p)
		}
		last.names = append(last.names, name)
	}
	for i := range b.Ports {
		is := &b.Ports[i]
		was := old[is.Name]
		delete(old, is.Name)
		p := portChange{qosPair{nil, is.QoS}, portFacts{}, facts(is, b)}
		if was != nil {
			p.qos.old, p.old = was.QoS, facts(was, a)
		}
		if was == nil || p.old != p.new || p.qos.old != p.qos.new {
			note(is.Name, is.Range, p)
		}
	}
	for i := range a.Ports {
		if was := &a.Ports[i]; old[was.Name] != nil {
			note(was.Name, was.Range, portChange{qosPair{was.QoS, nil}, facts(was, a), portFacts{}})
		}
	}
	for _, p := range order {
		c.found = nil
		c.port(p, groups[p].at, a, b)
		if len(c.found) > 0 {
			add(c.found, portsOf(groups[p].names))
		}
	}
}

// normalise leaves out what is not different, so that ports which differ in their lanes
// but not by them are one change.
func (p *portChange) normalise() {
	a, b := &p.old, &p.new
	if !a.there || !b.there || a.ofSwitch && b.ofSwitch { // the switch says it, or what is there
		a.mtu, b.mtu = 0, 0
	}
	a.ofSwitch, b.ofSwitch = false, false
	if gone := a.there != b.there; gone || a.lanes == b.lanes {
		a.lanes, b.lanes = "", ""
	}
	if gone := a.there != b.there; gone || a.aliased == b.aliased {
		a.aliased, b.aliased = "", ""
	}
}

// facts returns the settings of a port besides its QoS.
func facts(p *plan.Port, sw *plan.Switch) portFacts {
	return portFacts{
		there: true, speed: p.Speed, cable: p.Cable, medium: p.Medium, peer: p.Peer, aliased: p.Alias, fec: p.FEC, routed: p.Routed, mtu: p.MTU, ofSwitch: p.MTU == sw.MTU.Value,
		lanes: strings.Trim(fmt.Sprint(p.Lanes), "[]"),
	}
}

// cablesInFiles reports whether the files of an operating system hold the lengths of cables: SONiC has a setting,
// and Junos and Cumulus Linux compute headroom from it.
func cablesInFiles(os string) bool { return os == "sonic" || os == "junos" || os == "cumulus" }

func (c *collector) port(p portChange, at diag.Range, a, b *plan.Switch) {
	is, was := p.new, p.old
	what := is
	if !is.there {
		what = was
	}
	if !c.presence("", "port", was.there, is.there, fmt.Sprintf("%v, %v", what.speed, what.cable), at) {
		return
	}
	stated(c, "", "speed", was.speed, is.speed, at)
	if !c.telling {
		stated(c, "", "cable", was.cable, is.cable, at)
	} else if cablesInFiles(b.OS) {
		stated(c, "", "cable setting", was.cable, is.cable, at)
	}
	stated(c, "", "medium", was.medium, is.medium, at)
	stated(c, "", "peer", was.peer, is.peer, at)
	stated(c, "", "alias", was.aliased, is.aliased, at)
	stated(c, "", "lanes", was.lanes, is.lanes, at)
	stated(c, "", "fec", was.fec, is.fec, at)
	stated(c, "", "routed", was.routed, is.routed, at)
	stated(c, "", "mtu", was.mtu, is.mtu, at)
	c.portQoS(p.qos, a, b)
}

// portQoS compares the QoS of ports; kinds of port share it, so it is kept.
func (c *collector) portQoS(p qosPair, a, b *plan.Switch) {
	if p.old == p.new || !c.presence("", "qos", p.old != nil, p.new != nil, describeQoS(p), diag.Range{}) {
		return
	}
	found, ok := c.qos[p]
	if !ok {
		own := *c
		own.found = nil
		own.qosPair(p.old, p.new, a, b)
		found = own.found
		c.qos[p] = found
	}
	c.found = append(c.found, found...)
}

// describeQoS describes in short the settings of a port that has QoS on one side.
func describeQoS(p qosPair) string {
	qos := cmp.Or(p.new, p.old)
	if qos.PFC == 0 {
		return "no PFC"
	}
	return "PFC " + plan.Priorities(qos.PFC).String()
}

// rewriting lists the code points with which packets leave. A port without rewriting of its own
// follows the marking rules of its switch, if there are any.
func rewriting(r *plan.Rewrite, sw *plan.Switch) string {
	switch {
	case r == nil && sw.Marking != nil:
		return "by the marking rules"
	case r == nil:
		return "none"
	}
	return r.String()
}

// classifier lists what a port classifies in another way than its switch.
func classifier(qos *plan.PortQoS, sw *plan.Switch) string {
	return cmp.Or(ownEntries("DSCP %d → traffic class %d", sw.ClassifiedBy(qos)[:], sw.Maps.DSCPToTC[:]), "that of the switch")
}

// ownQueues lists the traffic classes that leave a port from another queue than the switch's map says.
func ownQueues(qos *plan.PortQoS, sw *plan.Switch) string {
	return cmp.Or(ownEntries("traffic class %d → queue %d", sw.QueuesOf(qos)[:], sw.Maps.TCToQueue[:]), "by the map of the switch")
}

// ownEntries lists the entries in which the map of a port is not that of its switch.
func ownEntries(format string, own, ofSwitch []uint8) string {
	var all []string
	for from, to := range own {
		if to != ofSwitch[from] {
			all = append(all, fmt.Sprintf(format, from, to))
		}
	}
	return strings.Join(all, ", ")
}

func (c *collector) qosPair(a, b *plan.PortQoS, from, to *plan.Switch) {
	stated(c, "", "trust", a.Trust, b.Trust, b.Range)
	stated(c, "", "classification", classifier(a, from), classifier(b, to), b.Range)
	stated(c, "", "queues", ownQueues(a, from), ownQueues(b, to), b.Range)
	c.attributes("", plan.OwnPortAttributes(), a, b, b.Range)
	stated(c, "", "rewriting", rewriting(a.Rewrite, from), rewriting(b.Rewrite, to), b.FirstRange())
	for id := range uint8(8) {
		c.pg(id, a.PG(id), b.PG(id), from, to)
	}
	for id := range uint8(16) {
		c.queue(id, a.Queue(id), b.Queue(id), from, to)
	}
	for _, name := range bothNames(a.Pools, b.Pools, func(p plan.PortPool) string { return p.Pool }) {
		named := func(p plan.PortPool) bool { return p.Pool == name }
		old, new := find(a.Pools, named), find(b.Pools, named)
		of := "port in " + name
		if c.presence("", "port pool", old != nil, new != nil, name, diag.Range{}) {
			c.attributes(of, plan.PortPoolAttributes(), old, new, diag.Range{})
		}
	}
}

func (c *collector) pg(id uint8, a, b *plan.PG, from, to *plan.Switch) {
	if a == nil && b == nil {
		return
	}
	of := fmt.Sprintf("PG %d", id)
	if names := classesOf(from, to, func(class *plan.Class) bool { return class.PG == id }); names != "" {
		of += " (" + names + ")"
	}
	if !c.presence("", of, a != nil, b != nil, describePG(a, b), diag.Range{}) {
		return
	}
	c.attributes(of, plan.PGAttributes(), a, b, diag.Range{})
}

func describePG(a, b *plan.PG) string {
	g := b
	if g == nil {
		g = a
	}
	if g.Lossless {
		return "lossless, headroom " + g.Headroom.Value.String()
	}
	return "lossy"
}

func (c *collector) queue(id uint8, a, b *plan.Queue, from, to *plan.Switch) {
	if a == nil && b == nil {
		return
	}
	of := fmt.Sprintf("queue %d", id)
	if names := classesOf(from, to, func(class *plan.Class) bool { return class.Queue == id }); names != "" {
		of += " (" + names + ")"
	}
	if !c.presence("", of, a != nil, b != nil, "queue", diag.Range{}) {
		return
	}
	c.attributes(of, plan.QueueAttributes(), a, b, diag.Range{})
	c.ecnPresence(of, a.ECN, b.ECN)
}

func (c *collector) ecnPresence(of string, a, b *plan.ECN) {
	curve := b
	if curve == nil {
		curve = a
	}
	if curve != nil {
		c.presence(of, "ecn", a != nil, b != nil, fmt.Sprintf("%v to %v, %v", curve.KMin.Value, curve.KMax.Value, curve.PMax.Value), diag.Range{})
	}
}

// classesOf names the classes of a group or queue, as the new plan has them if it does.
func classesOf(from, to *plan.Switch, fits func(*plan.Class) bool) string {
	for _, sw := range []*plan.Switch{to, from} {
		var names []string
		for i := range sw.Classes {
			if class := &sw.Classes[i]; class.Name != "" && fits(class) {
				names = append(names, class.Name)
			}
		}
		if len(names) > 0 {
			return strings.Join(names, "+")
		}
	}
	return ""
}
