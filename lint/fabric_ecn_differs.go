package lint

import (
	"cmp"

	"github.com/roceplan/roceplan/plan"
)

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
