package nxos

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/cli"
	"github.com/roceplan/roceplan/units"
)

// global reads the lines that are at the left edge.
func (r *reader) global(l cli.Line) verdict {
	w := l.Words
	switch w[0] {
	case "hostname", "switchname":
		if r.host = ""; len(w) == 2 && l.Undo == cli.Plain {
			r.host = cli.Clip(w[1])
		}
		return modelled()
	case "interface":
		return r.interfaceLine(l)
	case "port-profile":
		return r.profileLine(l)
	case "class-map":
		return r.classMapLine(l)
	case "policy-map":
		return r.policyMapLine(l)
	case "priority-flow-control":
		return r.globalPFC(l)
	case "system":
		return r.systemLine(l)
	case "hardware":
		if len(w) > 1 && w[1] == "qos" {
			return r.globalWrong(l)
		}
	case "feature", "mls":
		return r.globalWrong(l)
	}
	return verdict{}
}

// globalWrong names lines of QoS that circulate and that no NX-OS of these switches takes.
func (r *reader) globalWrong(l cli.Line) verdict {
	w := l.Words
	switch {
	case cli.Begins(w, "feature", "qos") && len(w) == 2:
		return r.wrong(l, "leave it out: QoS is always on")
	case cli.Begins(w, "hardware", "qos", "ecn"):
		return r.wrong(l, "ECN is a line of a queue: random-detect minimum-threshold N kbytes maximum-threshold N kbytes drop-probability P weight 0 ecn")
	case cli.Begins(w, "hardware", "qos"):
		return unmodelled("the effect of a line of hardware QoS is not known")
	case w[0] == "mls":
		return r.wrong(l, "use class-map and policy-map of type qos")
	}
	return verdict{}
}

// systemLine reads `system qos` and what else begins so.
func (r *reader) systemLine(l cli.Line) verdict {
	if len(l.Words) != 2 || l.Words[1] != "qos" {
		return verdict{}
	}
	if l.Undo != cli.Plain {
		return unmodelled("the remaining policies of the system are not known")
	}
	return opens(&mode{name: "system qos", read: func(l cli.Line) verdict { return r.servicePolicy(&r.system, l) }})
}

// servicePolicy reads a line that applies a policy.
func (r *reader) servicePolicy(to *policyUses, l cli.Line) verdict {
	w := l.Words
	if w[0] != "service-policy" {
		return verdict{}
	}
	w = w[1:]
	if len(w) > 0 && w[0] == "type" {
		w = w[1:]
	} else if len(w) > 0 && (w[0] == "input" || w[0] == "output") {
		w = append([]string{"qos"}, w...)
	}
	if len(w) == 4 && w[3] == "no-stats" { // it leaves statistics out: Cisco Nexus 9000 QoS guide
		w = w[:3]
	}
	var u *use
	switch {
	case len(w) == 2 && w[0] == "network-qos" && to == &r.system:
		u = &to.network
	case len(w) == 3 && cli.Begins(w, "qos", "input"):
		u = &to.qos
	case len(w) == 3 && cli.Begins(w, "queuing", "input"):
		u = &to.in
	case len(w) == 3 && cli.Begins(w, "queuing", "output"):
		u = &to.out
	case len(w) == 3 && cli.Begins(w, "qos", "output"):
		return r.notModelled(l, "a policy of type qos for packets that leave")
	default:
		return r.unknown(l)
	}
	if *u = (use{}); l.Undo == cli.Plain {
		*u = use{w[len(w)-1], l.At, len(r.ledger)}
	}
	return modelled()
}

// poll is the watchdog's interval, which is fixed (facts of Cisco's NX-API: all times are
// multiples of 100 ms).
const poll = 100 * units.Millisecond

// globalPFC reads the watchdog of the switch.
func (r *reader) globalPFC(l cli.Line) verdict {
	w := l.Words
	if v := r.watchdogLine(&r.watched, l); v.took {
		return v
	}
	switch {
	case len(w) == 4 && (cli.Begins(w, "priority-flow-control", "fixed-restore", "multiplier") || cli.Begins(w, "priority-flow-control", "auto-restore", "multiplier")):
		if r.restore = (plan.Derived[units.Time]{}); l.Undo != cli.Plain {
			return modelled()
		}
		n, ok := r.number(l, w[3], 0, 100)
		if ok {
			r.restore = read.From(units.Time(n)*poll, "restoration", l.At)
		}
		return understood(ok)
	case len(w) > 1 && w[1] == "mode":
		return unmodelled("this is a line of an interface, but the interface is not known")
	}
	return r.unknown(l)
}

// watchdogLine reads `priority-flow-control watch-dog-interval on`, of the switch or of a
// port.
func (r *reader) watchdogLine(f *flag, l cli.Line) verdict {
	w := l.Words
	switch {
	case cli.Begins(w, "priority-flow-control", "watch-dog"):
		return r.wrong(l, "write: priority-flow-control watch-dog-interval on")
	case !cli.Begins(w, "priority-flow-control", "watch-dog-interval"):
		return verdict{}
	case l.Undo != cli.Plain:
		*f = flag{}
		return modelled()
	case len(w) == 3 && (w[2] == "on" || w[2] == "off"):
		*f = flag{w[2] == "on", l.At}
		return modelled()
	case len(w) == 3:
		return r.wrong(l, "write on or off: the interval is 100 ms and cannot be set")
	}
	return r.unknown(l)
}

// ecnUnit warns that the unit of marking thresholds is not stated.
func (r *reader) ecnUnit(at diag.Range) {
	r.Once(diag.Warning, NotModelled, at, "it is not documented whether a kbyte of NX-OS has 1,000 or 1,024 bytes: thresholds are read with 1,000, and may be 2.4 % larger", "")
}
