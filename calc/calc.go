// Package calc turns a fabric into a plan: every number by a documented formula, each
// with its reason, and every inequality evaluated with both sides.
//
// For a switch the order is that of the shared buffer. What arrives after a pause
// decides the headroom; headroom and reserves decide what is left to share; that
// decides alpha; delays and speeds decide the marking curve, which has to act below
// the threshold that alpha gives. An inequality that fails is an error at the line
// that caused it.
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
	result := &plan.Plan{Fabric: f.Name}
	checkCongestionControl(f, &list)
	checkBalancing(f, &list)
	for _, sw := range f.Switches {
		if planned, ok := planSwitch(f, sw, &list); ok {
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

// planSwitch computes one shape. It stops where a datum of the chip is missing, since
// nothing after it would mean anything.
func planSwitch(f *policy.Fabric, sw *policy.Switch, list *diag.List) (*plan.Switch, bool) {
	c, ok := newContext(f, sw, list)
	if !ok {
		return nil, false
	}
	c.planHeadroom()
	c.planReserves()
	c.planShared()
	// What follows divides the shared buffer: where nothing is left, only that is told.
	c.fits = c.checkFit() && c.checkLossyPool()
	c.planAlpha()
	c.planECN()
	c.planSchedulers()

	out := &plan.Switch{
		Names: sw.Names, Chip: sw.Chip.Name, Cell: c.cell, OS: sw.OS.Value, Targets: sw.Targets.Value,
		Platform: sw.Platform.Value, HwSKU: sw.HwSKU.Value, Role: sw.Role.Value, Range: sw.Range,
		MTU:           plan.Of(f.MTU.Value, given("mtu", f.MTU, f.MTU.Value, "the largest frame of jumbo Ethernet in use")),
		Classes:       planClasses(f.Classes),
		Maps:          planMaps(f.Classes),
		Pools:         c.planPools(),
		BufferModel:   c.bufferModel(),
		Calculator:    c.calculator(),
		Watchdog:      c.planWatchdog(),
		Marking:       planMarking(f, sw),
		LoadBalancing: f.LoadBalancing.Value, LoadBalancingAt: f.LoadBalancing.Range,
	}
	c.checkAll(out.Watchdog)
	out.Ports = c.planPorts()
	out.Checks = c.checks
	return out, true
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
