package sonic_test

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
	"pgregory.net/rapid"
)

// What follows draws random switches that SONiC can hold: every field is drawn from
// all that its table takes, and only what ConfigDB cannot tell is left out.

func of[T any](v T) plan.Derived[T] { return plan.Of(v, nil) }

func drawBytes(t *rapid.T, name string, max int64) plan.Derived[units.Bytes] {
	return of(units.Bytes(rapid.Int64Range(0, max).Draw(t, name)))
}

func drawSwitch(t *rapid.T) *plan.Switch {
	sw := &plan.Switch{
		Names:       []string{"switch-1"},
		OS:          "sonic",
		Role:        rapid.SampledFrom([]string{"", "tor", "leaf", "spine"}).Draw(t, "role"),
		Platform:    rapid.SampledFrom([]string{"", "x86_64-vendor_box-r0"}).Draw(t, "platform"),
		HwSKU:       rapid.SampledFrom([]string{"", "Vendor-Box-O64"}).Draw(t, "hwsku"),
		BufferModel: rapid.SampledFrom([]plan.BufferModel{plan.Traditional, plan.DynamicModel}).Draw(t, "model"),
	}
	if sw.BufferModel == plan.DynamicModel {
		sw.Calculator = &plan.Calculator{
			DefaultAlpha:  of(drawAlpha(t)),
			Oversubscribe: of(rapid.Int64Range(0, 8).Draw(t, "ratio")),
			LosslessFrame: of(units.Bytes(rapid.Int64Range(1, 9216).Draw(t, "lossless frame"))),
			SmallPackets:  of(units.Ratio(rapid.Int64Range(0, 100).Draw(t, "small")) * units.Percent),
		}
	}
	drawClasses(t, sw)
	drawPools(t, sw)
	drawMarking(t, sw)
	if rapid.Bool().Draw(t, "watchdog") {
		poll := rapid.Int64Range(100, 1000).Draw(t, "poll")
		sw.Watchdog = &plan.Watchdog{
			Poll:        of(units.Time(poll) * units.Millisecond),
			Detection:   of(units.Time(rapid.Int64Range(poll, 5000).Draw(t, "detection")) * units.Millisecond),
			Restoration: of(units.Time(rapid.Int64Range(poll, 60000).Draw(t, "restoration")) * units.Millisecond),
			Action:      rapid.SampledFrom([]plan.WatchdogAction{plan.WatchdogDrop, plan.WatchdogForward, plan.WatchdogAlert}).Draw(t, "action"),
		}
	}
	drawPorts(t, sw)
	drawTrimming(t, sw)
	drawTunnel(t, sw)
	if sw.BufferModel == plan.Traditional && rapid.Bool().Draw(t, "voq") {
		virtual(sw)
	}
	return sw
}

// virtual makes a switch one with virtual output queues: its pools account both sides.
func virtual(sw *plan.Switch) {
	sw.VOQ = true
	for i := range sw.Pools {
		sw.Pools[i].Direction, sw.Pools[i].Both = plan.Ingress, true
	}
}

func drawAlpha(t *rapid.T) units.Alpha { return units.Alpha(rapid.IntRange(-8, 7).Draw(t, "alpha")) }

// drawClasses chooses traffic classes, gives each DSCPs, and lossless ones a PG, a
// queue and a priority that no other has. Unused code points go anywhere.
func drawClasses(t *rapid.T, sw *plan.Switch) {
	m := &sw.Maps
	draw := func(name string, max int) uint8 { return uint8(rapid.IntRange(0, max).Draw(t, name)) }
	for i := range uint8(8) {
		m.TCToQueue[i], m.TCToPG[i], m.PFCToQueue[i], m.PFCToPG[i] = draw("queue", 7), 0, draw("queue", 7), draw("pg", 7)
		if sw.BufferModel == plan.Traditional && rapid.Bool().Draw(t, "identity") {
			m.PFCToPG[i] = i
		}
	}
	eight := []uint8{0, 1, 2, 3, 4, 5, 6, 7}
	tcs := rapid.Permutation(eight).Draw(t, "tcs")[:rapid.IntRange(1, 8).Draw(t, "classes")]
	queues := rapid.Permutation(eight).Draw(t, "queues")
	pgs := rapid.Permutation(eight[1:]).Draw(t, "pgs")
	priorities := rapid.Permutation(eight).Draw(t, "priorities")
	lossless := rapid.IntRange(0, min(len(tcs), 3)).Draw(t, "lossless")
	slices.Sort(tcs)
	for i, tc := range tcs {
		c := plan.Class{TrafficClass: tc, Queue: queues[i], DSCPs: []uint8{uint8(i)}}
		if i < lossless {
			c.Lossless, c.PG, c.PFC = true, pgs[i], priorities[i]
			m.PFCToQueue[c.PFC], m.PFCToPG[c.PFC] = c.Queue, c.PG
		}
		m.TCToQueue[tc], m.TCToPG[tc], m.DSCPToTC[i] = c.Queue, c.PG, tc
		sw.Classes = append(sw.Classes, c)
	}
	for dscp := len(tcs); dscp < 64; dscp++ {
		i := rapid.IntRange(0, len(tcs)-1).Draw(t, "class")
		m.DSCPToTC[dscp] = tcs[i]
		sw.Classes[i].DSCPs = append(sw.Classes[i].DSCPs, uint8(dscp))
	}
}

func drawPools(t *rapid.T, sw *plan.Switch) {
	for _, p := range []plan.Pool{
		{Name: "egress_lossless_pool", Direction: plan.Egress},
		{Name: "egress_lossy_pool", Direction: plan.Egress},
		{Name: "ingress_lossless_pool"},
	} {
		p.Dynamic = rapid.Bool().Draw(t, "dynamic pool")
		size := rapid.Int64Range(1, 1<<40).Draw(t, "size")
		if sw.BufferModel == plan.Traditional {
			p.Size = of(units.Bytes(size))
		}
		if p.Direction == plan.Ingress && (sw.Calculator == nil || sw.Calculator.Oversubscribe.Value == 0) {
			p.Headroom = drawBytes(t, "headroom pool", size)
		}
		sw.Pools = append(sw.Pools, p)
	}
}

// drawTrimming draws how packets are cut, and of which queues that have a profile.
func drawTrimming(t *rapid.T, sw *plan.Switch) {
	if !rapid.Bool().Draw(t, "trimming") {
		return
	}
	dscp := uint8(rapid.IntRange(0, 63).Draw(t, "trimmed dscp"))
	sw.Trim = &plan.Trim{
		Size: of(units.Bytes(rapid.Int64Range(1, 1<<32-1).Draw(t, "trimmed size"))), DSCP: dscp, TC: sw.Maps.DSCPToTC[dscp],
		Queue: uint8(rapid.IntRange(0, 15).Draw(t, "trimmed queue")),
	}
	cut := rapid.Uint16().Draw(t, "cut queues")
	for _, p := range sw.Ports {
		if p.QoS == nil {
			continue
		}
		for i := range p.QoS.Queues {
			q := &p.QoS.Queues[i]
			q.Trims = q.Pool != "" && cut&(1<<q.ID) != 0
		}
	}
}

// drawTunnel draws how packets change class between a pair of switches, with code points that
// are kept, and ports that classify by themselves or have queues of their own.
func drawTunnel(t *rapid.T, sw *plan.Switch) {
	first, last := sw.Ports[0].QoS, sw.Ports[len(sw.Ports)-1].QoS
	if first != last && first != nil && last != nil && first.Trust == plan.TrustDSCP && last.Trust == plan.TrustDSCP && rapid.Bool().Draw(t, "own classifier") {
		own := sw.Maps.DSCPToTC
		own[rapid.IntRange(0, 59).Draw(t, "code point")] ^= 1
		last.DSCPToTC = &own
	}
	if first != last && first != nil && last != nil && rapid.Bool().Draw(t, "own queues") {
		own := plan.QueueMap{To: sw.Maps.TCToQueue}
		for tc := range own.To {
			lossless := slices.ContainsFunc(sw.Classes, func(c plan.Class) bool { return c.Lossless && int(c.TrafficClass) == tc })
			if !lossless && rapid.Bool().Draw(t, "another queue") {
				own.To[tc] ^= 1
			}
		}
		if own.To != sw.Maps.TCToQueue {
			last.TCToQueue = &own
		}
	}
	if !rapid.Bool().Draw(t, "tunnel") {
		return
	}
	tn := &plan.Tunnel{Name: "MuxTunnel0", DSCPToTC: sw.Maps.DSCPToTC, TCToPG: sw.Maps.TCToPG, TCToQueue: sw.Maps.TCToQueue}
	for tc := range uint8(8) {
		tn.TCToPG[tc] = uint8(rapid.IntRange(0, 7).Draw(t, "group in the tunnel"))
		tn.TCToQueue[tc] = uint8(rapid.IntRange(0, 7).Draw(t, "queue in the tunnel"))
		if tc == 0 || rapid.Bool().Draw(t, "outer") {
			tn.Outer.TCs |= 1 << tc
			tn.Outer.DSCP[tc] = uint8(rapid.IntRange(0, 63).Draw(t, "code point outside"))
		}
	}
	for _, dscp := range rapid.SliceOfNDistinct(rapid.Uint8Range(0, 63), 0, plan.MostKept, rapid.ID[uint8]).Draw(t, "kept") {
		if tellsApart(sw, dscp) {
			tn.Kept = append(tn.Kept, dscp)
		}
	}
	slices.Sort(tn.Kept)
	sw.Tunnel = tn
}

// tellsApart reports whether the class of a code point below 60 is the only one with its queue
// and group, and one from 60 on has it too: by these a file names the class of one that is
// kept.
func tellsApart(sw *plan.Switch, dscp uint8) bool {
	m, others := &sw.Maps, false
	tc := m.DSCPToTC[dscp]
	for d, other := range m.DSCPToTC {
		switch {
		case other == tc:
			others = others || d >= 60
		case m.TCToQueue[other] == m.TCToQueue[tc] && m.TCToPG[other] == m.TCToPG[tc]:
			return false
		}
	}
	return others && dscp < 60
}

// drawMarking draws rules that a map of DSCPs can hold.
func drawMarking(t *rapid.T, sw *plan.Switch) {
	if !rapid.Bool().Draw(t, "marking") {
		return
	}
	m := &plan.Marking{
		Default:   uint8(rapid.IntRange(0, 63).Draw(t, "default dscp")),
		DefaultTC: uint8(rapid.IntRange(0, 7).Draw(t, "default tc")),
	}
	dscps := rapid.SliceOfNDistinct(rapid.Uint8Range(0, 63), 0, 30, rapid.ID[uint8]).Draw(t, "admitted")
	slices.Sort(dscps)
	for _, dscp := range dscps {
		if tc := uint8(rapid.IntRange(0, 7).Draw(t, "rule")); tc != m.DefaultTC {
			m.Rules = append(m.Rules, plan.MarkRule{DSCP: dscp, TC: tc})
		}
	}
	sw.Marking = m
}

// drawPorts draws ports of one to three kinds. The first has all priorities of the
// lossless classes, and the watchdog if there is one.
func drawPorts(t *rapid.T, sw *plan.Switch) {
	var kinds []*plan.PortQoS
	for i := range rapid.IntRange(1, 3).Draw(t, "kinds") {
		kinds = append(kinds, drawQoS(t, sw, i == 0))
	}
	if rapid.Bool().Draw(t, "bare") {
		kinds = append(kinds, nil)
	}
	n := rapid.IntRange(len(kinds), 6).Draw(t, "ports")
	cages := rapid.Bool().Draw(t, "cages")
	first := 0
	if cages {
		first = rapid.IntRange(0, 1).Draw(t, "first")
	}
	for i := range n {
		i += first
		p := plan.Port{
			Name:  fmt.Sprintf("Ethernet%d", 4*i),
			Alias: rapid.SampledFrom([]string{"", fmt.Sprintf("etp%d", i)}).Draw(t, "alias"),
			Peer:  rapid.SampledFrom([]string{"", `say "é"\`, "nic cx7"}).Draw(t, "peer"),
			Lanes: rapid.SliceOfNDistinct(rapid.IntRange(64*i, 64*i+63), 1, 8, rapid.ID).Draw(t, "lanes"),
			Speed: units.BitRate(rapid.SampledFrom([]int64{10, 25, 100, 400, 800, 1600}).Draw(t, "speed")) * units.Gbps,
			Cable: units.Length(rapid.IntRange(0, 2000).Draw(t, "cable")) * units.Metre,
			MTU:   units.Bytes(rapid.Int64Range(90, 9238).Draw(t, "mtu")),
			FEC:   rapid.SampledFrom([]string{"", "rs", "fc", "none", "auto"}).Draw(t, "fec"),
			QoS:   kinds[min(i-first, rapid.IntRange(0, len(kinds)-1).Draw(t, "kind"))],
		}
		if p.Numbered = rapid.Bool().Draw(t, "numbered"); p.Numbered {
			p.Index = rapid.IntRange(0, 65535).Draw(t, "index")
		}
		if i == first {
			p.QoS = kinds[0]
		}
		if cages { // of two ports each, of which the first cage may lack its first
			p.Cage = plan.Cage{Port: fmt.Sprintf("Ethernet%d", max(4*i-4*(i%2), 0)), Mode: fmt.Sprintf("2x%dG", i/2+1), Subport: rapid.IntRange(0, 8).Draw(t, "subport")}
		}
		sw.MTU = of(max(sw.MTU.Value, p.MTU))
		sw.Ports = append(sw.Ports, p)
	}
}

func drawQoS(t *rapid.T, sw *plan.Switch, first bool) *plan.PortQoS {
	qos := &plan.PortQoS{Watchdog: sw.Watchdog != nil && (first || rapid.Bool().Draw(t, "watched"))}
	if sw.Marking != nil && rapid.Bool().Draw(t, "untrusted") {
		qos.Trust = plan.TrustNone
	}
	if sw.BufferModel == plan.DynamicModel || rapid.Bool().Draw(t, "port pools") {
		for _, pool := range sw.Pools {
			qos.Pools = append(qos.Pools, plan.PortPool{Pool: pool.Name, Reserved: drawBytes(t, "reserved", 1<<20), Limit: drawLimit(t)})
		}
	}
	var headroom [8]bool
	for _, c := range sw.Classes {
		if c.Lossless && (first || rapid.Bool().Draw(t, "pfc")) {
			qos.PFC |= 1 << c.PFC
			headroom[c.PG] = true
		}
	}
	for id := range uint8(8) {
		if headroom[id] || rapid.Bool().Draw(t, "pg") {
			qos.PGs = append(qos.PGs, drawPG(t, sw, id, headroom[id]))
		}
	}
	for id := range uint8(rapid.IntRange(0, 16).Draw(t, "queues")) {
		if rapid.IntRange(0, 3).Draw(t, "queue") > 0 {
			qos.Queues = append(qos.Queues, drawQueue(t, sw, id))
		}
	}
	return qos
}

func drawLimit(t *rapid.T) plan.Derived[plan.Limit] {
	if rapid.Bool().Draw(t, "dynamic") {
		return of(plan.Limit{Dynamic: true, Alpha: drawAlpha(t)})
	}
	return of(plan.Limit{Static: drawBytes(t, "static", 1<<40).Value})
}

func drawPG(t *rapid.T, sw *plan.Switch, id uint8, lossless bool) plan.PG {
	pg := plan.PG{ID: id, Pool: "ingress_lossless_pool", Lossless: lossless, Limit: drawLimit(t)}
	if lossless && sw.BufferModel == plan.DynamicModel {
		if pg.Override = rapid.Bool().Draw(t, "override"); !pg.Override {
			pg.Limit = of(plan.Limit{Dynamic: true, Alpha: drawAlpha(t)})
			return pg
		}
	}
	// Small numbers, so that neighbours are sometimes equal and share a row.
	pg.Reserved = drawBytes(t, "reserved", 2)
	if lossless {
		pg.XOn, pg.XOnOffset, pg.Headroom = drawBytes(t, "xon", 1), drawBytes(t, "xon offset", 1), drawBytes(t, "xoff", 1<<30)
	}
	return pg
}

func drawQueue(t *rapid.T, sw *plan.Switch, id uint8) plan.Queue {
	q := plan.Queue{ID: id}
	buffers := rapid.Bool().Draw(t, "buffers")
	if buffers {
		q.Pool = rapid.SampledFrom([]string{"egress_lossless_pool", "egress_lossy_pool"}).Draw(t, "pool")
		q.Reserved, q.Limit = drawBytes(t, "reserved", 2), drawLimit(t)
	}
	q.Scheduler.Strict = rapid.Bool().Draw(t, "strict")
	if !q.Scheduler.Strict && (!buffers || rapid.Bool().Draw(t, "weighted")) {
		q.Scheduler.Weight = of(rapid.Int64Range(1, 100).Draw(t, "weight"))
	}
	if q.Scheduler != (plan.Scheduler{}) && rapid.Bool().Draw(t, "capped") {
		q.Scheduler.MaxRate = of(8 * units.BitRate(rapid.Int64Range(1, 200e9).Draw(t, "cap")))
	}
	if rapid.Bool().Draw(t, "ecn") {
		kmin := rapid.Int64Range(0, 1e9).Draw(t, "kmin")
		q.ECN = &plan.ECN{
			KMin: of(units.Bytes(kmin)), KMax: of(units.Bytes(rapid.Int64Range(kmin, 1<<31-1).Draw(t, "kmax"))),
			PMax: of(units.Ratio(rapid.Int64Range(0, 100).Draw(t, "pmax")) * units.Percent),
		}
	}
	return q
}
