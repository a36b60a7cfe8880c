package nxos

import (
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/cli"
	"github.com/roceplan/roceplan/units"
)

// policyMapLine opens a policy-map; one that says no type is of type qos.
func (r *reader) policyMapLine(l cli.Line) verdict {
	w := l.Words[1:]
	kind := "qos"
	if len(w) > 1 && w[0] == "type" {
		kind, w = w[1], w[2:]
	}
	if kind == "control-plane" {
		return neutral("copp")
	}
	if len(w) != 1 || kind != "qos" && kind != "queuing" && kind != "network-qos" {
		return r.unknown(l)
	}
	key := policyKey{kind, w[0]}
	p := r.policies[key]
	if l.Undo != cli.Plain {
		delete(r.policies, key)
		return modelled()
	}
	if p == nil {
		r.objects++
		p = &policy{policyKey: key, at: l.At, owner: &owner{}}
		r.policies[key] = p
	}
	return opens(&mode{name: "policy-map", owner: p.owner, read: func(l cli.Line) verdict { return r.classLine(p, l) }})
}

// classLine opens a class of a policy.
func (r *reader) classLine(p *policy, l cli.Line) verdict {
	w := l.Words
	if w[0] != "class" {
		return verdict{}
	}
	if w = w[1:]; len(w) > 1 && w[0] == "type" {
		if w[1] != p.kind {
			return r.wrong(l, "a policy of type "+p.kind+" has classes of type "+p.kind)
		}
		w = w[2:]
	}
	if len(w) != 1 {
		return r.unknown(l)
	}
	if l.Undo != cli.Plain {
		p.classes = stable.Delete(p.classes, func(c *policyClass) bool { return c.name == w[0] })
		return modelled()
	}
	c := p.class(w[0], l, len(r.ledger))
	r.objects++
	m := &mode{name: p.kind + " class", owner: p.owner}
	if p.kind == "qos" {
		m.read = func(l cli.Line) verdict { return r.qosLine(c, l) }
		return opens(m)
	}
	class, ok := builtInClass(w[0])
	if w[0] == "class-default" {
		class, ok = builtIn{kind: p.kind}, true
	}
	switch {
	case !ok:
		return unmodelled("classes of queues are built in, and this one is not known")
	case class.kind != p.kind:
		return r.wrong(l, "classes of network-qos have names such as c-8q-nqN, those of queues c-out-8q-qN and c-in-qN")
	}
	c.queue, c.input = class.group, class.input
	m.queues = 1 << c.queue
	if p.kind == "queuing" {
		m.read = func(l cli.Line) verdict { return r.queueLine(c, l) }
	} else {
		m.read = func(l cli.Line) verdict { return r.networkLine(c, l) }
	}
	return opens(m)
}

// class returns the class of a policy, made where there is none.
func (p *policy) class(name string, l cli.Line, row int) *policyClass {
	for _, c := range p.classes {
		if c.name == name {
			return c
		}
	}
	c := &policyClass{name: name, at: l.At, row: row}
	p.classes = append(p.classes, c)
	return c
}

// qosLine reads what a policy of type qos does with a class.
func (r *reader) qosLine(c *policyClass, l cli.Line) verdict {
	w := l.Words
	switch {
	case cli.Begins(w, "set", "qos-group"):
		if c.group = nil; l.Undo != cli.Plain {
			return modelled()
		}
		if len(w) != 3 {
			return r.unknown(l)
		}
		n, ok := r.number(l, w[2], 0, 7)
		if group := uint8(n); ok {
			c.group = &group
		}
		return understood(ok)
	case w[0] == "set" || w[0] == "police" || w[0] == "trust" || w[0] == "queue-limit" || w[0] == "table":
		if l.Undo != cli.Plain {
			return unmodelled("the setting that remains without the line is not known")
		}
		return r.notModelled(l, l.Text()+" in a policy of type qos")
	}
	return verdict{}
}

// networkLine reads what a policy of type network-qos does with a class.
func (r *reader) networkLine(c *policyClass, l cli.Line) verdict {
	w := l.Words
	switch {
	case w[0] == "pause" && l.Undo != cli.Plain:
		c.pause, c.paused = 0, false
		return modelled()
	case len(w) == 3 && cli.Begins(w, "pause", "pfc-cos"):
		all, ok := r.set(l, w[2:], 7, plainNumber)
		c.pause, c.paused, c.pauseAt = uint8(all), ok, l.At
		return understood(ok)
	case cli.Begins(w, "pause", "no-drop"):
		return r.notModelled(l, "pause no-drop, which older releases have and which does not say its priority,")
	case w[0] == "mtu":
		if c.mtu = 0; l.Undo != cli.Plain {
			return modelled()
		}
		if len(w) != 2 {
			return r.unknown(l)
		}
		n, ok := r.number(l, w[1], 576, 9216)
		c.mtu, c.mtuRow = units.Bytes(n), len(r.ledger)
		return understood(ok)
	case cli.Begins(w, "congestion-control", "tail-drop"):
		return neutral("tail-drop")
	case w[0] == "congestion-control" && l.Undo != cli.Plain:
		return neutral("tail-drop")
	case w[0] == "congestion-control" || w[0] == "set" || w[0] == "queue-limit" || w[0] == "multicast-optimize":
		return r.notModelled(l, l.Text()+" in a policy of type network-qos")
	}
	return verdict{}
}

// queueLine reads what a policy of type queuing does with a queue.
func (r *reader) queueLine(c *policyClass, l cli.Line) verdict {
	w := l.Words
	set := l.Undo == cli.Plain
	switch {
	case w[0] == "bandwidth" && !set:
		c.weight, c.weightGiven = plan.Derived[int64]{}, false
		return modelled()
	case w[0] == "bandwidth":
		return r.bandwidth(c, l)
	case w[0] == "priority":
		if c.strict = false; !set {
			return modelled()
		}
		if len(w) == 1 {
			c.strict = true
			return modelled()
		}
		if len(w) != 3 || w[1] != "level" {
			return r.unknown(l)
		}
		n, ok := r.number(l, w[2], 1, 8)
		if c.strict = ok; ok && n > 1 {
			return r.notModelled(l, "a priority level above 1")
		}
		return understood(ok)
	case w[0] == "random-detect":
		return r.randomDetect(c, l)
	case w[0] == "pause":
		return r.pauseBuffer(c, l)
	case w[0] == "shape":
		return r.shape(c, l)
	case w[0] == "afd" || w[0] == "queue-limit":
		if !set {
			return unmodelled("the setting that remains without the line is not known")
		}
		return r.notModelled(l, l.Text()+" in a policy of type queuing")
	}
	return verdict{}
}

// rateUnits are those of a shaper that are rates.
var rateUnits = map[string]units.BitRate{"bps": units.BitPerSecond, "kbps": units.Kbps, "mbps": units.Mbps, "gbps": units.Gbps}

// shape reads `shape min 0 gbps max 100 gbps` (Cisco Nexus 9000 QoS guide, Configuring Queuing and
// Scheduling): the most that a queue may send. The minimum is ignored.
func (r *reader) shape(c *policyClass, l cli.Line) verdict {
	if c.rate = (plan.Derived[units.BitRate]{}); l.Undo != cli.Plain {
		return modelled()
	}
	w := l.Words[1:]
	if len(w) == 6 && w[0] == "min" {
		w = w[3:]
	}
	if len(w) != 3 || w[0] != "max" || rateUnits[w[2]] == 0 {
		return r.notModelled(l, l.Text()+" in a policy of type queuing")
	}
	n, ok := r.number(l, w[1], 0, 100_000_000_000)
	rate, fits := units.BitRate(n), n <= int64(maxRate/rateUnits[w[2]])
	if !ok || !fits {
		return r.notModelled(l, l.Text()+" in a policy of type queuing")
	}
	if rate *= rateUnits[w[2]]; rate > 0 {
		c.rate = read.From(rate, "shaper", l.At)
	}
	return modelled()
}

// maxRate bounds what a shaper can say, beyond any port.
const maxRate = 100_000 * units.Gbps

// bandwidth reads `bandwidth percent N` and `bandwidth remaining percent N`. Both are shares
// of what strict queues leave.
func (r *reader) bandwidth(c *policyClass, l cli.Line) verdict {
	w := l.Words[1:]
	if len(w) > 0 && w[0] == "remaining" {
		w = w[1:]
	}
	if len(w) != 2 || w[0] != "percent" {
		return r.unknown(l)
	}
	n, ok := r.percent(l, w[1])
	if ok {
		c.weight = plan.Of(n, &plan.Why{Kind: plan.ReadBack, Name: "weight", Value: plan.Count(n), Range: l.At})
		c.weightGiven = true
	}
	return understood(ok)
}

// randomDetect reads a marking curve.
func (r *reader) randomDetect(c *policyClass, l cli.Line) verdict {
	w := l.Words[1:]
	switch {
	case l.Undo != cli.Plain:
		c.ecn = nil
		return modelled()
	case cli.Begins(w, "ecn"):
		return r.wrong(l, "ecn is the last word: random-detect minimum-threshold N kbytes maximum-threshold N kbytes drop-probability P weight 0 ecn")
	case cli.Begins(w, "threshold"):
		return r.notModelled(l, "a marking curve of the chip's own")
	case len(w) < 10 || w[0] != "minimum-threshold" || w[3] != "maximum-threshold" || w[6] != "drop-probability" || w[8] != "weight":
		return r.unknown(l)
	}
	low, ok := r.depth(l, w[1], w[2])
	high, fine := r.depth(l, w[4], w[5])
	if !ok || !fine {
		return r.unknown(l)
	}
	p, ok := r.number(l, w[7], 0, 100)
	weight, fine := r.number(l, w[9], 0, 15)
	if !ok || !fine {
		return understood(false)
	}
	c.ecn = nil
	switch {
	case len(w) == 10:
		return r.notModelled(l, "WRED that drops")
	case len(w) != 11 || w[10] != "ecn":
		return r.unknown(l)
	case weight > 0:
		return r.notModelled(l, "the weight of an averaged queue length")
	}
	r.ecnUnit(l.At)
	c.ecn = &plan.ECN{KMin: read.From(low, "kmin", l.At), KMax: read.From(high, "kmax", l.At), PMax: read.From(units.Ratio(p)*units.Percent, "pmax", l.At)}
	return modelled()
}

// pauseBuffer reads the buffer of a paused class, in bytes. The resume threshold is at most the
// pause threshold, and that below the buffer: the headroom is between the two.
func (r *reader) pauseBuffer(c *policyClass, l cli.Line) verdict {
	w := l.Words
	if l.Undo != cli.Plain {
		c.buffer = nil
		return modelled()
	}
	if !c.input {
		return r.wrong(l, "buffers of paused classes are set in a policy of type queuing for input: class type queuing c-in-q3")
	}
	if len(w) != 7 || w[1] != "buffer-size" || w[3] != "pause-threshold" || w[5] != "resume-threshold" {
		return r.unknown(l)
	}
	const most = 256 << 20 // ipqosPause of Cisco's NX-API: 5,000 to 268,435,456 B
	size, ok := r.number(l, w[2], 5000, most)
	pause, fine := r.number(l, w[4], 0, most)
	resume, good := r.number(l, w[6], 0, most)
	if !ok || !fine || !good {
		return understood(false)
	}
	if pause >= size || resume > pause {
		r.Found.Errorf(Thresholds, l.At, "the buffer has %d B, pauses at %d B and resumes at %d B: the resume threshold must be at most the pause threshold, and the pause threshold below the buffer", size, pause, resume).
			Fix = "order them: resume-threshold ≤ pause-threshold < buffer-size"
	}
	c.buffer = &buffer{units.Bytes(size), units.Bytes(pause), units.Bytes(resume), l.At}
	return modelled()
}
