package eos

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

func ptr[T any](v T) *T { return &v }

// port reads the lines of an interface or of a qos profile.
func (r *reader) port(p *port) block {
	return func(l line) block {
		w := l.words
		switch w[0] {
		case "service-profile":
			if len(w) == 2 {
				p.profile, p.profileAt = w[1], l.at
			}
		case "mtu":
			if len(w) == 2 {
				if n, ok := r.number(l, w[1], 68, 65535); ok {
					p.mtu = amount{units.Bytes(n), true, l.at}
				}
			}
		case "qos":
			r.trust(p, l)
		case "service-policy":
			if rest, ok := l.after("service-policy", "type", "qos", "input"); ok && len(rest) == 1 {
				p.policy, p.policyAt = rest[0], l.at
			}
		case "shape":
			r.notModelled(l, "a shaper of the whole port")
		case "priority-flow-control", "dcbx":
			r.pfc(p, l)
		case "tx-queue", "uc-tx-queue":
			return r.queueBlock(p, l)
		case "no":
			r.negated(p, l)
		}
		return nil
	}
}

// trust reads `qos trust dscp` and its siblings.
func (r *reader) trust(p *port, l line) {
	w := l.words
	switch {
	case len(w) == 3 && w[1] == "trust" && w[2] == "dscp":
		p.trust = ptr(plan.TrustDSCP)
	case len(w) == 3 && w[1] == "trust" && w[2] == "cos":
		r.notModelled(l, "trust of the CoS")
	case len(w) == 3 && (w[1] == "cos" || w[1] == "dscp"):
		r.notModelled(l, "a default "+w[1]+" of a port")
	case len(w) >= 2 && w[1] == "list":
		r.wrong(l, "enable PFC at the interface: priority-flow-control priority N no-drop")
	}
}

func (r *reader) negated(p *port, l line) {
	w := l.words
	switch {
	case len(w) == 3 && w[1] == "qos" && w[2] == "trust":
		p.trust = ptr(plan.TrustNone)
	case len(w) == 2 && w[1] == "priority-flow-control":
		p.pfc, p.pfcAt = ptr(false), l.at
	case len(w) == 4 && w[1] == "priority-flow-control" && w[2] == "priority":
		if id, ok := r.id(l, w[3]); ok {
			p.noDrop[id], p.pfcAt = ptr(false), l.at
		}
	}
}

// pfc reads PFC and the watchdog of a port.
func (r *reader) pfc(p *port, l line) {
	w := l.words
	switch {
	case w[0] == "dcbx" && len(w) > 1 && w[1] == "pfc":
		r.wrong(l, "enable PFC by priority-flow-control priority N no-drop; DCBX by dcbx mode ieee")
	case w[0] == "dcbx":
	case len(w) == 2 && w[1] == "on":
		p.pfc, p.pfcAt = ptr(true), l.at
	case len(w) == 4 && w[1] == "priority" && (w[3] == "no-drop" || w[3] == "drop"):
		if id, ok := r.id(l, w[2]); ok {
			p.noDrop[id], p.pfcAt = ptr(w[3] == "no-drop"), l.at
		}
	case len(w) == 3 && w[1] == "pause" && w[2] == "watchdog":
		p.watchdog = true
	case len(w) > 4 && w[1] == "pause" && w[2] == "watchdog" && w[3] == "port":
		r.notModelled(l, "a watchdog that differs by port")
	case len(w) > 1 && w[1] == "mode":
		r.wrong(l, "write priority-flow-control on; EOS before 4.19 had a mode")
	default:
		r.wrong(l, "see priority-flow-control on, priority N no-drop, pause watchdog")
	}
}

// queueBlock opens one queue of a port.
func (r *reader) queueBlock(p *port, l line) block {
	if len(l.words) != 2 {
		return r.unknown(l)
	}
	id, ok := r.id(l, l.words[1])
	if !ok {
		return nil
	}
	q := at(&p.queues, id)
	q.at = l.at
	return func(l line) block { return r.queueLine(q, l) }
}

func (r *reader) queueLine(q *queue, l line) block {
	w := l.words
	switch {
	case len(w) == 2 && w[0] == "priority" && w[1] == "strict":
		q.strict, q.strictLine = ptr(true), l.at
	case len(w) == 2 && w[0] == "no" && w[1] == "priority":
		q.strict = ptr(false)
	case len(w) == 3 && w[0] == "bandwidth" && w[1] == "percent":
		if n, ok := r.number(l, w[2], 1, 100); ok {
			q.weight, q.weightAt = n, l.at
		}
	case len(w) > 2 && w[0] == "bandwidth" && w[1] == "guaranteed": // what the watchdog wants to see
	case len(w) > 2 && w[0] == "shape" && w[1] == "rate":
		q.rate, _ = r.rate(l, w[2:])
		q.rateAt = l.at
	case len(w) > 2 && w[0] == "random-detect" && w[1] == "ecn":
		r.ecn(q, l, w[2:])
	case w[0] == "random-detect":
		r.notModelled(l, "WRED that drops")
	case w[0] == "scheduler":
		r.notModelled(l, "a scheduler profile of a queue")
	case w[0] == "no", w[0] == "default":
	default:
		return r.unknown(l)
	}
	return nil
}

// ecn reads `minimum-threshold N U maximum-threshold N U [max-mark-probability P]
// [weight W]`. EOS marks every packet between the thresholds with 100 % where no
// probability is given.
func (r *reader) ecn(q *queue, l line, w []string) {
	if len(w) == 1 && w[0] == "count" {
		return
	}
	if len(w) < 6 || len(w)%2 != 0 || w[0] != "minimum-threshold" || w[3] != "maximum-threshold" {
		if w[0] == "delay" {
			r.notModelled(l, "ECN by delay")
			return
		}
		r.unknown(l)
		return
	}
	low, ok := r.depth(l, w[1], w[2])
	high, fine := r.depth(l, w[4], w[5])
	if !ok || !fine {
		return
	}
	e := &plan.ECN{KMin: from(low, "kmin", l.at), KMax: from(high, "kmax", l.at), PMax: from(100*units.Percent, "pmax", l.at)}
	for i := 6; i < len(w); i += 2 {
		switch w[i] {
		case "max-mark-probability":
			if n, ok := r.number(l, w[i+1], 1, 100); ok {
				e.PMax = from(units.Ratio(n)*units.Percent, "pmax", l.at)
			}
		case "weight":
			if n, ok := r.number(l, w[i+1], 0, 15); ok && n > 0 {
				r.notModelled(l, "the weight of an averaged queue length")
			}
		default:
			r.unknown(l)
		}
	}
	q.ecn = e
}

// depth reads a queue length.
func (r *reader) depth(l line, number, unit string) (units.Bytes, bool) {
	factor, ok := map[string]units.Bytes{"bytes": units.Byte, "kbytes": units.KB, "mbytes": units.MB}[unit]
	if !ok {
		r.once(diag.Warning, Unit, l.at, "an ECN threshold in "+clip(unit)+" has no meaning without the platform and the port", "write bytes or kbytes")
		return 0, false
	}
	n, fine := r.number(l, number, 0, maxAmount/int64(factor))
	return units.Bytes(n) * factor, fine
}
