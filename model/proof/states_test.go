package proof

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/tinyswitch"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// ofModel returns the prover of a switch with a given buffer, and the response of every peer is
// declared.
func ofModel(sw *model.Switch, ctx Context) *prover {
	ctx.Default = &plan.Assumed{Declared: true}
	own := &plan.Switch{Names: []string{"s"}, Maps: plan.Maps{TCToPG: [8]uint8{1}}, Range: diag.Range{}}
	for i := range sw.Ports {
		qos := &plan.PortQoS{}
		for number, pg := range sw.Config.Ports[i].PGs {
			qos.PGs = append(qos.PGs, plan.PG{ID: uint8(number), Lossless: pg.Lossless})
		}
		for j := range i { // ports that are told the same are of one group if their links are alike
			a, b := sw.Config.Ports[i], sw.Config.Ports[j]
			if a.Slice = b.Slice; reflect.DeepEqual(a, b) && reflect.DeepEqual(sw.Ports[i].Queues, sw.Ports[j].Queues) {
				qos = own.Ports[j].QoS
			}
		}
		link := sw.Ports[i].Link
		own.Ports = append(own.Ports, plan.Port{Name: sw.Ports[i].Name, Cable: link.Cable, Speed: link.Rate, MTU: link.PortFrame, QoS: qos})
	}
	p := &prover{sw: own, ctx: &ctx, report: &Report{Model: sw}, m: sw, config: sw.Config, packings: map[units.Bytes]*packing{}, atResume: map[accountKind]int64{}, belowOf: map[accountKind]int64{}, fed: map[int]uint16{}}
	p.gather()
	p.report.Worst = p.worst()
	p.settleConditions()
	return p
}

// tinyKinds are what tiny switches have, in turn.
func tinyKind(seed int) tinyswitch.Kind {
	return tinyswitch.Kind{Lossy: seed%3 == 1, Xon: seed%4 == 2, Bounds: seed%5 == 3, Slices: seed%11 == 5, Pools: seed%7 == 3, Tight: seed%2 == 0}
}

// wrongOnce are tiny switches of which more was proved once than is so: a pool of which nobody takes a cell, a queue
// whose limit falls with lossy traffic in another queue, a group that is resumed while it is full, and what fills a
// group up that came before it. Of the last two a loss was refuted that is none: of a cell that may be below the threshold, and of what lies
// in the reserve of a lossy queue, which has its place on the way in.
var wrongOnce = []int{5074, 9134, 9136, 13456, 17761, 18324, 19102, 104846, 127810}

// tinyParts is in how many parts tiny switches of which no more is known are tried, 250 each, and leftOpen of how many of a part
// it is not decided whether a packet is lost: who leaves more open says less than is known.
const (
	tinyParts    = 8
	tinySwitches = 250
)

var leftOpen = [tinyParts]int{26, 26, 17, 15, 15, 23, 28, 17}

// What is proved of a tiny switch loses no packet in any of the states that its buffer can be in, what is refuted loses
// one in some of them, and a condition is needed and suffices. What is left open is few.
func TestEveryState(t *testing.T) {
	t.Run("wrong once", func(t *testing.T) { everyState(t, wrongOnce) })
	for part := range tinyParts {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			seeds := make([]int, tinySwitches)
			for i := range seeds {
				seeds[i] = part*tinySwitches + i
			}
			if open := everyState(t, seeds); open != leftOpen[part] {
				t.Errorf("%d are open, want %d", open, leftOpen[part])
			}
		})
	}
}

func everyState(t *testing.T, seeds []int) (open int) {
	const most = 6000 // states
	for _, seed := range seeds {
		sw := tinyswitch.Draw(rand.New(rand.NewPCG(uint64(seed), 5)), tinyKind(seed))
		p := ofModel(sw, Context{})
		p.buffer()
		var seen occupancy
		w, ok := tinyswitch.Visit(sw, most, seen.visit)
		if ok {
			holdMost(t, seed, sw, w, &seen)
		}
		fault := func(format string, args ...any) {
			t.Errorf("seed %d: %s: %s", seed, fmt.Sprintf(format, args...), p.dump(sw))
		}
		switch loses := len(w.Lost) > 0; {
		case p.report.LosesPackets():
			if ok && !loses {
				fault("no packet is lost in %d states, and it is said that it is", w.States)
			}
		case len(p.report.Open()) > 0:
			open++
		case len(p.report.Conditional()) > 0:
			conditions := p.report.Conditions()
			under, _ := tinyswitch.VisitPausing(sw, int(conditions[0].Bound), most, nil)
			if len(conditions) > 1 || conditions[0].ID != PausedGroups || ok && !loses || len(under.Lost) > 0 {
				fault("packets are lost for %v, and under the condition for %v", w.Lost, under.Lost)
			}
		case loses:
			fault("packets are lost for %v, and none is said to be", w.Lost)
		}
		for _, err := range Recheck(Certify(p.report, nil, "", nil), nil) {
			fault("%v", err)
		}
	}
	return open
}

// Lossy groups that feed different queues, each with a limit of its own, hold less than all of them and all queues would: a loss that
// they are said to bring about together has to be one. So has one that ports bring about that are told the same.
func TestEveryStateOfSeveralLossyGroups(t *testing.T) {
	seeds := []int{104412, 104558, 106136, 107490, 108072, 108738, 108818, 108976, 122506, 124814} // wrong once
	for i := range 500 {
		seeds = append(seeds, 100_000+i)
	}
	refuted := 0
	for _, seed := range seeds {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		sw := tinyswitch.Draw(r, tinyKind(seed))
		if severalAlike(r, sw); seed%2 == 0 {
			severalLossy(r, sw)
		}
		p := ofModel(sw, Context{})
		p.buffer()
		w, ok := tinyswitch.Visit(sw, 3000, nil)
		loses := len(w.Lost) > 0
		switch {
		case !ok:
		case p.report.LosesPackets():
			if refuted++; !loses {
				t.Errorf("seed %d: no packet is lost, and it is said that one is: %s", seed, p.dump(sw))
			}
		case len(p.report.Open()) == 0 && len(p.report.Conditional()) == 0 && loses:
			t.Errorf("seed %d: packets are lost for %v, and none is said to be: %s", seed, w.Lost, p.dump(sw))
		}
	}
	if 5*refuted < len(seeds) {
		t.Errorf("%d of %d lose packets", refuted, len(seeds))
	}
}

// severalAlike tells the second port what the first one is told.
func severalAlike(r *rand.Rand, sw *model.Switch) {
	ports := sw.Config.Ports
	if len(ports) < 3 || len(ports[0].PGs) != 1 || len(ports[1].PGs) != 1 || r.IntN(4) == 0 {
		return
	}
	slice := ports[1].Slice
	ports[1] = ports[0]
	ports[1].PGs, ports[1].Slice = slices.Clone(ports[0].PGs), slice
	sw.Ports[1].Link, sw.Ports[1].Queues = sw.Ports[0].Link, sw.Ports[0].Queues
}

// severalLossy makes all groups but the first lossy ones of some queues, which are short, as is what these draw on.
func severalLossy(r *rand.Rand, sw *model.Switch) {
	first := true
	for i := range sw.Config.Ports {
		for number := range sw.Config.Ports[i].PGs {
			pg := &sw.Config.Ports[i].PGs[number]
			if first {
				first = false
				continue
			}
			*pg = mmu.PG{Pool: pg.Pool, ReservedCells: pg.ReservedCells, Limit: pg.Limit}
			sw.Ports[i].Queues[number] = 1 << r.IntN(3)
		}
	}
	queues := sw.Config.Ports[len(sw.Config.Ports)-1].Queues
	for i := range queues {
		if r.IntN(3) == 0 {
			queues[i].Limit = mmu.StaticLimit(units.Cells(1 + r.IntN(5)))
		}
		if r.IntN(3) == 0 {
			queues[i].ReservedCells = units.Cells(r.IntN(3))
		}
	}
	if r.IntN(2) == 0 {
		sw.Config.EgressPools[0].SharedCells = units.Cells(3 + r.IntN(10))
	}
	if r.IntN(3) == 0 {
		sw.Config.SliceCells = units.Cells(3 + r.IntN(12))
	}
}

// dump is a switch and what is said of it.
func (p *prover) dump(sw *model.Switch) (s string) {
	for i, port := range sw.Config.Ports {
		for n, pg := range port.PGs {
			s += fmt.Sprintf("\n  port %d slice %d pg %d: %+v need %d queue %b bound %v", i, port.Slice, n, pg, tinyswitch.ComesIn(sw.Config, sw.Ports[i].Link), sw.Ports[i].Queues[n], port.Ingress)
		}
	}
	s += fmt.Sprintf("\n  sink %+v\n  %+v %+v %v slice %d", sw.Config.Ports[len(sw.Config.Ports)-1], sw.Config.IngressPools, sw.Config.EgressPools, sw.Config.Rules, sw.Config.SliceCells)
	for _, o := range p.report.Obligations {
		s += fmt.Sprintf("\n    %v   %s", o.Lossless, o.String())
	}
	return s
}

// occupancy is the most that was seen, by slice.
type occupancy struct {
	all, lossless [2]int64 // cells, of everybody and where there is no lossy traffic
	lossy         [2]int64 // of the shared part, where there is nothing else
	pooled        [2]int64 // in headroom pools
	above         [tinyswitch.MostGroups]int64
}

func (o *occupancy) visit(w *tinyswitch.Walk, s *tinyswitch.State) {
	for slice := range o.all {
		all := w.Held(s, func(g *tinyswitch.Group) bool { return g.Slice == slice })
		lossless := w.Held(s, func(g *tinyswitch.Group) bool { return g.Slice == slice && g.Lossless() })
		o.all[slice] = max(o.all[slice], all)
		if all == lossless {
			o.lossless[slice] = max(o.lossless[slice], all)
		}
		pooled, lossy := int64(0), int64(0)
		for i, g := range w.Groups {
			switch {
			case g.Slice != slice:
			case g.Pooled():
				pooled += int64(s[i].Above)
			case !g.Lossless() && lossless == 0:
				lossy += w.Shared(s, i)
			}
		}
		o.pooled[slice], o.lossy[slice] = max(o.pooled[slice], pooled), max(o.lossy[slice], lossy)
	}
	for i := range w.Groups {
		o.above[i] = max(o.above[i], int64(s[i].Above))
	}
}

// holdMost compares the most that was seen with what the prover says of it: never less, and no more than a cell for
// each group above what it says is reached for sure.
func holdMost(t *testing.T, seed int, sw *model.Switch, w *tinyswitch.Walk, seen *occupancy) {
	p := ofModel(sw, Context{})
	fault := func(format string, args ...any) {
		t.Errorf("seed %d: %s: %s", seed, fmt.Sprintf(format, args...), p.dump(sw))
	}
	blocked := w.Lost[mmu.DropQueueLimit.String()] || w.Lost[mmu.DropEgressPool.String()] || w.Lost[mmu.DropPortLimit.String()] || w.Lost[mmu.DropHeadroomPool.String()]
	for slice := range p.slices {
		part := &p.slices[slice]
		n := p.perhapsTwice(len(part.lossless))
		if h := p.sum(part.lossless, part.lossy); seen.all[slice] > h.side.Value+h.afterResume {
			fault("slice %d holds %d cells, and is said to hold %d and %d", slice, seen.all[slice], h.side.Value, h.afterResume)
		}
		h := p.sum(part.lossless, nil)
		if once, twice := p.withoutCountedTwice(h, part.lossless, -1); seen.lossless[slice] > once.side.Value+h.afterResume || !blocked && seen.lossless[slice] < h.surely-max(n, twice) {
			fault("slice %d holds %d lossless cells, and is said to hold %d of which %d are counted twice, and %d, %d surely", slice, seen.lossless[slice], h.side.Value, twice, h.afterResume, h.surely)
		}
		pool := 0 // of lossy traffic, which is one group
		if len(part.lossy) > 0 {
			pool = part.lossy[0].pg.Pool
		}
		if most := p.lossyOf(slice, pool); seen.lossy[slice] > most || len(part.lossy) > 0 && !part.lossy[0].joint && sw.Config.EgressPools[0].SharedCells == tinyswitch.Plenty && sw.Ports[part.lossy[0].port].Queues[part.lossy[0].number] == 4 && seen.lossy[slice] < most {
			fault("slice %d holds %d lossy cells, and is said to hold %d", slice, seen.lossy[slice], most)
		}
	}
	for i, g := range w.Groups {
		if !g.Lossless() {
			continue
		}
		a := p.account(g.Port, g.Number, p.groupOf[g.Port])
		below := p.below(a)
		if w.FullBefore[i] && below > 0 || !w.FullBefore[i] && below == 0 && a.bound.dynamic() && !blocked && !p.unsure(a) {
			fault("group %d is filled up by others: %v, and has %d cells below", i, w.FullBefore[i], below)
		}
		if most := p.headroomAtResume(a); int64(w.AtResume[i]) > most {
			fault("group %d has %d in its headroom when it resumes, and is said to have %d", i, w.AtResume[i], most)
		}
		if most := a.maxInHeadroom() + p.extraHeadroomAfterResume(a); seen.above[i] > most {
			fault("group %d has %d in its headroom, and is said to have %d", i, seen.above[i], most)
		}
	}
}

// A chip may take the level at which a group resumes from the threshold as it is then, which no obligation counts with:
// neither a proof nor a certificate is of such a buffer.
func TestResumeByTheThresholdOfTheMoment(t *testing.T) {
	sw := tinyswitch.Draw(rand.New(rand.NewPCG(1, 5)), tinyswitch.Kind{})
	p := ofModel(sw, Context{})
	p.buffer()
	c := Certify(p.report, nil, "", nil)
	if errs := Recheck(c, nil); errs != nil || sizes(sw.Config) != nil {
		t.Fatal(errs, sizes(sw.Config))
	}
	sw.Config.Rules.Resume = mmu.BelowCurrentLimit
	if errs := Recheck(c, nil); len(errs) != 1 || sizes(sw.Config) == nil {
		t.Errorf("%v, %v", errs, sizes(sw.Config))
	}
}
