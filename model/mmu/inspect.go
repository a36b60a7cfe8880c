package mmu

import "github.com/roceplan/roceplan/units"

// PGState is the state of a priority group.
type PGState struct {
	Reserved, Shared, Headroom units.Cells
	// Threshold is its limit in the shared part, with the pool as it is now.
	Threshold units.Cells
	// Paused: XOFF was asserted and not yet XON.
	Paused bool
}

// Total returns the memory that the PG holds.
func (s PGState) Total() units.Cells { return s.Reserved + s.Shared + s.Headroom }

// QueueState is the state of a queue in one slice.
type QueueState struct {
	Reserved, Shared units.Cells
	// Threshold is its limit in the shared part, with the pool as it is now.
	Threshold units.Cells
}

// Total returns the memory that the queue holds in the slice.
func (s QueueState) Total() units.Cells { return s.Reserved + s.Shared }

// PoolState is the state of a pool in one slice.
type PoolState struct {
	// Used and Free are cells of the shared part; Headroom is the used part of the headroom pool.
	Used, Free, Headroom units.Cells
}

// PG returns the counters of a priority group.
func (m *MMU) PG(port, number int) PGState {
	g := &m.pgs[port*MaxPGs+number]
	p := &m.ingress[g.pool]
	return PGState{
		Reserved: units.Cells(g.reserved), Shared: units.Cells(g.shared), Headroom: units.Cells(g.headroom),
		Threshold: units.Cells(g.threshold(p.size-p.used, 0)), Paused: g.paused,
	}
}

// Room returns how many cells a priority group can still take below its threshold, given what its
// own cells do to it: in its reserve, and of the shared part one by one.
func (m *MMU) Room(port, number int) units.Cells {
	g := &m.pgs[port*MaxPGs+number]
	p := &m.ingress[g.pool]
	return units.Cells(g.reserve - g.reserved + m.roomBelow(&g.account, p, p.size-p.used+1))
}

// Queue returns the counters of a queue in one slice.
func (m *MMU) Queue(slice, port, number int) QueueState {
	q := &m.queues[(slice*m.ports+port)*m.perPort+number]
	p := &m.egress[q.pool]
	return QueueState{
		Reserved: units.Cells(q.reserved), Shared: units.Cells(q.shared),
		Threshold: units.Cells(q.threshold(p.size-p.used, 0)),
	}
}

// QueueThreshold returns the limit of a queue in the shared part of one slice once it has taken some
// cells more.
func (m *MMU) QueueThreshold(slice, port, number int, more units.Cells) units.Cells {
	q := &m.queues[(slice*m.ports+port)*m.perPort+number]
	p, n := &m.egress[q.pool], int64(more)
	return units.Cells(q.threshold(max(0, p.size-p.used-n), n))
}

// EgressBound returns what the queues of a port hold of the shared part of the pool of one of
// them together, in one slice, where the port has a bound there; else 0.
func (m *MMU) EgressBound(slice, port, number int) units.Cells {
	a := &m.queues[(slice*m.ports+port)*m.perPort+number]
	if a.bound == 0 {
		return 0
	}
	return units.Cells(m.bounds[a.bound-1].shared)
}

// IngressPool returns the counters of an ingress pool in one slice.
func (m *MMU) IngressPool(slice, index int) PoolState { return m.ingress[slice*m.nIn+index].state() }

// EgressPool returns the counters of an egress pool in one slice.
func (m *MMU) EgressPool(slice, index int) PoolState { return m.egress[slice*m.nOut+index].state() }

func (p *pool) state() PoolState {
	return PoolState{
		Used: units.Cells(p.used), Free: units.Cells(p.size - p.used), Headroom: units.Cells(p.headroomUsed),
	}
}
