package openconfig

import (
	"fmt"

	"github.com/roceplan/roceplan/plan"
)

// Names of the classifiers: of ports that trust the DSCP, and of those that do not.
const (
	trusted = "trust-dscp"
	edge    = "edge"
)

// versions are the two kinds of classifier that carry a DSCP.
func versions() map[classifierType]string {
	return map[classifierType]string{ipv4: "ipv4", ipv6: "ipv6"}
}

func (b *builder) classifiers() {
	for version, suffix := range versions() {
		b.add(trusted+"-"+suffix, version, b.trustTerms())
		if b.marks() {
			b.add(edge+"-"+suffix, version, b.edgeTerms())
		}
	}
}

// marks reports whether ports that trust nobody get a classifier. EOS refuses matches
// on a UDP port, and without them the rules would admit what they should not.
func (b *builder) marks() bool {
	return b.s.Marking != nil && !b.eos && b.uses(plan.TrustNone)
}

func (b *builder) uses(t plan.Trust) bool {
	for _, p := range b.s.Ports {
		if p.QoS != nil && p.QoS.Trust == t {
			return true
		}
	}
	return false
}

// classifiersOf names the classifiers of a port.
func (b *builder) classifiersOf(t plan.Trust) map[classifierType]string {
	names := map[classifierType]string{}
	for version, suffix := range versions() {
		switch {
		case t == plan.TrustDSCP:
			names[version] = trusted + "-" + suffix
		case b.marks():
			names[version] = edge + "-" + suffix
		}
	}
	return names
}

// add moves the conditions of terms to where the version wants them.
func (b *builder) add(name string, version classifierType, terms []*term) {
	c := &classifier{Name: &name, Type: version, Terms: map[string]*term{}}
	for _, t := range terms {
		if version == ipv6 {
			t.DSCPs, t.DSCPs6, t.Protocol, t.Protocol6 = nil, t.DSCPs, 0, t.Protocol
		}
		c.Terms[*t.ID] = t
	}
	b.out.Classifiers[name] = c
}

// trustTerms has a term for each traffic class in use, under its group's name.
func (b *builder) trustTerms() (terms []*term) {
	for tc := range uint8(8) {
		if dscps := b.s.Maps.DSCPsOf(tc); dscps != nil {
			group := b.group(tc)
			terms = append(terms, &term{ID: &group, DSCPs: dscps, Group: &group})
		}
	}
	return terms
}

// edgeTerms has a term for each rule, numbered in the order they are tried, and a
// last one for everything else.
func (b *builder) edgeTerms() (terms []*term) {
	m := b.s.Marking
	for i, r := range m.Rules {
		t := &term{ID: ptr(fmt.Sprintf("%04d", 10*(i+1))), DSCPs: []uint8{r.DSCP}, Group: ptr(b.group(r.TC))}
		if r.UDPPort != 0 {
			t.Protocol, t.UDPPort = udp, &r.UDPPort
		}
		terms = append(terms, t)
	}
	return append(terms, &term{ID: ptr("9999"), Group: ptr(b.group(m.DefaultTC)), Remark: &m.Default})
}

// group names the forwarding group of a traffic class, and makes it, since some have no class.
func (b *builder) group(tc uint8) string {
	name := b.s.TrafficClassName(tc)
	b.addGroup(name, tc)
	return name
}
