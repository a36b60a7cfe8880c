package lint_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/lint"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Where rules have nothing to say: at the last value that is right, and where a file leaves out what they judge.
func TestWhereRulesAreSilent(t *testing.T) {
	alpha := func(a units.Alpha) *plan.Switch {
		return ported(group(func(pg *plan.PG) { pg.Limit = said(plan.Limit{Dynamic: true, Alpha: a}) }))
	}
	lossless := plan.Class{Name: "rdma", TrafficClass: 3, Queue: 3, PG: 3, Lossless: true, DSCPs: []uint8{26}}
	sharing := func(dscps ...uint8) *plan.Switch {
		sw := ported(one(plan.PG{ID: 3, Lossless: true}))
		sw.Classes = []plan.Class{lossless, {Name: "other", TrafficClass: 1, Queue: 3, DSCPs: dscps}}
		return sw
	}
	with := one(plan.PG{ID: 3, Lossless: true})
	marks := func(os string, ecn *plan.ECN) *plan.Switch {
		sw := ported(&plan.PortQoS{Queues: []plan.Queue{{ID: 0, ECN: ecn}}})
		sw.OS, sw.Ports[0].Speed, sw.Ports[0].FEC = os, 200*units.Gbps, "none"
		return sw
	}
	for name, c := range map[string]struct {
		sw   *plan.Switch
		code diag.Code
		want bool
	}{
		// Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 6.2: alpha of 1/64 for 1/16.
		"alpha of 1/64":                     {alpha(-6), lint.AlphaTooSmall, true},
		"alpha of 1/32":                     {alpha(-5), lint.AlphaTooSmall, false},
		"a static limit":                    {ported(group(func(pg *plan.PG) { pg.Limit = said(plan.Limit{Static: 1, Alpha: -9}) })), lint.AlphaTooSmall, false},
		"a lossy class in a lossless queue": {sharing(0), lint.LossyInLosslessQueue, true},
		"a class of no code point":          {sharing(), lint.LossyInLosslessQueue, false},
		"a port without PFC":                {ported(with, with, &plan.PortQoS{PGs: []plan.PG{{ID: 0}}}), lint.PFCOffOnPort, true},
		"a port without PFC, with a queue":  {ported(with, with, &plan.PortQoS{Queues: []plan.Queue{{ID: 0}}}), lint.PFCOffOnPort, true},
		"a port that is told nothing":       {ported(with, with, &plan.PortQoS{}), lint.PFCOffOnPort, false},
		"half of the ports without PFC":     {ported(with, &plan.PortQoS{PGs: []plan.PG{{ID: 0}}}), lint.PFCOffOnPort, false},
		"PFC without a lossless group":      {ported(&plan.PortQoS{PFC: 1 << 3, PGs: []plan.PG{{ID: 3}}}), lint.PFCWithoutLossless, true},
		"PFC without groups":                {ported(&plan.PortQoS{PFC: 1 << 3}), lint.PFCWithoutLossless, false},
		// IEEE 802.3bs: every link of 200 Gb/s has RS-FEC.
		"OpenConfig has RoCE where it marks": {marks("openconfig", &plan.ECN{}), lint.FECMissing, true},
		"and none where it does not":         {marks("openconfig", nil), lint.FECMissing, false},
		"others have it where they pause":    {marks("sonic", &plan.ECN{}), lint.FECMissing, false},
	} {
		for i := range c.sw.Maps.PFCToPG {
			c.sw.Maps.PFCToPG[i] = uint8(i)
		}
		got := slices.ContainsFunc(lint.Switch(c.sw, nil), func(d diag.Diagnostic) bool { return d.Code == c.code })
		must.Equalf(t, got, c.want, "%s: %s is found:", name, c.code)
	}
}

// Memory is what the chip has, or what configurations can give away if that is more, or alone is known.
func TestMemoryOfAChip(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		most units.Bytes
	}{
		"less is usable": {"extends = \"trident3\"\n packet_buffer {\n value = \"1000000B\"\n confidence = \"published\"\n source = \"a test\"\n }\n usable_buffer {\n value = \"900000B\"\n confidence = \"published\"\n source = \"a test\"\n }", 1_000_000},
		"more is usable": {"extends = \"trident3\"\n packet_buffer {\n value = \"1000000B\"\n confidence = \"published\"\n source = \"a test\"\n }\n usable_buffer {\n value = \"1100000B\"\n confidence = \"published\"\n source = \"a test\"\n }", 1_100_000},
	} {
		all, found := chips.Load(chips.Source{Name: "own.hcl", Text: []byte("chip \"own\" {\n" + c.text + "\n}\n")})
		chip, ok := all.Find("own")
		if !ok {
			t.Fatal(found)
		}
		for more, want := range map[units.Bytes]bool{0: false, 1: true} {
			sw := pooled(ported(), plan.Pool{Name: "in", Direction: plan.Ingress, Size: said(c.most + more)})
			got := slices.ContainsFunc(lint.Switch(sw, chip), func(d diag.Diagnostic) bool { return d.Code == lint.PoolAboveChip })
			must.Equalf(t, got, want, "%s, a pool of %v: found is", name, c.most+more)
		}
	}
}

// A curve begins early below three full packets: of 1,024 B and 62 B of headers where the file has no MTU, else of the
// largest MTU of InfiniBand that fits its frames.
func TestFullPackets(t *testing.T) {
	for frame, packet := range map[units.Bytes]units.Bytes{0: 1086, 9216: 4158, 4158: 4158, 4157: 2110, 2110: 2110, 2109: 1086, 1086: 1086, 1085: 574, 573: 318, 318: 318} {
		for less, want := range map[units.Bytes]bool{0: false, 1: true} {
			kmin := 3*packet - less
			sw := ported(&plan.PortQoS{PFC: 1 << 3, Queues: []plan.Queue{{ID: 3, ECN: &plan.ECN{KMin: said(kmin), KMax: said(kmin + 1), PMax: said(units.One)}}}})
			sw.Ports[0].MTU = frame
			want := want && kmin >= frame // else the rule about frames says it
			if got := slices.ContainsFunc(lint.Switch(sw, nil), func(d diag.Diagnostic) bool { return d.Code == lint.KminEarly }); got != want {
				t.Errorf("frames of %v, Kmin of %v: found is %v", frame, kmin, got)
			}
		}
	}
}

// A cable of which one end leads out of the fabric joins nothing, and nobody is asked for what has no name.
func TestCablesOutOfTheFabric(t *testing.T) {
	end := plan.LinkEnd{Switch: "a", Port: "p0"}
	for _, link := range []plan.Link{{A: end}, {B: end}, {}} {
		found := lint.Links([]plan.Link{link}, func(device string) *plan.Switch {
			if device == "" {
				t.Errorf("%v: a device without a name is asked for", link)
			}
			return ported(one(plan.PG{ID: 3, Lossless: true}))
		})
		if len(found) > 0 {
			t.Errorf("%v: %v", link, found)
		}
	}
}

// The tunnel of a file is the fabric's: each may have none, or another one.
func TestTunnelsAgree(t *testing.T) {
	with := func(name string) *plan.Switch {
		sw := ported(one(plan.PG{ID: 3, Lossless: true}))
		if name != "" {
			sw.Tunnel = &plan.Tunnel{Name: name}
			sw.Tunnel.DSCPToTC[9] = uint8(len(name))
		}
		return sw
	}
	for _, c := range []struct{ is, should, want string }{
		{"", "", ""}, {"a", "a", ""}, {"", "a", "no tunnel sends packets back, but in the fabric a does"}, {"a", "", "the tunnel a changes classes of packets, but the fabric has no such tunnel"}, {"a", "ab", "the tunnel a does not change classes of packets as in the fabric: "},
	} {
		var got string
		for _, d := range lint.Agree(with(c.is), with(c.should)) {
			if d.Code == lint.FabricClassDiffers {
				got += d.Message
			}
		}
		if (got == "") != (c.want == "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%q by %q: %q, want %q", c.is, c.should, got, c.want)
		}
	}
}

// Forward error correction is compared where the fabric demands it: none, or one that is too weak, breaks the
// link; auto chooses what it needs; where a file does not say it, the platform chooses.
func TestAgreeOnFEC(t *testing.T) {
	const none diag.Severity = 0xff
	for _, c := range []struct {
		got, want string
		severity  diag.Severity
	}{
		{"none", "rs", diag.Error}, {"fc", "rs", diag.Error}, {"auto", "rs", none}, {"rs", "rs", none}, {"", "rs", diag.Warning}, {"none", "none", none}, {"none", "", none}, {"none", "fc", none}, {"rs", "none", none},
	} {
		got, want := ported(one(plan.PG{ID: 3, Lossless: true})), ported(one(plan.PG{ID: 3, Lossless: true}))
		got.Ports[0].FEC, want.Ports[0].FEC = c.got, c.want
		found := lint.Agree(got, want)
		if (len(found) > 0) != (c.severity != none) || len(found) > 0 && (found[0].Code != lint.FabricPortDiffers || found[0].Severity != c.severity || c.got != "" && !strings.Contains(found[0].Message, `has FEC "`+c.got)) {
			t.Errorf("%q by %q: %v", c.got, c.want, found)
		}
	}
}

// A port that has QoS in only one of file and fabric alone differs; so does one that classifies by itself.
func TestAgreeOnPortsApart(t *testing.T) {
	qos := func(dscp, tc uint8) *plan.PortQoS {
		own := one(plan.PG{ID: 3, Lossless: true})
		if tc != 0 {
			own.DSCPToTC = &[64]uint8{}
			own.DSCPToTC[dscp] = tc
		}
		return own
	}
	for _, c := range []struct {
		got, want *plan.PortQoS
		code      diag.Code
		says      string
	}{
		{nil, nil, "", ""}, {qos(0, 0), qos(0, 0), "", ""}, {nil, qos(0, 0), lint.FabricPFCDiffers, "p0 has QoS in only one of file and fabric"}, {qos(0, 0), nil, lint.FabricPFCDiffers, "p0 has QoS in only one of file and fabric"},
		{qos(9, 3), qos(9, 3), "", ""}, {qos(9, 3), qos(0, 0), lint.FabricClassDiffers, "DSCP 9 leads to traffic class 3 on p0, but in the fabric to 0"},
		{qos(0, 0), qos(63, 7), lint.FabricClassDiffers, "DSCP 63 leads to traffic class 0 on p0, but in the fabric to 7"}, {qos(0, 2), qos(0, 3), lint.FabricClassDiffers, "DSCP 0 leads to traffic class 2 on p0, but in the fabric to 3"},
	} {
		found := lint.Agree(ported(c.got), ported(c.want))
		if (len(found) > 0) != (c.code != "") || c.code != "" && (len(found) != 1 || found[0].Code != c.code || !strings.HasPrefix(found[0].Message, c.says)) {
			t.Errorf("%+v by %+v: %v, want %s", c.got, c.want, found, c.says)
		}
	}
}

// The watchdog of a port watches what the fabric says, or nothing in both.
func TestAgreeOnWatched(t *testing.T) {
	of := func(watchdog bool, pfc, unwatched uint8) *plan.PortQoS {
		return &plan.PortQoS{PFC: pfc, Watchdog: watchdog, Unwatched: unwatched}
	}
	for _, c := range []struct {
		got, want *plan.PortQoS
		says      string
	}{
		{of(true, 8, 0), of(true, 8, 0), ""}, {of(true, 24, 8), of(true, 24, 16), "the PFC watchdog of p0 watches priority 4, but in the fabric priority 3"}, {of(true, 24, 8), of(false, 24, 0), "the PFC watchdog watches p0 in only one of file and fabric"},
		{of(false, 24, 8), of(false, 24, 16), ""}, {of(false, 8, 0), of(true, 8, 0), "the PFC watchdog watches p0 in only one of file and fabric"},
	} {
		var told []string
		for _, d := range lint.Agree(ported(c.got), ported(c.want)) {
			told = append(told, d.Message)
		}
		if got := strings.Join(told, "; "); (got == "") != (c.says == "") || !strings.HasPrefix(got, c.says) || len(told) > 1 {
			t.Errorf("%+v by %+v: %q, want %q", c.got, c.want, got, c.says)
		}
	}
}

// A chip of which nothing is published bounds nothing: neither alphas, nor pools, nor headroom, nor curves.
func TestBareChip(t *testing.T) {
	sw := pooled(ported(group(func(pg *plan.PG) {
		pg.Limit = said(plan.Limit{Dynamic: true, Alpha: 3})
		pg.Headroom = said(units.Bytes(1 << 40))
	}),
		&plan.PortQoS{PFC: 1 << 3, Queues: []plan.Queue{{ID: 3, ECN: &plan.ECN{KMin: said(units.Bytes(1 << 39)), KMax: said(units.Bytes(1 << 40)), PMax: said(units.One)}}}}))
	for _, pool := range []string{"", "in"} {
		sw.Ports[0].QoS.PGs[0].Pool = pool
		for _, d := range lint.Switch(sw, &chips.Chip{Name: "bare", Title: "Bare"}) {
			if slices.Contains([]diag.Code{lint.AlphaNotOnChip, lint.PoolAboveChip, lint.HeadroomAbovePool, lint.KmaxAboveLimit, lint.SpeedNotOnChip}, d.Code) {
				t.Errorf("in %q: %v", pool, d)
			}
		}
	}
}

// What is said of pools that take too much together is said at the largest, the first of equal ones.
func TestLargestPoolIsNamed(t *testing.T) {
	catalogue, _ := chips.Load()
	trident3, _ := catalogue.Find("trident3")
	pool := func(name string, size units.Bytes) plan.Pool {
		return plan.Pool{Name: name, Direction: plan.Ingress, Size: said(size)}
	}
	for want, pools := range map[string][]plan.Pool{
		"from a": {pool("a", 20_000_000), pool("b", 20_000_000)}, "from b": {pool("a", 19_999_999), pool("b", 20_000_000), pool("c", 20_000_000)}, "from c": {pool("a", 1), pool("b", 2), pool("c", 33_030_144)},
	} {
		fix := ""
		for _, d := range lint.Switch(pooled(ported(), pools...), trident3) {
			if d.Code == lint.PoolAboveChip {
				fix += d.Fix
			}
		}
		if !strings.Contains(fix, want+", or reduce") {
			t.Errorf("%q, want %q", fix, want)
		}
	}
}

// An odd port that shares its settings with one of another speed is named itself.
func TestOddPortIsNamed(t *testing.T) {
	queues := func(weight int64) *plan.PortQoS {
		return &plan.PortQoS{Queues: []plan.Queue{{ID: 3, Scheduler: plan.Scheduler{Weight: said(weight)}}}}
	}
	for _, turned := range []bool{false, true} {
		odd, usual := queues(40), queues(60)
		sw := ported(odd, odd, usual, usual, usual, usual, usual, usual, usual)
		want := "p0"
		if sw.Ports[0].Speed = 400 * units.Gbps; !turned {
			want = "p1"
		} else {
			sw.Ports[0].Speed, sw.Ports[1].Speed = sw.Ports[1].Speed, sw.Ports[0].Speed
		}
		told := ""
		for _, d := range lint.Switch(sw, nil) {
			if d.Code == lint.PortOdd {
				told += d.Message
			}
		}
		if !strings.HasPrefix(told, "queue 3 of "+want+" is not scheduled like that of all 7 other ports at 100Gbps") {
			t.Errorf("%q, want %s", told, want)
		}
	}
}

// A file that names no class says nothing of which queue is reached.
func TestQueuesWithoutClasses(t *testing.T) {
	sw := unreached(func(q *plan.Queue) { q.ECN = &plan.ECN{} })
	for n, want := range map[int]bool{0: false, 1: true, 2: true} {
		own := *sw
		own.Classes = sw.Classes[:n]
		must.Equalf(t, slices.ContainsFunc(lint.Switch(&own, nil), func(d diag.Diagnostic) bool { return d.Code == lint.QueueUnreached }), want, "%d classes: found is", n)
	}
}

// Where no model proves a file, a larger reserve of a queue than the fabric's is a difference; else the model
// judges it. A smaller one is in both.
func TestAgreeExactly(t *testing.T) {
	of := func(reserve units.Bytes) *plan.Switch {
		sw := ported(&plan.PortQoS{Queues: []plan.Queue{{ID: 3, Reserved: said(reserve)}}})
		sw.Pools = []plan.Pool{{Name: "pool", Percent: 50}} // a model judges what is taken from it
		return sw
	}
	for reserve, want := range map[units.Bytes][2]bool{99: {true, true}, 100: {false, false}, 101: {false, true}} {
		if usual, exactly := lint.Agree(of(reserve), of(100)), lint.AgreeExactly(of(reserve), of(100)); (len(usual) > 0) != want[0] || (len(exactly) > 0) != want[1] {
			t.Errorf("%v: %v; exactly %v", reserve, usual, exactly)
		}
	}
}

// A file that cannot say anything of PFC contradicts neither its peer nor its NICs in it.
func TestOpenConfigContradictsNobody(t *testing.T) {
	side := func(os, name string, tc uint8) *plan.Switch {
		sw := onOf(os, ported(one(plan.PG{ID: 3, Lossless: true})))
		sw.Names, sw.Maps.PFCToPG[3], sw.Maps.TCToPG[3], sw.Maps.DSCPToTC[26] = []string{name}, 3, 3, tc
		sw.Ports[0].Peer = "nic"
		return sw
	}
	link := []plan.Link{{A: plan.LinkEnd{Switch: "a", Port: "p0"}, B: plan.LinkEnd{Switch: "b", Port: "p0"}}}
	for _, c := range []struct {
		a, b string
		tc   uint8
		want bool
	}{{"sonic", "sonic", 3, false}, {"sonic", "sonic", 0, true}, {"openconfig", "sonic", 0, false}, {"sonic", "openconfig", 0, false}} {
		ends := map[string]*plan.Switch{"a": side(c.a, "a", 3), "b": side(c.b, "b", c.tc)}
		found := lint.Links(link, func(device string) *plan.Switch { return ends[device] })
		if got := slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == lint.LinkDSCPDiffers }); got != c.want {
			t.Errorf("%+v: %v", c, found)
		}
	}
	host := &plan.Host{Name: "nic", Classes: []plan.HostClass{{Name: "rdma", DSCPs: []uint8{26}, Lossless: true, Priority: 3, Used: true}}}
	for _, c := range []struct {
		os   string
		tc   uint8
		used bool
		want bool
	}{{"sonic", 3, true, false}, {"sonic", 0, true, true}, {"sonic", 0, false, false}, {"openconfig", 0, true, false}} {
		host.Classes[0].Used = c.used
		found := lint.Hosts(side(c.os, "a", c.tc), []*plan.Host{host})
		if got := slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Code == lint.NICClassDiffers }); got != c.want {
			t.Errorf("%+v: %v", c, found)
		}
	}
	if found := lint.Hosts(&plan.Switch{}, []*plan.Host{host}); len(found) > 0 {
		t.Errorf("a switch without a name: %v", found)
	}
}

// A lossless group to which no code point leads is unused, unless rules of ports that trust nobody lead there.
func TestGroupsThatRulesReach(t *testing.T) {
	for _, c := range []struct {
		trust plan.Trust
		tc    uint8 // that the rule admits packets to
		want  bool
	}{{plan.TrustNone, 1, false}, {plan.TrustNone, 2, true}, {plan.TrustDSCP, 1, true}} {
		sw := ported(one(plan.PG{ID: 3, Lossless: true}))
		sw.Maps.PFCToPG[3], sw.Maps.TCToPG[1] = 3, 3
		sw.Classes = []plan.Class{{Name: "rest", DSCPs: []uint8{0}}}
		sw.Ports[0].QoS.Trust, sw.Marking = c.trust, &plan.Marking{Rules: []plan.MarkRule{{TC: c.tc}}}
		must.Equalf(t, slices.ContainsFunc(lint.Switch(sw, nil), func(d diag.Diagnostic) bool { return d.Code == lint.PGUnused }), c.want, "%+v: found is", c)
	}
}

// A port without a scheduler is told beside others that have one, if it has queues; most of the ports must have one.
func TestPortsWithoutSchedulers(t *testing.T) {
	queue := func(weight int64) *plan.PortQoS {
		q := plan.Queue{ID: 3}
		if weight > 0 {
			q.Scheduler.Weight = said(weight)
		}
		return &plan.PortQoS{Queues: []plan.Queue{q}}
	}
	own := queue(60)
	for name, c := range map[string]struct {
		sw   *plan.Switch
		want bool
	}{
		"two of three have one": {ported(own, own, queue(0)), true}, "a port without queues": {ported(own, own, &plan.PortQoS{}), false}, "one of two": {ported(own, queue(0)), false}, "all": {ported(own, own, own), false},
	} {
		must.Equalf(t, slices.ContainsFunc(lint.Switch(c.sw, nil), func(d diag.Diagnostic) bool { return d.Code == lint.PortUnscheduled }), c.want, "%s: found is", name)
	}
}
