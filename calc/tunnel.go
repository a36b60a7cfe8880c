package calc

import (
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

// classesOn returns the classes that packets can have on a switch: those in which packets are
// sent back where they pass alone.
func classesOn(classes []*policy.Class, sw *policy.Switch) []*policy.Class {
	if sendsBack(sw) {
		return classes
	}
	return notSentBack(classes)
}

func notSentBack(classes []*policy.Class) []*policy.Class {
	return stable.Delete(slices.Clone(classes), func(c *policy.Class) bool { return c.SentBack })
}

// classifierOf returns the classifier of ports that must refuse the code points of returned
// packets, where the classes on the switch have them: code points that a host may set must not lead
// to their queues. It returns nil where the switch's classifier holds.
func classifierOf(classes []*policy.Class, group *policy.PortGroup) *[64]uint8 {
	own := notSentBack(classes)
	if group.SentBack.Value || len(own) == len(classes) {
		return nil
	}
	maps := planMaps(own)
	return &maps.DSCPToTC
}

// planTunnel returns the change of class of packets between a pair of switches; nil where the
// switch has no tunnel. A class that is sent back leaves by the queue of the other class and shows
// its first code point. A packet that comes out takes the priority group of that class and the
// queue of its own, as SONiC doc/qos/tunnel_dscp_remapping.md rev 0.2 has it for queues 3 and 4,
// which are sent back in 2 and 6.
func planTunnel(classes []*policy.Class, sw *policy.Switch) *plan.Tunnel {
	if !sw.Tunnel.Set {
		return nil
	}
	inside := notSentBack(classes)
	maps := planMaps(inside)
	rest := restTrafficClass(inside)
	t := &plan.Tunnel{Name: sw.Tunnel.Value, DSCPToTC: maps.DSCPToTC, TCToPG: maps.TCToPG, TCToQueue: maps.TCToQueue, Range: sw.Tunnel.Range}
	show := func(tc, dscp uint8) {
		t.Outer.TCs |= 1 << tc
		t.Outer.DSCP[tc] = dscp
	}
	for _, class := range inside {
		tc, as := class.TrafficClass.Value, class
		if back := slices.IndexFunc(classes, func(c *policy.Class) bool { return c.SentBack && c.Name == class.SentBackAs.Value }); back >= 0 {
			as = classes[back]
			t.TCToPG[tc], t.TCToQueue[tc] = as.PriorityGroup.Value, as.Queue.Value
		}
		if dscps := shown(as); len(dscps) > 0 {
			show(tc, dscps[0])
		}
		t.Kept = append(t.Kept, class.KeepDSCP.Value...)
	}
	for _, class := range classes {
		if class.SentBack { // nothing that came back goes back again
			tc := class.TrafficClass.Value
			t.TCToPG[tc], t.TCToQueue[tc] = maps.TCToPG[rest], maps.TCToQueue[rest]
			show(tc, t.Outer.DSCP[rest])
		}
	}
	slices.Sort(t.Kept)
	return t
}

// shown returns the code points that packets of a class may show: those that have a traffic class
// of their own are not among them.
func shown(class *policy.Class) []uint8 {
	return stable.Delete(slices.Clone(class.DSCPs.Value), func(d uint8) bool { return slices.Contains(class.KeepDSCP.Value, d) })
}

// queuesOf returns the map from traffic classes to queues of ports that have their own; nil: that of the
// switch.
func queuesOf(classes []*policy.Class, group *policy.PortGroup) *plan.QueueMap {
	if len(group.Queues) == 0 {
		return nil
	}
	main := planMaps(classes).TCToQueue
	own := &plan.QueueMap{To: main}
	for _, q := range group.Queues {
		tc := q.Class.TrafficClass.Value
		own.To[tc], own.At[tc] = q.Of.Queue.Value, q.Range
	}
	if own.To == main {
		return nil
	}
	return own
}
