package lint_test

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// said is a value that a file says.
func said[T any](v T) plan.Derived[T] { return plan.Of(v, &plan.Why{Kind: plan.ReadBack}) }

// ported is a switch with as many ports of 100 Gb/s as there are settings, named p0, p1 and so
// on. Ports that are given one pointer are told the same.
func ported(settings ...*plan.PortQoS) *plan.Switch {
	sw := &plan.Switch{Names: []string{"leaf-1"}}
	for i, qos := range settings {
		sw.Ports = append(sw.Ports, plan.Port{Name: "p" + string(rune('0'+i)), Speed: 100 * units.Gbps, MTU: 9216, QoS: qos})
	}
	return sw
}

// one is a port with one PG.
func one(pg plan.PG) *plan.PortQoS { return &plan.PortQoS{PFC: 1 << 3, PGs: []plan.PG{pg}} }

// group is a port with the lossless PG 3.
func group(edit func(*plan.PG)) *plan.PortQoS {
	pg := plan.PG{ID: 3, Lossless: true, Pool: "in"}
	edit(&pg)
	return one(pg)
}

// onOf is a switch of an operating system.
func onOf(os string, sw *plan.Switch) *plan.Switch { sw.OS = os; return sw }

// pooled gives a switch pools.
func pooled(sw *plan.Switch, pools ...plan.Pool) *plan.Switch { sw.Pools = pools; return sw }

// cnps is a switch on which RDMA is lossless in queue 3 and CNPs leave from one queue, with another
// one strict.
func cnps(queue, strict uint8) *plan.Switch {
	qos := &plan.PortQoS{PFC: 1 << 3, PGs: []plan.PG{{ID: 3, Lossless: true}}, Queues: []plan.Queue{{ID: 3}, {ID: 2, Scheduler: plan.Scheduler{Weight: said(int64(1))}}}}
	qos.Queues = append(qos.Queues, plan.Queue{ID: strict, Scheduler: plan.Scheduler{Strict: true}})
	sw := ported(qos)
	sw.Maps.PFCToPG[3] = 3
	sw.Classes = []plan.Class{{Name: "rdma", TrafficClass: 3, Queue: 3, PG: 3, Lossless: true, DSCPs: []uint8{26}}, {Name: "cnp", TrafficClass: 6, Queue: queue, DSCPs: []uint8{48}}}
	return sw
}

// cabled is two ports of one speed with their cables and headroom.
func cabled(a units.Length, own units.Bytes, b units.Length, other units.Bytes) *plan.Switch {
	sw := ported(group(func(pg *plan.PG) { pg.Headroom = said(own) }), group(func(pg *plan.PG) { pg.Headroom = said(other) }))
	sw.Ports[0].Cable, sw.Ports[1].Cable = a, b
	return sw
}

// responding is two ports, of which the second one has the longer cable and less headroom, with peers
// that are declared to respond within so many nanoseconds; 0: nothing is declared.
func responding(short, long units.Time) *plan.Switch {
	sw := cabled(5*units.Metre, 2000, 40*units.Metre, 1000)
	for i, response := range []units.Time{short, long} {
		if response > 0 {
			sw.Ports[i].Assumed = &plan.Assumed{Declared: true, Response: said(response * units.Nanosecond)}
		}
	}
	return sw
}

// laned is a port with as many lanes.
func laned(speed units.BitRate, lanes int) *plan.Switch {
	sw := ported(&plan.PortQoS{})
	sw.Ports[0].Speed = speed
	for i := range lanes {
		sw.Ports[0].Lanes = append(sw.Ports[0].Lanes, i)
	}
	return sw
}

// unreached is a switch with a queue 5 to which the class of its code points does not lead.
func unreached(edit func(*plan.Queue)) *plan.Switch {
	q := plan.Queue{ID: 5}
	edit(&q)
	sw := ported(&plan.PortQoS{Queues: []plan.Queue{{ID: 0}, q}})
	sw.Classes = []plan.Class{{Name: "rest", DSCPs: []uint8{0}}, {Name: "none", TrafficClass: 5, Queue: 5}}
	sw.Places.DSCPToTC[0] = diag.Range{Filename: "f"}
	return sw
}

// ruledTo adds a rule that admits packets to a queue.
func ruledTo(queue uint8, sw *plan.Switch) *plan.Switch {
	sw.Marking = &plan.Marking{Rules: []plan.MarkRule{{TC: 1}}}
	sw.Maps.TCToQueue[1] = queue
	return sw
}

// markedRest is a switch without PFC whose class of DSCP 0 marks, with CNPs in one queue and
// another one strict.
func markedRest(cnps, strict uint8) *plan.Switch {
	sw := ported(&plan.PortQoS{Queues: []plan.Queue{{ID: 0, ECN: &plan.ECN{}, Scheduler: plan.Scheduler{Strict: strict == 0}}, {ID: 6, Scheduler: plan.Scheduler{Strict: strict == 6}}}})
	sw.Classes = []plan.Class{{Name: "rest", DSCPs: []uint8{0}}, {Name: "cnp", TrafficClass: 6, Queue: cnps, DSCPs: []uint8{48}}}
	return sw
}

// What a rule says of switches that no input of golden/diag/lint has: the last that is right, the
// first that is wrong, and the numbers of the message.
func TestShapes(t *testing.T) {
	catalogue, _ := chips.Load()
	const mib = 1 << 20
	offset := func(b units.Bytes) *plan.PortQoS { return group(func(pg *plan.PG) { pg.XOnOffset = said(b) }) }
	reserve := func(b units.Bytes) *plan.PortQoS {
		return group(func(pg *plan.PG) { pg.Reserved, pg.Headroom = said(b), said(units.Bytes(10_000)) })
	}
	threshold := func(a units.Alpha) *plan.PortQoS {
		return group(func(pg *plan.PG) { pg.Limit = said(plan.Limit{Dynamic: true, Alpha: a}) })
	}
	headroom := func(pool string, b units.Bytes) *plan.PortQoS {
		return group(func(pg *plan.PG) { pg.Pool, pg.Headroom = pool, said(b) })
	}
	queue := func(q plan.Queue) *plan.PortQoS { return &plan.PortQoS{PFC: 1 << 3, Queues: []plan.Queue{q}} }
	reserved := func(b units.Bytes) *plan.PortQoS { return queue(plan.Queue{ID: 0, Reserved: said(b)}) }
	curve := func(kmin, kmax units.Bytes, pmax units.Ratio) *plan.PortQoS {
		return queue(plan.Queue{ID: 3, ECN: &plan.ECN{KMin: said(kmin), KMax: said(kmax), PMax: said(pmax)}})
	}
	in := plan.Pool{Name: "in", Direction: plan.Ingress, Dynamic: true, Size: said(units.Bytes(20 * mib)), Headroom: said(units.Bytes(9000))}
	with := func(pool plan.Pool, edit func(*plan.Pool)) plan.Pool { edit(&pool); return pool }
	apart := with(in, func(p *plan.Pool) { p.Size = plan.Derived[units.Bytes]{} }) // EOS: headroom alone, named by nothing
	// Tomahawk: 16 MiB of 208 B cells in four parts; Trident 3: one part, 129,024 cells of 256 B.
	const trident3 = 129_024 * 256 * units.Byte
	for name, c := range map[string]struct {
		sw   *plan.Switch
		chip string
		code diag.Code
		want string // a part of the message; empty: no finding
	}{
		"three ports that are told the same": {ported(threshold(0), threshold(1)), "", lint.GroupUneven, "priority group 3 of p1 has a threshold of alpha 2, and that of p0 one of alpha 1"},
		"the rarer is the odd one":           {func() *plan.Switch { u := threshold(1); return ported(threshold(0), u, u, u) }(), "", lint.GroupUneven, "of p0 has a threshold of alpha 1, and that of p1 and 2 more ports one of alpha 2"},
		"two pools":                          {ported(threshold(0), group(func(pg *plan.PG) { pg.Pool, pg.Limit = "other", said(plan.Limit{Dynamic: true, Alpha: 1}) })), "", lint.GroupUneven, ""},
		"Jericho counts time":                {ported(threshold(0), threshold(1)), "jericho2c+", lint.GroupUneven, ""},
		"xon offsets":                        {ported(offset(2000), offset(3000)), "", lint.GroupUneven, "of p1 has an xon offset of 3000B, and that of p0 one of 2000B"},
		"xon offsets on NVUE":                {onOf("cumulus", ported(offset(2000), offset(3000))), "", lint.GroupUneven, ""},
		"xon offsets beside one level": {ported(offset(2000), group(func(pg *plan.PG) { pg.XOn, pg.XOnOffset = said(units.Bytes(1)), said(units.Bytes(3000)) })), "",
			lint.GroupUneven, ""},
		"the level on the other port": {ported(group(func(pg *plan.PG) { pg.XOn, pg.XOnOffset = said(units.Bytes(1)), said(units.Bytes(3000)) }), offset(2000)), "",
			lint.GroupUneven, ""},
		"frames of two sizes":                 {func() *plan.Switch { sw := ported(offset(2000), offset(3000)); sw.Ports[1].MTU = 1500; return sw }(), "", lint.GroupUneven, ""},
		"reserves":                            {ported(reserve(1000), reserve(2000)), "", lint.GroupUneven, "of p1 has a reserve of 2000B, and that of p0 one of 1000B"},
		"reserves with the headroom in them":  {ported(reserve(10_000), reserve(20_000)), "", lint.GroupUneven, ""},
		"reserves of which one has headroom":  {ported(reserve(9_999), reserve(10_000)), "", lint.GroupUneven, ""},
		"the reserve just below the headroom": {ported(reserve(9_998), reserve(9_999)), "", lint.GroupUneven, "a reserve"},

		"headroom of the pool":                {pooled(ported(headroom("in", 9000)), in), "", lint.HeadroomAbovePool, ""},
		"a byte above the headroom pool":      {pooled(ported(headroom("in", 9001)), in), "", lint.HeadroomAbovePool, "priority group 3 of p0 has 9001B of headroom, but the headroom pool of in has 9000B"},
		"a quarter of it":                     {pooled(ported(headroom("in", 2250)), in), "tomahawk", lint.HeadroomAbovePool, ""},
		"a byte above a quarter":              {pooled(ported(headroom("in", 2251)), in), "tomahawk", lint.HeadroomAbovePool, "has 9000B, 2250B in each of 4 parts"},
		"a pool that nobody names":            {pooled(ported(headroom("", 9000)), apart), "", lint.HeadroomAbovePool, ""},
		"a byte above it":                     {pooled(ported(headroom("", 9001)), apart), "", lint.HeadroomAbovePool, "the headroom pool of in has 9000B"},
		"another pool has shared buffer too":  {pooled(ported(headroom("", 9001)), in), "", lint.HeadroomAbovePool, ""},
		"the unnamed pool is an egress one":   {pooled(ported(headroom("", 9001)), with(apart, func(p *plan.Pool) { p.Direction = plan.Egress })), "", lint.HeadroomAbovePool, ""},
		"the memory":                          {ported(headroom("", trident3)), "trident3", lint.HeadroomAbovePool, ""},
		"a byte above the memory":             {ported(headroom("", trident3+1)), "trident3", lint.HeadroomAbovePool, "has 33030145B of headroom"},
		"a byte above the memory of no chip":  {ported(headroom("", trident3+1)), "", lint.HeadroomAbovePool, ""},
		"lossy groups need none":              {pooled(ported(one(plan.PG{ID: 3, Pool: "in", Headroom: said(units.Bytes(9001))})), in), "", lint.HeadroomAbovePool, ""},
		"own headroom, as large as the pool":  {pooled(ported(headroom("in", 20*mib)), with(in, func(p *plan.Pool) { p.Headroom = plan.Derived[units.Bytes]{} })), "", lint.HeadroomAbovePool, ""},
		"own headroom, a byte above the pool": {pooled(ported(headroom("in", 20*mib+1)), with(in, func(p *plan.Pool) { p.Headroom = plan.Derived[units.Bytes]{} })), "", lint.HeadroomAbovePool, "but the whole pool in has 20971520B"},
		"0 bytes said on XGS":                 {pooled(ported(headroom("in", 1)), with(in, func(p *plan.Pool) { p.Headroom = said(units.Bytes(0)) })), "trident3", lint.HeadroomAbovePool, "has 1B of headroom, but the headroom pool of in has 0B"},
		"0 bytes said on EOS":                 {onOf("eos", pooled(ported(headroom("in", 1)), with(in, func(p *plan.Pool) { p.Headroom = said(units.Bytes(0)) }))), "", lint.HeadroomAbovePool, "has 0B"},
		"0 bytes said on Spectrum":            {pooled(ported(headroom("in", 1)), with(in, func(p *plan.Pool) { p.Headroom = said(units.Bytes(0)) })), "spectrum4", lint.HeadroomAbovePool, ""},
		"0 bytes said of no chip":             {pooled(ported(headroom("in", 1)), with(in, func(p *plan.Pool) { p.Headroom = said(units.Bytes(0)) })), "", lint.HeadroomAbovePool, ""},

		"queues own the memory":              {ported(reserved(trident3/2), reserved(trident3/2)), "trident3", lint.PoolAboveChip, ""},
		"and a byte more":                    {ported(reserved(trident3/2), reserved(trident3/2+1)), "trident3", lint.PoolAboveChip, "the queues of all ports reserve 33030145B"},
		"ports that are told the same count": {func() *plan.Switch { q := reserved(trident3 / 2); return ported(q, q, q) }(), "trident3", lint.PoolAboveChip, "reserve 49545216B"},

		"a curve within the memory": {ported(curve(mib, trident3, units.Percent)), "trident3", lint.KmaxAboveLimit, ""},
		"a byte above it, no pool":  {ported(curve(mib, trident3+1, units.Percent)), "trident3", lint.KmaxAboveLimit, "queue 3 of p0 marks every packet from 33030145B on"},
		"of no chip":                {ported(curve(mib, trident3+1, units.Percent)), "", lint.KmaxAboveLimit, ""},

		"marking begins at three packets": {ported(curve(3*4158, mib, 100*units.Percent)), "", lint.KminEarly, ""},
		"a byte earlier":                  {ported(curve(3*4158-1, mib, 100*units.Percent)), "", lint.KminEarly, "Kmin of queue 3 of p0 is 12473B, less than 3 full RoCE packets of 4158B"},
		// 8 us of 100 Gb/s are 100,000 B.
		"early, but gentle":               {ported(curve(9216, 109_216, 5*units.Percent)), "", lint.KminEarly, ""},
		"early, a byte too steep":         {ported(curve(9216, 109_215, 5*units.Percent)), "", lint.KminEarly, "Kmin of queue 3"},
		"early, a probability too high":   {ported(curve(9216, 109_216, 5*units.Percent+1)), "", lint.KminEarly, "Kmin of queue 3"},
		"below a frame is another rule's": {ported(curve(9215, 20_000, 100*units.Percent)), "", lint.KminEarly, ""},
		"at Kmax is another rule's":       {ported(curve(9216, 9216, 100*units.Percent)), "", lint.KminEarly, ""},

		"1 B of a pool in four parts": {pooled(ported(headroom("in", 1)), with(in, func(p *plan.Pool) { p.Headroom = said(units.Bytes(1)) })), "tomahawk", lint.HeadroomAbovePool, "the headroom pool of in has 1B, 0B in each of 4 parts"},

		// A longer cable needs more; of one whose length nobody says nothing is known.
		"less headroom for a longer cable":     {cabled(5*units.Metre, 2000, 40*units.Metre, 1000), "", lint.HeadroomNotMonotone, "1000B"},
		"more headroom for a longer cable":     {cabled(5*units.Metre, 1000, 40*units.Metre, 2000), "", lint.HeadroomNotMonotone, ""},
		"less headroom, and an earlier peer":   {responding(100, 50), "", lint.HeadroomNotMonotone, ""},
		"less headroom, and a later peer":      {responding(50, 100), "", lint.HeadroomNotMonotone, "1000B"},
		"less headroom, peers respond alike":   {responding(50, 50), "", lint.HeadroomNotMonotone, "1000B"},
		"less headroom, a late peer is known":  {responding(100, 0), "", lint.HeadroomNotMonotone, ""},
		"less headroom, an early one is known": {responding(0, 100), "", lint.HeadroomNotMonotone, "1000B"},
		"less headroom, and smaller frames": {func() *plan.Switch {
			sw := cabled(5*units.Metre, 2000, 40*units.Metre, 1000)
			sw.Ports[0].MTU++
			return sw
		}(), "", lint.HeadroomNotMonotone, ""},
		"less headroom, and no gearbox": {func() *plan.Switch {
			sw := cabled(5*units.Metre, 2000, 40*units.Metre, 1000)
			sw.Ports[0].Gearbox = 1
			return sw
		}(), "", lint.HeadroomNotMonotone, ""},
		"less headroom than an unknown cable": {cabled(0, 2000, 40*units.Metre, 1000), "", lint.HeadroomNotMonotone, ""},

		// CNPs of a class that shares by weight, beside a strict queue 6 or 7, which NICs prefer.
		"CNPs beside a strict queue 7": {cnps(2, 7), "", lint.CNPPriority, "leave from queue 2 of p0, which shares by weight, although queue 7 is strict"},
		"CNPs beside a strict queue 6": {cnps(2, 6), "", lint.CNPPriority, "queue 6 is strict"},
		"CNPs beside a strict queue 5": {cnps(2, 5), "", lint.CNPPriority, ""},
		"CNPs in the strict queue 7":   {cnps(7, 7), "", lint.CNPPriority, ""},

		// A lane of Trident 3 carries 25 Gb/s, and the chip has ports of 25, 40, 50 and 100 Gb/s.
		"100G of four lanes":       {laned(100*units.Gbps, 4), "trident3", lint.SpeedNotOnChip, ""},
		"100G of two lanes":        {laned(100*units.Gbps, 2), "trident3", lint.SpeedNotOnChip, "p0 runs at 100Gbps over 2 lanes, but a lane of Broadcom Trident 3 (BCM56870) carries only 25Gbps"},
		"100G, the lanes not said": {laned(100*units.Gbps, 0), "trident3", lint.SpeedNotOnChip, ""},
		"400G, not of the chip":    {laned(400*units.Gbps, 8), "trident3", lint.SpeedNotOnChip, "p0 runs at 400Gbps, a speed that the catalogue does not list"},
		"no speed":                 {laned(0, 1), "trident3", lint.SpeedNotOnChip, ""},
		"a lane of no known rate":  {laned(100*units.Gbps, 1), "", lint.SpeedNotOnChip, ""},

		"a curve that no class leads to":         {unreached(func(q *plan.Queue) { q.ECN = &plan.ECN{} }), "", lint.QueueUnreached, "queue 5 of p0 has a marking curve, but no code point leads to it"},
		"strict with a cap, in no RoCE fabric":   {unreached(func(q *plan.Queue) { q.Scheduler = plan.Scheduler{Strict: true, MaxRate: said(units.Gbps)} }), "", lint.QueueUnreached, "has strict priority"},
		"strict without a cap":                   {unreached(func(q *plan.Queue) { q.Scheduler.Strict = true }), "", lint.QueueUnreached, ""},
		"a weight":                               {unreached(func(q *plan.Queue) { q.Scheduler.Weight = said(int64(3)) }), "", lint.QueueUnreached, ""},
		"a weight of OpenConfig":                 {onOf("openconfig", unreached(func(q *plan.Queue) { q.Scheduler.Weight = said(int64(3)) })), "", lint.QueueUnreached, "has a part of the bandwidth"},
		"a curve of a queue that rules admit to": {ruledTo(5, unreached(func(q *plan.Queue) { q.ECN = &plan.ECN{} })), "", lint.QueueUnreached, ""},
		"a curve of a queue that rules pass by":  {ruledTo(4, unreached(func(q *plan.Queue) { q.ECN = &plan.ECN{} })), "", lint.QueueUnreached, "has a marking curve"},

		"DSCP 0 in a class that marks and CNPs in a strict queue": {onOf("openconfig", markedRest(6, 6)), "", lint.DefaultLossless, "DSCP 0 is in traffic class 0"},
		"and CNPs in the same queue":                              {onOf("openconfig", markedRest(0, 0)), "", lint.DefaultLossless, ""},
		"and CNPs in a queue that is not strict":                  {onOf("openconfig", markedRest(6, 7)), "", lint.DefaultLossless, ""},

		// Four frames of 9216 B are 36,864 B.
		"resumes after four frames": {ported(offset(36_864)), "", lint.ResumeLate, ""},
		"and a byte":                {ported(offset(36_865)), "", lint.ResumeLate, "resumes when 36865B have drained, more than 4 frames of 9216B"},
		"on Jericho":                {ported(offset(36_865)), "jericho2c+", lint.ResumeLate, ""},
	} {
		chip := named(t, catalogue, c.chip)
		var told []string
		for _, d := range lint.Switch(c.sw, chip) {
			if d.Code == c.code {
				told = append(told, d.Message)
			}
		}
		if got := strings.Join(told, "; "); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s says %q, want %q", name, c.code, got, c.want)
		}
	}
}

// Seven ports have to agree before the eighth is odd, and what it differs in is told.
func TestPortOdd(t *testing.T) {
	queues := func(edit func(*plan.Queue)) *plan.PortQoS {
		q := plan.Queue{ID: 3, Reserved: said(units.Bytes(100)), Limit: said(plan.Limit{Static: 1000}), Scheduler: plan.Scheduler{Weight: said(int64(60))}}
		edit(&q)
		return &plan.PortQoS{Queues: []plan.Queue{q}}
	}
	for _, c := range []struct {
		others int
		edit   func(*plan.Queue)
		want   string
	}{
		{7, func(*plan.Queue) {}, ""},
		{7, func(q *plan.Queue) { q.Scheduler.Weight.Value = 61 }, "not scheduled like that of all 7 other ports at 100Gbps"},
		{6, func(q *plan.Queue) { q.Scheduler.Weight.Value = 61 }, ""},
		{8, func(q *plan.Queue) { q.Scheduler.Strict = true }, "not scheduled like that of all 8"},
		{7, func(q *plan.Queue) { q.Scheduler.MaxRate = said(units.Gbps) }, "scheduled"},
		{7, func(q *plan.Queue) { q.ECN = &plan.ECN{KMin: said(units.Bytes(10_000))} }, "marked"},
		{7, func(q *plan.Queue) { q.Limit.Value.Static++ }, "bounded"},
		{7, func(q *plan.Queue) { q.Reserved.Value++ }, "bounded"},
		{7, func(q *plan.Queue) { q.ID = 4 }, ""},
	} {
		usual := queues(func(*plan.Queue) {})
		settings := []*plan.PortQoS{queues(c.edit)}
		for range c.others {
			settings = append(settings, usual)
		}
		for _, turned := range []bool{false, true} {
			if turned { // the odd port is the last one
				settings = append(settings[1:], settings[0])
			}
			told := ""
			for _, d := range lint.Switch(ported(settings...), nil) {
				if d.Code == lint.PortOdd {
					told += d.Message
				}
			}
			if (told == "") != (c.want == "") || !strings.Contains(told, c.want) {
				t.Errorf("%d others: %q, want %q", c.others, told, c.want)
			}
		}
	}
}
