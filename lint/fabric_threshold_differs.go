package lint

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
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
