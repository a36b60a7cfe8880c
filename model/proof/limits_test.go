package proof

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/tinyswitch"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// The largest share of small packets that a headroom takes is found among all of whole per cents; less than half is none.
func TestLargestMix(t *testing.T) {
	found := 0
	for limit := int64(1); limit < 120; limit++ {
		p := &prover{sw: &plan.Switch{Ports: make([]plan.Port, 1)}, config: &mmu.Config{CellBytes: 100}, packings: map[units.Bytes]*packing{}}
		link := model.Link{Rate: 10 * units.Gbps, Cable: 100 * units.Metre, PortFrame: 980, LosslessFrame: 280}
		g := &group{ports: []int{0}, link: link, worst: link, name: "g"}
		p.conditionMix(g, limit)
		want := units.Ratio(0)
		for percent := units.Ratio(50); percent < 100; percent++ {
			l := link
			if l.SmallPackets = percent * units.Percent; p.need(l) <= limit {
				want = l.SmallPackets
			}
		}
		if g.link.SmallPackets != want || (len(g.conditions) > 0) != (want > 0) {
			t.Errorf("%d cells: %v, want %v; %+v", limit, g.link.SmallPackets, want, g.conditions)
		}
		if want == 0 {
			continue
		}
		found++
		l := link
		l.SmallPackets = want
		if c := g.conditions[0]; c.ID != PacketMix || c.Bound != int64(want) || c.Worst != int64(units.One) || c.Unit != inPPB || c.Where != "g" || c.Terms[0].Value != int64(want) || c.Terms[1].Value != p.need(l) {
			t.Errorf("%d cells: %+v", limit, c)
		}
	}
	if found == 0 || found > 100 {
		t.Errorf("%d have a share", found)
	}
}

// A memory of as many cells as can be held at once loses none; with a cell less that is open, or they are lost.
func TestMemoryToTheCell(t *testing.T) {
	tried := 0
	for seed := range 300 {
		sw := tinyswitch.Draw(rand.New(rand.NewPCG(uint64(seed), 9)), tinyswitch.Kind{Lossy: seed%3 == 1, Bounds: seed%5 == 3})
		all := ofModel(sw, Context{})
		h := all.sum(all.slices[0].lossless, all.slices[0].lossy)
		if sw.Config.IngressPools[0].HeadroomCells == 0 || h.afterResume > 0 {
			continue // it fits as it is configured
		}
		tried++
		for _, lacking := range []int64{0, 1} {
			sw.Config.SliceCells = units.Cells(h.side.Value - lacking)
			p := ofModel(sw, Context{})
			p.memory(0)
			open := slices.ContainsFunc(p.report.Open(), func(o *Obligation) bool { return o.ID == Memory })
			if fails := p.report.LosesPackets(); (fails || open) != (lacking == 1) || fails && open || len(p.report.Failing()) != 1 {
				t.Errorf("seed %d, %d cells lacking: fails %v, open %v", seed, lacking, fails, open)
			}
			if o := p.report.Failing()[0]; o.Note != "at most "+intText(h.side.Value)+" cells can be held at once" {
				t.Errorf("seed %d: %q", seed, o.Note)
			}
		}
	}
	if tried < 50 {
		t.Errorf("%d were tried", tried)
	}
}

// Who fills a queue is the lossless group that feeds it and is full with fewest cells, of any kind of port.
func TestWhoFillsAQueue(t *testing.T) {
	pg := func(cells, reserve units.Cells) mmu.PG {
		return mmu.PG{Lossless: true, Limit: mmu.StaticLimit(cells), ReservedCells: reserve}
	}
	ports := []mmu.Port{{PGs: []mmu.PG{pg(9, 0), pg(2, 0)}}, {PGs: []mmu.PG{pg(5, 3)}}, {PGs: []mmu.PG{{Limit: mmu.StaticLimit(1)}}}, {}, {PGs: []mmu.PG{pg(20, 0)}}, {PGs: []mmu.PG{pg(8, 0)}}} // the last one is full with as many as the second, which comes first
	p := &prover{config: &mmu.Config{IngressPools: []mmu.Pool{{SharedCells: 50}}, Ports: ports}, m: &model.Switch{Ports: []model.Port{{Queues: [mmu.MaxPGs]uint16{1, 2}}, {Queues: [mmu.MaxPGs]uint16{1}}, {Queues: [mmu.MaxPGs]uint16{1}}, {}, {Queues: [mmu.MaxPGs]uint16{1}}, {Queues: [mmu.MaxPGs]uint16{1}}}}}
	for i := range ports {
		p.groups = append(p.groups, &group{ports: []int{i}})
	}
	for number, want := range []struct {
		port, group int
		ok          bool
	}{{1, 0, true}, {0, 1, true}, {0, 0, false}} { // 5 and 3 are less than 9
		if a, ok := p.senderTo(number, 3); ok != want.ok || ok && (a.port != want.port || a.number != want.group) {
			t.Errorf("queue %d: port %d group %d, %v", number, a.port, a.number, ok)
		}
	}
}

// Strict queues of 10 and 100 Gb/s, the second by the port's rate, leave the others nothing of 100 Gb/s, of which they are
// promised half, or nine tenths; of ports without a speed that cannot be said.
func TestStarvationByHand(t *testing.T) {
	queue := func(strict bool, rate units.BitRate) plan.Queue {
		return plan.Queue{Scheduler: plan.Scheduler{Strict: strict, MaxRate: plan.Of(rate, nil)}}
	}
	for _, c := range []struct {
		queues     []plan.Queue
		speed      units.BitRate
		throughput units.Ratio
		left       int64 // of the strict ones, in Gb/s; -1: no obligation
		right      int64
		verdict    Verdict
	}{
		{[]plan.Queue{queue(true, 10*units.Gbps), queue(true, 0), queue(false, 0)}, 100 * units.Gbps, 0, 110, 50, Fails},
		{[]plan.Queue{queue(true, 10*units.Gbps), queue(false, 0)}, 100 * units.Gbps, 0, 10, 50, Holds},
		{[]plan.Queue{queue(true, 10*units.Gbps), queue(false, 0)}, 100 * units.Gbps, 90 * units.Percent, 10, 10, Holds},
		{[]plan.Queue{queue(true, 10*units.Gbps), queue(false, 0)}, 100 * units.Gbps, 91 * units.Percent, 10, 9, Fails},
		{[]plan.Queue{queue(true, 10*units.Gbps), queue(false, 0)}, 100 * units.Gbps, 200 * units.Percent, 10, 0, Fails},
		{[]plan.Queue{queue(true, 10*units.Gbps)}, 100 * units.Gbps, 0, -1, 0, Holds}, {[]plan.Queue{queue(false, 10*units.Gbps)}, 100 * units.Gbps, 0, -1, 0, Holds},
		{[]plan.Queue{queue(true, 10*units.Gbps), queue(false, 0)}, 0, 0, 0, 0, Unjudged},
	} {
		qos := &plan.PortQoS{Queues: c.queues}
		ports := []plan.Port{{Name: "a", Speed: c.speed, QoS: qos}, {Name: "b", Speed: c.speed, QoS: qos}, {Name: "c"}} // two of one kind are told once
		p := &prover{sw: &plan.Switch{Ports: ports}, ctx: &Context{Throughput: c.throughput}, report: &Report{}}
		p.scheduling()
		if c.left < 0 {
			if len(p.report.Obligations) > 0 {
				t.Errorf("%+v: %v", c, p.report.Obligations)
			}
			continue
		}
		if len(p.report.Obligations) != 1 {
			t.Errorf("%+v: %v", c, p.report.Obligations)
			continue
		}
		o := &p.report.Obligations[0]
		if o.ID != Starvation || o.Verdict != c.verdict || o.Left.Value != c.left*1e9 || o.Right.Value != c.right*1e9 || c.verdict == Unjudged && o.Because != "the speed of the port is not known" || (o.Note == "queue 0 has no cap") != (c.left == 110) {
			t.Errorf("%+v: %+v", c, o)
		}
		for _, err := range recheck(o, map[string]*big.Int{}) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Ten of the longest pauses, 65,535 quanta of 512 bits, take the slowest port with PFC 335,539,200 bits' time: 3,355,392 ns
// at 100 Gb/s.
func TestWatchdogByHand(t *testing.T) {
	port := func(speed units.BitRate, pfc uint8) plan.Port {
		return plan.Port{Speed: speed, QoS: &plan.PortQoS{PFC: pfc}}
	}
	for _, c := range []struct {
		ports                        []plan.Port
		detection, restoration, poll units.Time
		pause, timers                Verdict
	}{
		{[]plan.Port{port(400*units.Gbps, 8), port(100*units.Gbps, 8), port(10*units.Gbps, 0), {Speed: units.Gbps}, port(0, 8)}, 3_355_392_000, 5_000_000_000, 3_355_392_000, Holds, Holds},
		{[]plan.Port{port(100*units.Gbps, 8), port(400*units.Gbps, 8)}, 3_355_391_999, 5_000_000_000, 3_355_392_000, Fails, Fails},
		{[]plan.Port{port(400*units.Gbps, 8)}, 838_848_000, 700_000_000, 700_000_000, Holds, Holds}, {[]plan.Port{port(400*units.Gbps, 8)}, 838_848_000, 700_000_000, 700_000_001, Holds, Fails},
		{[]plan.Port{port(0, 8), port(100*units.Gbps, 0)}, 5, 5, 5, Unjudged, Holds},
	} {
		p := &prover{sw: &plan.Switch{Ports: c.ports, Watchdog: &plan.Watchdog{Detection: plan.Of(c.detection, nil), Restoration: plan.Of(c.restoration, nil), Poll: plan.Of(c.poll, nil)}}, ctx: &Context{}, report: &Report{}}
		p.watchdog()
		if all := p.report.Obligations; len(all) != 2 || all[0].ID != WatchdogPause || all[0].Verdict != c.pause || all[1].ID != WatchdogPoll || all[1].Verdict != c.timers {
			t.Errorf("%+v: %v", c, all)
		}
		for i := range p.report.Obligations {
			for _, err := range recheck(&p.report.Obligations[i], map[string]*big.Int{}) {
				t.Errorf("%+v: %v", c, err)
			}
		}
	}
	none := &prover{sw: &plan.Switch{}, report: &Report{}}
	if none.watchdog(); len(none.report.Obligations) > 0 {
		t.Errorf("%v", none.report.Obligations)
	}
}

// Queues that lossy groups reach at ports with maps of their own are those of their own map.
func TestReachedByMap(t *testing.T) {
	pg := &mmu.PG{ReservedCells: 1}
	other := func(q uint16) [][mmu.MaxPGs]uint16 { return [][mmu.MaxPGs]uint16{{q}} }
	p := &prover{
		sw: &plan.Switch{Maps: plan.Maps{TCToPG: [8]uint8{1}}}, config: &mmu.Config{Ports: make([]mmu.Port, 4)},
		m: &model.Switch{Ports: []model.Port{
			{Queues: [mmu.MaxPGs]uint16{1}, Other: other(1 << 4)}, {Queues: [mmu.MaxPGs]uint16{2}, Other: other(1 << 5), Map: 1}, {Map: 1}, {},
		}},
		mapped: []int{0, 1}, slices: []slicePart{{lossy: []account{{port: 0, pg: pg}, {port: 1, pg: pg}}}},
	}
	// Ports 0 and 3 have the first map, by which groups of ports 0 and 1 feed queues 0 and 1; the others feed 4 and 5. None
	// sends to itself.
	if got, want := p.reachedBy(p.slices[0].lossy), []uint16{2, 1 << 4, 1<<4 | 1<<5, 1 | 2}; !slices.Equal(got, want) {
		t.Errorf("%b, want %b", got, want)
	}
}

// A datum that the catalogue assumes is a condition of what holds and rests on it, and tells the tightest of what rests on it
// alone. What fails or is not judged is as it was, and that pauses reach the peer rests on nothing.
func TestAssumedDatumByHand(t *testing.T) {
	all, found := chips.Load(chips.Source{Name: "own.hcl", Text: []byte("chip \"own\" {\n extends = \"trident2\"\n xoff_decided {\n value = \"start\"\n confidence = \"assumed\"\n source = \"a test\"\n }\n}\n")})
	chip, ok := all.Find("own")
	if !ok {
		t.Fatal(found)
	}
	of := func(id string, v Verdict, right int64) Obligation {
		return Obligation{ID: id, Where: "w", Verdict: v, Lossless: true, Left: Side{Value: 1}, Right: Side{Value: right}, Unit: InCells}
	}
	held := of(QueueHolds, Conditional, 2)
	held.Conditions = []Condition{{ID: PausedGroups}}
	p := &prover{sw: &plan.Switch{Chip: "own"}, report: &Report{Obligations: []Obligation{
		of(PauseReaches, Holds, 1), held, of(Headroom, Holds, 9), of(HeadroomPool, Holds, 5), of(EgressHolds, Fails, 0), of(Resume, Unjudged, 1), of(PortHolds, Holds, 7),
	}}}
	lossy := of(LossyShare, Holds, 1)
	lossy.Lossless = false
	p.report.Obligations = append(p.report.Obligations, lossy)
	p.assumedData(chip)
	for i, want := range []struct {
		verdict Verdict
		rests   bool
	}{{Holds, false}, {Conditional, true}, {Conditional, true}, {Conditional, true}, {Fails, false}, {Unjudged, false}, {Conditional, true}, {Holds, false}} {
		o := &p.report.Obligations[i]
		k := slices.IndexFunc(o.Conditions, func(c Condition) bool { return c.Declare == "xoff_decided of chip own" })
		if (k >= 0) != want.rests || o.Verdict != want.verdict && i != 7 {
			t.Errorf("%s: %v, %+v", o.ID, o.Verdict, o.Conditions)
		}
		if k >= 0 && o.Conditions[k].Assumes != "xoff_decided is as the catalogue assumes it: a test; the tightest obligation that rests on it alone is headroom-pool of w, with 4 cells to spare" {
			t.Errorf("%s: %q", o.ID, o.Conditions[k].Assumes)
		}
	}
}

// A term of a condition may follow from another one of it that the obligation does not have.
func TestConditionWithTermsOfItsOwn(t *testing.T) {
	o := &Obligation{
		Verdict: Conditional, Terms: []Term{given("N", "", 9, ""), given("H", "", 8, "")}, Left: Side{"N", 9}, Right: Side{"H", 8},
		Conditions: []Condition{{ID: PacketMix, Terms: []Term{given("s", "", 4, ""), step("N", "", 8, "", "2 * s")}}},
	}
	if errs := recheck(o, map[string]*big.Int{}); errs != nil {
		t.Error(errs)
	}
	o.Conditions[0].Terms[0].Value = 5
	if errs := recheck(o, map[string]*big.Int{}); len(errs) != 1 {
		t.Error(errs)
	}
}

// Where nothing is published of the byte that decides, one largest frame more may come in: here one cell.
func TestFrameOfTheLastByte(t *testing.T) {
	for _, undecided := range []bool{false, true} {
		p := ofModel(tinyswitch.Draw(rand.New(rand.NewPCG(1, 5)), tinyswitch.Kind{}), Context{})
		p.undecided = undecided
		p.settleConditions()
		for _, g := range p.groups {
			if g.extra != b2i64(undecided) || len(g.conditions) > 0 {
				t.Errorf("%v: %d more, %v", undecided, g.extra, g.conditions)
			}
		}
	}
}

// What a group has in its headroom pool: what comes in but for the cell below its threshold, with what it kept when it
// resumed, and all that it may have where its peer is not known or bounded by a condition.
func TestInThePool(t *testing.T) {
	for _, c := range []struct {
		g        group
		atResume int64
		want     int64
	}{
		{group{need: 6}, 0, 5}, {group{need: 6, extra: 2}, 0, 7}, {group{need: 6}, 2, 8}, {group{need: 9}, 2, 10}, {group{need: 12}, 0, 10},
		{group{need: 6, why: "not known"}, 0, 10}, {group{need: 6, conditions: []Condition{{}}}, 0, 10},
	} {
		a := account{group: &c.g, pg: &mmu.PG{HeadroomCells: 10, XonCells: 1}}
		p := &prover{config: &mmu.Config{Ports: make([]mmu.Port, 1)}, belowOf: map[accountKind]int64{}, atResume: map[accountKind]int64{}}
		p.belowOf[p.kind(a)], p.atResume[p.kind(a)] = 1, c.atResume
		must.Equalf(t, p.inPool(a), c.want, "%+v:", c)
	}
}

// A time is left to the peer first where it is declared, and to the layers of the switch where the peer's is not, or to both
// together where it is no longer than the layers may take; no station takes less than nothing.
func TestSilentWithin(t *testing.T) {
	for _, c := range []struct {
		declared              bool
		left                  units.Time
		interfaces, responses units.Time
	}{
		{false, 10, 7, 3}, {false, 7, 0, 7}, {false, 5, 0, 5}, {false, 20, 7, 9}, {false, 16, 7, 9},
		{true, 10, 1, 9}, {true, 5, 0, 9}, {true, 20, 7, 9},
	} {
		g := &group{declared: c.declared, worst: model.Link{Rate: 100 * units.Gbps, Interface: 7, Response: 9}}
		g.link = g.worst
		p := &prover{sw: &plan.Switch{Ports: []plan.Port{{Name: "a"}}}, groupOf: []*group{g}}
		l := p.silentWithin(c.left, &chips.Chip{})["a"]
		if l.Interface != c.interfaces || l.Response != c.responses {
			t.Errorf("%+v: %v and %v", c, l.Interface, l.Response)
		}
	}
}

// What is held at once is that of the slice, unless the order of packets decides there, or they are lost.
func TestHeldAtOnce(t *testing.T) {
	report := &Report{heldAtOnce: []Obligation{{Where: "slice 0", Left: Side{Value: 3}}, {Where: "slice 1", Left: Side{Value: 4}}}}
	for _, c := range []struct {
		o    Obligation
		want int64 // 0: nothing
	}{
		{Obligation{ID: Memory, Where: "slice 1", Verdict: Holds}, 4}, {Obligation{ID: Memory, Where: "slice 1", Verdict: Fails}, 4}, {Obligation{ID: Memory, Where: "slice 1", Verdict: Fails, Lossless: true}, 0},
		{Obligation{ID: Memory, Where: "slice 1", Verdict: Unjudged}, 0}, {Obligation{ID: Memory, Where: "slice 0", Verdict: Unjudged}, 4}, {Obligation{ID: Headroom, Where: "slice 1", Verdict: Unjudged}, 4},
	} {
		report.Obligations = []Obligation{c.o}
		got := heldAtOnce(report, "slice 1")
		if (got == nil) != (c.want == 0) || got != nil && got.Left.Value != c.want {
			t.Errorf("%+v: %+v", c.o, got)
		}
	}
	if heldAtOnce(report, "slice 2") != nil {
		t.Error("of a slice that there is not")
	}
}
