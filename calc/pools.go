package calc

import (
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Names of pools, as SONiC's buffer templates have them.
const (
	IngressPool        = plan.LosslessPool
	EgressLosslessPool = plan.LosslessQueues
	EgressLossyPool    = plan.LossyQueues
)

// pools plans the configuration of each pool. The meaning of an ingress pool's size depends on the
// chip.
func (b *budget) pools() []plan.Pool {
	headroom := decided("headroom pool", units.Bytes(0), "PGs of this chip own their headroom")
	if b.pooled {
		headroom = b.headroom
	}
	size := b.ingressSize(headroom)
	if b.voq() {
		return []plan.Pool{{Name: IngressPool, Direction: plan.Ingress, Both: true, Dynamic: true, Size: size, Headroom: headroom}}
	}
	list := []plan.Pool{
		{Name: EgressLosslessPool, Direction: plan.Egress, Dynamic: b.chip.Family == chips.Spectrum, Size: b.usable},
	}
	if len(b.lossy) > 0 {
		list = append(list, plan.Pool{Name: EgressLossyPool, Direction: plan.Egress, Dynamic: true, Size: b.lossyPool})
	}
	return append(list, plan.Pool{Name: IngressPool, Direction: plan.Ingress, Dynamic: true, Size: size, Headroom: headroom})
}

// ingressSize derives the configured size of the ingress pool: see chips.PoolSize.
func (b *budget) ingressSize(pool plan.Derived[units.Bytes]) plan.Derived[units.Bytes] {
	switch b.sizeMean {
	case chips.Net:
		return b.shared
	case chips.GrossPool:
		size := b.shared.Value + pool.Value
		return plan.Of(size, computed("sum", "shared buffer and headroom pool", size, term("shared", b.shared.Why), term("headroom", pool.Why)))
	}
	return b.usable
}
