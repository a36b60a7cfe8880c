package junos

import (
	"fmt"

	schema "github.com/roceplan/roceplan/emit/junos"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Complete sizes the pools of a switch that was read: per cents of the shared buffer of the
// box that Juniper builds with the chip. A lossless group may take as much headroom as
// its pool has; how much the box grants it is for those who judge to say, since Juniper
// does not publish how it is computed.
//
// The error says that there is no such box.
func Complete(sw *plan.Switch, chip string) error {
	box, ok := schema.Boxes().Of(chip)
	if !ok {
		return fmt.Errorf("partitions are per cent of a shared buffer, and that of a box with the chip %s is not known", chip)
	}
	why := func(name string, percent int64) *plan.Why {
		return &plan.Why{Kind: plan.Standard, Name: name, ID: schema.Buffers, Note: fmt.Sprintf("%d %% of the shared buffer of %s, %v", percent, box.Model, box.Shared)}
	}
	share := func(percent int64) units.Bytes {
		return units.Bytes(units.FloorMulDiv(int64(box.Shared), percent, 100)).FloorTo(box.Cell)
	}
	headroom := map[string]units.Bytes{}
	for i := range sw.Pools {
		p := &sw.Pools[i]
		beside := share(p.HeadroomPercent)
		if p.Direction == plan.Ingress {
			p.Headroom = plan.Of(beside, why("headroom partition", p.HeadroomPercent))
		}
		// The pool of the plan holds the headroom too, as the chip's configuration counts; and
		// the uniform buffer model reserves it at egress as well.
		p.Size = plan.Of(share(p.Percent)+beside, why("partition", p.Percent+p.HeadroomPercent))
		headroom[p.Name] = p.Headroom.Value
	}
	done := map[*plan.PortQoS]bool{nil: true}
	for i := range sw.Ports {
		if qos := sw.Ports[i].QoS; !done[qos] {
			done[qos] = true
			for k := range qos.PGs {
				if qos.PGs[k].Lossless {
					qos.PGs[k].Headroom = plan.Of(headroom[qos.PGs[k].Pool], nil)
				}
			}
		}
	}
	return nil
}
