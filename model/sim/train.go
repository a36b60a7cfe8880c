package sim

import (
	"errors"
	"fmt"
	"slices"
)

// A train is a message that is sent many times ([Flow.Repeat]): a step of a collective after the
// other, without a message for each. The k-th time has its place among the queue pair's bytes by k alone,
// so that nothing is kept of a time but that it was posted, has come, has been acknowledged. An
// all-reduce in a ring of n hosts is n trains of 2(n-1) times instead of 2n(n-1) messages.
type train struct {
	repeat   int32 // 0: it is not a train
	ahead    int32 // see [Flow.Ahead]
	times    int32 // that it was started
	posted   int32 // as the receiver knows
	came     int32 // to the receiver
	done     int32 // acknowledged
	doneAt   int64 // when the last of these was, ps
	released bool  // the messages in After are over
}

// last reports whether so many times are all.
func (t *train) last(times int32) bool { return times >= t.repeat }

// stride returns the distance from the beginning of a train's time to that of the next one, in
// bytes.
func (t *transport) stride(m *message) int64 { return t.wholePackets(m.bytes) }

// buildTrains notes which messages wait for each time of which.
func (s *builder) buildTrains(flows []Flow) {
	each := make([][]int32, len(flows))
	some := false
	for i := range flows {
		if flows[i].Repeat < 2 {
			continue
		}
		some = true
		s.messages[i].repeat, s.messages[i].ahead = int32(flows[i].Repeat), int32(flows[i].Ahead)
		if each[i] = flows[i].Each; len(each[i]) == 0 {
			each[i] = []int32{int32(i)}
		}
	}
	if !some {
		return
	}
	s.each = each
	of := func(i int) []int32 { return each[i] }
	s.eachDelivered = newWaiting(flows, of, atReceiver)
	s.eachDone = newWaiting(flows, of, elsewhere)
}

// again starts a train as often as what it waits for allows, at a time when some of that was over.
func (s *engine) again(i int32, over int64) {
	m := &s.messages[i]
	for m.released && !m.last(m.times) && s.timesOver(i) >= m.times-m.ahead {
		at := over
		if m.times > m.ahead {
			at += m.delay
		}
		s.start(i, max(at, m.earliest-s.skipped))
	}
}

// timesOver returns the number of times that all messages for which a train waits have arrived or been acknowledged.
func (s *engine) timesOver(i int32) int32 {
	source := s.ports[s.flows[s.messages[i].pair].port].node
	least := s.messages[i].repeat
	for _, before := range s.each[i] {
		b := &s.messages[before]
		if s.ports[s.flows[b.pair].receiver].node == source {
			least = min(least, b.came)
		} else {
			least = min(least, b.done)
		}
	}
	return least
}

// checkTrains demands of repeated messages what the arithmetic of [train] needs.
func (sc *Scenario) checkTrains() (errs []error) {
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	pairs := map[ends]int{}
	for i := range sc.Flows {
		f := &sc.Flows[i]
		if f.Repeat == 0 && len(f.Each) == 0 {
			continue
		}
		if f.Repeat < 2 || f.Repeat > maxRepeat || f.TCP || sc.Transport.Selective || sc.Transport.Service == DC {
			bad("flow %d is sent %d times: want 2 to %d, and neither TCP, nor DC, nor selective repetition", i, f.Repeat, maxRepeat)
		}
		if f.Ahead < -1 || f.Ahead > maxRepeat || f.Ahead < 0 && (len(f.Each) == 0 || slices.Contains(f.Each, int32(i))) {
			bad("flow %d is %d times ahead of flows %v: want -1 to %d, and not of itself", i, f.Ahead, f.Each, maxRepeat)
		}
		if slices.ContainsFunc(f.Each, func(b int32) bool {
			return b < 0 || int(b) >= len(sc.Flows) || sc.Flows[b].Repeat != f.Repeat
		}) {
			bad("flow %d is sent %d times, each after flows %v, which are not all there as often", i, f.Repeat, f.Each)
		}
		if f.QueuePair > 0 {
			pairs[ends{f.Src, f.Dst, f.QueuePair, false}] = i
		}
	}
	for i := range sc.Flows {
		f := &sc.Flows[i]
		if train, ok := pairs[ends{f.Src, f.Dst, f.QueuePair, f.TCP}]; ok && train != i {
			errs = append(errs, errors.New("the queue pair of a flow that is sent many times is its own"))
		}
	}
	return errs
}

// maxRepeat is the largest number of times that a message may be sent.
const maxRepeat = 1 << 30
