package diff

import (
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/plan"
)

// once adds the pairs whose steps lead to a state that cannot be written for their system, although both ends can: it cannot have
// the old and the new place of a class together. It reports whether there are more.
func (o *orderer) once(all map[*pair]bool) (more bool) {
	for _, n := range o.nodes {
		if n.pair == nil || n.merged || all[n.pair.pair] {
			continue
		}
		if _, at := n.states(); at != n.pair.new && apart(n.pair.old, at, n.pair.new) {
			all[n.pair.pair], more = true, true
		}
	}
	return more
}

// atOnce returns a switch that has grown, but for the classes that leave their place: they have their new one, and
// packets with their code points, which it returns, are stopped for the change.
func atOnce(old, new *plan.Switch) (grown *plan.Switch, stopped []int) {
	without, stopped := staying(old, new)
	if grown = Grown(without, new); stopped == nil || apart(old, grown, new) {
		grown = new
	}
	return grown, stopped
}

// apart reports whether both ends of a change can be written for a system of a switch, and not what is between.
func apart(old, between, new *plan.Switch) bool {
	return old != nil && new != nil && slices.ContainsFunc(new.Targets, func(system string) bool {
		return !writable(between, system) && writable(old, system) && writable(new, system)
	})
}

func writable(sw *plan.Switch, system string) bool {
	if _, known := target.Find(system); !known {
		return true
	}
	_, found := target.Render(sw, target.Forms(system, nil))
	return !found.HasErrors()
}

// A place has the group and the queue of packets of a lossless class, with the priorities that
// pause them.
type place struct{ group, queue, priorities uint8 }

func places(sw *plan.Switch) (all [8]place) {
	lossless, paused := losslessTCs(sw), sw.Paused()
	for tc := range all {
		if !lossless[tc] {
			continue
		}
		all[tc] = place{group: sw.Maps.TCToPG[tc], queue: sw.Maps.TCToQueue[tc]}
		for p := range uint8(8) {
			if paused&(1<<p) != 0 && sw.Maps.PFCToPG[p] == all[tc].group {
				all[tc].priorities |= 1 << p
			}
		}
	}
	return all
}

// staying returns the old plan without the lossless classes that leave their place, and the code points of those.
func staying(old, new *plan.Switch) (without *plan.Switch, leave []int) {
	is := places(new)
	var classes, groups, priorities uint8
	for tc, place := range places(old) {
		if place.priorities != 0 && !slices.Contains(is[:], place) {
			classes, groups, priorities = classes|1<<tc, groups|1<<(place.group&7), priorities|place.priorities
		}
	}
	for d, tc := range old.Maps.DSCPToTC {
		if classes>>(tc&7)&1 != 0 {
			leave = append(leave, d)
		}
	}
	s, kinds := *old, map[*plan.PortQoS]*plan.PortQoS{}
	s.Classes = stable.Delete(slices.Clone(old.Classes), func(c plan.Class) bool { return classes>>(c.TrafficClass&7)&1 != 0 })
	s.Ports = slices.Clone(old.Ports)
	for i := range s.Ports {
		p := &s.Ports[i]
		if p.QoS == nil {
			continue
		}
		if kinds[p.QoS] == nil {
			q := *p.QoS
			q.PFC &^= priorities
			q.PGs = stable.Delete(slices.Clone(q.PGs), func(g plan.PG) bool { return groups>>(g.ID&7)&1 != 0 })
			kinds[p.QoS] = &q
		}
		p.QoS = kinds[p.QoS]
	}
	return &s, leave
}
