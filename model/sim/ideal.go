package sim

import (
	"encoding/binary"
	"slices"
)

// way is what a path costs a packet that never waits. Queue pairs whose paths are alike share
// one.
type way struct {
	delay int64   // of links and switches, ps
	rates []uint8 // of links, as indices in [engine.txTimes]
}

// ways are those of a run.
type ways struct {
	list  []way
	known map[string]int32
}

// addWay finds or makes the way along the ports of a path.
func (s *builder) addWay(tree *tree, from int, path []int32) int32 {
	w := way{delay: tree.steps[from].least}
	fastest := slices.Index(s.rates, slices.Max(s.rates))
	if !s.manyWays {
		w.delay = 0
	}
	for i, port := range path {
		rate := s.ports[port].rateIndex
		if !s.manyWays {
			w.delay += s.ports[port].delay + s.topo.latency(s.topo.node(port^1))
		} else if i > 0 && i < len(path)-1 {
			rate = uint8(fastest) // packets may take another link here
		}
		w.rates = append(w.rates, rate)
	}
	key := string(binary.LittleEndian.AppendUint64(slices.Clone(w.rates), uint64(w.delay)))
	i, ok := s.ways.known[key]
	if !ok {
		i = int32(len(s.ways.list))
		s.ways.known[key] = i
		s.ways.list = append(s.ways.list, w)
	}
	return i
}

// through is how long a packet takes over a way, the longest time that it takes of a link, and
// the time on the last one, in ps.
func (s *engine) through(w *way, size int32) (all, slowest, last int64) {
	all = w.delay
	for _, rate := range w.rates {
		last = int64(s.txTimes[rate][size])
		all, slowest = all+last, max(slowest, last)
	}
	return all, slowest, last
}

// alone is the least time that a message can take from its posting until its sender knows that
// it is there: its packets follow one another at the slowest link, nothing waits, and the last
// one is acknowledged.
func (s *builder) alone(m *message, f *flow) int64 {
	there, back := &s.ways.list[f.wayThere], &s.ways.list[f.wayBack]
	header := s.transport.dataHeader
	packets := (m.bytes-1)/s.transport.payload + 1
	rest := int32(m.bytes-(packets-1)*s.transport.payload) + header
	time, _, last := s.through(there, rest)
	if packets > 1 {
		full, slowest, _ := s.through(there, int32(s.transport.payload)+header)
		time = max(time+(packets-1)*slowest, full+(packets-2)*slowest+last)
	}
	ack, _, _ := s.through(back, s.transport.ackSize)
	return s.host.postTime(m.bytes, s.transport.payload) + time + ack + s.host.deliver
}
