package eos

import (
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read/cli"
)

// marking reads the policy-map of the ports that trust no marking, nil where none has one. A rule
// that is there for IPv4 and again for IPv6 is one rule.
func (b *assembler) marking() *plan.Marking {
	if b.policy == "" {
		return nil
	}
	p, ok := b.policies[b.policy]
	if !ok {
		b.Found.Errorf(Undefined, b.policyAt, "there is no policy-map %q", cli.Clip(b.policy)).Fixf("define it with: policy-map type quality-of-service %s; or apply another one", cli.Clip(b.policy))
		return nil
	}
	m := &plan.Marking{Range: p.at}
	for _, c := range p.classes {
		if c.gone {
			continue
		}
		if c.name == "class-default" {
			if c.dscp != nil {
				m.Default = *c.dscp
			}
			if c.tc != nil {
				m.DefaultTC = *c.tc
			}
			continue
		}
		for _, rule := range b.rules(c) {
			if !slices.Contains(m.Rules, rule) {
				m.Rules = append(m.Rules, rule)
			}
		}
	}
	return m
}

// rules returns the rules by which one class of a policy-map admits packets.
func (b *assembler) rules(c *policyClass) (out []plan.MarkRule) {
	class, ok := b.reader.classes[c.name]
	if !ok {
		b.Found.Errorf(Undefined, c.at, "there is no class-map %q", cli.Clip(c.name)).Fixf("define it with: class-map type qos match-any %s; or take its class out of the policy-map", cli.Clip(c.name))
		return nil
	}
	if c.tc == nil {
		b.Once(diag.Warning, NotModelled, c.at, "a class of a policy-map without set traffic-class is not accounted for", "")
		return nil
	}
	add := func(port uint16, dscps []uint8) {
		for _, d := range dscps {
			out = append(out, plan.MarkRule{UDPPort: port, DSCP: d, TC: *c.tc})
		}
	}
	if class.list == "" {
		add(0, class.dscps)
		return out
	}
	list, ok := b.lists[class.list]
	if !ok {
		b.Found.Errorf(Undefined, class.at, "there is no access list for %q", cli.Clip(class.list)).Fixf("define the access list, or take the class out of the policy-map")
		return nil
	}
	for _, e := range list.entries {
		if e.gone {
			continue
		}
		if !e.known {
			b.Once(diag.Warning, NotModelled, e.at, "an entry of an access list that does not permit one DSCP of all hosts is not accounted for", "")
			continue
		}
		add(e.port, e.dscps)
	}
	return out
}
