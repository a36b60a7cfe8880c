package nxos

import (
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/cli"
)

// classMapLine opens a class-map of type qos, which is the type of one that says none.
func (r *reader) classMapLine(l cli.Line) verdict {
	w := l.Words[1:]
	kind := "qos"
	if len(w) > 1 && w[0] == "type" {
		kind, w = w[1], w[2:]
	}
	all := true // what holds without a word for it: Cisco Nexus 9000 QoS guide, Classification
	if len(w) > 1 && (w[0] == "match-any" || w[0] == "match-all") {
		all, w = w[0] == "match-all", w[1:]
	}
	if len(w) != 1 {
		return r.unknown(l)
	}
	switch kind {
	case "qos":
	case "control-plane":
		return neutral("copp")
	case "queuing":
		return r.queuingClass(w[0])
	case "network-qos":
		return r.notModelled(l, "a class-map of type network-qos by hand, which older releases have,")
	default:
		return r.unknown(l)
	}
	c := r.classes[w[0]]
	if l.Undo != cli.Plain {
		delete(r.classes, w[0])
		return modelled()
	}
	if c == nil {
		r.objects++
		c = &classMap{name: w[0], at: l.At, owner: &owner{}}
		r.classes[w[0]] = c
	}
	c.all = all
	return opens(&mode{name: "class-map", owner: c.owner, read: func(l cli.Line) verdict { return r.matchLine(c, l) }})
}

// queuingClass reads what `show running-config all` prints of the built-in classes.
func (r *reader) queuingClass(name string) verdict {
	class, ok := builtInClass(name)
	if !ok {
		return unmodelled("classes of queues are built in, and this one is not known")
	}
	v := neutral("built-in-class")
	v.child = &mode{name: "class-map", read: func(l cli.Line) verdict {
		if l.Words[0] != "match" {
			return verdict{}
		}
		if len(l.Words) != 3 || l.Words[1] != "qos-group" || l.Words[2] != strconv.Itoa(int(class.group)) || l.Undo != cli.Plain {
			return unmodelled("the queue of a built-in class is fixed, but this line has another")
		}
		return neutral("built-in-class")
	}}
	return v
}

// matchLine reads one line of a class-map.
func (r *reader) matchLine(c *classMap, l cli.Line) verdict {
	w := l.Words
	if w[0] != "match" {
		return verdict{}
	}
	if len(w) < 3 {
		return r.unknown(l)
	}
	var m match
	verdict := modelled()
	switch w[1] {
	case "dscp":
		bits, ok := r.set(l, w[2:], 63, cli.CodePoint)
		if !ok {
			return understood(false)
		}
		m.dscps = bits
	case "precedence":
		bits, ok := r.set(l, w[2:], 7, plainNumber)
		if !ok {
			return understood(false)
		}
		for d := range uint8(64) {
			m.dscps |= bits >> (d / 8) & 1 << d
		}
	case "cos":
		if _, ok := r.set(l, w[2:], 7, plainNumber); !ok {
			return understood(false)
		}
		m.cos = true
		verdict = unmodelled("packets get their class by the CoS of their VLAN tag")
		verdict.harmless = read.TagAsDSCP("match dscp, where hosts mark the DSCP")
	case "access-group", "protocol", "packet", "qos-group":
		m.cos = true
		verdict = unmodelled("packets get their class by more than their DSCP, which is not accounted for")
	default:
		return r.unknown(l)
	}
	if l.Undo == cli.Plain {
		c.matches = append(c.matches, m)
		return verdict
	}
	c.matches = stable.Delete(c.matches, func(old match) bool { return old.dscps == m.dscps && old.cos == m.cos })
	return modelled()
}

// dscps returns the code points of packets that a class takes, as bits.
func (c *classMap) dscps() (bits uint64) {
	if c.all {
		bits = ^uint64(0)
	}
	plain := false
	for _, m := range c.matches {
		switch {
		case m.cos && c.all:
			return 0 // more than a DSCP is asked for
		case m.cos:
		case c.all:
			bits, plain = bits&m.dscps, true
		default:
			bits, plain = bits|m.dscps, true
		}
	}
	if !plain {
		return 0
	}
	return bits
}

// A builtIn is a class that NX-OS has by itself.
type builtIn struct {
	kind  string // "queuing" or "network-qos"
	group uint8  // qos-group, and queue
	input bool   // of queuing: for packets that come in
}

// builtInClass parses the name of a built-in class: "c-out-8q-q3", "c-in-q3", "c-8q-nq3",
// "c-8q-nq-default".
func builtInClass(name string) (b builtIn, ok bool) {
	for _, form := range []struct {
		prefix string
		builtIn
	}{
		{"c-out-8q-q", builtIn{kind: "queuing"}}, {"c-out-q", builtIn{kind: "queuing"}},
		{"c-in-8q-q", builtIn{kind: "queuing", input: true}}, {"c-in-q", builtIn{kind: "queuing", input: true}},
		{"c-8q-nq", builtIn{kind: "network-qos"}}, {"c-nq", builtIn{kind: "network-qos"}},
	} {
		rest, has := strings.CutPrefix(name, form.prefix)
		if !has {
			continue
		}
		if b = form.builtIn; rest == "-default" {
			return b, true
		}
		n, fine := plainNumber(rest)
		b.group = n
		return b, fine && n <= 7
	}
	return b, false
}
