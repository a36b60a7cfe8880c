package eos

import (
	"strconv"

	"github.com/roceplan/roceplan/read/cli"
)

// entry reads the lines of an access list. Only entries of the forms that classify
// RoCE are understood; others matter when a policy uses the list.
func (r *reader) entry(a *accessList) func(cli.Line) verdict {
	return func(l cli.Line) verdict {
		w := l.Words
		number := ""
		if w[0][0] >= '0' && w[0][0] <= '9' {
			number, w = w[0], w[1:]
		}
		if len(w) == 0 || l.Undo != cli.Plain {
			return r.dropEntry(a, number, l)
		}
		switch w[0] {
		case "remark", "counters", "statistics", "fragment-rules":
			return neutral("list-remark")
		case "permit", "deny":
		default:
			return verdict{}
		}
		r.objects++
		e := permit(l, w)
		e.number = number
		a.put(e)
		if !e.known {
			return unmodelled("an entry of an access list that does not permit one DSCP of all hosts is not accounted for")
		}
		return modelled()
	}
}

// put adds an entry, in the place of one with its number.
func (a *accessList) put(e entry) {
	if i, ok := a.numbers[e.number]; ok && e.number != "" {
		a.entries[i] = e
		return
	}
	if a.numbers == nil {
		a.numbers = map[string]int{}
	}
	a.numbers[e.number] = len(a.entries)
	a.entries = append(a.entries, e)
}

// dropEntry reads `no 10`.
func (r *reader) dropEntry(a *accessList, number string, l cli.Line) verdict {
	i, ok := a.numbers[number]
	if number == "" || l.Undo == cli.Plain {
		return unmodelled("it is not known which entry of the access list is meant")
	}
	if ok {
		a.entries[i].gone = true
	}
	return modelled()
}

// permit reads `permit udp any any eq PORT dscp D` and `permit ip any any dscp D`. Most
// lists have nothing to do with QoS, so what is not of this form is not a finding here.
func permit(l cli.Line, w []string) entry {
	e := entry{at: l.At}
	if len(w) < 4 || w[0] != "permit" || w[2] != "any" || w[3] != "any" {
		return e
	}
	protocol, w := w[1], w[4:]
	if protocol == "udp" && len(w) == 4 && w[0] == "eq" {
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
	if d, ok := cli.CodePoint(w[1]); ok {
		e.dscps, e.known = []uint8{d}, true
	}
	return e
}

func (r *reader) classMap(l cli.Line, name string) verdict {
	o := owner{kind: aClass, name: name}
	return opened(r, r.classes, l, o, classMap{at: l.At}, func(c *classMap) *mode {
		return &mode{name: "class-map", owner: o, read: func(l cli.Line) verdict { return r.match(c, l) }}
	})
}

func (r *reader) match(c *classMap, l cli.Line) verdict {
	w := l.Words
	switch {
	case w[0] != "match":
		return verdict{}
	case len(w) == 4 && w[2] == "access-group":
		if c.list = w[1] + " " + w[3]; l.Undo != cli.Plain {
			c.list = ""
		}
		return modelled()
	case len(w) == 3 && w[1] == "dscp":
		if c.dscps = nil; l.Undo == cli.Plain {
			c.dscps, _ = r.codePoints(l, w[2:])
			return understood(c.dscps != nil)
		}
		return modelled()
	}
	return r.notModelled(l, l.Text()+" in a class-map")
}

func (r *reader) policyMapLine(l cli.Line) verdict {
	w := l.Words
	switch {
	case len(w) == 4 && w[1] == "type" && w[2] == "tx-queue":
		return r.wrong(l, "queues are configured in a qos profile: qos profile NAME, tx-queue N")
	case len(w) == 4 && w[1] == "type" && (w[2] == "quality-of-service" || w[2] == "qos"):
		return r.policyMap(l, w[3])
	}
	return verdict{} // control plane, PBR
}

func (r *reader) policyMap(l cli.Line, name string) verdict {
	o := owner{kind: aPolicy, name: name}
	return opened(r, r.policies, l, o, policyMap{at: l.At}, func(p *policyMap) *mode {
		return &mode{name: "policy-map", owner: o, read: func(l cli.Line) verdict {
			switch {
			case l.Words[0] != "class":
				return verdict{}
			case len(l.Words) != 2:
				return r.unknown(l)
			case l.Undo != cli.Plain:
				p.drop(l.Words[1])
				return modelled()
			}
			r.objects++
			return opens(&mode{name: "policy-map-class", owner: o, read: r.policyClass(p.class(l.Words[1], l))})
		}}
	})
}

// class returns the class of a policy-map, made where there is none.
func (p *policyMap) class(name string, l cli.Line) *policyClass {
	if c, ok := p.byName[name]; ok {
		return c
	}
	if p.byName == nil {
		p.byName = map[string]*policyClass{}
	}
	c := &policyClass{name: name, at: l.At}
	p.byName[name] = c
	p.classes = append(p.classes, c)
	return c
}

func (p *policyMap) drop(name string) {
	if c, ok := p.byName[name]; ok {
		c.gone = true
		delete(p.byName, name)
	}
}

func (r *reader) policyClass(c *policyClass) func(cli.Line) verdict {
	return func(l cli.Line) verdict {
		w := l.Words
		switch {
		case w[0] != "set" && w[0] != "police" && w[0] != "bandwidth" && w[0] != "priority" && w[0] != "shape" && w[0] != "queue":
			return verdict{}
		case cli.Begins(w, "set", "traffic-class"):
			if c.tc = nil; l.Undo != cli.Plain {
				return modelled()
			}
			if len(w) != 3 {
				return r.unknown(l)
			}
			tc, ok := r.id(l, w[2])
			if ok {
				c.tc = &tc
			}
			return understood(ok)
		case cli.Begins(w, "set", "dscp"):
			if c.dscp = nil; l.Undo != cli.Plain {
				return modelled()
			}
			if len(w) != 3 {
				return r.unknown(l)
			}
			d, ok := r.codePoint(l, w[2])
			if ok {
				c.dscp = &d
			}
			return understood(ok)
		case cli.Begins(w, "set", "cos"):
			return neutral("cos-map")
		case l.Undo != cli.Plain:
			return modelled() // what it takes back was not accounted for
		}
		return r.notModelled(l, l.Text()+" in a policy-map")
	}
}
