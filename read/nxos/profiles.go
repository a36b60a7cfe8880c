package nxos

import (
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/cli"
)

// mostInherited bounds profiles that inherit from one another (Cisco Nexus 7000 NX-OS Interfaces guide, Configuring Basic
// Interface Parameters: four levels).
const mostInherited = 4

// A profile is a port-profile: lines that interfaces inherit once it is enabled.
type profile struct {
	owner   *owner
	enabled bool
	port    port    // what its lines say of an interface
	users   []*port // that have it, also by another profile
}

// A lineAt is a line of an interface with its entry in the ledger.
type lineAt struct {
	cli.Line
	row int
}

// profileLine opens a port profile.
func (r *reader) profileLine(l cli.Line) verdict {
	w := l.Words
	if len(w) != 4 || w[1] != "type" {
		return r.unknown(l)
	}
	if l.Undo != cli.Plain {
		delete(r.profiles, w[3])
		return modelled()
	}
	p := r.profiles[w[3]]
	if p == nil {
		r.objects++
		p = &profile{owner: &owner{}}
		r.profiles[w[3]] = p
	}
	return opens(&mode{name: "interface", owner: p.owner, read: func(l cli.Line) verdict {
		switch w := l.Words; {
		case w[0] == "state":
			p.enabled = l.Undo == cli.Plain && cli.Begins(w, "state", "enabled")
			return modelled()
		case w[0] == "max-ports":
			return neutral("profile-bound")
		}
		return r.keep(&p.port, l)
	}})
}

// inheritLine reads `inherit port-profile NAME` of an interface or a profile.
func (r *reader) inheritLine(p *port, l cli.Line) verdict {
	w := l.Words
	if len(w) != 3 || w[1] != "port-profile" {
		return r.unknown(l)
	}
	if l.Undo == cli.Plain && len(p.inherits) == mostInherited {
		return unmodelled("it inherits more than four profiles")
	}
	same := func(o lineAt) bool { return o.Words[2] == w[2] }
	if p.inherits = stable.Delete(p.inherits, same); l.Undo == cli.Plain {
		p.inherits = append(p.inherits, lineAt{l, len(r.ledger)})
	}
	return modelled()
}

// keep reads a line of an interface or a profile and remembers it, since it wins over what the interface inherits.
func (r *reader) keep(p *port, l cli.Line) verdict {
	v := r.portLine(p, l)
	if v.took && l.Words[0] != "inherit" {
		p.own = append(p.own, lineAt{l, len(r.ledger)})
	}
	return v
}

// inherit gives interfaces the lines of their profiles. A line of the interface wins over one of a profile, a profile over one
// that it inherits from, and a profile over one that the interface inherits later (the same guide).
func (r *reader) inherit() {
	ports := slices.Clone(r.interfaces)
	for _, p := range r.channels {
		ports = append(ports, p)
	}
	found := r.Found
	for _, p := range ports {
		if len(p.inherits) == 0 {
			continue
		}
		was := *p
		*p = port{name: was.name, at: was.at, entry: was.entry, owner: was.owner, inherits: was.inherits, own: was.own}
		r.lay(p, p, mostInherited)
	}
	r.Found = found // the lines have had their findings
}

// lay reads into a port the lines of the profiles that one inherits, and then its own.
func (r *reader) lay(p, from *port, levels int) {
	for _, l := range slices.Backward(from.inherits) {
		q := r.profiles[l.Words[2]]
		r.objects++
		switch {
		case q == nil:
			r.unread(l, "the file has no port-profile "+cli.Clip(l.Words[2]))
		case levels == 0 || r.objects > maxObjects:
			r.unread(l, "the profiles that it inherits are more than four levels deep, or too many")
		case q.enabled:
			r.lay(p, &q.port, levels-1)
			q.users = append(q.users, p)
		}
	}
	ledger := r.ledger
	for _, l := range from.own {
		r.ledger = ledger[:l.row]
		r.portLine(p, l.Line)
	}
	r.ledger = ledger
}

// unread notes that a line inherits what is not known.
func (r *reader) unread(l lineAt, why string) {
	s := &r.ledger[l.row]
	s.Sort, s.Why = read.Unmodelled, why
}
