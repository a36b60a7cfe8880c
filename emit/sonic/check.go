package sonic

import (
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/format"
	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// check finds everything that the file could not say.
func (e *emitter) check() {
	if !e.overlay {
		e.checkLanes()
	}
	for i := range e.sw.Ports {
		e.checkPort(&e.sw.Ports[i])
	}
	e.checkPools()
	seen := make(map[*plan.PortQoS]bool)
	for i := range e.sw.Ports {
		if p := &e.sw.Ports[i]; p.QoS != nil && !seen[p.QoS] {
			seen[p.QoS] = true
			e.checkQoS(p)
		}
	}
	e.checkMaps()
	e.checkTunnel()
	e.checkPriorities()
	e.checkWatchdog()
	e.checkCalculator()
	e.checkVirtual()
	e.checkMarking()
	e.checkTrimming()
	if lb := e.sw.LoadBalancing; lb != "" && lb != "ecmp" {
		e.found.Warnf(LoadBalancingLost, e.sw.LoadBalancingAt, "SONiC's ConfigDB has no setting for load balancing %q; the switch hashes flows over equal paths (ecmp)", lb).
			Fixf("set load_balancing = ecmp, or configure it outside this file; compile --form full,ars writes its tables for builds that have them")
	}
}

// within reports a number that a model refuses. It takes those from 0 to most.
func (e *emitter) within(what string, v, most int64, where diag.Range) {
	if v < 0 || v > most {
		e.found.Errorf(ValueRefused, where, "SONiC accepts %s from 0 to %d, not %d", what, most, v).Fixf("write a number from 0 to %d", most)
	}
}

// fits reports a quantity that the field of a row refuses, or rounds.
func fits[Q format.Quantity](e *emitter, id format.ID, d plan.Derived[Q], otherwise diag.Range) {
	to := format.Voice{List: &e.found, System: "SONiC", Rounded: Rounded, Range: ValueRefused}
	emit.Write(to, schema.Of(id), d, otherwise)
}

// only returns a quantity without a place of its own.
func only[T any](v T) plan.Derived[T] { return plan.Derived[T]{Value: v} }

// count returns a number without a unit.
func count(d plan.Derived[int64]) plan.Derived[plan.Count] {
	return plan.Derived[plan.Count]{Value: plan.Count(d.Value), Why: d.Why}
}

// checkLanes reports once per port group.
func (e *emitter) checkLanes() {
	missing := make(map[string][]*plan.Port)
	var groups []string
	for i := range e.sw.Ports {
		if p := &e.sw.Ports[i]; len(p.Lanes) == 0 {
			if missing[p.Group] == nil {
				groups = append(groups, p.Group)
			}
			missing[p.Group] = append(missing[p.Group], p)
		}
	}
	for _, group := range groups {
		ports := missing[group]
		more := ""
		if n := len(ports) - 1; n > 0 {
			more = " and of the " + strconv.Itoa(n) + " other ports of the group"
		}
		report := e.found.Errorf
		if e.sw.Pinned.Filename != "" { // it describes a switch that runs, whose ports are there
			report = e.found.Warnf
		}
		report(LanesMissing, ports[0].Range, "the serdes lanes of %s%s are unknown, and SONiC cannot create a port without them", ports[0].Name, more).
			Fixf("name a platform or hwsku that `roceplan platforms` lists, or give the lanes of the port group as the platform's port_config.ini has them")
	}
}

func (e *emitter) checkPort(p *plan.Port) {
	e.checkName("port", p.Name, p.NamedAt())
	for _, text := range []struct {
		what, value string
		max         int
	}{{"an alias", p.Alias, 128}, {"a description", p.Peer, 255}} {
		if len(text.value) > text.max {
			e.found.Errorf(ValueRefused, p.Range, "SONiC accepts %s of at most %d bytes, not %d", text.what, text.max, len(text.value)).Fixf("write at most %d bytes", text.max)
		}
	}
	fits(e, schema.PortSpeed, only(p.Speed), p.Range)
	fits(e, schema.PortMTU, only(e.sw.Frame(p).Value), e.sw.MTU.Why.RangeOr(p.Range))
	fits(e, schema.PortIndex, only(plan.Count(p.Index)), p.Range)
	fits(e, schema.PortSubport, only(plan.Count(p.Cage.Subport)), p.Range)
	if p.FEC != "" && !slices.Contains(schema.FECModes, p.FEC) {
		e.found.Errorf(ValueRefused, p.Range, "SONiC accepts the FEC modes %s, not %q", strings.Join(schema.FECModes, ", "), p.FEC).Fixf("write one of %s", strings.Join(schema.FECModes, ", "))
	}
}

func (e *emitter) checkName(what, name string, where diag.Range) {
	if name == "" || len(name) > 128 || strings.ContainsAny(name, "|,[]") {
		e.found.Errorf(NameRefused, where, "%q cannot be the name of a %s: ConfigDB's keys take 1 to 128 bytes without | , [ ]", name, what).Fixf("write a name without these characters, of at most 128 bytes")
	}
}

func (e *emitter) checkPools() {
	for i := range e.sw.Pools {
		e.checkName("pool", e.sw.Pools[i].Name, e.sw.Range)
	}
}

// checkQoS checks what the ports of a kind share; p is the first of them.
func (e *emitter) checkQoS(p *plan.Port) {
	for i := range p.QoS.Pools {
		pool := &p.QoS.Pools[i]
		e.checkLimit(pool.Pool, pool.Limit, p)
	}
	for i := range p.QoS.PGs {
		pg := &p.QoS.PGs[i]
		e.within("priority groups", int64(pg.ID), 7, p.Range)
		e.checkLimit(pg.Pool, pg.Limit, p)
		if pg.Lossless && e.dynamic() && !pg.Override && !pg.Limit.Value.Dynamic && pg.Pool != "" {
			e.found.Errorf(ValueRefused, pg.Limit.Why.RangeOr(p.Range), "PG %d of %s has the static limit %s, but a PG that the switch computes has a dynamic one", pg.ID, p.Name, pg.Limit.Value).Fixf("give the class an alpha in place of the bytes")
		}
	}
	for i := range p.QoS.Queues {
		e.checkQueue(&p.QoS.Queues[i], p)
	}
	if p.QoS.Trust == plan.TrustNone && e.sw.Marking == nil {
		e.found.Errorf(MarkingConflict, p.Range, "%s trusts nothing that comes in, and no marking says what to do with it", p.Name).Fixf("add a marking block for the port, or let it trust DSCP")
	}
}

func (e *emitter) checkLimit(pool string, limit plan.Derived[plan.Limit], p *plan.Port) {
	if pool == "" {
		return
	}
	if e.sw.Pool(pool) == nil {
		e.found.Errorf(PlanIncomplete, p.Range, "%s uses the pool %q, which the switch does not have", p.Name, pool).Fixf("use a pool that the switch has")
	}
	if limit.Value.Dynamic {
		fits(e, schema.ProfileAlpha, plan.Derived[units.Alpha]{Value: limit.Value.Alpha, Why: limit.Why}, p.Range)
	}
}

func (e *emitter) checkQueue(q *plan.Queue, p *plan.Port) {
	e.within("queues", int64(q.ID), 15, p.Range)
	e.checkLimit(q.Pool, q.Limit, p)
	s := &q.Scheduler
	if !s.Strict && (s.Weight.Value != 0 || s.MaxRate.Value != 0) {
		fits(e, schema.Weight, count(s.Weight), p.Range)
	}
	fits(e, schema.MaxRate, s.MaxRate, p.Range)
	if q.ECN == nil {
		return
	}
	if q.ECN.PMax.Value != 0 { // 0 is a curve that marks nothing below Kmax
		fits(e, schema.Probability, q.ECN.PMax, p.Range)
	}
	kmin, kmax := q.ECN.KMin, q.ECN.KMax
	fits(e, schema.MarkFrom, kmin, p.Range)
	fits(e, schema.MarkTo, kmax, p.Range)
	if kmax.Value < kmin.Value {
		e.found.Errorf(ValueRefused, kmax.Why.RangeOr(p.Range), "Kmax of queue %d, %d B, lies below Kmin, %d B", q.ID, kmax.Value, kmin.Value).Fixf("give a Kmax of at least %d B", kmin.Value)
	}
}

func (e *emitter) checkMaps() {
	m := &e.sw.Maps
	e.checkValues("a map", e.sw.Range, []values{
		{"traffic classes", m.DSCPToTC[:], 7}, {"queues", m.TCToQueue[:], 9}, {"priority groups", m.TCToPG[:], 7},
		{"queues", m.PFCToQueue[:], 7}, {"priority groups", m.PFCToPG[:], 7},
	})
}

// values are the outputs of a map, and the largest of them that SONiC takes.
type values struct {
	what string
	to   []uint8
	max  int64
}

func (e *emitter) checkValues(of string, at diag.Range, all []values) {
	for _, v := range all {
		for _, value := range v.to {
			e.within(v.what+" of "+of, int64(value), v.max, at)
		}
	}
}

// checkPriorities warns where the traditional model's buffermgrd would put headroom
// into another PG than the one that is paused.
func (e *emitter) checkPriorities() {
	enabled := e.sw.Paused()
	for p, pg := range e.sw.Maps.PFCToPG {
		if enabled&(1<<p) != 0 && int(pg) != p && !e.dynamic() {
			e.found.Warnf(PGNotPriority, e.classAt(uint8(p)), "PFC priority %d pauses PG %d, but SONiC's buffermgrd gives a lossless profile to PG %d, and many chips cannot map one to the other", p, pg, p).
				Fixf("use priority group %d for PFC priority %d", p, p)
		}
	}
}

// classAt returns the place at which the lossless class of a priority is declared.
func (e *emitter) classAt(priority uint8) diag.Range {
	for i := range e.sw.Classes {
		if c := &e.sw.Classes[i]; c.Lossless && c.PFC == priority {
			return c.Range
		}
	}
	return e.sw.Range
}

func (e *emitter) checkWatchdog() {
	wd := e.sw.Watchdog
	if wd == nil {
		return
	}
	fits(e, schema.Detection, wd.Detection, e.sw.Range)
	fits(e, schema.Restoration, wd.Restoration, e.sw.Range)
	if wd.Poll.Value != 0 { // SONiC has its own
		fits(e, schema.Poll, wd.Poll, e.sw.Range)
	}
	if least := min(wd.Detection.Value, wd.Restoration.Value); least < wd.Poll.Value {
		e.found.Errorf(ValueRefused, wd.Poll.Why.RangeOr(e.sw.Range), "the PFC watchdog polls every %s, longer than the %s within which it must act", wd.Poll.Value, least).Fixf("declare a poll of at most %s", least)
	}
	switch wd.Action {
	case plan.WatchdogDrop, plan.WatchdogForward, plan.WatchdogAlert:
	default:
		e.found.Errorf(ValueRefused, e.sw.Range, "SONiC's PFC watchdog knows the actions drop, forward and alert, not %q", wd.Action).Fixf("write drop, forward or alert")
	}
}

func (e *emitter) checkCalculator() {
	if !e.dynamic() {
		return
	}
	c := e.sw.Calculator
	if c == nil {
		e.found.Errorf(PlanIncomplete, e.sw.Range, "the dynamic buffer model needs three inputs of the switch's calculator: default alpha, lossless frame, share of small packets").Fixf("declare all three, or choose the traditional buffer model")
		return
	}
	fits(e, schema.DefaultAlpha, c.DefaultAlpha, e.sw.Range)
	fits(e, schema.Oversubscribe, count(c.Oversubscribe), e.sw.Range)
	fits(e, schema.PatternMTU, c.LosslessFrame, e.sw.Range)
	fits(e, schema.SmallPackets, c.SmallPackets, e.sw.Range)
}

func (e *emitter) warnClash(base string, k kind) {
	for i := range e.sw.Ports {
		if p := &e.sw.Ports[i]; kindOf(p) == k {
			e.found.Warnf(ProfileClash, p.Range, "%s needs another lossless profile than other ports or PGs of %s and %d m, but SONiC's buffermgrd knows one profile for each speed and length: it gives %s_profile, which has the most headroom, to all of them", p.Name, k.speed, k.metre, base).
				Fixf("give the ports the same peers and headroom, or cable lengths that differ by a metre")
			return
		}
	}
}
