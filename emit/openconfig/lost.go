package openconfig

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// tellLost names every kind of intent that the file does not carry, once.
func (b *builder) tellLost() {
	b.lostPFC()
	b.lostIngress()
	b.lostPools()
	b.lostCaps()
	if w := b.s.Watchdog; w != nil {
		b.lost(b.s.Range, "the PFC watchdog (detection %s, restoration %s, poll %s, action %s)", w.Detection.Value, w.Restoration.Value, w.Poll.Value, w.Action)
	}
	if lb := b.s.LoadBalancing; lb != "" && lb != "ecmp" {
		b.lost(b.s.LoadBalancingAt, "%s load balancing", lb)
	}
	if t := b.s.Trim; t != nil {
		b.lost(t.Range, "the cutting of packets to %v", t.Size.Value)
	}
	if t := b.s.Tunnel; t != nil {
		b.lost(t.Range, "the classes in which %s sends packets back", t.Name)
	}
	for i := range b.s.Ports {
		if p := &b.s.Ports[i]; *b.s.ClassifiedBy(p.QoS) != b.s.Maps.DSCPToTC {
			b.lost(p.Range, "how %s classifies code points of what is sent back", p.Name)
			break
		}
	}
	for i := range b.s.Ports {
		if p := &b.s.Ports[i]; *b.s.QueuesOf(p.QoS) != b.s.Maps.TCToQueue {
			b.lost(p.Range, "that classes leave %s from other queues than most ports", p.Name)
			break
		}
	}
	emit.RewritingLost(&b.list, Lost, b.s, "OpenConfig has no code points of what leaves a port")
	if b.s.Calculator != nil {
		b.lost(b.s.Range, "the switch's own buffer calculator")
	}
	if b.s.Marking != nil && !b.marks() && !b.eos {
		b.lost(b.s.Marking.Range, "the marking rules: no port uses them")
	}
	if b.eos {
		b.tellRefused()
	}
}

// lost warns of an intent that the models cannot carry.
func (b *builder) lost(at diag.Range, format string, args ...any) {
	b.list.Warnf(Lost, at, "OpenConfig cannot carry %s", fmt.Sprintf(format, args...)).Fix = b.otherwise()
}

// otherwise returns the other way by which an intent that is not in this file reaches the device.
func (b *builder) otherwise() string {
	others := stable.Delete(slices.Clone(b.s.Targets), func(t string) bool { return t == "openconfig" })
	if len(others) > 0 {
		return "load what the target " + strings.Join(others, " or ") + " writes: it carries all of this, or refuses"
	}
	return "configure the device with its own commands, or add a target that carries it"
}

// lostPFC names the priorities, at the first lossless class.
func (b *builder) lostPFC() {
	var names []string
	at := b.s.Range
	for _, c := range b.s.Classes {
		if c.Lossless {
			if names == nil {
				at = c.Range
			}
			names = append(names, fmt.Sprintf("%d (%s)", c.PFC, c.Name))
		}
	}
	if names != nil {
		b.lost(at, "PFC of priority %s and where its pauses act", strings.Join(names, ", "))
	}
}

// lostIngress names the settings of priority groups, at the first port that has some.
func (b *builder) lostIngress() {
	groups := map[uint8]bool{}
	var at diag.Range
	var reserve, resume bool
	var headroom units.Bytes
	for _, p := range b.s.Ports {
		if p.QoS == nil {
			continue
		}
		for _, g := range p.QoS.PGs {
			if len(groups) == 0 {
				at = p.Range
			}
			groups[g.ID] = true
			headroom = max(headroom, g.Headroom.Value)
			reserve = reserve || g.Reserved.Value > 0 || g.Limit.Value != plan.Limit{}
			resume = resume || g.XOn.Value > 0 || g.XOnOffset.Value > 0
		}
	}
	if len(groups) > 0 {
		b.lost(at, "which of %d priority groups a traffic class lies in", len(groups))
	}
	if headroom > 0 {
		b.lost(at, "headroom of priority groups (up to %s)", headroom)
	}
	if resume {
		b.lost(at, "XON of priority groups")
	}
	if reserve {
		b.lost(at, "reserve and limit of priority groups")
	}
}

// lostPools names sizes of pools, and bounds of whole ports in them.
func (b *builder) lostPools() {
	var sizes []string
	for _, p := range b.s.Pools {
		if p.Size.Value > 0 {
			sizes = append(sizes, fmt.Sprintf("%s (%s)", p.Name, p.Size.Value))
		}
		if p.Headroom.Value > 0 {
			b.lost(b.s.Range, "the headroom pool of %s (%s)", p.Name, p.Headroom.Value)
		}
	}
	if sizes != nil {
		b.lost(b.s.Range, "buffer pools and their sizes: %s", strings.Join(sizes, ", "))
	}
	if slices.ContainsFunc(b.s.Ports, func(p plan.Port) bool { return p.QoS != nil && len(p.QoS.Pools) > 0 }) {
		b.lost(b.s.Range, "what a whole port may take of a pool")
	}
}

// lostCaps names shapers of queues that share by weight: a scheduler shapes all of
// its inputs together.
func (b *builder) lostCaps() {
	capped := func(q plan.Queue) bool { return !q.Scheduler.Strict && q.Scheduler.MaxRate.Value > 0 }
	for _, p := range b.s.Ports {
		if p.QoS == nil {
			continue
		}
		if i := slices.IndexFunc(p.QoS.Queues, capped); i >= 0 {
			q := p.QoS.Queues[i]
			b.lost(p.Range, "a shaper of one queue among those that share by weight (queue %d, %s)", q.ID, q.Scheduler.MaxRate.Value)
			return
		}
	}
}

// tellRefused names what the models carry and EOS refuses.
func (b *builder) tellRefused() {
	refused := func(at diag.Range, what, path, fix string) {
		b.list.Warnf(Refused, at, "EOS refuses %s over OpenConfig (%s), so it is left out", what, path).Fix = fix
	}
	if b.s.MTU.Value > 0 {
		b.list.Warnf(Lost, b.s.Range, "OpenConfig cannot carry the largest frame (%s) to EOS, whose mtu counts packets", b.s.MTU.Value).
			Fixf("set the mtu of routed interfaces with the device's own commands")
	}
	refused(b.s.Range, "the number of a queue", "queues/queue/config/queue-id",
		"give queues and traffic classes the names of this file first; the EOS target prints them (qos tx-queue N name, qos traffic-class N name)")
	if slices.ContainsFunc(b.s.Ports, func(p plan.Port) bool {
		return p.QoS != nil && slices.ContainsFunc(p.QoS.Queues, func(q plan.Queue) bool { return q.Reserved.Value > 0 || q.Limit.Value != plan.Limit{} })
	}) {
		refused(b.s.Range, "reserve and limit of queues in bytes or by alpha",
			"buffer-allocation-profile/queues/queue/config: dedicated-buffer, static-shared-buffer-limit, dynamic-limit-scaling-factor", "take them from the EOS target")
	}
	if m := b.s.Marking; m != nil && b.uses(plan.TrustNone) {
		refused(m.Range, "a match on a UDP port, and with it the marking rules of the edge", "classifiers/classifier/terms/term/conditions/transport", "take them from the EOS target")
	}
}
