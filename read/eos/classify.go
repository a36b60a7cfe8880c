package eos

import (
	"fmt"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/cli"
)

// isRouted reports whether a port routes. Where it does not say, it is switched, unless
// the switch has another default.
func (r *reader) isRouted(p *port) bool {
	if p.routed != nil {
		return *p.routed
	}
	return r.routed
}

// classification marks what the plan does not hold of how ports classify packets, and
// of lines of an interface that might or might not undo its profile.
func (b *assembler) classification() {
	for i, p := range b.ports_ {
		own, pfc := b.interfaces[i], b.profilePFC(b.interfaces[i])
		if p.policy != "" && (p.trusts() != plan.TrustNone || p.policy != b.policy) {
			b.mark(p.policyEntry, "the policy classifies packets, which is modelled only on untrusted ports, with one policy for the switch", p.name)
			if b.policies[p.policy] == nil {
				b.Once(diag.Error, Undefined, p.policyAt, fmt.Sprintf("there is no policy-map %q", cli.Clip(p.policy)), "")
			}
		}
		if c := b.channels[own.channel]; own.channel != "" && p.pfcBits() != 0 && (c == nil || c.trust == nil && !b.isRouted(c)) {
			b.mark(own.entry, "the port is a member of Port-Channel"+own.channel+", which is switched and has no trust line; it is not published whether the member's own line counts", p.name)
		}
		if why := b.bundleMTU(own); why != "" {
			b.mark(own.entry, why, p.name)
		}
		if s := b.ledger[own.entry]; p.trust == nil && !b.isRouted(p) && (p.pfcBits() != 0 || b.allOff && pfc) && (s.Sort != read.Unmodelled || s.Harmless != nil) {
			b.mark(own.entry, "the port is switched and has no trust line, so EOS classifies packets by the CoS", p.name).Harmless = byTag()
		}
	}
	for _, d := range b.disputes {
		profile := b.profiles[d.port.profile]
		if profile != nil && d.says(profile) {
			b.mark(d.entry, "the port's profile has the opposite, and it is not published which of the two EOS obeys", d.port.name)
		}
	}
}

// bundleMTU says why the MTU of a member is not known: a bundle routes with its own, which is 1500
// where the configuration has none, and what becomes of another one of the member is not public.
func (b *assembler) bundleMTU(own *port) string {
	c := b.channels[own.channel]
	if own.channel == "" || c == nil || !own.mtu.given {
		return ""
	}
	mtu := c.mtu
	if !mtu.given {
		mtu = b.defaultMTU
	}
	switch {
	case mtu.given && mtu.bytes != own.mtu.bytes:
		return fmt.Sprintf("the port is a member of Port-Channel%s, and the two have different MTUs; it is not published which of them counts", own.channel)
	case !mtu.given && b.isRouted(c):
		return fmt.Sprintf("the port is a member of Port-Channel%s, which is routed and has no MTU line, so it has the default of 1500", own.channel)
	}
	return ""
}

// profilePFC reports whether the profile of a port enables PFC.
func (b *assembler) profilePFC(p *port) bool {
	profile := b.profiles[p.profile]
	return profile != nil && profile.pfcBits() != 0
}

// watched warns of lossless queues that the watchdog of a port passes by.
func (b *assembler) watched(p *port, q *plan.PortQoS) {
	if !q.Watchdog {
		return
	}
	for prio := range uint8(8) {
		queue := p.queues[b.queueOf[prio]]
		if q.PFC&(1<<prio) == 0 || queue != nil && queue.guaranteed != nil && *queue.guaranteed {
			continue
		}
		where := "of " + p.name
		if p.profile != "" {
			where = fmt.Sprintf("of the profile %q", cli.Clip(p.profile))
		}
		b.Once(diag.Warning, Unwatched, p.watchdogAt,
			fmt.Sprintf("the watchdog %s does not watch queue %d: EOS watches queues with guaranteed bandwidth only", where, b.queueOf[prio]),
			"add to the queue: bandwidth guaranteed percent 1")
	}
}
