package nvue

import (
	"slices"
	"strings"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// frameOverhead is what a frame has around the packet that a port's mtu counts.
const frameOverhead units.Bytes = 22

// told is what the file says of one port: the interface may stand in several keys.
type told []node

func (t told) get(path ...string) node {
	out := node{}
	for _, n := range t {
		if v := n.get(path...); v.there() {
			out = v
		}
	}
	return out
}

// features are those in which ports have profiles.
var features = []string{"mapping", "remark", "pfc", "congestion-control", "egress-scheduler", "egress-shaper"}

// port reads a port. Ports with the same profiles share what they are told.
func (r *reader) port(name string, says told) plan.Port {
	port := plan.Port{Name: name, Range: says[0].at()}
	if mtu := says.get("link", "mtu"); mtu.there() {
		port.MTU = units.Bytes(mtu.number(68, 9216, 9216)) + frameOverhead
	}
	var key []string
	profiles := make(map[string]node)
	for _, f := range features {
		profiles[f] = r.profile(f, says.get("qos", f, "profile"))
		key = append(key, says.get("qos", f, "profile").text())
	}
	watched := says.get("qos", "pfc-watchdog")
	on := watched.there() && (watched.get("state").on() || !watched.get("state").there())
	key = append(key, map[bool]string{true: "watched"}[on])
	id := strings.Join(key, "\x00")
	if r.same[id] == nil {
		r.same[id] = r.portQoS(profiles)
		r.same[id].Watchdog = on
	}
	port.QoS = r.same[id]
	port.Cable = r.cable(profiles["pfc"])
	return port
}

// text is the value of a leaf, empty where it is not there.
func (n node) text() string {
	if !n.there() {
		return ""
	}
	return n.y.Value
}

// profile finds the profile that a port names, else the one of all ports.
func (r *reader) profile(feature string, named node) node {
	if !named.there() {
		return r.qos.get(feature, "default-global")
	}
	p := r.qos.get(feature, named.text())
	if !p.there() {
		r.list.Errorf(Undefined, named.at(), "the file has no %s profile %q", feature, clip(named.text()))
	}
	return p
}

func (r *reader) cable(pfc node) units.Length {
	length := pfc.get("cable-length")
	if r.roce && !length.there() {
		length = r.qos.get("roce", "cable-length")
		return units.Length(length.number(1, 100_000, 100)) * units.Metre
	}
	return units.Length(length.number(1, 100_000, 0)) * units.Metre
}

func (r *reader) portQoS(profiles map[string]node) *plan.PortQoS {
	q := &plan.PortQoS{}
	r.trust(q, profiles["mapping"], profiles["remark"])
	r.pfc(q, profiles["pfc"])
	r.groups(q)
	r.queues(q, profiles["egress-scheduler"], profiles["egress-shaper"])
	r.curves(q, profiles["congestion-control"])
	r.queueLimits(q)
	q.Pools = r.portPools()
	return q
}

// trust takes a mapping that is not the one of all ports for that of untrusted senders:
// what most code points become is what nobody is admitted to.
func (r *reader) trust(q *plan.PortQoS, mapping, remark node) {
	if !mapping.there() || mapping.y == r.qos.get("mapping", "default-global").y {
		return
	}
	q.Trust = plan.TrustNone
	m := &plan.Marking{Range: mapping.at()}
	var count [8]int
	var tcs [64]uint8
	for d := range tcs {
		tcs[d] = uint8(d / 8)
	}
	mapping.get("dscp").instances(63, func(d int, kid node) { tcs[d] = uint8(kid.get("switch-priority").number(0, 7, 0)) })
	for _, tc := range tcs {
		count[tc]++
	}
	for tc := range count {
		if count[tc] > count[m.DefaultTC] {
			m.DefaultTC = uint8(tc)
		}
	}
	for d, tc := range tcs {
		if tc != m.DefaultTC {
			m.Rules = append(m.Rules, plan.MarkRule{DSCP: uint8(d), TC: tc})
		}
	}
	remark.get("switch-priority").instances(7, func(tc int, kid node) {
		if uint8(tc) == m.DefaultTC {
			m.Default = uint8(kid.get("dscp").number(0, 63, 0))
		}
	})
	r.sw.Marking = m
}

func (r *reader) pfc(q *plan.PortQoS, profile node) {
	if r.roce && !profile.there() {
		q.PFC = 1 << 3
	}
	q.Range = profile.get("switch-priority").at()
	profile.get("switch-priority").instances(7, func(p int, _ node) { q.PFC |= 1 << p })
	buffer, xoff := profile.get("port-buffer"), profile.get("xoff-threshold")
	lossless := r.buffers().get("ingress-lossless-buffer")
	for p := range uint8(8) {
		if q.PFC&(1<<p) == 0 {
			continue
		}
		r.sw.Maps.TCToPG[p], r.sw.Maps.PFCToPG[p] = p, p
		g := plan.PG{
			ID: p, Lossless: true, Pool: r.pool(plan.Ingress, lossless), Limit: r.limit(lossless),
			Reserved: r.bytes(xoff, "reserve"), XOnOffset: r.bytes(profile.get("xon-threshold"), "xon offset"),
		}
		if r.roce && !lossless.get("shared-alpha").there() {
			g.Limit = plan.Derived[plan.Limit]{Value: plan.Limit{Dynamic: true}} // ALPHA_1
		}
		if buffer.there() {
			g.Headroom = of(units.Bytes(buffer.number(0, 4294967295, 0))-g.Reserved.Value, buffer, "headroom")
			if g.Headroom.Value < 0 {
				r.list.Errorf(Number, buffer.at(), "the port buffer, %d, is smaller than the XOFF threshold, %d", int64(g.Headroom.Value+g.Reserved.Value), int64(g.Reserved.Value))
				g.Headroom.Value = 0
			}
		}
		q.PGs = append(q.PGs, g)
	}
	for _, direction := range []string{"tx", "rx"} {
		if way := profile.get(direction); way.there() && !way.on() {
			q.PFC, q.Range = 0, way.at() // half of it pauses nobody, or heeds no pause
		}
	}
}

// groups adds the lossy groups, which all ports have.
func (r *reader) groups(q *plan.PortQoS) {
	r.buffers().get("ingress-lossy-buffer", "priority-group").each(func(name string, kid node) {
		id, ok := groupID(name)
		if ok && !slices.ContainsFunc(q.PGs, func(g plan.PG) bool { return g.ID == id }) {
			q.PGs = append(q.PGs, plan.PG{ID: id, Pool: r.pool(plan.Ingress, kid), Limit: r.limit(kid), Reserved: r.bytes(kid.get("reserved"), "reserve")})
		}
	})
	slices.SortFunc(q.PGs, func(a, b plan.PG) int { return int(a.ID) - int(b.ID) })
}

func (q *queues) at(id int) *plan.Queue {
	i := slices.IndexFunc(*q, func(q plan.Queue) bool { return q.ID == uint8(id) })
	if i < 0 {
		*q = append(*q, plan.Queue{ID: uint8(id)})
		i = len(*q) - 1
	}
	return &(*q)[i]
}

type queues []plan.Queue

// queues reads how queues share the port.
func (r *reader) queues(q *plan.PortQoS, scheduler, shaper node) {
	var all queues
	if r.roce && !scheduler.there() {
		for _, id := range []int{0, 3} {
			all.at(id).Scheduler.Weight = plan.Derived[int64]{Value: 50}
		}
		all.at(6).Scheduler.Strict = true
	}
	scheduler.get("traffic-class").instances(7, func(id int, kid node) {
		s := &all.at(id).Scheduler
		s.Strict, s.Range = kid.get("mode").word("dwrr", "strict") == "strict", kid.get("mode").at()
		if !s.Strict {
			s.Weight = of(kid.get("bw-percent").number(0, 100, 0), kid.get("bw-percent"), "weight")
		}
	})
	shaper.get("traffic-class").instances(7, func(id int, kid node) {
		if rate := kid.get("max-rate"); rate.there() {
			all.at(id).Scheduler.MaxRate = of(units.BitRate(rate.number(0, 2147483647, 0))*units.Kbps, rate, "rate cap")
		}
	})
	slices.SortFunc(all, func(a, b plan.Queue) int { return int(a.ID) - int(b.ID) })
	q.Queues = all
}

// curves reads marking. Thresholds and probability have defaults: Cumulus Linux 5.14,
// Quality of Service, Congestion Control.
func (r *reader) curves(q *plan.PortQoS, profile node) {
	const least, most = 150_000, 1_500_000
	curve := func(kid node) *plan.ECN {
		lo, hi, p := kid.get("min-threshold"), kid.get("max-threshold"), kid.get("probability")
		return &plan.ECN{
			KMin: of(units.Bytes(lo.number(0, 4294967295, least)), lo, "Kmin"),
			KMax: of(units.Bytes(hi.number(0, 4294967295, most)), hi, "Kmax"),
			PMax: of(units.Ratio(p.number(1, 100, 100))*units.Percent, p, "Pmax"),
		}
	}
	all := queues(q.Queues)
	if r.roce && !profile.there() {
		all.at(0).ECN, all.at(3).ECN = curve(node{}), curve(node{})
	}
	profile.get("traffic-class").instances(7, func(id int, kid node) {
		if ecn := kid.get("ecn"); ecn.there() && !ecn.on() {
			return
		}
		all.at(id).ECN = curve(kid)
	})
	slices.SortFunc(all, func(a, b plan.Queue) int { return int(a.ID) - int(b.ID) })
	q.Queues = all
}

// queueLimits reads what queues may take of the buffer.
func (r *reader) queueLimits(q *plan.PortQoS) {
	for i := range q.Queues {
		queue := &q.Queues[i]
		region := r.buffers().get("egress-lossy-buffer", "traffic-class", string('0'+rune(queue.ID)))
		for p := range 8 {
			if q.PFC&(1<<p) != 0 && r.sw.Maps.TCToQueue[p] == queue.ID {
				region = r.buffers().get("egress-lossless-buffer")
			}
		}
		queue.Pool, queue.Limit, queue.Reserved = r.pool(plan.Egress, region), r.limit(region), r.bytes(region.get("reserved"), "reserve")
	}
}
