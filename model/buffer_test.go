package model_test

import (
	"fmt"
	"testing"

	"github.com/roceplan/roceplan/chips"
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
	sw := &plan.Switch{Names: []string{"s"}, Chip: m.chip, Pools: []plan.Pool{
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
		{"tomahawk3", 80, 66394076, 8644128, 2540, 117348, 1778, -2, 22026, 22488, "sonic-mgmt qos_params.th3.yaml, topo-t0-80, 100G 300 m"},
	} {
		chip, _ := catalogue.Find(m.chip)
		config, err := model.Buffer(m.switchOf(), chip)
		if err != nil {
			t.Fatal(err)
		}
		got, err := mmu.Probe(config, mmu.Packet{InPort: 0, PG: 3, OutPort: 1, Queue: 3, Bytes: 64}, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		// The tests' own margin is two packets or more; one is the distance between
		// topologies of the same chip, on which xoff/cell and xoff/cell + 1 both occur.
		if got.FirstPause != m.pause || max(got.FirstDrop-m.drop, m.drop-got.FirstDrop) > 1 {
			t.Errorf("%s: pause at %d, drop at %d; measured %d and %d", m.source, got.FirstPause, got.FirstDrop, m.pause, m.drop)
		}
	}
}
