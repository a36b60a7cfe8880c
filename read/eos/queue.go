package eos

import (
	"github.com/roceplan/roceplan/diag"
	row "github.com/roceplan/roceplan/format/eos"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/cli"
	"github.com/roceplan/roceplan/units"
)

// queueBlock opens one queue of a port.
func (r *reader) queueBlock(p *port, o owner, l cli.Line) verdict {
	if len(l.Words) != 2 {
		return r.unknown(l)
	}
	id, ok := r.id(l, l.Words[1])
	if !ok {
		return understood(false)
	}
	o = o.queue(id)
	if l.Undo != cli.Plain {
		p.queues[id] = nil
		return modelled().of(o)
	}
	q := at(&p.queues, id)
	q.at = l.At
	return opens(&mode{name: "queue", owner: o, read: func(l cli.Line) verdict {
		if l.Undo == cli.No && cli.Begins(l.Words, "random-detect", "ecn") && !cli.Begins(l.Words, "random-detect", "ecn", "count") {
			r.mayYield(p, o, func(profile *port) bool { return profile.queues[id] != nil && profile.queues[id].ecn != nil })
		}
		return r.queueLine(q, l)
	}}).of(o)
}

func (r *reader) queueLine(q *queue, l cli.Line) verdict {
	w := l.Words
	set := l.Undo == cli.Plain
	switch {
	case len(w) == 2 && cli.Begins(w, "priority", "strict") && set:
		q.strict, q.strictLine = ptr(true), l.At
	case cli.Begins(w, "priority") && l.Undo == cli.No:
		q.strict = ptr(false)
	case cli.Begins(w, "priority") && l.Undo == cli.Restore:
		q.strict = nil
	case cli.Begins(w, "bandwidth", "guaranteed"):
		return r.guaranteed(q, l, w[2:])
	case cli.Begins(w, "bandwidth", "percent") && !set:
		q.weight = 0
	case len(w) == 3 && cli.Begins(w, "bandwidth", "percent"):
		n, ok := r.leaf(l, row.Weight, w[2])
		if ok {
			q.weight, q.weightAt = n, l.At
		}
		return understood(ok)
	case cli.Begins(w, "shape", "rate") && !set:
		q.rate = 0
	case len(w) > 2 && cli.Begins(w, "shape", "rate"):
		var ok bool
		q.rate, ok = r.rate(l, w[2:])
		q.rateAt = l.At
		return understood(ok)
	case cli.Begins(w, "random-detect", "ecn"):
		return r.ecn(q, l, w[2:])
	case cli.Begins(w, "random-detect") && !set:
		return neutral("default-drop-curve")
	case cli.Begins(w, "random-detect"):
		return r.notModelled(l, "WRED that drops")
	case cli.Begins(w, "scheduler"):
		return r.notModelled(l, "a scheduler profile of a queue")
	default:
		return verdict{}
	}
	return modelled()
}

// guaranteed reads `bandwidth guaranteed percent N` and `bandwidth guaranteed N`, in kb/s.
// Whether there is some matters to the watchdog; how much it is, to no lossless packet.
func (r *reader) guaranteed(q *queue, l cli.Line, w []string) verdict {
	if l.Undo != cli.Plain {
		q.guaranteed = ptr(false)
		return neutral("guaranteed-bandwidth")
	}
	most := int64(1 << 40)
	if len(w) == 2 && w[0] == "percent" {
		w, most = w[1:], row.Of(row.Guarantee).Most
	}
	if len(w) != 1 {
		return r.unknown(l)
	}
	_, ok := r.number(l, w[0], 1, most)
	if !ok {
		return understood(false)
	}
	q.guaranteed = ptr(true)
	return neutral("guaranteed-bandwidth")
}

// ecn reads `minimum-threshold N U maximum-threshold N U [max-mark-probability P]
// [weight W]`. EOS marks every packet between the thresholds with 100 % where no
// probability is given.
func (r *reader) ecn(q *queue, l cli.Line, w []string) verdict {
	switch {
	case len(w) >= 1 && w[0] == "count":
		return neutral("ecn-count")
	case len(w) >= 1 && w[0] == "delay" && l.Undo == cli.Plain:
		return r.notModelled(l, "ECN by delay")
	case len(w) >= 1 && w[0] == "delay":
		return neutral("default-drop-curve")
	case l.Undo != cli.Plain:
		q.ecn = nil
		return modelled()
	case len(w) < 6 || len(w)%2 != 0 || w[0] != "minimum-threshold" || w[3] != "maximum-threshold":
		return r.unknown(l)
	}
	low, ok := r.depth(l, w[1], w[2])
	high, fine := r.depth(l, w[4], w[5])
	if !ok || !fine {
		return understood(false)
	}
	e := &plan.ECN{KMin: read.From(low, "kmin", l.At), KMax: read.From(high, "kmax", l.At), PMax: read.From(units.Ratio(row.Of(row.Probability).Default()), "pmax", l.At)}
	v := modelled()
	for i := 6; i < len(w); i += 2 {
		switch w[i] {
		case "max-mark-probability":
			n, ok := r.leaf(l, row.Probability, w[i+1])
			if !ok {
				v = understood(false)
			}
			e.PMax = read.From(units.Ratio(row.Of(row.Probability).Means(n)), "pmax", l.At)
		case "weight":
			if n, ok := r.leaf(l, row.Averaging, w[i+1]); !ok {
				v = understood(false)
			} else if n > 0 {
				v = r.notModelled(l, "the weight of an averaged queue length")
			}
		default:
			v = r.unknown(l)
		}
	}
	q.ecn = e
	return v
}

// depth reads a queue length.
func (r *reader) depth(l cli.Line, number, unit string) (units.Bytes, bool) {
	factor, ok := map[string]units.Bytes{"bytes": units.Byte, "kbytes": units.KB, "mbytes": units.MB}[unit]
	if !ok {
		r.Once(diag.Warning, Unit, l.At, "an ECN threshold in "+cli.Clip(unit)+" has no meaning without the platform and the port", "write bytes or kbytes")
		return 0, false
	}
	_, most := row.Of(row.MarkFrom).Bounds()
	n, fine := r.number(l, number, 0, most/int64(factor))
	return units.Bytes(n) * factor, fine
}
