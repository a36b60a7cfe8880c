package eos

import (
	"regexp"
	"strconv"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

var ethernet = regexp.MustCompile(`^Ethernet[0-9]{1,4}(/[0-9]{1,4}){0,2}$`)

// global reads the lines that stand at the left edge.
func (r *reader) global(l line) block {
	w := l.words
	switch w[0] {
	case "hostname":
		if len(w) == 2 {
			r.host = clip(w[1])
		}
	case "interface":
		if len(w) == 2 && ethernet.MatchString(w[1]) {
			return r.port(r.iface(w[1], l))
		}
	case "platform":
		return r.platform(l)
	case "qos":
		return r.qos(l)
	case "priority-flow-control":
		return r.globalPFC(l)
	case "class-map":
		if rest, ok := l.after("class-map", "type", "qos"); ok && len(rest) > 0 {
			return r.classMap(l, rest[len(rest)-1])
		}
	case "policy-map":
		return r.policyMapLine(l)
	case "ip", "ipv6":
		return r.ip(l)
	}
	return nil
}

func (r *reader) iface(name string, l line) *port {
	if p, ok := r.byName[name]; ok {
		return p
	}
	r.objects++
	p := &port{name: name, at: l.at}
	r.byName[name] = p
	r.interfaces = append(r.interfaces, p)
	return p
}

// qos reads maps, names and the opening of a profile.
func (r *reader) qos(l line) block {
	w := l.words
	if len(w) < 2 {
		return r.unknown(l)
	}
	switch w[1] {
	case "profile":
		if len(w) != 3 {
			return r.unknown(l)
		}
		p := r.profiles[w[2]]
		if p == nil {
			r.objects++
			p = &port{name: w[2], at: l.at}
			r.profiles[w[2]] = p
		}
		return r.port(p)
	case "map":
		return r.qosMap(l)
	case "traffic-class":
		if len(w) == 5 && w[3] == "name" {
			if tc, ok := r.id(l, w[2]); ok {
				r.names[tc], r.nameAt[tc] = w[4], l.at
			}
			return nil
		}
		return r.unknown(l)
	case "list":
		return r.wrong(l, "enable PFC at the interface: priority-flow-control priority N no-drop")
	case "tx-queue", "uc-tx-queue", "mc-tx-queue":
		return nil // names, scheduler profiles
	case "rewrite", "random-detect":
		return r.notModelled(l, "the line "+l.text())
	}
	return r.unknown(l)
}

// qosMap reads `qos map X to Y`.
func (r *reader) qosMap(l line) block {
	w := l.words
	to := 0
	for i, word := range w {
		if word == "to" {
			to = i
		}
	}
	if to < 4 || to+2 >= len(w) {
		return r.unknown(l)
	}
	source, values, target := w[2], w[3:to], w[to+1]
	switch {
	case target == "uc-tx-queue" || target == "mc-tx-queue":
		return r.wrong(l, "write to tx-queue: the map has this form on all platforms")
	case source == "dscp" && target == "traffic-class":
		if len(w) > to+3 {
			r.notModelled(l, "drop precedence")
		}
		dscps, ok := r.codePoints(l, values)
		if tc, fine := r.id(l, w[to+2]); ok && fine {
			for _, d := range dscps {
				r.dscps[d], r.places.DSCPToTC[d] = tc, l.at
			}
			r.dscpAt[tc] = l.at
		}
	case source == "traffic-class" && target == "tx-queue":
		q, ok := r.id(l, w[to+2])
		for _, v := range values {
			if tc, fine := r.id(l, v); ok && fine {
				r.queueOf[tc], r.places.TCToQueue[tc] = q, l.at
			}
		}
	case source == "cos" || source == "exp" || target == "cos" || target == "dscp":
	default:
		return r.unknown(l)
	}
	return nil
}

// platform reads buffer profiles and the headroom pool.
func (r *reader) platform(l line) block {
	rest, ok := l.after("platform", "trident", "mmu")
	if !ok || len(rest) == 0 {
		return nil
	}
	switch {
	case len(rest) >= 3 && rest[0] == "queue" && rest[1] == "profile":
		name := rest[2]
		if len(rest) == 4 && rest[3] == "apply" {
			r.applied, r.appliedAt = name, l.at
			return nil
		}
		if len(rest) == 3 {
			r.objects++
			m := &mmu{at: l.at}
			r.mmus[name] = m
			return r.mmuBlock(m)
		}
	case len(rest) >= 3 && rest[0] == "headroom-pool" && rest[1] == "limit":
		r.headroomPool = r.amount(l, rest[2:])
		return nil
	}
	return r.unknown(l)
}

// mmuBlock reads the lines of a buffer profile.
func (r *reader) mmuBlock(m *mmu) block {
	return func(l line) block {
		w := l.words
		switch {
		case len(w) >= 3 && w[0] == "ingress" && w[1] == "priority-group" && len(w) >= 5:
			if id, ok := r.id(l, w[2]); ok {
				r.shareLine(l, at(&m.groups, id), w[3:])
			}
		case len(w) >= 3 && w[0] == "ingress" && w[1] == "headroom":
			m.headroom = r.amount(l, w[2:])
		case len(w) >= 3 && w[0] == "ingress" && w[1] == "resume":
			m.resume = r.amount(l, w[2:])
		case len(w) >= 3 && w[0] == "ingress":
			r.shareLine(l, &m.ingress, w[1:])
		case len(w) >= 6 && w[0] == "egress" && w[1] == "unicast" && w[2] == "queue":
			if id, ok := r.id(l, w[3]); ok {
				r.shareLine(l, at(&m.queues, id), w[4:])
			}
		case len(w) >= 2 && w[0] == "egress" && w[1] == "multicast":
			r.notModelled(l, "the buffer of multicast queues")
		default:
			return r.unknown(l)
		}
		return nil
	}
}

// at returns the entry of an array, made where there is none.
func at[T any](of *[8]*T, id uint8) *T {
	if of[id] == nil {
		of[id] = new(T)
	}
	return of[id]
}

// shareLine reads `reserved N` and `threshold A`.
func (r *reader) shareLine(l line, s *share, w []string) {
	switch w[0] {
	case "reserved":
		s.reserved = r.amount(l, w[1:])
	case "threshold":
		s.threshold = r.threshold(l, w[1:])
	case "drop-precedence":
		r.notModelled(l, "drop precedence")
	default:
		r.unknown(l)
	}
}

// globalPFC reads the watchdog's defaults.
func (r *reader) globalPFC(l line) block {
	rest, ok := l.after("priority-flow-control", "pause", "watchdog")
	switch {
	case !ok && len(l.words) == 3 && l.words[1] == "all" && l.words[2] == "off":
		return r.notModelled(l, "priority-flow-control all off")
	case !ok:
		return r.wrong(l, "PFC is enabled at interfaces and profiles, and watched by priority-flow-control pause watchdog")
	case len(rest) == 3 && rest[0] == "default" && rest[1] == "timeout":
		r.watchdog.timeout = r.seconds(l, rest[2], 10*units.Millisecond, 60*units.Second)
	case len(rest) == 3 && rest[0] == "default" && rest[1] == "recovery-time":
		r.watchdog.recovery = r.seconds(l, rest[2], 10*units.Millisecond, 60*units.Second)
	case len(rest) == 3 && rest[0] == "default" && rest[1] == "polling-interval":
		r.watchdog.polling = r.seconds(l, rest[2], 5*units.Millisecond, 30*units.Second)
	case len(rest) == 2 && rest[0] == "action":
		return r.watchdogAction(l, rest[1])
	case len(rest) == 3 && rest[0] == "override":
		return r.notModelled(l, l.text())
	default:
		return r.wrong(l, "timers: priority-flow-control pause watchdog default timeout|recovery-time|polling-interval SECONDS")
	}
	return nil
}

func (r *reader) watchdogAction(l line, word string) block {
	r.watchdog.at = l.at
	switch word {
	case "drop":
		r.watchdog.action = plan.WatchdogDrop
	case "notify-only":
		r.watchdog.action = plan.WatchdogAlert
	case "errdisable":
		return r.notModelled(l, "the watchdog's action errdisable")
	default:
		return r.wrong(l, "actions are drop, errdisable and notify-only")
	}
	return nil
}

// ip reads access lists and dynamic load balancing.
func (r *reader) ip(l line) block {
	w := l.words
	if len(w) == 3 && w[1] == "access-list" {
		r.objects++
		a := &accessList{at: l.at}
		r.lists[w[0]+" "+w[2]] = a
		return r.entry(a)
	}
	if rest, ok := l.after("ip", "hardware", "fib", "load-balance", "distribution", "dynamic"); ok && len(rest) == 0 {
		r.dynamic = true
	}
	return nil
}

// entry reads the lines of an access list. Only entries of the forms that classify
// RoCE are understood; others matter when a policy uses the list.
func (r *reader) entry(a *accessList) block {
	return func(l line) block {
		w := l.words
		if len(w) > 1 && w[0][0] >= '0' && w[0][0] <= '9' {
			w = w[1:]
		}
		if w[0] == "remark" || w[0] == "counters" {
			return nil
		}
		r.objects++
		a.entries = append(a.entries, permit(l, w))
		return nil
	}
}

// permit reads `permit udp any any eq PORT dscp D` and `permit ip any any dscp D`. Most
// lists have nothing to do with QoS, so what is not of this form is no finding here.
func permit(l line, w []string) entry {
	e := entry{at: l.at}
	if len(w) < 4 || w[0] != "permit" || w[2] != "any" || w[3] != "any" {
		return e
	}
	protocol, w := w[1], w[4:]
	if protocol == "udp" && len(w) >= 2 && w[0] == "eq" {
		n, err := strconv.ParseUint(w[1], 10, 16)
		if err != nil || n == 0 {
			return e
		}
		e.port, w = uint16(n), w[2:]
	} else if protocol != "ip" && protocol != "ipv6" {
		return e
	}
	if len(w) != 2 || w[0] != "dscp" {
		return e
	}
	if d, ok := parseCodePoint(w[1]); ok {
		e.dscps, e.known = []uint8{d}, true
	}
	return e
}

func (r *reader) classMap(l line, name string) block {
	r.objects++
	c := &classMap{at: l.at}
	r.classes[name] = c
	return func(l line) block {
		w := l.words
		switch {
		case len(w) == 4 && w[0] == "match" && w[2] == "access-group":
			c.list = w[1] + " " + w[3]
		case len(w) == 3 && w[0] == "match" && w[1] == "dscp":
			c.dscps, _ = r.codePoints(l, w[2:])
		default:
			r.notModelled(l, l.text()+" in a class-map")
		}
		return nil
	}
}

func (r *reader) policyMapLine(l line) block {
	w := l.words
	switch {
	case len(w) == 4 && w[1] == "type" && w[2] == "tx-queue":
		return r.wrong(l, "queues are configured in a qos profile: qos profile NAME, tx-queue N")
	case len(w) == 4 && w[1] == "type" && (w[2] == "quality-of-service" || w[2] == "qos"):
		r.objects++
		p := &policyMap{at: l.at}
		r.policies[w[3]] = p
		return func(l line) block {
			if len(l.words) != 2 || l.words[0] != "class" {
				return r.unknown(l)
			}
			r.objects++
			c := &policyClass{name: l.words[1], at: l.at}
			p.classes = append(p.classes, c)
			return r.policyClass(c)
		}
	}
	return nil // control plane, PBR
}

func (r *reader) policyClass(c *policyClass) block {
	return func(l line) block {
		w := l.words
		if len(w) == 3 && w[0] == "set" && w[1] == "traffic-class" {
			if tc, ok := r.id(l, w[2]); ok {
				c.tc = &tc
			}
			return nil
		}
		if len(w) == 3 && w[0] == "set" && w[1] == "dscp" {
			if d, ok := r.codePoint(l, w[2]); ok {
				c.dscp = &d
			}
			return nil
		}
		return r.notModelled(l, l.text()+" in a policy-map")
	}
}
