package model_test

import (
	"fmt"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

func bytes(n units.Bytes) plan.Derived[units.Bytes] { return plan.Of(n, nil) }

func dynamic(alpha units.Alpha) plan.Derived[plan.Limit] {
	return plan.Of(plan.Limit{Dynamic: true, Alpha: alpha}, nil)
}

// A measured switch: its configuration, and what SONiC's QoS test saw on the hardware.
type measured struct {
	chip                              string
	ports                             int
	pool, headroom, reserved, xoff, q units.Bytes
	alpha                             units.Alpha
	pause, drop                       int64
	source                            string
}

// switchOf builds the plan of a measured switch: two lossless PGs and five lossy
// queues on each port.
func (m measured) switchOf() *plan.Switch {
	qos := &plan.PortQoS{PFC: 0b11000}
	for _, id := range []uint8{3, 4} {
		qos.PGs = append(qos.PGs, plan.PG{ID: id, Pool: "in", Lossless: true, Reserved: bytes(m.reserved), Headroom: bytes(m.xoff), Limit: dynamic(m.alpha)})
	}
	for _, id := range []uint8{0, 1, 2, 5, 6} {
		qos.Queues = append(qos.Queues, plan.Queue{ID: id, Pool: "out", Reserved: bytes(m.q), Limit: dynamic(0)})
	}
	for _, id := range []uint8{3, 4} {
		qos.Queues = append(qos.Queues, plan.Queue{ID: id, Pool: "out", Limit: plan.Of(plan.Limit{Static: m.pool}, nil)})
	}
	sw := &plan.Switch{Names: []string{"s"}, OS: "sonic", Chip: m.chip, Pools: []plan.Pool{
		{Name: "in", Dynamic: true, Size: bytes(m.pool), Headroom: bytes(m.headroom)},
		{Name: "out", Direction: plan.Egress, Size: bytes(m.pool)},
	}}
	for i := range m.ports {
		sw.Ports = append(sw.Ports, plan.Port{Name: fmt.Sprintf("Ethernet%d", i), QoS: qos})
	}
	return sw
}

// The buffer that is built from a plan pauses and drops at the packet at which
// hardware did.
func TestBufferAgreesWithSilicon(t *testing.T) {
	catalogue, _ := chips.Load()
	for _, m := range []measured{
		{"tomahawk5", 256, 165660324, 29520896, 18796, 300990, 1778, 0, 120117, 121302, "sonic-mgmt qos_params.th5.yaml, topo-t0-standalone, 200G 5 m"},
		{"tomahawk5", 96, 164619432, 33690560, 8636, 724662, 1778, 0, 125589, 128443, "sonic-mgmt qos_params.th5.yaml, topo-lt2-p32o64, 800G 5 m"},
		{"trident2", 32, 12766208, 0, 56368, 55120, 1518, -3, 4898, 5164, "sonic-mgmt qos_params.td2.yaml, topo-any, 40G 300 m; size and xoff of Force10-S6000/pg_profile_lookup.ini"},
		{"tomahawk3", 80, 66394076, 8644128, 2540, 117348, 1778, -2, 22026, 22488, "sonic-mgmt qos_params.th3.yaml, topo-t0-80, 100G 300 m"},
	} {
		chip, _ := catalogue.Find(m.chip)
		config := must.Get(model.Buffer(m.switchOf(), chip))(t)
		got := must.Get(mmu.Probe(config, mmu.Packet{InPort: 0, PG: 3, OutPort: 1, Queue: 3, Bytes: 64}, 1<<20))(t)
		// The tests' own margin is two packets or more; one is the distance between
		// topologies of the same chip, on which xoff/cell and xoff/cell + 1 both occur.
		if got.FirstPause != m.pause || max(got.FirstDrop-m.drop, m.drop-got.FirstDrop) > 1 {
			t.Errorf("%s: pause at %d, drop at %d; measured %d and %d", m.source, got.FirstPause, got.FirstDrop, m.pause, m.drop)
		}
	}
}

// A pool gives away what its own groups have, once. Of 10,000 cells the lossless pool holds
// 2,000 for headroom and 4 · 10 of reserves, and the lossy one of 1,000 cells 4 · 5: what the
// lossless groups have of the one is not taken from the other. Cells have 254 B.
func TestPoolsGiveAwayTheirOwn(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("tomahawk5")
	cells := func(n int64) plan.Derived[units.Bytes] { return bytes(units.Bytes(n) * 254) }
	for _, owned := range []bool{false, true} { // whether groups own their headroom
		qos := &plan.PortQoS{PFC: 1 << 3, PGs: []plan.PG{
			{ID: 0, Pool: "lossy", Reserved: cells(5), Limit: dynamic(0)},
			{ID: 3, Pool: "lossless", Lossless: true, Reserved: cells(10), Headroom: cells(500), Limit: dynamic(0)},
		}}
		sw := &plan.Switch{Names: []string{"s"}, Chip: chip.Name, Pools: []plan.Pool{
			{Name: "lossless", Size: cells(10_000), Headroom: cells(2000)}, {Name: "lossy", Size: cells(1000)},
			{Name: "out", Direction: plan.Egress, Size: cells(11_000)},
		}}
		if owned {
			sw.Pools[0].Headroom = cells(0)
		}
		for i := range 4 {
			sw.Ports = append(sw.Ports, plan.Port{Name: fmt.Sprintf("Ethernet%d", i), QoS: qos})
		}
		config := must.Get(model.Buffer(sw, chip))(t)
		slices := int64(config.Slices)
		perSlice := (4 + slices - 1) / slices // ports of the slice that has most
		// Owned or pooled, the headroom of the four ports is 2,000 cells where all are in one part.
		lossless := 10_000 - slices*perSlice*10 - 2000
		if owned {
			lossless = 10_000 - slices*perSlice*(10+500)
		}
		lossy := 1000 - slices*perSlice*5
		for i, want := range []int64{lossless / slices, lossy / slices} {
			if got := int64(config.IngressPools[i].SharedCells); got != want {
				t.Errorf("owned %v: %s shares %d cells, want %d", owned, config.IngressPools[i].Name, got, want)
			}
		}
	}
}
