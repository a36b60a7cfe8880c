package mmu

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/roceplan/roceplan/units"
)

// MMU is the buffer of one switch: its configuration and its counters. It is not safe
// for use from several goroutines at once.
type MMU struct {
	// ⌈bytes/cell⌉ = (bytes + roundUp)·inverse / 2^64, see Cells
	cell, roundUp, inverse uint64
	rules                  Rules

	ports   int
	slices  int
	perPort int  // queues that a port may have
	pgs     []pg // port*MaxPGs + number
	edges   []pgEdge
	queues  []queue // (slice*ports + port)*perPort + number
	// firstQueue is, for an ingress port, where the queues of its slice begin.
	firstQueue []int
	ingress    []pool // slice*nIngress + index
	egress     []pool
	bounds     []account // of whole ports; see account.bound
	nIn        int
	nOut       int

	// Where headroom is not counted in cells: its unit, what a packet takes in addition to its length,
	// and the units that each PG holds. Else 0 and nil.
	unit, overhead int64
	held           []int64

	cells int64 // of all packets
	loose int64 // with up to so many only totals are counted, see [Calm.Relax]; 0: all is
}

// limit is a threshold in the form the hot path wants: T(free) = fixed + free<<up>>down.
// A static one shifts everything out.
type limit struct {
	fixed    int64
	up, down uint8
	// slack and look turn the three admission rules into one comparison; see admits.
	slack, look int8
	code        Code
}

// staticDown shifts any count of cells to 0.
const staticDown = 63

// pool is one pool of one slice.
type pool struct {
	size, used                 int64
	headroomSize, headroomUsed int64
}

// account is the common part of PGs and queues: a reserve, and a part of a pool.
type account struct {
	limit            limit
	reserve          int64 // size of the reserve
	reserved, shared int64 // cells held in the reserve and in the pool
	pool             int32
	bound            int32 // index of the port's bound in MMU.bounds plus 1; 0: none
}

// pg holds the state of a PG that every packet needs: 64 bytes, one cache line. Fields that only a
// PG in its headroom needs are in pgEdge.
type pg struct {
	account
	lossless, paused bool
	headroom         int64
	resumeAt         int64 // resume level latched at XOFF
}

// pgEdge is the part of a PG's configuration that matters above its threshold.
type pgEdge struct {
	headroom       int64
	pooled         bool
	xon, xonOffset int64
	code           Code // of the resume level
}

type queue struct {
	account
}

// New builds an empty buffer. A configuration that Validate refuses is refused.
func New(c *Config) (*MMU, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	m := &MMU{
		cell:    uint64(c.CellBytes),
		roundUp: uint64(c.MetadataBytes + c.CellBytes - 1),
		inverse: math.MaxUint64/uint64(c.CellBytes) + 1,
		rules:   c.Rules,
		ports:   len(c.Ports), slices: c.Slices,
		firstQueue: make([]int, len(c.Ports)),
		pgs:        make([]pg, len(c.Ports)*MaxPGs),
		edges:      make([]pgEdge, len(c.Ports)*MaxPGs),
		nIn:        len(c.IngressPools), nOut: len(c.EgressPools),
		unit: int64(c.HeadroomUnit), overhead: c.HeadroomOverhead,
	}
	if m.unit > 0 {
		m.held = make([]int64, len(m.pgs))
	}
	for range c.Slices {
		m.ingress = append(m.ingress, newPools(c.IngressPools)...)
		m.egress = append(m.egress, newPools(c.EgressPools)...)
	}
	for i := range c.Ports {
		m.perPort = max(m.perPort, len(c.Ports[i].Queues))
	}
	m.queues = make([]queue, m.slices*m.ports*m.perPort)
	for i := range c.Ports {
		m.addPort(i, &c.Ports[i])
	}
	return m, nil
}

func newPools(config []Pool) []pool {
	pools := make([]pool, len(config))
	for i, p := range config {
		pools[i] = pool{size: int64(p.SharedCells), headroomSize: int64(p.HeadroomCells)}
	}
	return pools
}

func (m *MMU) addPort(port int, c *Port) {
	m.firstQueue[port] = c.Slice * m.ports * m.perPort
	ingress := m.addBounds(c.Ingress, c.Slice*m.nIn)
	for i, config := range c.PGs {
		m.pgs[port*MaxPGs+i] = pg{
			account:  newAccount(c.Slice*m.nIn+config.Pool, config.ReservedCells, config.Limit, m.rules.Admission),
			lossless: config.Lossless,
		}
		m.pgs[port*MaxPGs+i].bound = ingress[config.Pool]
		m.edges[port*MaxPGs+i] = pgEdge{
			headroom: int64(config.HeadroomCells), pooled: config.HeadroomPooled,
			xon: int64(config.XonCells), xonOffset: int64(config.XonOffsetCells), code: config.Limit.Code,
		}
	}
	for slice := range m.slices {
		egress := m.addBounds(c.Egress, slice*m.nOut)
		for i, config := range c.Queues {
			q := newAccount(slice*m.nOut+config.Pool, config.ReservedCells, config.Limit, m.rules.Admission)
			q.bound = egress[config.Pool]
			m.queues[(slice*m.ports+port)*m.perPort+i] = queue{q}
		}
	}
}

// addBounds appends the bounds of a port in the pools from one on, and returns where they
// are by pool, as in account.bound.
func (m *MMU) addBounds(bounds []Bound, first int) map[int]int32 {
	at := make(map[int]int32, len(bounds))
	for _, b := range bounds {
		m.bounds = append(m.bounds, newAccount(first+b.Pool, 0, b.Limit, m.rules.Admission))
		at[b.Pool] = int32(len(m.bounds))
	}
	return at
}

func newAccount(pool int, reserve units.Cells, l Limit, rule Admission) account {
	return account{pool: int32(pool), reserve: int64(reserve), limit: newLimit(l, rule)}
}

func newLimit(c Limit, rule Admission) limit {
	l := limit{fixed: c.Code.of(int64(c.StaticCells)), down: staticDown}
	if c.Dynamic {
		num, den := c.Alpha.Fraction()
		l = limit{up: uint8(bits.TrailingZeros64(uint64(num))), down: uint8(bits.TrailingZeros64(uint64(den)))}
	}
	l.code = c.Code
	switch rule {
	case BelowWithCell:
		l.slack = 1
	case BeforeCell:
		l.look = 1
	}
	return l
}

// Cells returns how many cells a packet of the given length in bytes takes.
//
// A division would be the dearest step of a packet's way. With inverse = ⌈2^64/cell⌉ the
// high half of the product is the exact quotient as long as dividend·cell < 2^64, which
// lengths and cells below 2^32 and 2^20 keep. Cells of 1 B have no such inverse.
func (m *MMU) Cells(bytes int) int64 {
	n := uint64(bytes) + m.roundUp
	if m.cell == 1 {
		return int64(n)
	}
	n, _ = bits.Mul64(n, m.inverse)
	return int64(n)
}

// at returns the threshold when free cells of the pool are left.
func (l *limit) at(free int64) int64 { return l.fixed + free<<(l.up&63)>>(l.down&63) }

// admits reports whether n further cells may enter the shared part of p, cell by cell.
// Since a threshold only falls and a counter only grows with every cell, it is enough
// to ask for the last one. With s and free taken after that cell, the rules are
//
//	WithCell       s     ≤ T(free)
//	BelowWithCell  s + 1 ≤ T(free)
//	BeforeCell     s     ≤ T(free + 1)    that is, s − 1 < T before the cell
//
// which are one comparison with slack and look. The pool never overflows.
func (a *account) admits(p *pool, n int64) bool {
	free := p.size - p.used - n
	if a.limit.code.Bits > 0 {
		return free >= 0 && a.shared+n+int64(a.limit.slack) <= a.threshold(free+int64(a.limit.look), n)
	}
	return free >= 0 && a.shared+n+int64(a.limit.slack) <= a.limit.at(free+int64(a.limit.look))
}

// threshold returns the part of a pool that the account may hold if free cells are left after it
// took n more. A chip that holds thresholds as mantissa and exponent gets the level at which the
// account meets its threshold if no other account changes, s = 2^alpha·(s + free)/(1 + 2^alpha).
// Without rounding that is the same comparison. The level includes the reserve, since the code
// bounds both.
func (a *account) threshold(free, n int64) int64 {
	l := &a.limit
	if l.code.Bits == 0 || l.down == staticDown {
		return l.at(free)
	}
	met := (a.shared + n + free) << l.up / (1<<l.up + 1<<l.down)
	return l.code.of(met+a.reserve) - a.reserve
}

// down returns the step at n cells, or below.
func (c Code) down(n int64) int64 { return Code{Bits: c.Bits}.of(n) }

// of returns the number that the chip holds for n cells, 0 or more.
func (c Code) of(n int64) int64 {
	exponent := max(0, bits.Len64(uint64(n))-int(c.Bits))
	switch {
	case c.Bits == 0:
		return n
	case c.Next:
		return (n>>exponent + 1) << exponent
	}
	return n >> exponent << exponent
}

// admits reports whether n further cells of an account may enter the shared part of p: by its
// own limit and by the bound of its port.
func (m *MMU) admits(a *account, p *pool, n int64) bool {
	return a.admits(p, n) && (a.bound == 0 || m.bounds[a.bound-1].admits(p, n))
}

// share counts n cells to the shared part that an account holds of p, or takes them off.
func (m *MMU) share(a *account, p *pool, n int64) {
	a.shared += n
	p.used += n
	if a.bound > 0 {
		m.bounds[a.bound-1].shared += n
	}
}

// roomBelow returns how many of n cells the shared part takes that does not admit them all.
func (m *MMU) roomBelow(a *account, p *pool, n int64) int64 {
	low, high := int64(0), n // low is admitted, high is not
	if n > 1 && !m.admits(a, p, 1) {
		return 0 // as of most packets that go to the headroom
	}
	for high-low > 1 {
		if mid := (low + high) / 2; m.admits(a, p, mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// full reports whether no further cell finds room in the reserve or the shared part.
func (m *MMU) full(a *account, p *pool) bool { return a.reserved >= a.reserve && !m.admits(a, p, 1) }

// String gives the state of the buffer, for a test's failure message.
func (m *MMU) String() string {
	return fmt.Sprintf("ingress %+v egress %+v", m.ingress, m.egress)
}
