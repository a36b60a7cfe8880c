package nxos

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/cli"
	"github.com/roceplan/roceplan/units"
)

// Kinds of interfaces that have queues.
const (
	ethernet = "Ethernet"
	channel  = "port-channel"
)

// frameOverhead is what a frame has beyond what `mtu` counts: header, one VLAN tag and FCS
// (IEEE 802.3, 3.2.7). NX-OS does not say whether the tag is counted; the larger is assumed.
const frameOverhead = 22 * units.Byte

// defaultMTU is that of a port, and of a class, that says none (Cisco Nexus 9000 Interfaces
// guide, MTU).
const defaultMTU = 1500 * units.Byte

// largestMTU is the most that an interface takes (Cisco-NX-OS-device, ethernet interfaces).
const largestMTU = "9216"

// kindOfInterface splits the name of an interface; NX-OS takes "e1/1", "ethernet1/1" and
// "Ethernet 1/1" alike.
func kindOfInterface(name string) (kind, rest string) {
	i := strings.IndexAny(name, "0123456789")
	if i == -1 {
		return strings.ToLower(name), ""
	}
	kind, rest = name[:i], name[i:]
	for _, full := range []string{ethernet, channel} {
		if len(kind) <= len(full) && strings.EqualFold(kind, full[:len(kind)]) && (full == ethernet || len(kind) >= 2) {
			return full, rest
		}
	}
	return strings.ToLower(kind), rest
}

// place is where a port sits: "1/1", "1/1/4"; a subinterface has a number behind a dot.
var place = regexp.MustCompile(`^([0-9]{1,3}/)([0-9]{1,3}/)?([0-9]{1,3})(-([0-9]{1,3}/)?([0-9]{1,3}/)?([0-9]{1,3}))?$`)

// interfaceLine opens an interface, or several: "Ethernet1/1-4,Ethernet1/7".
func (r *reader) interfaceLine(l cli.Line) verdict {
	if len(l.Words) < 2 {
		return r.unknown(l)
	}
	if l.Words[1] == "breakout" {
		return neutral("breakout")
	}
	all := strings.Join(l.Words[1:], "")
	kind, rest := kindOfInterface(all)
	sub := strings.Contains(rest, ".")
	switch {
	case (kind == ethernet || kind == channel) && sub:
		return r.otherInterface()
	case kind == ethernet || kind == channel:
	case kind == "loopback" || kind == "mgmt" || kind == "lo":
		return neutral("interface-of-control")
	default:
		return r.otherInterface()
	}
	ports, ok := r.named(l, kind, all)
	if !ok {
		return understood(false)
	}
	if l.Undo != cli.Plain {
		for _, p := range ports {
			*p = port{name: p.name, at: p.at, entry: p.entry, owner: p.owner}
		}
		return modelled()
	}
	o := &owner{}
	for _, p := range ports {
		if kind == ethernet {
			o.ports = append(o.ports, p.name)
		}
	}
	if kind == channel {
		o = ports[0].owner
	}
	m := &mode{name: "interface", owner: o, read: func(l cli.Line) (v verdict) {
		for i, p := range ports {
			found := r.Found
			next := r.keep(p, l)
			if i > 0 {
				r.Found = found // one line has one finding
			} else {
				v = next
			}
		}
		return v
	}}
	if kind == channel {
		v := neutral("port-channel")
		v.child = m
		return v
	}
	return opens(m)
}

// named returns the ports that a line names.
func (r *reader) named(l cli.Line, kind, all string) (ports []*port, ok bool) {
	for part := range strings.SplitSeq(all, ",") {
		partKind, rest := kindOfInterface(part)
		if partKind != kind {
			r.Found.Errorf(Number, l.At, "%q is not a port of a list of %s", cli.Clip(part), kind).Fixf("write the port as the switch names it, such as Ethernet1/1")
			return nil, false
		}
		if kind == channel {
			if n, ok := r.number(l, rest, 1, 4096); ok {
				ports = append(ports, r.channelOf(strconv.FormatInt(n, 10), l))
			}
			continue
		}
		at := place.FindStringSubmatch(rest)
		if at == nil || at[5]+at[6] != "" && at[5]+at[6] != at[1]+at[2] { // "1/1-1/4" is how Microsoft's generator for Azure Local writes a range
			r.Found.Errorf(Number, l.At, "%q is not the position of a port, such as 1/1 or 1/1-4", cli.Clip(rest)).Fixf("write SLOT/PORT or SLOT/PORT-PORT")
			return nil, false
		}
		first, _ := strconv.Atoi(at[3])
		last := first
		if at[7] != "" {
			last, _ = strconv.Atoi(at[7])
		}
		if last < first || last-first+len(ports) >= maxRange {
			r.Found.Errorf(Number, l.At, "%q is not a range of at most %d ports", cli.Clip(rest), maxRange).Fixf("write the smaller port first, and at most %d of them", maxRange)
			return nil, false
		}
		for n := first; n <= last; n++ {
			ports = append(ports, r.portOf(ethernet+at[1]+at[2]+strconv.Itoa(n), l))
		}
	}
	return ports, len(ports) > 0
}

func (r *reader) portOf(name string, l cli.Line) *port {
	p := r.byName[name]
	if p == nil {
		r.objects++
		p = &port{name: name, at: l.At, entry: len(r.ledger)}
		r.byName[name] = p
		r.interfaces = append(r.interfaces, p)
	}
	return p
}

func (r *reader) channelOf(number string, l cli.Line) *port {
	p := r.channels[number]
	if p == nil {
		r.objects++
		p = &port{name: channel + number, at: l.At, entry: len(r.ledger), owner: &owner{}}
		r.channels[number] = p
	}
	return p
}

// otherInterface opens an interface that has no queues of its own.
func (r *reader) otherInterface() verdict {
	v := neutral("virtual-interface")
	v.child = &mode{name: "interface", read: func(l cli.Line) verdict {
		switch l.Words[0] {
		case "service-policy", "priority-flow-control":
			return unmodelled("settings of an interface without queues of its own are not accounted for")
		case "mtu":
			if len(l.Words) == 2 && l.Words[1] == largestMTU && l.Undo == cli.Plain {
				return neutral("virtual-interface")
			}
			return unmodelled("a smaller MTU here drops larger packets, which is not accounted for")
		}
		return verdict{}
	}}
	return v
}

// portLine reads a line of an interface.
func (r *reader) portLine(p *port, l cli.Line) verdict {
	w := l.Words
	set := l.Undo == cli.Plain
	switch w[0] {
	case "mtu":
		if p.mtu = (plan.Derived[units.Bytes]{}); !set {
			return modelled()
		}
		if len(w) != 2 {
			return r.unknown(l)
		}
		n, ok := r.number(l, w[1], 576, 9216)
		if ok {
			p.mtu = read.From(units.Bytes(n)+frameOverhead, "mtu", l.At)
		}
		return understood(ok)
	case "speed":
		return r.speed(p, l)
	case "fec":
		return r.fec(p, l)
	case "shutdown":
		p.shut = set
		return modelled()
	case "switchport":
		if len(w) == 1 {
			p.routed = nil
			if l.Undo != cli.Restore {
				routed := !set
				p.routed = &routed
			}
			return modelled()
		}
	case "channel-group":
		if p.channel = ""; set && len(w) > 1 {
			p.channel = w[1]
		}
		return neutral("channel-group")
	case "service-policy":
		return r.servicePolicy(&p.policyUses, l)
	case "priority-flow-control":
		return r.portPFC(p, l)
	case "inherit":
		return r.inheritLine(p, l)
	case "flowcontrol":
		if set && w[len(w)-1] == "on" {
			return unmodelled("pause frames of the whole link stop all classes, and their effect on PFC is not known")
		}
		return neutral("flowcontrol-off")
	}
	return mayHarm(l)
}

// mayHarm names what lines of a port do that stop, delay or drop packets of any class.
func mayHarm(l cli.Line) verdict {
	w := l.Words
	if l.Undo != cli.Plain {
		return verdict{}
	}
	switch {
	case w[0] == "storm-control" && len(w) > 1 && w[1] != "broadcast" && w[1] != "multicast":
		return unmodelled("packets to stations that the switch has not learned may be dropped, which is not accounted for")
	case len(w) > 1 && w[1] == "access-group", len(w) > 2 && w[1] == "port" && w[2] == "access-group", cli.Begins(w, "ip", "verify"):
		return unmodelled("a filter may drop packets of a lossless class, which is not accounted for")
	case w[0] == "macsec":
		return unmodelled("MACsec makes packets longer and answers to pauses later, which is not accounted for")
	}
	return verdict{}
}

// portPFC reads `priority-flow-control mode` and the port's watchdog.
func (r *reader) portPFC(p *port, l cli.Line) verdict {
	w := l.Words
	if v := r.watchdogLine(&p.watched, l); v.took {
		return v
	}
	switch {
	case len(w) < 2 || w[1] != "mode":
		return r.unknown(l)
	case l.Undo != cli.Plain:
		p.mode, p.modeAt = pfcAuto, diag.Range{}
		return modelled()
	case len(w) == 4 && w[3] != "send-tlv" || len(w) < 3 || len(w) > 4:
		return r.unknown(l)
	}
	mode, ok := map[string]pfcMode{"on": pfcOn, "auto": pfcAuto, "off": pfcOff}[w[2]]
	if !ok {
		return r.wrong(l, "modes are on, auto and off")
	}
	p.mode, p.modeAt, p.modeRow = mode, l.At, len(r.ledger)
	return modelled()
}

// fecs are the words for error correction that a running-config shows (Cisco Nexus 9000
// Interfaces guide, Configuring FEC).
var fecs = map[string]string{
	"auto": "", "off": "none", "fc-fec": "fc", "cl74": "fc", "rs-fec": "rs", "cl91": "rs", "rs-cons16": "rs", "rs-ieee": "rs", "kp-fec": "rs",
	"rs-544": "rs", "rs-544-2xn": "rs",
}

func (r *reader) fec(p *port, l cli.Line) verdict {
	if p.fec = ""; l.Undo != cli.Plain {
		return modelled()
	}
	if len(l.Words) != 2 {
		return r.unknown(l)
	}
	fec, ok := fecs[strings.ToLower(l.Words[1])]
	if p.fec = fec; !ok {
		return r.notModelled(l, "error correction of the kind "+cli.Clip(l.Words[1]))
	}
	return modelled()
}

// speed reads `speed 100000`, in Mb/s, and `speed auto`.
func (r *reader) speed(p *port, l cli.Line) verdict {
	w := l.Words
	if p.speed = 0; l.Undo != cli.Plain || len(w) > 1 && w[1] == "auto" {
		return modelled() // what the transceiver does
	}
	if len(w) != 2 {
		return r.unknown(l)
	}
	n, ok := r.number(l, w[1], 10, 1_600_000)
	p.speed = units.BitRate(n) * units.Mbps
	return understood(ok)
}
