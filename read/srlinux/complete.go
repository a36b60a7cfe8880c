package srlinux

import (
	"fmt"

	"github.com/roceplan/roceplan/diag"
	row "github.com/roceplan/roceplan/format/srlinux"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// Complete sizes the pools of a switch that was read: per cents of the buffer of the box
// that Nokia builds with the chip. A group whose headroom the file does not say may take a
// tenth of the pool (leaf maximum-pfc-reserved-share-percentage), and none has more than the
// pool. The error says that there
// is no such box.
func Complete(sw *plan.Switch, chip string) ([]read.Assumption, error) {
	box, ok := row.Boxes().Of(chip)
	if !ok {
		return nil, fmt.Errorf("reservations are percentages of the buffer, whose size is not known for a box with the chip %s", chip)
	}
	share := func(name string, percent int64, at diag.Range) plan.Derived[units.Bytes] {
		size := units.Bytes(units.FloorMulDiv(int64(box.Shared), percent, 100)).FloorTo(box.Cell)
		return plan.Of(size, &plan.Why{Kind: plan.Standard, Name: name, Value: size, ID: row.Buffers, Range: at, Note: fmt.Sprintf("%d %% of the buffer of %s, %v", percent, box.Model, box.Shared)})
	}
	var headroom units.Bytes
	for i := range sw.Pools {
		p := &sw.Pools[i]
		if p.Direction == plan.Ingress {
			p.Headroom = share("headroom pool", p.HeadroomPercent, p.Range)
			headroom = p.Headroom.Value
		}
		p.Size = share("buffer", p.Percent+p.HeadroomPercent, p.Range)
	}
	for i := range sw.Ports {
		if sw.Ports[i].QoS == nil {
			continue
		}
		groups := sw.Ports[i].QoS.PGs
		for k := range groups {
			pg := &groups[k]
			pg.Headroom.Value = min(pg.Headroom.Value, headroom)
			if pg.Lossless && pg.Headroom.Why == nil {
				pg.Headroom = plan.Of((headroom * row.DefaultShare / 100).FloorTo(box.Cell), &plan.Why{Kind: plan.Standard, Name: "headroom", ID: "srl_nokia-qos", Note: "10 % of the headroom pool, the default"})
			}
		}
	}
	return nil, nil
}
