package adopt

import (
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
)

// sendBack finds by the tunnels of switches in which class packets of another are sent back, and
// which code points stay (calc/tunnel.go the other way round). A fabric has one set of classes,
// so the first tunnel that sends something back counts for all.
func sendBack(classes []*class, shapes []*Shape) []*class {
	for _, s := range shapes {
		t := s.Said.Tunnel
		if t == nil {
			continue
		}
		found := false
		for _, c := range slices.Clone(classes) {
			queue := t.TCToQueue[c.TrafficClass&7]
			if !c.Lossless || queue == c.Queue {
				continue
			}
			classes = withClassOf(classes, queue, s.Said)
			back := slices.IndexFunc(classes, func(o *class) bool {
				return o != c && o.Lossless && o.Queue == queue && o.PG == t.TCToPG[c.TrafficClass&7]
			})
			if back >= 0 {
				c.sentBackAs, classes[back].sentBack, found = classes[back], true, true
			}
		}
		if !found {
			continue
		}
		for _, dscp := range t.Kept {
			if at := slices.IndexFunc(classes, func(c *class) bool { return slices.Contains(c.DSCPs, dscp) }); at >= 0 {
				classes[at].kept = append(classes[at].kept, dscp)
			}
		}
		return classes
	}
	return classes
}

// withClassOf adds the lossless class of a queue where only maps of ports lead to it, as those of
// SONiC's templates do: the map of most ports is that of hosts, who must not.
func withClassOf(classes []*class, queue uint8, sw *plan.Switch) []*class {
	if slices.ContainsFunc(classes, func(c *class) bool { return c.Queue == queue }) {
		return classes
	}
	m := &sw.Maps
	for i := range sw.Ports {
		qos := sw.Ports[i].QoS
		if qos == nil || qos.DSCPToTC == nil {
			continue
		}
		for tc := range uint8(8) {
			c := &class{Class: plan.Class{TrafficClass: tc, Queue: queue, PG: m.TCToPG[tc], Lossless: true}}
			for dscp, to := range qos.DSCPToTC {
				if to == tc && sw.QueuesOf(qos)[tc] == queue {
					c.DSCPs = append(c.DSCPs, uint8(dscp))
				}
			}
			for p := range uint8(8) {
				if c.PFC = p; len(c.DSCPs) > 0 && qos.PFC>>p&1 == 1 && m.PFCToQueue[p] == queue && m.PFCToPG[p] == c.PG {
					for _, other := range classes {
						other.DSCPs = stable.Delete(slices.Clone(other.DSCPs), func(d uint8) bool { return slices.Contains(c.DSCPs, d) })
					}
					return append(classes, c)
				}
			}
		}
	}
	return classes
}

// passesBack reports whether packets that are sent back pass a port: PFC is on for one of their
// classes.
func (s *sketch) passesBack(p *plan.Port) bool {
	return p.QoS != nil && slices.ContainsFunc(s.classes, func(c *class) bool { return c.sentBack && p.QoS.PFC>>c.PFC&1 == 1 })
}
