// Package calc turns a fabric into a plan: every number by a documented formula, each
// with its reason, and every inequality evaluated with both sides.
//
// A switch is planned in stages, each a function of values that come from those before it: what
// arrives after a pause decides the headroom ([headrooms]); headroom and reserves decide what is
// left to share ([budget]); delays and speeds decide where queues mark ([curves]); both decide
// alpha, since marking has to act before a pause does ([alphas]); then the settings of every port
// follow ([ports]). An inequality that fails is an error at the line that caused it.
package calc

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/parallel"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

// Compute plans the whole fabric. The plan is complete where the list has no errors;
// otherwise it holds what could be computed, for reports.
func Compute(f *policy.Fabric) (*plan.Plan, diag.List) {
	p, list, _ := compute(context.Background(), f, allAdvised) // that context does not end
	return p, list
}

// compute plans a fabric, its shapes by a function, whose error it returns.
func compute(ctx context.Context, f *policy.Fabric, planAll func(context.Context, []inputs) ([]shapePlan, error)) (*plan.Plan, diag.List, error) {
	var list diag.List
	result := &plan.Plan{Fabric: f.Name, Path: pathOf(f), Routing: f.Routing.Value}
	result.Reaction = reactionOf(f, nil, &result.Path)
	checkCongestionControl(f, &list)
	checkBalancing(f, &list)
	common := commonOf(f)
	all := make([]inputs, 0, len(f.Switches))
	for _, sw := range f.Switches {
		all = append(all, inputs{common, alone(sw), &result.Path})
	}
	shapes, err := planAll(ctx, all)
	if err != nil {
		return nil, nil, err
	}
	for _, planned := range shapes {
		list = append(list, planned.list...)
		if planned.sw != nil {
			result.Switches = append(result.Switches, planned.sw)
		}
	}
	for _, nic := range f.NICs {
		if host := planHost(f, nic, &result.Path); host.Speed > 0 { // else no port leads to it
			result.Hosts = append(result.Hosts, host)
		}
	}
	result.Links = slices.Grow(result.Links, len(f.Links))
	for _, link := range f.Links {
		result.Links = append(result.Links, plan.Link{A: plan.LinkEnd(link.A), B: plan.LinkEnd(link.B)})
	}
	for _, s := range f.Servers {
		own := plan.Server{Name: s.Name, GPUs: s.GPUs, Machine: s.Machine}
		for _, end := range s.NICs {
			own.NICs = append(own.NICs, plan.LinkEnd(end))
		}
		result.Servers = append(result.Servers, own)
	}
	return result, list, nil
}

// inputs are all inputs of a shape's plan. Nothing else may affect it: a [Memo] relies on it.
type inputs struct {
	fabric *policy.Fabric // without what is other shapes'
	sw     *policy.Switch // its peers have nothing but their label
	path   *plan.Path     // the longest of the fabric
}

// commonOf returns the settings of a fabric that hold for each of its shapes.
func commonOf(f *policy.Fabric) *policy.Fabric {
	common := *f
	common.Switches, common.Links, common.Scenarios, common.Servers = nil, nil, nil, nil
	return &common
}

// alone returns a switch without what it leads to.
func alone(sw *policy.Switch) *policy.Switch {
	own := *sw
	own.Box, own.Groups = nil, nil
	for _, g := range sw.Groups {
		group := *g
		group.PeerSwitches, group.PeerPorts = nil, nil
		if g.PeerSwitch != nil {
			group.PeerSwitch = &policy.Switch{Label: g.PeerSwitch.Label}
		}
		own.Groups = append(own.Groups, &group)
	}
	return &own
}

// A shapePlan is the result of planning a shape: without a switch where a datum of its chip is missing.
type shapePlan struct {
	sw   *plan.Switch
	list diag.List
}

// allAdvised plans shapes, and looks for what would repair what it finds.
func allAdvised(ctx context.Context, all []inputs) ([]shapePlan, error) {
	shapes := make([]shapePlan, len(all))
	return shapes, parallel.Each(ctx, parallel.Few, len(all), func(i int) error {
		shapes[i] = planSwitch(all[i], false)
		return nil
	})
}

// planSwitch computes one shape, stage by stage. It stops where a datum of the chip is
// missing, since nothing after it would mean anything.
func planSwitch(in inputs, brief bool) shapePlan {
	found := findings{brief: brief, running: in.fabric.Running.Value}
	return shapePlan{planStages(in.fabric, in.sw, in.path, &found), found.list}
}

func planStages(f *policy.Fabric, sw *policy.Switch, path *plan.Path, found *findings) *plan.Switch {
	s, ok := newShape(f, sw, path, found)
	if !ok {
		return nil
	}
	p := s.stages(found)
	out := &plan.Switch{
		Names: sw.Names, Chip: sw.Chip.Name, Cell: s.cell, OS: sw.OS.Value, Targets: sw.Targets.Value,
		Platform: sw.Platform.Value, HwSKU: sw.HwSKU.Value, Release: sw.Release.Value, Role: sw.Role.Value, Range: sw.Range, Pinned: s.pinnedAt(),
		MTU:           plan.Of(f.MTU.Value, given("mtu", f.MTU, f.MTU.Value, "the largest frame of jumbo Ethernet in use")),
		Classes:       planClasses(s.classes),
		Maps:          s.maps(),
		Pools:         p.pools(),
		BufferModel:   s.bufferModel(),
		Calculator:    s.calculator(p.alphas),
		Watchdog:      s.watchdog(),
		Marking:       planMarking(f, sw),
		Trim:          planTrim(f),
		Tunnel:        planTunnel(f.Classes, sw),
		LoadBalancing: f.LoadBalancing.Value, LoadBalancingAt: f.LoadBalancing.Range,
		PausedPGs: p.pausedAtOnce(), VOQ: p.voq(), EOS: planEOS(sw.EOS),
		Ports: p.all(),
	}
	s.pin(out)
	s.fixLimits(out)
	checkRewriting(out, found)
	if out.Watchdog != nil && s.slowest() != nil {
		found.record(s.watchdogInequalities(out.Watchdog)...)
	}
	out.Checks = found.checks
	return out
}

// stages plans the buffer of a shape and its ports, and records the inequalities.
func (s *shape) stages(found *findings) *ports {
	b := planBudget(planHeadrooms(s, found), found)
	// The next stages divide the shared buffer. Where nothing is left, only that is reported.
	fits := hold(b.inequalities())
	marks, alphas := b.marksBeforePauses(fits, found)
	p := &ports{budget: &b, marks: marks, alphas: alphas, schedulers: planSchedulers(s)}
	if fits {
		found.record(p.isolationInequalities()...)
	}
	for _, k := range s.kinds {
		if fits {
			found.record(p.thresholdInequalities(k)...)
		}
		found.record(p.schedulingInequalities(k)...)
		found.record(p.trimmingInequalities(k)...)
	}
	return p
}

// mostCut of a curve leaves a 128th of it.
const mostCut = 128

// marksBeforePauses plans curves and alphas. Curves are divided by more and more until an alpha of the chip lets
// marks act before a pause and keeps all wishes. Where none does, the first divisor that misses least is taken; where
// marks never act, curves stay whole, so that findings are of these.
func (b *budget) marksBeforePauses(fits bool, found *findings) (curves, alphas) {
	if !fits {
		return b.marksAndAlphas(1, fits, found)
	}
	divisor, fewest := int64(1), math.MaxInt
	for cut := int64(1); cut <= mostCut; cut *= 2 {
		trial, of := findings{trial: found.trial}, *b
		marks, alphas := of.marksAndAlphas(cut, fits, &trial)
		if trial.list.HasErrors() {
			continue
		}
		misses := of.misses(marks, alphas)
		if misses == 0 {
			*b = of
			found.list, found.checks = append(found.list, trial.list...), append(found.checks, trial.checks...)
			return marks, alphas
		}
		if misses < fewest {
			divisor, fewest = cut, misses
		}
	}
	return b.marksAndAlphas(divisor, fits, found)
}

// marksAndAlphas plans them with curves that are divided by a number.
func (b *budget) marksAndAlphas(cut int64, fits bool, found *findings) (curves, alphas) {
	b.cut = cut
	marks := planCurves(b.shape, found)
	if fits {
		b.widenLossy(marks)
		b.growHeadroom(marks)
	}
	found.record(b.inequalities()...)
	return marks, planAlphas(b, marks, b.searchAlpha, fits, found)
}

// misses weighs what curves and alphas of all classes do not keep: most by far a must, then each kind of ports at
// which senders are paused before they slow down, then a wish of alpha.
func (b *budget) misses(marks curves, alphas alphas) (sum int) {
	for class, alpha := range alphas {
		limit := alpha.limit
		if !limit.Value.Dynamic {
			continue
		}
		if b.brokenMust(class, marks, limit) != nil {
			return math.MaxInt
		}
		for _, one := range b.overshoots(class, marks, limit, b.stuck(1)) {
			if !one.Holds {
				sum += 2
			}
		}
		if !hold(b.wishes(class, marks, limit, alpha.stuck)) {
			sum++
		}
	}
	return sum
}

func planEOS(e *policy.EOS) *plan.EOS {
	if e == nil {
		return nil
	}
	out := &plan.EOS{FlowSetSize: e.FlowSetSize.Value, QueueMonitor: e.QueueMonitor.Value, DCBX: slices.Sorted(slices.Values(e.DCBX.Value)), Range: e.Range}
	if c := e.Cluster; c != nil {
		out.Cluster = &plan.Cluster{Hosts: slices.Sorted(slices.Values(c.Hosts.Value)), Destinations: c.Destinations.Value, FlowLimit: c.FlowLimit.Value, Aging: c.Aging.Value}
	}
	return out
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
	stable.Sort(out, func(a, b plan.Class) int {
		if a.TrafficClass != b.TrafficClass {
			return int(a.TrafficClass) - int(b.TrafficClass)
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}
