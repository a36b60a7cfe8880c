package eos

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/emit"
	row "github.com/roceplan/roceplan/format/eos"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

type profileView struct {
	Name     string
	Trust    bool
	Marking  bool
	Queues   []queueView
	PFC      []uint8
	Watchdog bool
}

type queueView struct {
	ID         uint8
	Strict     bool
	Percent    int64 // 0: not printed
	Kbps       int64 // 0: no shaper
	Guaranteed bool
	ECN        *ecnView
}

type ecnView struct{ Min, Max, Percent int64 }

type markView struct {
	Number int
	Port   uint16
	DSCP   uint8
	TC     uint8
}

// ports returns the QoS profiles that the ports use, in the order of the ports that
// use them first, and which port uses which.
func (b *builder) ports() (profiles []*profileView, ports []portView) {
	names := map[*plan.PortQoS]string{}
	for _, p := range b.kinds() {
		want := b.profile(p)
		at := slices.IndexFunc(profiles, func(have *profileView) bool {
			want.Name = have.Name
			return reflect.DeepEqual(have, want)
		})
		if at < 0 {
			want.Name = profileName(p.Group, profiles)
			profiles = append(profiles, want)
		}
		names[p.QoS] = want.Name
	}
	for _, p := range b.s.Ports {
		if p.QoS != nil {
			ports = append(ports, portView{p.Name, names[p.QoS], b.mtu(&p), p.Routed, counted(p.QoS.Queues), b.exchanges(&p)})
		}
	}
	b.checkSwitched()
	return profiles, ports
}

// exchanges reports whether a port announces PFC to its peer by DCBX. EOS does not by itself (show
// running-config all: no dcbx mode), and static PFC does not need it.
func (b *builder) exchanges(p *plan.Port) bool {
	return b.s.EOS != nil && slices.Contains(b.s.EOS.DCBX, p.Group)
}

// counted returns the queues that mark. EOS counts what a queue marks where the interface says so, in a
// block of the queue outside its profile (aristanetworks/avd, molecule eos_cli_config_gen qos.cfg
// @3cac535c, Ethernet6 and Ethernet7). On Jericho the counters reportedly require `hardware counter
// feature ecn out` too, which no configuration shows.
func counted(queues []plan.Queue) (ids []uint8) {
	for _, q := range queues {
		if q.ECN != nil {
			ids = append(ids, q.ID)
		}
	}
	return ids
}

// mtu returns the largest packet of a port, 0 where its largest frame is not known. EOS
// applies it to routed packets that leave the port; its default, 1500 B, would cut RoCE.
func (b *builder) mtu(p *plan.Port) int64 {
	if p.MTU == 0 {
		return 0
	}
	return write(b, row.MTU, MTU, plan.Derived[units.Bytes]{Value: p.MTU}, p.Range)
}

// checkSwitched warns of ports that switch and have an MTU.
func (b *builder) checkSwitched() {
	var groups []string
	var packet int64
	for i := range b.s.Ports {
		if p := &b.s.Ports[i]; p.QoS != nil && p.MTU > 0 && !p.Routed && !slices.Contains(groups, p.Group) {
			groups, packet = append(groups, p.Group), row.Of(row.MTU).Of(int64(p.MTU))
		}
	}
	if len(groups) > 0 {
		b.list.Warnf(Switched, b.s.Range, "ports of %s are switched ports, the default of EOS: they ignore their mtu of %d B and let larger frames pass", strings.Join(groups, ", "), packet).
			Fixf("set routed = true in port groups that route, or keep the largest frame in the hosts")
	}
}

// profileName names a profile after the port group that uses it first.
func profileName(group string, taken []*profileView) string {
	isTaken := func(name string) bool {
		return slices.ContainsFunc(taken, func(p *profileView) bool { return p.Name == name })
	}
	name := "roceplan-" + group
	for n := len(taken) + 1; !classWord().MatchString(name) || isTaken(name); n++ {
		name = fmt.Sprintf("roceplan-%d", n)
	}
	return name
}

func (b *builder) profile(p *plan.Port) *profileView {
	q := p.QoS
	v := &profileView{Trust: q.Trust == plan.TrustDSCP, Watchdog: q.Watchdog, Marking: q.Trust == plan.TrustNone && b.s.Marking != nil}
	if b.s.Watchdog != nil && q.PFC != 0 && !q.Watchdog {
		b.list.Errorf(Watchdog, p.Range, "%s has PFC but no watchdog; EOS watches all ports once it watches one", p.Name).
			Fixf("let the watchdog watch all ports, or none")
	}
	for prio := range uint8(8) {
		if q.PFC&(1<<prio) != 0 {
			v.PFC = append(v.PFC, prio)
		}
	}
	b.checkStrict(p)
	shares := b.shares(q.Queues)
	for i, queue := range q.Queues {
		v.Queues = append(v.Queues, b.queue(queue, shares[i], q))
	}
	return v
}

// checkStrict refuses a strict queue below one that shares by weight: the EOS manual
// says of `no priority` that it acts on all lower queues too.
func (b *builder) checkStrict(p *plan.Port) {
	var above *plan.Queue
	for i, q := range slices.Backward(p.QoS.Queues) {
		if !q.Scheduler.Strict {
			above = &p.QoS.Queues[i]
		} else if above != nil {
			b.list.Errorf(StrictOrder, p.Range, "queue %d of %s is strict and queue %d shares by weight; EOS then shares queue %d by weight as well", q.ID, p.Name, above.ID, q.ID).
				Fixf("give the strict class a higher queue than those with a weight")
		}
	}
}

// queue prints one queue. Where the watchdog has to watch it, it gets 1 % of
// guaranteed bandwidth, if public evidence shows the line: EOS watches only queues that
// have some.
func (b *builder) queue(q plan.Queue, percent int64, of *plan.PortQoS) queueView {
	v := queueView{ID: q.ID, Strict: q.Scheduler.Strict, Percent: percent}
	if rate := q.Scheduler.MaxRate; rate.Value > 0 {
		v.Kbps = write(b, row.Rate, Rounded, rate, b.s.Range)
	}
	for tc, queue := range b.s.Maps.TCToQueue {
		if queue == q.ID && of.Watchdog && of.PFC&(1<<tc) != 0 {
			v.Guaranteed = b.guarantees(q.ID)
		}
	}
	if e := q.ECN; e != nil {
		v.ECN = &ecnView{int64(e.KMin.Value), int64(e.KMax.Value), write(b, row.Probability, Rounded, e.PMax, b.s.Range)}
	}
	return v
}

// guarantees reports whether a queue under the watchdog can be given a guarantee.
func (b *builder) guarantees(queue uint8) bool {
	if b.rules.guaranteedBy == "" {
		b.list.WarnOncef(Unguaranteed, b.s.Range, "the watchdog of EOS watches queues with guaranteed bandwidth, and no public source shows that EOS on %s accepts `bandwidth guaranteed`: queue %d is written without it. Check on one switch whether the watchdog watches the queue", b.s.Chip, queue)
	}
	return b.rules.guaranteedBy != ""
}

// shares returns the DWRR weights of queues as per cent, 0 for strict ones.
func (b *builder) shares(queues []plan.Queue) []int64 {
	weights := make([]int64, len(queues))
	var sum int64
	for i, q := range queues {
		if !q.Scheduler.Strict {
			weights[i] = q.Scheduler.Weight.Value
			sum += weights[i]
		}
	}
	if sum > 100 {
		b.list.WarnOncef(Rounded, b.s.Range, "the DWRR weights add up to %d; EOS takes per cent, so they are scaled to 100", sum).Fixf("write weights that add up to 100")
	}
	return emit.Percentages(weights)
}

// marks numbers the rules of the edge.
func marks(m *plan.Marking) (out []markView) {
	for i, r := range m.Rules {
		out = append(out, markView{i + 1, r.UDPPort, r.DSCP, r.TC})
	}
	return out
}
