package eos

import (
	"maps"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/cli"
)

// A mode is a place of the CLI for lines of one kind.
type mode struct {
	name string // as the table of neutral lines calls it
	// read takes a line if this mode knows it. Nil: it knows none.
	read    func(cli.Line) verdict
	owner   owner
	section bool // all lines below belong to one entry of the ledger
}

// ask offers a line to a mode.
func (m *mode) ask(l cli.Line) verdict {
	if m.read == nil || len(l.Words) == 0 {
		return verdict{}
	}
	v := m.read(l)
	if v.took && v.owner == (owner{}) {
		v.owner = m.owner
	}
	return v
}

// passed returns the neutral verdict of a mode's table, if it has one for a line.
func (r *reader) passed(m *mode, l cli.Line) verdict {
	if m == nil || len(l.Words) == 0 {
		return verdict{}
	}
	if rule := r.table.Find(m.name, l); rule != "" {
		return neutral(rule).of(m.owner)
	}
	return verdict{}
}

// A verdict is what the reader makes of a line. A line that no mode took has the zero verdict.
type verdict struct {
	took bool
	sort read.Sort
	rule string
	why  string
	// harmless is under which condition a line that is not modelled changes nothing.
	harmless *read.Assumption
	owner    owner
	child    *mode // what reads the lines below; nil: see [walker.enter]
}

func modelled() verdict           { return verdict{took: true, sort: read.Modelled} }
func neutral(rule string) verdict { return verdict{took: true, sort: read.Neutral, rule: rule} }

// unmodelled is a line that may affect lossless traffic.
//
//go:noinline
func unmodelled(why string) verdict { return verdict{took: true, why: why} }

// opens is a modelled line with lines below.
func opens(m *mode) verdict { return verdict{took: true, sort: read.Modelled, child: m} }

// opened finds or makes the object of a line, which opens a mode of its own; a line that takes it back removes it.
func opened[T any](r *reader, of map[string]*T, l cli.Line, o owner, made T, in func(*T) *mode) verdict {
	if l.Undo != cli.Plain {
		delete(of, o.name)
		return modelled().of(o)
	}
	object := of[o.name]
	if object == nil {
		r.objects++
		object = &made
		of[o.name] = object
	}
	return opens(in(object)).of(o)
}

// of says what a line acts on, where that is not what its mode acts on.
func (v verdict) of(o owner) verdict {
	v.owner = o
	return v
}

// An owner is the part of the configuration that a line belongs to. Its scope is known when the
// whole file is read: a profile acts on the ports that use it.
type owner struct {
	kind ownerKind
	name string
	part part
	// carried is set on lines of a port channel that its members take over in the plan.
	carried bool
}

// A part of what a port or a switch does; a zero field is without bound.
type part struct {
	queues uint16
	tcs    uint8
	dscps  uint64
}

type ownerKind uint8

const (
	wholeSwitch ownerKind = iota
	onePort
	aProfile
	aTemplate
	aChannel
	aPolicy
	aClass
	aList
	anMMU
)

// queue returns the part of an owner that one queue is.
func (o owner) queue(id uint8) owner {
	o.part.queues = 1 << id
	return o
}

// note enters a line into the ledger and returns the entry's number.
func (r *reader) note(l cli.Line, v verdict) int {
	s := read.Statement{At: l.At, Text: l.Text(), Sort: v.sort, Rule: v.rule, Why: v.why, Harmless: v.harmless}
	if s.Sort == read.Unmodelled {
		s.Touches = read.Scope{Queues: v.owner.part.queues, TCs: v.owner.part.tcs, DSCPs: v.owner.part.dscps}
	}
	if v.owner.kind != wholeSwitch {
		r.owners = append(r.owners, owned{len(r.ledger), v.owner})
	}
	r.ledger = append(r.ledger, s)
	return len(r.ledger) - 1
}

// owned is an entry of the ledger that belongs to a part of the configuration.
type owned struct {
	entry int
	owner owner
}

// mark turns an entry of the ledger into one that is not modelled, for one port more, and returns it.
func (r *reader) mark(entry int, why, port string) *read.Statement {
	s := &r.ledger[entry]
	if s.Sort != read.Unmodelled || s.Why != why {
		s.Sort, s.Rule, s.Why, s.Touches, s.Harmless = read.Unmodelled, "", why, read.Scope{}, nil
	}
	s.Touches.Ports = append(s.Touches.Ports, port)
	return s
}

// byTag returns the condition of ports that trust the CoS.
func byTag() *read.Assumption { return read.TagAsDSCP("qos trust dscp, where hosts mark the DSCP") }

// users are the ports that obey a part of the configuration, sorted.
type users struct {
	whole bool
	ports []string
}

// largestUnion bounds the ports that are listed for what several policies share; beyond,
// it counts as the whole switch. It bounds the memory that a hostile file can take.
const largestUnion = 64

// with joins two sets of ports. Most often one is empty, and they share the list.
func (u users) with(other users) users {
	switch {
	case u.whole || other.whole:
		return users{whole: true}
	case len(u.ports) == 0:
		return other
	case len(other.ports) == 0 || slices.Equal(u.ports, other.ports):
		return u
	case len(u.ports)+len(other.ports) > largestUnion:
		return users{whole: true}
	}
	all := slices.Concat(u.ports, other.ports)
	slices.Sort(all)
	return users{ports: slices.Compact(all)}
}

// A parts table knows who obeys what.
type parts struct {
	profiles, channels, policies, classes, lists map[string]users
	marking                                      string // the policy-map that the plan holds
}

// settle gives each entry of the ledger what it acts on. Lines of what nothing uses are
// neutral; lines of a policy-map that the plan does not hold are not modelled.
func (b *assembler) settle() {
	p := b.parts()
	unused := map[diag.Range]bool{}
	defer func() { // what nothing obeys needs no warning that it is not modelled
		b.Found = stable.Delete(b.Found, func(d diag.Diagnostic) bool {
			return d.Severity == diag.Warning && (d.Code == NotModelled || d.Code == Unknown) && unused[d.Subject]
		})
	}()
	for _, o := range b.owners {
		s := &b.ledger[o.entry]
		var u users
		switch o.owner.kind {
		case onePort:
			u.ports = []string{o.owner.name}
		case aProfile:
			u = p.profiles[o.owner.name]
		case aTemplate:
			if of := b.templates[o.owner.name]; of != nil {
				u.ports = of.users
			}
		case aChannel:
			if u = p.channels[o.owner.name]; s.Sort == read.Modelled && !o.owner.carried {
				s.Sort, s.Why = read.Unmodelled, "settings of a port channel act on its members, which is not accounted for"
			}
		case aPolicy:
			u = p.policies[o.owner.name]
			b.unheld(s, o.owner.name != p.marking)
		case aClass:
			u = p.classes[o.owner.name]
			b.unheld(s, !b.inMarking(o.owner.name, false))
		case aList:
			u = p.lists[o.owner.name]
			b.unheld(s, !b.inMarking(o.owner.name, true))
		case anMMU:
			u.whole = o.owner.name == b.applied && len(b.interfaces) > 0
		}
		switch {
		case len(u.ports) == 0 && !u.whole:
			s.Sort, s.Rule, s.Why, s.Touches = read.Neutral, "unused", "", read.Scope{}
			unused[s.At] = true
		case s.Sort != read.Unmodelled:
			s.Touches = read.Scope{}
		case !u.whole:
			s.Touches.Ports = u.ports
		}
	}
}

func (b *assembler) unheld(s *read.Statement, is bool) {
	if is && s.Sort == read.Modelled {
		s.Sort, s.Why = read.Unmodelled, "it is part of a policy that classifies packets, which is modelled only on untrusted ports"
	}
}

// inMarking reports whether the policy-map that the plan holds uses a class-map, or an
// access list.
func (b *assembler) inMarking(name string, list bool) bool {
	p := b.policies[b.policy]
	return p != nil && slices.ContainsFunc(p.classes, func(c *policyClass) bool {
		class := b.reader.classes[c.name]
		return !list && c.name == name || list && class != nil && class.list == name
	})
}

// parts follows the references of the file.
func (b *assembler) parts() parts {
	p := parts{profiles: map[string]users{}, channels: map[string]users{}, policies: map[string]users{}, classes: map[string]users{}, lists: map[string]users{}}
	add := func(to map[string]users, name string, u users) {
		if name != "" {
			to[name] = to[name].with(u)
		}
	}
	direct := map[string]users{} // ports by their own policy
	one := func(to map[string]users, name, port string) {
		if name != "" {
			to[name] = users{ports: append(to[name].ports, port)}
		}
	}
	for _, own := range b.interfaces {
		one(p.profiles, own.profile, own.name)
		one(p.channels, own.channel, own.name)
		one(direct, own.policy, own.name)
	}
	for _, of := range []map[string]users{p.profiles, p.channels, direct} {
		for _, u := range of {
			slices.Sort(u.ports)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(direct)) {
		add(p.policies, name, direct[name])
	}
	for _, name := range slices.Sorted(maps.Keys(b.channels)) {
		c := b.channels[name]
		add(p.profiles, c.profile, p.channels[name])
		add(p.policies, c.policy, p.channels[name])
	}
	for _, name := range slices.Sorted(maps.Keys(b.profiles)) {
		add(p.policies, b.profiles[name].policy, p.profiles[name])
	}
	for _, name := range b.elsewhere {
		add(p.policies, name, users{whole: true})
		add(p.profiles, name, users{whole: true})
	}
	for _, name := range slices.Sorted(maps.Keys(b.policies)) {
		for _, c := range b.policies[name].classes {
			add(p.classes, c.name, p.policies[name])
			if class := b.reader.classes[c.name]; class != nil {
				add(p.lists, class.list, p.policies[name])
			}
		}
	}
	p.marking = b.policy
	return p
}

// unknown is a line of a kind that is understood, in a form that is not.
func (r *reader) unknown(l cli.Line) verdict {
	r.Once(diag.Warning, Unknown, l.At, "the form of this line is not known: "+l.Text(), "")
	return unmodelled("its form is not known")
}

// notModelled is a line that EOS obeys and the plan cannot hold.
func (r *reader) notModelled(l cli.Line, what string) verdict {
	r.Once(diag.Warning, NotModelled, l.At, what+" is not accounted for", "")
	return unmodelled(what + " is not accounted for")
}

// wrong is a line that EOS refuses. An error says so, so it is accounted for.
func (r *reader) wrong(l cli.Line, fix string) verdict {
	r.Found.Errorf(Wrong, l.At, "EOS does not take %q", l.Text()).Fix = fix
	return modelled()
}
