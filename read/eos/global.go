package eos

import (
	"regexp"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/format"
	row "github.com/roceplan/roceplan/format/eos"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/cli"
)

// ruleEventHandler is the mode of a handler of events, and the rule of its lines.
const ruleEventHandler = "event-handler"

func (r *reader) globalMode() *mode { return &mode{name: "global", read: r.global} }

// understood returns the verdict on a line whose value was read or, with a finding, was not.
func understood(ok bool) verdict {
	if !ok {
		return unmodelled("its value is not understood")
	}
	return modelled()
}

// global reads the lines that are at the left edge.
func (r *reader) global(l cli.Line) verdict {
	w := l.Words
	switch w[0] {
	case "hostname":
		r.host = ""
		if len(w) == 2 && l.Undo == cli.Plain {
			r.host = cli.Clip(w[1])
		}
		return modelled()
	case "interface":
		return r.interfaceLine(l)
	case "platform":
		return r.platform(l)
	case "qos":
		return r.qos(l)
	case "priority-flow-control":
		return r.globalPFC(l)
	case "agent", "mac", "schedule":
		return stops(l)
	case "event-handler":
		return verdict{took: true, sort: read.Neutral, rule: ruleEventHandler, child: &mode{name: ruleEventHandler, read: func(l cli.Line) verdict {
			if cli.Begins(l.Words, "action", "bash") && l.Undo == cli.Plain {
				return unmodelled("a command that runs by itself and may change the configuration")
			}
			return verdict{}
		}}}
	case "class-map":
		if rest, ok := l.After("class-map", "type", "qos"); ok && len(rest) > 0 {
			return r.classMap(l, rest[len(rest)-1])
		}
	case "policy-map":
		return r.policyMapLine(l)
	case "ip", "ipv6":
		return r.ip(l)
	case "switchport":
		if rest, ok := l.After("switchport", "default", "mode"); ok && len(rest) > 0 {
			r.routed = l.Undo == cli.Plain && rest[0] == "routed"
			return modelled()
		}
	}
	return verdict{}
}

// stops names lines of the switch that are neutral in most forms and harm in one.
func stops(l cli.Line) verdict {
	w := l.Words
	switch {
	case l.Undo != cli.Plain:
	case w[0] == "agent" && w[len(w)-1] == "shutdown":
		return unmodelled("the agent does not run, so its settings do not reach the chip")
	case cli.Begins(w, "mac", "address-table", "static") && w[len(w)-1] == "drop":
		return unmodelled("packets to or from a station are dropped")
	case w[0] == "schedule" && !slices.Contains(w[:len(w)-1], "command"):
	case w[0] == "schedule" && w[slices.Index(w, "command")+1] != "show":
		return unmodelled("a command that runs by itself and may change the configuration")
	}
	return verdict{}
}

// place is where a port sits on the box: "1", "1/1", "3/1/1".
var place = regexp.MustCompile(`^[0-9]{1,4}(/[0-9]{1,4}){0,2}$`)

// kindOfInterface splits the name of an interface; EOS takes "et1", "ethernet1" and
// "Ethernet 1" alike.
func kindOfInterface(words []string) (kind, rest string) {
	name := strings.Join(words, "")
	i := strings.IndexAny(name, "0123456789")
	if i == -1 {
		return name, ""
	}
	kind, rest = name[:i], name[i:]
	for _, full := range []string{"Ethernet", "Port-Channel", "Loopback", "Management", "Vlan"} {
		if len(kind) >= 2 && len(kind) <= len(full) && strings.EqualFold(kind, full[:len(kind)]) {
			return full, rest
		}
	}
	return kind, rest
}

// interfaceLine opens an interface, or gives it back its defaults.
func (r *reader) interfaceLine(l cli.Line) verdict {
	if len(l.Words) < 2 {
		return r.unknown(l)
	}
	if l.Words[1] == "defaults" && len(l.Words) == 2 && l.Undo == cli.Plain {
		return r.interfaceDefaults()
	}
	if l.Words[1] == "profile" && len(l.Words) == 3 {
		return r.templateLine(l)
	}
	kind, rest := kindOfInterface(l.Words[1:])
	parent, _, sub := strings.Cut(rest, ".")
	switch {
	case kind == "Ethernet" && place.MatchString(rest):
		return r.portOpened(kind+rest, l)
	case kind == "Ethernet" && strings.ContainsAny(rest, ",-"):
		return r.rangeLine(rest, l)
	case kind == "Port-Channel" && place.MatchString(rest):
		o := owner{kind: aChannel, name: rest}
		v := opened(r, r.channels, l, o, port{name: kind + rest, at: l.At}, func(c *port) *mode { return r.portMode(c, o) })
		if v.child != nil {
			v.sort, v.rule = read.Neutral, "port-channel"
		}
		return v
	case sub && kind == "Ethernet" && place.MatchString(parent):
		return r.otherInterface(owner{kind: onePort, name: kind + parent})
	case sub && kind == "Port-Channel" && place.MatchString(parent):
		return r.otherInterface(owner{kind: aChannel, name: parent})
	case kind == "Loopback" || kind == "Management":
		return neutral("interface-of-control")
	case kind == "Vlan" || kind == "Vxlan" || kind == "Tunnel" || kind == "Dps":
		return r.otherInterface(owner{})
	}
	return verdict{}
}

// interfaceDefaults reads what ports have that do not say it: of that, the MTU is theirs.
func (r *reader) interfaceDefaults() verdict {
	return opens(&mode{name: "interface defaults", read: func(l cli.Line) verdict {
		switch {
		case l.Words[0] == "mtu":
			all := port{}
			v := r.portLine(&all, owner{}, l)
			r.defaultMTU = all.mtu
			return v
		case len(l.Words) == 1 && l.Words[0] == "ethernet":
			return opens(&mode{name: "interface defaults ethernet", read: func(l cli.Line) verdict {
				if len(l.Words) == 1 && l.Words[0] == "shutdown" {
					return neutral("port-remarks")
				}
				return verdict{}
			}})
		}
		return verdict{}
	}})
}

// portOpened opens a port, or gives it back its defaults.
func (r *reader) portOpened(name string, l cli.Line) verdict {
	o := owner{kind: onePort, name: name}
	switch l.Undo {
	case cli.No:
		return unmodelled("the effect of a removed port in EOS is not known").of(o)
	case cli.Restore:
		p := r.iface(name, l)
		*p = port{name: name, at: l.At, entry: p.entry}
		return modelled().of(o)
	}
	p := r.iface(name, l)
	if p.entry == 0 {
		p.entry = len(r.ledger)
	}
	return opens(r.portMode(p, o)).of(o)
}

// otherInterface opens an interface that has no queues of its own: what its lines set
// acts on ports that the plan does not tie to it.
func (r *reader) otherInterface(o owner) verdict {
	v := neutral("virtual-interface").of(o)
	v.child = &mode{name: "interface", owner: o, read: func(l cli.Line) verdict {
		switch l.Words[0] {
		case "service-profile", "service-policy":
			if name := l.Words[len(l.Words)-1]; l.Undo == cli.Plain {
				r.elsewhere = append(r.elsewhere, name)
			}
		case "qos", "priority-flow-control", "shape", "tx-queue", "uc-tx-queue":
		case "vxlan":
			if l.Undo == cli.Plain && slices.Contains(l.Words, "vni") {
				return unmodelled(read.InVXLAN)
			}
			return verdict{}
		case "tunnel":
			if l.Undo == cli.Plain && cli.Begins(l.Words, "tunnel", "destination") {
				return unmodelled("packets in a tunnel have a DSCP inside and one outside, and are longer")
			}
			return verdict{}
		case "mtu":
			if l.Undo == cli.Plain && !read.DropsRoCE(l.Words[len(l.Words)-1], 0) {
				return neutral("mtu-of-roce")
			}
			return unmodelled("a smaller MTU here drops larger packets, which is not accounted for")
		default:
			return verdict{}
		}
		return unmodelled("settings of an interface without queues of its own are not accounted for")
	}}
	return v
}

func (r *reader) iface(name string, l cli.Line) *port {
	if p, ok := r.byName[name]; ok {
		return p
	}
	r.objects++
	p := &port{name: name, at: l.At}
	r.byName[name] = p
	r.interfaces = append(r.interfaces, p)
	return p
}

// globalPFC reads what holds for all ports.
func (r *reader) globalPFC(l cli.Line) verdict {
	w := &r.watchdog
	set := l.Undo == cli.Plain
	if rest, ok := l.After("priority-flow-control", "all"); ok && len(rest) == 1 && rest[0] == "off" {
		if r.allOff = set; set {
			r.allOffAt = l.At
		}
		return modelled()
	}
	rest, ok := l.After("priority-flow-control", "pause", "watchdog")
	if !ok || len(rest) == 0 || rest[0] == "port" {
		if cli.Begins(l.Words, "priority-flow-control", "on") || cli.Begins(l.Words, "priority-flow-control", "priority") || ok {
			return unmodelled("this is a line of a port, but the port is not known")
		}
		return r.wrong(l, "PFC is enabled at interfaces and profiles, and watched by priority-flow-control pause watchdog")
	}
	timer := func(into *duration, id format.ID) verdict {
		if !set {
			*into = duration{}
			return modelled()
		}
		if len(rest) != 3 {
			return r.unknown(l)
		}
		*into = r.seconds(l, id, rest[2])
		return understood(into.given)
	}
	switch {
	case cli.Begins(rest, "default", "timeout"):
		return timer(&w.timeout, row.Detection)
	case cli.Begins(rest, "default", "recovery-time"):
		return timer(&w.recovery, row.Restoration)
	case cli.Begins(rest, "default", "polling-interval"):
		return timer(&w.polling, row.Poll)
	case rest[0] == "action" && !set:
		w.action, w.at = "", l.At
		return modelled()
	case len(rest) == 2 && rest[0] == "action":
		return r.watchdogAction(l, &w.action, rest[1])
	case cli.Begins(rest, "override", "action") && !set:
		w.override = ""
		return modelled()
	case len(rest) == 3 && cli.Begins(rest, "override", "action"):
		return r.watchdogAction(l, &w.override, rest[2])
	}
	return r.wrong(l, "timers: priority-flow-control pause watchdog default timeout|recovery-time|polling-interval SECONDS")
}

// watchdogAction reads what the watchdog does; override is what it does on all ports,
// whatever they say.
func (r *reader) watchdogAction(l cli.Line, into *plan.WatchdogAction, word string) verdict {
	r.watchdog.at = l.At
	switch word {
	case "drop":
		*into = plan.WatchdogDrop
	case "notify-only":
		*into = plan.WatchdogAlert
	case "errdisable":
		return r.notModelled(l, "the watchdog's action errdisable")
	default:
		return r.wrong(l, "actions are drop, errdisable and notify-only")
	}
	return modelled()
}

// ip reads access lists and dynamic load balancing.
func (r *reader) ip(l cli.Line) verdict {
	w := l.Words
	if len(w) == 3 && w[1] == "access-list" {
		name := w[0] + " " + w[2]
		o := owner{kind: aList, name: name}
		return opened(r, r.lists, l, o, accessList{at: l.At}, func(a *accessList) *mode { return &mode{name: "access-list", owner: o, read: r.entry(a)} })
	}
	if rest, ok := l.After("ip", "hardware", "fib", "load-balance", "distribution"); ok && len(rest) == 1 {
		r.dynamic = rest[0] == "dynamic" && l.Undo == cli.Plain
		r.dynamicAt = l.At
		return modelled()
	}
	return verdict{}
}
