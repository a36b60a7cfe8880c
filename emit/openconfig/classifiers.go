package openconfig

import (
	"fmt"
	"strings"

	row "github.com/roceplan/roceplan/format/openconfig"
	"github.com/roceplan/roceplan/plan"
)

// Names of the classifiers: of ports that trust the DSCP, and of those that do not.
const (
	trusted = "trust-dscp"
	edge    = "edge"
)

// versioned returns the name of a classifier for a version of IP.
func versioned(name, version string) string { return name + "-" + strings.ToLower(version) }

// A match is a term of a classifier.
type match struct {
	id      string
	dscps   []uint8 // nil: any
	udpPort uint16  // 0: any protocol
	group   string
	remark  *uint8
}

func (b *builder) classifiers() {
	b.add(trusted, b.trustTerms())
	if b.marks() {
		b.add(edge, b.edgeTerms())
	}
}

// marks reports whether ports that trust no marking get a classifier. EOS refuses matches on a UDP
// port, and without them the rules would admit what they should not.
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

// classifierOf names the classifier of a port, without the version of IP; empty where it has none.
func (b *builder) classifierOf(t plan.Trust) string {
	switch {
	case t == plan.TrustDSCP:
		return trusted
	case b.marks():
		return edge
	}
	return ""
}

// add prints a classifier for each version of IP.
func (b *builder) add(name string, terms []match) {
	for _, v := range row.Versions {
		name := versioned(name, v.Type)
		b.put(row.ClassifierType, v.Type, name)
		for _, t := range terms {
			if t.dscps != nil {
				var set []int
				for _, d := range t.dscps {
					set = append(set, int(d))
				}
				b.put(v.DSCPs, set, name, t.id)
			}
			if t.udpPort != 0 {
				b.put(v.Protocol, "openconfig-packet-match-types:"+row.UDP, name, t.id)
				b.put(row.DestinationPort, t.udpPort, name, t.id)
			}
			b.put(row.TargetGroup, t.group, name, t.id)
			if t.remark != nil {
				b.put(row.Remark, *t.remark, name, t.id)
			}
		}
	}
}

// trustTerms has a term for each traffic class in use, under its group's name.
func (b *builder) trustTerms() (terms []match) {
	for tc := range uint8(8) {
		if dscps := b.s.Maps.DSCPsOf(tc); dscps != nil {
			group := b.group(tc)
			terms = append(terms, match{id: group, dscps: dscps, group: group})
		}
	}
	return terms
}

// edgeTerms has a term for each rule, numbered in the order they are tried, and a
// last one for everything else.
func (b *builder) edgeTerms() (terms []match) {
	m := b.s.Marking
	for i, r := range m.Rules {
		terms = append(terms, match{fmt.Sprintf("%04d", 10*(i+1)), []uint8{r.DSCP}, r.UDPPort, b.group(r.TC), nil})
	}
	return append(terms, match{id: "9999", group: b.group(m.DefaultTC), remark: &m.Default})
}

// group names the forwarding group of a traffic class, and makes it, since some have no class.
func (b *builder) group(tc uint8) string {
	name := b.s.TrafficClassName(tc)
	b.addGroup(name, tc)
	return name
}
