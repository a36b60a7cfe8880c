package nxos

import (
	"slices"

	"github.com/roceplan/roceplan/read"
)

// settle gives each statement what it acts on. Lines of what nothing uses are neutral.
func (a *assembler) settle() {
	a.follow()
	for i, o := range a.owners {
		if o == nil {
			continue
		}
		s := &a.ledger[i]
		switch {
		case len(o.ports) == 0 && !o.whole:
			s.Sort, s.Rule, s.Why, s.Touches = read.Neutral, "unused", "", read.Scope{}
		case s.Sort == read.Unmodelled && !o.whole:
			s.Touches.Ports = o.ports
		}
	}
}

// follow records for each owner who obeys it.
func (a *assembler) follow() {
	a.give("", a.system)
	for _, p := range a.interfaces {
		a.give(p.name, p.policyUses)
	}
	for _, p := range a.profiles {
		for _, user := range p.users {
			if user.owner == nil {
				p.owner.ports = append(p.owner.ports, user.name)
			} else { // a port channel
				p.owner.ports = append(p.owner.ports, user.owner.ports...)
			}
		}
		slices.Sort(p.owner.ports)
		p.owner.ports = slices.Compact(p.owner.ports)
	}
	for _, p := range a.policies {
		if p.kind != "qos" {
			continue
		}
		for _, c := range p.classes {
			if class := a.classes[c.name]; class != nil {
				class.owner.whole = class.owner.whole || p.owner.whole
				class.owner.ports = append(class.owner.ports, p.owner.ports...)
			}
		}
	}
	for _, c := range a.classes {
		slices.Sort(c.owner.ports)
		c.owner.ports = slices.Compact(c.owner.ports)
	}
}

// give makes a port, or the switch where its name is empty, obey policies.
func (a *assembler) give(port string, uses policyUses) {
	for _, u := range []struct {
		kind string
		use
	}{{"network-qos", uses.network}, {"qos", uses.qos}, {"queuing", uses.in}, {"queuing", uses.out}} {
		if p := a.policies[policyKey{u.kind, u.name}]; p != nil {
			obey(p.owner, port)
		}
	}
}

func obey(o *owner, port string) {
	if port == "" {
		o.whole = true
	} else if len(o.ports) == 0 || o.ports[len(o.ports)-1] != port {
		o.ports = append(o.ports, port)
	}
}
