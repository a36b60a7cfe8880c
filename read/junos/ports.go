package junos

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	row "github.com/roceplan/roceplan/format/junos"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// A port is a physical interface.
type port struct {
	name   string
	at     diag.Range
	speed  units.BitRate
	mtu    units.Bytes // frame with FCS
	mtuAt  diag.Range
	split  int64   // into so many channels; 0: it is none itself
	splits *cursor // the statement that says so
	shut   bool
	units  map[string]bool // logical interfaces that the file has of it
}

// physical reads `interfaces`.
func (r *reader) physical(c *cursor) {
	name := c.next()
	if !carries(name.text) {
		r.otherInterface(c, name.text)
		return
	}
	p := r.port(name.text)
	if p.at.Filename == "" {
		p.at = c.s.at
	}
	only := read.Scope{Ports: []string{name.text}}
	switch w := c.next(); w.text {
	case row.Of(row.MTU).Name():
		if n, at, ok := c.leaf(row.MTU); ok {
			p.mtu, p.mtuAt = units.Bytes(row.Of(row.MTU).Means(n)), at
		}
		c.modelled()
	case "speed":
		r.speed(c, p)
	case row.Of(row.Channels).Name():
		if n, _, ok := c.leaf(row.Channels); ok {
			p.split, p.splits = n, c // see realPorts
		}
	case "unit":
		p.units = with(p.units, c.peek())
		r.unit(c, only)
	case "description", "disable", "hold-time", "traps", "no-traps":
		p.shut = p.shut || w.text == "disable"
		r.neutral(c.s)
	case "ether-options", "gigether-options":
		if c.is("auto-negotiation") || c.is("no-auto-negotiation") {
			r.neutral(c.s)
			return
		}
		c.touches(only, "an option of the port, such as flow control or a bundle, that is not modelled")
	default:
		c.touches(only, "a property of a port that is not known here")
	}
}

func (r *reader) speed(c *cursor, p *port) {
	w := c.next()
	digits, ok := strings.CutSuffix(strings.ToLower(w.text), "g")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 || n > 1600 { // as fast as Ethernet is
		c.touches(read.Scope{Ports: []string{p.name}}, "a speed that is not in whole Gb/s")
		return
	}
	p.speed = units.BitRate(n) * units.Gbps
	c.modelled()
}

// otherInterface reads an interface other than the ports of servers and switches.
func (r *reader) otherInterface(c *cursor, name string) {
	switch {
	case strings.HasPrefix(name, "ae"):
		c.touches(read.Scope{}, "a bundle of ports, which is not modelled")
	case virtual(name):
		r.unit(c, read.Scope{})
	default:
		r.neutral(c.s)
	}
}

// unit reads a logical interface: filters classify and police.
func (r *reader) unit(c *cursor, only read.Scope) {
	for i, w := range c.s.words {
		if w.text == "filter" && i+2 < len(c.s.words) {
			r.filters[c.s.words[i+2].text] = true
		}
	}
	switch why := harmOfUnit(c.s); {
	case why != "":
		c.touches(only, why)
	case dropsLarger(c.s):
		c.touches(only, read.SmallMTU)
	default:
		r.neutral(c.s)
	}
}

// A binding is what class-of-service assigns to interfaces; the name may have wildcards.
type binding struct {
	pattern    string
	at         diag.Range
	congestion word
	schedulers word
	groups     []word // traffic control profiles
	classifier word
	rewrite    word
	// Units that the last two are of; empty: the whole port.
	classifierUnit, rewriteUnit string
	classified                  map[string]bool // units with a classifier
	classifies                  []*cursor       // the statements that say so
}

// interfaceName is how an interface may be called: a kind with a place, one of the switch itself, or all of some kind.
var interfaceName = regexp.MustCompile(`^(?:all|[a-z]{2,4}-[0-9].*|(?:irb|lo|em|me|fxp|vme|re|mgmt)[0-9_:.-]*[a-z0-9]*|.*[*?\[].*)$`)

func (r *reader) binding(c *cursor) {
	name := c.next()
	if strings.HasPrefix(name.text, "ae") {
		c.touches(read.Scope{}, "class of service of a bundle of ports, which is not modelled")
		return
	}
	if !interfaceName.MatchString(name.text) {
		c.touches(read.Scope{}, "the ports of "+clip(name.text)+" are not known: class of service is of interfaces, whose names may have wildcards")
		return
	}
	if name.text == "all" { // as designs of Juniper's Apstra bind their classifier
		name.text = "*"
	}
	for i, w := range c.s.words[:len(c.s.words)-1] {
		if strings.HasPrefix(w.text, "output-traffic-control-profile") {
			r.groupBound[c.s.words[i+1].text] = true
		}
	}
	b := r.bindingOf(name.text, c.s.at)
	unit := ""
	if c.is("unit") {
		unit = c.next().text
	}
	switch {
	case c.over(): // it has no statement
	case c.is("congestion-notification-profile"):
		b.congestion = c.next()
	case c.is("scheduler-map"):
		b.schedulers = c.next()
	case c.is("forwarding-class-set"):
		if c.next(); !c.is("output-traffic-control-profile") {
			return
		}
		b.groups = append(b.groups, c.next())
	case c.is("classifiers", "ieee-802.1"):
		w := c.next()
		if b.classified = with(b.classified, unit); b.classifier.text == "" {
			if w.text = byTag + w.text; w.text == byTag+"default" {
				r.defaultTags(w.text, w.at)
			}
			b.classifier, b.classifierUnit = w, unit
		}
	case c.is("classifiers", "dscp"):
		if strings.HasPrefix(b.classifier.text, byTag) {
			b.classifier = word{}
		}
		r.classic = r.classic || unit == "" // Junos Evolved classifies on logical interfaces
		b.classified, b.classifies = with(b.classified, unit), append(b.classifies, c)
		c.ofUnit(&b.classifier, &b.classifierUnit, unit)
		return
	case c.is("rewrite-rules", "dscp"):
		if c.ofUnit(&b.rewrite, &b.rewriteUnit, unit); b.rewrite.text == "default" && r.rewrites["default"] == nil {
			r.rewriteOf("default").byDefault(b.rewrite.at)
		}
		return
	case c.is("rewrite-rules", "ieee-802.1"):
		c.touches(read.Scope{}, "it rewrites the priority of VLAN tags, which the next switch may classify by")
		return
	default:
		c.touches(read.Scope{}, "a part of class-of-service of an interface that is not known here")
		return
	}
	c.modelled()
}

// ofUnit reads a setting that logical interfaces of a port have one by one, and a plan holds once.
func (c *cursor) ofUnit(to *word, of *string, unit string) {
	w := c.next()
	if to.text != "" && to.text != w.text && *of != unit {
		c.touches(read.Scope{}, "another unit of the port has other settings, but a plan has no units")
		return
	}
	*to, *of = w, unit
	c.modelled()
}

func (r *reader) bindingOf(pattern string, at diag.Range) *binding {
	for _, b := range r.bindings {
		if b.pattern == pattern {
			return b
		}
	}
	b := &binding{pattern: pattern, at: at}
	r.bindings = append(r.bindings, b)
	if !strings.ContainsAny(pattern, "*?[") && carries(pattern) {
		r.port(pattern)
	}
	return b
}

// bound returns the settings of a port by all bindings that match it: an exact name takes precedence
// over wildcards, attribute by attribute.
func (r *reader) bound(name string) (all binding) {
	for _, exact := range []bool{true, false} {
		for _, b := range r.bindings {
			if (b.pattern == name) != exact || !matches(b.pattern, name) {
				continue
			}
			fill(&all.congestion, b.congestion)
			fill(&all.schedulers, b.schedulers)
			fill(&all.schedulers, r.ofGroups(b.groups))
			fill(&all.classifier, b.classifier)
			fill(&all.rewrite, b.rewrite)
		}
	}
	return all
}

// matches reports whether a name with wildcards covers a port. A * goes over slashes.
func matches(pattern, name string) bool {
	flat := func(s string) string { return strings.ReplaceAll(s, "/", "|") }
	match, err := path.Match(flat(pattern), flat(name))
	return pattern == name || err == nil && match
}

func fill(to *word, from word) {
	if to.text == "" {
		*to = from
	}
}

// planPort puts a port into the plan.
func (r *reader) planPort(p *port, qos *plan.PortQoS, profile *congestion) plan.Port {
	out := plan.Port{Name: p.name, Speed: p.speed, MTU: p.mtu, MTURange: p.mtuAt, QoS: qos, Range: p.at}
	if profile != nil {
		out.Cable, out.CableRange = profile.cable, profile.cableAt
	}
	return out
}
