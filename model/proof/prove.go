package proof

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Prove evaluates every obligation of a switch. Its order is stable: by obligation, then by place.
// It is an error if the cell size of the chip is not known.
func Prove(sw *plan.Switch, chip *chips.Chip, ctx Context) (*Report, error) {
	if _, err := chip.CellSize.Get(); err != nil {
		return nil, err
	}
	p := &prover{sw: ctx.known(sw), ctx: &ctx, report: &Report{}, packings: map[units.Bytes]*packing{}, atResume: map[accountKind]int64{}, belowOf: map[accountKind]int64{}, fed: map[int]uint16{}}
	m, err := model.NewSwitch(p.sw, chip, ctx.declared)
	if err == nil {
		err = cmp.Or(sizes(m.Config), published(chip))
	}
	if err != nil {
		p.withoutBuffer(err.Error())
	} else {
		_, unpublished := chip.XOFFDecided.Get()
		p.m, p.config, p.report.Model, p.undecided, p.fastest = m, m.Config, m, unpublished != nil && !ctx.decided, model.FastestLayers
		p.gather()
		p.report.Worst = p.worst()
		p.settleConditions()
		p.unbounded()
		p.buffer()
		p.settleShared(chip)
		p.assumedData(chip)
	}
	p.scheduling()
	p.watchdog()
	p.silence()
	return p.report, nil
}

// published refuses chips for which only the threshold of a single group is known, and not how
// groups affect each other.
func published(chip *chips.Chip) error {
	if chip.Family != chips.SiliconOneFam {
		return nil
	}
	return fmt.Errorf("it is not published how priority groups of %s affect each other's thresholds: only the behaviour of a single group is known", chip.Title)
}

// sizes refuses a configuration that no obligation could say anything about. That it
// does not fit the memory is an obligation of its own.
func sizes(c *mmu.Config) error {
	if len(c.IngressPools) == 0 || len(c.EgressPools) == 0 {
		return fmt.Errorf("the files have no buffer pools")
	}
	if c.Rules.Resume != mmu.BelowPauseLevel {
		return fmt.Errorf("groups that resume by a threshold that has risen since are not judged")
	}
	unlimited := *c
	unlimited.SliceCells = 0
	return unlimited.Validate()
}

// A prover is the state of Prove.
type prover struct {
	sw     *plan.Switch
	ctx    *Context
	m      *model.Switch
	config *mmu.Config
	report *Report

	fastest units.Time // of a station's layers, as far as is published
	// undecided: nothing is published of the byte with which the chip decides to pause.
	undecided bool

	packings map[units.Bytes]*packing // by largest frame
	atResume map[accountKind]int64    // see headroomAtResume
	belowOf  map[accountKind]int64    // see below
	fed      map[int]uint16           // by the map of a port, see fedLossless
	groups   []*group
	groupOf  []*group // by port
	mapped   []int    // a port for each map from classes to queues that ports have
	slices   []slicePart
}

// A group is ports with the same settings and the same kind of peer.
type group struct {
	ports []int
	link  model.Link
	qos   *plan.PortQoS
	name  string
	need  int64  // cells that come in after a pause, at most, under the conditions
	why   string // the need is not known, because …

	worst      model.Link  // the worst that declarations and standards allow; link is under the conditions
	declared   bool        // the response of the peer is stated
	conditions []Condition // the assumptions of the need
	extra      int64       // cells on top if the chip decides with the last byte, which is not published
}

// slicePart is the content of one slice.
type slicePart struct {
	lossless, lossy []account
	reached         []uint16 // by port, the queues that lossy groups feed: see [prover.reachedBy]
	// sure are lossy groups that all feed the same queues: those that surely hold most. Others may find theirs full.
	sure []account
	// Cells of lossy traffic on its way out at most, and of those above surely: see [prover.lossyQueued].
	lossyEgress, lossySurely int64
	onWayOut                 map[int]int64 // of it, by egress pool: see [prover.lossyOnWayOut]
}

// sending returns the lossy groups that count, at most or surely.
func (s *slicePart) sending(surely bool) []account {
	if surely {
		return s.sure
	}
	return s.lossy
}

func (s *slicePart) queued(surely bool) int64 {
	if surely {
		return s.lossySurely
	}
	return s.lossyEgress
}

// passed returns how many of so many cells of a lossy group of a port are sent on to its queues: no
// more than lossy queues hold, and surely only if the group feeds them.
func (s *slicePart) passed(port, number int, cells int64, surely bool) int64 {
	if surely && !slices.ContainsFunc(s.sure, func(a account) bool { return a.port == port && a.number == number }) {
		return 0
	}
	return min(cells, s.queued(surely))
}

// An account is a priority group of a port.
type account struct {
	port, number int
	pg           *mmu.PG
	group        *group
	bound        bound
	joint        bool // other groups of the port have a part in what it may take
}

type groupKey struct {
	qos      *plan.PortQoS
	link     model.Link
	declared bool
	pausable uint8
	name     string
}

// gather sorts ports into groups, and priority groups into slices.
func (p *prover) gather() {
	found := map[groupKey]*group{}
	p.slices = make([]slicePart, p.config.Slices)
	for i := range p.sw.Ports {
		port, own := &p.sw.Ports[i], &p.m.Ports[i]
		if trusted, ok := p.ctx.trusted[port.Name]; ok {
			own.Link.Interface, own.Link.Response, own.Link.SmallPackets = trusted.Interface, trusted.Response, trusted.SmallPackets
		}
		key := groupKey{port.QoS, own.Link, p.stated(port), own.Pausable, port.Group}
		g := found[key]
		if g == nil {
			g = &group{link: own.Link, worst: own.Link, qos: port.QoS, declared: key.declared, why: unmeasured(own.Link, port)}
			found[key] = g
			p.groups = append(p.groups, g)
		}
		g.ports = append(g.ports, i)
		if !slices.ContainsFunc(p.mapped, func(j int) bool { return p.m.Ports[j].Map == own.Map }) {
			p.mapped = append(p.mapped, i)
		}
		p.groupOf = append(p.groupOf, g)
		p.divide(i, g)
	}
	named := map[string]int{}
	p.report.ports = map[string]string{}
	for _, g := range p.groups {
		g.name = p.groupName(g)
		if named[g.name]++; named[g.name] > 1 {
			g.name += fmt.Sprintf(" (%d)", named[g.name])
		}
		p.report.ports[g.name] = p.m.Ports[g.ports[0]].Name
	}
	for slice := range p.slices {
		part := &p.slices[slice]
		part.reached = p.reachedBy(part.lossy)
		part.lossyEgress, _ = p.lossyQueued(part.reached)
		part.sure, part.lossySurely = p.surest(part.lossy)
	}
}

func (p *prover) divide(i int, g *group) {
	port := &p.config.Ports[i]
	part := &p.slices[port.Slice]
	for number := range port.PGs {
		a := p.account(i, number, g)
		if a.pg.Lossless {
			part.lossless = append(part.lossless, a)
		} else {
			part.lossy = append(part.lossy, a)
		}
	}
}

// unmeasured returns the reason why the data that a paused peer still sends are not known; empty if
// they are.
func unmeasured(l model.Link, port *plan.Port) string {
	if why := l.Unknown(port.Name); why != "" || port.Cable > 0 {
		return why
	}
	return fmt.Sprintf("the length of the cable of %s is not known: a fabric file with its cable would tell it", port.Name)
}

// need returns the most cells that come in from the decision to pause on, and with the packet
// that decides: see model.Link.
func (p *prover) need(l model.Link) int64 { return p.needWith(l, p.whole()) }

// needWith is need with so many whole frames in addition to those of the window.
func (p *prover) needWith(l model.Link, whole int64) int64 {
	window, pack := int64(l.Bytes()), p.packing(l.LosslessFrame)
	if l.SmallPackets > 0 {
		return mixed(window, p.config.CellBytes, p.config.MetadataBytes, l.LosslessFrame, l.SmallPackets, whole) + whole*pack.last
	}
	return pack.cells(window) + whole*pack.last
}

// whole returns the number of largest frames that come in in addition to those of the window: the
// last one, and the one that decides with its last byte.
func (p *prover) whole() int64 {
	if p.config.Rules.Decided == mmu.AtEnd {
		return 2
	}
	return 1
}

func (p *prover) packing(frame units.Bytes) *packing {
	pack := p.packings[frame]
	if pack == nil {
		pack = newPacking(p.config.CellBytes, p.config.MetadataBytes, frame)
		p.packings[frame] = pack
	}
	return pack
}

func (p *prover) groupName(g *group) string {
	port := &p.sw.Ports[g.ports[0]]
	name := port.Group
	if name == "" {
		name = port.Name
	}
	return fmt.Sprintf("%s (%d × %v, %v)", name, len(g.ports), g.link.Rate, g.link.Cable)
}

// buffer evaluates all that needs the buffer.
func (p *prover) buffer() {
	p.pauseReaches()
	p.headroom()
	p.resume()
	for slice := range p.slices {
		p.headroomPool(slice)
	}
	for slice := range p.slices {
		p.queues(slice)
	}
	for slice := range p.slices {
		p.memory(slice)
	}
	for slice := range p.slices {
		p.lossyShare(slice)
	}
	p.marking()
}

// add judges an obligation and keeps it. Conditions are given only where they suffice.
func (p *prover) add(o Obligation) *Obligation {
	switch {
	case o.Verdict == Unjudged:
	case len(o.Conditions) > 0:
		o.Verdict = Conditional
	case o.Left.Value > o.Right.Value:
		o.Verdict = Fails
	default:
		o.Verdict = Holds
	}
	o.At = lineOf(o.Range)
	p.report.Obligations = append(p.report.Obligations, inWords(o))
	return &p.report.Obligations[len(p.report.Obligations)-1]
}

// unjudged keeps an obligation that something is missing for.
func (p *prover) unjudged(id, where, because string, at diag.Range) {
	p.add(Obligation{ID: id, Where: where, Lossless: meanings[id].lossless, Verdict: Unjudged, Because: because, Range: at})
}

// withoutBuffer says of all obligations on the buffer that they cannot be judged.
func (p *prover) withoutBuffer(because string) {
	for _, id := range bufferIDs {
		p.unjudged(id, "whole switch", because, p.sw.Range)
	}
}

// silence takes back verdicts on what the files cannot say.
func (p *prover) silence() {
	for i := range p.report.Obligations {
		o := &p.report.Obligations[i]
		if because, ok := p.ctx.Silent[o.ID]; ok && o.Verdict == Fails {
			o.Verdict, o.Because = Unjudged, because
		}
	}
}

// place returns the line of the first reason that has one, or that of a port.
func (p *prover) place(port int, whys ...*plan.Why) diag.Range {
	return firstOf(cmp.Or(p.sw.Ports[port].Range, p.sw.Range), whys)
}

// placeOf returns the line of the first reason that has one, or that of the switch.
func (p *prover) placeOf(whys ...*plan.Why) diag.Range { return firstOf(p.sw.Range, whys) }

func firstOf(at diag.Range, whys []*plan.Why) diag.Range {
	for _, why := range whys {
		if why != nil && why.Range.Filename != "" {
			return why.Range
		}
	}
	return at
}

// pgOf returns the plan's priority group behind an account.
func (p *prover) pgOf(a account) *plan.PG {
	return a.group.qos.PG(uint8(a.number))
}

func (p *prover) account(port, number int, g *group) account {
	own := &p.config.Ports[port]
	pg := &own.PGs[number]
	return account{port, number, pg, g, newBound(pg.Limit, own.Ingress, pg.Pool), jointly(own, number)}
}

// jointly reports whether another group of a port draws on the same pool, in which the port
// has a bound.
func jointly(port *mmu.Port, number int) bool {
	if _, ok := mmu.BoundOf(port.Ingress, port.PGs[number].Pool); !ok {
		return false
	}
	for other := range port.PGs {
		pg := &port.PGs[other]
		if other != number && pg.Pool == port.PGs[number].Pool && (pg.Limit.Dynamic || pg.Limit.StaticCells > 0) {
			return true
		}
	}
	return false
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
