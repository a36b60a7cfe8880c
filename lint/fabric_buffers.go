package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// fabricPools compares the pools. A headroom pool may be larger, if it fits.
func fabricPools(c *comparison) {
	for i := range c.want.Pools {
		want := &c.want.Pools[i]
		got := c.pool(want.Name)
		switch {
		case got == nil:
			c.errorf(FabricThresholdDiffers, c.got.Range, "the file has no pool %s", want.Name)
		case got.Size.Value != want.Size.Value:
			c.errorf(FabricThresholdDiffers, at(got.Size, c.got.Range), "pool %s has %v, but in the fabric %v", want.Name, got.Size.Value, want.Size.Value)
		case got.Percent != want.Percent:
			c.errorf(FabricThresholdDiffers, first(got.Range, c.got.Range), "pool %s has %d%%, but in the fabric %d%%", want.Name, got.Percent, want.Percent)
		case got.Headroom.Value < want.Headroom.Value:
			c.errorf(FabricThresholdDiffers, at(got.Headroom, at(got.Size, got.Range, c.got.Range)), "the headroom pool of %s has %v, but in the fabric %v", want.Name, got.Headroom.Value, want.Headroom.Value)
		case got.Direction != want.Direction:
			c.errorf(FabricThresholdDiffers, first(got.Range, c.got.Range), "pool %s is an %v pool, but an %v pool in the fabric", want.Name, got.Direction, want.Direction)
		}
	}
}

// fabricPG compares when a PG pauses and resumes. A reserve may be larger, if it fits.
func fabricPG(c *comparison, port *plan.Port, got, want *plan.PG) {
	what := fmt.Sprintf("priority group %d of %s", got.ID, port.Name)
	c.limit(what, first(got.Range, at(got.Reserved, port.Range)), got.Limit, want.Limit)
	if got.Reserved.Value < want.Reserved.Value {
		c.errorf(FabricThresholdDiffers, at(got.Reserved, port.Range), "%s has a reserve of %v, but in the fabric %v", what, got.Reserved.Value, want.Reserved.Value)
	}
	if got.XOnOffset.Value != want.XOnOffset.Value || got.XOn.Value != want.XOn.Value {
		c.errorf(FabricThresholdDiffers, at(got.XOnOffset, at(got.XOn, at(got.Headroom, got.Range, port.Range))), "%s resumes at %v or %v below its threshold, but in the fabric at %v or %v below", what, got.XOn.Value, got.XOnOffset.Value, want.XOn.Value, want.XOnOffset.Value)
	}
	if !c.inPool(got.Pool, want.Pool) || got.Lossless != want.Lossless {
		c.errorf(FabricThresholdDiffers, at(got.Limit, got.Range, port.Range), "%s is in pool %s, but in the fabric in %s", what, got.Pool, want.Pool)
	}
}

// fabricQueue compares what a queue may take.
func fabricQueue(c *comparison, port *plan.Port, got, want *plan.Queue) {
	what := fmt.Sprintf("queue %d of %s", got.ID, port.Name)
	c.limit(what, first(got.Range, at(got.Reserved, port.Range)), got.Limit, want.Limit)
	if got.Reserved.Value < want.Reserved.Value || c.exact && got.Reserved.Value > want.Reserved.Value || !c.inPool(got.Pool, want.Pool) {
		c.errorf(FabricThresholdDiffers, at(got.Reserved, at(got.Limit, got.Range, port.Range)), "%s has a reserve of %v in pool %q, but the fabric gives it %v in %q", what, got.Reserved.Value, got.Pool, want.Reserved.Value, want.Pool).Notef(first(got.Range, port.Range), "where the port gets it")
	} else if got.Reserved.Value > want.Reserved.Value && !slices.ContainsFunc(c.got.Pools, sized) {
		c.found.Warnf(FabricThresholdDiffers, at(got.Reserved, port.Range), "%s has a reserve of %v, but the fabric gives it %v, and the device takes the rest from pools that the file does not size", what, got.Reserved.Value, want.Reserved.Value).
			Fixf("give the queue the reserve of the fabric")
	}
}

// sized reports whether a file says how large a pool is.
func sized(p plan.Pool) bool { return p.Size.Value > 0 || p.Percent > 0 }

// fabricPortPools compares what whole ports may take of pools. None and one without a limit
// are the same.
func fabricPortPools(c *comparison, port *plan.Port, got, want *plan.PortQoS) {
	left := slices.Clone(got.Pools)
	near := first(got.Range, port.Range)
	for _, w := range want.Pools {
		g := plan.PortPool{Pool: w.Pool, Limit: plan.Of(plan.Limit{Static: plan.NoLimit}, nil)}
		if i := slices.IndexFunc(left, func(p plan.PortPool) bool { return c.inPool(p.Pool, w.Pool) }); i >= 0 {
			g = left[i]
			left = slices.Delete(left, i, i+1)
		}
		what := fmt.Sprintf("%s as a whole, in pool %s,", port.Name, g.Pool)
		c.limit(what, near, g.Limit, w.Limit)
		if g.Reserved.Value < w.Reserved.Value {
			c.errorf(FabricThresholdDiffers, at(g.Reserved, near), "%s has a reserve of %v, but in the fabric %v", what, g.Reserved.Value, w.Reserved.Value)
		}
	}
	for _, g := range left {
		what := fmt.Sprintf("%s as a whole, in pool %s,", port.Name, g.Pool)
		c.limit(what, near, g.Limit, plan.Of(plan.Limit{Static: plan.NoLimit}, nil))
	}
}

func (c *comparison) limit(what string, near diag.Range, got, want plan.Derived[plan.Limit]) {
	if got.Value != want.Value {
		c.errorf(FabricThresholdDiffers, at(got, near), "%s is limited by %v, but in the fabric by %v", what, got.Value, want.Value).Notef(near, "where the port gets it")
	}
}

// fabricHeadroomLess compares headroom. More of it is a matter of whether it fits.
func fabricHeadroomLess(c *comparison, port *plan.Port, got, want *plan.PG) {
	if got.Headroom.Value < want.Headroom.Value {
		c.errorf(FabricHeadroomLess, at(got.Headroom, at(got.Limit, got.Range, port.Range)), "priority group %d of %s has %v of headroom, but in the fabric, margins included, %v", got.ID, port.Name, got.Headroom.Value, want.Headroom.Value).
			Notef(first(got.Range, port.Range), "where the port gets it")
	}
}

// fabricECNDiffers compares curves.
func fabricECNDiffers(c *comparison, port *plan.Port, got, want *plan.Queue) {
	switch {
	case got.Curve != want.Curve:
		c.errorf(FabricECNDiffers, first(got.CurveRange, got.Scheduler.Range, got.Range, at(got.Limit, port.Range)), "queue %d of %s marks by %s, but in the fabric by %s", got.ID, port.Name, cmp.Or(got.Curve, "no curve"), want.Curve)
	case got.ECN == nil && want.ECN == nil:
	case got.ECN == nil:
		c.errorf(FabricECNDiffers, first(got.Scheduler.Range, got.Range, at(got.Limit, port.Range)), "queue %d of %s marks nothing, but in the fabric it marks from %v on", got.ID, port.Name, want.ECN.KMin.Value)
	case want.ECN == nil:
		c.errorf(FabricECNDiffers, at(got.ECN.KMin, port.Range), "queue %d of %s marks packets, but not in the fabric", got.ID, port.Name)
	case !sameCurve(got.ECN, want.ECN):
		c.errorf(FabricECNDiffers, at(got.ECN.KMin, port.Range), "queue %d of %s marks from %v to %v, up to %v, but in the fabric from %v to %v, up to %v", got.ID, port.Name,
			got.ECN.KMin.Value, got.ECN.KMax.Value, got.ECN.PMax.Value, want.ECN.KMin.Value, want.ECN.KMax.Value, want.ECN.PMax.Value)
	}
}

// sameCurve reports whether two queues mark alike; nil marks nothing.
func sameCurve(a, b *plan.ECN) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.KMin.Value == b.KMin.Value && a.KMax.Value == b.KMax.Value && a.PMax.Value == b.PMax.Value
}

// fabricSchedulingDiffers compares priority, weight and cap; equal says that all weights of the
// port have the same ratios.
func fabricSchedulingDiffers(c *comparison, port *plan.Port, got, want *plan.Queue, equal bool) {
	g, w := got.Scheduler, want.Scheduler
	if g.Strict == w.Strict && (equal || g.Weight.Value == w.Weight.Value) && g.MaxRate.Value == w.MaxRate.Value {
		return
	}
	place := g.Range
	switch {
	case g.Strict != w.Strict:
	case g.Weight.Value != w.Weight.Value && !equal:
		place = at(g.Weight, place)
	default:
		place = at(g.MaxRate, place)
	}
	c.errorf(FabricSchedulingDiffers, first(place, at(g.MaxRate, at(g.Weight, got.Range, port.Range))), "queue %d of %s has %s, but in the fabric %s", got.ID, port.Name, scheduling(g), scheduling(w)).
		Notef(first(got.Range, port.Range), "where the port gets it")
}

// equalShares reports whether the same queues share by weight, in the same ratios: 60 to 40
// is 3 to 2.
func equalShares(got, want *plan.PortQoS) bool {
	g, w := weightsOf(got), weightsOf(want)
	first := slices.IndexFunc(w[:], func(weight int64) bool { return weight != 0 })
	for id := range w {
		if first < 0 || g[first] == 0 || (g[id] != 0) != (w[id] != 0) || g[id]*w[first] != w[id]*g[first] {
			return first < 0 && g == w
		}
	}
	return true
}

func weightsOf(qos *plan.PortQoS) (weights [16]int64) {
	for _, q := range qos.Queues {
		weights[q.ID&15] = q.Scheduler.Weight.Value
	}
	return weights
}

func scheduling(s plan.Scheduler) string {
	text := "strict priority"
	if !s.Strict {
		text = fmt.Sprintf("weight %d", s.Weight.Value)
	}
	if s.MaxRate.Value == 0 {
		return text + " and no cap"
	}
	return fmt.Sprintf("%s and a cap of %v", text, s.MaxRate.Value)
}

// fabricWatchdogDiffers compares timers and action.
func fabricWatchdogDiffers(c *comparison) {
	got, want := c.got.Watchdog, c.want.Watchdog
	switch {
	case got == nil && want == nil:
	case got == nil:
		c.errorf(FabricWatchdogDiffers, c.got.Range, "there is no PFC watchdog, but in the fabric it acts after %v", want.Detection.Value)
	case want == nil:
		c.errorf(FabricWatchdogDiffers, at(got.Detection, c.got.Range), "there is a PFC watchdog, but the fabric has none")
	default:
		c.timer(got.Detection, want.Detection, "acts after %v, but in the fabric after %v")
		c.timer(got.Restoration, want.Restoration, "restores after %v, but in the fabric after %v")
		c.timer(c.polls(got.Poll), c.polls(want.Poll), "polls every %v, but in the fabric every %v")
		if got.Action != want.Action {
			c.errorf(FabricWatchdogDiffers, first(got.Range, at(got.Detection, c.got.Range)), "the action of the PFC watchdog is %q, but in the fabric %q", got.Action, want.Action)
		}
	}
}

// polls returns the polling interval of a watchdog. SONiC does so every 100 ms where the file does
// not say (sonic-swss orchagent/orchdaemon.cpp, PFC_WD_POLL_MSECS).
func (c *comparison) polls(given plan.Derived[units.Time]) plan.Derived[units.Time] {
	if given.Why == nil && given.Value == 0 && c.want.OS == "sonic" {
		given.Value = 100 * units.Millisecond
	}
	return given
}

func (c *comparison) timer(got, want plan.Derived[units.Time], what string) {
	if got.Value != want.Value {
		c.errorf(FabricWatchdogDiffers, at(got, c.got.Range), "the PFC watchdog "+what, got.Value, want.Value)
	}
}

// fabricPortDiffers compares what a port is.
func fabricPortDiffers(c *comparison, got, want *plan.Port) {
	switch {
	case got.Speed != want.Speed:
		c.errorf(FabricPortDiffers, got.Range, "%s runs at %v, but in the fabric at %v", got.Name, got.Speed, want.Speed)
	case got.MTU != want.MTU && want.MTU != 0:
		c.errorf(FabricPortDiffers, first(got.MTURange, got.Range), "%s accepts frames of %v, but in the fabric of %v", got.Name, got.MTU, want.MTU)
	case got.Cable != want.Cable:
		c.errorf(FabricPortDiffers, first(got.CableRange, got.Range), "%s has a cable of %v, but in the fabric of %v", got.Name, got.Cable, want.Cable)
	case len(got.Lanes) > 0 && len(want.Lanes) > 0 && !slices.Equal(got.Lanes, want.Lanes):
		c.errorf(FabricPortDiffers, got.Range, "%s has the lanes %v, but in the fabric %v", got.Name, got.Lanes, want.Lanes)
	case want.FEC == "rs" && (got.FEC == "none" || got.FEC == "fc"): // auto chooses what the link needs
		c.errorf(FabricPortDiffers, got.Range, "%s has FEC %q, but in the fabric %q", got.Name, got.FEC, want.FEC)
	case want.FEC == "rs" && got.FEC == "":
		c.found.Warnf(FabricPortDiffers, first(got.Range, c.got.Range), "the file gives no FEC for %s, so the platform chooses it, but the fabric has %q", got.Name, want.FEC).
			Fixf("give the port the FEC of the fabric")
	case want.Routed && !got.Routed:
		c.errorf(FabricPortDiffers, got.Range, "%s switches packets, but in the fabric it routes them", got.Name)
	case want.Cage.Mode != "" && got.Cage.Mode != "" && got.Cage.Mode != want.Cage.Mode:
		c.errorf(FabricPortDiffers, got.Range, "%s is in a cage of %s, but in the fabric in one of %s", got.Name, got.Cage.Mode, want.Cage.Mode)
	case got.Cage.Port == got.Name && !offers(got.Cage.Mode, got.Speed):
		c.errorf(FabricPortDiffers, got.Range, "%s runs at %v, but is in a cage of %s, which has no port of that speed", got.Name, got.Speed, got.Cage.Mode)
	}
}

// offers reports whether a breakout mode such as 2x200G[100G,50G] has ports of a speed.
func offers(mode string, speed units.BitRate) bool {
	rates := strings.FieldsFunc(mode, func(r rune) bool { return strings.ContainsRune("x[],()+", r) })
	return mode == "" || speed%units.Gbps != 0 || slices.Contains(rates, fmt.Sprintf("%dG", speed/units.Gbps))
}

// fabricPorts reports ports that are only in one of the two.
func fabricPorts(c *comparison, ports map[string]*plan.Port) {
	for i := range c.want.Ports {
		if name := c.want.Ports[i].Name; ports[name] == nil {
			c.errorf(FabricPortDiffers, c.got.Range, "port %s of the fabric is not in the file", name)
		}
	}
	want := c.want.PortsByName()
	for i := range c.got.Ports {
		if p := &c.got.Ports[i]; want[p.Name] == nil && p.QoS != nil {
			c.errorf(FabricPortDiffers, p.Range, "port %s has QoS, but is not in the fabric", p.Name)
		}
	}
}
