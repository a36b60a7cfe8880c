package verify

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
)

// lacks names a setting that a file leaves to unpublished defaults of its device, and its group; at
// is where the group is made lossless, or where its pool is set to have no headroom. what is empty
// where nothing is missing, or where the missing setting is 0.
func (s *Switch) lacks() (what string, at diag.Range) {
	f := &s.shape.Format
	if s.asFabric {
		return "", at
	}
	if what, at = s.unlimitedQueue(); what != "" {
		return what, at
	}
	if what, at = s.emptyHeadroomPool(); what != "" || f.Defaults == "" && f.OwnHeadroom == "" {
		return what, at
	}
	for i := range s.Plan.Ports {
		port := &s.Plan.Ports[i]
		if port.QoS == nil {
			continue
		}
		for j := range port.QoS.PGs {
			pg := &port.QoS.PGs[j]
			missing, why := missingOf(pg), f.Defaults
			if why == "" {
				why = f.OwnHeadroom
				missing = stable.Delete(missing, func(amount string) bool { return amount != headroomAmount })
			}
			if pg.Lossless && len(missing) > 0 {
				what = fmt.Sprintf("the file gives priority group %d of %s no %s: %s", pg.ID, port.Name, strings.Join(missing, ", no "), why)
				return what, cmp.Or(pg.Range, port.QoS.Range, port.Range)
			}
		}
	}
	return "", at
}

// unlimitedQueue names a lossless queue whose limit the device chooses.
func (s *Switch) unlimitedQueue() (what string, at diag.Range) {
	why := s.shape.Format.OwnQueue
	if why == "" {
		return "", at
	}
	lossless := losslessOf(s.Plan).queues
	for i := range s.Plan.Ports {
		port := &s.Plan.Ports[i]
		if port.QoS == nil || groupsOf(port.QoS) == 0 {
			continue
		}
		for j := range port.QoS.Queues {
			if q := &port.QoS.Queues[j]; lossless>>(q.ID&15)&1 == 1 && q.Limit.Why == nil {
				return fmt.Sprintf("the file gives queue %d of %s no limit: %s", q.ID, port.Name, why), cmp.Or(q.Range, port.QoS.Range, port.Range)
			}
		}
	}
	return "", at
}

const headroomAmount = "headroom"

// missingOf returns the amounts of a lossless group that no line gives.
func missingOf(pg *plan.PG) (names []string) {
	for _, amount := range []struct {
		name string
		why  *plan.Why
	}{{headroomAmount, pg.Headroom.Why}, {"threshold", pg.Limit.Why}, {"distance at which it resumes", cmp.Or(pg.XOn.Why, pg.XOnOffset.Why)}, {"reserve", pg.Reserved.Why}} {
		if amount.why == nil {
			names = append(names, amount.name)
		}
	}
	return names
}

// lossyDefaults assumes the most where a file leaves the limits of lossy traffic to unpublished
// defaults: all of the pool. Otherwise a missing line would give a better verdict.
func (s *Switch) lossyDefaults() {
	f := &s.shape.Format
	why, only := cmp.Or(f.Defaults, f.OwnQueue), f.Defaults == "" // only limits of queues are left out
	if lacks, _ := s.lacks(); why == "" || lacks != "" {
		return
	}
	l := losslessOf(s.Plan)
	told := map[string]bool{}
	for _, qos := range kindsOf(s.Plan) {
		if groupsOf(qos) == 0 {
			continue
		}
		for _, class := range s.Plan.Classes {
			if len(class.DSCPs) == 0 || l.tcs>>(class.TrafficClass&7)&1 == 1 {
				continue
			}
			if !only && unboundGroup(qos, class.PG) {
				told[fmt.Sprintf("the threshold of priority group %d", class.PG)] = true
			}
			if queue := qos.QueueOf(&class); l.queues>>(queue&15)&1 == 0 && unboundQueue(qos, queue) {
				told[fmt.Sprintf("the threshold of queue %d", queue)] = true
			}
		}
		for _, q := range qos.Queues {
			if !only && l.queues>>(q.ID&15)&1 == 1 && q.Reserved.Why == nil {
				told[fmt.Sprintf("the reserve of queue %d", q.ID)] = true
			}
		}
	}
	if len(told) == 0 {
		return
	}
	names := slices.Sorted(maps.Keys(told))
	s.Findings.Warnf(DefaultUnknown, cmp.Or(s.losslessRange(), s.Plan.Range), "the file does not give %s: %s; lossy traffic is assumed to fill its pool", strings.Join(names, ", "), why).
		Fixf("set them in the buffer profile")
}

// losslessRange is where the buffer of the first lossless group is given.
func (s *Switch) losslessRange() diag.Range {
	for _, qos := range kindsOf(s.Plan) {
		for i := range qos.PGs {
			if pg := &qos.PGs[i]; pg.Lossless && pg.Headroom.Why != nil {
				return pg.Headroom.Why.Range
			}
		}
	}
	return diag.Range{}
}

// unboundGroup gives a lossy priority group without a threshold the whole pool, and reports
// whether it had none.
func unboundGroup(qos *plan.PortQoS, id uint8) bool {
	if pg := qos.PG(id); pg != nil && (pg.Lossless || pg.Limit.Why != nil) {
		return false
	} else if pg == nil {
		qos.PGs = append(qos.PGs, plan.PG{ID: id})
		stable.Sort(qos.PGs, func(a, b plan.PG) int { return cmp.Compare(a.ID, b.ID) })
	}
	qos.PG(id).Limit = everything()
	return true
}

// unboundQueue does so for a queue.
func unboundQueue(qos *plan.PortQoS, id uint8) bool {
	if q := qos.Queue(id); q != nil && q.Limit.Why != nil {
		return false
	} else if q == nil {
		qos.Queues = append(qos.Queues, plan.Queue{ID: id, Scheduler: plan.Scheduler{Strict: true}}) // as queues without a statement are
		stable.Sort(qos.Queues, func(a, b plan.Queue) int { return cmp.Compare(a.ID, b.ID) })
	}
	qos.Queue(id).Limit = everything()
	return true
}

func everything() plan.Derived[plan.Limit] {
	return plan.Of(plan.Limit{Static: plan.NoLimit}, &plan.Why{Kind: plan.Default, Name: "limit", Value: plan.Word("all of the pool"), Note: "assumed: the device's value is not published"})
}
