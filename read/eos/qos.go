package eos

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/read/cli"
)

// qos reads maps, names and the opening of a profile.
func (r *reader) qos(l cli.Line) verdict {
	w := l.Words
	if len(w) < 2 {
		return r.unknown(l)
	}
	switch w[1] {
	case "profile":
		return r.profileLine(l)
	case "map":
		return r.qosMap(l)
	case "traffic-class":
		if len(w) >= 4 && w[3] == "name" {
			tc, ok := r.id(l, w[2])
			if ok && l.Undo == cli.Plain && len(w) == 5 {
				r.names[tc], r.nameAt[tc] = w[4], l.At
			} else if ok {
				r.names[tc], r.nameAt[tc] = "", diag.Range{}
			}
			return understood(ok)
		}
		return r.unknown(l)
	case "list":
		return r.wrong(l, "enable PFC at the interface: priority-flow-control priority N no-drop")
	case "tx-queue", "uc-tx-queue", "mc-tx-queue":
		return r.queueNames(l)
	case "rewrite":
		if len(w) == 3 && w[2] == "cos" {
			return neutral("cos-map")
		}
		if len(w) == 3 && w[2] == "dscp" {
			r.rewriting.on, r.rewriting.by, r.rewriting.at = l.Undo == cli.Plain, len(r.ledger), l.At
			if l.Undo != cli.Plain {
				return modelled() // EOS does not rewrite by default
			}
			return unmodelled(unknownRewriting)
		}
		return r.notModelled(l, "the line "+l.Text())
	case "random-detect":
		if cli.Begins(w, "qos", "random-detect", "ecn", "allow", "non-ect") {
			return neutral("ecn-non-ect")
		}
	case "trust", "cos", "dscp":
		return verdict{} // of an interface
	}
	return r.unknown(l)
}

// queueNames reads `qos tx-queue N name X`, and what else may be said of a queue of the
// whole switch.
func (r *reader) queueNames(l cli.Line) verdict {
	w := l.Words
	if len(w) >= 4 && w[3] == "name" {
		_, ok := r.id(l, w[2])
		if !ok {
			return understood(false)
		}
		return neutral("queue-name")
	}
	if w[1] == "mc-tx-queue" {
		return neutral("multicast-queue")
	}
	return r.notModelled(l, "the line "+l.Text())
}

func (r *reader) profileLine(l cli.Line) verdict {
	w := l.Words
	if len(w) != 3 {
		return r.unknown(l)
	}
	o := owner{kind: aProfile, name: w[2]}
	return opened(r, r.profiles, l, o, port{name: w[2], at: l.At}, func(p *port) *mode { return r.portMode(p, o) })
}

// defaultClass returns the class of a code point that no line maps: the manual's default map,
// with 0 and 1 swapped.
func defaultClass(dscp uint8) uint8 { return [8]uint8{1, 0, 2, 3, 4, 5, 6, 7}[dscp/8] }

// qosMap reads `qos map X to Y`; `no qos map X` gives the default back, with Y or without.
func (r *reader) qosMap(l cli.Line) verdict {
	w := l.Words
	set := l.Undo == cli.Plain
	to := slices.Index(w, "to")
	if to < 0 && !set {
		to = len(w)
	}
	if to < 4 || set && to+2 >= len(w) {
		return r.unknown(l)
	}
	source, values, target := w[2], w[3:to], ""
	if to+1 < len(w) {
		target = w[to+1]
	}
	switch {
	case target == "uc-tx-queue" || target == "mc-tx-queue":
		return r.wrong(l, "write to tx-queue: the map has this form on all platforms")
	case source == "dscp" && (target == "traffic-class" || target == ""):
		return r.mapDSCP(l, values, w[min(to+2, len(w)):])
	case source == "traffic-class" && target == "tx-queue":
		return r.mapQueue(l, values, w[min(to+2, len(w)):])
	case source == "traffic-class" && target == "dscp":
		tcs, ok := r.ids(l, values)
		dscp, fine := r.codePoint(l, w[min(to+2, len(w)-1)])
		if !ok || !fine {
			return understood(false)
		}
		for tc := range uint8(8) {
			if tcs&(1<<tc) == 0 {
				continue
			}
			if r.rewriting.dscp.Add(tc, dscp); !set {
				r.rewriting.dscp.TCs &^= 1 << tc
			}
			r.rewriting.lines[tc] = len(r.ledger)
		}
		if !set {
			return modelled()
		}
		return unmodelled("packets of the class may leave with this DSCP, and the next hop then takes them for another class").of(owner{part: part{tcs: tcs}})
	case source == "cos" || source == "exp" || target == "cos" || target == "exp":
		return neutral("cos-map")
	}
	return r.unknown(l)
}

func (r *reader) mapDSCP(l cli.Line, values, target []string) verdict {
	dscps, ok := r.codePoints(l, values)
	if !ok {
		return understood(false)
	}
	var tc uint8
	if l.Undo == cli.Plain {
		if tc, ok = r.id(l, target[0]); !ok {
			return understood(false)
		}
		r.dscpAt[tc] = l.At
	}
	var bits uint64
	for _, d := range dscps {
		bits |= 1 << d
		r.dscps[d], r.places.DSCPToTC[d] = tc, l.At
		if l.Undo != cli.Plain {
			r.dscps[d], r.places.DSCPToTC[d] = defaultClass(d), diag.Range{}
		}
	}
	if len(target) > 1 {
		return r.notModelled(l, "drop precedence").of(owner{part: part{dscps: bits}})
	}
	return modelled()
}

func (r *reader) mapQueue(l cli.Line, values, target []string) verdict {
	tcs, ok := r.ids(l, values)
	if !ok {
		return understood(false)
	}
	q := uint8(0)
	if l.Undo == cli.Plain {
		if q, ok = r.id(l, target[0]); !ok || len(target) > 1 {
			return understood(false)
		}
	}
	for tc := range uint8(8) {
		if tcs&(1<<tc) == 0 {
			continue
		}
		r.queueOf[tc], r.places.TCToQueue[tc] = q, l.At
		if l.Undo != cli.Plain {
			r.queueOf[tc], r.places.TCToQueue[tc] = tc, diag.Range{}
		}
	}
	return modelled()
}

// ids reads numbers from 0 to 7 as a set of bits.
func (r *reader) ids(l cli.Line, words []string) (bits uint8, ok bool) {
	for _, w := range words {
		id, ok := r.id(l, w)
		if !ok {
			return 0, false
		}
		bits |= 1 << id
	}
	return bits, true
}
