package eos

import (
	"cmp"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/read/cli"
)

// A template is an interface profile: lines behind `command` that interfaces with the line `profile NAME` have (form: arista.avd,
// eos_cli_config_gen, interface_profiles).
type template struct {
	port  port
	users []string
}

// taken is what an interface or a profile has of lines: their entries in the ledger, and the profiles that they name.
type taken struct {
	lines []int
	uses  []use
}

func (p *port) take(entry int) {
	if p.taken == nil {
		p.taken = &taken{}
	}
	p.lines = append(p.lines, entry)
}

// A use is the name of an interface profile in a line of an interface.
type use struct {
	name  string
	entry int // of the ledger
}

// templateLine opens an interface profile.
func (r *reader) templateLine(l cli.Line) verdict {
	o := owner{kind: aTemplate, name: l.Words[2]}
	return opened(r, r.templates, l, o, template{}, func(t *template) *mode {
		return &mode{name: "interface profile", owner: o, read: func(l cli.Line) verdict {
			if l.Words[0] != "command" || len(l.Words) < 2 || l.Undo != cli.Plain {
				return verdict{}
			}
			if l.Words = l.Words[1:]; len(l.Words) > 1 {
				if undo, ok := map[string]cli.Undo{"no": cli.No, "default": cli.Restore}[l.Words[0]]; ok {
					l.Undo, l.Words = undo, l.Words[1:]
				}
			}
			v := r.portLine(&t.port, o, l)
			switch {
			case !v.took:
				return r.passed(&mode{name: "interface"}, l)
			case v.child != nil:
				return unmodelled("how lines below another are in an interface profile is not published")
			}
			t.port.take(len(r.ledger))
			return v
		}}
	})
}

// useLine reads `profile NAME …` of an interface.
func (r *reader) useLine(p *port, o owner, l cli.Line) verdict {
	names := l.Words[1:]
	switch {
	case o.kind == aChannel:
		return unmodelled("the lines of an interface profile at a port channel are not accounted for")
	case o.kind != onePort:
		return verdict{}
	case l.Undo != cli.Plain:
		p.uses = stable.Delete(p.uses, func(u use) bool { return len(names) == 0 || slices.Contains(names, u.name) })
		return modelled()
	case p.uses != nil:
		return unmodelled("whether a second line adds a profile or replaces the first is not published")
	}
	for _, name := range names {
		p.uses = append(p.uses, use{name, len(r.ledger)})
	}
	return modelled()
}

// inherit gives interfaces the lines of their profiles. Which line EOS obeys is not published where the interface, or a profile
// that it names earlier, sets the same: that is named.
func (r *reader) inherit() {
	for _, p := range r.interfaces {
		if p.taken == nil || p.uses == nil {
			continue
		}
		has := map[string]string{}
		for _, entry := range p.lines {
			text := r.ledger[entry].Text
			has[setting(text)] = text
		}
		for _, u := range p.uses {
			t := r.templates[u.name]
			if t == nil {
				r.mark(u.entry, "the file has no interface profile "+cli.Clip(u.name), p.name)
				continue
			}
			if t.users = append(t.users, p.name); t.port.taken == nil {
				continue
			}
			if r.inRanges += len(t.port.lines); r.inRanges > mostInRanges {
				r.mark(u.entry, tooManyRanges, p.name)
				continue
			}
			for _, entry := range t.port.lines {
				text := strings.TrimPrefix(r.ledger[entry].Text, "command ")
				key := setting(text)
				if other, ok := has[key]; ok && other != text {
					r.mark(entry, otherwise, p.name)
				}
				has[key] = text
			}
			*p = merge(with(*p, &t.port), t.port)
		}
	}
}

// with adds to an interface what only interfaces have of a profile.
func with(p port, t *port) port {
	p.routed, p.shut = either(p.routed, t.routed), p.shut || t.shut
	if !p.mtu.given {
		p.mtu = t.mtu
	}
	if p.profile == "" {
		p.profile, p.profileAt = t.profile, t.profileAt
	}
	p.channel, p.fec, p.speed, p.fallback = cmp.Or(p.channel, t.channel), cmp.Or(p.fec, t.fec), cmp.Or(p.speed, t.speed), cmp.Or(p.fallback, t.fallback)
	return p
}

const otherwise = "an interface that has the profile says otherwise, and it is not published which of the two EOS obeys"

// setting returns the setting that a line of an interface sets: two lines of one setting cannot both hold.
func setting(text string) string {
	w := strings.Fields(text)
	if len(w) > 1 && (w[0] == "no" || w[0] == "default") {
		w = w[1:]
	}
	switch {
	case len(w) == 1 && w[0] == "priority-flow-control":
		return w[0] + " on"
	case len(w) > 0:
		w = w[:min(len(w), max(1, map[string]int{"priority-flow-control": 3, "qos": 2}[w[0]]))]
	}
	return strings.Join(w, " ")
}
