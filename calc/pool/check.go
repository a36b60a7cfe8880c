package pool

import (
	"fmt"

	"github.com/roceplan/roceplan/units"
)

// OutOfRange is the error of an input outside the bounds within which sums hold.
type OutOfRange struct {
	Input    string
	Value    int64
	Min, Max int64
}

func (e *OutOfRange) Error() string {
	return fmt.Sprintf("%s is %d, it must be between %d and %d", e.Input, e.Value, e.Min, e.Max)
}

// Bounds that keep every sum of this package below 2⁶³: a terabyte of buffer, and
// ports × PGs × bytes below 2⁶².
const (
	maxBuffer  = int64(units.GiB) * 1024
	maxProfile = int64(units.GiB)
	maxLatency = maxProfile / int64(units.KiB)
	maxPorts   = 4096
	maxPGs     = 8
	maxGroups  = 4096
)

// Check reports the first input that is out of bounds, as an *OutOfRange.
func (in *SpectrumInput) Check() error {
	type bound struct {
		name           string
		value, lo, top int64
	}
	bounds := []bound{
		{"mmu_bytes", int64(in.Chip.MMU), 1, maxBuffer},
		{"cell_size_bytes", int64(in.Chip.Cell), 1, maxProfile},
		{"pipeline_latency_kib", int64(in.Chip.Latency / units.KiB), 1, maxLatency},
		{"over_subscribe_ratio", in.OverSubscribe, 0, 1 << 20},
		{"shared_headroom_pool_bytes", int64(in.HeadroomPool), 0, maxBuffer},
		{"ingress_lossy_profile", int64(in.Profiles.IngressLossy), 0, maxProfile},
		{"egress_lossless_profile", int64(in.Profiles.EgressLossless), 0, maxProfile},
		{"egress_lossy_profile", int64(in.Profiles.EgressLossy), 0, maxProfile},
		{"q_lossy_profile", int64(in.Profiles.QueueLossy), 0, maxProfile},
		{"number of port_groups", int64(len(in.Groups)), 0, maxGroups},
	}
	for _, g := range in.Groups {
		bounds = append(bounds,
			bound{"ports", g.Ports, 0, maxPorts}, bound{"lanes", int64(g.Lanes), 1, 16}, bound{"lossless_pgs", g.LosslessPGs, 0, maxPGs},
			bound{"xon_bytes", int64(g.XOn), 0, maxProfile}, bound{"xoff_bytes", int64(g.XOff), 0, maxProfile}, bound{"size_bytes", int64(g.Size), 0, maxProfile})
	}
	for _, b := range bounds {
		if b.value < b.lo || b.value > b.top {
			return &OutOfRange{b.name, b.value, b.lo, b.top}
		}
	}
	return nil
}
