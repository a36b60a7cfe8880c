package sim

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/model/mmu"
)

// SiliconBuffer gives a switch the shared buffer that a plan makes of its chip, accounted
// by model/mmu cell by cell.
type SiliconBuffer struct {
	Config *mmu.Config

	// Ports are the ports of Config that the switch's links are plugged into, in the
	// order of Scenario.Links.
	Ports []int

	// PG and Queue of each class. Frames of PFC take no buffer.
	PG, Queue [classes]uint8

	// Own are queues of classes at ports of Config, where some have others than Queue; nil: none has.
	Own [][classes]uint8
}

// QueueAt returns the queue of a class at a port of Config.
func (b *SiliconBuffer) QueueAt(port int, class uint8) uint8 {
	if b.Own == nil {
		return b.Queue[class]
	}
	return b.Own[port][class]
}

// silicon is the buffer of a switch in a run.
type silicon struct {
	*mmu.MMU
	cellBytes int64
	pg        [classes]uint8
	queues    *SiliconBuffer // QueueAt
	atEnd     bool           // packets are counted with their last byte: mmu.AtEnd
	quiet     *quiet         // nil: never
}

// buildSilicon sets up the buffers of the switches that have one of their own.
func (s *builder) buildSilicon() error {
	s.silicon = make([]*silicon, len(s.sc.Nodes))
	if len(s.sc.Silicon) > 0 {
		s.entrances = make([]entrance, len(s.ports))
	}
	for node, b := range s.sc.Silicon {
		if b == nil {
			continue
		}
		m, err := mmu.New(b.Config)
		if err != nil {
			return fmt.Errorf("node %d: %w", node, err)
		}
		s.silicon[node] = &silicon{m, int64(b.Config.CellBytes), b.PG, b, b.Config.Rules.Decided == mmu.AtEnd, nil}
		for used, i := range s.byNode[node] {
			if used == len(b.Ports) || b.Ports[used] >= len(b.Config.Ports) {
				return fmt.Errorf("node %d: the switch has more links than its buffer has ports", node)
			}
			s.configs[i].chipPort = b.Ports[used]
			s.configs[i].part = uint8(b.Config.Ports[b.Ports[used]].Slice)
			s.mostParts = max(s.mostParts, b.Config.Slices)
			s.countFirst(i)
			s.entrances[i].latency = s.sc.latency(node)
		}
	}
	if s.mostParts > 1 && slices.ContainsFunc(s.profiles, func(m ecnProfile) bool { return m.byPart }) {
		s.parts, s.noting = make([]uint32, len(s.queues)*s.mostParts), true
	}
	return nil
}

// chipPacket describes a packet between two ports for the buffer.
func (s *engine) chipPacket(b *silicon, in, out int32, class uint8, pk *packet) mmu.Packet {
	to := s.configs[out].chipPort
	return mmu.Packet{
		InPort: s.configs[in].chipPort, PG: int(b.pg[class]),
		OutPort: to, Queue: int(b.queues.QueueAt(to, class)), Bytes: int(pk.size),
	}
}

// admitSilicon offers a packet to the chip's buffer. Even a packet that is refused may be
// the reason to pause its class.
func (s *engine) admitSilicon(b *silicon, in, out int32, from *port, class uint8, pk *packet) bool {
	p := s.chipPacket(b, in, out, class, pk)
	v := b.Enqueue(&p)
	s.announce(in, from, class, v.PFC)
	if v.Headroom > 0 {
		held := int64(b.PG(p.InPort, p.PG).Headroom) * b.cellBytes
		s.peakHeadroom = max(s.peakHeadroom, uint32(held))
	}
	s.notePG(b, in, class)
	if v.Dropped() {
		if !v.Outcome.Ingress() {
			pk.label |= byQueue
		}
		return false
	}
	if s.counts != nil {
		s.countAdmission(b, in, out, class)
	}
	if q := b.quiet; q != nil && q.is && !q.calm.Holds(&p) {
		s.disturb(b)
	}
	return true
}

func (s *engine) releaseSilicon(b *silicon, out int32, class uint8, pk *packet) {
	p := s.chipPacket(b, pk.in, out, class, pk)
	s.announce(pk.in, &s.ports[pk.in], class, b.Dequeue(&p))
	s.notePG(b, pk.in, class)
	if q := b.quiet; q != nil && q.is {
		q.calm.Relax()
	}
}

// announce sends the buffer's decision to the other end of a link.
func (s *engine) announce(in int32, from *port, class uint8, change mmu.Transition) {
	switch change {
	case mmu.XOFF:
		s.pause(in, from, class)
	case mmu.XON:
		s.resume(in, from, class)
	}
}
