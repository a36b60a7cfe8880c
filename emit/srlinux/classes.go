package srlinux

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
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
	b.out.QoS.Queues.Queue = append(b.out.QoS.Queues.Queue, queue{multicast, 0})
	done := map[uint8]bool{}
	for _, c := range b.s.Classes {
		to := b.s.Maps.TCToQueue[c.TrafficClass&7]
		if !done[to] {
			done[to] = true
			b.out.QoS.Queues.Queue = append(b.out.QoS.Queues.Queue, queue{b.s.QueueName(to), to})
		}
		b.out.QoS.Classes.Class = append(b.out.QoS.Classes.Class, class{c.Name, c.TrafficClass, output{b.s.QueueName(to), multicast}})
	}
	for _, k := range b.kinds { // queues of ports that no class is sent from
		for _, q := range k.QoS().Queues {
			if !done[q.ID] {
				done[q.ID] = true
				b.out.QoS.Queues.Queue = append(b.out.QoS.Queues.Queue, queue{b.s.QueueName(q.ID), q.ID})
			}
		}
	}
	b.classify(trusted, b.s.Maps.DSCPToTC)
	if m := b.s.Marking; m != nil {
		b.mark(m)
	}
}

// classify prints a classifier with all code points that lead to a class.
func (b *builder) classify(name string, tcs [64]uint8) {
	out := classifier{Name: name, DSCP: []dscpRule{}}
	for d, tc := range tcs {
		if c := b.classOf(tc); c != nil {
			out.DSCP = append(out.DSCP, dscpRule{uint8(d), c.Name, "low"})
		}
	}
	b.out.QoS.Classifiers.Policy = append(b.out.QoS.Classifiers.Policy, out)
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
	b.list.WarnOncef(MarkingLost, m.Range, "senders that are not trusted are classified by DSCP alone, not by UDP port, and their packets are rewritten where they leave the switch")
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
	out := rewrite{Name: edge, Map: []rewriteRule{}}
	for _, c := range b.s.Classes {
		if dscp, ok := written[c.TrafficClass]; ok {
			out.Map = append(out.Map, rewriteRule{c.Name, dscp})
		}
	}
	b.out.QoS.Rewrites = &rewrites{[]rewrite{out}}
}

func (b *builder) classifierOf(qos *plan.PortQoS) string {
	if qos.Trust == plan.TrustNone && b.s.Marking != nil {
		return edge
	}
	return trusted
}

// pfcName is the name that the system gives to the PFC queue of an index.
func pfcName(group uint8) string { return fmt.Sprintf("pfc%d", group) }

// mappings prints the queues of PFC, and for ports of which the same priorities are paused
// which traffic raises which pause, and which queue obeys it.
func (b *builder) mappings() {
	var groups uint8
	named := map[string]mapping{}
	for _, k := range b.kinds {
		if k.QoS().PFC == 0 {
			continue
		}
		dog := k.QoS().Watchdog && b.s.Watchdog != nil
		name := fmt.Sprintf("pause-%08b", k.QoS().PFC)
		if dog {
			name += "-watched"
		}
		k.mapping = name
		if _, ok := named[name]; ok {
			continue
		}
		m := mapping{Name: name}
		m.Sent.Unicast.Queue = []pausing{}
		m.Received.Queue = []stopped{}
		for p := range uint8(8) {
			if k.QoS().PFC>>p&1 == 1 {
				groups |= 1 << b.s.Maps.PFCToPG[p]
				b.pause(&m, p)
			}
		}
		if dog {
			m.Received.Deadlock = b.watchdog(b.s.Watchdog)
		}
		named[name] = m
		b.out.QoS.Mappings = append(b.out.QoS.Mappings, m)
	}
	for g := range uint8(8) {
		if groups>>g&1 == 1 {
			b.out.QoS.Queues.PFC = append(b.out.QoS.Queues.PFC, pfcQueue{pfcName(g), g})
		}
	}
	if n := len(b.out.QoS.Mappings); n > mostMappings {
		b.list.Errorf(Mappings, b.s.Range, "the ports pause %d different sets of priorities, and SR Linux has %d mappings", n, mostMappings).Fixf("let the ports pause at most %d different sets of priorities", mostMappings)
	}
}

// pause adds a priority to a mapping.
func (b *builder) pause(m *mapping, priority uint8) {
	group, stops := b.s.Maps.PFCToPG[priority], b.s.Maps.PFCToQueue[priority]
	raises := pausing{Queue: pfcName(group), Classes: []string{}, Priority: priority}
	for _, c := range b.s.Classes {
		if b.s.Maps.TCToPG[c.TrafficClass] == group && c.Lossless {
			raises.Classes = append(raises.Classes, c.Name)
		}
	}
	if slices.ContainsFunc(m.Sent.Unicast.Queue, func(have pausing) bool { return have.Queue == raises.Queue }) {
		b.list.Errorf(Mappings, b.s.Range, "priority group %d raises two PFC priorities, and SR Linux sends one", group).Fixf("give each priority a group of its own")
		return
	}
	m.Sent.Unicast.Queue = append(m.Sent.Unicast.Queue, raises)
	name := b.s.QueueName(stops)
	switch {
	case slices.ContainsFunc(m.Received.Queue, func(have stopped) bool { return have.Queue == name }):
		b.list.Errorf(Mappings, b.s.Range, "two PFC priorities stop queue %d, and a queue of SR Linux obeys one", stops).Fixf("give each lossless class a queue of its own")
	case b.named(stops):
		m.Received.Queue = append(m.Received.Queue, stopped{name, priority, true})
	}
}

// named reports whether a queue is among those of the document.
func (b *builder) named(id uint8) bool {
	return slices.ContainsFunc(b.out.QoS.Queues.Queue, func(q queue) bool { return q.Index == id && q.Name != multicast })
}

// watchdog prints the timers: what is stuck ignores pauses while it recovers.
func (b *builder) watchdog(w *plan.Watchdog) *deadlock {
	if w.Action != plan.WatchdogForward {
		b.list.WarnOncef(Watchdog, w.Range, "the PFC watchdog is to %s; that of SR Linux forwards: it ignores pauses while it recovers", w.Action).Fixf("say action = forward in the fabric, so that plan and switch agree")
	}
	if w.Poll.Value > 0 {
		b.list.WarnOncef(Watchdog, w.Poll.Why.RangeOr(b.s.Range), "the polling interval of the PFC watchdog, %v, is not written: SR Linux has none", w.Poll.Value)
	}
	return &deadlock{true, b.timer("detects", w.Detection, LeastDetect), b.timer("restores", w.Restoration, LeastRecover)}
}

// timer is a time in the milliseconds that SR Linux takes.
func (b *builder) timer(does string, d plan.Derived[units.Time], least units.Time) int64 {
	ms := units.Time(units.CeilMulDiv(int64(d.Value), 1, int64(units.Millisecond))) * units.Millisecond
	ms = min(max(ms, least), MostTimer)
	if ms != d.Value {
		b.list.WarnOncef(Watchdog, d.Why.RangeOr(b.s.Range), "the PFC watchdog %s after %v; SR Linux takes %v to %v, and gets %v", does, d.Value, least, MostTimer, ms).Fixf("say %v in the fabric, so that plan and switch agree", ms)
	}
	return int64(ms / units.Millisecond)
}
