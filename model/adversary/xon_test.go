package adversary_test

import (
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/smallswitch"
	"github.com/roceplan/roceplan/model/adversary"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A sender that pauses at 66 cells (alpha 1/2 of 200) and needs a few of its headroom
// of 250 is not a danger to a queue of 100. With an xon of 200 it goes on at 200 in the buffer,
// and the queue is full before it pauses again; with an xon of 60 it never is.
func TestXonFillsQueue(t *testing.T) {
	for _, c := range []struct {
		xon  units.Bytes
		want proof.Verdict
	}{{60, proof.Holds}, {200, proof.Fails}} {
		sw, chip := twoPorts(t, c.xon)
		report := must.Get(proof.Prove(sw, chip, proof.Context{}))(t)
		if shared := report.Model.Config.IngressPools[0].SharedCells; shared != 200 {
			t.Fatalf("the shared part has %v", shared)
		}
		for _, o := range report.Obligations {
			if o.Lossless && o.ID == proof.QueueHolds && o.Verdict != c.want {
				t.Errorf("xon %d: %v, want %v", c.xon, &o, c.want)
			}
		}
		result := must.Get(adversary.Search(report.Model, adversary.Options{Seed: 1}))(t)
		if lost := result.Found != nil; lost != (c.want == proof.Fails) || report.LosesPackets() != lost {
			t.Errorf("xon %d: %v\n%v", c.xon, result, report.Failing())
		}
	}
}

// twoPorts is a Trident2 with one lossless class between two ports.
func twoPorts(t *testing.T, xon units.Bytes) (*plan.Switch, *chips.Chip) {
	chip, ok := catalogue(t).Find("trident2")
	if !ok {
		t.Fatal("trident2 is not in the catalogue")
	}
	cell, _ := chip.CellSize.Get()
	cells := func(n units.Bytes) plan.Derived[units.Bytes] { return plan.Of(n*cell, nil) }
	qos := &plan.PortQoS{
		PFC:    1 << 3,
		PGs:    []plan.PG{{ID: 3, Pool: "in", Lossless: true, Headroom: cells(250), XOn: cells(xon), Limit: plan.Of(plan.Limit{Dynamic: true, Alpha: -1}, nil)}},
		Queues: []plan.Queue{{ID: 3, Pool: "out", Limit: plan.Of(plan.Limit{Static: 100 * cell}, nil)}},
	}
	sw := &plan.Switch{
		Names: []string{"s"}, Chip: chip.Name, Cell: cell, MTU: plan.Of(units.Bytes(256), nil),
		Pools: []plan.Pool{{Name: "in", Size: cells(700)}, {Name: "out", Direction: plan.Egress, Size: cells(10_000)}},
	}
	smallswitch.Number(sw)
	for _, name := range []string{"Ethernet0", "Ethernet1"} {
		sw.Ports = append(sw.Ports, plan.Port{
			Name: name, Speed: 10 * units.Gbps, Cable: units.Metre, Group: "g", MTU: 256, QoS: qos,
			Assumed: &plan.Assumed{Declared: true, Response: plan.Of(units.Time(0), nil), LosslessFrame: plan.Of(units.Bytes(256), nil)},
		})
	}
	return sw, chip
}
