package lint_test

import (
	"slices"
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
