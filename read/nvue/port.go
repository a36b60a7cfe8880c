package nvue

import (
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	row "github.com/roceplan/roceplan/format/nvue"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// portNodes are the settings of one port in the file: by its own name, and by that of its bond.
type portNodes []*node

func (t portNodes) get(path ...string) (out *node) {
	for _, n := range t {
		if v := n.get(path...); v.there() {
			out = v
		}
	}
	return out
}

// features are those in which ports have profiles.
var features = []string{"mapping", "remark", "pfc", "congestion-control", "egress-scheduler", "egress-shaper"}

// port reads a port. Ports with the same profiles share their settings.
func (r *reader) port(name string, says portNodes) plan.Port {
	port := plan.Port{Name: name, Range: says[0].at()}
	r.link(&port, says)
	var key []string
	profiles := make(map[string]*node)
	for _, f := range features {
		profiles[f] = r.profile(f, says.get("qos", f, "profile"))
		key = append(key, says.get("qos", f, "profile").text())
	}
	if pause := says.get("qos", "link-pause", "profile"); pause.there() {
		r.list.Warnf(NotModelled, pause.at(), "link pause stops all traffic of a port; the plan leaves it out")
		pause.leaf().doubtf(read.Scope{Ports: []string{name}}, "link pause stops all traffic of the port, and excludes PFC")
	}
	watched := says.get("qos", "pfc-watchdog")
	on := watched.there() && watched.mark().get("state").on(true)
	key = append(key, map[bool]string{true: "watched"}[on])
	trimmed := says.get("packet-trim", "egress-eligibility", "traffic-class")
	key = append(key, r.trimmed(trimmed))
	id := strings.Join(key, "\x00")
	if r.same[id] == nil {
		r.same[id] = r.portQoS(profiles)
		r.same[id].Watchdog = on
	}
	port.QoS = r.same[id]
	r.trims(&port, trimmed)
	port.Cable, port.CableRange = r.cable(profiles["pfc"])
	return port
}

// profile finds the profile that a port names, else the one of all ports.
func (r *reader) profile(feature string, named *node) *node {
	if !named.there() {
		return r.qos.get(feature, "default-global")
	}
	p := r.qos.get(feature, named.text())
	if !p.there() {
		r.list.Errorf(Undefined, named.at(), "the file has no %s profile %q", feature, clip(named.text())).Fixf("define the profile, or give the port one that the file has")
	}
	return p.mark()
}

// cable returns the length from which a switch computes headroom that is not set. Defaults: Cumulus
// Linux 5.14, Quality of Service, PFC: 10 m; with RoCE 100 m.
func (r *reader) cable(pfc *node) (units.Length, diag.Range) {
	length, id := pfc.row(row.Cable), row.Cable
	if r.roce.lossless && !length.there() {
		id = row.RoCECable
		length = r.set.row(id)
	}
	return units.Length(length.quantity(id)), length.at()
}

func (r *reader) portQoS(profiles map[string]*node) *plan.PortQoS {
	q := &plan.PortQoS{}
	r.remarked[q] = profiles["remark"]
	r.classify(q, profiles["mapping"], profiles["remark"])
	r.pfc(q, profiles["pfc"])
	r.groups(q)
	r.queues(q, profiles["egress-scheduler"], profiles["egress-shaper"])
	r.curves(q, profiles["congestion-control"])
	r.queueLimits(q)
	q.Pools = r.portPools()
	r.buffersByDefault(q)
	return q
}

// pfc reads which priorities pause, and their groups.
func (r *reader) pfc(q *plan.PortQoS, profile *node) {
	q.Range = profile.get("switch-priority").at()
	by := make(map[int]*node) // what turns a priority's PFC on
	if r.roce.lossless && !profile.there() {
		by[3] = r.roce.says
	}
	profile.get("switch-priority").instances(7, func(p int, kid *node) { by[p] = kid })
	if r.roce.lossless && profile.there() && len(by) == 0 {
		by[3] = r.roce.says // the profile says something else of RoCE's priority
	}
	for p := range 8 {
		if by[p] != nil {
			q.PFC |= 1 << p
			r.losslessGroup(q, uint8(p), profile, by[p])
		}
	}
	for _, direction := range []string{"tx", "rx"} {
		if way := profile.get(direction); !way.on(true) {
			q.PFC, q.Range = 0, way.at() // half of it sends no pause, or obeys none
		}
	}
}

// losslessGroup reads the group of a priority that pauses. The switch computes the
// amounts that the file leaves out from cable, speed and MTU: see OwnHeadroom of the format.
func (r *reader) losslessGroup(q *plan.PortQoS, p uint8, profile, by *node) {
	r.sw.Maps.TCToPG[p], r.sw.Maps.PFCToPG[p] = p, p
	buffer, xoff := profile.row(row.PortBuffer), profile.row(row.XOff)
	if buffer.there() != xoff.there() {
		by.doubtf(read.Scope{PGs: 1 << p}, "the file has only one of port-buffer and xoff-threshold, and it is not documented how the switch computes the other")
	}
	lossless := r.buffers().get("ingress-lossless-buffer")
	g := plan.PG{
		ID: p, Lossless: true, Pool: r.pool(plan.Ingress, lossless), Limit: r.limit(plan.Ingress, lossless),
		XOnOffset: r.bytes(profile.row(row.XOn), "xon offset"),
	}
	if g.Limit.Why == nil && g.Limit.Value == (plan.Limit{}) {
		g.Limit.Value = plan.Limit{Dynamic: true} // ALPHA_1: 5.14, Default Configuration Files, qos_infra.conf
	}
	own := r.bytes(xoff, "reserve")
	g.Reserved = own
	if buffer.there() { // the reserve is all of it, and the headroom what is free when a pause is sent
		g.Reserved = r.bytes(buffer, "reserve")
		g.Headroom = of(g.Reserved.Value-own.Value, buffer, "headroom")
		if g.Headroom.Value < 0 {
			r.list.Errorf(Number, buffer.at(), "the port buffer, %d, is smaller than the XOFF threshold, %d", int64(g.Reserved.Value), int64(own.Value)).Fixf("make the port buffer larger than the XOFF threshold by the headroom of the cable")
			g.Headroom.Value = 0
		}
	}
	if xon := profile.row(row.XOn); xoff.there() && g.XOnOffset.Value > own.Value {
		r.list.Errorf(Number, xon.at(), "the XON threshold, %d, is larger than the XOFF threshold, %d, below which it is counted", int64(g.XOnOffset.Value), int64(own.Value)).Fixf("make it at most the XOFF threshold: the switch resumes when as many bytes less are used")
	}
	q.PGs = append(q.PGs, g)
}

// groups adds the lossy groups, which all ports have.
func (r *reader) groups(q *plan.PortQoS) {
	r.buffers().get("ingress-lossy-buffer", "priority-group").each(func(name string, kid *node) {
		id, ok := r.groupID(name)
		if ok && q.PG(id) == nil {
			q.PGs = append(q.PGs, plan.PG{ID: id, Pool: r.pool(plan.Ingress, kid), Limit: r.limit(plan.Ingress, kid), Reserved: r.bytes(kid.get("reserved"), "reserve")})
		}
	})
	stable.Sort(q.PGs, func(a, b plan.PG) int { return int(a.ID) - int(b.ID) })
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

// queues reads how queues share the port. Where no profile says it, all have about an
// eighth (Cumulus Linux 5.14, Quality of Service, Egress Scheduler); where one does, those
// that it leaves out have no weight.
func (r *reader) queues(q *plan.PortQoS, scheduler, shaper *node) {
	var all queues
	switch {
	case scheduler.there():
	case r.roce.on:
		for _, id := range []int{0, 3} {
			all.at(id).Scheduler.Weight = plan.Derived[int64]{Value: 50}
		}
		all.at(6).Scheduler.Strict = true
	default:
		for id := range 8 {
			all.at(id).Scheduler.Weight = plan.Derived[int64]{Value: 12 + int64(id%2)}
		}
	}
	scheduler.get("traffic-class").instances(7, func(id int, kid *node) {
		s := &all.at(id).Scheduler
		s.Strict, s.Range = kid.get("mode").word("dwrr", "strict") == "strict", kid.get("mode").at()
		if s.Strict {
			kid.row(row.Weight).pass(ruleStrictWeight)
		} else {
			s.Weight = of(kid.row(row.Weight).of(row.Weight), kid.row(row.Weight), "weight")
		}
	})
	shaper.get("traffic-class").instances(7, func(id int, kid *node) {
		if rate := kid.row(row.MaxRate); rate.there() {
			all.at(id).Scheduler.MaxRate = of(units.BitRate(rate.quantity(row.MaxRate)), rate, "rate cap")
		}
		kid.get("min-rate").pass(ruleMinRate)
	})
	r.buffers().get("egress-lossy-buffer", "traffic-class").instances(7, func(id int, _ *node) { all.at(id) })
	stable.Sort(all, func(a, b plan.Queue) int { return int(a.ID) - int(b.ID) })
	q.Queues = all
}

// curves reads marking. Thresholds and probability have defaults, and where no profile
// says otherwise queue 0 marks: Cumulus Linux 5.14, Quality of Service, Congestion Control.
func (r *reader) curves(q *plan.PortQoS, profile *node) {
	curve := func(kid *node) *plan.ECN {
		lo, hi, p := kid.row(row.MarkFrom), kid.row(row.MarkTo), kid.row(row.Probability)
		return &plan.ECN{
			KMin: of(units.Bytes(lo.of(row.MarkFrom)), lo, "Kmin"),
			KMax: of(units.Bytes(hi.of(row.MarkTo)), hi, "Kmax"),
			PMax: of(units.Ratio(p.quantity(row.Probability)), p, "Pmax"),
		}
	}
	all := queues(q.Queues)
	if !profile.there() {
		all.at(0).ECN = curve(nil)
		if r.roce.on {
			all.at(3).ECN = curve(nil)
		}
	}
	profile.get("traffic-class").instances(7, func(id int, kid *node) {
		if kid.get("red").on(false) {
			scope := read.Scope{Ports: r.users["congestion-control "+profile.name], Queues: 1 << id}
			kid.get("red").leaf().doubtf(scope, "random early detection drops packets of the queue before its buffer is full")
		}
		if kid.get("ecn").on(true) {
			all.at(id).ECN = curve(kid)
		} else {
			for _, leaf := range []string{"min-threshold", "max-threshold", "probability"} {
				kid.get(leaf).pass(ruleNoCurve)
			}
		}
	})
	stable.Sort(all, func(a, b plan.Queue) int { return int(a.ID) - int(b.ID) })
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
		queue.Pool, queue.Limit, queue.Reserved = r.pool(plan.Egress, region), r.limit(plan.Egress, region), r.bytes(region.get("reserved"), "reserve")
	}
}
