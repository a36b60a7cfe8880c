package eos

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/diag"
	row "github.com/roceplan/roceplan/format/eos"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/cli"
	"github.com/roceplan/roceplan/units"
)

// plan puts together what the lines said.
func (r *reader) plan() *plan.Switch {
	s := &plan.Switch{OS: "eos", Cell: r.cell, Platform: r.model}
	if r.host != "" {
		s.Names = []string{r.host}
	}
	if r.dynamic {
		s.LoadBalancing, s.LoadBalancingAt = "flowlet", r.dynamicAt
	}
	if r.headroomPool.given {
		s.Pools = []plan.Pool{{Name: row.HeadroomPoolName, Direction: plan.Ingress, Dynamic: true, Headroom: r.headroomPool.derived("headroom pool")}}
	}
	s.Watchdog = r.watchdogPlan()
	b := &assembler{reader: r, shared: map[string]*plan.PortQoS{}}
	b.resolve()
	s.Maps, s.Places = b.maps(), r.places
	s.Classes = b.classes(&s.Maps)
	s.Ports = b.ports()
	s.Marking = b.marking()
	b.rewrite(s)
	b.settle()
	b.classification()
	return s
}

const unknownRewriting = "the line qos rewrite dscp is not accounted for"

// rewrite gives ports the code points with which classes leave. EOS rewrites all traffic classes or none, and its default
// map is not published: without a line for each class that has code points, and with marking rules, the lines remain not
// modelled. So do those that make packets of a class lossless or lossy for the next switch.
func (b *assembler) rewrite(s *plan.Switch) {
	r, out, known := &b.rewriting, plan.Rewritten{}, s.Marking == nil
	if !r.on {
		return
	}
	for tc := range uint8(8) {
		of := s.Maps.DSCPsOf(tc)
		switch own := r.dscp.TCs&(1<<tc) != 0; {
		case len(of) == 0:
		case !own:
			known = false
		case len(of) > 1 || of[0] != r.dscp.DSCP[tc]:
			out.AddRewrite(tc, r.dscp.DSCP[tc], b.ledger[r.lines[tc]].At)
		}
	}
	if !known {
		b.Once(diag.Warning, NotModelled, r.at, unknownRewriting, "")
		return
	}
	b.ledger[r.by] = modelledAs(b.ledger[r.by])
	kept := map[int]bool{}
	for tc := range uint8(8) {
		to := s.Maps.DSCPToTC[r.dscp.DSCP[tc]]
		kept[r.lines[tc]] = kept[r.lines[tc]] || (b.lossless>>tc^b.lossless>>to)&1 != 0
	}
	for tc := range uint8(8) {
		if entry := r.lines[tc]; r.dscp.TCs&(1<<tc) != 0 && !kept[entry] {
			b.ledger[entry] = modelledAs(b.ledger[entry])
		}
	}
	for i := range s.Ports {
		if q := s.Ports[i].QoS; q != nil {
			q.Rewritten = out
		}
	}
}

// modelledAs returns an entry of the ledger as modelled.
func modelledAs(s read.Statement) read.Statement {
	return read.Statement{At: s.At, Text: s.Text, Sort: read.Modelled}
}

func (r *reader) watchdogPlan() *plan.Watchdog {
	w := r.watchdog
	if w.override != "" {
		w.action = w.override
	}
	if !w.timeout.given && !w.recovery.given && !w.polling.given && w.action == "" {
		return nil
	}
	return &plan.Watchdog{
		Detection: w.timeout.derived("detection"), Restoration: w.recovery.derived("restoration"),
		Poll: w.polling.derived("poll"), Action: w.action, Range: w.at,
	}
}

// An assembler joins interfaces with their profiles.
type assembler struct {
	*reader
	ports_   []*port // interfaces with what their profile adds
	lossless uint8   // priorities with PFC on any port
	mmu      *mmu
	policy   string // the policy-map of ports that trust no marking
	policyAt diag.Range
	shared   map[string]*plan.PortQoS // QoS of ports that only name a profile
}

// resolve follows the names that interfaces and the switch use.
func (b *assembler) resolve() {
	for _, p := range b.interfaces {
		merged := b.withChannel(*p)
		if merged.profile != "" {
			if profile, ok := b.profiles[merged.profile]; ok {
				merged = merge(merged, *profile)
			} else {
				b.Found.Errorf(Undefined, merged.profileAt, "there is no qos profile %q", cli.Clip(merged.profile)).Fixf("define it with: qos profile %s; or take it off the interface", cli.Clip(merged.profile))
			}
		}
		if b.allOff {
			merged.pfc = ptr(false)
		}
		b.ports_ = append(b.ports_, &merged)
		b.lossless |= merged.pfcBits()
		if merged.trusts() == plan.TrustNone && merged.policy != "" && b.policy == "" {
			b.policy, b.policyAt = merged.policy, merged.policyAt
		}
	}
	b.switchedOff()
	if b.applied != "" {
		if b.mmu = b.mmus[b.applied]; b.mmu == nil {
			b.Found.Errorf(Undefined, b.appliedAt, "there is no buffer profile %q", cli.Clip(b.applied)).Fixf("define it with: platform trident mmu queue profile %s; or apply another one", cli.Clip(b.applied))
		}
	}
	for name, m := range b.mmus {
		if name != b.applied {
			b.Found.Warnf(Unapplied, m.at, "the buffer profile %q is not applied, so EOS uses its own thresholds", cli.Clip(name)).
				Fixf("add: platform trident mmu queue profile %s apply", cli.Clip(name))
		}
	}
}

// switchedOff warns of PFC that one line turns off everywhere.
func (b *assembler) switchedOff() {
	if b.allOff && slices.ContainsFunc(b.interfaces, func(p *port) bool {
		profile := b.profiles[p.profile]
		return p.pfc != nil && *p.pfc || profile != nil && profile.pfc != nil && *profile.pfc
	}) {
		b.Found.Warnf(AllOff, b.allOffAt, "ports of this file have PFC, and this line turns it off on all of them").
			Fixf("remove the line: no priority-flow-control all off")
	}
}

// withChannel adds to a member of a port channel whether that is routed, and its MTU.
func (b *assembler) withChannel(p port) port {
	c := b.channels[p.channel]
	if c == nil || p.channel == "" {
		return p
	}
	p.routed = c.routed
	if !p.mtu.given {
		p.mtu = c.mtu
	}
	return p
}

// merge adds to an interface what its profile says and it does not say itself, down to
// the single line of a queue.
func merge(p, profile port) port {
	p.trust = either(p.trust, profile.trust)
	if p.policy == "" {
		p.policy, p.policyAt, p.policyEntry = profile.policy, profile.policyAt, profile.policyEntry
	}
	p.pfc = either(p.pfc, profile.pfc)
	if p.watchdog == nil {
		p.watchdog, p.watchdogAt = profile.watchdog, profile.watchdogAt
	}
	if p.pfcAt.Empty() {
		p.pfcAt = profile.pfcAt
	}
	for i := range 8 {
		p.noDrop[i] = either(p.noDrop[i], profile.noDrop[i])
		switch own, of := p.queues[i], profile.queues[i]; {
		case own == nil:
			p.queues[i] = of
		case of != nil:
			merged := mergeQueue(*own, *of)
			p.queues[i] = &merged
		}
	}
	return p
}

func either[T any](own, other *T) *T {
	if own != nil {
		return own
	}
	return other
}

// silent reports whether a block says nothing of its queue: it only counts what is marked.
func (q *queue) silent() bool { return *q == queue{at: q.at} }

func mergeQueue(q, profile queue) queue {
	if q.silent() {
		return profile
	}
	if q.strict == nil {
		q.strict, q.strictLine = profile.strict, profile.strictLine
	}
	if q.weight == 0 {
		q.weight, q.weightAt = profile.weight, profile.weightAt
	}
	if q.rate == 0 {
		q.rate, q.rateAt = profile.rate, profile.rateAt
	}
	q.ecn, q.guaranteed = either(q.ecn, profile.ecn), either(q.guaranteed, profile.guaranteed)
	return q
}

func (p *port) pfcBits() (bits uint8) {
	if p.pfc == nil || !*p.pfc {
		return 0
	}
	for i, on := range p.noDrop {
		if on != nil && *on {
			bits |= 1 << i
		}
	}
	return bits
}

// maps follows EOS: a lossless priority, its traffic class and its group are one
// number; lossy classes are in group 0.
func (b *assembler) maps() plan.Maps {
	m := plan.Maps{DSCPToTC: b.dscps, TCToQueue: b.queueOf, PFCToQueue: b.queueOf}
	for p := range uint8(8) {
		if b.lossless&(1<<p) != 0 {
			m.TCToPG[p], m.PFCToPG[p] = p, p
		}
	}
	return m
}

// classes lists the traffic classes that have a name or a code point.
func (b *assembler) classes(m *plan.Maps) (out []plan.Class) {
	for tc := range uint8(8) {
		c := plan.Class{Name: b.names[tc], TrafficClass: tc, Queue: m.TCToQueue[tc], DSCPs: m.DSCPsOf(tc), Range: b.nameAt[tc]}
		if c.Name == "" && c.DSCPs == nil {
			continue
		}
		if c.Name == "" {
			c.Name, c.Range = fmt.Sprintf("tc-%d", tc), b.dscpAt[tc]
		}
		if b.lossless&(1<<tc) != 0 {
			c.Lossless, c.PFC, c.PG = true, tc, tc
		}
		out = append(out, c)
	}
	return out
}

func (b *assembler) ports() (out []plan.Port) {
	for i, p := range b.ports_ {
		port := plan.Port{Name: p.name, Range: p.at, Speed: p.speed, FEC: p.fec, Routed: b.isRouted(p), QoS: b.portQoS(b.interfaces[i], p)}
		b.bridges(b.interfaces[i], port.Routed)
		mtu := p.mtu
		if !mtu.given {
			mtu = b.defaultMTU
		}
		if mtu.given {
			port.MTU, port.MTURange = units.Bytes(row.Of(row.MTU).Means(int64(mtu.bytes))), mtu.at
		}
		out = append(out, port)
	}
	return out
}

// portQoS makes the QoS of a port; interfaces that only name a profile share theirs.
func (b *assembler) portQoS(own, merged *port) *plan.PortQoS {
	plain := *own
	plain.name, plain.at, plain.profile, plain.profileAt, plain.mtu = "", diag.Range{}, "", diag.Range{}, amount{}
	if profile := b.profiles[own.profile]; profile != nil {
		for i, q := range own.queues {
			if q != nil && q.silent() && profile.queues[i] != nil {
				plain.queues[i] = nil
			}
		}
	}
	plain.entry, plain.channel, plain.speed, plain.fec, plain.routed, plain.fallback, plain.shut, plain.taken = 0, "", 0, "", nil, 0, false, nil
	shareable := plain == port{}
	if shareable && own.shut && own.profile == "" {
		return nil // it carries nothing, and is not reported
	}
	if q, ok := b.shared[own.profile]; ok && shareable {
		return q
	}
	q := &plan.PortQoS{Trust: merged.trusts(), PFC: merged.pfcBits(), Watchdog: b.watches(merged), PGs: b.groups(merged.pfcBits()), Queues: b.queues(merged), Range: merged.pfcAt}
	if shareable {
		b.shared[own.profile] = q
	}
	b.watched(merged, q)
	return q
}

// watches reports whether the watchdog watches a port. Where its interface does not say, the
// watchdog is on (show running-config all), if the switch has one.
func (b *assembler) watches(p *port) bool {
	if p.watchdog != nil {
		return *p.watchdog
	}
	return p.pfcBits() != 0 && b.reader.watchdogPlan() != nil
}

// groups lists the lossless groups of a port, and the lossy ones that the buffer
// profile names: those are on all ports.
func (b *assembler) groups(pfc uint8) (out []plan.PG) {
	for id := range uint8(8) {
		lossless := pfc&(1<<id) != 0
		named := b.mmu != nil && b.mmu.groups[id] != nil && b.lossless&(1<<id) == 0
		if !lossless && !named {
			continue
		}
		g := plan.PG{ID: id, Lossless: lossless}
		if b.mmu != nil {
			s := b.mmu.ingress
			if own := b.mmu.groups[id]; own != nil {
				if own.reserved.given {
					s.reserved = own.reserved
				}
				if own.threshold.given {
					s.threshold = own.threshold
				}
			}
			g.Reserved, g.Limit = s.reserved.derived("reserve"), s.threshold.derived("limit")
			if lossless {
				g.Headroom, g.XOnOffset = b.mmu.headroom.derived("headroom"), b.mmu.resume.derived("xon offset")
			}
		}
		out = append(out, g)
	}
	return out
}

// queues lists the queues that the port or the buffer profile names, and those that
// send a lossless class. A queue is strict
// unless it or a higher one has `no priority`.
func (b *assembler) queues(p *port) (out []plan.Queue) {
	shared := false
	for id := 7; id >= 0; id-- {
		own := p.queues[id]
		var s *share
		if b.mmu != nil {
			s = b.mmu.queues[id]
		}
		lossless := b.mmu != nil && b.noDrop(uint8(id))
		if own == nil && s == nil && !lossless {
			continue
		}
		q := plan.Queue{ID: uint8(id)}
		if own != nil {
			q.Range, q.Scheduler.Range = own.at, own.at
			shared = b.schedule(&q, own, shared)
		} else {
			q.Scheduler.Strict = !shared
		}
		if s != nil {
			q.Reserved, q.Limit = s.reserved.derived("reserve"), s.threshold.derived("limit")
		}
		if lossless && (s == nil || !s.threshold.given) {
			q.Limit = read.From(plan.Limit{Static: plan.NoLimit}, "limit", b.mmu.at)
			q.Limit.Why.Note = "assumed: EOS does not limit a no-drop queue without a threshold in the profile"
		}
		out = append(out, q)
	}
	slices.Reverse(out)
	return out
}

// noDrop reports whether a queue sends a lossless class.
func (b *assembler) noDrop(queue uint8) bool {
	for p, q := range b.queueOf {
		if q == queue && b.lossless&(1<<p) != 0 {
			return true
		}
	}
	return false
}

// schedule fills what a queue block says; shared reports whether a higher queue shares
// by weight, and so does the result for this one.
func (b *assembler) schedule(q *plan.Queue, own *queue, shared bool) bool {
	if shared && own.strict != nil && *own.strict {
		b.Once(diag.Warning, StrictOrder, own.strictLine, fmt.Sprintf("queue %d is strict here, but a higher queue has no priority: EOS shares both by weight", q.ID),
			"give the strict class a higher queue")
	}
	shared = shared || own.strict != nil && !*own.strict
	if q.Scheduler.Strict = !shared; shared && own.weight > 0 {
		q.Scheduler.Weight = plan.Of(own.weight, &plan.Why{Kind: plan.ReadBack, Name: "weight", Value: plan.Count(own.weight), Range: own.weightAt})
	}
	if own.rate > 0 {
		q.Scheduler.MaxRate = read.From(own.rate, "shaper", own.rateAt)
	}
	q.ECN = own.ecn
	return shared
}
