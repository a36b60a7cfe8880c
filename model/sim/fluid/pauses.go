package fluid

import (
	"math"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/units"
)

// window is the interval at which queues are compared with the thresholds of priority groups: as short as the windows
// in which runs of packets of a few milliseconds count pauses.
const window = int64(16 * units.Microsecond)

// pauses counts for each port the windows at whose end its priority group holds more than its
// threshold. Packets would be paused there, so the times of a fluid run, which has no pauses, are
// too short. The bytes waiting at a port are divided among its ingress links, by their present
// rates. Those of messages that have ended are left out, so the count is too low rather than too
// high.
type pauses struct {
	next    int64 // ps
	windows int

	limits []threshold // by link: of the group that it leads to
	over   []int       // by link: windows
	held   []float64   // by link: bits of the group
	used   []float64   // by pool: bits of all groups

	least []float64 // by node: as long as all its queues have less, no group of it is above its threshold
	waits []float64 // by node: bits in all its queues
}

// threshold is the level at which a priority group pauses: a fixed amount, or alpha times the free part of a pool.
type threshold struct {
	pool  int32 // none: it never pauses
	alpha float64
	size  float64 // bits that the pool has, or the fixed amount
}

// newPauses reads the thresholds of all switches that have a plan's buffer.
func newPauses(sc *sim.Scenario, class uint8) pauses {
	p := pauses{next: window, limits: make([]threshold, 2*len(sc.Links)), held: make([]float64, 2*len(sc.Links)), over: make([]int, 2*len(sc.Links)),
		least: make([]float64, len(sc.Nodes)), waits: make([]float64, len(sc.Nodes))}
	plugged := make([]int, len(sc.Nodes)) // links of each node so far
	pools := map[[2]int]int32{}           // by node and part of its buffer
	for port := range p.limits {
		p.limits[port].pool = none
	}
	for node := range p.least {
		p.least[node] = math.Inf(1)
	}
	for i := range sc.Links {
		for end := range 2 {
			node := sc.Links[i].Node(end)
			at := plugged[node]
			plugged[node]++
			if node >= len(sc.Silicon) || sc.Silicon[node] == nil {
				continue
			}
			own, config := sc.Silicon[node], sc.Silicon[node].Config
			into := &config.Ports[own.Ports[at]]
			group := &into.PGs[own.PG[class]]
			if !group.Lossless {
				continue
			}
			key := [2]int{node, into.Slice}
			pool, known := pools[key]
			if !known {
				pool = int32(len(pools))
				pools[key] = pool
			}
			bits := 8 * float64(config.CellBytes)
			t := threshold{pool: pool, size: bits * float64(group.Limit.StaticCells)}
			if group.Limit.Dynamic {
				t.alpha = math.Ldexp(1, int(group.Limit.Alpha))
				t.size = bits * float64(config.IngressPools[group.Pool].SharedCells)
			}
			p.limits[2*i+1-end] = t // a packet comes in by the port at the other end
			p.least[node] = min(p.least[node], t.least())
		}
	}
	p.used = make([]float64, len(pools))
	return p
}

// until samples the windows that end before a time. Rates do not change until then.
func (p *pauses) until(e *engine, at int64) {
	if e.spread != nil { // a port may represent many
		return
	}
	for ; p.next < at; p.next += window {
		if len(e.transfers) > len(e.free) { // something is being sent
			p.windows++
			if p.filled(e) {
				p.sample(e)
			}
		}
	}
}

// filled reports whether the queues of a switch have so much that a group of it may be above its threshold.
func (p *pauses) filled(e *engine) (any bool) {
	clear(p.waits)
	for port := range e.links {
		if l := &e.links[port]; l.open {
			l.advance(p.next)
			node := nodeOf(e.sc, port)
			p.waits[node] += l.bits
			any = any || p.waits[node] > p.least[node]
		}
	}
	return any
}

// sample holds all groups against their thresholds at the end of a window.
func (p *pauses) sample(e *engine) {
	clear(p.held)
	clear(p.used)
	for i := range e.transfers {
		t := &e.transfers[i]
		if t.group { // its uses are not one way
			continue
		}
		for k := 1; k < len(t.uses); k++ {
			u, into := &t.uses[k], t.uses[k-1].link
			l := &e.links[u.link]
			if !u.queues || u.acks || p.limits[into].pool == none {
				continue
			}
			if l.bits > 0 && l.inflow > 0 {
				part := l.bits * u.weight * t.rate / l.inflow
				p.held[into] += part
				p.used[p.limits[into].pool] += part
			}
		}
	}
	for port, holds := range p.held {
		if t := &p.limits[port]; holds > 0 && holds > t.most(p.used) {
			p.over[port]++
		}
	}
}

// most returns the threshold as it is now, in bits.
func (t *threshold) most(used []float64) float64 {
	if t.alpha == 0 {
		return t.size
	}
	return t.alpha * max(0, t.size-used[t.pool])
}

// least returns the fill at which a group that is alone exceeds its threshold.
func (t *threshold) least() float64 {
	if t.alpha == 0 {
		return t.size
	}
	return t.size * t.alpha / (1 + t.alpha)
}
