package pool

import (
	"fmt"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Derivation is the reason of the figures of a SpectrumResult. HeadroomPool is nil
// where there is none.
type Derivation struct{ Size, HeadroomPool *plan.Why }

func sum(name string, v fmt.Stringer, note string) *plan.Why {
	return &plan.Why{Kind: plan.Standard, Name: name, Value: v, Source: SpectrumSource, Note: note}
}

// Explain sizes the pools as [Spectrum] does and gives the derivation: document
// spectrum-pool.
func (in *SpectrumInput) Explain() (SpectrumResult, Derivation, error) {
	r, err := Spectrum(in)
	if err != nil {
		return r, Derivation{}, err
	}
	pools := int64(1)
	if in.TwoIngressPools {
		pools = 2
	}
	d := Derivation{HeadroomPool: r.explainHeadroomPool(in)}
	headroomPool := d.HeadroomPool
	if headroomPool == nil {
		headroomPool = sum("no headroom pool", units.Bytes(0), "every PG owns its headroom")
	}
	up := fmt.Sprintf("%d ports that are up", r.PortsUp)
	d.Size = &plan.Why{Kind: plan.Formula, Name: "pool size", Value: r.Size, ID: "spectrum-pool", Source: SpectrumSource, Terms: []plan.Term{
		{Symbol: "mmu", Why: sum("buffer", in.Chip.MMU, "")},
		{Symbol: "cell", Why: sum("cell", in.Chip.Cell, "")},
		{Symbol: "lossless", Why: sum("profiles of lossless PGs", r.Lossless, fmt.Sprintf("%d lossless ports", r.LosslessPorts))},
		{Symbol: "lossy", Why: sum("lossy PGs", r.Lossy, up)},
		{Symbol: "egress", Why: sum("profiles of egress ports and queues", r.Egress, up)},
		{Symbol: "management", Why: sum("management PGs", r.Management, up)},
		{Symbol: "mirror", Why: sum("egress mirroring", r.Mirror, up)},
		{Symbol: "private", Why: sum("private headroom", r.Private, "of lossless ports, where headroom is shared")},
		{Symbol: "reserved", Why: sum("management pool and descriptors", in.Chip.Management+in.Chip.Descriptors, "")},
		{Symbol: "headroom_pool", Why: headroomPool},
		{Symbol: "pools", Why: sum("ingress pools", plan.Count(pools), "")},
	}}
	return r, d, nil
}

// explainHeadroomPool is the reason of the shared headroom pool: document
// spectrum-headroom-pool where it is computed.
func (r *SpectrumResult) explainHeadroomPool(in *SpectrumInput) *plan.Why {
	switch {
	case r.HeadroomPool == 0:
		return nil
	case in.HeadroomPool > 0:
		return &plan.Why{Kind: plan.Given, Name: "headroom_pool", Value: r.HeadroomPool}
	case r.ForcedHeadroom:
		return sum("headroom pool", r.HeadroomPool, "profiles fall short of xon and xoff, and nothing says how far headroom is shared")
	}
	return &plan.Why{Kind: plan.Formula, Name: "headroom pool", Value: r.HeadroomPool, ID: "spectrum-headroom-pool", Source: SpectrumSource, Terms: []plan.Term{
		{Symbol: "shortfall", Why: sum("xon + xoff - size of all lossless PGs", r.Shortfall, "")},
		{Symbol: "private", Why: sum("private headroom", r.Private, "")},
		{Symbol: "ratio", Why: &plan.Why{Kind: plan.Given, Name: "over_subscribe", Value: plan.Count(in.OverSubscribe)}},
	}}
}
