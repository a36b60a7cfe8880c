package mmu

import "fmt"

// Probing holds the results of a hardware test that fills one priority group of an empty switch
// with equal packets while their way out is blocked.
type Probing struct {
	// FirstPause is the number, from 1, of the packet that makes the first XOFF; 0 if none does.
	FirstPause int64
	// FirstDrop is the number of the first packet that is refused; 0 if none is.
	FirstDrop int64
	// Drop says why.
	Drop Outcome
	// DrainedToResume is the number of packets that must leave, after the one that made the pause
	// came in, until XON. 0 if there was no pause.
	DrainedToResume int64
}

// Probe measures p's PG twice, each time from an empty switch: copies of p come in
// until one is dropped; and until the pause, then leave until the resume. It gives up
// after most packets, which is then seen from a FirstDrop of 0.
func Probe(c *Config, p Packet, most int64) (Probing, error) {
	m, err := New(c)
	if err != nil {
		return Probing{}, err
	}
	if err := m.holds(p); err != nil {
		return Probing{}, err
	}
	var found Probing
	empty := m.Clone()
	for n := int64(1); n <= most && found.FirstDrop == 0; n++ {
		v := m.Enqueue(&p)
		if v.PFC == XOFF {
			found.FirstPause = n
		}
		if v.Dropped() {
			found.FirstDrop, found.Drop = n, v.Outcome
		}
	}
	found.DrainedToResume = empty.drainedToResume(p, found.FirstPause)
	return found, nil
}

// drainedToResume fills an empty switch with n copies of p, the last of which pauses,
// and returns how many leave until XON. 0 if there was no pause, or nothing to drain.
func (m *MMU) drainedToResume(p Packet, n int64) int64 {
	held := int64(0)
	for range n {
		if !m.Enqueue(&p).Dropped() {
			held++
		}
	}
	for drained := int64(1); drained <= held; drained++ {
		if m.Dequeue(&p) == XON {
			return drained
		}
	}
	return 0
}

// holds checks that the ports, PG and queue of p exist.
func (m *MMU) holds(p Packet) error {
	switch {
	case p.InPort < 0 || p.InPort >= m.ports || p.OutPort < 0 || p.OutPort >= m.ports:
		return fmt.Errorf("mmu: ingress port %d, egress port %d: there are ports 0 to %d", p.InPort, p.OutPort, m.ports-1)
	case p.PG < 0 || p.PG >= MaxPGs || p.Queue < 0 || p.Queue >= m.perPort:
		return fmt.Errorf("mmu: PG %d, queue %d: want PG 0 to %d, queue 0 to %d", p.PG, p.Queue, MaxPGs-1, m.perPort-1)
	case p.Bytes < 1:
		return fmt.Errorf("mmu: a packet of %d B: want at least 1", p.Bytes)
	}
	return nil
}

// FirstPauseInTurn gives the flows of an empty switch one packet each, over and over,
// and returns how many packets every one of them has had when the first PG pauses.
// ok is false if none has after most rounds, or a packet was dropped.
func (m *MMU) FirstPauseInTurn(flows []Packet, most int64) (rounds int64, ok bool) {
	for rounds = 0; rounds < most; rounds++ {
		for i := range flows {
			switch v := m.Enqueue(&flows[i]); {
			case v.PFC == XOFF && i == len(flows)-1:
				return rounds + 1, true
			case v.PFC == XOFF:
				return rounds, true
			case v.Dropped():
				return rounds, false
			}
		}
	}
	return rounds, false
}

// FillToPause sends copies of p until its PG pauses, and returns how many. ok is false
// if it has not after most packets, or a packet was dropped.
func (m *MMU) FillToPause(p Packet, most int64) (packets int64, ok bool) {
	for packets = 1; packets <= most; packets++ {
		switch v := m.Enqueue(&p); {
		case v.PFC == XOFF:
			return packets, true
		case v.Dropped():
			return packets, false
		}
	}
	return packets, false
}

// FillToDrop sends copies of p until one is dropped, and returns how many were
// accepted. ok is false if none was dropped after most packets.
func (m *MMU) FillToDrop(p Packet, most int64) (accepted int64, why Outcome, ok bool) {
	for accepted = 0; accepted < most; accepted++ {
		if v := m.Enqueue(&p); v.Dropped() {
			return accepted, v.Outcome, true
		}
	}
	return accepted, Accepted, false
}
