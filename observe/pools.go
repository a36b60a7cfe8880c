package observe

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// poolFull reports whether the pool of headroom that a site's groups use had no room for one
// more frame.
func (c *checker) poolFull(s *site, name string) (bool, Row) {
	i := slices.IndexFunc(s.sw.Pools, func(p plan.Pool) bool { return p.Name == name })
	if i < 0 || s.sw.Pools[i].Headroom.Value == 0 {
		return false, Row{}
	}
	row, ok := c.r.highest(s.end.Switch, Object{Kind: Pool, Name: name}, PoolHeadroom)
	return ok && units.Bytes(min(row.Value, 1<<62))+c.frameRoom(s) > s.sw.Pools[i].Headroom.Value, row
}

// pools checks each pool of headroom against what it is for.
func (c *checker) pools(p *plan.Plan) {
	for _, sw := range p.Switches {
		for i := range sw.Pools {
			pool := &sw.Pools[i]
			if pool.Headroom.Value == 0 {
				continue
			}
			for _, name := range sw.Names {
				c.pool(sw, pool, name)
			}
		}
	}
}

func (c *checker) pool(sw *plan.Switch, pool *plan.Pool, device string) {
	if len(c.bySwitch[device]) == 0 {
		return
	}
	s := c.bySwitch[device][0]
	most, all := sw.Headrooms(pool.Name)
	full, row := c.poolFull(s, pool.Name)
	if !full || most == 0 || all <= pool.Headroom.Value {
		return // a pool for all groups at once makes no assumption
	}
	used := int64(min(row.Value, 1<<62))
	least := units.CeilMulDiv(used, 1, int64(most))
	assumed := fmt.Sprintf("it has %v of the %v that all groups need together", pool.Headroom.Value, all)
	if sw.PausedPGs > 0 {
		assumed = fmt.Sprintf("it is sized for %d paused groups", sw.PausedPGs)
	}
	c.add(Conclusion{Code: PoolFull, Device: device, Object: pool.Name, Assumption: AssumesSharing, Worth: Bounded, severity: diag.Error, site: s, at: s.shape.Range,
		Message: fmt.Sprintf("the headroom pool of %s in %s was full at %v: %d groups or more were paused at once, and %s", pool.Name, device, units.Bytes(used), least, assumed),
		Fix:     "lower headroom_sharing, so that the pool is sized for more groups",
	}, []Row{row})
}
