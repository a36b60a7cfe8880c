package proof

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// threePorts have a lossless group 1 each, a and b in slice 0 and c in slice 1, which leave by queue 0. That of b has but 4 cells of
// headroom, and c another queue.
func threePorts() *model.Switch {
	link := model.Link{Rate: 10 * units.Gbps, Cable: units.Metre, PortFrame: 980, LosslessFrame: 280}
	m := &model.Switch{Config: &mmu.Config{CellBytes: 100, Slices: 2, SliceCells: 500, IngressPools: []mmu.Pool{{Name: "in", SharedCells: 70}}, EgressPools: []mmu.Pool{{Name: "out", SharedCells: 90}}}}
	for i, name := range []string{"a", "b", "c"} {
		headroom := []units.Cells{100, 4, 99}[i]
		m.Config.Ports = append(m.Config.Ports, mmu.Port{Slice: i / 2, PGs: []mmu.PG{{}, {Lossless: true, HeadroomCells: headroom, ReservedCells: 3}, {ReservedCells: 1}}, Queues: []mmu.Queue{{}}})
		m.Ports = append(m.Ports, model.Port{Name: name, Link: link, Queues: [mmu.MaxPGs]uint16{1: 1}})
	}
	m.Config.Ports[2].Queues = []mmu.Queue{{ReservedCells: 1}}
	return m
}

func recheckerOf(m *model.Switch) *rechecker {
	return &rechecker{m: m, open: map[string]*Claim{}, kinds: map[string]bool{}, needs: map[model.Link]int64{}}
}

// What comes in at most, by hand: packets of up to 280 B in cells of 100 B. The shortest of two cells have 101 B, on the wire
// 121, which fill more cells than those of 64 B in 84 or of 201 B in 221. On 1096 B of wire there are nine, on 1184 B one of 84
// besides, on 1509 B twelve; and behind them comes a packet of three cells.
func TestComesIn(t *testing.T) {
	of := func(config mmu.Config, l model.Link) int64 {
		cells, _ := recheckerOf(&model.Switch{Config: &config}).need(l)
		return cells
	}
	// 10 Gbps, a frame of 1000 B with its gap and 84 B of pause, 10 ns a metre: 1084 B and 12.5 B a metre.
	link := model.Link{Rate: 10 * units.Gbps, Cable: 1 * units.Metre, PortFrame: 980, LosslessFrame: 280}
	for metres, want := range map[units.Length]int64{1: 18 + 3, 8: 19 + 3, 9: 19 + 3, 10: 19 + 3, 34: 24 + 3} { // 1096, 1184, 1196, 1209, 1509 B
		l := link
		l.Cable = metres * units.Metre
		must.Equalf(t, of(mmu.Config{CellBytes: 100}, l), want, "%d m: cells:", metres)
	}
	// With 21 B of metadata two cells are for 80 B in 100: ten of them and one of 84 B, and then four cells.
	must.Equalf(t, of(mmu.Config{CellBytes: 100, MetadataBytes: 21}, link), 21+4, "cells:")
	for what, change := range map[string]func(l *model.Link){
		"no cable": func(l *model.Link) { l.Cable = 0 }, "no rate": func(l *model.Link) { l.Rate = 0 }, "too large a frame": func(l *model.Link) { l.LosslessFrame = 1<<16 + 1 },
		"no packet that is large": func(l *model.Link) { l.SmallPackets = units.One },
	} {
		l := link
		if change(&l); of(mmu.Config{CellBytes: 100}, l) != 0 {
			t.Errorf("%s: some cells", what)
		}
	}
}

// complete are the obligations that a certificate of threePorts demands, by hand: of its groups, which differ, of both slices,
// and of the queues of each kind: ports a and b have one kind, port c another.
var complete = [][2]string{
	{PauseReaches, "PG 1 of a"}, {Headroom, "PG 1 of a"}, {PauseReaches, "PG 1 of b"}, {Headroom, "PG 1 of b"}, {PauseReaches, "PG 1 of c"}, {Headroom, "PG 1 of c"},
	{Memory, "slice 0"}, {EgressHolds, "slice 0, pool out"}, {QueueHolds, "slice 0, queue 0 of a"}, {QueueHolds, "slice 0, queue 0 of c"},
	{Memory, "slice 1"}, {EgressHolds, "slice 1, pool out"}, {QueueHolds, "slice 1, queue 0 of b"},
}

func unjudgedClaims(m *model.Switch, names ...[2]string) *Certificate {
	c := &Certificate{Model: m, Verdict: Unjudged}
	for _, name := range names {
		c.Obligations = append(c.Obligations, Claim{ID: name[0], Where: name[1], Verdict: Unjudged, Because: "not examined"})
	}
	return c
}

// A certificate has every obligation that its model demands, each once, and no other.
func TestDemandsOfACertificate(t *testing.T) {
	if errs := Recheck(unjudgedClaims(threePorts(), complete...), nil); errs != nil {
		t.Errorf("a whole one: %v", errs)
	}
	for i, name := range complete {
		rest := slices.Delete(slices.Clone(complete), i, i+1)
		if errs := Recheck(unjudgedClaims(threePorts(), rest...), nil); len(errs) != 1 || !strings.HasPrefix(errs[0].Error(), name[0]) || !strings.Contains(errs[0].Error(), "the certificate lacks it") {
			t.Errorf("without %v: %v", name, errs)
		}
		if errs := Recheck(unjudgedClaims(threePorts(), append(rest, [2]string{name[0], "other"})...), nil); len(errs) != 2 || !strings.HasSuffix(errs[1].Error(), "the model does not demand it") {
			t.Errorf("with %v elsewhere: %v", name, errs)
		}
		if errs := Recheck(unjudgedClaims(threePorts(), append(slices.Clone(complete), name)...), nil); len(errs) != 1 || !strings.HasSuffix(errs[0].Error(), "it occurs twice") {
			t.Errorf("with %v twice: %v", name, errs)
		}
	}
	for what, c := range map[string]struct {
		change func(m *model.Switch)
		more   []string // demanded too
	}{
		"a level at which it resumes": {func(m *model.Switch) { m.Config.Ports[2].PGs[1].XonCells = 1 }, []string{Resume}},
		"that at the end of an unknown cable": {func(m *model.Switch) {
			m.Config.Ports[2].PGs[1].XonCells, m.Ports[2].Link.Cable = 1, 0
		}, nil},
		"that of an unknown speed": {func(m *model.Switch) {
			m.Config.Ports[2].PGs[1].XonCells, m.Ports[2].Link.Rate = 1, 0
		}, nil},
		"a pool of headroom": {func(m *model.Switch) {
			m.Config.Ports[1].PGs[1].HeadroomPooled, m.Config.IngressPools[0].HeadroomCells = true, 9
		}, []string{HeadroomPool}},
		"a bound of a port": {func(m *model.Switch) { m.Config.Ports[1].Egress = []mmu.Bound{{Limit: mmu.StaticLimit(5)}} }, []string{PortHolds, PortHolds}},
		"another map": {func(m *model.Switch) {
			m.Ports[0].Map = 1
			for i := range m.Ports {
				m.Ports[i].Other = [][mmu.MaxPGs]uint16{{1: 1}}
			}
		}, []string{QueueHolds, QueueHolds}}, // of each slice
		"another lossless group": {func(m *model.Switch) { m.Config.Ports[1].PGs[2].Lossless = true }, []string{Headroom, PauseReaches}},
		"ports of one kind": {func(m *model.Switch) {
			m.Config.Ports[1].PGs[1].HeadroomCells = 100
		}, nil},
	} {
		m := threePorts()
		c.change(m)
		var lacking []string
		for _, err := range Recheck(unjudgedClaims(m, complete...), nil) {
			id, _, _ := strings.Cut(err.Error(), ",")
			lacking = append(lacking, id)
		}
		if slices.Sort(lacking); !slices.Equal(lacking, c.more) {
			t.Errorf("%s: %q, want %q", what, lacking, c.more)
		}
	}
}

// Each thing that is wrong with an obligation on a group. Over the link of a 21 cells come in, one of them below the threshold.
func TestEachFaultOfAClaim(t *testing.T) {
	for what, c := range map[string]struct {
		change func(o *Claim)
		fails  bool
	}{
		"as it is":                      {func(*Claim) {}, false},
		"a left side of one less":       {func(o *Claim) { o.Left-- }, true},
		"a right side of one more":      {func(o *Claim) { o.Right++ }, true},
		"it fails":                      {func(o *Claim) { o.Verdict = Fails }, true},
		"no cell below the threshold":   {func(o *Claim) { o.Terms["q"], o.Left = 0, 21 }, false},
		"two cells below the threshold": {func(o *Claim) { o.Terms["q"], o.Left = 2, 19 }, true},
		"a longer response":             {func(o *Claim) { o.Terms["t"] = 10_000; o.Left = 20 }, false}, // 1109 B of wire hold no more
		"a response that is counted":    {func(o *Claim) { o.Terms["t"] = 100_000 }, true},
		"a share of packets":            {func(o *Claim) { o.Terms["s"] = 500_000_000 }, true},
		"a term of another obligation":  {func(o *Claim) { o.Terms["n"] = 1 }, true},
		"less than nothing":             {func(o *Claim) { o.Terms["i"] = -1 }, true},
		"a reason":                      {func(o *Claim) { o.Because = "of it" }, true},
		"a condition of what holds":     {func(o *Claim) { o.Conditions = []Supposition{{ID: PeerResponse, Where: "a", Bound: 1}} }, true},
		"it is conditional on nothing":  {func(o *Claim) { o.Verdict = Conditional }, true},
		"on a condition": {func(o *Claim) {
			o.Verdict, o.Conditions = Conditional, []Supposition{{ID: PeerResponse, Where: "a", Bound: 10_000}}
		}, false},
		"on a condition of another port": {func(o *Claim) {
			o.Verdict, o.Conditions = Conditional, []Supposition{{ID: PeerResponse, Where: "b", Bound: 10_000}}
		}, true},
		"on a condition under which it fails": {func(o *Claim) {
			o.Verdict, o.Conditions = Conditional, []Supposition{{ID: PeerResponse, Where: "a", Bound: 10_000_000}}
		}, true},
		"under conditions it reads otherwise": {func(o *Claim) {
			o.Verdict, o.Conditions, o.Under = Conditional, []Supposition{{ID: PeerResponse, Where: "a", Bound: 10_000}}, &Sides{Right: 100}
		}, true},
		"a fill":                 {func(o *Claim) { o.Fills = []Fill{{Pool: "in", Limits: []CertifiedBound{{Cells: 1}}, Accounts: 1}} }, true},
		"a counterexample":       {func(o *Claim) { *o = Claim{ID: o.ID, Where: o.Where, Verdict: Fails, Counterexample: "it is lost"} }, false},
		"one of what holds":      {func(o *Claim) { o.Counterexample = "it is lost" }, true},
		"figures of the unknown": {func(o *Claim) { o.Verdict, o.Because = Unjudged, "not examined" }, true},
	} {
		certificate := unjudgedClaims(threePorts(), complete...)
		o := &certificate.Obligations[1]
		*o = Claim{ID: Headroom, Where: "PG 1 of a", Verdict: Holds, Sides: Sides{Terms: map[string]int64{"q": 1}, Left: 20, Right: 100}}
		c.change(o)
		certificate.Verdict = certificate.Due()
		if errs := Recheck(certificate, nil); (len(errs) > 0) != c.fails {
			t.Errorf("%s: %v", what, errs)
		}
	}
}

// What groups hold at once is no less than they have: of a and b 6 are reserved, and 21 and 4 come in above their thresholds.
func TestSumsOfGroups(t *testing.T) {
	fills := func(accounts, cells int64) []Fill {
		return []Fill{{Pool: "in", Limits: []CertifiedBound{{Cells: units.Cells(cells)}}, Accounts: accounts}}
	}
	for what, c := range map[string]struct {
		sides Sides
		fails bool
	}{
		"as it is":              {Sides{map[string]int64{"h": 25}, fills(2, 0), 31, 90}, false},
		"less comes in":         {Sides{map[string]int64{"h": 24}, fills(2, 0), 30, 90}, true},
		"more does":             {Sides{map[string]int64{"h": 26}, fills(2, 0), 32, 90}, false},
		"wider accounts":        {Sides{map[string]int64{"h": 25}, fills(2, 7), 45, 90}, false},
		"that are not added":    {Sides{map[string]int64{"h": 25}, fills(2, 7), 31, 90}, true},
		"an account less":       {Sides{map[string]int64{"h": 25}, fills(1, 0), 31, 90}, true},
		"dynamic ones":          {Sides{map[string]int64{"h": 25}, []Fill{{Pool: "in", Limits: []CertifiedBound{{Dynamic: true}}, Accounts: 2}}, 31 + 35 + 17, 90}, true},
		"no account":            {Sides{map[string]int64{"h": 25}, nil, 31, 90}, true},
		"of another pool":       {Sides{map[string]int64{"h": 25}, []Fill{{Pool: "x", Limits: []CertifiedBound{{}}, Accounts: 2}}, 31, 90}, true},
		"cells counted twice":   {Sides{map[string]int64{"h": 25, "Q": 2}, fills(2, 0), 29, 90}, false},
		"more than groups are":  {Sides{map[string]int64{"h": 25, "Q": 3}, fills(2, 0), 28, 90}, true},
		"lossy traffic":         {Sides{map[string]int64{"h": 25, "y": 5}, fills(2, 0), 36, 90}, false},
		"a gain by resuming":    {Sides{map[string]int64{"h": 25, "k": 5}, fills(2, 0), 36, 90}, false},
		"another size":          {Sides{map[string]int64{"h": 25}, fills(2, 0), 31, 91}, true},
		"what others hold of a": {Sides{map[string]int64{"h": 25, "o": 1}, fills(2, 0), 31, 90}, true},
	} {
		certificate := unjudgedClaims(threePorts(), complete...)
		i := slices.Index(complete, [2]string{EgressHolds, "slice 0, pool out"})
		certificate.Obligations[i] = Claim{ID: EgressHolds, Where: "slice 0, pool out", Verdict: Holds, Sides: c.sides}
		if errs := Recheck(certificate, nil); (len(errs) > 0) != c.fails {
			t.Errorf("%s: %v", what, errs)
		}
	}
}

// A pool of headroom is judged for all groups that draw on it, or for fewer by a condition that says so.
func TestGroupsOfAHeadroomPool(t *testing.T) {
	where := "slice 0, pool in"
	for what, c := range map[string]struct {
		terms      map[string]int64
		conditions []Supposition
		fails      bool
	}{
		"both groups":                {map[string]int64{"n": 2, "N": 25}, nil, false},
		"less comes in":              {map[string]int64{"n": 2, "N": 24}, nil, true},
		"cells below":                {map[string]int64{"n": 2, "N": 27, "Q": 2}, nil, false},
		"more than there are":        {map[string]int64{"n": 2, "N": 28, "Q": 3}, nil, true},
		"one group":                  {map[string]int64{"n": 1, "N": 21}, nil, true},
		"three groups":               {map[string]int64{"n": 3, "N": 25}, nil, true},
		"one by a condition":         {map[string]int64{"n": 1, "N": 21}, []Supposition{{ID: PausedGroups, Where: where, Bound: 1}}, false},
		"the other one":              {map[string]int64{"n": 1, "N": 4}, []Supposition{{ID: PausedGroups, Where: where, Bound: 1}}, true},
		"by another condition":       {map[string]int64{"n": 1, "N": 21}, []Supposition{{ID: PausedGroups, Where: where, Bound: 2}}, true},
		"fewer where all are stated": {map[string]int64{"n": 2, "N": 90}, []Supposition{{ID: PausedGroups, Where: where, Bound: 1, Cells: 20}}, false},
		"that hold less":             {map[string]int64{"n": 2, "N": 90}, []Supposition{{ID: PausedGroups, Where: where, Bound: 1, Cells: 19}}, true},
		"that hold too much":         {map[string]int64{"n": 2, "N": 90}, []Supposition{{ID: PausedGroups, Where: where, Bound: 1, Cells: 61}}, true},
		"and a condition of nothing": {map[string]int64{"n": 2, "N": 90}, []Supposition{{ID: AssumedDatum, Where: "chip ", Says: "it is so"}}, true},
	} {
		m := threePorts()
		m.Config.IngressPools[0].HeadroomCells = 60
		for i := range 2 {
			m.Config.Ports[i].PGs[1].HeadroomPooled = true
		}
		o := Claim{ID: HeadroomPool, Where: where, Verdict: Holds, Conditions: c.conditions, Sides: Sides{Terms: maps.Clone(c.terms), Left: c.terms["N"] - c.terms["Q"], Right: 60}}
		if c.conditions != nil {
			o.Verdict = Conditional
		}
		certificate := unjudgedClaims(m, complete...)
		certificate.Obligations = append(certificate.Obligations, o)
		if errs := Recheck(certificate, nil); (len(errs) > 0) != c.fails {
			t.Errorf("%s: %v", what, errs)
		}
	}
}

// unjudgedReport is of threePorts, with what is demanded of it in the words of a report.
func unjudgedReport(names ...[2]string) *Report {
	m := threePorts()
	m.Config.Ports[1].PGs[1].HeadroomCells = 100
	r := &Report{Model: m, Groups: []Group{{Where: "x", Ports: []string{"a", "b"}, PG: 1}, {Where: "y", Ports: []string{"c"}, PG: 1}}}
	for _, name := range names {
		r.Obligations = append(r.Obligations, Obligation{ID: name[0], Where: name[1], Title: meanings[name[0]].title, Lossless: true, Verdict: Unjudged})
	}
	return r
}
