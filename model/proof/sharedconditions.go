package proof

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/units"
)

// This file decides the assumptions of obligations on shared resources: queues, whole ports, egress
// pools and the memory.
//
// They count at their worst first. Where one fails so, the switch is proved again under an
// undeclared assumption: that the chip decides with the first byte where nothing is published of
// that, that peers are silent within a shorter time than the standard allows them, that fewer
// packets are small. The longest time, or the largest share, with which the obligation holds is its
// condition. Where none of these helps, it stays refuted.

// A whatIf is the switch under an assumption.
type whatIf struct {
	links   map[string]model.Link // by port; nil: those at the worst
	decided bool                  // the chip decides with the first byte of a packet
}

// settleShared makes conditions of what shared obligations fail by.
func (p *prover) settleShared(chip *chips.Chip) {
	if p.ctx.trusted != nil {
		return // this is one of those proofs already
	}
	for i := range p.report.Obligations {
		if o := &p.report.Obligations[i]; o.Verdict == Fails && o.Lossless && slices.Contains([]string{QueueHolds, PortHolds, EgressHolds, Memory}, o.ID) {
			p.settleOne(chip, i)
		}
	}
}

// settleOne looks for an assumption under which an obligation holds.
func (p *prover) settleOne(chip *chips.Chip, i int) {
	for _, decided := range []bool{false, true} {
		if decided && !p.undecided {
			continue
		}
		if decided && p.under(chip, i, whatIf{decided: true}) != nil {
			p.assume(chip, i, whatIf{decided: true})
			return
		}
		if left := p.longestShared(chip, i, decided); left != 0 {
			p.assume(chip, i, whatIf{p.silentWithin(left, chip), decided})
			return
		}
		if share := p.largestShare(chip, i, decided); share != 0 {
			p.assume(chip, i, whatIf{p.withShare(share), decided})
			return
		}
	}
	if p.report.Obligations[i].ID == Memory {
		p.assumeMemory(chip, i)
	}
}

// under proves the switch under an assumption and returns what becomes of an obligation: nil
// where it does not hold.
func (p *prover) under(chip *chips.Chip, i int, w whatIf) *Obligation {
	ctx := *p.ctx
	ctx.trusted, ctx.decided = map[string]model.Link{}, w.decided
	for k := range p.sw.Ports {
		name := p.sw.Ports[k].Name
		link, ok := w.links[name]
		if !ok {
			link = p.judgedLink(p.groupOf[k])
		}
		ctx.trusted[name] = link
	}
	report, _ := Prove(p.sw, chip, ctx) // of the same chip
	o := &p.report.Obligations[i]
	if o.ID == Memory {
		return heldAtOnce(report, o.Where)
	}
	at := slices.IndexFunc(report.Obligations, o.sameKind)
	if at < 0 || report.Obligations[at].Verdict != Holds && !assumedOnly(&report.Obligations[at]) {
		return nil
	}
	if report.Obligations[at].Where == o.Where {
		return &report.Obligations[at]
	}
	// Of the ports that are alike another one is the worst then: so it holds of this one too.
	at = slices.IndexFunc(report.lessTight, func(other Obligation) bool { return other.ID == o.ID && other.Where == o.Where })
	if at < 0 {
		return nil
	}
	return &report.lessTight[at]
}

// sameKind reports whether an obligation of another proof of the same switch is this one, of whichever of the
// ports that are alike it is.
func (o *Obligation) sameKind(other Obligation) bool {
	if o.ID != QueueHolds && o.ID != PortHolds {
		return other.ID == o.ID && other.Where == o.Where
	}
	return other.ID == o.ID && other.out == o.out && other.Place() == o.Place()
}

// assumedOnly reports whether an obligation is conditional on nothing but data of the chip.
func assumedOnly(o *Obligation) bool {
	return o.Verdict == Conditional && !slices.ContainsFunc(o.Conditions, func(c Condition) bool { return c.ID != AssumedDatum })
}

// silentWithin returns the links where peers, and the layers of the switch, take at most a time
// together, as far as no more is declared.
func (p *prover) silentWithin(left units.Time, chip *chips.Chip) map[string]model.Link {
	_, unknown := chip.PauseDelay.Get()
	links := map[string]model.Link{}
	for k := range p.sw.Ports {
		g := p.groupOf[k]
		link := p.judgedLink(g)
		switch {
		case !g.declared && unknown != nil && left <= link.Interface:
			link.Interface, link.Response = 0, min(link.Response, left) // for both together
		case !g.declared:
			link.Response = min(link.Response, max(0, left-link.Interface))
		case unknown != nil:
			link.Interface = min(link.Interface, max(0, left-link.Response))
		}
		links[p.sw.Ports[k].Name] = link
	}
	return links
}

// withShare returns the links where at most a share of packets is small, as far as no other is
// declared.
func (p *prover) withShare(share units.Ratio) map[string]model.Link {
	links := map[string]model.Link{}
	for k := range p.sw.Ports {
		g := p.groupOf[k]
		link := p.judgedLink(g)
		if g.why == "" && p.mixable(g) {
			link.SmallPackets = share
		}
		links[p.sw.Ports[k].Name] = link
	}
	return links
}

// longestShared returns the longest such time with which an obligation holds; 0 if none that published
// implementations keep is.
func (p *prover) longestShared(chip *chips.Chip, i int, decided bool) units.Time {
	holds := func(left units.Time) bool {
		return p.under(chip, i, whatIf{p.silentWithin(left, chip), decided}) != nil
	}
	low, high := units.Time(1), units.Time(1)
	for _, g := range p.groups {
		low = max(low, p.leastTime(g))
		high = max(high, p.judgedLink(g).Interface+p.judgedLink(g).Response)
	}
	if !holds(low) {
		return 0
	}
	for high-low > 1 {
		if middle := (low + high) / 2; holds(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return max(1, low-1) // a packet may begin a picosecond earlier, see longest
}

// largestShare returns the largest such share, in whole per cents; 0 if half is too many.
func (p *prover) largestShare(chip *chips.Chip, i int, decided bool) units.Ratio {
	holds := func(percent int64) bool {
		return p.under(chip, i, whatIf{p.withShare(units.Ratio(percent) * units.Percent), decided}) != nil
	}
	low, high := int64(smallestShare), int64(100)
	if !slices.ContainsFunc(p.groups, func(g *group) bool { return g.why == "" && p.mixable(g) }) || !holds(low) {
		return 0
	}
	for high-low > 1 {
		if middle := (low + high) / 2; holds(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return units.Ratio(low) * units.Percent
}

// assume makes an obligation conditional on an assumption under which it holds.
func (p *prover) assume(chip *chips.Chip, i int, w whatIf) {
	under := p.under(chip, i, w)
	o := &p.report.Obligations[i]
	if o.ID == Memory {
		o = p.splitMemory(i, under)
	}
	o.Verdict, o.Under = Conditional, under.Read()
	short := -o.Slack()
	if w.decided {
		o.Conditions = append(o.Conditions, p.decidedCondition(short))
	}
	for _, g := range p.groups {
		link, ok := w.links[p.sw.Ports[g.ports[0]].Name]
		if !ok || link == p.judgedLink(g) {
			continue
		}
		o.Conditions = append(o.Conditions, p.linkCondition(g, link, short))
		for _, k := range g.ports {
			strictest(&p.m.Ports[k].Link, link)
		}
	}
}

// strictest takes over what is stricter of another link.
func strictest(l *model.Link, other model.Link) {
	l.Interface, l.Response = min(l.Interface, other.Interface), min(l.Response, other.Response)
	if other.SmallPackets > 0 && (l.SmallPackets == 0 || other.SmallPackets < l.SmallPackets) {
		l.SmallPackets = other.SmallPackets
	}
}

// linkCondition returns the difference of a link from the worst one.
func (p *prover) linkCondition(g *group, link model.Link, short int64) Condition {
	worst := p.judgedLink(g)
	c := Condition{Where: g.name, Short: short, Unit: InTime}
	switch {
	case link.SmallPackets != worst.SmallPackets:
		c.ID, c.Declare, c.Unit = PacketMix, smallPackets, inPPB
		c.Bound, c.Worst, c.Frame = int64(link.SmallPackets), int64(units.One), int64(link.LosslessFrame)
		c.Assumes = mixText(link.SmallPackets, link.LosslessFrame)
	case link.Response != worst.Response:
		c.ID, c.Declare = PeerResponse, p.whoDeclares(g)
		c.Bound, c.Worst = int64(link.Response), int64(g.worst.Response)
		if link.Interface == 0 && worst.Interface > 0 {
			c.Layers = int64(g.worst.Interface)
		}
		c.Assumes = c.responseText()
	default:
		c.ID, c.Where, c.Declare = ChipDatum, p.chipName(), "pause_delay of "+p.chipName()
		c.Bound, c.Worst = int64(link.Interface), int64(worst.Interface)
		c.Assumes = layersText(link.Interface, worst.Interface)
	}
	return c
}

// heldAtOnce returns the obligation on the cells held at once in a slice whose memory is configured
// beyond its size, if it holds.
func heldAtOnce(r *Report, where string) *Obligation {
	for i := range r.Obligations {
		o := &r.Obligations[i]
		switch {
		case o.ID != Memory || o.Where != where:
		case o.Verdict == Unjudged || o.Lossless && o.Verdict == Fails:
			return nil // the order of packets decides, or they are lost
		}
	}
	at := slices.IndexFunc(r.heldAtOnce, func(o Obligation) bool { return o.Where == where })
	if at < 0 {
		return nil
	}
	return &r.heldAtOnce[at]
}

// assumeMemory makes what is held at once conditional on more memory than there is where the
// catalogue assumes how much that is. The configuration stays beyond it, and is reported so.
func (p *prover) assumeMemory(chip *chips.Chip, i int) {
	d := memoryDatum(chip)
	if d.fact == nil || d.fact.Confidence != chips.Assumed {
		return
	}
	was := p.config.SliceCells
	at := slices.IndexFunc(p.report.heldAtOnce, func(h Obligation) bool { return h.Where == p.report.Obligations[i].Where })
	o := p.splitMemory(i, &p.report.heldAtOnce[at])
	p.config.SliceCells = max(was, units.Cells(o.Left.Value))
	terms := slices.Clone(o.Terms)
	terms[len(terms)-1].Value = o.Left.Value
	o.Verdict, o.Under = Conditional, &Inequality{terms, o.Left, Side{"V", o.Left.Value}, o.fills}
	o.Conditions = append(o.Conditions, Condition{
		ID: AssumedDatum, Where: p.chipName(), Declare: d.name + " of " + p.chipName() + surely,
		Assumes: memoryText(p.config.Slices, o.Left.Value, int64(was)) + d.fact.Source,
		Bound:   int64(was), Worst: o.Left.Value, Unit: InCells, Short: -o.Slack(),
	})
}

// surely ends what would declare a datum that is assumed.
const surely = ", from a source that is sure of it"

func memoryText(parts int, needed, assumed int64) string {
	return fmt.Sprintf("each of %d parts of the buffer has at least %d cells; the catalogue assumes that it has %d: ", parts, needed, assumed)
}

// splitMemory takes what can be held at once apart from what is configured: that is more than
// there is in any case.
func (p *prover) splitMemory(i int, judged *Obligation) *Obligation {
	o := &p.report.Obligations[i]
	o.Lossless = false
	at := slices.IndexFunc(p.report.heldAtOnce, func(h Obligation) bool { return h.Where == o.Where })
	all := p.report.heldAtOnce[at]
	all.Where, all.Lossless, all.Range, all.At = judged.Where+atOnce, true, o.Range, o.At
	p.report.Obligations = append(p.report.Obligations, all)
	return &p.report.Obligations[len(p.report.Obligations)-1]
}
