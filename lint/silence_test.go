package lint_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
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
		if got != c.want {
			t.Errorf("%s: %s is found: %v", name, c.code, got)
		}
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
			if got != want {
				t.Errorf("%s, a pool of %v: found is %v", name, c.most+more, got)
			}
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
		{"", "", ""}, {"a", "a", ""}, {"", "a", "no tunnel sends packets back; by the fabric a does"}, {"a", "", "the tunnel a changes classes of packets; by the fabric there is none"}, {"a", "ab", "the tunnel a changes classes of packets in another way than by the fabric: "},
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
