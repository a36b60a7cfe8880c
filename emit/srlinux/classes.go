package srlinux

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/roceplan/roceplan/emit"
	row "github.com/roceplan/roceplan/format/srlinux"
	"github.com/roceplan/roceplan/plan"
)

// Names of classifiers, and of the queue that takes all packets for many: PFC protects those
// for one alone (QoS guide, PFC), and a class has to name one (srl_nokia-qos, leaf
// unicast-queue).
const (
	multicast = "multicast"
	trusted   = "roce"
	edge      = "roce-edge"
)

// classes prints queues, forwarding classes and the classifiers that fill them.
func (b *builder) classes() {
	b.put(row.QueueIndex, 0, multicast)
	for _, c := range b.s.Classes {
		to := b.s.Maps.TCToQueue[c.TrafficClass&7]
		b.queue(to)
		b.put(row.ClassIndex, c.TrafficClass, c.Name)
		b.put(row.ClassQueue, b.s.QueueName(to), c.Name)
		b.put(row.ClassMulticast, multicast, c.Name)
	}
	for _, k := range b.kinds { // queues of ports that no class is sent from
		for _, q := range k.QoS().Queues {
			b.queue(q.ID)
		}
	}
	b.classify(trusted, b.s.Maps.DSCPToTC)
	if m := b.s.Marking; m != nil {
		b.mark(m)
	}
	b.rewrite()
}

func (b *builder) queue(id uint8) {
	b.queues[id] = true
	b.put(row.QueueIndex, id, b.s.QueueName(id))
}

// classify prints a classifier with all code points that lead to a class.
func (b *builder) classify(name string, tcs [64]uint8) {
	b.at(row.DSCP, name)
	for d, tc := range tcs {
		if c := b.classOf(tc); c != nil {
			b.put(row.DSCPClass, c.Name, name, d)
			b.put(row.DSCPDrop, "low", name, d)
		}
	}
}

func (b *builder) classOf(tc uint8) *plan.Class {
	for i := range b.s.Classes {
		if b.s.Classes[i].TrafficClass == tc {
			return &b.s.Classes[i]
		}
	}
	return nil
}

// mark prints the classifier of ports whose senders are not believed, and rewrites what
// they send.
func (b *builder) mark(m *plan.Marking) {
	b.list.WarnOncef(MarkingLost, m.Range, "untrusted senders are classified by DSCP alone, not by UDP port, and their packets are rewritten at the egress port")
	var tcs [64]uint8
	for d := range tcs {
		tcs[d] = m.DefaultTC
	}
	written := map[uint8]uint8{}
	for _, rule := range slices.Backward(m.Rules) { // the first rule wins
		tcs[rule.DSCP], written[rule.TC] = rule.TC, rule.DSCP
	}
	written[m.DefaultTC] = m.Default
	b.classify(edge, tcs)
	rewriting := plan.Rewrite{}
	for tc, dscp := range written {
		rewriting.Add(tc, dscp)
	}
	if why := b.policy(edge, rewriting); why != "" {
		b.list.WarnOncef(MarkingLost, m.Range, "%s, and %s", others, why)
	}
}

// others is what happens to packets of classes that a policy does not name (Nokia SR Linux 24.3, Quality of Service, DSCP
// rewrite-rule policy configuration for output traffic).
const others = "SR Linux writes DSCP 0 into packets of classes that a rewriting policy leaves out"

// rewrite prints the rewritings of ports whose policies can name all classes.
func (b *builder) rewrite() {
	for _, r := range emit.Rewritings(b.s) {
		b.rewritings = append(b.rewritings, r)
		if r.TCs == 0 {
			continue
		}
		if why := b.policy(b.rewritingOf(&r), r); why != "" {
			emit.RewritingLost(&b.list, MarkingLost, b.s, others+", and "+why, r)
			b.rewritings[len(b.rewritings)-1] = plan.Rewrite{}
		}
	}
}

// policy prints what packets of classes leave with; or returns why there is no policy for that.
func (b *builder) policy(name string, r plan.Rewrite) (why string) {
	if r, why = emit.Completed(b.s, r); why != "" && name != edge {
		return why
	}
	b.at(row.Rewrite, name)
	for _, c := range b.s.Classes {
		if r.TCs&(1<<c.TrafficClass) != 0 {
			b.put(row.RewriteDSCP, r.DSCP[c.TrafficClass], name, c.Name)
		}
	}
	return why
}

// rewritingOf returns the rewriting of a port, and empty where packets keep their code points. With marking rules the
// packets that leave show the class to which they were admitted.
func (b *builder) rewritingOf(r *plan.Rewrite) string {
	switch i := slices.Index(b.rewritings, *cmp.Or(r, &plan.Rewrite{})); {
	case r == nil && b.s.Marking != nil:
		return edge
	case r == nil || r.TCs == 0 || i < 0:
		return ""
	case i > 0:
		return trusted + "-" + strconv.Itoa(i+1)
	}
	return trusted
}

func (b *builder) classifierOf(qos *plan.PortQoS) string {
	if qos.Trust == plan.TrustNone && b.s.Marking != nil {
		return edge
	}
	return trusted
}

// pfcName returns the name that the system gives to the PFC queue of an index.
func pfcName(group uint8) string { return fmt.Sprintf("pfc%d", group) }

// mappings prints the queues of PFC and, for ports with the same paused priorities, which traffic
// raises which pause, and which queue obeys it.
func (b *builder) mappings() {
	var groups uint8
	done := map[string]bool{}
	for _, k := range b.kinds {
		if k.QoS().PFC == 0 {
			continue
		}
		dog := k.QoS().Watchdog && b.s.Watchdog != nil
		name := fmt.Sprintf("pause-%08b", k.QoS().PFC)
		if dog {
			name += "-watched"
		}
		if k.mapping = name; done[name] {
			continue
		}
		done[name] = true
		groups |= b.mapping(name, k.QoS().PFC)
		if dog {
			b.watchdog(name, b.s.Watchdog)
		}
	}
	for g := range uint8(8) {
		if groups>>g&1 == 1 {
			b.put(row.PFCQueueIndex, g, pfcName(g))
		}
	}
	if n := len(done); n > row.MostMappings {
		b.list.Errorf(Mappings, b.s.Range, "the ports pause %d different sets of priorities, and SR Linux has %d mappings", n, row.MostMappings).Fixf("let the ports pause at most %d different sets of priorities", row.MostMappings)
	}
}

// mapping prints the mapping of a set of priorities, and returns their groups.
func (b *builder) mapping(name string, priorities uint8) (groups uint8) {
	b.at(row.Raising, name)
	b.at(row.Stopping, name)
	var queues uint16
	for p := range uint8(8) {
		if priorities>>p&1 == 0 {
			continue
		}
		group, stops := b.s.Maps.PFCToPG[p], b.s.Maps.PFCToQueue[p]
		if groups>>group&1 == 1 {
			b.list.Errorf(Mappings, b.s.Range, "priority group %d raises two PFC priorities, and SR Linux sends one", group).Fixf("give each priority a group of its own")
			continue
		}
		groups |= 1 << group
		b.put(row.RaisingClasses, b.raising(group), name, pfcName(group))
		b.put(row.RaisingPriority, p, name, pfcName(group))
		switch {
		case queues>>stops&1 == 1:
			b.list.Errorf(Mappings, b.s.Range, "two PFC priorities stop queue %d, and a queue of SR Linux obeys one", stops).Fixf("give each lossless class a queue of its own")
		case b.queues[stops]:
			queues |= 1 << stops
			b.put(row.StoppingPriority, p, name, b.s.QueueName(stops))
			b.put(row.StoppingEnable, true, name, b.s.QueueName(stops))
		}
	}
	return groups
}

// raising returns the classes whose packets raise the pause of a group.
func (b *builder) raising(group uint8) []string {
	names := []string{}
	for _, c := range b.s.Classes {
		if b.s.Maps.TCToPG[c.TrafficClass] == group && c.Lossless {
			names = append(names, c.Name)
		}
	}
	return names
}

// watchdog prints the timers: a stuck queue ignores pauses while it recovers.
func (b *builder) watchdog(mapping string, w *plan.Watchdog) {
	if w.Action != plan.WatchdogForward {
		b.list.WarnOncef(Watchdog, cmp.Or(w.Range, b.s.Range), "the plan has a PFC watchdog that must %s, and that of SR Linux forwards: it ignores pauses while it recovers", w.Action).Fixf("write action = forward in the fabric, so that plan and switch agree")
	}
	if w.Poll.Value > 0 {
		b.list.WarnOncef(Watchdog, w.Poll.Why.RangeOr(b.s.Range), "the polling interval of the PFC watchdog, %v, is not written: SR Linux has none", w.Poll.Value)
	}
	b.put(row.DeadlockEnable, true, mapping)
	b.put(row.DetectionTimer, number(b, row.DetectionTimer, Watchdog, w.Detection, b.s.Range), mapping)
	b.put(row.RecoveryTimer, number(b, row.RecoveryTimer, Watchdog, w.Restoration, b.s.Range), mapping)
}
