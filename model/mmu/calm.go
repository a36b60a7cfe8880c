package mmu

// A Calm is a promise about a buffer that holds little: no packet before the next check is refused,
// whatever else arrives, and none pauses a group or takes headroom. Then it makes no difference
// when such a packet is counted, and a packet that has left again need not be counted at all:
// without headroom, a group's total alone says how much of it is in the reserve.
//
// It is kept as a bound on each pool, group, queue and port. A bound leaves room for what may be in the switch and
// not be counted, at the least that the free part of the pool can then be.
type Calm struct {
	m               *MMU
	pgs, queues     []int64 // cells in all; by index in MMU.pgs and MMU.queues
	bounds          []int64 // cells of the shared part; by index in MMU.bounds
	ingress, egress []int64 // cells in use; by index in MMU.ingress and MMU.egress
	groups, turns   []int32 // the PGs and queues that are in use
	most            int64   // cells in the whole buffer with which none can be beyond a bound; 0: too few to matter
}

// calmShare is the part of a pool, one in so many, that may be in use in a calm buffer.
const calmShare = 2

// Calm finds the bounds for a buffer whose packets have only the given pairs of a PG and a queue, at the given
// ports, of which each may have so many cells in the switch that are not counted. largest is how many cells
// the largest packet takes. Nil if no bound is low enough.
func (m *MMU) Calm(pairs []Packet, coming map[int]int64, largest int64) *Calm {
	c := &Calm{
		m: m, pgs: make([]int64, len(m.pgs)), queues: make([]int64, len(m.queues)), bounds: make([]int64, len(m.bounds)),
		ingress: make([]int64, len(m.ingress)), egress: make([]int64, len(m.egress)),
	}
	all := make([]int64, m.slices) // that may come to a slice
	for port, cells := range coming {
		all[m.sliceOf(port)] += cells
	}
	for i := range m.bounds {
		c.bounds[i] = never
	}
	for slice := range all {
		all[slice] += largest // which goes beyond a bound before that is noticed
	}
	c.limit(c.ingress, m.ingress)
	c.limit(c.egress, m.egress)
	for port, cells := range coming {
		slice := m.sliceOf(port)
		for _, p := range pairs {
			i := port*MaxPGs + p.PG
			in := &m.ingress[m.pgs[i].pool]
			c.groups = append(c.groups, int32(i))
			if c.pgs[i] = c.holds(&m.pgs[i].account, in, all[slice], cells+largest); c.pgs[i] < 0 {
				return nil
			}
			for slice := range all {
				i := (slice*m.ports+port)*m.perPort + p.Queue
				out := &m.egress[m.queues[i].pool]
				c.turns = append(c.turns, int32(i))
				if c.queues[i] = c.holds(&m.queues[i].account, out, all[slice], all[slice]); c.queues[i] < 0 {
					return nil
				}
			}
		}
	}
	c.most = c.least(largest)
	return c
}

// never is more than any buffer holds.
const never = 1 << 62

func (m *MMU) sliceOf(port int) int {
	if m.perPort == 0 {
		return 0
	}
	return m.firstQueue[port] / (m.ports * m.perPort)
}

func (c *Calm) limit(bounds []int64, pools []pool) {
	for i := range bounds {
		bounds[i] = pools[i].size / calmShare
	}
}

// holds returns the cells that an account may hold if so many may come to its pool, and so many of these
// to the account itself; below 0 if none.
func (c *Calm) holds(a *account, p *pool, toPool, own int64) int64 {
	free := p.size - p.size/calmShare - toPool
	if free < 0 {
		return -1
	}
	if a.bound > 0 {
		bound := &c.m.bounds[a.bound-1]
		if c.bounds[a.bound-1] = min(c.bounds[a.bound-1], bound.surely(p.size, free)-own); c.bounds[a.bound-1] < 0 {
			return -1
		}
	}
	return a.surely(p.size, free) + a.reserve - own
}

// surely returns the most cells of the shared part with which an account is admitted a further one whatever the chip
// rounds, if so many cells of the pool are free; below 0 if it may not be.
func (a *account) surely(size, free int64) int64 {
	low, high := int64(-1), size+1 // low is admitted, high is not
	for high-low > 1 {
		if mid := (low + high) / 2; mid+1+int64(a.limit.slack) <= a.least(mid, free) {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// least returns a lower bound of the threshold while the account holds so many cells of the shared part. A mantissa
// of b bits is less than its number by one in 2^(b-1) at most.
func (a *account) least(shared, free int64) int64 {
	l := &a.limit
	if l.code.Bits == 0 || l.down == staticDown {
		return l.at(free)
	}
	met := (shared+free)<<l.up/(1<<l.up+1<<l.down) + a.reserve
	return met - met>>(l.code.Bits-1) - 1 - a.reserve
}

// least returns the lowest of all bounds, or 0 if it is not worth [Calm.Relax].
func (c *Calm) least(largest int64) int64 {
	least := int64(never)
	for _, i := range c.groups {
		least = min(least, c.pgs[i], c.ingress[c.m.pgs[i].pool])
	}
	for _, j := range c.turns {
		least = min(least, c.queues[j], c.egress[c.m.queues[j].pool])
	}
	for _, b := range c.bounds {
		least = min(least, b)
	}
	if least < relaxes*largest {
		return 0
	}
	return least
}

// relaxes is the number of the largest packets that the least bound must hold: the cost of [Calm.Relax]
// and of its end is spread over a quarter as many at least.
const relaxes = 1000

// Relax lets a calm buffer that holds less than half of the least bound count only the total of
// each PG and queue, reported as [PGState.Reserved], as long as that bound is not reached. It
// changes no answer: there would be no pause and no drop, and without headroom the totals say how
// much is in the reserve and how much in the pool.
func (c *Calm) Relax() {
	if m := c.m; m.loose == 0 && m.cells < c.most/2 {
		m.loosen(c.most)
	}
}

// Settle ends what [Calm.Relax] began.
func (c *Calm) Settle() {
	if c.m.loose > 0 {
		c.m.settle()
	}
}

// loosen puts what PGs and queues hold into their reserve.
func (m *MMU) loosen(most int64) {
	m.loose = most
	for i := range m.pgs {
		m.pgs[i].gather(m, m.ingress)
	}
	for i := range m.queues {
		m.queues[i].gather(m, m.egress)
	}
}

func (a *account) gather(m *MMU, pools []pool) {
	if n := a.shared; n > 0 {
		a.reserved += n
		m.share(a, &pools[a.pool], -n)
	}
}

// settle counts what is beyond reserves where it belongs.
func (m *MMU) settle() {
	m.loose = 0
	for i := range m.pgs {
		m.pgs[i].spread(m, m.ingress)
	}
	for i := range m.queues {
		m.queues[i].spread(m, m.egress)
	}
}

func (a *account) spread(m *MMU, pools []pool) {
	if n := a.reserved - a.reserve; n > 0 {
		a.reserved = a.reserve
		m.share(a, &pools[a.pool], n)
	}
}

// tally counts n cells that come, or go, in a buffer that [Calm.Relax] has relaxed.
func (m *MMU) tally(g *pg, q *queue, n int64) {
	m.cells += n
	g.reserved += n
	q.reserved += n
}

// Holds reports whether the buffer is within all bounds still, after a packet has been counted.
func (c *Calm) Holds(p *Packet) bool {
	if c.m.loose > 0 {
		return true
	}
	i := p.InPort*MaxPGs + p.PG
	j := c.m.firstQueue[p.InPort] + p.OutPort*c.m.perPort + p.Queue
	g, q := &c.m.pgs[i], &c.m.queues[j]
	return g.reserved+g.shared <= c.pgs[i] && q.reserved+q.shared <= c.queues[j] &&
		c.m.ingress[g.pool].used <= c.ingress[g.pool] && c.m.egress[q.pool].used <= c.egress[q.pool] &&
		c.within(&g.account) && c.within(&q.account)
}

func (c *Calm) within(a *account) bool {
	return a.bound == 0 || c.m.bounds[a.bound-1].shared <= c.bounds[a.bound-1]
}

// Returns reports whether the buffer, with nothing uncounted, is at half of each bound or below,
// and no group is paused or in its headroom.
func (c *Calm) Returns() bool {
	for _, i := range c.groups {
		g := &c.m.pgs[i]
		if g.paused || g.headroom > 0 || g.reserved+g.shared > c.pgs[i]/2 || c.m.ingress[g.pool].used > c.ingress[g.pool]/2 {
			return false
		}
	}
	for _, j := range c.turns {
		q := &c.m.queues[j]
		if q.reserved+q.shared > c.queues[j]/2 || c.m.egress[q.pool].used > c.egress[q.pool]/2 {
			return false
		}
	}
	for i := range c.bounds {
		if c.m.bounds[i].shared > c.bounds[i]/2 {
			return false
		}
	}
	return true
}
