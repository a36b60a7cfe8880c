package sim

import (
	"fmt"

	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// Counters asks for what the counters of switches and NICs hold: before the run, at the multiples
// of a period, and at the end. Each switch needs a buffer of [Scenario.Silicon].
type Counters struct {
	Period units.Time // at least 1 ns
	Polled func(at units.Time, c *Counted) error
}

// Counted holds the values of counters. It goes on counting: to keep it, copy it.
type Counted struct {
	Ports []CountedPort // as [Scenario.Ports]

	// Pools is by node and ingress pool of its chip, summed over slices: the most that was taken of
	// the headroom pool since the last poll.
	Pools [][]units.Bytes
}

// CountedPort holds the counters of a port.
type CountedPort struct {
	Classes [classes]CountedClass

	// Of a host's.
	MarkedReceived int64 // data packets with a mark
	CNPsSent       int64 // packets
	CNPsHandled    int64 // packets that reached a reaction point
	CNPsIgnored    int64 // packets for a queue pair with nothing more to send
	Overruns       int64 // packets lost in a NIC that is stuck or full
}

// CountedClass holds the counters of a class at a port. Where classes share a queue or a priority group,
// events are counted by class, and peaks by queue or group.
type CountedClass struct {
	PFCSent, PFCReceived int64 // frames, of pauses and of resumes

	// Of a switch's queue.
	Packets, Bytes int64 // sent
	Marked         int64 // packets
	QueueDrops     int64 // packets refused at the egress side
	PeakQueue      int64 // bytes of shared cells, over all slices, since the last poll

	// Of a switch's priority group.
	GroupDrops   int64 // packets refused otherwise
	PeakShared   int64 // bytes of shared cells, since the last poll
	PeakHeadroom int64 // bytes of cells in the headroom, since the last poll

	// Of a switch's watchdog.
	Storms, Restored      int64 // times that it took hold of the queue, and let it go
	SentInStorm           int64 // packets
	DroppedOut, DroppedIn int64 // packets: from the queue, and that came in by the port
}

// counting is [Counters] in progress.
type counting struct {
	*Counters
	Counted
	chips  []*mmu.Config // by node; nil: a host
	polled int64         // ps
	err    error
}

func (s *builder) buildCounters() error {
	if s.sc.Observe == nil || s.sc.Observe.Counters == nil {
		return nil
	}
	c := &counting{Counters: s.sc.Observe.Counters, chips: make([]*mmu.Config, len(s.sc.Nodes))}
	if c.Period < units.Nanosecond {
		return fmt.Errorf("counters that are polled every %v: want at least 1 ns", c.Period)
	}
	c.Ports, c.Pools = make([]CountedPort, len(s.ports)), make([][]units.Bytes, len(s.sc.Nodes))
	for node, kind := range s.sc.Nodes {
		if kind == Host {
			continue
		}
		if s.silicon[node] == nil || s.cells != nil {
			return fmt.Errorf("node %d has no buffer of a chip whose counters could be polled", node)
		}
		c.chips[node] = s.sc.Silicon[node].Config
		c.Pools[node] = make([]units.Bytes, len(c.chips[node].IngressPools))
	}
	s.counts = c
	s.plan(taskPoll, 0, int64(c.Period))
	return c.Polled(0, &c.Counted)
}

// pollCounters reads the counters. It goes on as long as there is something to count: when all
// messages are done, timers run on for long, and the last poll will see what they do.
func (s *engine) pollCounters() {
	s.handled-- // an event of the run it is not
	s.readCounters()
	done := len(s.messages) > 0 && s.finished == len(s.messages) && len(s.free) == len(s.packets)-1
	if c := s.counts; c.err == nil && !done && s.moreThanSamples() {
		s.plan(taskPoll, 0, s.now+int64(c.Period))
	}
}

// readCounters hands the counters over. Peaks begin again with what there is.
func (s *engine) readCounters() {
	c := s.counts
	c.polled = s.now
	if c.err = c.Polled(units.Time(s.now), &c.Counted); c.err != nil {
		return
	}
	for i := range c.Pools {
		clear(c.Pools[i])
	}
	for i := range c.Ports {
		for class := range c.Ports[i].Classes {
			k := &c.Ports[i].Classes[class]
			k.PeakQueue, k.PeakShared, k.PeakHeadroom = 0, 0, 0
			if b := s.silicon[s.ports[i].node]; b != nil {
				s.countGroup(b, int32(i), uint8(class))
				s.countQueue(b, int32(i), uint8(class))
			}
		}
	}
}

// lastPoll reads the counters at the end of the run.
func (s *engine) lastPoll() error {
	if c := s.counts; c != nil && c.err == nil && s.now > c.polled {
		s.readCounters()
	}
	return s.failure()
}

// countAdmission raises the peaks after a chip's buffer has taken a packet in.
func (s *engine) countAdmission(b *silicon, in, out int32, class uint8) {
	s.countGroup(b, in, class)
	s.countQueue(b, out, class)
}

func (s *engine) countGroup(b *silicon, pi int32, class uint8) {
	c := s.counts
	node, chipPort := s.ports[pi].node, s.configs[pi].chipPort
	chip, pg := c.chips[node], int(b.pg[class])
	if pg >= len(chip.Ports[chipPort].PGs) {
		return
	}
	state := b.PG(chipPort, pg)
	k := &c.Ports[pi].Classes[class]
	k.PeakShared = max(k.PeakShared, int64(state.Shared)*b.cellBytes)
	k.PeakHeadroom = max(k.PeakHeadroom, int64(state.Headroom)*b.cellBytes)
	if state.Headroom == 0 {
		return
	}
	pool, taken := chip.Ports[chipPort].PGs[pg].Pool, units.Cells(0)
	for slice := range chip.Slices {
		taken += b.IngressPool(slice, pool).Headroom
	}
	c.Pools[node][pool] = max(c.Pools[node][pool], units.Bytes(int64(taken)*b.cellBytes))
}

func (s *engine) countQueue(b *silicon, pi int32, class uint8) {
	chip, chipPort := s.counts.chips[s.ports[pi].node], s.configs[pi].chipPort
	queue := int(b.queues.QueueAt(chipPort, class))
	if queue >= len(chip.Ports[chipPort].Queues) {
		return
	}
	cells := units.Cells(0)
	for slice := range chip.Slices {
		cells += b.Queue(slice, chipPort, queue).Shared
	}
	k := &s.counts.Ports[pi].Classes[class]
	k.PeakQueue = max(k.PeakQueue, int64(cells)*b.cellBytes)
}

// countSent counts a packet that leaves a switch's queue.
func (s *engine) countSent(pi int32, p *port, class uint8, pk *packet) {
	k := &s.counts.Ports[pi].Classes[class]
	k.Packets++
	k.Bytes += int64(pk.size)
	if p.trouble&guarded != 0 && s.guards[pi*classes+int32(class)].held {
		k.SentInStorm++
	}
}

// countCNP counts a congestion notification packet that has come to its sender's host.
func (s *engine) countCNP(in int32, ignored bool) {
	if ignored {
		s.counts.Ports[in].CNPsIgnored++
	} else {
		s.counts.Ports[in].CNPsHandled++
	}
}

// countRefusal counts a packet that a buffer has no place for.
func (s *engine) countRefusal(in, out int32, l label) {
	if l&byQueue != 0 {
		s.counts.Ports[out].Classes[l.class()].QueueDrops++
	} else {
		s.counts.Ports[in].Classes[l.class()].GroupDrops++
	}
}

// counted returns the counters of a class's events at a port; nil if they are not counted.
func (s *engine) counted(pi int32, class uint8) *CountedClass {
	if s.counts == nil {
		return nil
	}
	return &s.counts.Ports[pi].Classes[class]
}
