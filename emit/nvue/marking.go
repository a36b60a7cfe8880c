package nvue

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/roceplan/roceplan/emit"
	row "github.com/roceplan/roceplan/format/nvue"
	"github.com/roceplan/roceplan/plan"
)

// Names of the profiles of ports that do not believe the sender, and of those that do.
const (
	edgeProfile   = "edge"
	fabricProfile = "fabric"
	keepProfile   = "keep" // of ports that packets leave as they came
)

// marking gives ports that do not believe the sender a mapping of their own, in which only the code
// points of rules lead anywhere. Their packets are remarked at egress, by switch priority: the
// rewriting must be enabled on the ingress port, and the new code points are set at the egress port
// (Cumulus Linux 5.14, Quality of Service, Remarking).
func (b *builder) marking() {
	m := b.s.Marking
	var edge []*emit.Kind
	for _, k := range b.kinds {
		if m != nil && k.QoS().Trust == plan.TrustNone {
			edge = append(edge, k)
		}
	}
	if len(edge) == 0 {
		b.rewriting()
		return
	}
	emit.RewritingLost(&b.list, MarkingLost, b.s, "with marking rules they alone decide what packets leave with")
	mapping := b.root.at("qos", "mapping", edgeProfile)
	mapping.word("l3", "trust")
	admitted := b.admitted()
	for dscp := range 64 {
		tc, ok := admitted[uint8(dscp)]
		if !ok {
			tc = m.DefaultTC
		}
		mapping.count(int64(tc), "dscp", word(dscp), "switch-priority")
	}
	b.root.word("l3", "qos", "remark", edgeProfile, "rewrite")
	for _, profile := range []string{edgeProfile, fabricProfile} {
		b.remark(b.root.at("qos", "remark", profile), admitted)
	}
	for _, k := range b.kinds {
		profile := fabricProfile
		if k.QoS().Trust == plan.TrustNone {
			profile = edgeProfile
			b.each(k, func(port *object) { port.word(edgeProfile, "qos", "mapping", "profile") })
		}
		b.each(k, func(port *object) { port.word(profile, "qos", "remark", "profile") })
	}
}

// rewriting gives ports their remark profiles. Each enables the rewriting of what comes in, and has the code points of
// what goes out.
func (b *builder) rewriting() {
	all := emit.Rewritings(b.s)
	if all == nil {
		return
	}
	for _, k := range b.kinds {
		name := fabricProfile
		r := k.QoS().Rewrite
		switch i := slices.Index(all, *cmp.Or(r, &plan.Rewrite{})); {
		case r == nil || r.TCs == 0:
			name, r = keepProfile, &plan.Rewrite{}
		case i > 0:
			name += "-" + strconv.Itoa(i+1)
		}
		profile := b.root.at("qos", "remark", name)
		profile.word("l3", "rewrite")
		e := r.Entries()
		for i, tc := range e.From {
			profile.at("switch-priority", word(tc)).leaf(row.RemarkDSCP, int64(e.To[i]))
		}
		b.each(k, func(port *object) { port.word(name, "qos", "remark", "profile") })
	}
}

// admitted returns the traffic classes of the code points that rules admit; the first rule
// wins.
func (b *builder) admitted() map[uint8]uint8 {
	m := b.s.Marking
	out := make(map[uint8]uint8)
	for i := len(m.Rules) - 1; i >= 0; i-- {
		r := m.Rules[i]
		out[r.DSCP&63] = r.TC
		if r.UDPPort != 0 {
			b.list.WarnOnceAtf(MarkingLost, m.Range, "a mapping of Cumulus Linux classifies by code point alone and ignores UDP port %d", r.UDPPort)
		}
	}
	return out
}

// remark says the code point of each switch priority that untrusted packets can have.
func (b *builder) remark(profile *object, admitted map[uint8]uint8) {
	m := b.s.Marking
	profile.at("switch-priority", word(m.DefaultTC)).leaf(row.RemarkDSCP, int64(m.Default))
	of := map[uint8]uint8{m.DefaultTC: m.Default}
	for dscp := range uint8(64) {
		tc, ok := admitted[dscp]
		if !ok {
			continue
		}
		if other, taken := of[tc]; taken && other != dscp {
			b.list.WarnOnceAtf(MarkingLost, m.Range, "untrusted packets with DSCP %d get DSCP %d: Cumulus Linux remarks by switch priority, and both code points have priority %d", dscp, other, tc)
			continue
		}
		of[tc] = dscp
		profile.at("switch-priority", word(tc)).leaf(row.RemarkDSCP, int64(dscp))
	}
}
