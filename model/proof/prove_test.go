package proof

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/tinyswitch"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A sender is a port that sends to the last one of a switch by hand: 3 packets of a cell come in after its pause over a metre
// of cable, and 4 over 7 m: see tinyswitch.ComesIn.
type sender struct {
	pgs    []mmu.PG
	queues []uint16 // that each group feeds; none: queue 0
	bound  []mmu.Bound
	slice  int
	metres int // 0: one
}

// byHand is a switch of pools of 20 cells from which nothing else is missing.
func byHand(change func(c *mmu.Config, out *mmu.Port), senders ...sender) *model.Switch {
	c := &mmu.Config{CellBytes: 256, Slices: 1, IngressPools: []mmu.Pool{{Name: "in", SharedCells: 20}}, EgressPools: []mmu.Pool{{Name: "out", SharedCells: tinyswitch.Plenty}}}
	sw := &model.Switch{Config: c}
	for i, s := range senders {
		own := model.Port{Name: fmt.Sprintf("p%d", i), Link: tinyswitch.Link(max(1, s.metres)), Pausable: 1<<mmu.MaxPGs - 1}
		for number := range s.pgs {
			if own.Queues[number] = 1; s.queues != nil {
				own.Queues[number] = s.queues[number]
			}
		}
		c.Ports, sw.Ports, c.Slices = append(c.Ports, mmu.Port{PGs: s.pgs, Ingress: s.bound, Slice: s.slice}), append(sw.Ports, own), max(c.Slices, s.slice+1)
	}
	out := mmu.Port{Queues: []mmu.Queue{{Limit: mmu.StaticLimit(tinyswitch.Plenty)}, {Limit: mmu.StaticLimit(tinyswitch.Plenty)}}}
	if change != nil {
		change(c, &out)
	}
	c.Ports, sw.Ports = append(c.Ports, out), append(sw.Ports, model.Port{Name: "sink", Link: tinyswitch.Link(1)})
	return sw
}

// verdictsOf returns the verdicts of some obligations with sizes from 1 to 20, a letter each: F where one
// fails, ? where one is open, and H where all hold. Each has a valid certificate.
func verdictsOf(t *testing.T, what string, ids []string, sw func(size int64) *model.Switch) (letters string) {
	t.Helper()
	for size := int64(1); size <= 20; size++ {
		p := ofModel(sw(size), Context{})
		p.buffer()
		worst := byte('H')
		for i := range p.report.Obligations {
			o := &p.report.Obligations[i]
			if slices.Contains(ids, o.ID) && o.Lossless {
				switch o.Verdict {
				case Unjudged:
					worst = min(worst, '?')
				case Conditional: // it fails as long as nobody declares something
					worst = 'F'
					if o.Left.Value <= o.Right.Value {
						t.Errorf("%s, %d: %v", what, size, o)
					}
				case Fails:
					worst = 'F'
				}
			}
			for _, err := range recheck(o, map[string]*big.Int{}) {
				t.Errorf("%s, %d: %v", what, size, err)
			}
		}
		letters += string(worst)
	}
	return letters
}

// ofPorts is a prover of ports, each a group of its own of which 3 cells come in after a pause and each of whose priority groups
// feeds queue 0 of all.
func ofPorts(c mmu.Config, ports ...mmu.Port) *prover {
	c.Ports, c.CellBytes, c.Slices = ports, 256, 1
	for _, port := range ports {
		c.Slices = max(c.Slices, port.Slice+1)
	}
	p := &prover{
		sw: &plan.Switch{Maps: plan.Maps{TCToPG: [8]uint8{1}}, Ports: make([]plan.Port, len(ports))}, ctx: &Context{}, report: &Report{},
		config: &c, m: &model.Switch{Config: &c, Ports: make([]model.Port, len(ports))},
		packings: map[units.Bytes]*packing{}, atResume: map[accountKind]int64{}, belowOf: map[accountKind]int64{}, fed: map[int]uint16{}, mapped: []int{0}, slices: make([]slicePart, c.Slices),
	}
	for i := range ports {
		link := tinyswitch.Link(1)
		g := &group{ports: []int{i}, name: "g" + intText(int64(i)), link: link, worst: link, declared: true, need: p.need(link), qos: &plan.PortQoS{}}
		for number, pg := range ports[i].PGs {
			p.m.Ports[i].Queues[number] = 1
			g.qos.PGs = append(g.qos.PGs, plan.PG{ID: uint8(number), Lossless: pg.Lossless})
		}
		p.sw.Ports[i].QoS = g.qos
		p.groups, p.groupOf = append(p.groups, g), append(p.groupOf, g)
		p.divide(i, g)
	}
	for i := range p.slices {
		p.slices[i].reached = make([]uint16, len(ports)) // by lossy traffic: none
		p.slices[i].sure = p.slices[i].lossy
	}
	return p
}

func paused(limit mmu.Limit, reserve, headroom units.Cells) mmu.PG {
	return mmu.PG{Lossless: true, Limit: limit, ReservedCells: reserve, HeadroomCells: headroom}
}

// What is proved of switches by hand turns with the size of a queue, a pool, a port's bound, a headroom or the memory where packets
// begin to be lost: where it fails one is lost in some state of the buffer, and where it holds in none. Sizes between are
// open: at most a cell for each group that others may fill up, those of a queue's reserve, what a bound of a whole port
// leaves open of the order of its groups, and of lossy traffic what it holds while lossless packets come.
func TestVerdictsTurnWherePacketsAreLost(t *testing.T) {
	d, s := mmu.DynamicLimit, mmu.StaticLimit
	lossy := func(l mmu.Limit) mmu.PG { return mmu.PG{Limit: l} }
	pooled := func(g mmu.PG) mmu.PG { g.HeadroomPooled = true; return g }
	xon := func(g mmu.PG, n units.Cells) mmu.PG { g.XonCells = n; return g }
	for _, own := range []struct {
		name    string
		open    [7]int // sizes, of each of the seven below
		senders []sender
	}{
		{"static", [7]int{0, 9, 0, 6, 0, 6, 0}, []sender{{pgs: []mmu.PG{paused(s(2), 1, 3)}}, {pgs: []mmu.PG{paused(s(3), 0, 4)}, metres: 7}}},
		{"equal", [7]int{6, 9, 6, 12, 0, 6, 0}, []sender{{pgs: []mmu.PG{paused(d(0), 1, 3)}}, {pgs: []mmu.PG{paused(d(0), 0, 4)}}}},
		{"narrow", [7]int{5, 9, 5, 11, 0, 6, 1}, []sender{{pgs: []mmu.PG{paused(d(0), 1, 3)}}, {pgs: []mmu.PG{paused(d(-1), 0, 3)}}}},
		{"mixed", [7]int{2, 9, 2, 8, 0, 6, 0}, []sender{{pgs: []mmu.PG{paused(d(1), 1, 3)}}, {pgs: []mmu.PG{paused(s(2), 0, 4)}}}},
		{"pooled", [7]int{2, 9, 2, 8, 2, 6, 0}, []sender{{pgs: []mmu.PG{pooled(paused(d(0), 1, 3))}}, {pgs: []mmu.PG{pooled(paused(s(2), 0, 4))}}}},
		{"both pooled", [7]int{6, 9, 6, 12, 3, 6, 0}, []sender{{pgs: []mmu.PG{pooled(paused(d(0), 1, 4))}, metres: 7}, {pgs: []mmu.PG{pooled(paused(d(0), 0, 3))}}}},
		{"joint", [7]int{16, 25, 16, 22, 0, 16, 0}, []sender{{pgs: []mmu.PG{paused(d(0), 1, 3), paused(s(3), 0, 3)}, bound: []mmu.Bound{{Limit: s(4)}}}}},
		{"resuming", [7]int{15, 21, 15, 22, 0, 16, 12}, []sender{{pgs: []mmu.PG{xon(paused(d(0), 1, 6), 4)}}, {pgs: []mmu.PG{paused(d(0), 0, 3)}}}},
		{"beside static lossy", [7]int{13, 19, 13, 19, 0, 7, 0}, []sender{{pgs: []mmu.PG{paused(d(0), 1, 3)}}, {pgs: []mmu.PG{lossy(s(2))}}}},
		{"beside lossy", [7]int{11, 17, 11, 17, 0, 3, 0}, []sender{{pgs: []mmu.PG{paused(d(0), 1, 3)}}, {pgs: []mmu.PG{lossy(d(0))}}}},
		{"beside lossy of a queue", [7]int{3, 11, 11, 16, 0, 3, 0}, []sender{{pgs: []mmu.PG{paused(d(0), 1, 3)}}, {pgs: []mmu.PG{lossy(d(0))}, queues: []uint16{2}}}},
		{"beside static lossy of a queue", [7]int{0, 13, 13, 15, 0, 3, 0}, []sender{{pgs: []mmu.PG{paused(s(3), 1, 3)}}, {pgs: []mmu.PG{lossy(s(2))}, queues: []uint16{2}}}},
		{"of two slices", [7]int{0, 3, 0, 6, 0, 3, 0}, []sender{{pgs: []mmu.PG{paused(d(0), 1, 3)}}, {pgs: []mmu.PG{paused(s(4), 0, 3)}, slice: 1}}},
	} {
		t.Run(own.name, func(t *testing.T) {
			for i, size := range []struct {
				ids []string
				why []fmt.Stringer
				set func(c *mmu.Config, out *mmu.Port, n units.Cells)
			}{
				{[]string{QueueHolds}, []fmt.Stringer{mmu.DropQueueLimit}, func(c *mmu.Config, out *mmu.Port, n units.Cells) {
					out.Queues[0].Limit, out.Queues[0].ReservedCells = s(n), 1
				}},
				{[]string{QueueHolds}, []fmt.Stringer{mmu.DropQueueLimit, mmu.DropEgressPool}, func(c *mmu.Config, out *mmu.Port, n units.Cells) {
					out.Queues[0].Limit, out.Queues[0].ReservedCells, c.EgressPools[0].SharedCells = d(1), 1, n
				}},
				{[]string{PortHolds}, []fmt.Stringer{mmu.DropPortLimit}, func(c *mmu.Config, out *mmu.Port, n units.Cells) {
					out.Egress, out.Queues[0].ReservedCells = []mmu.Bound{{Limit: s(n)}}, 1
				}},
				{[]string{EgressHolds}, []fmt.Stringer{mmu.DropEgressPool}, func(c *mmu.Config, out *mmu.Port, n units.Cells) {
					out.Queues[0].ReservedCells, c.EgressPools[0].SharedCells = 1, n
				}},
				{[]string{HeadroomPool}, []fmt.Stringer{mmu.DropHeadroomPool}, func(c *mmu.Config, out *mmu.Port, n units.Cells) { c.IngressPools[0].HeadroomCells = n }},
				{[]string{Memory}, nil, func(c *mmu.Config, out *mmu.Port, n units.Cells) { c.SliceCells = n }},
				{[]string{Headroom, Resume}, []fmt.Stringer{mmu.DropHeadroom}, func(c *mmu.Config, out *mmu.Port, n units.Cells) {
					groups := slices.Clone(c.Ports[0].PGs)
					groups[0].HeadroomCells, c.Ports[0].PGs = n, groups
				}},
			} {
				open := 0
				for _, admission := range []mmu.Admission{mmu.WithCell, mmu.BelowWithCell, mmu.BeforeCell} {
					for _, pause := range []mmu.Pause{mmu.WhenFull, mmu.OnExcess} {
						what := fmt.Sprintf("%v, admission %d, pause %d", size.ids, admission, pause)
						sw := func(n int64) *model.Switch {
							return byHand(func(c *mmu.Config, out *mmu.Port) {
								c.IngressPools[0].SharedCells = 6
								if own.senders[0].pgs[0].HeadroomPooled {
									c.IngressPools[0].HeadroomCells = 100
								}
								c.Rules.Admission, c.Rules.Pause = admission, pause
								size.set(c, out, units.Cells(n))
							}, own.senders...)
						}
						loses := func(n int) bool {
							w, _ := tinyswitch.Visit(sw(int64(n)), 1<<20, nil)
							return size.why == nil && w.Lost[tinyswitch.Memory] || slices.ContainsFunc(size.why, func(why fmt.Stringer) bool { return w.Lost[why.String()] })
						}
						letters := verdictsOf(t, what, size.ids, sw)
						fails, holds := strings.LastIndexByte(letters, 'F')+1, strings.LastIndexAny(letters, "F?")+2
						if fails > 0 && !loses(fails) || holds <= len(letters) && loses(holds) {
							t.Errorf("%s: %s: %d lose a packet: %v, %d: %v", what, letters, fails, loses(fails), holds, loses(holds))
						}
						open += strings.Count(letters, "?")
					}
				}
				must.Equalf(t, open, own.open[i], "%v: sizes are left open:", size.ids)
			}
		})
	}
}

// What is open says why: an order that nobody knows where a bound of a port is shared, single cells where others fill groups up.
func TestWhyItIsOpen(t *testing.T) {
	s, d := mmu.StaticLimit, mmu.DynamicLimit
	joint := []sender{{pgs: []mmu.PG{paused(d(0), 1, 3), paused(s(3), 0, 3)}, bound: []mmu.Bound{{Limit: s(4)}}}}
	for _, c := range []struct {
		what    string
		pause   mmu.Pause
		senders []sender
		because string
	}{
		{"a port's bound", mmu.OnExcess, joint, loosely},
		{"single cells", mmu.WhenFull, []sender{{pgs: []mmu.PG{paused(d(0), 0, 3)}}, {pgs: []mmu.PG{paused(d(0), 0, 3)}}}, singleCells},
	} {
		open := map[string]bool{}
		for size := range units.Cells(20) {
			for _, id := range []string{QueueHolds, EgressHolds} {
				p := ofModel(byHand(func(config *mmu.Config, out *mmu.Port) {
					config.IngressPools[0].SharedCells, config.Rules.Pause = 6, c.pause
					if id == QueueHolds {
						out.Queues[0].Limit = s(size)
					} else {
						config.EgressPools[0].SharedCells = size
					}
				}, c.senders...), Context{})
				p.queues(0)
				for _, o := range p.report.Obligations {
					if o.ID == id && o.Verdict == Unjudged {
						open[id] = true
						must.Equalf(t, o.Because, c.because, "%s, %d: %v:", c.what, size, o)
					}
				}
			}
		}
		must.Equalf(t, len(open), 2, "%s: %v:", c.what, open)
	}
}

// What comes in is not known of a port without a cable, be it a millimetre long, or with a link that is not known.
func TestUnmeasured(t *testing.T) {
	for _, c := range []struct {
		cable units.Length
		rate  units.BitRate
		want  string
	}{{1, 10 * units.Gbps, ""}, {0, 10 * units.Gbps, "the length of the cable of p is not known: a fabric file with its cable would tell it"}, {-1, 10 * units.Gbps, "the length of the cable of p is not known: a fabric file with its cable would tell it"}, {1, 0, "the speed of p is not known"}, {0, 0, "the speed of p is not known"}} {
		l := tinyswitch.Link(1)
		l.Rate = c.rate
		must.Equalf(t, unmeasured(l, &plan.Port{Name: "p", Cable: c.cable}), c.want, "%+v:", c)
	}
}

// Another group of a port has a part in what the port may take of a pool where it draws on it.
func TestJointly(t *testing.T) {
	s := mmu.StaticLimit
	for _, c := range []struct {
		others []mmu.PG
		bounds []mmu.Bound
		want   bool
	}{
		{[]mmu.PG{{Limit: s(1)}}, []mmu.Bound{{}}, true}, {[]mmu.PG{{Limit: mmu.DynamicLimit(0)}}, []mmu.Bound{{}}, true}, {[]mmu.PG{{}}, []mmu.Bound{{}}, false}, {nil, []mmu.Bound{{}}, false},
		{[]mmu.PG{{Limit: s(1), Pool: 1}}, []mmu.Bound{{}}, false}, {[]mmu.PG{{Limit: s(1)}}, []mmu.Bound{{Pool: 1}}, false}, {[]mmu.PG{{Limit: s(1)}}, nil, false}, {[]mmu.PG{{}, {Limit: s(1)}}, []mmu.Bound{{Pool: 1}, {}}, true},
	} {
		port := &mmu.Port{PGs: append([]mmu.PG{{Limit: s(9)}}, c.others...), Ingress: c.bounds}
		must.Equalf(t, jointly(port, 0), c.want, "%+v:", c)
	}
}

// An obligation holds where left is no more than right, and under conditions only if it has any; what cannot be judged stays so. What
// the files cannot say takes failures of its kind back.
func TestAddAndSilence(t *testing.T) {
	p := &prover{report: &Report{}, ctx: &Context{Silent: map[string]string{Headroom: "nobody says"}}}
	at := diag.Range{Filename: "f"}
	at.Start.Line = 7
	for _, c := range []struct {
		o           Obligation
		want, after Verdict
	}{
		{Obligation{ID: Headroom, Left: Side{Value: 5}, Right: Side{Value: 5}}, Holds, Holds}, {Obligation{ID: Headroom, Left: Side{Value: 6}, Right: Side{Value: 5}}, Fails, Unjudged}, {Obligation{ID: Resume, Left: Side{Value: 6}, Right: Side{Value: 5}}, Fails, Fails},
		{Obligation{ID: Headroom, Left: Side{Value: 6}, Right: Side{Value: 5}, Conditions: []Condition{{}}}, Conditional, Conditional}, {Obligation{ID: Headroom, Verdict: Unjudged, Because: "so", Conditions: []Condition{{}}}, Unjudged, Unjudged},
	} {
		c.o.Range = at
		o := p.add(c.o)
		if o.Verdict != c.want || o.At != "f:7" || o != &p.report.Obligations[len(p.report.Obligations)-1] {
			t.Errorf("%+v: %v", c, o)
		}
		because := o.Because
		if p.silence(); o.Verdict != c.after || (o.Because == "nobody says") != (c.after != c.want) || c.after == c.want && o.Because != because {
			t.Errorf("%+v: %v", c, o)
		}
	}
	p.unjudged(Memory, "here", "so it is", at)
	if o := p.report.Obligations[5]; o.ID != Memory || o.Title != meanings[Memory].title || o.Where != "here" || o.Because != "so it is" || o.Verdict != Unjudged || o.Lossless || o.At != "f:7" {
		t.Errorf("%+v", o)
	}
	p.unjudged(Headroom, "here", "so it is", at)
	if !p.report.Obligations[6].Lossless {
		t.Errorf("%+v", p.report.Obligations[6])
	}
}

// A configuration without pools of either side, that resumes otherwise, or that mmu does not take cannot be judged; that it does not fit
// its memory is judged.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(c *mmu.Config)
		want   string
	}{
		{"as it is", func(c *mmu.Config) {}, ""}, {"too large for its memory", func(c *mmu.Config) { c.SliceCells = 1 }, ""},
		{"no ingress", func(c *mmu.Config) { c.IngressPools = nil }, "no buffer pools"}, {"no egress", func(c *mmu.Config) { c.EgressPools = nil }, "no buffer pools"},
		{"no cell", func(c *mmu.Config) { c.CellBytes = 0 }, "cell"},
		{"another level", func(c *mmu.Config) { c.Rules.Resume = mmu.BelowCurrentLimit }, "resume by a threshold"},
	} {
		sw := byHand(nil, sender{pgs: []mmu.PG{paused(mmu.StaticLimit(5), 0, 3)}})
		c.change(sw.Config)
		was := sw.Config.SliceCells
		if err := sizes(sw.Config); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) || sw.Config.SliceCells != was {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}
