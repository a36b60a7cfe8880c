package eos

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
	row "github.com/roceplan/roceplan/format/eos"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read/cli"
	"github.com/roceplan/roceplan/units"
)

func ptr[T any](v T) *T { return &v }

// portMode reads the lines of an interface, a port channel or a qos profile.
func (r *reader) portMode(p *port, o owner) *mode {
	return &mode{name: "interface", owner: o, read: func(l cli.Line) verdict {
		if o.kind == onePort {
			p.take(len(r.ledger))
		}
		v := r.portLine(p, o, l)
		if w := l.Words; o.kind == aChannel && (w[0] == "mtu" || w[0] == "switchport" && len(w) == 1) {
			v.owner = o
			v.owner.carried = true
		}
		return v
	}}
}

func (r *reader) portLine(p *port, o owner, l cli.Line) verdict {
	w := l.Words
	switch w[0] {
	case "service-profile":
		if p.profile, p.profileAt = "", (diag.Range{}); l.Undo == cli.Plain && len(w) == 2 {
			p.profile, p.profileAt = w[1], l.At
		}
		return modelled()
	case "mtu":
		if p.mtu = (amount{}); l.Undo != cli.Plain {
			return modelled()
		}
		if len(w) == 2 {
			if n, ok := r.leaf(l, row.MTU, w[1]); ok {
				p.mtu = amount{units.Bytes(n), true, l.At}
			}
		}
		return understood(p.mtu.given)
	case "switchport":
		if len(w) > 1 {
			return verdict{}
		}
		return r.switchport(p, l)
	case "speed":
		return r.speed(p, l)
	case "error-correction":
		return r.correction(p, l)
	case "channel-group":
		if p.channel = ""; l.Undo == cli.Plain && len(w) > 1 {
			p.channel = w[1]
		}
		return neutral("channel-group")
	case "qos":
		return r.trust(p, l)
	case "service-policy":
		return r.servicePolicy(p, l)
	case "shape":
		if l.Undo != cli.Plain {
			return neutral("default-shape")
		}
		return r.notModelled(l, "a shaper of the whole port")
	case "priority-flow-control", "dcbx":
		return r.pfc(p, o, l)
	case "tx-queue", "uc-tx-queue":
		return r.queueBlock(p, o, l)
	case "mc-tx-queue":
		return neutral("multicast-queue")
	case "random-detect":
		if l.Undo == cli.Plain {
			return r.notModelled(l, "ECN of a whole port")
		}
	case "flowcontrol":
		if l.Undo == cli.Plain && w[len(w)-1] != "off" {
			return unmodelled("pause frames of the whole link stop all classes, and their effect on PFC is not known")
		}
		return neutral("flowcontrol-off")
	case "shutdown":
		p.shut = l.Undo == cli.Plain
		return neutral("port-remarks")
	case "profile":
		return r.useLine(p, o, l)
	case "mac", "ip", "ipv6", "traffic-policy", "storm-control":
		return r.mayHarm(l)
	}
	return verdict{}
}

// mayHarm names what lines of a port do that stop or delay packets of any class.
func (r *reader) mayHarm(l cli.Line) verdict {
	w := l.Words
	if len(w) < 2 || l.Undo != cli.Plain {
		return verdict{}
	}
	switch {
	case w[0] == "mac" && w[1] == "security":
		return unmodelled("MACsec makes packets longer and answers to pauses later, which is not accounted for")
	case w[1] == "access-group", w[1] == "verify":
		return unmodelled("a filter may drop packets of a lossless class, which is not accounted for")
	case w[0] == "traffic-policy":
		return unmodelled("a traffic policy may set the class of packets, mark or drop them, which is not accounted for")
	case w[0] == "storm-control" && w[1] != "broadcast" && w[1] != "multicast":
		return unmodelled("packets to stations that the switch has not learned may be dropped, which is not accounted for")
	}
	return verdict{}
}

func (r *reader) switchport(p *port, l cli.Line) verdict {
	switch l.Undo {
	case cli.No:
		p.routed = ptr(true)
	case cli.Restore:
		p.routed = nil
	default:
		p.routed = ptr(false)
	}
	return modelled()
}

func (r *reader) servicePolicy(p *port, l cli.Line) verdict {
	rest, ok := l.After("service-policy", "type", "qos", "input")
	if !ok {
		if len(l.Words) > 2 && slices.Contains([]string{"qos", "quality-of-service", "tx-queue", "queuing"}, l.Words[2]) {
			return unmodelled("a port has no policy of this kind for QoS but one of type qos for packets that arrive")
		}
		return verdict{}
	}
	if p.policy, p.policyAt = "", (diag.Range{}); l.Undo == cli.Plain && len(rest) == 1 {
		p.policy, p.policyAt, p.policyEntry = rest[0], l.At, len(r.ledger)
	}
	return understood(l.Undo != cli.Plain || len(rest) == 1)
}

// trust reads `qos trust dscp` and its siblings.
func (r *reader) trust(p *port, l cli.Line) verdict {
	w := l.Words
	switch {
	case len(w) >= 2 && w[1] == "trust" && l.Undo != cli.Plain:
		if p.trust = nil; l.Undo == cli.No {
			p.trust = ptr(trustNothing)
		}
		return modelled()
	case len(w) == 3 && w[1] == "trust" && w[2] == "dscp":
		p.trust = ptr(trustDSCP)
		return modelled()
	case len(w) == 3 && w[1] == "trust" && w[2] == "cos":
		p.trust = ptr(trustCoS)
		v := unmodelled("packets get their traffic class by the CoS of their VLAN tag")
		v.harmless = byTag()
		return v
	case len(w) >= 2 && (w[1] == "cos" || w[1] == "dscp"):
		if l.Undo == cli.Plain {
			if len(w) != 3 {
				return r.unknown(l)
			}
			if _, ok := r.number(l, w[2], 0, map[string]int64{"cos": 7, "dscp": 63}[w[1]]); !ok {
				return understood(false)
			}
		}
		p.fallback = len(r.ledger)
		return neutral("port-default")
	case len(w) >= 2 && w[1] == "list":
		return r.wrong(l, "enable PFC at the interface: priority-flow-control priority N no-drop")
	}
	return verdict{}
}

// pfc reads PFC and the watchdog of a port.
func (r *reader) pfc(p *port, o owner, l cli.Line) verdict {
	w := l.Words
	switch {
	case w[0] == "dcbx" && len(w) > 1 && w[1] == "pfc":
		return r.wrong(l, "enable PFC by priority-flow-control priority N no-drop; DCBX by dcbx mode ieee")
	case w[0] == "dcbx":
		return neutral("dcbx")
	case len(w) == 1 && l.Undo != cli.Plain, len(w) == 2 && w[1] == "on":
		p.pfcAt = l.At
		switch l.Undo {
		case cli.Plain:
			p.pfc = ptr(true)
		case cli.No:
			p.pfc = ptr(false)
			r.mayYield(p, o, func(profile *port) bool { return profile.pfc != nil && *profile.pfc })
		default:
			p.pfc = nil
		}
		return modelled()
	case len(w) == 1:
		return r.wrong(l, "write priority-flow-control on")
	case w[1] == "priority":
		return r.pfcPriority(p, o, l)
	case len(w) == 3 && w[1] == "pause" && w[2] == "watchdog":
		switch p.watchdogAt = l.At; l.Undo {
		case cli.Plain:
			p.watchdog = ptr(true)
		case cli.No:
			p.watchdog = ptr(false)
		default:
			p.watchdog = nil
		}
		return modelled()
	case len(w) > 3 && w[1] == "pause" && w[2] == "watchdog" && w[3] == "port":
		if l.Undo != cli.Plain {
			return neutral("default-watchdog")
		}
		return r.notModelled(l, "a watchdog that differs by port")
	case len(w) > 3 && w[1] == "pause" && w[2] == "watchdog", w[1] == "all":
		return verdict{} // of the whole switch
	case w[1] == "mode":
		return r.wrong(l, "write priority-flow-control on; EOS before 4.19 had a mode")
	}
	return r.wrong(l, "see priority-flow-control on, priority N no-drop, pause watchdog")
}

func (r *reader) pfcPriority(p *port, o owner, l cli.Line) verdict {
	w := l.Words
	if len(w) < 3 || l.Undo == cli.Plain && len(w) != 4 {
		return r.wrong(l, "write priority-flow-control priority N no-drop")
	}
	id, ok := r.id(l, w[2])
	if !ok {
		return understood(false)
	}
	switch p.pfcAt = l.At; {
	case l.Undo == cli.No:
		p.noDrop[id] = ptr(false)
		r.mayYield(p, o, func(profile *port) bool { return profile.noDrop[id] != nil && *profile.noDrop[id] })
	case l.Undo == cli.Restore:
		p.noDrop[id] = nil
	case w[3] == "no-drop" || w[3] == "drop":
		p.noDrop[id] = ptr(w[3] == "no-drop")
	default:
		return r.wrong(l, "write priority-flow-control priority N no-drop")
	}
	return modelled()
}

// A dispute is a line of an interface that takes back what its profile may say. Whether
// EOS lets it undo the profile, or takes it for saying nothing, is not public.
type dispute struct {
	port  *port
	entry int // of the ledger
	says  func(profile *port) bool
}

// mayYield notes a dispute about the line that is about to be entered.
func (r *reader) mayYield(p *port, o owner, says func(profile *port) bool) {
	if o.kind == onePort {
		r.disputes = append(r.disputes, dispute{p, len(r.ledger), says})
	}
}

// trust is what a port believes, in the words of EOS.
type trust uint8

const (
	trustDSCP trust = iota
	trustCoS
	trustNothing
)

// trusts returns the marking that the port trusts; a port that has no line for it believes the DSCP
// where it is routed and the CoS where it is not: EOS user manual, Quality of Service.
func (p *port) trusts() plan.Trust {
	if p.trust != nil && *p.trust == trustNothing {
		return plan.TrustNone
	}
	return plan.TrustDSCP
}
