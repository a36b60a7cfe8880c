package mmu

import "fmt"

// Packet is one packet as the buffer sees it. Ports, PG and queue must be in the range
// of the configuration: anything else is the programmer's fault and panics.
type Packet struct {
	InPort, PG     int
	OutPort, Queue int
	// Bytes is the length in bytes, 1 or more, without preamble and gap.
	Bytes int
}

// Outcome is the result for an arriving packet.
type Outcome uint8

const (
	// Accepted: counted on both sides.
	Accepted Outcome = iota
	// DropHeadroom: the lossless PG's headroom is exhausted.
	DropHeadroom
	// DropHeadroomPool: the slice's headroom pool is exhausted.
	DropHeadroomPool
	// DropIngressLimit: the lossy PG is at its threshold.
	DropIngressLimit
	// DropIngressPool: the shared part of the ingress pool is exhausted.
	DropIngressPool
	// DropQueueLimit: the egress queue is at its threshold.
	DropQueueLimit
	// DropEgressPool: the shared part of the egress pool is exhausted.
	DropEgressPool
	// DropPortLimit: the egress port is at its bound.
	DropPortLimit
)

var outcomeNames = [...]string{
	"accepted", "ingress headroom exhausted", "headroom pool exhausted", "ingress limit", "ingress pool exhausted",
	"egress queue limit", "egress pool exhausted", "egress port limit",
}

// String names the outcome as a report prints it.
func (o Outcome) String() string {
	if int(o) < len(outcomeNames) {
		return outcomeNames[o]
	}
	return fmt.Sprintf("Outcome(%d)", uint8(o))
}

// Ingress reports whether a drop was decided at the ingress side.
func (o Outcome) Ingress() bool { return o >= DropHeadroom && o <= DropIngressPool }

// Transition is a change of a PG's pause state.
type Transition uint8

const (
	// Steady: no change.
	Steady Transition = iota
	// XOFF: the PG began to pause its sender.
	XOFF
	// XON: the PG lets its sender go on.
	XON
)

var transitionNames = [...]string{"steady", "XOFF", "XON"}

// String names the transition.
func (t Transition) String() string {
	if int(t) < len(transitionNames) {
		return transitionNames[t]
	}
	return fmt.Sprintf("Transition(%d)", uint8(t))
}

// Verdict is the answer to an arriving packet.
type Verdict struct {
	Outcome Outcome
	PFC     Transition
	// Shared and Headroom are the cells that the PG put there; the rest of an accepted
	// packet went to its reserve. Both are 0 for a drop.
	Shared, Headroom int32
}

// Dropped reports whether the packet was refused.
func (v Verdict) Dropped() bool { return v.Outcome != Accepted }

// Enqueue offers a packet to the buffer. Nothing changes if it is dropped, except for the
// pause that a lossless PG may owe its sender.
func (m *MMU) Enqueue(p *Packet) Verdict {
	n := m.Cells(p.Bytes)
	i := p.InPort*MaxPGs + p.PG
	g, q := &m.pgs[i], m.queue(p)
	if m.loose > 0 {
		if m.cells+n <= m.loose {
			m.tally(g, q, n)
			return Verdict{}
		}
		m.settle()
	}
	in, out := &m.ingress[g.pool], &m.egress[q.pool]

	reserved := min(n, g.reserve-g.reserved)
	shared, headroom := n-reserved, int64(0)
	if shared > 0 && !m.admits(&g.account, in, shared) {
		headroom = shared - m.roomBelow(&g.account, in, shared)
		shared -= headroom
		if drop := m.refuses(i, in, shared, headroom, p.Bytes); drop != Accepted {
			return Verdict{Outcome: drop, PFC: m.pause(i, headroom)}
		}
	}
	queueReserved := min(n, q.reserve-q.reserved)
	queueShared := n - queueReserved
	if queueShared > 0 && !m.admits(&q.account, out, queueShared) {
		return Verdict{Outcome: q.refuses(out, queueShared)}
	}

	m.cells += n
	g.reserved += reserved
	m.share(&g.account, in, shared)
	if headroom > 0 {
		m.takeHeadroom(i, headroom, p.Bytes)
	}
	q.reserved += queueReserved
	m.share(&q.account, out, queueShared)
	pfc := Steady
	if g.lossless && !g.paused {
		pfc = m.pause(i, headroom)
	}
	return Verdict{PFC: pfc, Shared: int32(shared), Headroom: int32(headroom)}
}

// Dequeue takes a packet that was accepted out of the buffer. It empties headroom,
// then shared part, then reserve, and returns XON if the PG lets go with this packet.
// It panics when the PG or queue does not hold that much: such a packet never came.
func (m *MMU) Dequeue(p *Packet) Transition {
	n := m.Cells(p.Bytes)
	i := p.InPort*MaxPGs + p.PG
	g, q := &m.pgs[i], m.queue(p)
	if n > g.reserved+g.shared+g.headroom || n > q.reserved+q.shared {
		panic(fmt.Sprintf("mmu: %+v takes %d cells; the PG holds %d, the queue %d",
			*p, n, g.reserved+g.shared+g.headroom, q.reserved+q.shared))
	}
	if m.loose > 0 {
		m.tally(g, q, -n)
		return Steady
	}
	in, out := &m.ingress[g.pool], &m.egress[q.pool]

	m.cells -= n
	left := n
	if g.headroom > 0 {
		left -= m.giveHeadroom(i, n, p.Bytes)
	}
	shared := min(left, g.shared)
	m.share(&g.account, in, -shared)
	g.reserved -= left - shared

	shared = min(n, q.shared)
	m.share(&q.account, out, -shared)
	q.reserved -= n - shared
	if !g.paused {
		return Steady
	}
	return m.resume(i)
}

func (m *MMU) queue(p *Packet) *queue {
	return &m.queues[m.firstQueue[p.InPort]+p.OutPort*m.perPort+p.Queue]
}

// refuses says why a packet of so many bytes cannot stay of which the shared part takes shared
// cells but not n others; Accepted if it can.
func (m *MMU) refuses(i int, p *pool, shared, n int64, bytes int) Outcome {
	g, e := &m.pgs[i], &m.edges[i]
	takes, holds := m.charge(n, bytes), m.inHeadroom(i)
	switch {
	case !g.lossless && p.used+shared+n > p.size:
		return DropIngressPool
	case !g.lossless:
		return DropIngressLimit
	case holds+takes > e.headroom:
		return DropHeadroom
	case e.pooled && p.headroomUsed+takes > p.headroomSize:
		return DropHeadroomPool
	}
	return Accepted
}

// refuses names the reason for which n shared cells are not admitted.
func (q *queue) refuses(p *pool, n int64) Outcome {
	switch {
	case p.used+n > p.size:
		return DropEgressPool
	case q.account.admits(p, n):
		return DropPortLimit
	}
	return DropQueueLimit
}

// charge returns the part of the headroom that a packet takes with n cells in it.
func (m *MMU) charge(n int64, bytes int) int64 {
	if m.unit == 0 {
		return n
	}
	return (int64(bytes)+m.unit-1)/m.unit + m.overhead
}

// inHeadroom returns the headroom in use by PG i, in the unit in which its headroom is counted.
func (m *MMU) inHeadroom(i int) int64 {
	if m.unit == 0 {
		return m.pgs[i].headroom
	}
	return m.held[i]
}

func (m *MMU) takeHeadroom(i int, n int64, bytes int) { m.countHeadroom(i, n, m.charge(n, bytes)) }

// countHeadroom counts cells of memory, and what they take of the headroom.
func (m *MMU) countHeadroom(i int, n, takes int64) {
	g := &m.pgs[i]
	g.headroom += n
	if m.unit > 0 {
		m.held[i] += takes
	}
	if m.edges[i].pooled {
		m.ingress[g.pool].headroomUsed += takes
	}
}

// giveHeadroom frees up to n cells of headroom for a packet that leaves, and returns how many.
// With the last cell nothing of the headroom is held.
func (m *MMU) giveHeadroom(i int, n int64, bytes int) int64 {
	freed := min(n, m.pgs[i].headroom)
	takes := min(m.charge(freed, bytes), m.inHeadroom(i))
	if freed == m.pgs[i].headroom {
		takes = m.inHeadroom(i)
	}
	m.countHeadroom(i, -freed, -takes)
	return freed
}

// pause asserts XOFF if PG i owes it. over is the part that its packet put, or would have put,
// above the threshold.
func (m *MMU) pause(i int, over int64) Transition {
	g := &m.pgs[i]
	if !g.lossless || g.paused {
		return Steady
	}
	if over == 0 && (m.rules.Pause == OnExcess || !m.full(&g.account, &m.ingress[g.pool])) {
		return Steady
	}
	g.paused = true
	g.resumeAt = m.edges[i].resumeLevel(g.reserved + g.shared)
	return XOFF
}

// resume asserts XON if the paused PG i has drained far enough.
func (m *MMU) resume(i int) Transition {
	g := &m.pgs[i]
	level := g.resumeAt
	if m.rules.Resume == BelowCurrentLimit {
		p := &m.ingress[g.pool]
		level = m.edges[i].resumeLevel(g.reserve + g.threshold(p.size-p.used, 0))
	}
	if g.reserved+g.shared+g.headroom > level {
		return Steady
	}
	g.paused = false
	return XON
}

// resumeLevel returns the most cells with which a PG resumes whose threshold is at top.
// An empty PG always does: no pause may outlast its cause.
func (e *pgEdge) resumeLevel(top int64) int64 {
	switch {
	case e.xonOffset > 0:
		return e.code.down(max(e.xon, top-e.xonOffset, 0))
	case e.xon > 0:
		return e.code.down(e.xon)
	}
	return max(top-1, 0)
}
