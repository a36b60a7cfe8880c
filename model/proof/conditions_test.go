package proof

import (
	"testing"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// smallestFrames is a port of which all frames have 64 B, 84 B of wire, and a cell each. At 10 Gb/s it sends one frame and a
// pause in 134,414 ps (168 B at 10^10/(1 - 1/10,000) bits), and a metre of cable takes 10,000 ps both ways. After that time
// and whatever its layers and its peer take, so many bytes have come in: floor(w · 10,001/8,000,000). Each 84 of them are a
// frame, and one more comes in, which had begun.
func smallestFrames(declared bool, layers, response units.Time, headrooms ...units.Cells) (*prover, *group) {
	link := model.Link{Rate: 10 * units.Gbps, Cable: units.Metre, PortFrame: 64, LosslessFrame: 64, Interface: layers, Response: response}
	config := &mmu.Config{CellBytes: 100, Slices: 1, Rules: mmu.Rules{Pause: mmu.OnExcess}, IngressPools: []mmu.Pool{{}}, Ports: make([]mmu.Port, 2)}
	for _, cells := range headrooms {
		config.Ports[0].PGs = append(config.Ports[0].PGs, mmu.PG{Lossless: true, HeadroomCells: cells})
	}
	p := &prover{
		sw: &plan.Switch{Chip: "x", Ports: []plan.Port{{Name: "a", Group: "gpus"}, {Name: "b"}}}, ctx: &Context{}, config: config,
		m: &model.Switch{Config: config, Ports: make([]model.Port, 2)}, packings: map[units.Bytes]*packing{}, belowOf: map[accountKind]int64{},
	}
	g := &group{ports: []int{0, 1}, name: "g", link: link, worst: link, declared: declared}
	p.groups = []*group{g}
	return p, g
}

// The longest response with which at most n frames come in is one with which W < 84·n: w < 84·n · 8,000,000/10,001. Of n = 3
// and 5 that is 201,579 and 335,966 ps, of which 144,414 are gone; a picosecond is taken off.
func TestLongestResponse(t *testing.T) {
	for _, c := range []struct {
		limit   int64
		gearbox units.Time
		want    units.Time
		ok      bool
	}{
		{3, 0, 201_579 - 144_414 - 1, true}, {5, 0, 335_966 - 144_414 - 1, true}, {1000, 0, 67_193_280 - 144_414 - 1, true},
		{3, 28_581, 3 - 1, true}, {3, 28_582, 0, true}, // of 57,165 ps a gearbox takes 57,162, and 57,164
		{2, 0, -1, false},                       // 134,386 ps are less than even no response takes
		{1 << 60, 0, 1<<20*1_000_000 - 2, true}, // the first power of two in microseconds above a second, less one that does not hold
	} {
		p, g := smallestFrames(true, 0, 0)
		l := g.worst
		l.Gearbox = c.gearbox
		if got, ok := p.longest(l, c.limit); got != c.want || ok != c.ok {
			t.Errorf("%d cells: %d, %v; want %d", c.limit, got, ok, c.want)
		}
	}
}

// What a group takes for granted by its headroom. With layers of 20,000 ps and a response of 50,000 w is 214,414 ps: 268 B,
// which are 3 frames, and one more. Within 57,164 ps in all it is one less.
func TestConditionsByHand(t *testing.T) {
	for _, c := range []struct {
		what             string
		declared         bool
		response         units.Time
		headrooms        []units.Cells
		id               string
		layers, responds units.Time
		need             int64
	}{
		{"declared, enough", true, 50_000, []units.Cells{4}, "", 20_000, 50_000, 4},
		{"declared, short by one", true, 50_000, []units.Cells{3}, ChipDatum, 57_164 - 50_000, 50_000, 3},
		{"declared, and lost whatever the layers take", true, 60_000, []units.Cells{3}, "", 20_000, 60_000, 4},
		{"standard, enough", false, 50_000, []units.Cells{4}, "", 20_000, 50_000, 4},
		{"standard, short by one", false, 50_000, []units.Cells{3}, PeerResponse, 20_000, 57_164 - 20_000, 3},
		{"the least of two", false, 50_000, []units.Cells{9, 3}, PeerResponse, 20_000, 57_164 - 20_000, 3},
		{"lost in any case", false, 50_000, []units.Cells{2}, "", 20_000, 50_000, 4},
		{"no group", false, 50_000, nil, "", 20_000, 50_000, 4},
	} {
		p, g := smallestFrames(c.declared, 20_000, c.response, c.headrooms...)
		p.settleConditions()
		id := ""
		for _, condition := range g.conditions {
			id += condition.ID
		}
		if id != c.id || g.link.Interface != c.layers || g.link.Response != c.responds || g.need != c.need || g.extra != 0 {
			t.Errorf("%s: %q, %d and %d, need %d and %d", c.what, id, g.link.Interface, g.link.Response, g.need, g.extra)
		}
		if g.worst.Interface != 20_000 || g.worst.Response != c.response || p.m.Ports[0].Link != g.link || p.m.Ports[1].Link != g.link {
			t.Errorf("%s: at the worst %+v, in the model %+v", c.what, g.worst, p.m.Ports)
		}
	}
	p, g := smallestFrames(false, 20_000, 50_000, 3)
	g.why = "a reason"
	if p.settleConditions(); g.need != 0 || g.conditions != nil || p.m.Ports[0].Link != (model.Link{}) {
		t.Errorf("of what is not known: %+v", g)
	}
}

// What may come in is limited by what comes in at the easiest: without the switch's own layers, and without a response that
// nobody declared. To the picosecond 3 frames come in within 201,579 ps, with a frame of 65 B before the pause too, which takes
// 135,215 ps.
func TestLimitToThePicosecond(t *testing.T) {
	for more := range units.Time(2) {
		p, g := smallestFrames(true, 20_000, 201_579-144_414+more, 3)
		if limit, ok := p.limitOf(g, true); ok != (more == 0) || ok && limit != 3 {
			t.Errorf("declared, %d ps more: %d, %v", more, limit, ok)
		}
		p, g = smallestFrames(false, 20_000, 50_000, 3)
		g.worst.PortFrame, g.worst.Gearbox = 65, (201_579-145_215)/2+more
		if limit, ok := p.limitOf(g, false); ok != (more == 0) || ok && limit != 3 {
			t.Errorf("not declared, %d ps more: %d, %v", more, limit, ok)
		}
	}
}

// Half of the packets are small at the easiest: with many large ones that is fewer cells than 51 % are.
func TestLimitOfAMix(t *testing.T) {
	tried := 0
	for response := units.Time(0); response < 20*units.Microsecond; response += units.Microsecond / 4 {
		p, g := smallestFrames(true, 0, response, 1)
		g.worst.PortFrame, g.worst.LosslessFrame = 280, 280
		p.ctx.Default = &plan.Assumed{LosslessFrame: plan.Of(units.Bytes(280), nil)}
		half, more := g.worst, g.worst
		half.SmallPackets, more.SmallPackets = 50*units.Percent, 51*units.Percent
		need := p.need(half)
		if p.need(more) == need {
			continue
		}
		tried++
		for cells, want := range map[int64]bool{need: true, need - 1: false} {
			p.config.Ports[0].PGs[0].HeadroomCells = units.Cells(cells)
			if limit, ok := p.limitOf(g, true); ok != want || ok && limit != cells {
				t.Errorf("%v, %d cells: %d, %v", response, cells, limit, ok)
			}
		}
	}
	if tried == 0 {
		t.Error("51 % are as many cells as half in any case")
	}
}

// At 800 Gb/s no standard bounds the response, and the bound that the headroom gives takes its place: 168 B take 1,681 ps,
// and less than 1,680 B come in within 16,798 ps, of which the cable takes 10,000, and the layers 3,000.
func TestConditionWithoutAStandard(t *testing.T) {
	p, g := smallestFrames(false, 3000, 0, 20)
	g.link.Rate, g.worst.Rate = 800*units.Gbps, 800*units.Gbps
	p.settleConditions()
	if left := units.Time(16_798 - 1681 - 10_000 - 1 - 3000); len(g.conditions) != 1 || g.conditions[0].Bound != int64(left) || g.conditions[0].Terms != nil || g.link.Response != left || g.need != 20 {
		t.Errorf("%+v, need %d", g.conditions, g.need)
	}
	if p.judgedLink(g) != g.link {
		t.Error("it is judged without a bound")
	}
	if g.declared = true; p.judgedLink(g) != g.worst {
		t.Error("what is declared is not judged by")
	}
	g.declared, g.link.Rate = false, 10*units.Gbps
	if p.judgedLink(g) != g.worst {
		t.Error("the standard is not judged by")
	}
}

// A mix of packets is asked for where no time helps, if nobody declares one and somebody says how large the large packets are.
func TestConditionOnTheMix(t *testing.T) {
	for _, c := range []struct {
		known, frame, share, ok bool
	}{{true, true, false, true}, {false, true, false, false}, {true, false, false, false}, {true, true, true, false}} {
		p, g := smallestFrames(true, 0, 50_000, 1)
		g.worst.LosslessFrame, g.worst.PortFrame = 280, 280 // three cells of 300 B of wire, or one of 84
		if c.share {
			g.worst.SmallPackets = 90 * units.Percent
		}
		g.link = g.worst
		if c.frame {
			p.ctx.Default = &plan.Assumed{LosslessFrame: plan.Of(units.Bytes(280), nil)}
		}
		limit := p.need(g.worst) - 1
		p.condition(g, limit, c.known)
		ok := len(g.conditions) == 1 && g.conditions[0].ID == PacketMix && p.need(g.link) <= limit
		if ok != c.ok || !c.ok && len(g.conditions) > 0 {
			t.Errorf("%+v: %+v", c, g.conditions)
		}
		if c.ok {
			want := "after a pause at most " + g.link.SmallPackets.String() + " of the packets have the smallest size, and the others have 280B"
			if got := g.conditions[0]; got.Assumes != want || got.Declare != "small_packets of the fabric" || got.Terms[0].Symbol != "s" || got.Terms[1].Expr != "mixed(W, C, M, F, s, e) + e * ceil(F + M, C)" {
				t.Errorf("%+v", got)
			}
		}
	}
}

// At its worst a switch decides with the last byte where nothing is published of that; it is another one than is judged.
func TestWorstOfASwitch(t *testing.T) {
	for _, undecided := range []bool{false, true} {
		p, g := smallestFrames(false, 20_000, 50_000, 9)
		p.undecided = undecided
		p.m.Ports[0].Link = g.link
		worst := p.worst()
		if (worst.Config.Rules.Decided == mmu.AtEnd) != undecided || p.config.Rules.Decided != mmu.AtStart || len(worst.Ports) != 2 || worst.Ports[0].Link != g.link || worst.Config.Ports[0].PGs[0].HeadroomCells != 9 {
			t.Errorf("%v: %+v", undecided, worst)
		}
		worst.Ports[0].Link.Response, worst.Config.SliceCells = 1, 1
		if p.m.Ports[0].Link != g.link || p.config.SliceCells != 0 {
			t.Errorf("%v: the switch itself has changed", undecided)
		}
	}
}
