package sim

import (
	"encoding/binary"
	"slices"
)

// way holds the times of a path for a packet that never waits. Queue pairs whose paths are alike
// share one.
type way struct {
	delay int64   // of links and switches, ps
	rates []uint8 // of links, as indices in [engine.txTimes]
}

// ways holds the ways of a run.
type ways struct {
	list  []way
	known map[string]int32
}

// addWay finds or makes the way along the ports of a path.
func (s *builder) addWay(tree *tree, from int, path []int32) int32 {
	var room [16]uint8
	rates, delay := room[:0], int64(0)
	fastest := slices.Index(s.rates, slices.Max(s.rates))
	if s.manyWays {
		delay = tree.steps[from].least
	}
	for i, port := range path {
		rate := s.ports[port].rateIndex
		if !s.manyWays {
			delay += s.ports[port].delay + s.topo.latency(s.topo.node(port^1))
		} else if i > 0 && i < len(path)-1 {
			rate = uint8(fastest) // packets may take another link here
		}
		rates = append(rates, rate)
	}
	var key [24]byte
	bytes := binary.LittleEndian.AppendUint64(append(key[:0], rates...), uint64(delay))
	i, ok := s.ways.known[string(bytes)]
	if !ok {
		i = int32(len(s.ways.list))
		s.ways.known[string(bytes)] = i
		s.ways.list = append(s.ways.list, way{delay, slices.Clone(rates)})
	}
	return i
}

// through returns the time of a packet over a way, its longest time on a link, and its time on the
// last one, in ps.
func (s *engine) through(w *way, size int32) (all, slowest, last int64) {
	all = w.delay
	for _, rate := range w.rates {
		last = int64(s.txTimes[rate][size])
		all, slowest = all+last, max(slowest, last)
	}
	return all, slowest, last
}

// idealOf returns the least time that a message can take alone, a train with all its times. One that waits for its own
// acknowledgement each time is so many messages, with the delay between two of them. All other times may follow one another
// on the way: each has its part of the slowest link, in front of the last one.
func (s *builder) idealOf(m *message, f *flow, flow *Flow) int64 {
	once, more := s.alone(m, f), int64(max(1, flow.Repeat)-1)
	if more > 0 && flow.Ahead == 0 && len(flow.Each) == 0 {
		return once + more*(once+int64(flow.Delay))
	}
	return once + more*s.carried(m, f)
}

// carried returns the time that a message takes on the slowest link of its way.
func (s *builder) carried(m *message, f *flow) int64 {
	there := &s.ways.list[f.wayThere]
	full, rest := s.packetsOf(m)
	_, took, _ := s.through(there, rest)
	_, slowest, _ := s.through(there, int32(s.transport.payload)+s.transport.dataHeader)
	return full*slowest + took
}

// packetsOf returns the number of packets of a message before its last one, all of them full, and the size of the last.
func (s *builder) packetsOf(m *message) (before int64, last int32) {
	before = (m.bytes - 1) / s.transport.payload
	return before, int32(m.bytes-before*s.transport.payload) + s.transport.dataHeader
}

// alone returns the least time that a message can take from its posting until its sender knows that
// it is there: its packets follow one another at the slowest link, nothing waits, and the last
// one is acknowledged.
func (s *builder) alone(m *message, f *flow) int64 {
	ack, _, _ := s.through(&s.ways.list[f.wayBack], s.transport.ackSize)
	return s.host.postTime(m.bytes, s.transport.payload) + s.one(m, f) + ack + s.host.deliver
}

// one returns the least time from when a message's first packet is sent until its last one is at the receiver.
func (s *builder) one(m *message, f *flow) int64 {
	there := &s.ways.list[f.wayThere]
	before, rest := s.packetsOf(m)
	time, _, last := s.through(there, rest)
	if before > 0 {
		full, slowest, _ := s.through(there, int32(s.transport.payload)+s.transport.dataHeader)
		time = max(time+before*slowest, full+(before-1)*slowest+last)
	}
	return time
}
