// Package alerts makes Prometheus' alerting rules and a Grafana dashboard of a plan: measured values are
// checked against computed ones, port by port, and an alert is called after the assumption of the
// computation that does not hold.
package alerts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/observe"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A Rule raises an alert.
type Rule struct {
	Alert      string   `json:"alert"`
	Assumption string   `json:"assumption"` // that does not hold when the alert fires
	Severity   string   `json:"severity"`   // "critical": packets of a lossless class are lost; else "warning"
	Where      string   `json:"where"`      // whose measurements, for people
	Expr       string   `json:"expr"`       // PromQL
	Form       Form     `json:"-"`
	Measured   Selector `json:"-"`
	Silent     Selector `json:"-"` // of Unanswered and Unequal: the counter that should grow
	Threshold  int64    `json:"threshold"`
	Unit       string   `json:"unit"`
}

// Form is the kind of comparison of a rule.
type Form uint8

const (
	Above      Form = iota // a watermark is above the threshold
	Grows                  // a counter grows, per second in five minutes, by more than the threshold
	Unanswered             // a watermark is above the threshold, and a counter has not grown for five minutes
	Unequal                // of a sum of counters less than a share has arrived
	Absent                 // nothing is measured
)

// A Selector chooses time series.
type Selector struct {
	Counter observe.Counter
	Metric  Metric
	Devices []string // empty: all
	Ports   []string // or pools; empty: all
	Index   string   // of the group or queue; may be empty
}

// A Set is the rules of a fabric.
type Set struct {
	Fabric  string   `json:"fabric"`
	Rules   []Rule   `json:"rules"`
	Without []string `json:"without"` // counters that nothing exports, so no rule uses them
}

// builder is a Set while it is made.
type builder struct {
	set     Set
	metrics Metrics
	used    map[observe.Counter]Selector
}

// Of makes the rules of a plan for what an exporter calls the counters. pauses is how many pauses per second
// a port may send: the fabric's target.
func Of(p *plan.Plan, m Metrics, pauses int64) *Set {
	b := &builder{set: Set{Fabric: p.Fabric}, metrics: m, used: map[observe.Counter]Selector{}}
	for _, sw := range p.Switches {
		b.shape(sw, pauses, p.Path.Tolerable.Value)
	}
	if slices.ContainsFunc(p.Switches, notifies) && len(p.Hosts) > 0 {
		b.notifications()
	}
	b.absent(p)
	slices.Sort(b.set.Without)
	b.set.Without = slices.Compact(b.set.Without)
	return &b.set
}

// notifies reports whether hosts of a switch run DCQCN.
func notifies(sw *plan.Switch) bool {
	return slices.ContainsFunc(sw.Classes, func(c plan.Class) bool { return c.CongestionControl == "dcqcn" })
}

// alike are ports of a shape for which a rule has one threshold.
type alike struct {
	threshold int64
	index     uint8
}

// ports gathers the ports for which of says a threshold and the index of a group or queue, by both.
func ports(sw *plan.Switch, of func(p *plan.Port, add func(threshold int64, index uint8))) (keys []alike, names map[alike][]string) {
	names = map[alike][]string{}
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if p.QoS == nil || p.QoS.PFC == 0 {
			continue
		}
		of(p, func(threshold int64, index uint8) {
			key := alike{threshold, index}
			if names[key] == nil {
				keys = append(keys, key)
			}
			names[key] = append(names[key], p.Name)
		})
	}
	stable.Sort(keys, func(a, c alike) int {
		return cmp.Or(cmp.Compare(a.index, c.index), cmp.Compare(a.threshold, c.threshold))
	})
	return keys, names
}

// shape makes the rules of the switches of a shape.
func (b *builder) shape(sw *plan.Switch, pauses int64, tolerable units.Time) {
	b.groups(sw)
	b.queues(sw, tolerable)
	b.pauses(sw, pauses)
	b.pool(sw)
}

// eachGroup visits the lossless groups of a port.
func eachGroup(p *plan.Port, visit func(g *plan.PG)) {
	for i := range p.QoS.PGs {
		if g := &p.QoS.PGs[i]; g.Lossless {
			visit(g)
		}
	}
}

func (b *builder) groups(sw *plan.Switch) {
	keys, names := ports(sw, func(p *plan.Port, add func(int64, uint8)) {
		eachGroup(p, func(g *plan.PG) { add(0, g.ID) })
	})
	for _, k := range keys {
		b.add(Rule{Alert: "RoceLosslessDrop", Assumption: "headroom holds all that comes in after a pause", Severity: "critical", Form: Grows,
			Measured: b.choose(sw, observe.GroupDropped, names[k], k.index), Threshold: 0, Unit: "packets"})
	}
	keys, names = ports(sw, func(p *plan.Port, add func(int64, uint8)) {
		eachGroup(p, func(g *plan.PG) {
			if spare := spareless(sw, p, g); spare > 0 {
				add(spare, g.ID)
			}
		})
	})
	for _, k := range keys {
		b.add(Rule{Alert: "RoceCableOrResponse", Assumption: "the cable is no longer, and the peer obeys a pause no later, than headroom was computed for", Severity: "warning", Form: Above,
			Measured: b.choose(sw, observe.GroupHeadroom, names[k], k.index), Threshold: k.threshold, Unit: "bytes"})
	}
}

// spareless returns the fill of a group's headroom above which one more of the largest frames may find no
// place: the headroom less that frame, in whole cells. 0 where the headroom holds no two of them, or where it is
// the switch that computes it.
func spareless(sw *plan.Switch, p *plan.Port, g *plan.PG) int64 {
	var declared plan.Assumed
	if p.Assumed != nil {
		declared = *p.Assumed
	}
	frame := model.NewLink(p, sw.MTU.Value, declared).LosslessFrame
	return max(0, int64(g.Headroom.Value-frame.CeilTo(max(1, sw.Cell))))
}

func (b *builder) queues(sw *plan.Switch, tolerable units.Time) {
	lossless := func(p *plan.Port, queue uint8) bool {
		return slices.ContainsFunc(sw.Classes, func(c plan.Class) bool { return c.Lossless && p.QoS.QueueOf(&c) == queue })
	}
	keys, names := ports(sw, func(p *plan.Port, add func(int64, uint8)) {
		for i := range p.QoS.Queues {
			if q := &p.QoS.Queues[i]; q.ECN != nil && lossless(p, q.ID) && q.ECN.KMax.Value > 0 {
				add(int64(q.ECN.KMax.Value), q.ID)
			}
		}
	})
	for _, k := range keys {
		b.add(Rule{Alert: "RoceMarking", Assumption: "all packets are marked that leave a queue above Kmax", Severity: "warning", Form: Unanswered,
			Measured: b.choose(sw, observe.QueueShared, names[k], k.index), Silent: b.choose(sw, observe.QueueMarked, names[k], k.index),
			Threshold: k.threshold, Unit: "bytes"})
	}
	each := func(of func(p *plan.Port) int64) func(*plan.Port, func(int64, uint8)) {
		return func(p *plan.Port, add func(int64, uint8)) {
			for i := range p.QoS.Queues {
				if q := &p.QoS.Queues[i]; lossless(p, q.ID) {
					add(of(p), q.ID)
				}
			}
		}
	}
	keys, names = ports(sw, each(func(*plan.Port) int64 { return 0 }))
	for _, k := range keys {
		b.add(Rule{Alert: "RoceQueueDrop", Assumption: "no queue of a lossless class refuses a packet", Severity: "critical", Form: Grows,
			Measured: b.choose(sw, observe.QueueDropped, names[k], k.index), Unit: "packets"})
	}
	if tolerable <= 0 {
		return
	}
	// Queues that may hold more by their curve have it for the sake of completion, not of latency.
	keys, names = ports(sw, func(p *plan.Port, add func(int64, uint8)) {
		most := p.Speed.CeilBytes(tolerable)
		for i := range p.QoS.Queues {
			if q := &p.QoS.Queues[i]; lossless(p, q.ID) && (q.ECN == nil || 2*q.ECN.KMax.Value < most) {
				add(int64(most), q.ID)
			}
		}
	})
	for _, k := range keys {
		b.add(Rule{Alert: "RoceLatencyGoal", Assumption: fmt.Sprintf("no queue takes longer than %v, which the greatest latency of the fabric leaves for one", tolerable), Severity: "warning", Form: Above,
			Measured: b.choose(sw, observe.QueueShared, names[k], k.index), Threshold: k.threshold, Unit: "bytes"})
	}
}

// framesPerPause is one that begins and one that ends it; those that repeat it come on top.
const framesPerPause = 2

func (b *builder) pauses(sw *plan.Switch, pauses int64) {
	keys, names := ports(sw, func(p *plan.Port, add func(int64, uint8)) {
		for i := range sw.Classes {
			if c := &sw.Classes[i]; c.Lossless && p.QoS.PFC>>c.PFC&1 != 0 {
				add(framesPerPause*pauses, c.PFC)
			}
		}
	})
	for _, k := range keys {
		b.add(Rule{Alert: "RocePauseGoal", Assumption: fmt.Sprintf("congestion control keeps pauses below %d per second", pauses), Severity: "warning", Form: Grows,
			Measured: b.choose(sw, observe.PFCSent(k.index), names[k], noIndex), Threshold: k.threshold, Unit: "frames/s"})
	}
	keys, names = ports(sw, func(p *plan.Port, add func(int64, uint8)) {
		eachGroup(p, func(g *plan.PG) { add(0, g.ID) })
	})
	for _, k := range keys {
		i := slices.IndexFunc(sw.Classes, func(c plan.Class) bool { return c.Lossless && c.PG == k.index })
		if i < 0 {
			continue
		}
		b.add(Rule{Alert: "RocePauseNotSent", Assumption: "a group that uses headroom has paused its peer", Severity: "critical", Form: Unanswered,
			Measured: b.choose(sw, observe.GroupHeadroom, names[k], k.index), Silent: b.choose(sw, observe.PFCSent(sw.Classes[i].PFC), names[k], noIndex),
			Threshold: 0, Unit: "bytes"})
	}
	if sw.Watchdog == nil {
		return
	}
	keys, names = ports(sw, func(p *plan.Port, add func(int64, uint8)) {
		for i := range sw.Classes {
			if c := &sw.Classes[i]; c.Lossless && p.QoS.Watchdog {
				add(0, p.QoS.QueueOf(c))
			}
		}
	})
	for _, k := range keys {
		b.add(Rule{Alert: "RoceStuckPeer", Assumption: "no peer pauses for as long as the watchdog waits", Severity: "critical", Form: Grows,
			Measured: b.choose(sw, observe.WatchdogDetected, names[k], k.index), Threshold: 0, Unit: "storms"})
	}
}

// pool watches pools of headroom that are smaller than all headroom together: above the threshold, one
// more group with the largest headroom of the switch may find too little.
func (b *builder) pool(sw *plan.Switch) {
	for i := range sw.Pools {
		pool := &sw.Pools[i]
		largest, all := sw.Headrooms(pool.Name)
		if size := pool.Headroom.Value; size > largest && size < all {
			b.add(Rule{Alert: "RoceHeadroomSharing", Assumption: "no more groups use headroom at once than the pool is shared for", Severity: "warning", Form: Above,
				Measured: b.choose(sw, observe.PoolHeadroom, []string{pool.Name}, noIndex), Threshold: int64(size - largest), Unit: "bytes"})
		}
	}
}

// notifications compares what receivers send with what senders react to, in the whole fabric.
func (b *builder) notifications() {
	sent, sees := b.metrics.of(observe.CNPSent)
	handled, reacts := b.metrics.of(observe.CNPHandled)
	if !sees || !reacts {
		b.set.Without = append(b.set.Without, string(observe.CNPSent), string(observe.CNPHandled))
		return
	}
	b.add(Rule{Alert: "RoceNotifications", Assumption: "CNPs come to the senders, and they slow down", Severity: "warning", Form: Unequal,
		Measured: Selector{Counter: observe.CNPSent, Metric: sent}, Silent: Selector{Counter: observe.CNPHandled, Metric: handled},
		Threshold: arrived, Unit: "percent"})
}

// arrived is the share of CNPs, in percent, below which the rule fires. Assumed: the counters of
// two hosts are not read at one time, and a sender ignores those of what it has sent already.
const arrived = 50

const noIndex = 255

// choose chooses the series of a counter at ports of a shape.
func (b *builder) choose(sw *plan.Switch, c observe.Counter, ports []string, index uint8) Selector {
	m, _ := b.metrics.of(c)
	s := Selector{Counter: c, Metric: m, Devices: sw.Names, Ports: ports}
	if index != noIndex {
		s.Index = fmt.Sprint(index)
	}
	return s
}

// add takes a rule if all that it needs is exported.
func (b *builder) add(r Rule) {
	missing := false
	for _, s := range []Selector{r.Measured, r.Silent} {
		if s.Counter != "" && s.Metric.Name == "" {
			b.set.Without = append(b.set.Without, string(s.Counter))
			missing = true
		}
	}
	if missing {
		return
	}
	for _, s := range []Selector{r.Measured, r.Silent} {
		if s.Counter != "" {
			b.used[s.Counter] = Selector{Counter: s.Counter, Metric: s.Metric}
		}
	}
	r.Where, r.Expr = r.where(), r.expr()
	b.set.Rules = append(b.set.Rules, r)
}

// absent adds a rule for each counter that the others need: one that is not measured raises none.
func (b *builder) absent(p *plan.Plan) {
	counters := make([]observe.Counter, 0, len(b.used))
	for c := range b.used {
		counters = append(counters, c)
	}
	slices.Sort(counters)
	for _, c := range counters {
		r := Rule{Alert: "RoceNotMeasured", Assumption: "what the other rules compare is measured", Severity: "warning", Form: Absent, Measured: b.used[c], Unit: "series"}
		r.Where, r.Expr = string(c), r.expr()
		b.set.Rules = append(b.set.Rules, r)
	}
}

// where names the places whose measurements a rule compares.
func (r *Rule) where() string {
	s := &r.Measured
	if len(s.Devices) == 0 {
		return "all NICs"
	}
	text := fewer(s.Devices) + ": " + fewer(s.Ports)
	if s.Index != "" {
		text += " " + s.Index
	}
	return text
}

// fewer joins names, in the middle of many with dots.
func fewer(names []string) string {
	if len(names) > 3 {
		return names[0] + " … " + names[len(names)-1]
	}
	return strings.Join(names, ", ")
}
