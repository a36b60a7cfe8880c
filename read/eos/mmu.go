package eos

import "github.com/roceplan/roceplan/read/cli"

// platform reads buffer profiles and the headroom pool.
func (r *reader) platform(l cli.Line) verdict {
	rest, ok := l.After("platform", "trident", "mmu")
	if !ok || len(rest) == 0 {
		return verdict{}
	}
	set := l.Undo == cli.Plain
	switch {
	case len(rest) >= 3 && cli.Begins(rest, "queue", "profile"):
		name := rest[2]
		o := owner{kind: anMMU, name: name}
		switch {
		case len(rest) == 4 && rest[3] == "apply":
			if set {
				r.applied, r.appliedAt = name, l.At
			} else if r.applied == name {
				r.applied = ""
			}
			return modelled()
		case len(rest) == 3:
			return opened(r, r.mmus, l, o, mmu{at: l.At}, func(m *mmu) *mode { return &mode{name: "mmu", owner: o, read: r.mmuLine(m)} })
		}
	case cli.Begins(rest, "headroom-pool") && !set:
		r.headroomPool = amount{}
		return modelled()
	case len(rest) >= 3 && cli.Begins(rest, "headroom-pool", "limit"):
		r.headroomPool = r.amount(l, rest[2:])
		return understood(r.headroomPool.given)
	}
	return r.unknown(l)
}

// mmuLine reads the lines of a buffer profile.
func (r *reader) mmuLine(m *mmu) func(cli.Line) verdict {
	return func(l cli.Line) verdict {
		w := l.Words
		switch {
		case len(w) >= 4 && cli.Begins(w, "ingress", "priority-group"):
			id, ok := r.id(l, w[2])
			if !ok {
				return understood(false)
			}
			return r.shareLine(l, at(&m.groups, id), w[3:])
		case cli.Begins(w, "ingress", "headroom"):
			return r.setAmount(l, &m.headroom, w[2:])
		case cli.Begins(w, "ingress", "resume"):
			return r.setAmount(l, &m.resume, w[2:])
		case len(w) >= 2 && w[0] == "ingress":
			return r.shareLine(l, &m.ingress, w[1:])
		case len(w) >= 5 && cli.Begins(w, "egress", "unicast", "queue"):
			id, ok := r.id(l, w[3])
			if !ok {
				return understood(false)
			}
			return r.shareLine(l, at(&m.queues, id), w[4:])
		case len(w) >= 5 && cli.Begins(w, "egress", "multicast", "queue"):
			if w[4] == "reserved" && (l.Undo != cli.Plain || w[len(w)-1] != "0") {
				return r.notModelled(l, "the buffer of multicast queues")
			}
			return neutral("multicast-queue")
		case w[0] == "ingress" || w[0] == "egress":
			return r.unknown(l)
		}
		return verdict{}
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
func (r *reader) shareLine(l cli.Line, s *share, w []string) verdict {
	switch w[0] {
	case "reserved":
		return r.setAmount(l, &s.reserved, w[1:])
	case "threshold":
		if s.threshold = (limit{}); l.Undo != cli.Plain {
			return modelled()
		}
		s.threshold = r.threshold(l, w[1:])
		return understood(s.threshold.given)
	case "drop-precedence":
		return r.notModelled(l, "drop precedence")
	}
	return r.unknown(l)
}

// setAmount reads an amount, or takes it back: then the device's own counts.
func (r *reader) setAmount(l cli.Line, into *amount, w []string) verdict {
	if *into = (amount{}); l.Undo != cli.Plain {
		return modelled()
	}
	*into = r.amount(l, w)
	return understood(into.given)
}
