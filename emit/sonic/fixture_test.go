package sonic_test

import (
	"fmt"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

func of[T any](v T) plan.Derived[T] { return plan.Of(v, nil) }

func alpha(a units.Alpha) plan.Derived[plan.Limit] { return of(plan.Limit{Dynamic: true, Alpha: a}) }

func static(b units.Bytes) plan.Derived[plan.Limit] { return of(plan.Limit{Static: b}) }

// classMaps returns the maps of DSCP 46 in TC 5 with PFC 5, CNPs with DSCP 48 in TC 6, and
// the rest in TC 2.
func classMaps() plan.Maps {
	var m plan.Maps
	for i := range m.DSCPToTC {
		m.DSCPToTC[i] = 2
	}
	m.DSCPToTC[46], m.DSCPToTC[48] = 5, 6
	for i := range uint8(8) {
		m.TCToQueue[i], m.PFCToQueue[i], m.PFCToPG[i] = i, i, i
	}
	m.TCToPG[5] = 5
	return m
}

// tor is a Trident3 top-of-rack switch with the numbers of facts that are public:
// servers at 25 Gb/s, uplinks at 100 Gb/s, 256 B cells, headroom 98 and 408 cells.
func tor() *plan.Switch {
	sw := &plan.Switch{
		Names: []string{"tor-01", "tor-02"}, Chip: "trident3", OS: "sonic", Role: "tor",
		Platform: "x86_64-arista_7050cx3_32s", HwSKU: "Arista-7050CX3-32S-D48C8",
		MTU:  of(units.Bytes(9216)),
		Maps: classMaps(),
		Pools: []plan.Pool{
			{Name: "egress_lossless_pool", Direction: plan.Egress, Size: of(units.Bytes(32_575_488))},
			{Name: "egress_lossy_pool", Direction: plan.Egress, Dynamic: true, Size: of(units.Bytes(13_000_000))},
			{Name: "ingress_lossless_pool", Direction: plan.Ingress, Dynamic: true, Size: of(units.Bytes(28_000_000)), Headroom: of(units.Bytes(6_291_456))},
		},
		Watchdog: &plan.Watchdog{
			Detection: of(200 * units.Millisecond), Restoration: of(400 * units.Millisecond), Poll: of(100 * units.Millisecond),
			Action: plan.WatchdogDrop,
		},
		BufferModel: plan.Traditional,
	}
	servers, uplinks := torQoS(98*256), torQoS(408*256)
	for i := range 8 {
		sw.Ports = append(sw.Ports, plan.Port{
			Name: fmt.Sprintf("Ethernet%d", i), Alias: fmt.Sprintf("etp%d%c", i/4+1, 'a'+i%4), Index: i/4 + 1, Numbered: true, Lanes: []int{i + 1},
			Speed: 25 * units.Gbps, Cable: 15 * units.Metre, MTU: 9216, Peer: "nic cx5", Group: "servers", QoS: servers,
		})
	}
	for i := range 2 {
		sw.Ports = append(sw.Ports, plan.Port{
			Name: fmt.Sprintf("Ethernet%d", 8+4*i), Alias: fmt.Sprintf("etp%d", i+3), Index: i + 3, Numbered: true, Lanes: []int{4*i + 9, 4*i + 10, 4*i + 11, 4*i + 12},
			Speed: 100 * units.Gbps, Cable: 100 * units.Metre, MTU: 9216, Peer: "switch leaf", Group: "uplinks", QoS: uplinks,
		})
	}
	return sw
}

func torQoS(headroom units.Bytes) *plan.PortQoS {
	return &plan.PortQoS{
		PFC: 1 << 5, Watchdog: true,
		PGs: []plan.PG{
			{ID: 0, Pool: "ingress_lossless_pool", Limit: alpha(3)},
			{ID: 5, Pool: "ingress_lossless_pool", Lossless: true, Reserved: of(units.Bytes(1280)), Limit: alpha(-3),
				XOnOffset: of(units.Bytes(2560)), Headroom: of(headroom)},
		},
		Queues: []plan.Queue{
			{ID: 2, Pool: "egress_lossy_pool", Reserved: of(units.Bytes(1664)), Limit: alpha(-1), Scheduler: plan.Scheduler{Weight: of(int64(40))}},
			{ID: 5, Pool: "egress_lossless_pool", Limit: static(32_575_488), Scheduler: plan.Scheduler{Weight: of(int64(60))},
				ECN: &plan.ECN{KMin: of(units.Bytes(400_128)), KMax: of(units.Bytes(1_600_000)), PMax: of(5 * units.Percent)}},
			{ID: 6, Pool: "egress_lossy_pool", Reserved: of(units.Bytes(1664)), Limit: alpha(-1),
				Scheduler: plan.Scheduler{Strict: true, MaxRate: of(500 * units.Mbps)}},
		},
	}
}

// edgeTor is tor with servers that are not believed.
func edgeTor() *plan.Switch {
	sw := tor()
	untrusted := *sw.Ports[0].QoS
	untrusted.Trust = plan.TrustNone
	for i := range sw.Ports[:8] {
		sw.Ports[i].QoS = &untrusted
	}
	sw.Marking = &plan.Marking{Rules: []plan.MarkRule{{DSCP: 46, TC: 5}, {DSCP: 48, TC: 6}}, Default: 0, DefaultTC: 2}
	return sw
}

// chassisCard returns the second chip of a box with virtual output queues: one pool for all, and
// queues named by box, chip and port. The keys are those of sonic-swss bufferorch.cpp.
func chassisCard() *plan.Switch {
	sw := tor()
	sw.Names, sw.Chip, sw.HwSKU, sw.Platform, sw.VOQ = []string{"card-1"}, "jericho2c+", "Arista-7280DR3A-36/1", "x86_64-arista_7280dr3a_36", true
	sw.Pools = []plan.Pool{{Name: "ingress_lossless_pool", Both: true, Dynamic: true, Size: of(units.Bytes(6_441_610_000)), Headroom: of(units.Bytes(1_582_033_305))}}
	for _, i := range []int{0, 8} { // the first port of each kind
		for q := range sw.Ports[i].QoS.Queues {
			sw.Ports[i].QoS.Queues[q].Pool = "ingress_lossless_pool"
		}
	}
	return sw
}

// spectrum is a Spectrum-4 leaf in the dynamic buffer model. Limits of whole ports and
// the profile sizes are those of NVIDIA's templates (sonic-buildimage
// device/mellanox, buffers_defaults_objects.j2).
func spectrum() *plan.Switch {
	sw := &plan.Switch{
		Names: []string{"leaf-01"}, Chip: "spectrum4", OS: "sonic", Role: "leaf",
		Platform: "x86_64-nvidia_sn5600-r0", HwSKU: "ACS-SN5600",
		MTU: of(units.Bytes(9216)), Maps: classMaps(),
		Pools: []plan.Pool{
			{Name: "egress_lossless_pool", Direction: plan.Egress, Dynamic: true},
			{Name: "egress_lossy_pool", Direction: plan.Egress, Dynamic: true},
			{Name: "ingress_lossless_pool", Direction: plan.Ingress, Dynamic: true},
		},
		BufferModel: plan.DynamicModel,
		Calculator: &plan.Calculator{
			DefaultAlpha: of(units.Alpha(0)), Oversubscribe: of(int64(2)),
			LosslessFrame: of(units.Bytes(4200)), SmallPackets: of(100 * units.Percent),
		},
	}
	whole := []plan.PortPool{
		{Pool: "egress_lossless_pool", Limit: alpha(7)},
		{Pool: "egress_lossy_pool", Reserved: of(units.Bytes(9216)), Limit: alpha(7)},
		{Pool: "ingress_lossless_pool", Limit: alpha(7)},
	}
	qos := &plan.PortQoS{
		PFC: 1 << 5, Pools: whole,
		PGs: []plan.PG{
			{ID: 0, Pool: "ingress_lossless_pool", Limit: alpha(3)},
			{ID: 5, Pool: "ingress_lossless_pool", Lossless: true, Limit: alpha(0)},
		},
		Queues: []plan.Queue{
			{ID: 2, Pool: "egress_lossy_pool", Limit: alpha(1), Scheduler: plan.Scheduler{Weight: of(int64(40))}},
			{ID: 5, Pool: "egress_lossless_pool", Limit: alpha(7), Scheduler: plan.Scheduler{Weight: of(int64(60))},
				ECN: &plan.ECN{KMin: of(units.Bytes(400_128)), KMax: of(units.Bytes(1_600_128)), PMax: of(5 * units.Percent)}},
			{ID: 6, Pool: "egress_lossy_pool", Limit: alpha(1), Scheduler: plan.Scheduler{Strict: true}},
		},
	}
	override := *qos
	override.PGs = []plan.PG{qos.PGs[0], {
		ID: 5, Pool: "ingress_lossless_pool", Lossless: true, Override: true, Reserved: of(units.Bytes(19_456)), Limit: alpha(-2),
		XOn: of(units.Bytes(19_456)), Headroom: of(units.Bytes(400_384)),
	}}
	for i := range 4 {
		p := plan.Port{
			Name: fmt.Sprintf("Ethernet%d", 8*i), Index: i + 1, Numbered: true, Lanes: []int{8 * i, 8*i + 1, 8*i + 2, 8*i + 3},
			Speed: 400 * units.Gbps, Cable: 40 * units.Metre, MTU: 9216, QoS: qos,
		}
		if i == 3 {
			p.Cable, p.QoS = 300*units.Metre, &override
		}
		sw.Ports = append(sw.Ports, p)
	}
	// What finds no room in queue 2 is cut, and leaves by queue 6, as DSCP 48 does.
	qos.Queues[0].Trims = true
	sw.Trim = &plan.Trim{Size: of(units.Bytes(256)), DSCP: 48, TC: 6, Queue: 6}
	return sw
}
