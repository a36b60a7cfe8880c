package patch_test

import (
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

func of[T any](v T) plan.Derived[T] { return plan.Of(v, nil) }

func alpha(a units.Alpha) plan.Derived[plan.Limit] { return of(plan.Limit{Dynamic: true, Alpha: a}) }

// defaults is a switch with the first three of the four ports of running.json, lossless
// in PG 5 alone.
func defaults() *plan.Switch {
	sw := &plan.Switch{
		Names: []string{"tor-1"}, OS: "sonic", MTU: of(units.Bytes(9216)),
		Pools: []plan.Pool{
			{Name: "egress_lossy_pool", Direction: plan.Egress, Dynamic: true, Size: of(units.Bytes(20_000_000))},
			{Name: "ingress_lossless_pool", Dynamic: true, Size: of(units.Bytes(30_000_000)), Headroom: of(units.Bytes(700_000))},
		},
	}
	for i := range 8 {
		sw.Maps.TCToQueue[i], sw.Maps.PFCToQueue[i], sw.Maps.PFCToPG[i] = uint8(i), uint8(i), uint8(i)
	}
	sw.Maps.TCToPG[5], sw.Maps.DSCPToTC[46] = 5, 5
	qos := &plan.PortQoS{
		PFC: 1 << 5,
		PGs: []plan.PG{
			{ID: 0, Pool: "ingress_lossless_pool", Limit: alpha(3)},
			{ID: 5, Pool: "ingress_lossless_pool", Lossless: true, Limit: alpha(0), Headroom: of(units.Bytes(226_560))},
		},
		Queues: []plan.Queue{
			{ID: 0, Pool: "egress_lossy_pool", Limit: alpha(1), Scheduler: plan.Scheduler{Weight: of(int64(40))}},
			{ID: 5, Pool: "egress_lossy_pool", Limit: alpha(7), Scheduler: plan.Scheduler{Weight: of(int64(60))}},
		},
	}
	for _, name := range []string{"Ethernet0", "Ethernet4", "Ethernet8"} {
		sw.Ports = append(sw.Ports, plan.Port{Name: name, Speed: 100 * units.Gbps, Cable: 100 * units.Metre, MTU: 9216, QoS: qos})
	}
	return sw
}

// withLanes is the same with all that a whole ConfigDB needs.
func withLanes() *plan.Switch {
	sw := defaults()
	for i := range sw.Ports {
		sw.Ports[i].Lanes = []int{i + 1}
	}
	return sw
}
