package sonic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// ports prints the interfaces, and collects the policies and profiles that they name.
func (e *enterprise) ports() {
	bodies := map[*plan.PortQoS]string{}
	for i := range e.sw.Ports {
		p := &e.sw.Ports[i]
		if p.QoS == nil {
			continue
		}
		if _, known := bodies[p.QoS]; !known {
			bodies[p.QoS] = e.port(p)
		}
		fmt.Fprintf(&e.interfaces, "interface %s\n%s exit\n", p.Name, bodies[p.QoS])
	}
}

// port prints the settings of a kind of port.
func (e *enterprise) port(p *plan.Port) string {
	var out strings.Builder
	for _, table := range []string{"dscp-tc", "tc-queue", "tc-pg", "pfc-priority-queue"} {
		fmt.Fprintf(&out, " qos-map %s %s\n", table, enterpriseName)
	}
	fmt.Fprintf(&out, " scheduler-policy %s\n", e.scheduler(p))
	for _, q := range p.QoS.Queues {
		if q.ECN != nil {
			fmt.Fprintf(&out, " queue %d wred-policy %s\n", q.ID, e.curve(q.ECN))
		}
	}
	if p.QoS.PFC == 0 {
		return out.String()
	}
	for priority := range 8 {
		if p.QoS.PFC&(1<<priority) != 0 {
			fmt.Fprintf(&out, " priority-flow-control priority %d\n", priority)
		}
	}
	if w := e.sw.Watchdog; w != nil && p.QoS.Watchdog {
		fmt.Fprintf(&out, " priority-flow-control watchdog action %s\n", w.Action)
		fmt.Fprintf(&out, " priority-flow-control watchdog on detect-time %d\n", e.detect)
		fmt.Fprintf(&out, " priority-flow-control watchdog on restore-time %d\n", e.restore)
	}
	out.WriteString(" no qos default-lossless-buffer-profile\n")
	for _, g := range p.QoS.PGs {
		if g.Lossless {
			fmt.Fprintf(&out, " qos buffer priority-group %d %s\n", g.ID, e.headroom(p, g))
		}
	}
	return out.String()
}

// headroom names the profile of a lossless group.
func (e *enterprise) headroom(p *plan.Port, g plan.PG) string {
	h := headroomProfile{g.Reserved.Value, g.Headroom.Value, g.Limit.Value.Alpha}
	if !g.Limit.Value.Dynamic {
		least, most := units.Alpha(enterpriseAlpha.Least), units.Alpha(enterpriseAlpha.Most)
		e.found.Errorf(EnterpriseRefused, p.Range, "priority group %d of %s has the limit %v; a lossless profile of Enterprise SONiC has an alpha from %v to %v", g.ID, p.Group, g.Limit.Value, least, most).Fixf("give the class an alpha from %v to %v", least, most)
	}
	write(e, enterpriseAlpha, format.GroupThreshold, only(h.alpha), p.Range)
	write(e, enterprisePause, format.Headroom, only(h.pause), p.Range)
	if h.pause < leastPause {
		e.found.WarnOncef(EnterpriseLost, p.Range, "priority group %d of %s needs %v of headroom and gets %v, the least that Enterprise SONiC takes", g.ID, p.Group, h.pause, leastPause)
		h.pause = leastPause
	}
	name := fmt.Sprintf("%s-%d-%d-%d", enterpriseName, h.pause, h.size, h.alpha)
	e.profiles[name] = h
	return name
}

// curve names a marking curve.
func (e *enterprise) curve(c *plan.ECN) string {
	w := wred{
		write(e, enterpriseMark, format.KMin, c.KMin, e.sw.Range), write(e, enterpriseMark, format.KMax, c.KMax, e.sw.Range),
		write(e, format.WholePerCent, format.PMax, c.PMax, e.sw.Range),
	}
	name := fmt.Sprintf("%s-%d-%d-%d", enterpriseName, w.kmin, w.kmax, w.probability)
	e.curves[name] = w
	return name
}

// scheduler names the policy of a kind of port. In which unit a rate is capped is not public,
// so caps are lost.
func (e *enterprise) scheduler(p *plan.Port) string {
	var body strings.Builder
	for _, q := range p.QoS.Queues {
		fmt.Fprintf(&body, " queue %d\n", q.ID)
		if q.Scheduler.Strict {
			body.WriteString("  type strict\n")
		} else {
			fmt.Fprintf(&body, "  type dwrr\n  weight %d\n", q.Scheduler.Weight.Value)
		}
		if q.Scheduler.MaxRate.Value > 0 {
			e.found.WarnOncef(EnterpriseLost, e.sw.Range, "queue %d has a cap of %v, and it is written without one: the unit of a cap in Enterprise SONiC is not public", q.ID, q.Scheduler.MaxRate.Value)
		}
	}
	i := slices.Index(e.schedulers, body.String())
	if i < 0 {
		i = len(e.schedulers)
		e.schedulers = append(e.schedulers, body.String())
	}
	return fmt.Sprintf("%s-%d", enterpriseName, i+1)
}
