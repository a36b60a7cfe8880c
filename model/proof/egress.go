package proof

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/plan"
)

// egressHolds: an egress pool on which lossless queues draw takes all that lossless
// groups can hold, whichever queues it waits in. Where lossy queues draw on it too, what
// they can take comes on top.
func (p *prover) egressHolds(slice, pool int) {
	list := p.drawing(slice, pool)
	if len(list) == 0 {
		return
	}
	name, size := p.config.EgressPools[pool].Name, int64(p.config.EgressPools[pool].SharedCells)
	own := p.climbed(p.sum(list, nil), list, func(cells int64) bool { return cells > size })
	own, countedTwice := p.withoutCountedTwice(own, list, size)
	left, terms := own.side, own.terms
	surely, twice := own.surely-countedTwice-p.keptByQueues(pool, list), len(list)-int(countedTwice)
	o := Obligation{
		ID: EgressHolds, Where: fmt.Sprintf("slice %d, pool %s", slice, name),
		Lossless: true, Right: Side{"S", size}, Range: p.poolPlace(name), fills: own.fills,
	}
	if lossy := p.lossyQueues(p.slices[slice].reached, pool); len(lossy) > 0 && left.Value <= size {
		left, terms, surely = p.withLossy(slice, own, list, lossy, pool, &o)
		twice = len(list)
	}
	o.Left, o.Terms = left, append(terms, figure("S", size).from(o.Range))
	added := p.add(o)
	if p.sum(ofKnownPorts(list), nil).surely <= size {
		added.unjudgedBy(unknown(list))
	}
	if own.side.Value > size {
		added.openIfLoose(surely, size)
	}
	p.openIfSingleCells(added, surely, twice, func(int64) int64 { return size })
	openIfAfterResume(added, own.afterResume, added.Slack() >= own.afterResume)
}

// lossyQueues lists the limits of the queues that draw on a pool and that lossy traffic
// reaches, by port.
func (p *prover) lossyQueues(reached []uint16, pool int) (all []drawer) {
	for port, queues := range reached {
		all = append(all, lossyOn(&p.config.Ports[port], port, pool, p.fedLossless(port), queues)...)
	}
	sortDrawers(all)
	return all
}

// lossyOn lists the queues of one port that draw on a pool and that lossy traffic reaches. Where
// queues that lossless groups feed have a part in what the port may take, nothing of it is sure.
func lossyOn(own *mmu.Port, port, pool int, fed, reached uint16) (all []drawer) {
	whole, bounded := mmu.BoundOf(own.Egress, pool)
	for number, queue := range own.Queues {
		if queue.Pool != pool {
			continue
		}
		if fed>>number&1 == 1 {
			whole = mmu.Limit{}
		}
		if reached>>number&1 == 1 && (queue.Limit.Dynamic || queue.Limit.StaticCells > 0) {
			all = append(all, drawer{bound: newBound(queue.Limit, own.Egress, pool), port: port})
		}
	}
	for i := range all {
		if bounded {
			all[i].whole = &whole
		}
	}
	return all
}

// mostOf returns the most that drawers take of a pool of a size.
func mostOf(list []drawer, rule mmu.Admission, size int64) int64 {
	all := make([]bound, len(list))
	for i, d := range list {
		all[i] = d.bound
	}
	return size - leaves(worstOrder(widen(all), rule, size), rule, size)
}

// reachedBy returns, by port, the queues that lossy groups feed. A port does not send to itself.
// Where the maps are not known, that is each of them.
func (p *prover) reachedBy(lossy []account) []uint16 {
	reached := make([]uint16, len(p.config.Ports))
	for _, out := range p.mapped {
		own := reached
		if len(p.mapped) > 1 {
			own = make([]uint16, len(p.config.Ports))
		}
		for _, a := range lossy {
			switch {
			case a.bound.none() && a.pg.ReservedCells == 0:
			case p.sw.Maps == plan.Maps{}:
				own[a.port] = math.MaxUint16
			default:
				own[a.port] |= p.m.Feeds(a.port, a.number, out)
			}
		}
		var one, several uint16
		for _, fed := range own {
			one, several = one|fed, several|one&fed
		}
		for port, fed := range own {
			if p.m.Ports[port].Map == p.m.Ports[out].Map {
				reached[port] = several | one&^fed
			}
		}
	}
	return reached
}

// alike divides lossy groups by the queues that they feed.
func (p *prover) alike(lossy []account) (kinds [][]account) {
	for _, a := range lossy {
		i := slices.IndexFunc(kinds, func(kind []account) bool {
			return !slices.ContainsFunc(p.mapped, func(out int) bool {
				return p.m.Feeds(a.port, a.number, out) != p.m.Feeds(kind[0].port, kind[0].number, out)
			})
		})
		if i < 0 {
			kinds, i = append(kinds, nil), len(kinds)
		}
		kinds[i] = append(kinds[i], a)
	}
	return kinds
}

// surest returns the groups of one kind that surely hold most, and what their queues hold.
func (p *prover) surest(lossy []account) (sure []account, queued int64) {
	most := int64(-1)
	for _, alike := range p.alike(lossy) {
		_, out := p.lossyQueued(p.reachedBy(alike))
		if holds := min(out, p.sum(nil, alike).surely); holds > most {
			sure, queued, most = alike, out, holds
		}
	}
	return sure, queued
}

// fedLossless returns the set of queues of a port that lossless groups feed, of any port.
func (p *prover) fedLossless(out int) (queues uint16) {
	kind := p.m.Ports[out].Map
	queues, known := p.fed[kind]
	if known {
		return queues
	}
	for in := range p.config.Ports {
		for number := range p.config.Ports[in].PGs {
			if p.config.Ports[in].PGs[number].Lossless {
				queues |= p.m.Feeds(in, number, out)
			}
		}
	}
	p.fed[kind] = queues
	return queues
}

// together is why there is no verdict where lossy and lossless traffic have to share.
const together = "whether lossy and lossless traffic can hold their most at once depends on the order of arrivals, which no file tells: smaller limits of lossy traffic would leave room in any order"

// withLossy adds what lossy traffic can hold of the pool: no more than its queues admit, and no
// more together with lossless traffic than the ingress side admits. Between what is possible in any
// case and that bound there is no verdict. The certain part is computed where that bound is above
// the pool.
func (p *prover) withLossy(slice int, own holding, list []account, lossy []drawer, pool int, o *Obligation) (left Side, terms []Term, certain int64) {
	rule, size := p.config.Rules.Admission, int64(p.config.EgressPools[pool].SharedCells)
	queued := mostOf(lossy, rule, size)
	joint := p.sum(list, p.slices[slice].lossy)
	bound := min(joint.side.Value, own.side.Value+queued)
	if bound > size {
		if certain = p.certainly(slice, list, pool) - p.keptByQueues(pool, list); certain <= size {
			o.leaveOpen(together)
		}
	}
	if own.side.Value+queued < joint.side.Value {
		return Side{own.side.Expr + " + y", bound}, append(slices.Clone(own.terms), figure("y", queued)), certain
	}
	// Reserves of lossy groups are a part of what lossy traffic takes.
	reserves := valueOf(own.terms, "r")
	terms = append(slices.Clone(joint.terms), figure("y", valueOf(joint.terms, "r")-reserves))
	terms[0].Value, o.fills = reserves, joint.fills
	return Side{joint.side.Expr + " + y", bound}, terms, certain
}

// certainly returns the cells that lossy groups of one kind, which fill first, and then lossless
// ones hold outside the reserves of the lossy queues of an egress pool. Packets in these reserves
// are counted on ingress too.
func (p *prover) certainly(slice int, list []account, pool int) int64 {
	certain, size := p.sum(list, nil).surely, int64(p.config.EgressPools[pool].SharedCells)
	for _, alike := range p.alike(p.slices[slice].lossy) {
		reached := p.reachedBy(alike)
		reserves := p.lossyReserves(reached, func(queue int) bool { return queue == pool })
		queued := size - visited(p.lossyQueues(reached, pool), p.config.Rules.Admission, size)
		if inPool := min(queued, p.sum(nil, alike).surely-reserves); inPool > 0 {
			certain = max(certain, p.lossyFirst(slice, list, inPool+reserves)-reserves)
		}
	}
	return certain
}

// keptByQueues returns the cells in reserves of queues, and not in their pool, where all lossless
// groups send to one port and the groups of that port to one like it: for the ports with the
// fewest.
func (p *prover) keptByQueues(pool int, list []account) int64 {
	var all []int64
	for _, g := range p.groups {
		kept, fed := int64(0), p.fedLossless(g.ports[0])
		for number, queue := range p.config.Ports[g.ports[0]].Queues {
			if queue.Pool == pool && fed>>number&1 == 1 {
				kept += int64(queue.ReservedCells)
			}
		}
		if slices.ContainsFunc(list, func(a account) bool { return a.port == g.ports[0] }) {
			kept *= 2
		}
		if len(p.config.Ports[g.ports[0]].Queues) > 0 {
			all = append(all, kept)
		}
	}
	if all == nil {
		return 0
	}
	return slices.Min(all)
}

// lossyFirst returns the cells in the buffer when lossy traffic has filled it first.
func (p *prover) lossyFirst(slice int, list []account, lossy int64) int64 {
	total, rule := lossy+p.sum(list, nil).surely, p.config.Rules.Admission
	for pool := range p.config.IngressPools {
		drawers := p.drawersOf(pool, list)
		shared := int64(p.config.IngressPools[pool].SharedCells)
		total -= shared - visited(drawers, rule, shared)
		if len(boundsOf(pool, p.slices[slice].lossy)) > 0 {
			shared = max(0, shared-lossy)
		}
		total += shared - visited(drawers, rule, shared)
	}
	return total
}

// poolPlace returns the line that sizes a pool.
func (p *prover) poolPlace(name string) diag.Range {
	if pool := p.sw.Pool(name); pool != nil {
		return p.placeOf(pool.Headroom.Why, pool.Size.Why)
	}
	return p.sw.Range
}

// boundPlace returns the line that bounds a whole port in a pool.
func (p *prover) boundPlace(port int, pool string) diag.Range {
	for _, b := range p.sw.Ports[port].QoS.Pools {
		if b.Pool == pool {
			return p.place(port, b.Limit.Why)
		}
	}
	return p.place(port)
}

// queuePlace returns the line that limits a queue.
func (p *prover) queuePlace(port, number int) diag.Range {
	if q := p.queueOf(port, number); q != nil {
		return p.place(port, q.Limit.Why)
	}
	return p.place(port)
}

func (p *prover) queueOf(port, number int) *plan.Queue {
	return p.sw.Ports[port].QoS.Queue(uint8(number))
}

// memoryPlace returns the line of what has to shrink: the largest headroom where headroom that
// groups own takes most of it, else the first ingress pool.
func (p *prover) memoryPlace(part *slicePart, owned bool) diag.Range {
	if owned {
		worst := slices.MaxFunc(part.lossless, func(a, b account) int { return cmp.Compare(a.pg.HeadroomCells, b.pg.HeadroomCells) })
		return p.place(worst.port, p.pgOf(worst).Headroom.Why)
	}
	for _, pool := range p.sw.Pools {
		if pool.Direction == plan.Ingress {
			return p.placeOf(pool.Size.Why)
		}
	}
	return p.sw.Range
}
