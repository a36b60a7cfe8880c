package proof

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A word has letters of ASCII, digits and underscores, behind spaces, and ends before all else.
func TestWordsOfExpressions(t *testing.T) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
	for c := range 256 {
		text, want := string([]byte{byte(c), 'x', '1'}), ""
		if strings.IndexByte(letters, byte(c)) >= 0 || c == ' ' {
			want = strings.TrimSpace(text)
		}
		e := evaluator{text: text}
		must.Equalf(t, e.word(), want, "%q begins with", text)
	}
}

// Queues that lossy traffic reaches at a port are those that groups of other ports feed; one that
// takes nothing feeds none, and where maps are not known each may be fed.
func TestReachedByLossy(t *testing.T) {
	some := bound{limit: mmu.StaticLimit(1)}
	p := &prover{
		sw: &plan.Switch{Maps: plan.Maps{TCToPG: [8]uint8{1}}}, config: &mmu.Config{Ports: make([]mmu.Port, 4)},
		m:      &model.Switch{Ports: []model.Port{{Queues: [mmu.MaxPGs]uint16{0: 1 << 1}}, {Queues: [mmu.MaxPGs]uint16{0: 1 << 1, 1: 1 << 5}}, {Queues: [mmu.MaxPGs]uint16{0: 1 << 2}}, {Queues: [mmu.MaxPGs]uint16{0: 1 << 7}}}},
		mapped: []int{0},
		slices: []slicePart{{lossy: []account{
			{port: 0, pg: &mmu.PG{}, bound: some}, {port: 1, pg: &mmu.PG{}, bound: some}, {port: 1, number: 1, pg: &mmu.PG{}}, {port: 2, pg: &mmu.PG{ReservedCells: 1}},
		}}},
	}
	if got, want := p.reachedBy(p.slices[0].lossy), []uint16{1<<1 | 1<<2, 1<<1 | 1<<2, 1 << 1, 1<<1 | 1<<2}; !slices.Equal(got, want) {
		t.Errorf("%b, want %b", got, want)
	}
	p.sw.Maps = plan.Maps{}
	if got := p.reachedBy(p.slices[0].lossy); !slices.Equal(got, []uint16{math.MaxUint16, math.MaxUint16, math.MaxUint16, math.MaxUint16}) {
		t.Errorf("%b", got)
	}
	p.slices[0].lossy = p.slices[0].lossy[3:]
	if got := p.reachedBy(p.slices[0].lossy); !slices.Equal(got, []uint16{math.MaxUint16, math.MaxUint16, 0, math.MaxUint16}) {
		t.Errorf("of one port: %b", got)
	}
}

// A response that no standard bounds is longer than its bound at the worst, if nobody states it and a verdict hangs on
// it. IEEE 802.3 has one for 100 Gb/s, and none is published for 800 Gb/s.
func TestUnboundedResponses(t *testing.T) {
	hangs := []Condition{{}}
	for _, c := range []struct {
		rate       units.BitRate
		declared   bool
		conditions []Condition
		longer     bool
	}{{800 * units.Gbps, false, hangs, true}, {100 * units.Gbps, false, hangs, false}, {800 * units.Gbps, true, hangs, false}, {800 * units.Gbps, false, nil, false}} {
		p := &prover{report: &Report{Worst: &model.Switch{Ports: make([]model.Port, 3)}}}
		p.groups = []*group{{ports: []int{0, 2}, link: model.Link{Rate: c.rate, Interface: 7, Response: 90}, declared: c.declared, conditions: c.conditions}}
		p.unbounded()
		for i, port := range p.report.Worst.Ports {
			want := model.Link{}
			if c.longer && i != 1 {
				want = model.Link{Interface: 7, Response: 92}
			}
			must.Equalf(t, port.Link, want, "%+v: port %d has", c, i)
		}
	}
}

// What accounts hold that fill at one pace is the fixed point of both bounds that they have, and the expression says so.
func TestEvenlyOfTwoBounds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		b := bound{limit: mmu.DynamicLimit(units.Alpha(random.IntN(8) - 5)), port: mmu.StaticLimit(units.Cells(random.IntN(60))), two: random.IntN(2) == 0}
		if random.IntN(2) == 0 {
			b.limit, b.port = b.port, b.limit
		}
		rule, free, n := mmu.Admission(random.IntN(3)), int64(random.IntN(500)), int64(1+random.IntN(6))
		want := int64(0)
		for s := int64(1); n*s <= free && b.admitted(rule, s, free-n*s); s++ {
			want = s
		}
		e := evaluator{terms: map[string]*big.Int{"B": big.NewInt(free), "n": big.NewInt(n)}, memo: map[string]*big.Int{}}
		said, err := e.evaluate(b.evenlyExpr("B", rule))
		if got := evenly(b, rule, free, n); got != want || err != nil || said.Int64() != want {
			t.Errorf("%+v by rule %d, %d of %d cells: %d, said %v, %v; want %d", b, rule, n, free, got, said, err, want)
		}
	}
}

// What a context knows of a port is taken where the plan does not say it.
func TestKnownPorts(t *testing.T) {
	assumed := [2]*plan.Assumed{{}, {}}
	ctx := Context{Ports: map[string]PortContext{"p": {Cable: 5, Speed: 6, Gearbox: 7, Lanes: []int{8}, Assumed: assumed[0]}}}
	sw := &plan.Switch{Ports: []plan.Port{{Name: "p"}, {Name: "other"}, {Name: "p", Cable: 1, Speed: 2, Gearbox: 3, Lanes: []int{4}, Assumed: assumed[1]}}}
	got := ctx.known(sw)
	if p := got.Ports[0]; p.Cable != 5 || p.Speed != 6 || p.Gearbox != 7 || len(p.Lanes) != 1 || p.Lanes[0] != 8 || p.Assumed != assumed[0] {
		t.Errorf("%+v", p)
	}
	if p := got.Ports[1]; p.Cable != 0 || p.Speed != 0 || p.Gearbox != 0 || p.Lanes != nil || p.Assumed != nil {
		t.Errorf("%+v", p)
	}
	if p := got.Ports[2]; p.Cable != 1 || p.Speed != 2 || p.Gearbox != 3 || p.Lanes[0] != 4 || p.Assumed != assumed[1] {
		t.Errorf("%+v", p)
	}
	if sw.Ports[0].Cable != 0 || (&Context{}).known(sw) != sw {
		t.Error("the plan has changed, or is another one though nothing is known")
	}
	if again := ContextOf(got).Ports["other"]; again.Cable != 0 || again.Assumed != nil {
		t.Errorf("%+v", again)
	}
	if own := ContextOf(&plan.Switch{Ports: got.Ports[:1]}).Ports["p"]; own.Cable != 5 || own.Speed != 6 || own.Gearbox != 7 || own.Lanes[0] != 8 || own.Assumed != assumed[0] {
		t.Errorf("%+v", own)
	}
}

// Of Silicon One it is not published how groups bear on each other; the memory is the usable one where a chip says it.
func TestWhatChipsPublish(t *testing.T) {
	catalogue, _ := chips.Load()
	usable, whole := 0, 0
	for _, name := range []string{"silicon-one-g100", "silicon-one-q200", "tomahawk5", "spectrum3", "trident3", "tomahawk"} {
		chip, ok := catalogue.Find(name)
		if !ok {
			t.Fatal(name)
		}
		one := chip.Family == chips.SiliconOneFam
		if err := published(chip); (err != nil) != one || err != nil && !strings.Contains(err.Error(), chip.Title) {
			t.Errorf("%s: %v", name, err)
		}
		d := memoryDatum(chip)
		if chip.UsableBuffer.Fact() != nil {
			usable++
			if d.name != chip.UsableBuffer.Name() || d.fact != chip.UsableBuffer.Fact() {
				t.Errorf("%s: %+v", name, d)
			}
		} else if whole++; d.name != chip.PacketBuffer.Name() || d.fact != chip.PacketBuffer.Fact() {
			t.Errorf("%s: %+v", name, d)
		}
	}
	if usable == 0 || whole == 0 {
		t.Errorf("%d chips say what is usable, %d do not", usable, whole)
	}
}

// Ports are called by their group, or by their own name; where headroom of groups takes most of the memory, the line is
// that of the largest.
func TestNamesOfPorts(t *testing.T) {
	line := func(n int) *plan.Why {
		r := diag.Range{Filename: "f"}
		r.Start.Line = n
		return &plan.Why{Range: r}
	}
	qos := &plan.PortQoS{PGs: []plan.PG{{ID: 3, Headroom: plan.Of[units.Bytes](1, line(7))}, {ID: 4, Headroom: plan.Of[units.Bytes](1, line(9))}}}
	g := &group{ports: []int{1, 0}, qos: qos, link: model.Link{Rate: 100 * units.Gbps, Cable: 3 * units.Metre}}
	p := &prover{sw: &plan.Switch{Ports: []plan.Port{{Name: "a", Group: "servers", QoS: qos}, {Name: "b", Speed: 100 * units.Gbps, Cable: 3 * units.Metre, QoS: qos}}}}
	must.Equal(t, p.groupName(g), "b (2 × 100Gbps, 3m)")
	if p.sw.Ports[1].Group = "up"; p.groupName(g) != "up (2 × 100Gbps, 3m)" {
		t.Error(p.groupName(g))
	}
	for i, want := range []string{"servers", "up"} {
		must.Equal(t, portOrGroup(&p.sw.Ports[i]), want)
	}
	must.Equal(t, portOrGroup(&plan.Port{Name: "c"}), "c")
	part := &slicePart{lossless: []account{{number: 3, pg: &mmu.PG{HeadroomCells: 5}, group: g}, {number: 4, pg: &mmu.PG{HeadroomCells: 6}, group: g}}}
	if at := p.memoryPlace(part, true); at.Start.Line != 9 {
		t.Errorf("line %d", at.Start.Line)
	}
	part.lossless[0].pg.HeadroomCells = 7
	if at := p.memoryPlace(part, true); at.Start.Line != 7 {
		t.Errorf("line %d", at.Start.Line)
	}
	must.Equalf(t, fmt.Sprint(p.memoryPlace(part, false)), fmt.Sprint(p.sw.Range), "without a pool:")
}

// Condition of the last byte: nothing where it holds, as many cells as are lacking where it does not, and nothing of a chip
// of which it is published.
func TestDemandOfTheLastByte(t *testing.T) {
	for _, c := range []struct {
		extra, under, has int64
		short             int64 // of the condition; 0: none
	}{{0, 10, 10, 0}, {5, 10, 15, 0}, {5, 10, 14, 1}, {5, 10, 10, 5}, {5, 11, 10, 0}} {
		p := &prover{sw: &plan.Switch{Chip: "x", Ports: make([]plan.Port, 1)}}
		g := &group{ports: []int{0}, extra: c.extra, declared: true}
		o := &Obligation{Left: Side{"N", c.under}, Right: Side{"has", c.has}}
		p.demand(g, o, c.under)
		if (len(o.Conditions) > 0) != (c.short > 0) || c.short > 0 && (o.Conditions[0].Short != c.short || o.Conditions[0].ID != ChipDatum) {
			t.Errorf("%+v: %+v", c, o.Conditions)
		}
	}
}

// Who takes something of a pool of 9 cells by a limit that does not move: below a limit of one cell nobody does where a
// cell has to stay below it.
func TestStaticShares(t *testing.T) {
	of := func(l mmu.Limit) account { return account{pg: &mmu.PG{}, bound: bound{limit: l}} }
	for _, c := range []struct {
		limit mmu.Limit
		rule  mmu.Admission
		want  bool
	}{
		{mmu.StaticLimit(1), mmu.WithCell, true}, {mmu.StaticLimit(1), mmu.BelowWithCell, false}, {mmu.StaticLimit(2), mmu.BelowWithCell, true}, {mmu.StaticLimit(0), mmu.WithCell, false}, {mmu.DynamicLimit(0), mmu.WithCell, false},
	} {
		p := &prover{config: &mmu.Config{Rules: mmu.Rules{Admission: c.rule}, IngressPools: []mmu.Pool{{SharedCells: 9}}}}
		must.Equalf(t, p.sharing([]account{of(mmu.DynamicLimit(1)), of(c.limit)}), c.want, "%+v:", c)
	}
}

// Most cells of a mix, by trying every number of smallest and largest packets: of all of them and some beside, no more
// than the share is smallest.
func TestMixedByBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		cell, metadata, largest := units.Bytes(16+random.IntN(200)), units.Bytes(random.IntN(3)*20), units.Bytes(64+random.IntN(400))
		share, beside, s := units.Ratio(1+random.IntN(99))*units.Percent, int64(1+random.IntN(2)), int64(random.IntN(6000))
		want := int64(0)
		for b := int64(0); b*int64(largest+20) <= s; b++ {
			for a := int64(0); a*84+b*int64(largest+20) <= s; a++ {
				if a*int64(units.One) <= int64(share)*(a+b+beside) {
					want = max(want, a*int64((64+metadata).CeilCells(cell))+b*int64((largest+metadata).CeilCells(cell)))
				}
			}
		}
		if got := mixed(s, cell, metadata, largest, share, beside); got != want {
			t.Fatalf("%d cells of %v in %d B, %v of packets of %v small, %d beside: want %d", got, cell, s, share, largest, beside, want)
		}
	}
}

// A model counts what holds, and names what does not, what is not judged, and what is taken for granted.
func TestModelOfAReport(t *testing.T) {
	r := &Report{Obligations: []Obligation{
		{ID: "a", Title: "A", Verdict: Holds}, {ID: "b", Title: "B", Verdict: Holds}, {ID: "c", Title: "C", Verdict: Conditional, Lossless: true, Conditions: []Condition{{ID: "x", Where: "here", Assumes: "so it is"}}},
		{ID: "d", Title: "D", Verdict: Fails}, {ID: "e", Title: "E", Verdict: Unjudged, Because: "nobody knows"},
	}, Assumptions: []string{"all is well"}}
	m := NewModel(&plan.Switch{}, &chips.Chip{Name: "chip"}, r)
	if m.Chip != "chip" || m.Schema != ModelSchema || m.Holding != 2 || m.Conditional != 1 || len(m.Failing) != 1 || len(m.NotJudged) != 1 || m.Buffer != nil || len(m.Ports) != 0 || m.Verdict != r.verdict() {
		t.Errorf("%+v", m)
	}
	if !slices.Equal(m.Conditions, []string{"here: so it is"}) || !slices.Equal(m.Assumptions, []string{"all is well"}) {
		t.Errorf("%q, %q", m.Conditions, m.Assumptions)
	}
	// A group may take 10 cells beside 2 of its own, and has 5 of headroom; a queue 7 beside 1. What comes in is said of
	// ports with a cable alone. Cells have 100 B.
	qos := &plan.PortQoS{Queues: []plan.Queue{{ID: 1, ECN: &plan.ECN{KMin: plan.Of[units.Bytes](1050, nil), KMax: plan.Of[units.Bytes](2000, nil)}}}}
	sw := &plan.Switch{Ports: []plan.Port{{Name: "p", Speed: 5, QoS: qos}}}
	config := &mmu.Config{CellBytes: 100, Slices: 1, IngressPools: []mmu.Pool{{SharedCells: 100}}, EgressPools: []mmu.Pool{{SharedCells: 100}}, Ports: []mmu.Port{{
		PGs:    []mmu.PG{{Limit: mmu.StaticLimit(9)}, {Lossless: true, ReservedCells: 2, HeadroomCells: 5, Limit: mmu.StaticLimit(10)}},
		Queues: []mmu.Queue{{Limit: mmu.StaticLimit(3)}, {ReservedCells: 1, Limit: mmu.StaticLimit(7)}},
	}}}
	for _, c := range []struct {
		rate   units.BitRate
		cable  units.Length
		needed bool
	}{{100 * units.Gbps, 0, false}, {0, units.Metre, false}, {100 * units.Gbps, units.Metre, true}, {100 * units.Gbps, 1, true}} {
		r.Model = &model.Switch{Config: config, Ports: []model.Port{{Link: model.Link{Rate: c.rate, Cable: c.cable, PortFrame: 1500, LosslessFrame: 1500}}}}
		m = NewModel(sw, &chips.Chip{}, r)
		if len(m.Ports) != 1 || m.Buffer != config {
			t.Fatalf("%+v", m)
		}
		p := m.Ports[0]
		if p.Name != "p" || p.Speed != 5 || len(p.PGs) != 1 || p.PGs[0].PausesAt != 12 || p.PGs[0].DropsAt != 17 || p.PGs[0].ID != 1 || (p.PGs[0].Needed > 0) != c.needed {
			t.Errorf("%+v: %+v", c, p)
		}
		if want := (ModelQueue{ID: 1, DropsAt: 8, Kmin: 10, Kmax: 20}); len(p.Queues) != 1 || p.Queues[0] != want {
			t.Errorf("%+v, want %+v", p.Queues, want)
		}
	}
}

// A chip of which it is not known how groups bear on each other has no model, and each lossless group is told why.
func TestProveWithoutAModel(t *testing.T) {
	catalogue, _ := chips.Load()
	chip, _ := catalogue.Find("silicon-one-g100")
	static := plan.Of(plan.Limit{Static: 100_000}, nil)
	sw := &plan.Switch{
		Names: []string{"s"}, Chip: chip.Name, Pools: []plan.Pool{{Name: "in", Size: plan.Of(units.MB, nil)}, {Name: "out", Direction: plan.Egress, Size: plan.Of(units.MB, nil)}},
		Ports: []plan.Port{{Name: "p", Speed: 100 * units.Gbps, MTU: 1500, QoS: &plan.PortQoS{PFC: 1 << 3, PGs: []plan.PG{{ID: 3, Pool: "in", Lossless: true, Limit: static}}, Queues: []plan.Queue{{ID: 3, Pool: "out", Limit: static}}}}},
	}
	report, err := Prove(sw, chip, Context{})
	if err != nil || report.Model != nil || len(report.Unjudged()) == 0 || !slices.ContainsFunc(report.Unjudged(), func(o *Obligation) bool { return strings.Contains(o.Because, "affect each other") }) {
		t.Errorf("%v, %+v", err, report.Unjudged())
	}
	if _, err := Prove(sw, &chips.Chip{}, Context{}); err == nil {
		t.Error("a chip without cells is judged")
	}
	if _, err := Margins(sw, &chips.Chip{}, Context{}); err == nil {
		t.Error("a chip without cells has margins")
	}
}
