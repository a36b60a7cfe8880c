package mmu

import "github.com/roceplan/roceplan/units"

// PGState is where a priority group stands.
type PGState struct {
	Reserved, Shared, Headroom units.Cells
	// Threshold is what it may hold of the shared part as the pool stands now.
	Threshold units.Cells
	// Paused: XOFF was asserted and not yet XON.
	Paused bool
}

// Total is the memory that the PG holds.
func (s PGState) Total() units.Cells { return s.Reserved + s.Shared + s.Headroom }

// QueueState is where a queue stands in one slice.
type QueueState struct {
	Reserved, Shared units.Cells
	// Threshold is what it may hold of the shared part as the pool stands now.
	Threshold units.Cells
}

// Total is the memory that the queue holds in the slice.
func (s QueueState) Total() units.Cells { return s.Reserved + s.Shared }

// PoolState is where a pool stands in one slice.
type PoolState struct {
	// Used and Free are cells of the shared part; Headroom is what is taken of the headroom pool.
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

// Queue returns the counters of a queue in one slice.
func (m *MMU) Queue(slice, port, number int) QueueState {
	q := &m.queues[(slice*m.ports+port)*m.perPort+number]
	p := &m.egress[q.pool]
	return QueueState{
		Reserved: units.Cells(q.reserved), Shared: units.Cells(q.shared),
		Threshold: units.Cells(q.threshold(p.size-p.used, 0)),
	}
}

// QueueCells returns the length of a queue over all slices, as ECN marking sees it.
func (m *MMU) QueueCells(port, number int) units.Cells {
	var cells units.Cells
	for slice := range m.slices {
		cells += m.Queue(slice, port, number).Total()
	}
	return cells
}

// IngressBound returns what the groups of a port hold of the shared part of the pool of one
// of them together, where the port has a bound there; else 0.
func (m *MMU) IngressBound(port, number int) units.Cells {
	return m.bounded(&m.pgs[port*MaxPGs+number].account)
}

// EgressBound is the same of the queues of a port, in one slice.
func (m *MMU) EgressBound(slice, port, number int) units.Cells {
	return m.bounded(&m.queues[(slice*m.ports+port)*m.perPort+number].account)
}

func (m *MMU) bounded(a *account) units.Cells {
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
