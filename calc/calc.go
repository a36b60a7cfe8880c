// Package calc turns a fabric into a plan: every number by a documented formula, each
// with its reason, and every inequality evaluated with both sides.
//
// A switch is planned in stages, each a function of values that come from those before
// it: what arrives after a pause decides the headroom ([headrooms]); headroom and
// reserves decide what is left to share ([budget]); delays and speeds decide where
// queues mark ([curves]); both decide alpha, since marking has to act before a pause
// does ([alphas]); then every port is told ([ports]). An inequality that fails is an
// error at the line that caused it.
package calc

import (
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

// Compute plans the whole fabric. The plan is complete where the list has no errors;
// otherwise it holds what could be computed, for reports.
func Compute(f *policy.Fabric) (*plan.Plan, diag.List) {
	var list diag.List
	result := &plan.Plan{Fabric: f.Name, Reaction: reactionOf(nil), Path: pathOf(f)}
	checkCongestionControl(f, &list)
	checkBalancing(f, &list)
	for _, sw := range f.Switches {
		if planned, ok := planSwitch(f, sw, &result.Path, &list); ok {
			result.Switches = append(result.Switches, planned)
		}
	}
	for _, nic := range f.NICs {
		result.Hosts = append(result.Hosts, planHost(f, nic))
	}
	for _, link := range f.Links {
		result.Links = append(result.Links, plan.Link{A: plan.LinkEnd(link.A), B: plan.LinkEnd(link.B)})
	}
	return result, list
}

// planSwitch computes one shape, stage by stage. It stops where a datum of the chip is
// missing, since nothing after it would mean anything.
func planSwitch(f *policy.Fabric, sw *policy.Switch, path *plan.Path, list *diag.List) (*plan.Switch, bool) {
	var found findings
	out, ok := planStages(f, sw, path, &found)
	*list = append(*list, found.list...)
	return out, ok
}

func planStages(f *policy.Fabric, sw *policy.Switch, path *plan.Path, found *findings) (*plan.Switch, bool) {
	s, ok := newShape(f, sw, path, found)
	if !ok {
		return nil, false
	}
	p, watchdog := s.stages(found), s.watchdog()
	if watchdog != nil {
		found.record(s.watchdogInequalities(watchdog)...)
	}
	return &plan.Switch{
		Names: sw.Names, Chip: sw.Chip.Name, Cell: s.cell, OS: sw.OS.Value, Targets: sw.Targets.Value,
		Platform: sw.Platform.Value, HwSKU: sw.HwSKU.Value, Release: sw.Release.Value, Role: sw.Role.Value, Range: sw.Range,
		MTU:           plan.Of(f.MTU.Value, given("mtu", f.MTU, f.MTU.Value, "the largest frame of jumbo Ethernet in use")),
		Classes:       planClasses(f.Classes),
		Maps:          planMaps(f.Classes),
		Pools:         p.pools(),
		BufferModel:   s.bufferModel(),
		Calculator:    s.calculator(p.alphas),
		Watchdog:      watchdog,
		Marking:       planMarking(f, sw),
		LoadBalancing: f.LoadBalancing.Value, LoadBalancingAt: f.LoadBalancing.Range,
		PausedPGs: p.pausedAtOnce(), VOQ: p.voq(),
		Ports:  p.all(),
		Checks: found.checks,
	}, true
}

// stages plans the buffer of a shape and its ports, and records the inequalities.
func (s *shape) stages(found *findings) *ports {
	b := planBudget(planHeadrooms(s, found), found)
	// What follows divides the shared buffer: where nothing is left, only that is told.
	fits := hold(b.inequalities())
	marks := planCurves(s, found)
	if fits {
		b.widenLossy(marks)
	}
	found.record(b.inequalities()...)
	p := &ports{budget: &b, marks: marks, alphas: planAlphas(&b, marks, fits, found), schedulers: planSchedulers(s)}
	if fits {
		found.record(p.isolationInequalities()...)
	}
	for _, k := range s.kinds {
		if fits {
			found.record(p.thresholdInequalities(k)...)
		}
		found.record(p.schedulingInequalities(k)...)
	}
	return p
}

func planClasses(classes []*policy.Class) []plan.Class {
	out := make([]plan.Class, 0, len(classes))
	for _, class := range classes {
		out = append(out, plan.Class{
			Name: class.Name, TrafficClass: class.TrafficClass.Value, Queue: class.Queue.Value,
			PG: class.PriorityGroup.Value, PFC: class.PFC.Value, DSCPs: class.DSCPs.Value,
			Lossless: class.Lossless.Value, CongestionControl: class.CongestionControl.Value, Transport: transportOf(class), Range: class.Range,
		})
	}
	slices.SortFunc(out, func(a, b plan.Class) int {
		if a.TrafficClass != b.TrafficClass {
			return int(a.TrafficClass) - int(b.TrafficClass)
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}
