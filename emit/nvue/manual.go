package nvue

import (
	"slices"

	"strconv"

	"github.com/roceplan/roceplan/emit"
	row "github.com/roceplan/roceplan/format/nvue"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

func word[N int | uint8 | int64](n N) string { return strconv.FormatInt(int64(n), 10) }

// manual says every number.
func (b *builder) manual() {
	b.mapping()
	b.marking()
	for tc, queue := range b.s.Maps.TCToQueue {
		b.root.count(int64(queue), "qos", "egress-queue-mapping", "default-global", "switch-priority", word(tc), "traffic-class")
	}
	for _, k := range b.kinds {
		b.pfc(k)
		b.curves(k)
		b.schedule(k)
	}
	b.buffers()
}

// mapping trusts code points.
func (b *builder) mapping() {
	global := b.root.at("qos", "mapping", "default-global")
	global.word("l3", "trust")
	for dscp, tc := range b.s.Maps.DSCPToTC {
		global.count(int64(tc), "dscp", word(dscp), "switch-priority")
	}
}

// pfc says which priority is paused, and how much of the buffer is for what: the port buffer is all that
// a port reserves, a pause is sent once as much of it is used as the XOFF threshold says, and ends when as
// many bytes are free again as the XON threshold says (Cumulus Linux 5.14, Quality of Service, PFC). A profile
// may pause several priorities: there, Port Groups, PFC has `switch-priority 3,5`.
func (b *builder) pfc(k *emit.Kind) {
	q := k.QoS()
	if q.PFC == 0 {
		return
	}
	p := b.root.at("qos", "pfc", k.Name)
	for priority := range 8 {
		if q.PFC&(1<<priority) != 0 {
			p.at("switch-priority", word(priority))
		}
	}
	p.word("enable", "tx")
	p.word("enable", "rx")
	p.leaf(row.Cable, b.metres(k))
	var first *object
	for _, g := range q.PGs {
		if !g.Lossless {
			continue
		}
		if b.byCable {
			b.list.Warnf(HeadroomLeft, k.First().Range, "headroom of priority group %d of %s is left to the switch, which computes it from %v and %d m: the plan has a threshold of %v and %v of headroom",
				g.ID, k.Name, k.First().Speed, b.metres(k), b.own(&g), g.Headroom.Value).Fixf("compare with `nv show interface %s qos buffer` on one switch before rollout", k.First().Name)
			continue
		}
		switch part := b.sizes(&g); {
		case first == nil:
			first = part
			for _, key := range part.keys {
				p.put(key, part.kids[key])
			}
		case !first.equal(part):
			b.list.Errorf(Conflict, k.First().Range, "priority group %d of %s has another reserve, headroom or XON threshold than the other lossless groups, and a PFC profile of Cumulus Linux has one for all its priorities", g.ID, k.Name).
				Fixf("give the lossless classes the same reserves")
		default:
			b.list.WarnOnceAtf(PortBuffer, k.First().Range, "ports of %s pause several priorities, and the guide of Cumulus Linux does not say whether each has the port-buffer of the profile; roceplan assumes it", k.Name).
				Fixf("compare with `nv show interface %s qos buffer` on one switch before rollout", k.First().Name)
		}
	}
	b.each(k, func(port *object) { port.word(k.Name, "qos", "pfc", "profile") })
}

// sizes says how much a lossless group has, when it pauses and when it resumes.
func (b *builder) sizes(g *plan.PG) *object {
	part, own := &object{}, b.own(g)
	part.leaf(row.PortBuffer, int64(own+g.Headroom.Value))
	part.leaf(row.XOff, int64(own))
	below := g.XOnOffset.Value
	if g.XOn.Value > 0 {
		if below = own - g.XOn.Value; below <= 0 { // a group that resumes where it pauses does so with every packet
			below = own
		}
	}
	if below > own {
		b.list.WarnOnceAtf(DeviceDecides, b.s.Range, "a group resumes %v below its threshold, and NVUE at most %v below, the reserve of the group without its headroom", below, own)
	}
	part.leaf(row.XOn, int64(min(below, own)))
	return part
}

// curves says the marking of every queue that has one. A profile replaces the default
// one, which marks traffic class 0, and in RoCE mode 3 as well; one that turns marking off replaces it too. Queues of off are named
// though they do not mark.
func (b *builder) curves(k *emit.Kind, off ...uint8) {
	c := &object{}
	for _, q := range k.QoS().Queues {
		if q.ECN == nil {
			continue
		}
		queue := c.at("traffic-class", word(q.ID))
		queue.leaf(row.MarkFrom, int64(q.ECN.KMin.Value))
		queue.leaf(row.MarkTo, int64(q.ECN.KMax.Value))
		queue.leaf(row.Probability, write(b, row.Probability, Rounded, q.ECN.PMax, k.First().Range))
	}
	if len(c.keys) == 0 {
		off = append(off, 0)
	}
	for _, id := range off {
		if !slices.ContainsFunc(k.QoS().Queues, func(q plan.Queue) bool { return q.ID == id && q.ECN != nil }) {
			c.at("traffic-class", word(id)).word("disable", "ecn")
		}
	}
	b.root.at("qos", "congestion-control").put(k.Name, c)
	b.each(k, func(port *object) { port.word(k.Name, "qos", "congestion-control", "profile") })
}

// schedule says how queues share the port, and what they must not exceed.
func (b *builder) schedule(k *emit.Kind) {
	s, shaper := &object{}, &object{}
	var sum int64
	for _, q := range k.QoS().Queues {
		queue := s.at("traffic-class", word(q.ID))
		if q.Scheduler.Strict {
			queue.word("strict", "mode")
		} else {
			queue.word("dwrr", "mode")
			queue.leaf(row.Weight, q.Scheduler.Weight.Value)
			sum += q.Scheduler.Weight.Value
		}
		if rate := q.Scheduler.MaxRate; rate.Value > 0 {
			shaper.at("traffic-class", word(q.ID)).leaf(row.MaxRate, write(b, row.MaxRate, Rounded, rate, k.First().Range))
		}
	}
	if sum > 100 {
		b.list.Errorf(Weights, k.First().Range, "the weights of %s add up to %d, and Cumulus Linux takes them as per cent", k.Name, sum).
			Fixf("give the classes weights that add up to at most 100")
	}
	for _, part := range []struct {
		feature string
		tree    *object
	}{{"egress-scheduler", s}, {"egress-shaper", shaper}} {
		if len(part.tree.keys) > 0 {
			b.root.at("qos", part.feature).put(k.Name, part.tree)
			b.each(k, func(port *object) { port.word(k.Name, "qos", part.feature, "profile") })
		}
	}
}

// own returns the most that a group may hold before it pauses, apart from shared memory. The reserve of a
// group on Spectrum covers its headroom, unless there is a pool for that.
func (b *builder) own(g *plan.PG) units.Bytes {
	if pool := b.s.Pool(g.Pool); pool != nil && pool.Headroom.Value > 0 {
		return g.Reserved.Value
	}
	return g.WithoutHeadroom()
}
