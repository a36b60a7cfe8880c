package proof

import (
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// This file decides the assumptions of the need of a group of ports.
//
// First everything counts at its worst: an undeclared response takes as long as IEEE 802.3 allows,
// so do the layers of the switch itself, and packets have the sizes that fill cells fastest. Where
// the headroom suffices for that, there is no condition. Where it does not, one undeclared figure
// is turned into a bound: the time that is left for it, solved from the headroom; if no time would
// help, the share of small packets. Where none of these would help, the headroom is too short, and
// that is a failure. A time that no published implementation keeps does not help: see
// [model.FastestLayers].
//
// For a speed of which the standard names no response, the bound takes its place.

// longestResponse bounds the search for a time.
const longestResponse = units.Second

// settleConditions finds the link of every group under its conditions.
func (p *prover) settleConditions() {
	for _, g := range p.groups {
		if g.why != "" {
			continue
		}
		_, standard := model.StandardResponse(g.link.Rate)
		known := g.declared || standard
		if limit, ok := p.limitOf(g, known); ok && !(known && p.need(g.worst) <= limit) {
			p.condition(g, limit, known)
		} else if !known && !ok {
			g.link = p.easiest(g) // a failure for the fastest peer is one for all
		}
		g.need = p.need(g.link)
		if p.undecided {
			g.extra = p.needWith(g.link, p.whole()+1) - g.need // with it may come a few small ones more
		}
		for _, i := range g.ports {
			p.m.Ports[i].Link = g.link
		}
	}
}

// limitOf returns the most cells that may come in after a pause of a group that is not lost in
// any case: the least of what its lossless priority groups take. False if all are.
func (p *prover) limitOf(g *group, known bool) (limit int64, ok bool) {
	easiest := p.easiest(g)
	fewest := p.need(easiest)
	if easiest = g.worst; known && p.mixable(g) {
		easiest.SmallPackets = smallestShare * units.Percent
		fewest = min(fewest, p.need(easiest))
	}
	for _, a := range p.losslessOf(g) {
		takes := int64(a.pg.HeadroomCells) + p.belowEverywhere(a)
		if takes >= fewest && (!ok || takes < limit) {
			limit, ok = takes, true
		}
	}
	return limit, ok
}

// easiest returns the link of a group at which least comes in: without layers of the switch, all time that is
// left is the peer's.
func (p *prover) easiest(g *group) model.Link {
	l := g.worst
	l.Interface, l.Response = 0, p.leastTime(g)
	return l
}

// leastTime returns the least that the layers of the switch and the response of a peer may take together for a
// condition: what is declared of the response, and for the rest what the fastest of published
// implementations take, unless even less is known.
func (p *prover) leastTime(g *group) units.Time {
	own := min(g.worst.Interface, p.fastest)
	switch {
	case g.declared:
		return g.worst.Response + own
	case g.worst.Response == 0: // no standard bounds it
		return p.fastest + own
	}
	return min(g.worst.Response, p.fastest) + own
}

// condition bounds an undeclared figure so that the need is within the limit.
func (p *prover) condition(g *group, limit int64, known bool) {
	idle := g.worst
	idle.Interface = 0
	if left, ok := p.longest(idle, limit); ok && p.conditionTime(g, left, known) {
		return
	}
	if known && p.mixable(g) {
		p.conditionMix(g, limit)
	}
}

// mixable reports whether the mix of packets alone may decide: it is not declared, and the size of
// the large ones is.
func (p *prover) mixable(g *group) bool {
	return g.worst.SmallPackets == 0 && p.ctx.declared(&p.sw.Ports[g.ports[0]]).LosslessFrame.Value > 0
}

// longest returns the longest response over a link with which the need is within a limit, less a
// picosecond: packets begin at whole picoseconds, so that one may begin earlier than it
// could by less than that. False if even none is too long.
func (p *prover) longest(l model.Link, limit int64) (units.Time, bool) {
	low, high := units.Time(0), units.Microsecond
	for l.Response = high; l.Response < longestResponse && p.need(l) <= limit; l.Response = high {
		low, high = high, 2*high
	}
	for high-low > 1 {
		if l.Response = (low + high) / 2; p.need(l) <= limit {
			low = l.Response
		} else {
			high = l.Response
		}
	}
	return low - 1, low > 0
}

// conditionTime divides the time that is left among the switch's own layers and the peer: the
// declared time comes first, then the standard's time for the layers.
func (p *prover) conditionTime(g *group, left units.Time, known bool) bool {
	own := g.worst.Interface
	c := Condition{Unit: InTime}
	switch {
	case g.declared && left > g.worst.Response:
		g.link.Interface = left - g.worst.Response
		c.ID, c.Where, c.Declare = ChipDatum, p.chipName(), "pause_delay of "+p.chipName()
		c.Assumes = layersText(g.link.Interface, own)
		c.Bound, c.Worst = int64(g.link.Interface), int64(own)
		c.Terms = []Term{figure("i", g.link.Interface)}
	case !g.declared && left > 0:
		c.ID, c.Where, c.Declare = PeerResponse, g.name, p.whoDeclares(g)
		g.link.Interface, g.link.Response = min(own, left), left-min(own, left)
		if left <= own {
			g.link.Interface, g.link.Response, c.Layers = 0, left, int64(own)
		}
		c.Bound, c.Worst = int64(g.link.Response), int64(g.worst.Response)
		c.Assumes = c.responseText()
		c.Terms = []Term{figure("i", g.link.Interface), figure("t", g.link.Response)}
		if !known {
			c.Terms = nil // the obligation is stated with the bound itself
		}
	default:
		return false
	}
	g.conditions = append(g.conditions, c)
	return true
}

func layersText(time, allowed units.Time) string {
	return fmt.Sprintf("the switch's own layers take at most %v to send a pause and to receive packets; IEEE 802.3 allows them %v", time, allowed)
}

// responseText returns the assumption of a condition on the response of peers.
func (c *Condition) responseText() string {
	within, allowed := units.Time(c.Bound), fmt.Sprintf("IEEE 802.3 allows it %v", units.Time(c.Worst))
	if c.Worst == 0 {
		_, link, _ := strings.Cut(c.Where, " × ") // of the name of the ports
		rate, _, _ := strings.Cut(link, ",")
		allowed = "no public standard limits this time at " + rate
	}
	if c.Layers > 0 {
		return fmt.Sprintf("the switch's own layers and the response of the peer take at most %v together; IEEE 802.3 allows the layers %v, and %s", within, units.Time(c.Layers), allowed)
	}
	return fmt.Sprintf("the peer is silent within %v of a pause; %s", within, allowed)
}

// smallestShare is the least share of small packets that a condition names, in per cent: half, as
// SONiC's calculator for Spectrum assumes by default (sonic-swss
// cfgmgr/buffer_headroom_mellanox.lua) and what one acknowledgement for every packet of data comes
// to where traffic goes both ways. Fewer are not traffic to count on.
const smallestShare = 50

// conditionMix finds the largest share of smallest packets, in whole per cents, with which
// the need is within the limit.
func (p *prover) conditionMix(g *group, limit int64) {
	holds := func(percent int64) bool {
		l := g.worst
		l.SmallPackets = units.Ratio(percent) * units.Percent
		return p.need(l) <= limit
	}
	low, high := int64(smallestShare), int64(100)
	if !holds(low) {
		return
	}
	for high-low > 1 {
		if middle := (low + high) / 2; holds(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	share := units.Ratio(low) * units.Percent
	g.link.SmallPackets = share
	g.conditions = append(g.conditions, Condition{
		ID: PacketMix, Where: g.name, Declare: smallPackets, Unit: inPPB, Bound: int64(share), Worst: int64(units.One),
		Assumes: mixText(share, g.link.LosslessFrame), Frame: int64(g.link.LosslessFrame),
		Terms: []Term{
			figure("s", share),
			derived("N", p.need(g.link), rename(mixedExpr+wholeExpr, "")),
		},
	})
}

func mixText(share units.Ratio, frame units.Bytes) string {
	return fmt.Sprintf("after a pause at most %v of the packets have the smallest size, and the others have %v", share, frame)
}

// whoDeclares names what would declare the response of the peers of a group.
func (p *prover) whoDeclares(g *group) string {
	if name := p.sw.Ports[g.ports[0]].Group; name != "" {
		return responseOf(name)
	}
	return anyResponse
}

// Places that would declare a figure.
const (
	smallPackets = "small_packets of the fabric"
	anyResponse  = "pause_response in a fabric file, or --response"
)

func responseOf(group string) string {
	return fmt.Sprintf("pause_response of port group %q, or of the NIC there", group)
}

func (p *prover) chipName() string { return "chip " + p.sw.Chip }

// stated reports whether the response of a port's peer is stated.
func (p *prover) stated(port *plan.Port) bool {
	_, trusted := p.ctx.trusted[port.Name]
	return trusted || p.ctx.declared(port).Declared
}

// judgedLink returns the link that obligations on a single group are stated with: the worst one,
// or where that has no figure the one under the conditions.
func (p *prover) judgedLink(g *group) model.Link {
	if _, standard := model.StandardResponse(g.link.Rate); standard || g.declared {
		return g.worst
	}
	return g.link
}

// demand gives an obligation the conditions that it needs, if it holds under them: its left side is
// then as given. A chip may decide with the last byte of a packet where it is not published with
// which one it does.
func (p *prover) demand(g *group, o *Obligation, under int64) {
	if under > o.Right.Value {
		return
	}
	short := max(0, o.Slack()*-1)
	unknown := p.judgedLink(g) != g.worst || g.worst.Response == 0 && !g.declared
	if short > 0 || unknown {
		for _, c := range g.conditions {
			c.Short = short
			o.Conditions = append(o.Conditions, c)
		}
	}
	if lacking := under + g.extra - o.Right.Value; lacking > 0 { // with the last byte alone: see above
		o.Conditions = append(o.Conditions, p.decidedCondition(lacking))
	}
}

func (p *prover) decidedCondition(short int64) Condition {
	return Condition{
		ID: ChipDatum, Where: p.chipName(), Declare: "xoff_decided of " + p.chipName(), Short: short,
		Assumes: decidedText,
	}
}

const decidedText = "the chip decides to pause with the first byte of a packet; this is not published, and if it decides with the last byte, another largest frame arrives"

// worst returns the switch at its worst, for an adversary to refute what a condition is for.
func (p *prover) worst() *model.Switch {
	m, config := *p.m, *p.config
	if p.undecided {
		config.Rules.Decided = mmu.AtEnd
	}
	m.Config, m.Ports = &config, append([]model.Port(nil), p.m.Ports...)
	return &m
}

// unbounded makes responses that no standard bounds longer than their bound, in the switch
// at its worst.
func (p *prover) unbounded() {
	for _, g := range p.groups {
		if _, standard := model.StandardResponse(g.link.Rate); standard || g.declared || len(g.conditions) == 0 {
			continue
		}
		for _, i := range g.ports {
			l := &p.report.Worst.Ports[i].Link
			l.Interface, l.Response = g.link.Interface, g.link.Response+2 // one for the picosecond that longest takes off
		}
	}
}
